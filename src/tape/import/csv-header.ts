/** The first line of a recording: what kind of rows follow, and which field is which. */
import { suggest } from '../../base/suggest.ts';
import { TapeError } from '../error.ts';
import type { TapeKind } from '../manifest.ts';

/** The slots that the scanner reads fields into. */
export const SYMBOL = 0;
export const TIME = 1;
/** Trades: id, price, size, side. Quotes: bid, bid size, ask, ask size. */
export const FIRST = 2;
export const SIDE = 5;

export interface CsvLayout {
  readonly kind: TapeKind;
  /** Per field of a line its slot, or −1 where it is not read. */
  readonly slots: Int32Array;
  /** Field names as written. */
  readonly names: readonly string[];
  /** Names of the fields that are not kept. */
  readonly ignored: readonly string[];
}

/** Field names in slot order. */
const FIELDS: Readonly<Record<TapeKind, readonly string[]>> = {
  trades: ['symbol', 'ts', 'tradeId', 'price', 'size', 'side'],
  quotes: ['symbol', 'ts', 'bidPrice', 'bidQty', 'askPrice', 'askQty'],
};
const BARS = ['open', 'high', 'low', 'close'];

/** Reads the header line; the order of fields is free, further ones are ignored. @throws TapeError malformed | unsupported */
export function readHeader(line: string, file: string): CsvLayout {
  const names = line
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split(',')
    .map((name) => name.trim());
  const kind = kindOf(names, file);
  const fields = FIELDS[kind];
  const slots = Int32Array.from(names, (name) => fields.indexOf(name));
  const twice = names.find((name, i) => fields.includes(name) && names.indexOf(name) !== i);
  if (twice !== undefined) throw new TapeError('malformed', `each column once was expected, found ${twice} twice`, `${file}:1`);
  return { kind, slots, names, ignored: names.filter((name) => !fields.includes(name)) };
}

function kindOf(names: readonly string[], file: string): TapeKind {
  for (const kind of ['trades', 'quotes'] as const) if (FIELDS[kind].every((field) => names.includes(field))) return kind;
  if (BARS.every((field) => names.includes(field))) {
    throw new TapeError(
      'unsupported',
      'recorded trades or quotes were expected, found bars',
      `${file}:1`,
      'a tape holds single trades and quotes; bars are built from trades when a strategy asks for them',
    );
  }
  const nearest = names.includes('tradeId') || names.includes('side') ? FIELDS.trades : names.includes('bidPrice') ? FIELDS.quotes : null;
  if (nearest === null) {
    throw new TapeError(
      'malformed',
      `a header line was expected, found ${JSON.stringify(names.join(',').slice(0, 80))}`,
      `${file}:1`,
      `columns of trades are ${FIELDS.trades.join(', ')}; of quotes ${FIELDS.quotes.join(', ')}; in any order`,
    );
  }
  const missing = nearest.filter((field) => !names.includes(field));
  const near = suggest(
    missing[0]!,
    names.filter((name) => !nearest.includes(name)),
  );
  throw new TapeError(
    'malformed',
    `the columns ${nearest.join(', ')} were expected, found none called ${missing.join(', ')}`,
    `${file}:1`,
    near === null ? undefined : `is ${near} meant to be ${missing[0]}?`,
  );
}
