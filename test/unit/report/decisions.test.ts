/** Slippage and time to fill, against what the bot saw when it decided; and excursions of spot holdings and mirrored grids. */
import { expect, test } from 'vitest';
import { BUY, OPEN, SELL } from '../../../src/domain/codes.ts';
import { Decisions, executionOf } from '../../../src/report/decisions.ts';
import { MarketWatch } from '../../../src/report/market/market-watch.ts';
import { numbersIn } from '../../support/backtest/fill-columns.ts';

const watch = (): MarketWatch => new MarketWatch(1, []);

test('slippage is positive when a fill is better than the mid of the decision', () => {
  const decisions = new Decisions();
  decisions.decided(1, 1_000, 100);
  decisions.filled(1, 1_250, 1, 101, 2, 1_000_000);
  decisions.filled(1, 1_900, 1, 98, 1, 1_000_000);
  decisions.decided(2, 2_000, 100);
  decisions.filled(2, 2_050, -1, 100.5, 4, 1_000_000);
  expect(executionOf(decisions, watch())).toMatchObject({
    // −1 · 2, +2 · 1 and +0.5 · 4 ticks and lots of 0.01 each.
    slippage: { fills: 3, share: expect.closeTo((-0.01 + 0.02 + 0.005) / 3, 12) as number, amount: '0.02000000' },
    timeToFill: { orders: 2, meanMs: 150, maxMs: 250 },
    markouts: [
      { afterMs: 1_000, fills: 0, share: null },
      { afterMs: 5_000, fills: 0, share: null },
      { afterMs: 30_000, fills: 0, share: null },
    ],
  });
});

test('an order whose mid was unknown has a time to fill but no slippage', () => {
  const decisions = new Decisions();
  decisions.decided(7, 0, 0);
  decisions.filled(7, 40, 1, 5, 1, 1);
  expect(executionOf(decisions, watch())).toMatchObject({ slippage: { fills: 0, share: null }, timeToFill: { orders: 1, meanMs: 40 } });
});

test('an order that is older than the last 16,384 is not counted, nor one that nobody decided on', () => {
  const decisions = new Decisions();
  for (let seq = 1; seq <= 16_385; seq++) decisions.decided(seq, 0, 100);
  for (const seq of [1, 2, 99_999]) decisions.filled(seq, 10, 1, 100, 1, 1);
  expect(decisions.fills).toBe(1);
});

test('a sell larger than a spot holding ends one trade and begins another, on the grid of its market', () => {
  // Instrument 1 is spot with ten ticks per tick of the market of instrument 0.
  const spot = new MarketWatch(2, [{ instrument: 0, mirrors: [{ instrument: 1, priceRatio: 10 }] }]);
  const rows = (...prices: readonly number[]): void => {
    const column = Float64Array.from(prices);
    spot.rows(
      0,
      Float64Array.from(prices, () => now++),
      column,
      column,
      0,
      prices.length,
    );
  };
  let now = 0;
  spot.fill(0, 1, true, BUY, OPEN, 1000, 5);
  rows(100, 90, 120);
  spot.fill(now, 1, true, SELL, OPEN, 1100, 8);
  rows(110, 130, 105);
  spot.fill(now, 1, true, BUY, OPEN, 1070, 3);
  spot.end();
  expect(numbersIn(spot.excursions)).toEqual([900, 1200, -1300, -1050]);
});
