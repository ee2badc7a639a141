/** Keeps what checks the passphrase of a bot's dashboard in the bot's folder. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../base/failure/failure.ts';
import { replaceFile } from '../../edge/file/replace-file.ts';
import { PASSPHRASE_FILE, passphraseFile } from '../../edge/web/passphrase.ts';

/** Fewest characters of a passphrase. */
export const PASSPHRASE_LEAST = 8;

/** Holds at once for a monitor that runs. @throws Failure passphrase-unfit, Error of node:fs */
export function choosePassphrase(folder: string, chosen: string): void {
  if (chosen.length < PASSPHRASE_LEAST)
    throw new Failure('passphrase-unfit', { what: `expected at least ${PASSPHRASE_LEAST} characters, found ${chosen.length}` });
  replaceFile(join(folder, PASSPHRASE_FILE), passphraseFile(chosen));
}

/** @throws Error of node:fs */
export function removePassphrase(folder: string): void {
  rmSync(join(folder, PASSPHRASE_FILE), { force: true });
}
