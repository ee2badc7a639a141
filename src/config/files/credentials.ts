/** Reads the three secrets from the environment, which is then cleared of them, from one private file, or from an open descriptor. */
import { Failure, type Problem } from '../../base/failure/failure.ts';
import { Secret, type Credentials } from '../../base/secret.ts';
import { reasonOf } from './data-files.ts';
import { readPrivate } from './private-file.ts';
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
    text = readPrivate(file, 'credentials');
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

function toCredentials(values: readonly string[]): Credentials {
  const [key = '', secret = '', passphrase = ''] = values;
  return { key: new Secret(key), secret: new Secret(secret), passphrase: new Secret(passphrase) };
}
