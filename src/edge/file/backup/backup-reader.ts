/** Reads a backup, and checks each part before it gives it: the chain of records, the numbers, and the sum of all text. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { Failure } from '../../../base/failure/failure.ts';
import type { StoredRecord } from '../../../ports/store.ts';
import { linkOf } from '../../journal-rows.ts';
import { BACKUP_VERSION, type BackupEnd, type BackupHead, type RecordLine, type ValueLine } from './backup-format.ts';

/** A value, or a record with the JSON text of its data and its link. */
export type BackupEntry =
  | { readonly kind: 'value'; readonly key: string; readonly text: string }
  | { readonly kind: 'record'; readonly record: StoredRecord; readonly data: string; readonly link: string };

/** What a backup is of, without its contents. @throws Failure backup-unusable, path-missing */
export async function readBackupHead(path: string): Promise<BackupHead> {
  for await (const text of linesOf(path)) return headOf(text, path);
  throw unusable(path, 'it is empty');
}

/** All of a backup in order: values, then records. It is whole if this ends without an error. @throws Failure backup-unusable */
export async function* readBackup(path: string): AsyncGenerator<BackupEntry, void> {
  const sum = createHash('sha256');
  let head: BackupHead | null = null;
  let end: BackupEnd | null = null;
  let [values, position, link] = [0, 0, ''];
  for await (const text of linesOf(path)) {
    if (end !== null) throw unusable(path, 'something follows its last line');
    if (head === null) {
      head = headOf(text, path);
      ({ position, link } = head.base);
      sum.update(`${text}\n`);
      continue;
    }
    const line = jsonOf(text, path);
    if (!Array.isArray(line)) {
      end = line as BackupEnd;
      continue;
    }
    sum.update(`${text}\n`);
    const [word] = line as unknown as ValueLine | RecordLine;
    if (word === 'value') {
      const [, key, value] = line as unknown as ValueLine;
      values++;
      yield { kind: 'value', key, text: value };
      continue;
    }
    const [, at, seq, time, given, kind] = line as unknown as RecordLine;
    if (at !== position + 1) throw unusable(path, `record ${position + 1} is missing`);
    const data = JSON.stringify(given);
    position = at;
    link = linkOf(link, at, seq, time, data, kind);
    yield { kind: 'record', record: { position: at, kind, seq, time, data: given }, data, link };
  }
  if (head === null || end === null) throw unusable(path, 'its end is missing');
  if (end.values !== values || head.values !== values) throw unusable(path, `it has ${values} values, expected ${head.values}`);
  if (position !== head.last.position || link !== head.last.link) throw unusable(path, 'its records are not those that the store had');
  if (end.sha256 !== sum.digest('hex')) throw unusable(path, 'its SHA-256 is another than the one written at its end');
}

function headOf(text: string, path: string): BackupHead {
  const head = jsonOf(text, path) as Partial<BackupHead> | null;
  if (head?.tickwright !== 'backup' || typeof head.version !== 'number') throw unusable(path, 'it is no backup of a bot');
  if (head.version > BACKUP_VERSION) {
    const what = `${path} was made by a newer version of Tickwright (${String(head.program)}): its format is ${head.version}, and this version reads up to ${BACKUP_VERSION}`;
    throw new Failure('backup-unusable', { what, hint: 'nothing was changed: restore it with the newer version' });
  }
  return head as BackupHead;
}

function jsonOf(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unusable(path, 'a line of it is no JSON', error);
  }
}

/** Not those of node:readline, which also ends a line where a text has U+2028. */
async function* linesOf(path: string): AsyncGenerator<string> {
  const file = createReadStream(path);
  const plain = createGunzip();
  file.on('error', (error) => plain.destroy(error));
  file.pipe(plain).setEncoding('utf8');
  let rest = '';
  try {
    for await (const text of plain as AsyncIterable<string>) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    throw error instanceof Failure ? error : faultOf(error, path);
  } finally {
    file.destroy();
    plain.destroy();
  }
  if (rest !== '') throw unusable(path, 'its last line is cut off');
}

function faultOf(fault: unknown, path: string): Failure {
  const { code, message } = fault as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new Failure('path-missing', { what: `there is no file ${path}` }, { cause: fault });
  if (code?.startsWith('Z_') === true) return unusable(path, `it is cut off or damaged: ${message}`, fault);
  return new Failure('backup-unusable', { what: `${path} cannot be read: ${message}` }, { cause: fault });
}

function unusable(path: string, why: string, cause?: unknown): Failure {
  const hint = 'nothing was changed: take another backup';
  return new Failure('backup-unusable', { what: `${path} is not a whole backup (${why})`, hint }, { cause });
}
