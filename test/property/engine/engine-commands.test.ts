/**
 * Commands of every kind whose requests and answers are lost, late or duplicated, with kills in between. At rest the bot holds what the
 * venue holds, no unknown trigger order opens a position, and no margin change is sent twice. TICKWRIGHT_COMMAND_RUNS worlds are run.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { createInstrument } from '../../../src/domain/instrument.ts';
import { Kernel } from '../../../src/engine/kernel.ts';
import type { KernelSnapshot } from '../../../src/engine/recovery/registry.ts';
import { recordingJournal } from '../../../src/engine/recovery/records.ts';
import { foldRecords } from '../../../src/engine/recovery/registry.ts';
import { defineStrategy } from '../../../src/engine/strategy/definition/define.ts';
import type { Market } from '../../../src/engine/intents/market-types.ts';
import type { StrategyContext } from '../../../src/engine/strategy/definition/types.ts';
import type { JournalRecord } from '../../../src/ports/store.ts';
import { VenueSim } from '../../../src/sim/core/venue-core.ts';
import { TRIGGER } from '../../../src/sim/state/kinds.ts';
import { orderIdOf } from '../../../src/sim/state/ids/wire-ids.ts';
import { SimPort } from '../../../src/sim/port/port.ts';
import { btc, IDENTITY, ManualClock, MemoryLog, POLLS, START } from '../../support/engine/engine-kit.ts';
import { BTCUSDT, WIDE_LIMITS } from '../../support/specs.ts';
import { FaultyVenue, type MarginSteps } from '../../support/faults/faulty-venue.ts';
import { resumeAll, settle } from '../../support/engine/operator-commands.ts';
import { passTime } from '../../support/pass-time.ts';

const RUNS = Number(process.env['TICKWRIGHT_COMMAND_RUNS'] ?? 60);

const WORLD = fc.record({
  seed: fc.integer(),
  upMs: fc.nat(120),
  downMs: fc.nat(120),
  rate: fc.constantFrom(0.02, 0.1, 0.3),
  /** Number of steps between kills. */
  life: fc.constantFrom(Infinity, 150, 40),
  steps: fc.integer({ min: 50, max: 300 }),
  isIsolated: fc.boolean(),
  /** True if the order of a fired trigger order has ids of the venue. */
  isHidden: fc.boolean(),
});

type World = typeof WORLD extends fc.Arbitrary<infer T> ? T : never;

type Act = (what: number, market: Market, ctx: StrategyContext, side: 'LONG' | 'SHORT', size: number, price: number, any: number) => void;

/** Trigger orders, spot orders, margin and margin modes. */
const rarer: Act = (what, market, ctx, side, size, price, any) => {
  const spot = ctx.markets[1]!;
  const resting = spot.orders[0]?.number ?? 0;
  if (what < 14) ctx.placeTrigger({ market, side, size, trigger: price, ...(any % 2 === 0 ? { limit: price } : {}) });
  else if (what === 14) ctx.spot([{ market: spot, direction: side === 'LONG' ? 'BUY' : 'SELL', size, limit: price }]);
  else if (what === 15) ctx.cancel(resting);
  else if (what === 16) ctx.ensureMargin(market, side, 1_000 + 10 * (any % 7));
  else ctx.setMarginMode(market, side === 'LONG' ? 'ISOLATED' : 'CROSS');
};

/** Random quotes, orders, modifies and cancels until `isCalm` returns true. */
function chaos(random: Random, isCalm: () => boolean) {
  const act = (market: Market, ctx: StrategyContext): void => {
    if (isCalm()) return;
    const side = random.below(2) === 0 ? 'LONG' : 'SHORT';
    const size = (1 + random.below(20)) * market.lot;
    const price = market.mid + (random.below(21) - 10) * market.tick;
    const { orders } = market;
    const any = orders[random.below(Math.max(1, orders.length))]?.number ?? 0;
    const what = random.below(18);
    if (what >= 12) return rarer(what, market, ctx, side, size, price, any);
    if (what === 0) ctx.open(market, side, { size });
    else if (what === 1) ctx.close(market, side);
    else if (what < 5) ctx.modify(any, { limit: price });
    else if (what < 7) ctx.cancel(any);
    else if (what < 9) ctx.quote(market, side === 'LONG' ? 'BUY' : 'SELL', price, random.below(3) * 5 * market.lot);
    else ctx.limit(market, side, 'OPEN', price, size, random.below(2) === 0);
  };
  return defineStrategy({
    name: 'chaos',
    create: () => ({
      onQuote: (market, ctx) => void (market.index === 0 && act(market, ctx)),
      onOrder(event, ctx) {
        expect(event.order.filled).toBeLessThanOrEqual(event.order.size);
        if (random.below(5) === 0) act(ctx.markets[0]!, ctx);
      },
      onStop: (ctx) => ctx.cancelAll(),
    }),
  });
}

