/** Market feeds of the paper exchange: rows of a tape or a synthetic market, shifted in time so that they happen now. */
import type { Instrument } from '../../domain/instrument.ts';
import { TapeMerge } from '../../tape/merge.ts';
import { openTape } from '../../tape/read.ts';
import { SynthMarket } from '../../tape/synth/synth.ts';
import { feedOf } from '../setup/instruments/instruments.ts';
import { synthSymbols } from './synthetic.ts';
import type { Feed } from '../setup/instruments/mirror-row.ts';

/** Receives the rows. Times are milliseconds since 1970. */
export interface MarketSink {
  quote(instrument: number, bid: number, bidSize: number, ask: number, askSize: number, time: number): void;
  trade(instrument: number, price: number, size: number, aggressor: number, time: number, id: number): void;
}

/** Position in a tape. */
export interface MarketPlace {
  /** Recorded time of the next row in milliseconds since 1970; null if there is none. */
  readonly time: number | null;
  /** Share of the tape that has been played, 0 to 1. */
  readonly share: number;
  /** Number of restarts of a looped tape. */
  readonly rounds: number;
  /** True at the end of the tape. */
  readonly isOver: boolean;
}

export interface MarketFeed {
  /** Time of the next row; Infinity if there is none. */
  readonly nextTime: number;
  /** Passes on the rows due by `now`, at most ROWS_A_TURN. */
  feed(now: number, sink: MarketSink): void;
  /** Delays the next row and all later rows by `ms`, to slow down a market that is too fast. */
  slip(ms: number): void;
  /** Position in the tape; null without a tape. */
  place(): MarketPlace | null;
}

/** Most rows per turn, which take some milliseconds. Then requests are answered. */
export const ROWS_A_TURN = 10_000;

/** An exchange serves rows to every instrument. */
const everyOne = (): boolean => true;

export interface SynthFeedOptions {
  readonly instruments: readonly Instrument[];
  readonly seed: number;
  readonly start: number;
  /** Speed as a multiple of real time. */
  readonly speed: number;
  /** Price in ticks at which an instrument continues; absent: the usual first price. */
  readonly lastPrices: ReadonlyMap<number, number>;
  readonly firstId: number;
  /** True: some hours of the day are busier. Default false. */
  readonly season?: boolean | undefined;
}

/** The synthetic market of all futures. Spot instruments of the same symbol get the same rows. */
export function synthFeed(options: SynthFeedOptions): MarketFeed {
  const futures = options.instruments.filter((i) => i.product === 'futures');
  const feeds = futures.map((i) => feedOf(i.symbol, options.instruments, everyOne));
  const market = new SynthMarket({
    seed: options.seed,
    start: options.start,
    firstId: options.firstId,
    season: options.season,
    symbols: synthSymbols(futures).map((s, k) => ({ ...s, price: options.lastPrices.get(futures[k]!.index) ?? s.price })),
  });
  let late = 0;
  const happensAt = (time: number): number => options.start + late + Math.floor((time - options.start) / options.speed);
  return {
    get nextTime() {
      return happensAt(market.nextTime);
    },
    feed(now, sink) {
      for (let rows = 0, time = happensAt(market.nextTime); time <= now && rows < ROWS_A_TURN; time = happensAt(market.nextTime), rows++) {
        market.next();
        const feed = feeds[market.symbol]!;
        if (market.isTrade) sendTrade(sink, feed, [market.price, market.size, market.side, time, market.id]);
        else sendQuote(sink, feed, [market.bid, market.bidSize, market.ask, market.askSize, time]);
      }
    },
    slip(ms) {
      late += ms;
    },
    place: () => null,
  };
}

export interface TapeFeedOptions {
  readonly folder: string;
  readonly instruments: readonly Instrument[];
  /** Times real time. */
  readonly speed: number;
  readonly loop: boolean;
  /** Time of the first row. */
  readonly start: number;
  /** Number of rows to skip because they were passed on before; rows of mirrors count. */
  readonly skip: number;
}

/** The rows of a tape from `start` on, at `speed`, repeated with `loop`. Trade ids keep growing over a loop. */
export function tapeFeed(options: TapeFeedOptions): MarketFeed {
  const tape = openTape(options.folder, {
    speed: options.speed,
    gridOf: (symbol) => options.instruments.find((i) => i.symbol === symbol),
  });
  const streams = tape.open();
  const feeds = streams.map((stream) => feedOf(stream.symbol, options.instruments, everyOne));
  const merge = new TapeMerge(streams);
  const span = Math.floor((tape.manifest.to - tape.manifest.from) / options.speed);
  let offset = options.start - tape.manifest.from;
  let idOffset = 0;
  let idsFrom = Infinity;
  let idsTo = 0;
  let rounds = 0;
  let row = 0;
  let hasRun = merge.next();
  const nextTime = (): number => (hasRun ? merge.stream.time[row]! + offset : Infinity);
  row = merge.from;
  /** Moves to the next row. */
  const step = (): void => {
    if (++row < merge.to) return;
    hasRun = merge.next();
    if (!hasRun && options.loop) {
      merge.rewind();
      hasRun = merge.next();
      rounds++;
      offset += span + 1;
      idOffset += idsTo - idsFrom + 1;
    }
    row = merge.from;
  };
  const note = (id: number): void => {
    idsFrom = Math.min(idsFrom, id);
    idsTo = Math.max(idsTo, id);
  };
  let left = options.skip;
  while (left > 0 && nextTime() < Infinity) {
    left -= 1 + feeds[merge.stream.index]!.mirrors.length;
    if (merge.stream.kind === 'trades') note(merge.stream.id[row]!);
    step();
  }
  if (hasRun) offset += options.start - nextTime();
  return {
    get nextTime() {
      return nextTime();
    },
    feed(now, sink) {
      for (let rows = 0, time = nextTime(); time <= now && rows < ROWS_A_TURN; time = nextTime(), rows++) {
        const s = merge.stream;
        const feed = feeds[s.index]!;
        if (s.kind === 'trades') {
          const id = s.id[row]!;
          note(id);
          sendTrade(sink, feed, [s.price[row]!, s.size[row]!, s.side[row]!, time, id + idOffset]);
        } else {
          sendQuote(sink, feed, [s.bid[row]!, s.bidSize[row]!, s.ask[row]!, s.askSize[row]!, time]);
        }
        step();
      }
    },
    slip(ms) {
      offset += ms;
    },
    place() {
      const { from, to } = tape.manifest;
      if (!hasRun) return { time: null, share: 1, rounds, isOver: true };
      const passed = (merge.stream.time[row]! - from) * options.speed;
      return { time: Math.round(from + passed), share: to > from ? Math.min(1, passed / (to - from)) : 1, rounds, isOver: false };
    },
  };
}

/** Passes a row to its instrument and to those that mirror it. */
export function sendQuote(
  sink: MarketSink,
  feed: Feed,
  [bid, bidSize, ask, askSize, time]: [number, number, number, number, number],
): void {
  sink.quote(feed.instrument, bid, bidSize, ask, askSize, time);
  for (const { instrument, priceRatio, sizeRatio } of feed.mirrors) {
    sink.quote(instrument, bid * priceRatio, bidSize * sizeRatio, ask * priceRatio, askSize * sizeRatio, time);
  }
}

export function sendTrade(sink: MarketSink, feed: Feed, [price, size, side, time, id]: [number, number, number, number, number]): void {
  sink.trade(feed.instrument, price, size, side, time, id);
  for (const { instrument, priceRatio, sizeRatio } of feed.mirrors) {
    sink.trade(instrument, price * priceRatio, size * sizeRatio, side, time, id);
  }
}
