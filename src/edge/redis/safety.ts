/** Finds the settings of a server that may lose what a journal has committed. The text of each names the setting to change. */
import { StoreError } from '../../ports/store.ts';
import type { RedisCalls } from './redis-client.ts';
import { readInfo, type ServerInfo } from './redis-info.ts';

export interface ServerFacts extends ServerInfo {
  /** "always", "everysec", "no", or "unknown" if the server does not tell it. */
  readonly sync: string;
}

const VERSION_MIN = [6, 2] as const;
/** First version with WAITAOF, which confirms that a write is on the disk. */
const VERSION_WITH_WAITAOF = [7, 2] as const;

export async function readFacts(client: RedisCalls): Promise<ServerFacts> {
  const info = readInfo(await client.command('INFO'));
  let sync = 'unknown';
  try {
    const reply = await client.command('CONFIG', 'GET', 'appendfsync');
    if (Array.isArray(reply) && typeof reply[1] === 'string') sync = reply[1];
  } catch (error) {
    // Hosted servers forbid CONFIG. The setting stays unknown, which counts as unsafe.
    if (!(error instanceof StoreError) || error.code === 'unreachable') throw error;
  }
  return { ...info, sync };
}

/** True if the server can confirm that a write is on its disk. */
export function canConfirm(facts: ServerFacts): boolean {
  return facts.isAppendOnly && isAtLeast(facts.version, VERSION_WITH_WAITAOF);
}

/** Why the server may lose what it confirms; empty if it does not. */
export function risksOf(facts: ServerFacts): string[] {
  const risks: string[] = [];
  if (!facts.isAppendOnly) risks.push('"appendonly no" loses writes when the server stops: set "appendonly yes"');
  else if (facts.sync === 'unknown' && !canConfirm(facts)) {
    risks.push('"appendfsync" cannot be read, and may lose the last writes in a power cut: set it to "always", and allow "config|get"');
  } else if (facts.sync !== 'always' && !canConfirm(facts)) {
    risks.push(`"appendfsync ${facts.sync}" loses the last writes in a power cut: set "appendfsync always"`);
  }
  if (facts.evictionPolicy !== 'noeviction') {
    risks.push(`"maxmemory-policy ${facts.evictionPolicy}" deletes keys: set "maxmemory-policy noeviction"`);
  }
  return risks;
}

/** @throws StoreError unsafe, with all reasons */
export function checkSafety(facts: ServerFacts, address: string, acceptDataLoss: boolean): void {
  const reasons = acceptDataLoss ? [] : risksOf(facts);
  if (!isAtLeast(facts.version, VERSION_MIN)) {
    reasons.unshift(`version ${facts.version} is too old: use ${VERSION_MIN.join('.')} or newer`);
  }
  if (reasons.length > 0) throw new StoreError('unsafe', `redis at ${address} cannot hold a journal: ${reasons.join('; ')}`);
}

function isAtLeast(version: string, minimum: readonly [number, number]): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > minimum[0] || (major === minimum[0] && minor >= minimum[1]);
}
