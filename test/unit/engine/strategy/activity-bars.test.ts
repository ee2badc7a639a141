/** Bars that end by what was traded, without an engine. */
import { expect, test } from 'vitest';
import { parseTimeframe } from '../../../../src/domain/time/timeframe.ts';
import { ActivityBars } from '../../../../src/engine/market/activity-bars.ts';
import { btc } from '../../../support/engine/engine-kit.ts';

test('a gap belongs to the bar in which it came, and to no later one', () => {
  const gaps: boolean[] = [];
  const bars = new ActivityBars(btc(), parseTimeframe('tick:2'), { bar: ({ done }) => gaps.push(done.hasGap) });
  bars.trade(10_000, 1, 1);
  bars.gap();
  bars.trade(10_001, 1, 2);
  bars.trade(10_002, 1, 3);
  bars.trade(10_003, 1, 4);
  expect(gaps).toEqual([true, false]);
});

test('a bar knows nothing of the one before, higher or lower', () => {
  const seen: number[][] = [];
  const bars = new ActivityBars(btc(), parseTimeframe('tick:2'), {
    bar: ({ done: { open, high, low, close } }) => seen.push([open, high, low, close]),
  });
  for (const [k, price] of [10_100, 10_110, 10_000, 9_990, 10_200, 10_210].entries()) bars.trade(price, 1, k);
  expect(seen).toEqual([
    [1010, 1011, 1010, 1011],
    [1000, 1000, 999, 999],
    [1020, 1021, 1020, 1021],
  ]);
});
