/** Finds what is known of a recording before its rows are taken: its columns, its symbol, how its times go, what its contracts are. */
import { TapeError } from '../../file/error.ts';
import { isContractSymbol, isInverseSymbol, symbolOfFile } from '../../formats/symbols.ts';
import { readHead } from '../lines/head.ts';
import { inputsOf, textOf, type Input } from '../files/inputs.ts';
import { layoutOf, type ColumnChoice, type CsvLayout, type Head } from '../lines/layout.ts';
import { CODE_OF } from '../lines/field-readings.ts';
import { firstTimes, timesOfSource, type FirstTimes, type TimeChoice, type TimesOfSource } from './source-times.ts';
import { columnHead } from '../columns/columnar.ts';
import { openColumns } from '../columns/open-columns.ts';
import type { SeenUnit } from '../times/times.ts';

export interface SourceChoice extends ColumnChoice, TimeChoice {
  /** The symbol of rows that have none. */
  readonly symbol?: string | undefined;
  /** Length of the bars; default: the most frequent distance of rows. */
  readonly barMs?: number | undefined;
  /** True if the names of the files are the vendor's: a symbol in them is no guess. */
  readonly hasVendorNames?: boolean | undefined;
  /** False: bars without a volume are bars in which nothing traded, no mark prices. */
  readonly isMarks?: boolean | undefined;
  /** Coins in a contract, as a decimal. */
  readonly contractSize?: string | undefined;
}

export interface Source {
  readonly input: Input;
  readonly layout: CsvLayout;
  /** The symbol of rows that have none: as the user or the file's name has it. */
  readonly symbol: string | null;
  /** True if it is from the file's name. */
  readonly isSymbolGuessed: boolean;
  /** Exchange of Tardis; empty elsewhere. */
  readonly exchange: string;
  /** Time of the first row, infinity when there is none. */
  readonly first: number;
  readonly isNewestFirst: boolean;
  /** Length of the bars, 0 for other kinds. */
  readonly barMs: number;
  readonly unit: SeenUnit;
  readonly times: TimesOfSource;
  readonly head: Head;
}

/** Every recording in these files, in order of their first rows. @throws TapeError missing | malformed | unsupported */
export async function sourcesOf(files: readonly string[], choice: SourceChoice): Promise<Source[]> {
  const inputs = files.flatMap((file) => inputsOf(file));
  const sources: Source[] = [];
  for (const input of inputs) sources.push(await sourceOf(input, choice));
  return sources.toSorted((a, b) => a.first - b.first || (a.input.name < b.input.name ? -1 : 1));
}

async function sourceOf(raw: Input, choice: SourceChoice): Promise<Source> {
  const input = await textOf(raw);
  const head = input.form === 'text' ? await readHead(input) : await columnHead(await openColumns(input));
  const layout = freqtradeKind(asMarks(layoutOf(head, choice, input.name), head, choice), head, input.name);
  const symbol = choice.symbol ?? symbolFromName(layout, input);
  const exchange = head.rows[0]?.[layout.names.indexOf('exchange')] ?? '';
  const times = await timesOfSource(input, head, layout, choice);
  const first = firstTimes(input, head, layout, times);
  const known = first.times.filter((time) => time !== null);
  const source: Source = {
    input,
    layout,
    symbol,
    isSymbolGuessed: choice.symbol === undefined && symbol !== null && choice.hasVendorNames !== true,
    exchange,
    first: known[0] ?? Infinity,
    isNewestFirst: isNewestFirst(known),
    barMs: layout.kind === 'bars' ? (choice.barMs ?? barMsOf(head, layout, first, input)) : 0,
    unit: first.seen,
    times,
    head,
  };
  refuseInverse(source, choice);
  return source;
}

