/**
 * Starts each strategy once enough bars exist. Before that none of its handlers is called, so it cannot trade on too little history.
 */
import type { Core } from '../../state/core.ts';
import type { BarFeed } from './bar-feed.ts';
import type { Host } from '../host/host.ts';

/** The shared state that this file uses. */
export interface WarmUpCore extends Core {
  /** Counts commands and timers started by strategies. */
  acts: number;
}

/** Bars of `feed` that a strategy waits for. */
export interface Wanted {
  readonly feed: BarFeed;
  readonly count: number;
}

export class WarmUp {
  readonly #core: WarmUpCore;
  /** Strategies that have not enough bars: what they want, and what attaches them to market data. */
  readonly #waiting = new Map<Host, { readonly wanted: readonly Wanted[]; readonly attach: () => void }>();
  /** Starts a strategy; null until the bot may trade. */
  #start: ((host: Host) => void) | null = null;

  constructor(core: WarmUpCore) {
    this.#core = core;
  }

  /** Before the start: `host` waits for these bars. `attach` is called at once if there is nothing to wait for, otherwise then. */
  want(host: Host, wanted: readonly Wanted[], attach: () => void): void {
    if (wanted.every(isThere)) return attach();
    host.isWarming = true;
    this.#waiting.set(host, { wanted, attach });
  }

  /** The bot may trade: `start` is called for strategies with enough bars now, for the others when they have them. */
  begin(hosts: readonly Host[], start: (host: Host) => void): void {
    this.#start = start;
    for (const host of hosts) {
      if (this.#waiting.has(host)) this.#startIfWarm(host, start);
      else start(host);
      if (host.isWarming) this.#core.log.info('warming-up', { strategy: host.name, bars: this.textOf(host) });
    }
  }

  /** More bars exist. */
  check(): void {
    if (this.#start === null || this.#waiting.size === 0) return;
    for (const host of this.#waiting.keys()) this.#startIfWarm(host, this.#start);
  }

  /** "14 of 60 1h bars of BTCUSDT": what the strategy lacks most; "" if it is warm. */
  textOf(host: Host): string {
    const missing = (this.#waiting.get(host)?.wanted ?? []).filter((one) => !isThere(one));
    const [most] = missing.toSorted((a, b) => a.feed.series.length / a.count - b.feed.series.length / b.count);
    if (most === undefined) return '';
    const { feed, count } = most;
    return `${feed.series.length} of ${count} ${feed.timeframe.name} bars of ${feed.instrument.symbol}`;
  }

  #startIfWarm(host: Host, start: (host: Host) => void): void {
    const { wanted, attach } = this.#waiting.get(host)!;
    if (!wanted.every(isThere)) return;
    this.#waiting.delete(host);
    host.isWarming = false;
    attach();
    // A run through whole columns ends here, because one more strategy wants them from now on.
    this.#core.acts++;
    this.#core.log.info('warmed-up', { strategy: host.name });
    start(host);
  }
}

function isThere({ feed, count }: Wanted): boolean {
  return feed.series.length >= count;
}
