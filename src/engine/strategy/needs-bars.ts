/** Which bars a strategy needs: from `needs` or `barMs` of its handlers. */
import { parseTimeframe, timeframeOf, type Timeframe } from '../../domain/timeframe.ts';
import type { StrategyHandlers } from './types.ts';

const DEFAULT_BAR_MS = 60_000;
const MOST_BARS = 1_000_000;

export interface BarNeed {
  readonly timeframe: Timeframe;
  /** Complete bars that must exist before the strategy starts. */
  readonly count: number;
}

export interface BarNeeds {
  readonly bars: readonly BarNeed[];
  /** True if a period without a trade gets a flat bar. */
  readonly isFilling: boolean;
}

/** @throws RangeError if a timeframe or a count is invalid */
export function barNeedsOf(handlers: StrategyHandlers): BarNeeds {
  const { barMs, needs } = handlers;
  const isSliced = handlers.onBars !== undefined;
  if (needs?.bars !== undefined) {
    if (barMs !== undefined) throw new RangeError('barMs and needs.bars are both given: name all timeframes in needs.bars');
    const bars = Object.entries(needs.bars).map(([text, count]): BarNeed => ({
      timeframe: parseTimeframe(text),
      count: counted(text, count),
    }));
    const [twice] = bars.filter(({ timeframe }, i) => bars.findIndex((other) => other.timeframe.name === timeframe.name) < i);
    if (twice !== undefined) throw new RangeError(`needs.bars names ${twice.timeframe.name} twice`);
    const isFilling = needs.emptyBars !== 'skip';
    if (isSliced && (!isFilling || bars.some(({ timeframe }) => timeframe.rule !== 'time'))) {
      throw new RangeError('onBars needs time bars of every period: leave emptyBars at "fill" and name timeframes such as "1m"');
    }
    return { bars, isFilling };
  }
  if (isSliced) throw new RangeError("onBars needs its timeframes, for example needs: { bars: { '1m': 0 } }");
  if (handlers.onBar === undefined) return { bars: [], isFilling: false };
  const periods = typeof barMs === 'object' ? [...new Set(barMs)] : [barMs ?? DEFAULT_BAR_MS];
  return { bars: periods.map((ms) => ({ timeframe: parseTimeframe(timeframeOf(ms)), count: 0 })), isFilling: false };
}

function counted(timeframe: string, count: unknown): number {
  if (Number.isSafeInteger(count) && (count as number) >= 0 && (count as number) <= MOST_BARS) return count as number;
  throw new RangeError(`needs.bars of ${timeframe} is the number of bars to start with, from 0 to ${MOST_BARS}, found ${String(count)}`);
}
