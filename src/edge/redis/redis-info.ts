/** Reads what a Redis server says about itself in its answer to INFO. */

export interface ServerInfo {
  readonly version: string;
  /** "master", or "slave" for a replica. */
  readonly role: string;
  readonly isAppendOnly: boolean;
  readonly evictionPolicy: string;
  /** Differs between servers, and after each start of a server. */
  readonly runId: string;
  /** Names a history of writes. It changes when a replica is promoted, and when a primary starts again. */
  readonly replicationId: string;
  /** Number of replicas that are connected and have all data. */
  readonly replicas: number;
}

export function readInfo(reply: unknown): ServerInfo {
  const info = new Map<string, string>();
  for (const line of String(reply).split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) info.set(line.slice(0, colon), line.slice(colon + 1));
  }
  const replicas = [...info].filter(([name, value]) => /^slave\d+$/.test(name) && value.includes('state=online'));
  return {
    version: info.get('redis_version') ?? '0.0',
    role: info.get('role') ?? 'unknown',
    isAppendOnly: info.get('aof_enabled') === '1',
    evictionPolicy: info.get('maxmemory_policy') ?? 'unknown',
    runId: info.get('run_id') ?? '',
    replicationId: info.get('master_replid') ?? '',
    replicas: replicas.length,
  };
}
