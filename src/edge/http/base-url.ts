/** Checks the venue's base URL. The client uses only this address; an address in an answer is never used. */
import { lookup as dnsLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP } from 'node:net';

/** The base URL is not allowed. The message says what was expected. */
export class BaseUrlError extends Error {
  override readonly name = 'BaseUrlError';
}

export interface BaseUrl {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path before `/api/v1`, without a trailing slash; "" for none. */
  readonly mount: string;
  readonly isLoopback: boolean;
}

/**
 * Accepts `https://host[:port][/mount]`, and `http://` for loopback only, so that signed requests never leave the machine unencrypted.
 * @throws BaseUrlError on another scheme, user name, query or fragment, or a private address that is not loopback
 */
export function parseBaseUrl(text: string): BaseUrl {
  const url = URL.parse(text);
  if (url === null) throw new BaseUrlError(`expected a base URL such as "https://api.example.com", found ${JSON.stringify(text)}`);
  if (url.username !== '' || url.password !== '') throw new BaseUrlError('expected a base URL without user name and password');
  if (url.search !== '' || url.hash !== '')
    throw new BaseUrlError(`expected a base URL without query and fragment, found ${JSON.stringify(text)}`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isLoopback = host === 'localhost' || (isIP(host) !== 0 && contains(LOOPBACK, host));
  if (url.protocol === 'http:' && !isLoopback) {
    throw new BaseUrlError(`expected https for ${url.host}, found http: http is allowed for loopback addresses only`);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new BaseUrlError(`expected https or http, found ${JSON.stringify(url.protocol)}`);
  }
  if (!isLoopback && isIP(host) !== 0 && contains(PRIVATE, host)) {
    throw new BaseUrlError(`expected a public address, found the private ${host}`);
  }
  return { origin: url.origin, mount: url.pathname.replace(/\/+$/, ''), isLoopback };
}

/**
 * DNS lookup that fails if a public name resolves to this machine or a private network (DNS rebinding). It checks the same address that the
 * socket then connects to.
 */
export function publicLookup(
  hostname: string,
  options: LookupOptions,
  done: (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
): void {
  dnsLookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return done(error, []);
    const inside = addresses.find((a) => contains(PRIVATE, a.address) || contains(LOOPBACK, a.address));
    if (inside !== undefined) {
      const refused: NodeJS.ErrnoException = new BaseUrlError(
        `expected a public address for ${hostname}, found the private ${inside.address}`,
      );
      refused.code = 'EPRIVATE';
      return done(refused, []);
    }
    const first = addresses[0];
    if (options.all === true || first === undefined) return done(null, addresses);
    done(null, first.address, first.family);
  });
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

const PRIVATE = new BlockList();
const NETS_4 = ['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16', '224.0.0.0/3'] as const;
const NETS_6 = ['::/128', 'fc00::/7', 'fe80::/10', 'ff00::/8'] as const;
for (const net of NETS_4) PRIVATE.addSubnet(...split(net), 'ipv4');
for (const net of NETS_6) PRIVATE.addSubnet(...split(net), 'ipv6');

function split(net: string): [address: string, prefix: number] {
  const slash = net.indexOf('/');
  return [net.slice(0, slash), Number(net.slice(slash + 1))];
}

function contains(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
