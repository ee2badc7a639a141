/** The first lines of a recording: where its rows begin, what divides its columns, how its times go. */
import { TapeError } from '../../file/error.ts';
import type { Head } from './layout.ts';
import { readLines } from './csv-file.ts';
import type { Input } from '../files/inputs.ts';

const HEAD_BYTES = 1 << 17;
const HEAD_LINES = 400;
/** A comma last: where as many of another are there, commas are before decimals. */
const DELIMITERS = [';', '|', '\t', ','];
/** A cell of a row, not of a header: a number or a date. */
const VALUE = /^(-?\d+([.,]\d*)?([eE][-+]?\d+)?|\d{1,4}[-./]\d{1,2}[-./]\d{1,4}([ T].*)?|\d{8} \d+)$/;
/** Columns of noise that a file may have beside those that are read. */
const COLUMNS_MAX = 10_000;

/** @throws TapeError malformed */
export async function readHead(input: Input): Promise<Head> {
  let text = '';
  // Lines made of JSON come in pieces, the header first.
  await readLines(input, (bytes, start, end) => {
    const most = Math.min(end - start, HEAD_BYTES - text.length);
    text += Buffer.from(bytes.buffer, bytes.byteOffset + start, most).toString('latin1');
    return text.length < HEAD_BYTES;
  });
  if (text === '')
    throw new TapeError('malformed', 'a header line was expected, found an empty file', `${input.name}:1`, 'fetch the file again');
  return headOf(text, input.name);
}

/** Text that is not UTF-8 with lines. */
function foreignText(text: string, name: string): TapeError | null {
  const line = text.slice(0, 1_000);
  const zeros = line.split('\0').length - 1;
  if (zeros > 0) {
    const isWide = zeros > line.length / 3 && zeros < line.length * 0.6;
    const [found, hint] = isWide
      ? ['UTF-16', 'convert it: iconv -f UTF-16 -t UTF-8 IN.csv > OUT.csv']
      : ['bytes of zero', 'fetch the file again'];
    return new TapeError('malformed', `text in UTF-8 was expected, found ${found}`, `${name}:1`, hint);
  }
  if (!line.includes('\r') || /\n|\r$/.test(line)) return null;
  return new TapeError(
    'malformed',
    'lines that end with LF or CR LF were expected, found CR alone',
    `${name}:1`,
    "convert it: tr '\\r' '\\n' < IN.csv > OUT.csv",
  );
}

/** `text` is latin1: a BOM of UTF-8 is three letters of it. */
function headOf(text: string, name: string): Head {
  const foreign = foreignText(text, name);
  if (foreign !== null) throw foreign;
  const all = text.replace(/^\xEF\xBB\xBF/, '').split('\n', HEAD_LINES);
  if (text.length >= HEAD_BYTES && all.length > 1) all.pop();
  const lines = all.map((line) => line.replace(/\r$/, ''));
  let leading = 0;
  while (leading < lines.length - 1 && /^\s*(#|\/\/|https?:|"?https?:|$)/.test(lines[leading]!)) leading++;
  const line = lines[leading] ?? '';
  if (line.trim() === '')
    throw new TapeError('malformed', 'a header line was expected, found an empty file', `${name}:1`, 'fetch the file again');
  const delimiter = delimiterOf(line);
  const first = splitLine(line, delimiter);
  if (first.length > COLUMNS_MAX)
    throw new TapeError('malformed', `at most ${COLUMNS_MAX} columns were expected, found ${first.length}`, `${name}:${leading + 1}`);
  const isHeader = !first.some((field) => VALUE.test(field));
  const skipped = isHeader ? leading + 1 : leading;
  const numbers = lines.flatMap((one, k) => (k < skipped || one.trim() === '' ? [] : [k]));
  return {
    leading: skipped,
    delimiter,
    header: isHeader ? first.map((field) => field.trim()) : null,
    headerLine: isHeader ? line : null,
    rows: numbers.map((k) => splitLine(lines[k]!, delimiter)),
    lines: numbers.map((k) => k + 1),
  };
}

function delimiterOf(line: string): string {
  const plain = line.replaceAll(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => plain.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!;
}

/** Fields without their quotes. */
export function splitLine(line: string, delimiter: string): string[] {
  if (!line.includes('"')) return line.split(delimiter);
  const fields: string[] = [];
  let field = '';
  let isQuoted = false;
  for (const letter of line) {
    if (letter === '"') isQuoted = !isQuoted;
    else if (letter === delimiter && !isQuoted) {
      fields.push(field);
      field = '';
    } else field += letter;
  }
  fields.push(field);
  return fields;
}
