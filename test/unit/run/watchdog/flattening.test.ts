/** How a watchdog closes positions: a world of virtual time in which answers are lost, late or wrong, and the bot may live again at any moment. */
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Random } from '../../../../src/base/random.ts';
import { CLOSE, CROSS, LONG, MARKET, OPEN } from '../../../../src/domain/codes.ts';
import { emptyCommand } from '../../../../src/domain/orders/command.ts';
import type { OrderReport, PositionReport } from '../../../../src/domain/report.ts';
import { type CloseFill, type NamedLeg, ownLots, type WatchdogClose } from '../../../../src/domain/messages/watchdog.ts';
import { WatchdogCloses } from '../../../../src/edge/file/beside/watchdog-closes.ts';
import { SILENT_LOG } from '../../../../src/ports/log.ts';
import type { Closed } from '../../../../src/run/watchdog/flat-venue.ts';
import { Flattening } from '../../../../src/run/watchdog/flattening.ts';
import { btc, orderReport, positionReport } from '../../../support/engine/engine-kit.ts';

const [HORIZON_MS, LAG_MS] = [10_000, 2_000];
const LEG: NamedLeg = { symbol: 'BTCUSDT', side: LONG, own: 20, total: 20, opens: [] };

const record = (
  of: { clientId: string; effect: number; size: number; type?: number },
  status: OrderReport['status'],
  more = {},
): OrderReport => orderReport({ ...emptyCommand(), ...of }, status, { clientId: of.clientId, ...more });

let folder = '';
let file: WatchdogCloses;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'closes-')), 'bot');
  file = new WatchdogCloses(folder);
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

/** What happens to a close: `lost`: it lands, without an answer. `swallowed`: it does not land. `late`: it lands after so many milliseconds. */
type Fate = 'fills' | 'lost' | 'swallowed' | 'refused' | 'taken' | { readonly late: number };

class World {
  now = 0;
  held = 20;
  locked = 0;
  isOver = false;
  /** In the order in which their bytes left. */
  readonly sent: WatchdogClose[] = [];
  readonly said: (readonly [left: readonly string[], problem: string])[] = [];
  readonly cancelled: string[] = [];
  readonly closed: (readonly [clientId: string, fill: CloseFill | undefined])[] = [];
  /** Own closing orders that rest. */
  resting: string[] = [];
  records: OrderReport[] = [];
  fate: (count: number) => Fate = () => 'fills';
  lagMs = 0;
  atLook: (now: number) => void = () => undefined;
  /** Lots on the leg since when. */
  readonly #past: [at: number, held: number][] = [];
  readonly #coming: { readonly at: number; readonly close: WatchdogClose }[] = [];

