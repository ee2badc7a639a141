/**
 * The combined check of an order compared with the single rules: it is sent if no rule refuses, and refused with the reason of a rule
 * otherwise.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CLOSE, LIMIT, MARKET, MODIFY, OPEN, PLACE, PLACE_TRIGGER } from '../../src/domain/codes.ts';
import { emptyCommand } from '../../src/domain/command.ts';
import { contextsOf } from '../../src/engine/state/instrument-context.ts';
import { Orders } from '../../src/engine/state/orders.ts';
import { Portfolio } from '../../src/engine/state/portfolio.ts';
import { Owner } from '../../src/engine/state/owner.ts';
import { TradingState } from '../../src/engine/state/trading-state.ts';
import { TotalValue } from '../../src/engine/state/total-value.ts';
import { Risk } from '../../src/engine/risk/risk.ts';
import { btc } from '../support/engine-kit.ts';
import { WIDE_LIMITS } from '../support/specs.ts';

const NOW = 100_000;
const LIMITS = {
  ...WIDE_LIMITS,
  maxNotionalOrder: '45',
  maxNotionalPosition: '75',
  maxDistance: '0.12',
  maxOrderSize: { '*': '0.05' },
  maxPosition: { '*': '0.08' },
  maxOpenOrders: 3,
  priceCollar: 0.1,
  staleAfterMs: 1000,
};

/** Rarely `odd`, so that most orders break at most one rule. */
const seldom = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: usual, weight: 12 }, { arbitrary: odd, weight: 1 });

const CASE = fc.record({
  kind: fc.constantFrom(PLACE, PLACE, PLACE, MODIFY, PLACE_TRIGGER),
  side: fc.nat(1),
  effect: fc.constantFrom(OPEN, CLOSE),
  type: fc.constantFrom(LIMIT, LIMIT, MARKET),
  price: seldom(fc.integer({ min: 9_500, max: 10_500 }), fc.integer({ min: 1, max: 20_000 })),
  size: seldom(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 90 })),
  trigger: fc.integer({ min: 9_000, max: 11_000 }),
  takeProfit: seldom(fc.constant(0), fc.integer({ min: 9_000, max: 11_000 })),
  stopLoss: seldom(fc.constant(0), fc.integer({ min: 9_000, max: 11_000 })),
  total: seldom(fc.integer({ min: 20, max: 60 }), fc.integer({ min: 0, max: 90 })),
  resting: seldom(fc.nat(2), fc.nat(4)),
  phase: seldom(fc.constant('armed' as const), fc.constantFrom('reconciling' as const, 'stopping' as const)),
  isHalted: seldom(fc.constant(false), fc.constant(true)),
  isHaltedAll: seldom(fc.constant(false), fc.constant(true)),
  isQuoted: seldom(fc.constant(true), fc.constant(false)),
  age: seldom(fc.nat(1000), fc.constantFrom(1001, 5000)),
  intents: seldom(fc.nat(1), fc.nat(3)),
});

test('an order is approved if and only if no rule refuses it', () => {
  const told = new Map<string, number>();
  fc.assert(
    fc.property(CASE, (one) => {
      const { legs } = new Portfolio(1);
      const contexts = contextsOf([btc(0)], legs, LIMITS);
      const context = contexts[0]!;
      const owner = new Owner(0, 'one', 2);
      const tradingState = new TradingState(contexts);
      tradingState.enter(one.phase);
      if (one.isHalted) {
        context.halts++;
        tradingState.halted('symbol', 1);
      }
      if (one.isHaltedAll) tradingState.halted('bot', 1);
      const market = context.market;
      if (one.isQuoted) market.quote(9_999, 5, 10_001, 5, NOW - one.age, NOW - one.age);
      else if (one.age < 500) market.trade(10_000, NOW - one.age, NOW - one.age);
      context.leg(one.side).total = one.total;
      const orders = new Orders(contexts, new Owner(-1, '', Infinity));
      const resting = { ...emptyCommand(), kind: PLACE, side: one.side, effect: one.effect, type: LIMIT, price: 10_000, size: 5 };
      for (let seq = 1; seq <= one.resting; seq++) orders.add({ ...resting, seq }, context, owner, 5);
      for (let k = 0; k < one.intents; k++) {
        owner.recent.hasRoom(NOW - 10);
        owner.recent.add(NOW - 10);
      }
      const old = one.kind === MODIFY ? orders.find(1) : null;
      const command = { ...emptyCommand(), ...one, price: one.type === MARKET ? 0 : one.price, time: NOW };
      const added = old === null ? command.size : old.growth(command.size);
      const risk = new Risk(tradingState, new TotalValue(contexts, LIMITS));
      const rule = risk.against(command, context, old, added, owner);
      const approved = risk.approveOrder(command, context, old, added, owner);
      expect(approved).toBe(rule === null ? command : null);
      expect(risk.rule).toBe(rule?.name ?? '');
      told.set(risk.rule, (told.get(risk.rule) ?? 0) + 1);
    }),
    { numRuns: 2000 },
  );
  const rules = [
    'close-size',
    'exit-side',
    'flood',
    'max-distance',
    'max-notional',
    'max-open-orders',
    'max-position',
    'order-size',
    'price-collar',
    'stale-data',
    'standing',
  ];
  expect([...told.keys()].sort()).toEqual(['', ...rules]);
});
