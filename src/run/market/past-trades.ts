/**
 * Market trades (E8) of the paper exchange from before those that the simulator keeps, so that a bot can build bars of weeks. Of each minute
 * there are at most four trades: its first, lowest, highest and last price, with the volume and the ids of the minute. The exchange makes
 * these minutes of the market that it serves, and draws those before a synthetic market began. A minute is one of the market: at `--speed 60`
 * it takes a second.
 */
import { join } from 'node:path';
import { firstIndex } from '../../base/collections/first-index.ts';
import { MINUTE_MS } from '../../base/time/time-spans.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { BUY, SELL } from '../../domain/codes.ts';
import type { Lots, Millis, Ticks } from '../../domain/amounts/units.ts';
import { LineFile } from '../../edge/file/line-file.ts';
import type { TradesSource } from '../../sim/api/endpoint-context.ts';
import type { VenueSim } from '../../sim/core/venue-core.ts';
import type { SimTrade, TradesRequest } from '../../sim/state/types.ts';
import type { DrawnBars, PastDrawing } from '../../tape/synth/synth-past.ts';
import { DrawnMinutes } from './drawn-minutes.ts';

/** Trades of a minute at most: first, lowest, highest, last. */
export const TRADES_A_MINUTE = 4;
/** Minutes kept of all instruments together, besides those of a drawn past. */
const MOST_MINUTES = 2_000_000;

/** A minute of one instrument: prices in ticks, and the ids of its first and last trade. */
interface Minute {
  /** Its begin, milliseconds since 1970. */
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  lots: number;
  firstId: number;
  lastId: number;
}

/** The drawn market before this one: `minutes` of them up to `start`, from `seed`. Without a drawn one `minutes` is 0. */
export interface DrawnPast {
  readonly start: number;
  readonly minutes: number;
  /** Real time that a minute of the market takes, in milliseconds. */
  readonly minuteMs: number;
  readonly seed: number;
  readonly season: boolean;
}

export interface PastTradesDeps {
  readonly instruments: readonly Instrument[];
  /** Folder of the file of minutes; null for memory only. */
  readonly folder: string | null;
  /** Draws the bars of a drawn past, one a minute. */
  readonly draw: (instrument: Instrument, past: DrawnPast) => PastDrawing;
}

const FILE = 'minutes.jsonl';
const NONE: DrawnPast = { start: 0, minutes: 0, minuteMs: MINUTE_MS, seed: 0, season: false };

export class PastTrades {
  readonly #deps: PastTradesDeps;
  readonly #file: LineFile | null;
  readonly #most: number;
  /** By instrument: its minutes, oldest first, and whether the newest still goes on: then it is not in the file yet. */
  readonly #minutes: Minute[][];
  readonly #isOpen: boolean[];
  /** By instrument: whether its oldest minutes were dropped. The drawn past before them is then over, too: it would leave a hole. */
  readonly #hasDropped: boolean[];
  readonly #drawn: DrawnMinutes;
  #past: DrawnPast | null = null;

  /** @throws Error of node:fs */
  constructor(deps: PastTradesDeps) {
    const { instruments, folder } = deps;
    this.#deps = deps;
    this.#most = Math.max(1_440, Math.floor(MOST_MINUTES / instruments.length));
    this.#minutes = instruments.map(() => []);
    this.#isOpen = instruments.map(() => false);
    this.#hasDropped = instruments.map(() => false);
    this.#drawn = new DrawnMinutes((index) => deps.draw(instruments[index]!, this.#past ?? NONE));
    this.#file = folder === null ? null : new LineFile(join(folder, FILE));
    const indexes = new Map(instruments.filter(({ product }) => product === 'futures').map(({ symbol, index }) => [symbol, index]));
    for (const line of this.#file?.lines(0) ?? []) {
      const row = JSON.parse(line) as DrawnPast | [string, ...MinuteFields];
      if (!Array.isArray(row)) {
        // Before exchanges had fast minutes, their files did not say how long one is.
        this.#past = { ...NONE, ...row };
        continue;
      }
      const [symbol, time, open, high, low, close, lots, firstId, lastId] = row;
      const index = indexes.get(symbol);
      if (index !== undefined) this.#keep(index, { time, open, high, low, close, lots, firstId, lastId });
    }
  }

