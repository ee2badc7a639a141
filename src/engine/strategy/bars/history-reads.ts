/**
 * Reads past trades (E8) at the start, page by page backwards, and builds the bars that strategies wait for. Bars of recordings are used
 * where there are some: then pages are read only back to the bar in which these end. One page at a time is asked
 * for, so that polls are hardly delayed. The first page of the trade feed is the newest part: what follows it arrives as live trades, so
 * the bars have no hole.
 */
import type { TradeReport } from '../../../domain/report.ts';
import type { Answer, Query } from '../../../ports/venue.ts';
import type { Timer } from '../../../base/time/timer-queue.ts';
import type { PendingQueries, QueryOwner } from '../../polling/queries.ts';
import { compareTradeIds, inOrder } from '../../polling/trade-ids.ts';
import type { Core } from '../../state/core.ts';
import { periodStart } from '../../../domain/time/timeframe.ts';
import type { BarRow } from '../../market/series.ts';
import { barsWanted, type BarsWanted } from './bar-feed.ts';
import { PastBars } from './past-bars.ts';

const PAGE = 1_000;
/** Milliseconds until a failed page is asked for again, and how often in a row. */
const AGAIN_MS = 1_000;
const MOST_FAILURES = 10;

type ReadsCore = Pick<Core, 'instruments' | 'log' | 'now' | 'timerQueue'>;
type Asking = Pick<PendingQueries, 'ask'>;

/** Who waits for bars of history, and takes them. */
interface HistoryTarget {
  readonly feeds: readonly (BarsWanted & { readonly hasHistory: boolean })[];
  history(instrument: number, timeframe: string, rows: readonly BarRow[], until: number): void;
}

export class HistoryReads {
  readonly #core: ReadsCore;
  readonly #queries: Asking;
  readonly #dispatch: HistoryTarget;
  readonly #maxPages: number;
  /** What is being read now. */
  readonly reading: { readonly instrument: number; readonly share: number }[] = [];
  /** By instrument and timeframe. */
  readonly #recorded = new Map<string, RecordedBars>();

  /** `maxPages`: pages per instrument, 0 for no history. */
  constructor(core: ReadsCore, queries: Asking, dispatch: HistoryTarget, maxPages: number) {
    this.#core = core;
    this.#queries = queries;
    this.#dispatch = dispatch;
    this.#maxPages = maxPages;
  }

  /** Bars of recordings, before the start. */
  recorded(instrument: number, timeframe: string, rows: readonly BarRow[], until: number): void {
    this.#recorded.set(`${instrument} ${timeframe}`, { rows, until });
  }

  /** The newest trades of an instrument, oldest first. Trades after them are delivered live. */
  begin(instrument: number, newest: readonly TradeReport[]): void {
    const last = newest.at(-1);
    const feeds = this.#dispatch.feeds.filter((feed) => feed.instrument.index === instrument && !feed.hasHistory);
    const wanted = barsWanted(feeds);
    if (last === undefined || wanted.length === 0 || this.#maxPages === 0) return;
    const until = last.venueTime + 1;
    const past = wanted.map((one) => {
      const bars = new PastBars(one, until);
      return { bars, known: this.#knownFor(one, bars.since, until) };
    });
    const done = (trades: Iterable<TradeReport>, pages: number, isCut: boolean): void => {
      this.reading.splice(this.reading.indexOf(reading), 1);
      for (const { price, size, venueTime } of trades) for (const { bars } of past) bars.trade(price, size, venueTime);
      const { symbol } = this.#core.instruments[instrument]!;
      const bars = past.map(({ bars: made, known }) => {
        const one = made.wanted;
        const read = made.rows();
        // Without the trades between there would be a hole.
        const rows = known === null || isCut ? read : joined(known, read, one);
        if (rows.length > 0) this.#dispatch.history(instrument, one.timeframe.name, rows, until);
        const recorded = rows === read ? '' : `, ${rows.filter(([start]) => start < known!.joinAt).length} of them recorded`;
        return `${Math.min(rows.length, one.count)} of ${one.count} ${one.timeframe.name}${recorded}`;
      });
      this.#core.log.info('history-read', { symbol, pages, bars });
      if (isCut) this.#core.log.warn('history-cut', { symbol, pages, bars });
    };
    const reading: Reading = new Reading(this.#core, this.#queries, {
      instrument,
      newest,
      since: Math.min(...past.map(({ bars, known }) => known?.joinAt ?? bars.since)),
      maxPages: this.#maxPages,
      done,
    });
    this.reading.push(reading);
    reading.next();
  }

  /** Recorded bars that spare pages: those of time that end later than the wanted bars begin. */
  #knownFor({ instrument, timeframe, isFilling }: BarsWanted, since: number, until: number): KnownBars | null {
    const found = this.#recorded.get(`${instrument.index} ${timeframe.name}`);
    if (found === undefined || timeframe.rule !== 'time') return null;
    const joinAt = periodStart(Math.min(found.until, until), timeframe.size);
    return joinAt > since || !isFilling ? { rows: found.rows, joinAt } : null;
  }
}

