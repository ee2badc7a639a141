/** Finds the bars that a strategy needs: from `needs` or `barMs` of its handlers. */
import { parseTimeframe, timeframeOf, type Timeframe } from '../../../domain/time/timeframe.ts';
import type { StrategyHandlers, StrategyNeeds } from './types.ts';

const DEFAULT_BAR_MS = 60_000;
const MOST_BARS = 1_000_000;
/** An exponential average of period n has e^−10 of its start left after 5 · n bars. */
const FORGETS = 5;

export interface BarNeed {
  readonly timeframe: Timeframe;
  /** Complete bars that must exist before the strategy starts. */
  readonly count: number;
  /** Bars of the past that are wanted, at least `count`: so many that the start value of an exponential average no longer matters. */
  readonly history: number;
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
  if (needs?.bars !== undefined || needs?.indicators !== undefined) {
    if (barMs !== undefined) throw new RangeError('barMs and needs are both given: name all timeframes in needs.bars');
    const bars = merged(needs);
    const isFilling = needs.emptyBars !== 'skip';
    if (isSliced && (!isFilling || bars.some(({ timeframe }) => timeframe.rule !== 'time'))) {
      throw new RangeError('onBars needs time bars of every period: leave emptyBars at "fill" and name timeframes such as "1m"');
    }
    return { bars, isFilling };
  }
  if (isSliced) throw new RangeError("onBars needs its timeframes, for example needs: { bars: { '1m': 0 } }");
  if (handlers.onBar === undefined) return { bars: [], isFilling: false };
  const periods = typeof barMs === 'object' ? [...new Set(barMs)] : [barMs ?? DEFAULT_BAR_MS];
  return { bars: periods.map((ms) => ({ timeframe: parseTimeframe(timeframeOf(ms)), count: 0, history: 0 })), isFilling: false };
}

/** The timeframes of `needs.bars`, and those of the indicators. */
function merged({ bars = {}, indicators = [] }: StrategyNeeds): BarNeed[] {
  const needs = new Map<string, BarNeed>();
  for (const [text, given] of Object.entries(bars)) {
    const timeframe = parseTimeframe(text);
    const count = counted(text, given);
    if (needs.has(timeframe.name)) throw new RangeError(`needs.bars names ${timeframe.name} twice`);
    needs.set(timeframe.name, { timeframe, count, history: count });
  }
  for (const { timeframe, lookback } of indicators) {
    const own = needs.get(timeframe.name);
    const count = Math.max(own?.count ?? 0, lookback + 1);
    needs.set(timeframe.name, { timeframe, count, history: Math.max(own?.history ?? 0, FORGETS * (lookback + 1)) });
  }
  return [...needs.values()];
}

function counted(timeframe: string, count: unknown): number {
  if (Number.isSafeInteger(count) && (count as number) >= 0 && (count as number) <= MOST_BARS) return count as number;
  throw new RangeError(`needs.bars of ${timeframe} is the number of bars to start with, from 0 to ${MOST_BARS}, found ${String(count)}`);
}
