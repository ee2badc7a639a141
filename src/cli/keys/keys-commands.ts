/** `keys`: adds, lists, removes and rotates the keys of a keystore. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { Failure } from '../../base/failure/failure.ts';
import { Secret } from '../../base/secret.ts';
import { entriesIn, Keystore, type KeyParts, withoutEntry } from '../../config/files/keystore.ts';
import { givenPassphrase, passphraseMissing } from '../../config/files/keystore-passphrase.ts';
import { writeKeystore } from '../../run/setup/write-keystore.ts';
import type { CliContext } from '../shell/cli-context.ts';
import { askedSecret } from '../terminal/question.ts';
import { safeText } from '../terminal/terminal.ts';
import { passphraseOf } from './unlock.ts';
import { printJson } from '../shell/print-json.ts';

interface KeysFlags {
  readonly keystore: string;
  readonly json?: true;
}

export async function addKey({ keystore }: KeysFlags, { io, env }: CliContext, name: string): Promise<void> {
  const file = resolve(keystore);
  const isNew = !existsSync(file);
  const store = isNew ? Keystore.make(await chosenPassphrase(file, env), file) : Keystore.open(file, await passphraseOf(file, env));
  if (!isNew && entriesIn(file).some((one) => one.name === name))
    throw new Failure('keystore-entry', { what: `there is an entry "${name}"`, where: file, hint: `tickwright keys rotate ${name}` });
  writeKeystore(file, store.with(name, await askedParts(), new Date()));
  io.stderr.write(`added "${safeText(name)}": venue.credentials: "keystore:${safeText(keystore)}#${safeText(name)}"\n`);
}

export function listKeys({ keystore, json }: KeysFlags, { io }: CliContext): void {
  const entries = entriesIn(resolve(keystore));
  if (json === true) printJson(io, 'keys list', { keys: entries });
  else for (const { name, addedAt } of entries) io.stdout.write(`${safeText(name)}  since ${safeText(addedAt)}\n`);
}

export function removeKey({ keystore }: KeysFlags, { io }: CliContext, name: string): void {
  const file = resolve(keystore);
  writeKeystore(file, withoutEntry(file, name));
  io.stderr.write(`removed "${safeText(name)}" from this file; delete the key at the venue too\n`);
}

export async function rotateKey({ keystore }: KeysFlags, { io, env }: CliContext, name?: string): Promise<void> {
  const file = resolve(keystore);
  const store = Keystore.open(file, await passphraseOf(file, env));
  if (name === undefined) {
    writeKeystore(file, store.sealedBy(await askedTwice()));
    io.stderr.write('all keys are sealed by the new passphrase: write it where the bot reads it\n');
    return;
  }
  store.parts(name);
  writeKeystore(file, store.with(name, await askedParts(), new Date()));
  io.stderr.write(`"${safeText(name)}" has the new key: start the bot again, then delete the old key at the venue\n`);
}

/** Of a keystore that is made: what is given, or asked twice. */
async function chosenPassphrase(file: string, env: CliContext['env']): Promise<Secret> {
  const given = givenPassphrase(env);
  if (given !== null) return given;
  if (!process.stdin.isTTY) throw passphraseMissing(file);
  return askedTwice();
}

async function askedTwice(): Promise<Secret> {
  if (!process.stdin.isTTY)
    throw new Failure('keystore-passphrase', { what: 'expected a terminal to ask for the new passphrase, found none' });
  const first = await askedSecret('New passphrase of the keystore: ');
  if ((await askedSecret('The same again: ')) !== first)
    throw new Failure('keystore-passphrase', { what: 'expected the same passphrase twice' });
  return new Secret(first);
}

/** Asked one after the other; without a terminal they are the first three lines of the input. */
async function askedParts(): Promise<KeyParts> {
  const [key = '', secret = '', passphrase = ''] = process.stdin.isTTY
    ? [await askedSecret('API key: '), await askedSecret('API secret: '), await askedSecret('API passphrase: ')]
    : (await text(process.stdin)).split(/\r?\n/);
  if ([key, secret, passphrase].some((part) => part === ''))
    throw new Failure('keystore-entry', {
      what: 'expected API key, secret and passphrase, found an empty one',
      hint: 'nothing was changed',
    });
  return { key, secret, passphrase };
}