/** Bars that hold every trade before `until`, oldest first; the last one may not be over. */
interface RecordedBars {
  readonly rows: readonly BarRow[];
  readonly until: number;
}

/** Recorded bars, and the bar from which the venue's trades are wanted. */
interface KnownBars {
  readonly rows: readonly BarRow[];
  readonly joinAt: number;
}

/** Recorded bars before `joinAt`, then those of the venue's trades. Times between without a trade are flat, where the bars have no holes. */
function joined({ rows, joinAt }: KnownBars, read: readonly BarRow[], { timeframe, isFilling, count }: BarsWanted): readonly BarRow[] {
  const all = rows.filter(([start]) => start < joinAt);
  const after = read.filter(([start]) => start >= joinAt);
  const last = all.at(-1);
  const first = after[0]?.[0];
  if (isFilling && last !== undefined && first !== undefined) {
    for (let start = last[0] + timeframe.size; start < first; start += timeframe.size)
      all.push([start, last[4], last[4], last[4], last[4], 0]);
  }
  return [...all, ...after].slice(-count - 1);
}

interface ReadingOptions {
  readonly instrument: number;
  readonly newest: readonly TradeReport[];
  /** Trades from here on are wanted. */
  readonly since: number;
  readonly maxPages: number;
  /** Takes all trades, oldest first. `isCut`: older ones are wanted and exist, or may. */
  readonly done: (trades: Iterable<TradeReport>, pages: number, isCut: boolean) => void;
}

/** The pages of one instrument. */
class Reading implements QueryOwner, Timer {
  readonly #core: ReadsCore;
  readonly #queries: Asking;
  readonly #options: ReadingOptions;
  readonly #timer: number;
  /** Newest page first; each page oldest first. */
  readonly #pages: (readonly TradeReport[])[];
  #failures = 0;

  constructor(core: ReadsCore, queries: Asking, options: ReadingOptions) {
    this.#core = core;
    this.#queries = queries;
    this.#options = options;
    this.#pages = [options.newest];
    this.#timer = core.timerQueue.add(this);
  }

  answered(_query: Query, answer: Answer): void {
    if (answer.kind !== 'trades') return;
    this.#failures = 0;
    const { tradeId } = this.#oldest;
    const older = inOrder(answer.trades.filter((trade) => compareTradeIds(trade.tradeId, tradeId) < 0));
    if (older.length === 0) return this.#end(false);
    this.#pages.push(older);
    this.next();
  }

  failed(): void {
    if (++this.#failures > MOST_FAILURES) return this.#end(true);
    this.#core.timerQueue.set(this.#timer, this.#core.now + AGAIN_MS);
  }

  due(): void {
    this.next();
  }

  get instrument(): number {
    return this.#options.instrument;
  }

  /** Share of the wanted time that was read: 0 to 1. */
  get share(): number {
    const { newest, since } = this.#options;
    const last = newest.at(-1)!.venueTime;
    return Math.min(1, (last - this.#oldest.venueTime) / Math.max(1, last - since));
  }

  get #oldest(): TradeReport {
    return this.#pages.at(-1)![0]!;
  }

  /** Asks for the next page, or ends. */
  next(): void {
    const { instrument, tradeId, venueTime } = this.#oldest;
    if (venueTime <= this.#options.since) return this.#end(false);
    if (this.#pages.length > this.#options.maxPages) return this.#end(true);
    this.#queries.ask({ kind: 'trades', instrument, before: tradeId, limit: PAGE }, this);
  }

  #end(isCut: boolean): void {
    this.#options.done(this.#pages.toReversed().flat(), this.#pages.length, isCut);
  }
}
