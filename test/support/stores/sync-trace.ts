/**
 * Which orders left before their journal record was on the disk, by the system calls of the bot as strace wrote them. The strategy
 * `numbered` gives each order a number in its reason, by which its record is found in what is written to SQLite's log.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** True if strace can trace a process here. */
export function hasStrace(suite: string): boolean {
  if (spawnSync('strace', ['-D', '-f', '-o', '/dev/null', 'true']).status === 0) return true;
  console.warn(`SKIPPED: ${suite} needs strace on PATH, and a system that lets it trace`);
  return false;
}

/** Arguments to run a program under strace. `inject` changes some of its calls, as `fsync:error=EIO:when=9+`. */
export function underStrace(file: string, inject: string): string[] {
  const injected = inject === '' ? [] : ['-e', `inject=${inject}`];
  return [
    'strace',
    '-D',
    '-f',
    '-y',
    '-s',
    '6000',
    '-e',
    'trace=pwrite64,fsync,fdatasync,write,writev,sendto,sendmsg',
    ...injected,
    '-o',
    file,
  ];
}

export interface SyncTrace {
  /** Client ids of the orders that left, in this order. */
  readonly sent: readonly string[];
  /** Those whose record was not on the disk before. */
  readonly early: readonly string[];
}

/** `numberOf` returns the number in the reason of the order with this client id, by the journal; undefined if it is not there. */
export function readSyncTrace(file: string, numberOf: (clientId: string) => string | undefined): SyncTrace {
  const written = new Set<string>();
  const synced = new Set<string>();
  const sent: string[] = [];
  const early: string[] = [];
  /** Threads whose sync of the log has begun. */
  const syncing = new Set<string>();
  for (const line of readFileSync(file, 'latin1').split('\n')) {
    const [thread = ''] = line.split(' ', 1);
    const isLog = line.includes('store.sqlite-wal>');
    if (isLog && line.includes(' pwrite64(')) {
      for (const [, number] of line.matchAll(/order (\d+)\./g)) written.add(number!);
    } else if (isLog && /^\d+\s+f(data)?sync\(/.test(line)) {
      if (line.includes('<unfinished')) syncing.add(thread);
      else if (line.endsWith('= 0')) for (const number of written) synced.add(number);
    } else if (/^\d+\s+<\.\.\. f(data)?sync resumed>.*= 0$/.test(line)) {
      if (syncing.delete(thread)) for (const number of written) synced.add(number);
    } else if (line.includes('POST ') && line.includes('/place-order ')) {
      const clientId = /clientOid\\":\\"([^"\\]+)/.exec(line)?.[1] ?? 'an order without an id';
      sent.push(clientId);
      const number = numberOf(clientId);
      if (number === undefined || !synced.has(number)) early.push(clientId);
    }
  }
  return { sent, early };
}
