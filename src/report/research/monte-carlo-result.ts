/** The result of `monte-carlo` as one JSON object. Amounts in the quote coin. */
import type { Fan, Spread } from '../../statistics/monte-carlo.ts';

export interface DelayRow {
  readonly delayMs: number;
  readonly net: number;
  readonly trades: number;
}

export interface MissedRow {
  readonly share: number;
  readonly net: Spread;
}

export interface MonteCarloResult {
  readonly kind: 'monte-carlo';
  /** Names of the strategies. */
  readonly strategy: string;
  readonly start: number;
  readonly net: number;
  readonly trades: number;
  readonly maxDrawdown: number;
  /** Null with fewer than two trades, or two returns. */
  readonly shuffled: Fan | null;
  readonly redrawn: Fan | null;
  readonly blocks: Fan | null;
  readonly periodMs: number;
  readonly delays: readonly DelayRow[];
  readonly missed: readonly MissedRow[];
  /** Runs on markets that were drawn to be like the tape; null if none were asked for. */
  readonly markets: RedrawnMarkets | null;
}

export interface RedrawnMarkets {
  /** Null if the tape cannot be drawn again. */
  readonly fan: Fan | null;
  /** How the markets were drawn, or why there are none. */
  readonly words: string;
}
