/**
 * Addresses of Redis as a user writes them:
 *
 *     redis://[user:password@]host[:port][/database]
 *     redis-sentinel://[user:password@]host[:port][,host[:port]…]/group[/database]
 *
 * `rediss` instead of `redis` means TLS. After a `?` follow `ca`, `cert` and `key` (files for TLS), and for sentinels `sentinelUser` and
 * `sentinelPassword`.
 */

export interface RedisHost {
  readonly host: string;
  readonly port: number;
}

export interface RedisAddress {
  readonly isTls: boolean;
  readonly user: string;
  readonly password: string;
  readonly database: number;
  /** The server, or the sentinels of `group`. */
  readonly hosts: readonly RedisHost[];
  /** Name of the primary that the sentinels watch; "" for a single server. */
  readonly group: string;
  readonly sentinelUser: string;
  readonly sentinelPassword: string;
  /** Paths of PEM files; "" for none. */
  readonly tls: { readonly ca: string; readonly cert: string; readonly key: string };
}

const FORM = /^(rediss?)(-sentinel)?:\/\/(?:([^/?#]*)@)?([^@/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/;
const HOST = /^(\[[\da-fA-F:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/;
const TLS_FILES = ['ca', 'cert', 'key'];
const OF_SENTINELS = ['sentinelUser', 'sentinelPassword'];

/** The parts of `text`, or what is wrong with it. The problem never repeats user or password. */
export function readRedisAddress(text: string): RedisAddress | string {
  const form = FORM.exec(text.trim());
  if (form === null) {
    return 'expected a Redis URL such as redis://127.0.0.1:6379 or redis-sentinel://HOST:26379,HOST:26379/NAME (rediss: with TLS)';
  }
  const [, scheme = '', sentinel, login = '', list = '', path = '', query = ''] = form;
  const isTls = scheme === 'rediss';
  const isSentinel = sentinel !== undefined;
  const names = list.split(',');
  if (!isSentinel && names.length > 1) {
    return `expected one server, found ${names.length}: sentinels are given as ${scheme}-sentinel://HOST:26379,HOST:26379/NAME`;
  }
  const hosts: RedisHost[] = [];
  for (const name of names) {
    const [, host = '', port = isSentinel ? '26379' : '6379'] = HOST.exec(name.trim()) ?? [];
    const isPort = Number(port) >= 1 && Number(port) <= 65_535;
    if (host === '' || !isPort) return `expected HOST or HOST:PORT, found ${JSON.stringify(name)}`;
    hosts.push({ host: host.replace(/^\[|\]$/g, ''), port: Number(port) });
  }
  const steps = path.split('/').slice(1);
  const group = isSentinel ? (decoded(steps.shift() ?? '') ?? '') : '';
  if (isSentinel && group === '') {
    return 'expected the name of the primary after the sentinels, such as /mymaster: it is the name in "sentinel monitor"';
  }
  const [database = '', ...rest] = steps;
  if (!/^\d{0,3}$/.test(database) || rest.length > 0) return 'expected the number of a database after the last "/"';
  const facts = new Map<string, string>();
  for (const part of query === '' ? [] : query.split('&')) {
    const at = part.indexOf('=');
    const [name, value] = [part.slice(0, Math.max(at, 0)), decoded(part.slice(at + 1)) ?? ''];
    const known = [...(isTls ? TLS_FILES : []), ...(isSentinel ? OF_SENTINELS : [])];
    if (!known.includes(name)) return `expected ${known.length === 0 ? 'nothing' : known.join(', ')} after "?", found ${name}`;
    facts.set(name, value);
  }
  const of = (name: string): string => facts.get(name) ?? '';
  if ((of('cert') === '') !== (of('key') === '')) return 'expected both cert and key, or neither';
  const colon = login.indexOf(':');
  const [user, password] = [decoded(colon < 0 ? login : login.slice(0, colon)), decoded(colon < 0 ? '' : login.slice(colon + 1))];
  if (user === null || password === null) return 'expected user and password with "%" written as "%25"';
  return {
    isTls,
    user,
    password,
    database: Number(database),
    hosts,
    group,
    sentinelUser: of('sentinelUser'),
    sentinelPassword: of('sentinelPassword'),
    tls: { ca: of('ca'), cert: of('cert'), key: of('key') },
  };
}

/** Hosts and group for messages, without user and password. */
export function shownAddress({ hosts, group }: RedisAddress): string {
  const list = hosts.map(({ host, port }) => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`)).join(',');
  return group === '' ? list : `${group} by the sentinels ${list}`;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
