/**
 * No limit is ever exceeded, judged by the sent commands and by the simulator's books, whatever a strategy orders: all kinds of valid and
 * invalid sizes, prices anywhere, floods. TICKWRIGHT_LIMIT_RUNS extends the search.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { CLOSE, MODIFY, PLACE } from '../../../src/domain/codes.ts';
import type { Approved, Command } from '../../../src/domain/orders/command.ts';
import { Kernel } from '../../../src/engine/kernel.ts';
import { recordingJournal } from '../../../src/engine/recovery/records.ts';
import { defineStrategy } from '../../../src/engine/strategy/definition/define.ts';
import type { Amount, Market } from '../../../src/engine/intents/market-types.ts';
import type { StrategyContext } from '../../../src/engine/strategy/definition/types.ts';
import type { OrderPort } from '../../../src/ports/venue.ts';
import { VenueSim } from '../../../src/sim/core/venue-core.ts';
import { SimPort } from '../../../src/sim/port/port.ts';
import { btc, IDENTITY, ManualClock, MemoryLog, POLLS, START } from '../../support/engine/engine-kit.ts';
import { passTime } from '../../support/pass-time.ts';

const RUNS = Number(process.env['TICKWRIGHT_LIMIT_RUNS'] ?? 60);
const DEPOSIT = 10_000;
/** One USDT in units of 10^-8. */
const MONEY = 100_000_000;

interface World {
  readonly seed: number;
  readonly pushes: boolean;
  readonly upMs: number;
  readonly downMs: number;
  readonly steps: number;
}

const WORLD = fc.record<World>({
  seed: fc.integer(),
  pushes: fc.boolean(),
  upMs: fc.integer({ min: 1, max: 400 }),
  downMs: fc.integer({ min: 1, max: 400 }),
  steps: fc.integer({ min: 20, max: 120 }),
});

/** Lots, orders and money by instrument, as in the configuration below. */
const MOST = [
  { order: 60, leg: 150, orders: 4, value: 70 * MONEY, legValue: 160 * MONEY },
  { order: 90, leg: 400, orders: 6, value: 100 * MONEY, legValue: 250 * MONEY },
] as const;
const RISK = {
  maxOrderSize: { BTCUSDT: '0.06', ETHUSDT: '0.09' },
  maxPosition: { BTCUSDT: '0.15', ETHUSDT: '0.4' },
  maxOpenOrders: { BTCUSDT: 4, ETHUSDT: 6 },
  maxNotionalOrder: { BTCUSDT: '70 USDT', ETHUSDT: '1%' },
  maxNotionalPosition: { BTCUSDT: '160', ETHUSDT: '250 USDT' },
  maxNotionalTotal: '500 USDT',
  priceCollar: '5%',
  staleAfterMs: 3_600_000,
  maxIntentsPerSecond: 1_000_000,
  maxOrdersPerMinute: 12,
  maxSameRefusals: 1_000,
};

const ODD: readonly unknown[] = [
  Number.NaN,
  Infinity,
  -Infinity,
  -0,
  0,
  -1,
  '',
  '-1',
  '1e-7',
  'NaN',
  '0.0000001',
  '1 EUR',
  '%',
  '1,5',
  null,
  {},
  [],
  true,
  1e300,
  '9'.repeat(30),
];

function sizeFrom(random: Random): Amount {
  const kind = random.below(12);
  if (kind < 2) return ODD[random.below(ODD.length)] as Amount;
  if (kind < 4) return `${random.below(120)} USDT`;
  if (kind < 6) return `${random.below(300) / 100}%`;
  if (kind < 9) return random.below(120) / 1000;
  return (random.below(1_200_000) / 10_000_000).toFixed(7);
}

function priceFrom(random: Random, market: Market): Amount {
  if (random.below(12) === 0) return ODD[random.below(ODD.length)] as Amount;
  return market.mid * (0.8 + random.below(400) / 1000);
}

/** Orders anything at any time. */
function wild(random: Random) {
  const act = (market: Market, ctx: StrategyContext): void => {
    for (let k = random.below(5); k > 0; k--) {
      const side = random.below(2) === 0 ? 'LONG' : 'SHORT';
      const size = sizeFrom(random);
      const kind = random.below(8);
      const orders = market.orders;
      if (kind === 0) ctx.open(market, side, { size });
      else if (kind < 4) ctx.limit(market, side, 'OPEN', priceFrom(random, market), size);
      else if (kind === 4) ctx.limit(market, side, 'CLOSE', priceFrom(random, market), size);
      else if (kind === 5 && orders.length > 0)
        ctx.modify(orders[random.below(orders.length)]!.number, { size, limit: priceFrom(random, market) });
      else if (kind === 6 && orders.length > 0) ctx.cancel(orders[random.below(orders.length)]!.number);
      else ctx.quote(market, random.below(2) === 0 ? 'BUY' : 'SELL', priceFrom(random, market), size);
    }
  };
  return defineStrategy({ name: 'wild', create: () => ({ onQuote: act }) });
}

interface Seen {
  opens: number;
  refused: number;
  rules: Set<string>;
}

