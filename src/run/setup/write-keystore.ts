/** Writes a keystore. A power cut loses no key. */
import { replaceFile } from '../../edge/file/replace-file.ts';

/** @throws Error of node:fs */
export function writeKeystore(file: string, content: string): void {
  replaceFile(file, content, { draft: `${file}.${process.pid}.new`, isSynced: true });
}