  /**
   * Begins with a past, or goes on: then the newest trades that `sim` has kept are in no minute yet. `past` is that of a new market; null if
   * the market is older than this file. Returns how many ids the trades of the past have.
   */
  begin(sim: VenueSim, past: DrawnPast | null): number {
    if (this.#past === null) {
      this.#past = past ?? NONE;
      this.#file?.append(JSON.stringify(this.#past));
      this.#file?.flush();
    }
    this.#resume(sim);
    return this.#past.minutes * TRADES_A_MINUTE;
  }

  #resume(sim: VenueSim): void {
    for (const { index, product } of this.#deps.instruments) {
      if (product !== 'futures') continue;
      const after = this.#minutes[index]!.at(-1)?.lastId ?? 0;
      const newer = sim.trades(index, { limit: Infinity }).filter(({ id }) => id > after);
      for (const { price, size, time, id } of newer.toReversed()) this.trade(index, price, size, time, id);
    }
  }

  /** Adds a trade of the market; they come in order. Those of spot instruments are in no history. */
  trade(instrument: number, price: number, lots: number, time: number, id: number): void {
    if (this.#deps.instruments[instrument]!.product !== 'futures') return;
    const newest = this.#minutes[instrument]!.at(-1);
    if (newest !== undefined && this.#isOpen[instrument] === true) {
      if (time < newest.time + this.#minuteMs) {
        if (price > newest.high) newest.high = price;
        if (price < newest.low) newest.low = price;
        newest.close = price;
        newest.lots += lots;
        newest.lastId = id;
        return;
      }
      this.#save(instrument, newest);
    }
    this.#isOpen[instrument] = true;
    this.#keep(instrument, {
      time: this.#minuteOf(time),
      open: price,
      high: price,
      low: price,
      close: price,
      lots,
      firstId: id,
      lastId: id,
    });
  }

  /** The newest minutes of an instrument, oldest first: begin, then open, high, low and close in ticks. Those of a drawn past once they are drawn. */
  bars(instrument: number, most: number): readonly (readonly [time: number, open: number, high: number, low: number, close: number])[] {
    const rows = this.#minutes[instrument]!.slice(-most);
    const missing = most - rows.length;
    if (missing > 0 && this.#hasDrawn(instrument) && this.#drawn.prepare(instrument) === null) {
      const drawn = this.#drawn.of(instrument);
      const from = this.#minuteOf((this.#past ?? NONE).start) - drawn.lots.length * this.#minuteMs;
      const first = Math.max(0, drawn.lots.length - missing);
      const older = Array.from({ length: drawn.lots.length - first }, (_, k) =>
        drawnMinute(drawn, first + k, from + (first + k) * this.#minuteMs),
      );
      rows.unshift(...older);
    }
    return rows.map(({ time, open, high, low, close }) => [time, open, high, low, close]);
  }

  /** Trades that `sim` keeps, then those of older minutes. */
  over(sim: VenueSim): TradesSource {
    return (instrument, request) => {
      const kept = sim.trades(instrument, request);
      const oldest = sim.oldestTrade(instrument);
      // The minute in which the simulator's trades begin is not whole there: its trades come from the minute.
      const wholeFrom = oldest?.hasDropped === true ? this.#minuteOf(oldest.time) + this.#minuteMs : -Infinity;
      const exact = wholeFrom === -Infinity ? kept : kept.filter(({ time }) => time >= wholeFrom);
      if (exact.length >= request.limit) return exact;
      const isOlder = ({ time, lastId }: Minute): boolean =>
        oldest?.hasDropped === true ? time < wholeFrom : lastId < (oldest?.id ?? Infinity);
      return [...exact, ...this.#older(instrument, { ...request, limit: request.limit - exact.length }, isOlder)];
    };
  }

  close(): void {
    this.#file?.close();
  }

  /** Resolves once the past of this instrument is drawn; null if nothing is left to draw. */
  prepare(instrument: number): Promise<void> | null {
    return this.#hasDrawn(instrument) ? this.#drawn.prepare(instrument) : null;
  }

  get #minuteMs(): number {
    return (this.#past ?? NONE).minuteMs;
  }

  /** Begin of the minute of `time`. */
  #minuteOf(time: number): number {
    return time - (time % this.#minuteMs);
  }

  #hasDrawn(instrument: number): boolean {
    return (this.#past ?? NONE).minutes > 0 && this.#hasDropped[instrument] === false;
  }

  #older(
    instrument: number,
    { limit, before = Infinity, start = -Infinity, end = Infinity }: TradesRequest,
    isOlder: (minute: Minute) => boolean,
  ): SimTrade[] {
    const drawn = this.#hasDrawn(instrument) ? this.#drawn.of(instrument) : null;
    const minuteMs = this.#minuteMs;
    const drawnFrom = this.#minuteOf((this.#past ?? NONE).start) - (drawn?.lots.length ?? 0) * minuteMs;
    const kept = this.#minutes[instrument]!;
    const count = drawn?.lots.length ?? 0;
    const minuteAt = (k: number): Minute =>
      drawn !== null && k < count ? drawnMinute(drawn, k, drawnFrom + k * minuteMs) : kept[k - count]!;
    const found: SimTrade[] = [];
    for (let k = firstIndex(0, count + kept.length, (n) => minuteAt(n).firstId >= before) - 1; k >= 0 && found.length < limit; k--) {
      const minute = minuteAt(k);
      if (minute.time + minuteMs <= start) break;
      if (minute.time > end || !isOlder(minute)) continue;
      const trades = tradesOf(minute, minuteMs, k > 0 ? minuteAt(k - 1).close : minute.open);
      found.push(...trades.filter(({ id, time }) => id < before && time >= start && time <= end).toReversed());
    }
    return found.slice(0, limit);
  }

  #save(instrument: number, minute: Minute): void {
    const { time, open, high, low, close, lots, firstId, lastId } = minute;
    this.#file?.append(JSON.stringify([this.#deps.instruments[instrument]!.symbol, time, open, high, low, close, lots, firstId, lastId]));
    this.#file?.flush();
  }

  #keep(instrument: number, minute: Minute): void {
    const minutes = this.#minutes[instrument]!;
    minutes.push(minute);
    if (minutes.length <= 2 * this.#most) return;
    minutes.splice(0, minutes.length - this.#most);
    this.#hasDropped[instrument] = true;
  }
}

