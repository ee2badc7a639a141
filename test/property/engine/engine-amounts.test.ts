/** Whatever a strategy passes as a size or a price, only whole, positive lots and ticks within the instrument's limits become a command. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Market } from '../../../src/engine/intents/market-types.ts';
import type { StrategyContext } from '../../../src/engine/strategy/definition/types.ts';
import { pushedRig } from '../../support/engine/engine-kit.ts';

const RUNS = Number(process.env['TICKWRIGHT_AMOUNT_RUNS'] ?? 3_000);

const NUMBERS = [Number.NaN, Infinity, -Infinity, -0, 0, -1, 1e-9, 1e300, Number.MAX_SAFE_INTEGER, 5e-324];
const TEXTS = [
  '',
  ' ',
  '1e-7',
  '1e5',
  '-1',
  '0x10',
  '1_000',
  '1,5',
  'NaN',
  'Infinity',
  '0.0000000000001',
  '9'.repeat(400),
  ' 1',
  '١',
  '--1',
];
const SHARES = ['2%', '-2%', '100 USDT', '100 DOGE', '% USDT'];
const OTHERS: readonly unknown[] = [
  null,
  undefined,
  true,
  {},
  [],
  [1],
  1n,
  Symbol.iterator,
  () => 1,
  { valueOf: () => 1 },
  { toString: () => '1' },
];
const odd = fc.constantFrom<unknown>(...NUMBERS, ...TEXTS, ...SHARES, ...OTHERS);
const amount = fc.oneof(odd, fc.double(), fc.double({ min: 0.0001, max: 2_000 }), fc.double({ min: 0.001, max: 3 }).map(String));

type Way = (ctx: StrategyContext, m: Market, size: any, price: any) => unknown;
const WAYS: readonly Way[] = [
  (ctx, m, size) => ctx.open(m, 'LONG', { size }),
  (ctx, m, size, limit) => ctx.open(m, 'SHORT', { size, limit }),
  (ctx, m, size, price) => ctx.limit(m, 'LONG', 'OPEN', price, size),
  (ctx, m, size, price) => ctx.quote(m, 'BUY', price, size),
  (ctx, m, size, price) => ctx.placeTrigger({ market: m, side: 'LONG', size, trigger: price }),
  (ctx, m, size, price) => ctx.open(m, 'LONG', { size: '0.01', stopLoss: price, takeProfit: size }),
  (ctx, m, size, price) => ctx.spot([{ market: m, direction: 'BUY', size, limit: price }]),
  (ctx, m, size) => ctx.ensureMargin(m, 'LONG', size),
];

test(`invalid sizes and prices never reach the venue, in ${RUNS} random intents [S3]`, () => {
  let sent = 0;
  fc.assert(
    fc.property(fc.nat({ max: WAYS.length - 1 }), amount, amount, (way, size, price) => {
      const r = pushedRig();
      const [market] = r.ctx().markets;
      try {
        WAYS[way]!(r.ctx(), market!, size, price);
      } catch (error) {
        // A TypeError of the language, for a symbol or the like: an error of the strategy, and nothing was sent.
        expect(error).toBeInstanceOf(Error);
      }
      const { maxSize } = r.ctx().markets[0]! as unknown as { maxSize?: number };
      for (const c of r.venue.commands) {
        sent++;
        expect([Number.isSafeInteger(c.size), Number.isSafeInteger(c.price), Number.isSafeInteger(c.trigger)]).toEqual([true, true, true]);
        expect(c.size).toBeGreaterThan(0);
        expect(c.price).toBeGreaterThanOrEqual(0);
        for (const exit of [c.takeProfit, c.stopLoss, c.trigger]) expect(Number.isSafeInteger(exit) && exit >= 0).toBe(true);
        if (maxSize !== undefined) expect(c.size).toBeLessThanOrEqual(maxSize * 1e9);
      }
    }),
    { numRuns: RUNS },
  );
  expect(sent, 'valid amounts are sent').toBeGreaterThan(RUNS / 50);
});
