/** One process per folder: a lock file with the owner's process id. A lock whose owner is gone is taken over. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';

export interface FolderLock {
  release(): void;
}

/** Locks held by this very process. */
const own = new Set<string>();

/** @throws what `refuse` makes, when a living process holds the lock */
export function takeLock(path: string, refuse: (message: string) => Error): FolderLock {
  const holder = readHolder(path);
  if (holder !== null && (own.has(path) || (holder !== process.pid && isAlive(holder)))) {
    throw refuse(`the folder is held by process ${holder}; stop it first or use another folder`);
  }
  own.add(path);
  writeFileSync(path, String(process.pid), { mode: 0o600 });
  return {
    release: (): void => {
      own.delete(path);
      rmSync(path, { force: true });
    },
  };
}

function readHolder(path: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(path, 'utf8'), 10);
    return Number.isInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !hasEnded(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A process that was killed keeps its number until its parent asks after it, which in some containers nobody ever does. */
function hasEnded(pid: number): boolean {
  try {
    // "17 (a name, perhaps with brackets) Z 1 …": Linux; elsewhere there is no such file.
    return /\) [XZ] [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
