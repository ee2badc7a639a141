/** The type of what is known of a published file format: how it is recognised, what its columns mean, what goes wrong with it. */
import type { TapeKind } from '../file/manifest.ts';

/** What a file holds. A ticker holds mark prices and funding rates at once. */
export type FileKind = TapeKind | 'ticker';

/**
 * What a column is read as. `maker`: true when the buyer was the maker, so the taker sold. `taker`: 1 when the taker bought. `signed`:
 * may be below zero. `timeOfDay`: what is added to a time that is only a date.
 */
export type Reading = 'symbol' | 'time' | 'timeOfDay' | 'id' | 'number' | 'signed' | 'side' | 'maker' | 'taker';

/** A value that a row of this kind has: what `--columns` calls it, and the slot that it is scanned into. */
export interface Role {
  readonly name: string;
  readonly slot: number;
  readonly reading: Reading;
  readonly isNeeded: boolean;
}

const SYMBOL = 0;
export const TIME = 1;
export const FIRST = 2;
export const SIDE = 5;
export const SLOTS = 8;

const common = [role('symbol', SYMBOL, 'symbol', false), role('time', TIME, 'time'), role('timeOfDay', TIME, 'timeOfDay', false)];

/** The values of each kind. A trade's side has three readings, of which a format has one. */
export const ROLES: Readonly<Record<FileKind, readonly Role[]>> = {
  trades: [
    ...common,
    role('id', FIRST, 'id', false),
    role('price', FIRST + 1),
    role('size', FIRST + 2),
    role('side', SIDE, 'side', false),
    role('buyerMaker', SIDE, 'maker', false),
    role('takerBought', SIDE, 'taker', false),
  ],
  quotes: [...common, ...['bid', 'bidSize', 'ask', 'askSize'].map((name, k) => role(name, FIRST + k))],
  bars: [
    ...common,
    ...['open', 'high', 'low', 'close'].map((name, k) => role(name, FIRST + k)),
    role('volume', FIRST + 4, 'number', false),
    role('quoteVolume', FIRST + 4, 'number', false),
  ],
  marks: [...common, role('mark', FIRST)],
  funding: [...common, role('rate', FIRST, 'signed')],
  ticker: [...common, role('rate', FIRST, 'signed'), role('mark', FIRST + 1)],
};

export interface Format {
  /** Stable; `tape import` prints it. */
  readonly name: string;
  readonly title: string;
  readonly kind: FileKind;
  /** As published, in the published order. A header has all of those that have a role; other columns may come and go. */
  readonly columns: readonly string[];
  /** Role by column. */
  readonly roles: Readonly<Record<string, string>>;
  /** True if a header of these names means nothing: the names are ours. */
  readonly hasNoHeader?: boolean;
  /** Files without a header: what each column looks like, a letter each (SHAPES). Absent = always with a header. */
  readonly shape?: string;
  /** Between columns, where it is not a comma. */
  readonly delimiters?: string;
  /** Columns of another kind of contract, whose size is no coin: refused. */
  readonly inverse?: 'always' | InverseCheck;
  /** Sizes count contracts of a derivative: how much one is must be stated. */
  readonly sizeInContracts?: boolean;
  /** Zone of dates that have none, if the vendor says which: an offset of all seasons. */
  readonly zone?: string;
  /** For people: what to know before trusting such a file. */
  readonly traps: string;
}

/** Which columns show that a contract is inverse: of a linear one, `value` is about `size` · `price`. */
export interface InverseCheck {
  readonly size: number | string;
  readonly price: number | string;
  readonly value: number | string;
}

/** What a column without a name looks like. */
export const SHAPES: Readonly<Record<string, RegExp>> = {
  /** A whole number. */
  i: /^\d+$/,
  /** A number. */
  d: /^-?\d+([.,]\d*)?([eE][-+]?\d+)?$/,
  /** A number, or nothing. */
  e: /^(\d+(\.\d*)?([eE][-+]?\d+)?)?$/,
  /** A time. */
  t: /^(\d{10}(\.\d+)?|\d{13}|\d{16}|\d{19}|\d{8}(\d{4}(\d\d)?)?|\d{1,4}[-./]\d{1,2}[-./]\d{1,4}.*)$/,
  /** A date alone, and a time of the day. */
  D: /^(\d{8}|\d{1,4}[-./]\d{1,2}[-./]\d{1,4})$/,
  c: /^(\d{1,2}:\d\d(:\d\d(\.\d+)?)?|\d{6})$/,
  /** A date and a time without separators: "20240102 170000". */
  h: /^\d{8} \d{6}$/,
  /** True or False. */
  b: /^(true|false)$/i,
  /** 0 or 1. */
  o: /^[01]$/,
  /** A side. */
  s: /^(buy|sell|b|s)$/i,
  /** Anything. */
  x: /^.*$/,
};

function role(name: string, slot: number, reading: Reading = 'number', isNeeded = true): Role {
  return { name, slot, reading, isNeeded };
}