/** Nearly every step goes back; two rows tell nothing. */
function isNewestFirst(times: readonly number[]): boolean {
  const steps = times.slice(1).flatMap((time, k) => (time === times[k] ? [] : [Math.sign(time - times[k]!)]));
  return times.length > 2 && steps.filter((step) => step < 0).length > 0.9 * steps.length;
}

/** Klines whose every volume is zero are mark prices. The price of the moment is the one at the open. */
function asMarks(layout: CsvLayout, head: Head, { isMarks = true }: SourceChoice): CsvLayout {
  if (!isMarks) return layout;
  const field = layout.roles.indexOf('volume');
  if (layout.kind !== 'bars' || field < 0 || head.rows.length === 0 || layout.format !== 'binance-klines') return layout;
  if (head.rows.some((row) => Number(row[field]) !== 0)) return layout;
  return openAs(layout, 'marks', 'mark', { format: 'binance-markPriceKlines', title: 'Binance Vision markPriceKlines' });
}

/**
 * freqtrade keeps mark prices and funding rates as bars, "BTC_USDT_USDT-8h-mark.feather" and "…-funding_rate.feather", beside those of the
 * market: `open` is the mark price or the rate of the moment. Rows that cannot be that are refused, because nothing else would notice.
 */
function freqtradeKind(layout: CsvLayout, head: Head, name: string): CsvLayout {
  const kind = /-(mark|funding_rate)\.[a-z.]+$/.exec(name)?.[1];
  if (kind === undefined || layout.kind !== 'bars') return layout;
  const column = (role: string): number[] => {
    const field = layout.roles.indexOf(role);
    return field < 0 ? [] : head.rows.map((row) => Number(row[field]));
  };
  if (kind === 'mark') {
    const traded = column('volume').find((volume) => volume > 0);
    if (traded === undefined) return openAs(layout, 'marks', 'mark', { format: 'freqtrade-mark', title: 'freqtrade mark prices' });
    throw otherThanNamed('mark prices, which have no volume', `a volume of ${traded}`, name);
  }
  const price = column('open').find((rate) => Math.abs(rate) > HIGHEST_RATE);
  if (price === undefined) return openAs(layout, 'funding', 'rate', { format: 'freqtrade-funding_rate', title: 'freqtrade funding rates' });
  throw otherThanNamed('funding rates', `a rate of ${price}`, name);
}

/** A share of the position in one payment: no venue has one as high. */
const HIGHEST_RATE = 0.5;

function otherThanNamed(expected: string, found: string, name: string): TapeError {
  return new TapeError(
    'malformed',
    `${expected}, were expected by the name of the file, found ${found}`,
    name,
    'rename it, if these are bars',
  );
}

/** Of bars only the open, which is a value of another kind. */
function openAs(layout: CsvLayout, kind: 'marks' | 'funding', value: 'mark' | 'rate', as: Pick<CsvLayout, 'format' | 'title'>): CsvLayout {
  const roles = layout.roles.map((role) => (role === 'open' ? value : role === 'time' || role === 'symbol' ? role : ''));
  const signed = CODE_OF.signed;
  return {
    ...layout,
    ...as,
    kind,
    roles,
    readings: layout.readings.map((reading, k) => (roles[k] === '' ? 0 : roles[k] === 'rate' ? signed : reading)),
    ignored: layout.names.filter((_, k) => roles[k] === ''),
    inverse: undefined,
  };
}

function symbolFromName(layout: CsvLayout, input: Input): string | null {
  if (layout.roles.includes('symbol')) return null;
  const symbol = symbolOfFile(input.name);
  // MetaTrader 4 adds the minutes of a bar: "EURUSD60.csv".
  if (symbol !== null) return layout.format === 'metatrader4-bars' ? symbol.replace(/(?<=[A-Za-z])\d+$/, '') : symbol;
  throw new TapeError(
    'malformed',
    'a symbol in the rows or in the name of the file was expected, found none',
    input.name,
    'say it with --symbol, for example --symbol BTCUSDT',
  );
}