function run(world: World): Seen {
  const random = new Random(world.seed);
  const instruments = [btc(0), btc(1, 'ETHUSDT')];
  const clock = new ManualClock();
  const log = new MemoryLog();
  const accounts = [{ name: 'a', futures: String(DEPOSIT), spot: {} }];
  const sim = new VenueSim({ instruments, accounts, fillModel: 'touch', leverage: 20, historyLimit: 10_000, keepTrades: 100 }, null);
  const port = new SimPort({
    sim,
    account: 0,
    identity: IDENTITY,
    latency: { upMs: world.upMs, downMs: world.downMs },
    clock,
    push: world.pushes,
  });
  const opensAt: number[] = [];
  const check = (c: Command): void => {
    if (c.kind !== PLACE && c.kind !== MODIFY) return;
    for (const figure of [c.size, c.price]) expect(Number.isSafeInteger(figure) && figure >= 0).toBe(true);
    expect(c.size).toBeGreaterThan(0);
    if (c.effect === CLOSE) return;
    opensAt.push(clock.time);
    const most = MOST[c.instrument]!;
    expect(c.size).toBeLessThanOrEqual(most.order);
    // A share of the equity: the deposit plus the result, which is small here.
    const value = c.size * (c.price || 10_000) * instruments[0]!.unitValue;
    expect(value).toBeLessThanOrEqual(most.value * 1.05);
    expect(opensAt.filter((at) => at > clock.time - 60_000).length).toBeLessThanOrEqual(12);
  };
  const checked: OrderPort = {
    execute: (c: Approved<Command>) => {
      check(c);
      port.execute(c);
    },
  };
  const kernel = new Kernel({
    instruments,
    orders: checked,
    reads: port,
    clock,
    log,
    journal: recordingJournal(instruments, () => undefined),
    identity: IDENTITY,
    strategies: [{ strategy: wild(random.fork()), instruments: [0, 1] }],
    external: { position: 'adopt' },
    risk: RISK,
    polls: world.pushes ? null : POLLS,
    pushed: world.pushes
      ? { equity: () => sim.equity(0), account: () => ({ available: 0, locked: 0, unrealised: 0 }), positions: () => [] }
      : undefined,
    faults: { count: 1_000_000, windowMs: 1 },
    seed: world.seed,
  });
  port.connect(kernel.inbox, kernel.inbox);
  /** The venue's books: positions plus resting orders never exceed the limits. */
  const audit = (): void => {
    for (const i of [0, 1]) {
      const most = MOST[i]!;
      const orders = sim.pending(0, i);
      expect(orders.length).toBeLessThanOrEqual(most.orders);
      for (const side of [0, 1]) {
        const held = sim.positions(0, i).find((one) => one.side === side)?.total ?? 0;
        const opening = orders
          .filter((one) => one.side === side && one.effect !== CLOSE)
          .reduce((sum, one) => sum + one.size - one.filled, 0);
        expect(held + opening).toBeLessThanOrEqual(most.leg);
      }
    }
  };
  const until = (time: number): void => passTime(time, { clock, sim, kernel, links: [port] }, audit);
  const mids = [10_000, 10_000];
  const quote = (i: number): void => {
    const mid = mids[i]!;
    sim.quote(i, mid - 1, 50, mid + 1, 50, clock.time);
    if (world.pushes) kernel.inbox.onQuote(i, mid - 1, 50, mid + 1, 50);
  };
  for (const i of [0, 1]) sim.quote(i, 9_999, 50, 10_001, 50, START);
  kernel.inbox.start();
  for (let step = 0; step < world.steps; step++) {
    until(clock.time + 1 + random.below(400));
    const i = random.below(2);
    mids[i]! += random.below(41) - 20;
    sim.trade(i, mids[i]!, 1 + random.below(60), random.below(2), clock.time, step + 1);
    quote(i);
    audit();
  }
  until(clock.time + 2_000);
  expect(log.lines.filter(({ event }) => event === 'strategy-error')).toEqual([]);
  const rules = Object.keys(kernel.status().counts).filter((name) => name.startsWith('intent-refused '));
  return { opens: opensAt.length, refused: kernel.refusals(), rules: new Set(rules.map((name) => name.slice('intent-refused '.length))) };
}

test('no limit is exceeded, and no invalid size is sent [S3] [H1]', { timeout: 300_000 + RUNS * 500 }, () => {
  const seen: Seen = { opens: 0, refused: 0, rules: new Set() };
  fc.assert(
    fc.property(WORLD, (world) => {
      const { opens, refused, rules } = run(world);
      seen.opens += opens;
      seen.refused += refused;
      for (const rule of rules) seen.rules.add(rule);
    }),
    { numRuns: RUNS },
  );
  expect(seen.opens).toBeGreaterThan(RUNS * 3);
  expect(seen.refused).toBeGreaterThan(seen.opens);
  for (const rule of [
    'bad-amount',
    'max-notional-order',
    'max-notional-position',
    'max-position',
    'max-open-orders',
    'order-size',
    'price-collar',
    'order-rate',
  ]) {
    expect([...seen.rules]).toContain(rule);
  }
});