class Run {
  readonly clock = new ManualClock();
  readonly log = new MemoryLog();
  readonly sim: VenueSim;
  /** Positions whose exposure was less than their resting orders. */
  readonly uncounted: string[] = [];
  /** Trigger orders resting at the venue that the bot does not track, and margin changes sent twice. */
  readonly unwatched: string[] = [];
  readonly steps: MarginSteps = { lastSeq: 0, overlapping: [] };
  readonly #hidden: Set<string> | null;
  readonly #instruments = [btc(), createInstrument({ ...BTCUSDT, product: 'spot' }, 1)];
  readonly #world: World;
  readonly #random: Random;
  readonly #records: JournalRecord[] = [];
  /** Numbers of ended orders whose fills are not final. */
  readonly #unsettled = new Set<number>();
  /** Ports of earlier kernels whose messages are still on their way to the venue. */
  readonly #ports: SimPort[] = [];
  readonly #venues: FaultyVenue[] = [];
  #isCalm = false;
  kernel: Kernel;

  constructor(world: World) {
    this.#world = world;
    this.#random = new Random(world.seed);
    this.#hidden = world.isHidden ? new Set() : null;
    const accounts = [{ name: 'a', futures: '1000000', spot: { BTC: '1000', USDT: '10000000' } }];
    const spec = {
      instruments: this.#instruments,
      accounts,
      fillModel: 'queue' as const,
      leverage: 10,
      historyLimit: 10_000,
      keepTrades: 100,
    };
    this.sim = new VenueSim(spec, null);
    for (const i of [0, 1]) this.sim.quote(i, 9_999, 50, 10_001, 50, START);
    this.kernel = this.#boot(null);
  }

  trade(): void {
    const { life, steps } = this.#world;
    const random = this.#random;
    let mid = 10_000;
    for (let step = 1; step <= steps; step++) {
      this.#until(this.clock.time + 1 + random.below(300));
      mid += random.below(7) - 3;
      this.sim.trade(0, mid + (random.below(3) - 1), 1 + random.below(30), random.below(2), this.clock.time, step);
      this.sim.quote(0, mid - 1, 1 + random.below(60), mid + 1, 1 + random.below(60), this.clock.time);
      this.sim.trade(1, mid, 1 + random.below(30), random.below(2), this.clock.time, step);
      this.#checkExposure();
      this.#checkTriggers();
      this.operate();
      if (step % life === 0) this.#kill();
    }
  }

  /** Runs until nothing is in doubt: longer than the horizon, twice. */
  rest(): void {
    this.#isCalm = true;
    this.#calm(100);
    this.kernel.inbox.stop();
    this.#calm(100);
  }

