/** Can a bot write to its folders? `doctor` asks and leaves nothing there; a start makes them. */
import { existsSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../../../base/failure/message-of.ts';
import type { BotConfig } from '../../../config/model.ts';
import { lockFolder } from '../../../edge/file/account-lock.ts';
import { stateFolder } from '../../setup/state-folder.ts';

/** The folders besides that of an embedded store to which a start writes, and what for. */
export function foldersOf(config: BotConfig): readonly (readonly [what: string, folder: string])[] {
  const { record, store } = config;
  return [
    ['account lock', lockFolder(process.env)],
    ...(store.kind === 'embedded' ? [] : [['state', stateFolder(config)] as const]),
    ...(record.tape === '' ? [] : [['recording', record.tape] as const]),
  ];
}

/**
 * Makes the folder and those above it, and returns the first that was made. Step by step: the recursive mkdir of Node.js never returns where
 * the system answers ENOENT although the folder above exists, as in /proc. @throws Error of node:fs
 */
export function makeFolder(folder: string): string | undefined {
  if (existsSync(folder)) return undefined;
  const above = dirname(folder);
  const first = above === folder ? undefined : makeFolder(above);
  mkdirSync(folder);
  return first ?? folder;
}

/** Why no file can be written in the folder; null if one can. Makes the folder and a file for a moment. */
export function folderFault(folder: string): string | null {
  let made: string | undefined;
  try {
    made = makeFolder(folder);
    const trial = join(folder, `.doctor-${process.pid}`);
    writeFileSync(trial, '');
    rmSync(trial);
    return null;
  } catch (error) {
    return `${folder} cannot be written: ${messageOf(error)}`;
  } finally {
    if (made !== undefined) removeEmpty(folder, made);
  }
}

/** Removes `folder` and those above it up to `top`, as long as they are empty: a bot may have begun to use them. */
function removeEmpty(folder: string, top: string): void {
  try {
    rmdirSync(folder);
    if (folder.length > top.length) removeEmpty(dirname(folder), top);
  } catch {
    // Somebody uses it.
  }
}
