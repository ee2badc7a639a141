/**
 * JSON recordings as lines of text, so that there is one reader of values: an array of arrays (`[ms, open, high, low, close, volume]`, as
 * freqtrade and ccxt write them) or of objects, or one such array under the name of a symbol.
 */
import type { Readable } from 'node:stream';
import { TapeError } from '../../file/error.ts';

/** Beyond, the text of one file does not fit a string. */
const BYTES_MAX = 500_000_000;
const ROWS_AT_ONCE = 4096;
const BAR_NAMES = ['time', 'open', 'high', 'low', 'close', 'volume'];

/** Lines with a header. @throws TapeError malformed | unsupported */
export async function* readJson(source: Readable, name: string): AsyncGenerator<Buffer> {
  const rows = await parsed(source, name);
  const first = rows[0]?.row;
  if (first === undefined) throw new TapeError('malformed', 'rows were expected, found an empty array', name);
  const names = Array.isArray(first) ? namesOfArray(first, name) : namesOfObject(first, name);
  const isNested = rows.some(({ symbol }) => symbol !== '');
  yield Buffer.from(`${isNested ? 'symbol,' : ''}${names.join(',')}\n`);
  let text = '';
  for (const [at, { row, symbol }] of rows.entries()) {
    const values = Array.isArray(row) ? row : names.map((key) => (row as Record<string, unknown>)[key]);
    if (values.length < names.length)
      throw new TapeError('malformed', `${names.length} values were expected, found ${values.length}`, `${name}, row ${at + 1}`);
    const fields = values.slice(0, names.length).map((value) => fieldOf(value));
    text += `${isNested ? `${symbol},` : ''}${fields.join(',')}\n`;
    if ((at + 1) % ROWS_AT_ONCE !== 0) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

interface JsonRow {
  readonly row: unknown[] | object;
  readonly symbol: string;
}

async function parsed(source: Readable, name: string): Promise<JsonRow[]> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of source) {
    pieces.push(piece as Buffer);
    bytes += (piece as Buffer).length;
    if (bytes > BYTES_MAX)
      throw new TapeError('unsupported', `JSON of at most ${BYTES_MAX} bytes was expected, found more`, name, 'write it as CSV');
  }
  let value: unknown;
  try {
    value = JSON.parse(
      Buffer.concat(pieces)
        .toString('utf8')
        .replace(/^\uFEFF/, ''),
    );
  } catch (error) {
    throw new TapeError('malformed', `JSON was expected, found ${(error as Error).message}`, name, 'fetch the file again', {
      cause: error,
    });
  }
  if (Array.isArray(value)) return value.map((row) => rowOf(row, '', name));
  const lists = typeof value === 'object' && value !== null ? Object.entries(value).filter(([, list]) => Array.isArray(list)) : [];
  if (lists.length === 0) throw new TapeError('malformed', 'an array of rows was expected, found none', name);
  return lists.flatMap(([symbol, list]) => (list as unknown[]).map((row) => rowOf(row, symbol.replaceAll(',', '_'), name)));
}

function rowOf(row: unknown, symbol: string, name: string): JsonRow {
  if (typeof row === 'object' && row !== null) return { row, symbol };
  throw new TapeError('malformed', `a row was expected, found ${JSON.stringify(row)}`, name, 'rows are arrays or objects');
}

function namesOfArray(row: readonly unknown[], name: string): readonly string[] {
  if (row.length >= 6) return BAR_NAMES;
  throw new TapeError('malformed', `rows of ${BAR_NAMES.join(', ')} were expected, found ${row.length} values`, name);
}

/** Fields of values; those of nested objects, as ccxt's `info`, are left out. */
function namesOfObject(row: object, name: string): readonly string[] {
  const names = Object.entries(row).flatMap(([key, value]) => (typeof value === 'object' && value !== null ? [] : [key]));
  if (names.length > 0) return names;
  throw new TapeError('malformed', 'fields of numbers and texts were expected, found none', name);
}

function fieldOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  // JSON.stringify has no word for a number that is too large.
  const text = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : JSON.stringify(value);
  return /[,"\n]/.test(text) ? `"${text.replaceAll('"', "'").replaceAll('\n', ' ')}"` : text;
}