type MinuteFields = [number, number, number, number, number, number, number, number];

/** Number `k` of the drawn minutes, which begins at `time`. Their ids are the first of the market. */
function drawnMinute({ open, high, low, close, lots }: DrawnBars, k: number, time: number): Minute {
  return {
    time,
    open: close[k - 1] ?? open,
    high: high[k]!,
    low: low[k]!,
    close: close[k]!,
    lots: Math.max(TRADES_A_MINUTE, lots[k]!),
    firstId: k * TRADES_A_MINUTE + 1,
    lastId: (k + 1) * TRADES_A_MINUTE,
  };
}

/** The trades of a minute, oldest first. Of a rising minute the lowest price comes before the highest. */
function tradesOf({ time, open, high, low, close, lots, firstId, lastId }: Minute, minuteMs: number, before: number): SimTrade[] {
  const count = Math.min(TRADES_A_MINUTE, lastId - firstId + 1, Math.max(1, lots));
  const extreme = high > Math.max(open, close) ? high : low;
  const prices = [[close], [open, close], [open, extreme, close], close >= open ? [open, low, high, close] : [open, high, low, close]][
    count - 1
  ]!;
  const share = Math.floor(lots / count);
  let last = before;
  return prices.map((price, k) => {
    const aggressor = price >= last ? BUY : SELL;
    last = price;
    const isLast = k === count - 1;
    return {
      id: isLast ? lastId : firstId + k,
      price: price as Ticks,
      size: Math.max(1, isLast ? lots - share * k : share) as Lots,
      aggressor,
      time: (time + Math.floor((k * (minuteMs - 1)) / TRADES_A_MINUTE)) as Millis,
    };
  });
}