  /**
   * Runs at least `seconds`. A trigger order that its cancel did not find is presumed gone after the horizon and three complete rounds of
   * reads. If three in ten reads fail, a round of three reads is complete only one time in three, so this may take longer. If two such
   * orders may have filled and no record shows which, their leg takes what reads show when the horizon has passed once more.
   */
  #calm(seconds: number): void {
    const isOpen = (): boolean => this.kernel.status().unknownOutcomes + this.#unsettled.size > 0;
    for (let s = 0; s < seconds || (s < 4 * seconds && isOpen()); s++) {
      this.#until(this.clock.time + 1_000);
      this.operate();
    }
  }

  /** A person looks at the venue and runs the commands that the halts name, after ten seconds, so that nothing is in flight. */
  operate(): void {
    const { clock, kernel, sim } = this;
    for (const { ends, seq, since } of kernel.status().halts) {
      if (since > clock.time - 10_000) continue;
      if (ends.startsWith('tickwright resume')) resumeAll(kernel);
      if (!ends.startsWith('tickwright settle')) continue;
      const order = [...sim.pending(0, 0), ...sim.pending(0, 1), ...sim.endedOf(0, 1, seq)].find(({ tag }) => tag === seq);
      settle(kernel, seq, order === undefined ? null : orderIdOf(order.kind, order.no));
    }
  }

  /** Only the journal remains; messages that were sent still arrive. */
  #kill(): void {
    for (const venue of this.#venues) venue.isDead = true;
    this.kernel.close();
    this.#until(this.clock.time + this.#random.below(3_000));
    this.kernel = this.#boot(foldRecords(null, this.#records));
  }

  #journaled(record: JournalRecord): void {
    this.#records.push(record);
    const { data, kind, seq } = record;
    if (kind === 'ended' && data['isSettled'] === false) this.#unsettled.add(seq);
    else if (kind === 'settled') this.#unsettled.delete(seq);
  }

  #boot(snapshot: KernelSnapshot | null): Kernel {
    const { clock, log, sim } = this;
    const { upMs, downMs, rate, seed } = this.#world;
    const port = new SimPort({ sim, account: 0, identity: IDENTITY, latency: { upMs, downMs }, clock, push: false });
    const venue = new FaultyVenue(port, clock, this.#random.fork(), rate, null, this.steps, this.#hidden);
    port.connect(venue.outcomes, venue.answers);
    this.#ports.push(port);
    this.#venues.push(venue);
    const kernel = new Kernel({
      instruments: this.#instruments,
      orders: venue,
      reads: venue,
      clock,
      log,
      journal: recordingJournal(this.#instruments, (record) => this.#journaled(record)),
      identity: IDENTITY,
      strategies: [{ strategy: chaos(this.#random.fork(), () => this.#isCalm), instruments: [0, 1] }],
      marginMode: this.#world.isIsolated ? 'ISOLATED' : 'CROSS',
      // A wrongly inferred fill may look like an external trade here; the test is that local state becomes right again.
      external: { position: 'adopt' },
      risk: { ...WIDE_LIMITS, maxIntentsPerSecond: Infinity, maxOpenOrders: 8 },
      polls: POLLS,
      seed,
    });
    venue.inbox = kernel.inbox;
    if (snapshot !== null) kernel.restore(snapshot);
    kernel.inbox.start();
    return kernel;
  }

  #until(time: number): void {
    const { clock, sim, kernel } = this;
    passTime(time, { clock, sim, kernel, links: [...this.#ports, ...this.#venues] });
  }

  /** No unknown trigger order opens a position: each resting one is an order of the bot, open or ended. */
  #checkTriggers(): void {
    const { kernel, sim } = this;
    if (kernel.phase !== 'armed') return;
    const held = new Set(kernel.markets[0]!.orders.map(({ number }) => number));
    for (const { kind, tag } of sim.pending(0, 0)) {
      if (kind === TRIGGER && !held.has(tag)) this.unwatched.push(`trigger order ${tag} at ${this.clock.time}`);
    }
  }

  /** Every resting order is in the exposure with all that it may still fill. */
  #checkExposure(): void {
    const market = this.kernel.markets[0]!;
    for (const leg of [market.long, market.short]) {
      const own = market.orders.filter((one) => one.state === 'working' && one.side === leg.side && one.market.index === 0);
      const sum = (effect: string): number => own.filter((one) => one.effect === effect).reduce((lots, one) => lots + one.remaining, 0);
      const isCounted = leg.opening > sum('OPEN') - market.lot / 2 && leg.closing > sum('CLOSE') - market.lot / 2;
      if (!isCounted) this.uncounted.push(`${leg.side} at ${this.clock.time}`);
    }
  }
}

function check(world: World): void {
  const run = new Run(world);
  run.trade();
  run.rest();
  const { kernel, log, sim, uncounted } = run;
  expect(uncounted).toEqual([]);
  expect(run.unwatched).toEqual([]);
  expect(run.steps.overlapping).toEqual([]);
  const truth = [0, 0];
  for (const position of sim.positions(0, 0)) truth[position.side] = position.total;
  const market = kernel.markets[0]!;
  expect([market.long.lots, market.short.lots]).toEqual(truth);
  expect(market.orders.map((one) => `${one.number} ${one.state}`)).toEqual([]);
  expect([...sim.pending(0, 0), ...sim.pending(0, 1)]).toEqual([]);
  expect(kernel.markets[1]!.orders.map((one) => `${one.number} ${one.state}`)).toEqual([]);
  expect([market.long.opening, market.long.closing, market.short.opening, market.short.closing]).toEqual([0, 0, 0, 0]);
  expect(kernel.isQuiet).toBe(true);
  expect(kernel.status()).toMatchObject({ unknownOutcomes: 0, halts: [], haltedAll: '' });
  expect(log.events().filter((event) => /^(strategy-error|id-collision|external)$/.test(event))).toEqual([]);
}

test(
  'at rest the positions, open orders and exposure equal the venue’s [outcomes 2.3] [outcomes 2.5]',
  { timeout: 300_000 + RUNS * 1_000 },
  () => {
    fc.assert(fc.property(WORLD, check), { numRuns: RUNS });
  },
);

test('the same in a world that ended four lots short: a trigger presumed gone had filled [outcomes 2.5]', () => {
  check({ seed: 216_610_977, upMs: 1, downMs: 47, rate: 0.1, life: 150, steps: 293, isIsolated: true, isHidden: true });
});

test.each<World>([
  { seed: 1859226622, upMs: 37, downMs: 67, rate: 0.3, life: 40, steps: 50, isIsolated: false, isHidden: true },
  { seed: 350231928, upMs: 104, downMs: 18, rate: 0.1, life: 40, steps: 54, isIsolated: false, isHidden: false },
  { seed: 2147483618, upMs: 104, downMs: 106, rate: 0.3, life: 150, steps: 230, isIsolated: true, isHidden: true },
])('the same in world $seed: two ended orders may have filled, and no read shows which [outcomes 2.8]', (world) => {
  check(world);
});
