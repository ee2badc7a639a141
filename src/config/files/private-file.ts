/** Reads a file of secrets, which only its owner may read, or an open descriptor. */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { Failure } from '../../base/failure/failure.ts';

/** "fd:3" names a descriptor that the caller opened, such as a pipe of a keystore; nothing of it is in the file system. */
export const DESCRIPTOR = /^fd:(\d{1,4})$/;

/**
 * The text of the file; `what` names its contents in errors. What is checked is what is read: the file is opened once. A descriptor is read to its end and
 * closed. @throws Failure (credentials-exposed), or the error of the system
 */
export function readPrivate(file: string, what: string): string {
  const given = DESCRIPTOR.exec(file)?.[1];
  const descriptor = given === undefined ? openSync(file, 'r') : Number(given);
  try {
    if (given === undefined) checkPrivate(file, descriptor, what);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function checkPrivate(file: string, descriptor: number, what: string): void {
  const status = fstatSync(descriptor);
  if (process.platform === 'win32') return;
  const mode = (status.mode & 0o777).toString(8).padStart(4, '0');
  const uid = process.getuid?.() ?? status.uid;
  const isOther = status.uid !== uid;
  if ((status.mode & 0o077) !== 0) {
    throw new Failure('credentials-exposed', {
      what: `expected a file of ${what} that only its owner can read (mode 0600), found mode ${mode}`,
      where: file,
      hint: `${isOther ? `chown ${uid} ${file} && ` : ''}chmod 600 ${file}`,
    });
  }
  if (isOther) {
    throw new Failure('credentials-exposed', {
      what: `expected a file of ${what} that belongs to the user who runs this`,
      where: file,
      hint: `chown ${uid} ${file}`,
    });
  }
}
