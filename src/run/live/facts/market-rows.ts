/** The market of a session: what its polls returned, or the rows of a tape of the same time, which has what happened between two polls. */
import { Failure } from '../../../base/failure/failure.ts';
import { span } from '../../../base/text/figures.ts';
import type { Instrument } from '../../../domain/instrument.ts';
import type { Manifest } from '../../../tape/file/manifest.ts';
import { openTape, readManifest } from '../../../tape/read.ts';
import type { TapeStream } from '../../../tape/file/stream.ts';
import type { SeenQuote, SeenTrade } from './seen.ts';

export interface MarketRows {
  readonly quotes: readonly SeenQuote[];
  readonly trades: readonly SeenTrade[];
}

/** Rows of a tape, and sentences about the part of the session that it lacks. */
export interface TapeRows extends MarketRows {
  readonly notes: readonly string[];
}

/** A tape that lacks no more than this at either end of a session has all of it. */
const SLACK_MS = 10_000;

/** A tape of the market of a session, and how its times become those of the session. */
export interface MarketTape {
  readonly folder: string;
  /** Default 1: as it was recorded. */
  readonly speed?: number | undefined;
  /** Time when its first row happened, milliseconds since 1970. Default: when it was recorded. */
  readonly start?: number | undefined;
}

/**
 * The rows of a tape between two times, and the last quote before them.
 *
 * @param seen what the polls returned
 * @throws TapeError, Failure if there are none, or none of a symbol that was polled
 */
export function rowsOfTape(
  tape: MarketTape,
  instruments: readonly Instrument[],
  seen: readonly SeenQuote[],
  from: number,
  to: number,
): TapeRows {
  const { folder, speed, start } = tape;
  const futures = instruments.filter(({ product }) => product === 'futures');
  const gridOf = (symbol: string): Instrument | undefined => futures.find((one) => one.symbol === symbol);
  const manifest = readManifest(folder);
  const symbols = manifest.symbols.map(({ symbol }) => symbol).filter((symbol) => gridOf(symbol) !== undefined);
  const quotes: SeenQuote[] = [];
  const trades: SeenTrade[] = [];
  for (const stream of openTape(folder, { speed, start, gridOf, symbols }).open()) {
    const { index } = gridOf(stream.symbol)!;
    if (stream.kind === 'trades') takeTrades(stream, index, { from, to }, trades);
    else takeQuotes(stream, index, { from, to }, quotes);
    stream.close();
  }
  const there = new Set(quotes.map(({ instrument }) => instrument));
  const polled = [...new Set(seen.map(({ instrument }) => instrument))];
  const missing = polled.flatMap((k) => (there.has(k) ? [] : [instruments[k]!.symbol]));
  if (missing.length === 0 && quotes.some(({ venueTime }) => venueTime > from))
    return { quotes, trades, notes: lackOf(manifest, tape, from, to) };
  const [first, last] = [from, to].map((time) => new Date(time).toISOString());
  throw new Failure('range-empty', {
    what: `expected quotes between ${first} and ${last}, the time of the session, found none${missing.length === 0 ? '' : ` of ${missing.join(', ')}`}`,
    where: folder,
    hint: 'of a tape that the paper exchange served, give --speed and --start: when its first row was served',
  });
}

function lackOf(manifest: Manifest, { folder, speed = 1, start = manifest.from }: MarketTape, from: number, to: number): string[] {
  const end = start + (manifest.to - manifest.from) / speed;
  const parts = [
    { ms: start - from, where: 'at the start' },
    { ms: to - end, where: 'at the end' },
  ].filter(({ ms }) => ms > SLACK_MS);
  if (parts.length === 0) return [];
  const lack = parts.map(({ ms, where }) => `${span(ms)} ${where}`).join(' and ');
  return [
    `the tape ${folder} lacks ${lack} of the session of ${span(to - from)} from ${new Date(from).toISOString()}: nothing is traded there but at the last known prices.`,
  ];
}

interface Range {
  readonly from: number;
  readonly to: number;
}

function takeQuotes(stream: TapeStream, instrument: number, { from, to }: Range, into: SeenQuote[]): void {
  let before: SeenQuote | null = null;
  while (stream.next()) {
    const { time, bid, bidSize, ask, askSize, length } = stream;
    for (let r = 0; r < length && time[r]! <= to; r++) {
      const venueTime = Math.max(from, time[r]!);
      const quote = { at: venueTime, venueTime, instrument, bid: bid[r]!, bidSize: bidSize[r]!, ask: ask[r]!, askSize: askSize[r]! };
      if (time[r]! < from) {
        before = quote;
        continue;
      }
      if (before !== null) into.push(before);
      before = null;
      into.push(quote);
    }
  }
  if (before !== null) into.push(before);
}

function takeTrades(stream: TapeStream, instrument: number, { from, to }: Range, into: SeenTrade[]): void {
  while (stream.next()) {
    const { time, id, price, size, side, length } = stream;
    for (let r = 0; r < length && time[r]! <= to; r++) {
      const venueTime = time[r]!;
      if (venueTime < from) continue;
      into.push({ at: venueTime, venueTime, instrument, id: id[r]!, price: price[r]!, size: size[r]!, aggressor: side[r]! });
    }
  }
}
