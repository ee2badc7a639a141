/** The rules beside a plain restatement of them: the same orders are refused, each by the same first rule, with a text that says why. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CLOSE, LIMIT, LONG, MARKET, MODIFY, OPEN, PLACE, PLACE_TRIGGER } from '../../../src/domain/codes.ts';
import { emptyCommand } from '../../../src/domain/orders/command.ts';
import { contextsOf } from '../../../src/engine/state/records/instrument-context.ts';
import { Orders } from '../../../src/engine/state/orders/orders.ts';
import { Portfolio } from '../../../src/engine/state/account/portfolio.ts';
import { Owner } from '../../../src/engine/state/records/owner.ts';
import { TradingState } from '../../../src/engine/state/trading-state.ts';
import { TotalValue } from '../../../src/engine/state/account/total-value.ts';
import { Risk } from '../../../src/engine/risk/risk.ts';
import { btc } from '../../support/engine/engine-kit.ts';
import { WIDE_LIMITS } from '../../support/specs.ts';

const NOW = 100_000;
const BTC = btc(0);
const LIMITS = {
  ...WIDE_LIMITS,
  maxNotionalOrder: '18',
  maxNotionalPosition: '75',
  maxDistance: '0.12',
  maxOrderSize: { '*': '0.05' },
  maxPosition: { '*': '0.08' },
  maxOpenOrders: 3,
  priceCollar: 0.1,
  staleAfterMs: 1000,
};

/** Rarely `odd`, so that most orders are against one rule or none. */
const mostly = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: usual, weight: 12 }, { arbitrary: odd, weight: 1 });

const CASE = fc.record({
  kind: fc.constantFrom(PLACE, PLACE, PLACE, MODIFY, PLACE_TRIGGER),
  side: fc.nat(1),
  effect: fc.constantFrom(OPEN, CLOSE),
  type: fc.constantFrom(LIMIT, LIMIT, MARKET),
  price: mostly(fc.integer({ min: 9_500, max: 10_500 }), fc.integer({ min: 1, max: 20_000 })),
  size: mostly(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 90 })),
  trigger: fc.integer({ min: 9_000, max: 11_000 }),
  takeProfit: mostly(fc.constant(0), fc.integer({ min: 9_000, max: 11_000 })),
  stopLoss: mostly(fc.constant(0), fc.integer({ min: 9_000, max: 11_000 })),
  total: mostly(fc.integer({ min: 20, max: 60 }), fc.integer({ min: 0, max: 90 })),
  resting: mostly(fc.nat(2), fc.nat(4)),
  phase: mostly(fc.constant('armed' as const), fc.constantFrom('reconciling' as const, 'stopping' as const)),
  isHalted: mostly(fc.constant(false), fc.constant(true)),
  isHaltedAll: mostly(fc.constant(false), fc.constant(true)),
  isQuoted: mostly(fc.constant(true), fc.constant(false)),
  age: mostly(fc.nat(1000), fc.constantFrom(1001, 5000)),
  intents: mostly(fc.nat(1), fc.nat(3)),
});

interface Case {
  readonly kind: number;
  readonly side: number;
  readonly effect: number;
  readonly type: number;
  readonly price: number;
  readonly size: number;
  readonly trigger: number;
  readonly takeProfit: number;
  readonly stopLoss: number;
  readonly resting: number;
  readonly phase: string;
  readonly isHalted: boolean;
  readonly isHaltedAll: boolean;
  readonly intents: number;
  readonly isReplacing: boolean;
  readonly added: number;
  readonly leg: { readonly total: number; readonly opening: number; readonly closing: number };
  /** Best prices, or twice the last trade; 0 for none. */
  readonly market: { readonly bid: number; readonly ask: number; readonly age: number };
}

