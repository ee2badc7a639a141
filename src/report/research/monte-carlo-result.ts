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
  /** Runs on synthetic markets fitted to the tape; null if none were asked for, or the tape cannot be fitted. */
  readonly markets: RedrawnMarkets | null;
}

export interface RedrawnMarkets {
  readonly fan: Fan;
  /** What the markets have in common with the tape. */
  readonly words: string;
}