  #land(close: WatchdogClose): void {
    const size = Math.min(close.size, this.held);
    this.held -= size;
    this.records.push(
      record({ clientId: close.clientId, effect: CLOSE, type: MARKET, size: close.size }, 'filled', { averagePrice: 1_000 }),
    );
    this.#past.push([this.now, this.held]);
  }

  #pass(ms: number): void {
    this.now += ms;
    for (const one of this.#coming.splice(0))
      if (one.at <= this.now) this.#land(one.close);
      else this.#coming.push(one);
  }

  async run(legs: readonly NamedLeg[] = [LEG], mostMs = 120_000): Promise<boolean | null> {
    if (this.#past.length === 0) this.#past.push([-Infinity, this.held]);
    const end = this.now + mostMs;
    const flattening = new Flattening(
      { bot: 'tw', epoch: 7, legs, horizonMs: HORIZON_MS, lagMs: LAG_MS },
      {
        venue: {
          look: async () => {
            this.#pass(20);
            this.atLook(this.now);
            const seen = this.lagMs === 0 ? this.held : (this.#past.findLast(([at]) => at <= this.now - this.lagMs)?.[1] ?? this.held);
            const positions: PositionReport[] = seen === 0 ? [] : [positionReport(0, seen, { available: seen - this.locked })];
            const closes = this.resting.map((clientId) => ({
              kind: 1,
              symbol: 'BTCUSDT',
              clientId,
              venueId: '',
              instrument: 0,
              side: LONG,
            }));
            return { positions, closes, pending: new Set(this.resting) };
          },
          find: async (_symbol, clientId) => {
            this.#pass(10);
            return this.records.find((one) => one.clientId === clientId) ?? null;
          },
          close: async (close, marginMode, veto): Promise<Closed> => {
            if (marginMode !== CROSS || !existsSync(file.path)) throw new Error(`margin mode ${marginMode}, or no file`);
            const fate = this.fate(this.sent.length);
            if (fate === 'taken') file.take();
            const why = veto();
            if (why !== null) return { unsent: why };
            this.sent.push(close);
            // What leaves is on the disk.
            if (!file.readAll().closes.some(({ clientId }) => clientId === close.clientId)) throw new Error('it is not noted');
            this.#pass(10);
            if (fate === 'refused') return { refused: 'insufficient-balance' };
            if (typeof fate === 'object') this.#coming.push({ at: this.now + fate.late, close });
            else if (fate !== 'swallowed') this.#land(close);
            return fate === 'fills' ? 'accepted' : { unknown: 'timeout' };
          },
          cancel: async ({ clientId }) => {
            this.resting = this.resting.filter((one) => one !== clientId);
            this.cancelled.push(clientId);
            this.locked = 0;
            return 'ended';
          },
        },
        file,
        instruments: [btc()],
        now: () => this.now,
        wall: () => 1_000 + this.now,
        pause: async (ms) => this.#pass(ms),
        log: SILENT_LOG,
        rate: 10,
        isOver: () => this.isOver || this.now > end,
        clearedAt: () => 0,
        onClose: ({ clientId }, fate, fill) => void (fate === 'ended' && this.closed.push([clientId, fill])),
        onLook: (left, problem) => void this.said.push([left, problem]),
      },
    );
    return flattening.run();
  }

  get ids(): string[] {
    return this.sent.map(({ clientId }) => clientId);
  }
}

it('counts what is missing as the own, and what others added as theirs', () => {
  const leg = { ...LEG, own: 20, total: 30 };
  const lots = (closed: number, opened: number, shown: number): number => ownLots(leg, { closed, opened, shown });
  expect([lots(0, 0, 30), lots(20, 0, 10), lots(0, 5, 35), lots(5, 0, 25)]).toEqual([20, 0, 25, 15]);
  // A stop-loss closed the own part; another party closed its own; both; it added some; a list is older than the close.
  expect([lots(0, 0, 10), lots(0, 0, 20), lots(0, 0, 0), lots(0, 0, 50), lots(20, 0, 30)]).toEqual([0, 10, 0, 20, 0]);
});

it('closes the leg by one order, and is flat when two lists show it', async () => {
  const world = new World();
  expect(await world.run()).toBe(true);
  expect([world.held, world.sent.map(({ size }) => size)]).toEqual([0, [20]]);
  expect(file.read()).toMatchObject({ act: { epoch: 7, legs: [LEG] }, closes: [{ clientId: world.ids[0], fate: 'ended' }] });
  const fill = { lots: 20, price: 1_000 };
  // The next watchdog knows what this one closed, and at which price.
  expect(await world.run()).toBe(true);
  expect(world.closed).toEqual([
    [world.ids[0], fill],
    [world.ids[0], fill],
  ]);
});

it('leaves to others what is theirs, and says so', async () => {
  const world = new World();
  world.held = 27;
  expect(await world.run([{ ...LEG, total: 22 }])).toBe(true);
  expect([world.held, world.sent.map(({ size }) => size)]).toEqual([7, [20]]);
  expect(world.said.at(-1)).toEqual([['BTCUSDT LONG 0.007 stays: it is not of this bot, as far as is known'], '']);
});

it('closes what an own opening order filled after the last word, once a record proves it', async () => {
  const world = new World();
  world.held = 25;
  world.records.push(record({ clientId: 'tw-7-5', effect: OPEN, size: 5 }, 'filled', { averagePrice: 1_000 }));
  const opens = [
    { clientId: 'tw-7-5', size: 5 },
    { clientId: 'tw-7-6', size: 9 },
  ];
  expect(await world.run([{ ...LEG, opens }])).toBe(true);
  expect([world.held, world.sent.map(({ size }) => size)]).toEqual([0, [25]]);
});

it('cancels own closing orders that hold a part of the leg, and then closes all of it at once', async () => {
  const world = new World();
  [world.resting, world.locked] = [['tw-7-3'], 10];
  expect(await world.run()).toBe(true);
  expect([world.cancelled, world.sent.map(({ size }) => size)]).toEqual([['tw-7-3'], [20]]);
});

it('a close without an answer is looked for, and no other is sent before its fate is known', async () => {
  const world = new World();
  world.fate = (count) => (count === 0 ? 'lost' : 'fills');
  expect(await world.run()).toBe(true);
  expect(world.ids).toEqual(['tw-7-w000001']);
});

it('a close that nothing shows counts as not landed only after the horizon and the lag', async () => {
  const world = new World();
  world.fate = (count) => (count === 0 ? 'swallowed' : 'fills');
  expect(await world.run()).toBe(true);
  expect(world.ids).toEqual(['tw-7-w000001', 'tw-7-w000002']);
  expect(world.sent[1]!.time - world.sent[0]!.time).toBeGreaterThanOrEqual(HORIZON_MS + LAG_MS);
  expect(world.said.some(([[left]]) => left?.endsWith('what became of tw-7-w000001 is not known yet'))).toBe(true);
});

it('lists that are late lead to no second close', async () => {
  const world = new World();
  world.lagMs = LAG_MS - 100;
  expect(await world.run()).toBe(true);
  expect(world.ids).toHaveLength(1);
});

it('a watchdog that follows another goes on with its closes, by what stood on the disk', async () => {
  const world = new World();
  world.fate = () => ({ late: 6_000 });
  // The first is killed while its close is on its way.
  expect(await world.run([LEG], 500)).toBe(false);
  expect(world.ids).toEqual(['tw-7-w000001']);
  expect(await world.run([])).toBe(true);
  expect([world.held, world.ids]).toEqual([0, ['tw-7-w000001']]);
});

it('a bot that takes the file right before the bytes leave keeps the close from leaving', async () => {
  const world = new World();
  world.fate = () => 'taken';
  expect(await world.run()).toBe(false);
  expect([world.sent, world.held]).toEqual([[], 20]);
  // The bot knows of the close that was noted; it may have left, as far as the file says.
  expect(file.take()!.closes).toMatchObject([{ clientId: 'tw-7-w000001', fate: undefined }]);
});

it('a bot that advances keeps the close from leaving, and ends the closing', async () => {
  const world = new World();
  world.atLook = (now) => (world.isOver = now > 0);
  expect([await world.run(), world.sent]).toEqual([false, []]);
});

it('refused closes are tried again ever more slowly, under new ids', async () => {
  const world = new World();
  world.fate = (count) => (count < 3 ? 'refused' : 'fills');
  expect(await world.run()).toBe(true);
  expect(world.ids).toEqual(['1', '2', '3', '4'].map((count) => `tw-7-w00000${count}`));
  const times = world.sent.map(({ time }) => time);
  expect(times[3]! - times[2]!).toBeGreaterThan(times[1]! - times[0]!);
});

it('the next closing of the same process uses no client id again, also after one that sent nothing', async () => {
  const world = new World();
  await world.run();
  for (const held of [0, 20]) {
    file.take();
    file.imported();
    world.held = held;
    expect(await world.run(held === 0 ? [] : [LEG])).toBe(true);
  }
  expect(world.ids).toEqual(['tw-7-w000001', 'tw-7-w000002']);
});

it('a close that cannot be noted does not leave', async () => {
  const world = new World();
  const path = file.path;
  world.atLook = () => {
    if (existsSync(path)) renameSync(path, `${path}.away`);
  };
  expect([await world.run(), world.sent]).toEqual([false, []]);
});

it('whatever is lost, late or refused: never more than the own is closed, and in the end all of it', async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = new Random(seed);
    rmSync(file.path, { force: true });
    const world = new World();
    const others = random.below(3) * 7;
    world.held = 20 + others;
    world.lagMs = random.below(2) * random.below(LAG_MS);
    const fates: readonly Fate[] = ['fills', 'lost', 'swallowed', 'refused', { late: random.below(HORIZON_MS) }];
    world.fate = (count) => (count < 4 ? fates[random.below(fates.length)]! : 'fills');
    let isFlat: boolean | null = null;
    // Watchdogs are killed and follow each other.
    for (let k = 0; k < 40 && isFlat !== true; k++)
      isFlat = await world.run([{ ...LEG, total: 20 + others }], k < 3 ? random.below(8_000) : 120_000);
    expect([seed, isFlat, world.held]).toEqual([seed, true, others]);
  }
});
