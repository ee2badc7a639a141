/** One process per folder or file: a lock file with the owner's process id. If that process has ended, the lock is taken over. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';

export interface FolderLock {
  release(): void;
}

/** Paths of the locks held by this process. */
const own = new Set<string>();

/** `of`: what is locked. @throws the error that `refuse` returns, if a running process holds the lock */
export function takeLock(path: string, refuse: (message: string) => Error, of = 'folder'): FolderLock {
  const holder = readHolder(path);
  if (holder !== null && (own.has(path) || (holder !== process.pid && isAlive(holder)))) {
    throw refuse(`the ${of} is in use by process ${holder}; stop it first or use another ${of}`);
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

/** True if a process has this number and has not ended. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !hasEnded(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** True for a zombie: a killed process keeps its id until its parent collects it, which in some containers never happens. */
function hasEnded(pid: number): boolean {
  try {
    // Format: "17 (a name, perhaps with brackets) Z 1 …". Linux only; other systems have no such file.
    return /\) [XZ] [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
