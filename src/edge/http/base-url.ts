/** The one address the client talks to: checked once, pinned, never taken from an answer. */
import { lookup as dnsLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP } from 'node:net';

/** A base URL that must not be used; the message says what was expected. */
export class BaseUrlError extends Error {
  override readonly name = 'BaseUrlError';
}

export interface BaseUrl {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path in front of `/api/v1`, without a trailing slash; "" for none. */
  readonly mount: string;
  readonly isLoopback: boolean;
}

/**
 * Takes `https://host[:port][/mount]`, or `http://` for loopback only: signed requests never leave the machine in the clear.
 * @throws BaseUrlError on another scheme, user name, query or fragment, or a private address that is not loopback
 */
export function parseBaseUrl(text: string): BaseUrl {
  const url = URL.parse(text);
  if (url === null) throw new BaseUrlError(`a base URL such as "https://api.example.com" was expected, found ${JSON.stringify(text)}`);
  if (url.username !== '' || url.password !== '') throw new BaseUrlError('a base URL carries no user name or password');
  if (url.search !== '' || url.hash !== '') throw new BaseUrlError(`a base URL has no query or fragment, found ${JSON.stringify(text)}`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isLoopback = host === 'localhost' || (isIP(host) !== 0 && contains(LOOPBACK, host));
  if (url.protocol === 'http:' && !isLoopback) {
    throw new BaseUrlError(`https was expected for ${url.host}: http is for loopback addresses only`);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new BaseUrlError(`https or http was expected, found ${JSON.stringify(url.protocol)}`);
  }
  if (!isLoopback && isIP(host) !== 0 && contains(PRIVATE, host)) {
    throw new BaseUrlError(`a public address was expected, found the private ${host}`);
  }
  return { origin: url.origin, mount: url.pathname.replace(/\/+$/, ''), isLoopback };
}

/**
 * A resolver that fails when a public name points into this machine or a private network (DNS rebinding): the check is made
 * on the very address the socket connects to.
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
      const refused: NodeJS.ErrnoException = new BaseUrlError(`${hostname} resolves to the private address ${inside.address}`);
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
