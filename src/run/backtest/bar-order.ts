/**
 * Which extreme of a bar comes first in a backtest on bars. Nobody knows; the one that is worse for us is taken:
 * - a net long leg: the low, so that its stop counts before its target; a net short one: the high;
 * - but the other one, if only then a trailing stop closes a managed trade that the end of the bar would have rewarded;
 * - flat, with resting orders that would open: the far side first, so that an entry is filled on the last way and finds no profit in its bar;
 * - else the extreme nearer to the open, as a bar that rises mostly begins with its low.
 */
import { LONG, SHORT } from '../../domain/codes.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { TradesOnBars } from '../../engine/trades/on-bars.ts';
import type { VenueSim } from '../../sim/core/venue-core.ts';
import { money } from '../../report/text-parts.ts';
import { DEFAULT_SPREAD, type BarMarketOptions, type SpreadModel } from '../../tape/bar-path.ts';
import type { Manifest } from '../../tape/manifest.ts';
import { isBarMarket } from '../../tape/read.ts';
import type { BacktestOptions } from '../setup/options.ts';

export class BarOrder implements BarMarketOptions {
  readonly spread: SpreadModel;
  /** The other order of every bar: the other end of what may have happened. */
  readonly #isOpposite: boolean;
  #sim: VenueSim | null = null;
  #indexOf = new Map<string, number>();
  #trades: TradesOnBars | null = null;

  constructor(spread: SpreadModel = DEFAULT_SPREAD, isOpposite = false) {
    this.spread = spread;
    this.#isOpposite = isOpposite;
  }

  /** From now on the account of this venue decides. */
  follow(sim: VenueSim, instruments: readonly Instrument[]): void {
    this.#sim = sim;
    this.#indexOf = new Map(instruments.filter(({ product }) => product === 'futures').map(({ symbol, index }) => [symbol, index]));
  }

  /** From now on the trades of this bot count too. */
  followTrades(trades: TradesOnBars): void {
    this.#trades = trades;
  }

  lowFirst(symbol: string, open: number, close: number, high: number, low: number): boolean {
    return this.#worseIsLow(symbol, open, close, high, low) !== this.#isOpposite;
  }

  #worseIsLow(symbol: string, open: number, close: number, high: number, low: number): boolean {
    const index = this.#indexOf.get(symbol);
    if (this.#sim === null || index === undefined) return close >= open;
    const net = this.#sim.netLots(0, index);
    if (net !== 0) return net > 0 !== this.#isShakenOut(index, net > 0, high, low, close);
    const resting = this.#sim.openingLots(0, index);
    return resting === 0 ? close >= open : resting < 0;
  }

  #isShakenOut(index: number, isLong: boolean, high: number, low: number, close: number): boolean {
    if (this.#trades === null) return false;
    return isLong ? this.#trades.isShakenOut(index, LONG, high, low, close) : this.#trades.isShakenOut(index, SHORT, low, high, close);
  }
}

/** Whether a symbol of the tape has bars and nothing finer to trade on. */
export function hasBarMarket({ streams, symbols }: Pick<Manifest, 'streams' | 'symbols'>): boolean {
  return symbols.some(({ symbol }) => isBarMarket(streams, symbol));
}

/** On bars a limit order fills only when it is traded through, and a quote is as fresh as the bars are long. */
export function onBars(options: BacktestOptions, { streams }: Manifest): BacktestOptions {
  const { config } = options;
  const barMs = Math.max(...streams.map((stream) => stream.barMs ?? 0));
  const { staleAfterMs: stated } = config.risk;
  const staleAfterMs = stated === 'off' ? stated : Math.max(stated, 2 * barMs);
  return {
    ...options,
    config: { ...config, simulation: { ...config.simulation, fillModel: 'through' }, risk: { ...config.risk, staleAfterMs } },
  };
}

/** What the report says of bars; `other` is the net profit with the opposite order, in words, or null if that was not run. */
export function barNotes(manifest: Manifest, { kind, value }: SpreadModel, other: string | null): string[] {
  const lengths = [...new Set(manifest.streams.flatMap(({ barMs }) => (barMs === undefined ? [] : [`${barMs / 1000} s`])))];
  const opposite = other === null ? '' : `; with the opposite order the net profit is ${money(other)}`;
  const wide = { fixed: `${value}`, percent: `${value} % of the price`, atr: `${value} times the average range of 14 bars` }[kind];
  return [
    `the market is bars of ${lengths.join(' and ')}: prices between are a path from the open to the extreme that is worse for the position, to the other, to the close${opposite}.`,
    `on bars the spread is ${wide}, the volume of a bar is shared along its path, a limit order fills only when it is traded through, and data counts as stale after two bars.`,
    'how far prices went for and against a trade (MFE, MAE) is that of these paths.',
  ];
}
