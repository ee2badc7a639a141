/** Puts a finished tape in the place of another, so that a kill leaves the old one or the new one. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFolder } from '../../edge/file/sync-folder.ts';

/** `work` is a folder beside `folder`; its `new` is the finished tape. */
export function placeTape(work: string, folder: string): void {
  mkdirSync(dirname(folder), { recursive: true });
  if (existsSync(folder)) renameSync(folder, join(work, 'old'));
  renameSync(join(work, 'new'), folder);
  syncFolder(dirname(folder));
  rmSync(join(work, 'old'), { recursive: true, force: true });
}

/** Ends what a kill interrupted, and removes what is not finished. */
export function recoverPlace(work: string, folder: string): void {
  const old = join(work, 'old');
  if (existsSync(old) && !existsSync(folder)) {
    const isFinished = existsSync(join(work, 'new'));
    renameSync(isFinished ? join(work, 'new') : old, folder);
    syncFolder(dirname(folder));
  }
  for (const name of readdirSync(work)) if (/^(added|new|old)/.test(name)) rmSync(join(work, name), { recursive: true });
}
