/** Finds the passphrase of a keystore without a person: in a private file, or a credential of systemd. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../base/failure/failure.ts';
import { Secret, type Credentials } from '../../base/secret.ts';
import { reasonOf } from './data-files.ts';
import { Keystore } from './keystore.ts';
import { type KeystorePlace, PASSPHRASE_VARIABLE } from './keystore-place.ts';
import { readPrivate } from './private-file.ts';

/** Name of the credential of systemd: LoadCredential=tickwright-keystore:FILE. */
const SYSTEMD_CREDENTIAL = 'tickwright-keystore';

type Env = Readonly<Record<string, string | undefined>>;

/** null if neither is given. @throws Failure keystore-passphrase if it cannot be read, credentials-exposed */
export function givenPassphrase(env: Env): Secret | null {
  const file = env[PASSPHRASE_VARIABLE] ?? '';
  const folder = env['CREDENTIALS_DIRECTORY'] ?? '';
  const credential = join(folder, SYSTEMD_CREDENTIAL);
  try {
    if (file !== '') return firstLine(readPrivate(file, 'a passphrase'));
    // systemd lets only the service read it.
    if (folder !== '' && existsSync(credential)) return firstLine(readFileSync(credential, 'utf8'));
    return null;
  } catch (error) {
    if (error instanceof Failure) throw error;
    const where = file === '' ? credential : file;
    throw new Failure(
      'keystore-passphrase',
      { what: `the file of the passphrase cannot be read: ${reasonOf(error)}`, where },
      { cause: error },
    );
  }
}

/** The credentials of an entry. @throws Failure keystore-passphrase, keystore-entry, keystore-unusable */
export function credentialsIn({ file, name }: KeystorePlace, passphrase: Secret): Credentials {
  const keystore = Keystore.open(file, passphrase);
  const { key, secret, passphrase: third } = keystore.parts(name);
  keystore.forget();
  return { key: new Secret(key), secret: new Secret(secret), passphrase: new Secret(third) };
}

/** The error where nobody can be asked. */
export function passphraseMissing(file: string): Failure {
  return new Failure('keystore-passphrase', {
    what: 'expected the passphrase of the keystore, found none, and nobody can be asked',
    where: file,
    hint: `name a file of mode 0600 in ${PASSPHRASE_VARIABLE}, or give systemd's LoadCredential=${SYSTEMD_CREDENTIAL}:FILE`,
  });
}

function firstLine(text: string): Secret {
  return new Secret(text.split(/\r?\n/, 1)[0]!);
}
