/**
 * Computes how much to trade: by value, by share of the equity, by risk, by the Kelly criterion, by a volatility target. Pure, in doubles.
 */

/** Win rate and payoff of a strategy. */
export interface Odds {
  /** Share of the trades that win, from 0 to 1. */
  readonly winRate: number;
  /** Average win divided by average loss. */
  readonly payoff: number;
}

/**
 * Share of the capital to lose in one losing trade by the Kelly criterion: p − (1 − p) / b for a win rate of p and a payoff of b (Kelly
 * 1956, "A New Interpretation of Information Rate"). 0 if no stake is worth it; NaN if `winRate` or `payoff` is invalid.
 */
export function kellyFraction({ winRate, payoff }: Odds): number {
  if (!(winRate >= 0 && winRate <= 1 && payoff > 0)) return Number.NaN;
  return Math.max(0, winRate - (1 - winRate) / payoff);
}

/**
 * Value of a position whose volatility is `target` percent of the equity, where that of the market is `realised` percent over the same
 * time: equity × target / realised. NaN if `realised` is not above 0.
 */
export function volatilityTarget(equity: number, target: number, realised: number): number {
  return realised > 0 && target >= 0 ? (equity * target) / realised : Number.NaN;
}

/** Size in base coin such that the way from `entry` to `stop` loses `percent` of the equity. NaN if the stop is not on the losing side. */
export function riskSize(equity: number, percent: number, entry: number, stop: number, side: 'LONG' | 'SHORT'): number {
  const away = (side === 'LONG' ? 1 : -1) * (entry - stop);
  return away > 0 && stop > 0 ? (equity * percent) / 100 / away : Number.NaN;
}
