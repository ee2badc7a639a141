/** Bars that end by what was traded, without an engine. */
import { expect, test } from 'vitest';
import { parseTimeframe } from '../../src/domain/timeframe.ts';
import { ActivityBars } from '../../src/engine/market/activity-bars.ts';
import { btc } from '../support/engine-kit.ts';

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
