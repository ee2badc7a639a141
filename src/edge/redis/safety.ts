/** Checks before the first write that the server is safe for a journal. The error names each setting to change. */
import { StoreError } from '../../ports/store.ts';
import { parseUrl, type RedisCalls } from './client.ts';

export interface SafetyOptions {
  readonly url: string;
  readonly acceptDataLoss: boolean;
  readonly acceptPlaintext: boolean;
}

export interface ServerFacts {
  readonly version: string;
  readonly role: string;
  readonly isAppendOnly: boolean;
  /** "always", "everysec", "no", or "unknown" if the server does not tell it. */
  readonly sync: string;
  readonly evictionPolicy: string;
  /** Differs between servers, and after each start of a server. */
  readonly runId: string;
}

const VERSION_MIN = [6, 2] as const;
/** First version with WAITAOF, which confirms that a write is on the disk. */
const VERSION_WITH_WAITAOF = [7, 2] as const;

export async function readFacts(client: RedisCalls): Promise<ServerFacts> {
  const info = new Map<string, string>();
  for (const line of String(await client.command('INFO')).split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) info.set(line.slice(0, colon), line.slice(colon + 1));
  }
  let sync = 'unknown';
  try {
    const reply = await client.command('CONFIG', 'GET', 'appendfsync');
    if (Array.isArray(reply) && typeof reply[1] === 'string') sync = reply[1];
  } catch (error) {
    // Hosted servers forbid CONFIG. The setting stays unknown, which counts as unsafe.
    if (!(error instanceof StoreError) || error.code === 'unreachable') throw error;
  }
  return {
    version: info.get('redis_version') ?? '0.0',
    role: info.get('role') ?? 'unknown',
    isAppendOnly: info.get('aof_enabled') === '1',
    sync,
    evictionPolicy: info.get('maxmemory_policy') ?? 'unknown',
    runId: info.get('run_id') ?? '',
  };
}

/** True if the server can confirm that a write is on its disk. */
export function canConfirm(facts: ServerFacts): boolean {
  return facts.isAppendOnly && isAtLeast(facts.version, VERSION_WITH_WAITAOF);
}

/** @throws StoreError unsafe, with all reasons */
export function checkSafety(facts: ServerFacts, address: string, options: SafetyOptions): void {
  const reasons: string[] = [];
  if (!isAtLeast(facts.version, VERSION_MIN)) reasons.push(`version ${facts.version} is too old: use ${VERSION_MIN.join('.')} or newer`);
  if (facts.role !== 'master') reasons.push(`its role is "${facts.role}": use the address of the primary in the URL`);
  const url = parseUrl(options.url);
  if (!options.acceptPlaintext && url.protocol === 'redis:' && !isLoopback(url.hostname)) {
    reasons.push('the connection is not encrypted and leaves this machine: use rediss://, or set store.acceptPlaintext');
  }
  if (!options.acceptDataLoss) {
    if (!facts.isAppendOnly) reasons.push('"appendonly no" loses writes when the server stops: set "appendonly yes"');
    else if (facts.sync !== 'always' && !canConfirm(facts)) {
      reasons.push(`"appendfsync ${facts.sync}" loses the last writes in a power cut: set "appendfsync always"`);
    }
    if (facts.evictionPolicy !== 'noeviction') {
      reasons.push(`"maxmemory-policy ${facts.evictionPolicy}" deletes keys: set "maxmemory-policy noeviction"`);
    }
  }
  if (reasons.length > 0) throw new StoreError('unsafe', `redis at ${address} cannot hold a journal: ${reasons.join('; ')}`);
}

function isAtLeast(version: string, minimum: readonly [number, number]): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > minimum[0] || (major === minimum[0] && minor >= minimum[1]);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.');
}
