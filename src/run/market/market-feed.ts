/** A market for the paper exchange: rows of a tape or of the synthetic market, re-timed so that they happen now. */
import type { Instrument } from '../../domain/instrument.ts';
import { TapeMerge } from '../../tape/merge.ts';
import { openTape } from '../../tape/read.ts';
import { SynthMarket } from '../../tape/synth/synth.ts';
import { feedOf } from '../setup/instruments.ts';
import { synthSymbols } from './synthetic.ts';
import type { Feed } from '../setup/mirror-row.ts';

/** Takes the rows; times are milliseconds since the epoch. */
export interface MarketSink {
  quote(instrument: number, bid: number, bidSize: number, ask: number, askSize: number, time: number): void;
  trade(instrument: number, price: number, size: number, aggressor: number, time: number, id: number): void;
}

/** Where a tape stands. */
export interface MarketPlace {
  /** When the next row was recorded, milliseconds since the epoch; null when there is none. */
  readonly time: number | null;
  /** Share of the tape's span that has passed, 0 to 1. */
  readonly share: number;
  /** How often the tape was started over. */
  readonly rounds: number;
  /** The market stands still. */
  readonly isOver: boolean;
}

export interface MarketFeed {
  /** Time of the next row, Infinity when there is none any more. */
  readonly nextTime: number;
  /** Hands over the rows due by `now`, at most ROWS_A_TURN of them. */
  feed(now: number, sink: MarketSink): void;
  /** Lets the next row, and all after it, happen this much later: a market that comes too fast is slowed down. */
  slip(ms: number): void;
  /** Where its tape stands; null where there is no tape. */
  place(): MarketPlace | null;
}

/** Rows of one turn: so many take some milliseconds, after which requests have theirs. */
export const ROWS_A_TURN = 10_000;

/** An exchange serves every instrument it lists. */
const everyOne = (): boolean => true;

export interface SynthFeedOptions {
  readonly instruments: readonly Instrument[];
  readonly seed: number;
  readonly start: number;
  /** Times real time. */
  readonly speed: number;
  /** By instrument: where its price goes on, in ticks; absent begins at the usual price. */
  readonly lastPrices: ReadonlyMap<number, number>;
  readonly firstId: number;
  /** Busier and quieter hours of the day. Default false. */
  readonly season?: boolean | undefined;
}

/** The synthetic market of all futures, mirrored to spot instruments of the same symbol. */
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
  /** When the next row happens. */
  readonly start: number;
  /** Rows that were handed over before, mirrors counted: the tape goes on after them. */
  readonly skip: number;
}

/** The rows of a tape from `start` on, at `speed`, again and again under `loop`. Ids of trades go on growing over a loop. */
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

/** Hands a row over to its instrument and to those that mirror it. */
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