/** The first rule against the order, "" for none. Prices are ticks of 0.1, sizes are lots of 0.001. */
function refusing(one: Case): string {
  const { side, size, added, leg, price, market } = one;
  const opens = one.effect === OPEN;
  const isTrigger = one.kind === PLACE_TRIGGER;
  const isBuy = (side === LONG) === opens;
  const mid = (market.bid + market.ask) / 2;
  const met = isTrigger ? one.trigger : isBuy ? market.ask : market.bid;
  const usdt = (ticks: number, lots: number): number => (ticks * lots) / 10_000;
  const most = leg.total + leg.opening + added;
  const highest = one.trigger > 0 ? Math.max(price, one.trigger) : isBuy && price > 0 ? price : Math.max(price, met);
  const resting = isTrigger ? one.trigger : price;
  const against: Readonly<Record<string, boolean>> = {
    standing: one.phase !== 'armed' || (opens && (one.isHalted || one.isHaltedAll)),
    flood: one.intents >= 2,
    'order-size': opens ? size < 1 || size > 50 || usdt(price || mid, size) < BTC.minNotional / 1e8 : size < 1 && size !== leg.total,
    'max-open-orders': !one.isReplacing && one.resting >= 3 && (opens || one.type === LIMIT),
    'max-position': opens && most > 80,
    'max-notional-order': opens && usdt(highest, size) > 18,
    'max-notional-position': opens && usdt(Math.max(highest, mid), most) > 75,
    'close-size': !opens && leg.closing + added > leg.total,
    'price-collar':
      price > 0 ? !(met > 0 && (isBuy ? price <= met * 1.1 : price >= met * 0.9)) : opens && !isTrigger && Math.abs(met - mid) > mid * 0.1,
    'max-distance': resting > 0 && !(mid > 0 && Math.abs(resting - mid) <= mid * 0.12),
    'exit-side': opens && isWrongExit(one, met),
    'stale-data': opens && market.age > 1000,
  };
  return Object.keys(against).find((rule) => against[rule]) ?? '';
}

/** Whether an exit lies on the wrong side of the price at which the order would open. */
function isWrongExit({ side, price, trigger, takeProfit, stopLoss }: Case, touch: number): boolean {
  const met = trigger > 0 ? trigger : touch;
  const entry = price === 0 || met === 0 ? price + met : side === LONG ? Math.min(price, met) : Math.max(price, met);
  const sign = side === LONG ? 1 : -1;
  if (entry === 0) return false;
  return (takeProfit > 0 && sign * (takeProfit - entry) <= 0) || (stopLoss > 0 && sign * (stopLoss - entry) >= 0);
}

test('an order is approved when no rule is against it, and only then', () => {
  const told = new Map<string, number>();
  fc.assert(
    fc.property(CASE, (one) => {
      const { legs } = new Portfolio(1);
      const contexts = contextsOf([btc(0)], legs, LIMITS);
      const context = contexts[0]!;
      const owner = new Owner(0, 'one', contexts.length, 2);
      const tradingState = new TradingState(contexts);
      tradingState.enter(one.phase, 0);
      if (one.isHalted) {
        context.halts++;
        tradingState.halted('symbol', 1);
      }
      if (one.isHaltedAll) tradingState.halted('bot', 1);
      const { market: known } = context;
      if (one.isQuoted) known.quote(9_999, 5, 10_001, 5, NOW - one.age, NOW - one.age);
      else if (one.age < 500) known.trade(10_000, NOW - one.age, NOW - one.age);
      context.leg(one.side).total = one.total;
      const orders = new Orders(contexts, new Owner(-1, '', contexts.length, Infinity));
      const resting = { ...emptyCommand(), kind: PLACE, side: one.side, effect: one.effect, type: LIMIT, price: 10_000, size: 5 };
      for (let seq = 1; seq <= one.resting; seq++) orders.add({ ...resting, seq }, context, owner, 5);
      for (let k = 0; k < one.intents; k++) {
        owner.recent.hasRoom(NOW - 10);
        owner.recent.add(NOW - 10);
      }
      const old = one.kind === MODIFY ? orders.find(1) : null;
      const command = { ...emptyCommand(), ...one, price: one.type === MARKET ? 0 : one.price, time: NOW };
      const added = old === null ? command.size : old.growth(command.size);
      const risk = new Risk({ contexts, total: new TotalValue(contexts, LIMITS), tradingState, halts: null }, LIMITS);
      const approved = risk.approveOrder(command, context, old, added, owner);
      expect(approved).toBe(risk.rule === '' ? command : null);
      expect(risk.detail === '').toBe(risk.rule === '');
      const bid = one.isQuoted ? 9_999 : one.age < 500 ? 10_000 : 0;
      const market = { bid, ask: one.isQuoted ? 10_001 : bid, age: bid > 0 ? one.age : Infinity };
      expect(risk.rule).toBe(
        refusing({ ...one, price: command.price, isReplacing: old !== null, added, leg: context.leg(one.side), market }),
      );
      told.set(risk.rule, (told.get(risk.rule) ?? 0) + 1);
    }),
    { numRuns: 2000 },
  );
  const rules = [
    'close-size',
    'exit-side',
    'flood',
    'max-distance',
    'max-notional-order',
    'max-notional-position',
    'max-open-orders',
    'max-position',
    'order-size',
    'price-collar',
    'stale-data',
    'standing',
  ];
  expect([...told.keys()].sort()).toEqual(['', ...rules]);
});
