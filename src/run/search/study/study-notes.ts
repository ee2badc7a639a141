/**
 * Notes of the studies of this user, so that pages find them wherever their files are. A note is a file beside the locks of the accounts; a
 * search holds the lock of its note while it runs.
 */
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stateHome } from '../../../edge/file/account-lock.ts';
import { holdFile, isFileHeld } from '../../../edge/file/exclusive-file.ts';
import { replaceFile } from '../../../edge/file/replace-file.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface NotedStudy {
  readonly id: string;
  /** Path of the study. */
  readonly file: string;
  readonly isRunning: boolean;
}

const ENDING = '.json';

/**
 * Notes a study, and holds its lock until it is closed. Null if that cannot be: the search goes on, and no page shows it. Notes of studies
 * that are gone are removed.
 */
export function noteStudy(env: Env, study: string): { close(): void } | null {
  const folder = folderOf(env);
  const file = resolve(study);
  const id = hash('sha256', file).slice(0, 16);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const { id: gone, file: old } of notedStudies(env))
      if (!existsSync(old)) for (const end of [ENDING, '.lock']) rmSync(join(folder, gone + end), { force: true });
    const held = holdFile(join(folder, `${id}.lock`));
    replaceFile(join(folder, id + ENDING), JSON.stringify({ file }), { draft: join(folder, `${id}.${process.pid}`) });
    return held;
  } catch {
    return null;
  }
}

/** In no order. */
export function notedStudies(env: Env): readonly NotedStudy[] {
  const folder = folderOf(env);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(ENDING))
    .flatMap((name) => {
      const id = name.slice(0, -ENDING.length);
      const file = fileIn(join(folder, name));
      return file === '' ? [] : [{ id, file, isRunning: isFileHeld(join(folder, `${id}.lock`)) }];
    });
}

function fileIn(note: string): string {
  try {
    const { file } = JSON.parse(readFileSync(note, 'utf8')) as { readonly file?: unknown };
    return typeof file === 'string' ? file : '';
  } catch {
    return '';
  }
}

function folderOf(env: Env): string {
  return join(stateHome(env), 'studies');
}
