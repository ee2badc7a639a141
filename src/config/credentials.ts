/** Reads the three secrets from the environment, which is then cleared of them, from one private file, or from an open descriptor. */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { Failure, type Problem } from '../base/failure/failure.ts';
import { Secret } from '../base/secret.ts';
import { reasonOf } from './data-files.ts';
import type { Credentials } from './model.ts';
import { parseYaml } from './yaml.ts';

const PARTS = ['key', 'secret', 'passphrase'] as const;
export const SECRET_VARIABLES = PARTS.map((part) => `TICKWRIGHT_${part.toUpperCase()}`);

/**
 * Credentials from TICKWRIGHT_KEY, _SECRET and _PASSPHRASE, which are removed from `env`, or else from `file` ("" = none).
 * Null if both are empty. @throws Failure (configuration) if incomplete, unreadable, or readable by other users
 */
export function readCredentials(env: Record<string, string | undefined>, file: string): Credentials | null {
  const values = SECRET_VARIABLES.map((name) => {
    const value = env[name];
    delete env[name];
    return value ?? '';
  });
  if (values.every((value) => value === '')) return file === '' ? null : readFile(file);
  const missing = SECRET_VARIABLES.filter((_, i) => values[i] === '');
  if (missing.length > 0) {
    throw new Failure('credentials-missing', {
      what: `expected all of ${SECRET_VARIABLES.join(', ')}, found no ${missing.join(', ')}`,
      where: 'environment',
      hint: 'set all three, or none and name a file in venue.credentials',
    });
  }
  return toCredentials(values);
}

function readFile(file: string): Credentials {
  let text: string;
  try {
    text = readOnce(file);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(
      'credentials-file',
      { what: `the credentials file cannot be read: ${reasonOf(error)}`, where: file },
      { cause: error },
    );
  }
  const yaml = parseYaml(text, file);
  const record = (typeof yaml.value === 'object' && yaml.value !== null ? yaml.value : {}) as Record<string, unknown>;
  const problems: Problem[] = [];
  for (const part of PARTS) {
    const value = record[part];
    if (typeof value === 'string' && value !== '') continue;
    problems.push({
      what: `${part}: expected text in quotes, found ${value === undefined ? 'nothing' : `a ${value === null ? 'null' : typeof value}`}`,
      where: value === undefined ? file : yaml.at([part]),
      hint: 'the file holds three lines: key: "…", secret: "…", passphrase: "…"',
    });
  }
  for (const key of Object.keys(record)) {
    if (!(PARTS as readonly string[]).includes(key))
      problems.push({ what: 'expected only key, secret and passphrase', where: yaml.keyAt([key]) });
  }
  if (problems.length > 0) throw new Failure('credentials-file', problems);
  return toCredentials(PARTS.map((part) => record[part] as string));
}

/** "fd:3" names a descriptor that the caller opened, such as a pipe of a keystore; nothing of it is in the file system. */
export const DESCRIPTOR = /^fd:(\d{1,4})$/;

/** What is checked is what is read: the file is opened once. A descriptor is read to its end and closed. */
function readOnce(file: string): string {
  const given = DESCRIPTOR.exec(file)?.[1];
  const descriptor = given === undefined ? openSync(file, 'r') : Number(given);
  try {
    if (given === undefined) checkPrivate(file, descriptor);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function checkPrivate(file: string, descriptor: number): void {
  const status = fstatSync(descriptor);
  if (process.platform === 'win32') return;
  const mode = (status.mode & 0o777).toString(8).padStart(4, '0');
  if ((status.mode & 0o077) !== 0) {
    throw new Failure('credentials-exposed', {
      what: `expected a credentials file that only its owner can read (mode 0600), found mode ${mode}`,
      where: file,
      hint: `chmod 600 ${file}`,
    });
  }
  if (process.getuid !== undefined && status.uid !== process.getuid()) {
    throw new Failure('credentials-exposed', { what: 'expected a credentials file that belongs to the user who runs this', where: file });
  }
}

function toCredentials(values: readonly string[]): Credentials {
  const [key = '', secret = '', passphrase = ''] = values;
  return { key: new Secret(key), secret: new Secret(secret), passphrase: new Secret(passphrase) };
}