/** The most frequent distance of two rows of one symbol. */
function barMsOf(head: Head, layout: CsvLayout, { times, unreadable }: FirstTimes, input: Input): number {
  const field = layout.roles.indexOf('symbol');
  const last = new Map<string, number>();
  const votes = new Map<number, number>();
  for (const [k, row] of head.rows.entries()) {
    const time = times[k] ?? null;
    if (time === null) continue;
    const symbol = row[field] ?? '';
    const distance = Math.abs(time - (last.get(symbol) ?? time));
    last.set(symbol, time);
    if (distance > 0) votes.set(distance, (votes.get(distance) ?? 0) + 1);
  }
  const best = [...votes].toSorted((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0] ?? timeframeOfName(input.name);
  if (best !== null && best % 1000 === 0 && best <= 7 * 86_400_000) return best;
  if (best === null && unreadable !== null) throw unreadable;
  const found = best === null ? 'too few rows to tell' : `a distance of ${best} ms`;
  throw new TapeError(
    'unsupported',
    `bars of a whole number of seconds, of a week at most, were expected, found ${found}`,
    input.name,
    'say their length with --timeframe, for example --timeframe 5m',
  );
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** "BTC_USDT-5m.json" → 300,000. */
function timeframeOfName(file: string): number | null {
  const found = /[-_.](\d+)(s|m|min|h|d|w)(?![A-Za-z0-9])/.exec(file.split(/[\\/!]/).at(-1) ?? '');
  return found === null ? null : Number(found[1]) * UNIT_MS[found[2]!]!;
}

/** An inverse contract is worth contracts · size ÷ price: taken as linear, every result would be wrong. */
function refuseInverse(source: Source, choice: SourceChoice): void {
  const { layout, input, exchange, head } = source;
  const field = layout.roles.indexOf('symbol');
  const symbols = new Set(field < 0 ? [source.symbol ?? ''] : head.rows.map((row) => row[field] ?? ''));
  if (layout.inverse === 'always') throw inverse(layout.title, input.name);
  for (const symbol of symbols) checkSymbol(symbol, exchange, layout, input.name, choice.contractSize);
  if (symbolOfFile(input.name) !== null && isInverseSymbol(symbolOfFile(input.name)!)) throw inverse(symbolOfFile(input.name)!, input.name);
  if (layout.inverse === undefined) return;
  const { size, price, value } = layout.inverse;
  const at = (column: number | string): number => (typeof column === 'number' ? column : layout.names.indexOf(column));
  const shares = head.rows
    .map((row) => Number(row[at(value)]) / (Number(row[at(size)]) * Number(row[at(price)])))
    .filter((share) => Number.isFinite(share) && share > 0)
    .toSorted((a, b) => a - b);
  const share = shares[shares.length >> 1];
  if (share !== undefined && (share < 0.5 || share > 2)) {
    throw inverse(`values that are ${share.toPrecision(3)} times size · price`, input.name);
  }
}

/** @throws TapeError unsupported for an inverse contract, and for sizes that count contracts of an unknown size */
export function checkSymbol(symbol: string, exchange: string, layout: CsvLayout, name: string, contractSize: string | undefined): void {
  if (isInverseSymbol(symbol, exchange)) throw inverse(symbol, name);
  if (!layout.sizeInContracts || !isContractSymbol(symbol) || contractSize !== undefined) return;
  throw new TapeError(
    'unsupported',
    `sizes in coins were expected, found contracts of ${symbol}`,
    name,
    'say how many coins a contract is with --contract-size, for example 0.01 for BTC-USDT-SWAP',
  );
}

function inverse(found: string, name: string): TapeError {
  return new TapeError(
    'unsupported',
    `linear contracts or spot were expected, found ${found}: an inverse (coin-margined) contract, worth size ÷ price`,
    name,
    'import the USDT contract or the spot market of the coin; inverse contracts are not computed',
  );
}
