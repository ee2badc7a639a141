/** When the opening orders of a silent bot count as gone: a world of virtual time in which answers are lost, late or wrong. */
import { expect, it } from 'vitest';
import { Random } from '../../../../src/base/random.ts';
import { LONG, PLACE, PLACE_TRIGGER, SHORT } from '../../../../src/domain/codes.ts';
import { SILENT_LOG } from '../../../../src/ports/log.ts';
import { clearOpens, type ClearingTask } from '../../../../src/run/watchdog/clearing.ts';
import type { Cancelled, ListedOpen, OpenOrder } from '../../../../src/run/watchdog/opens-at-venue.ts';
import type { UnlistedOpen } from '../../../../src/run/watchdog/unlisted-opens.ts';

const HORIZON_MS = 10_000;
const order = (clientId: string, kind: number = PLACE): OpenOrder => ({ kind, symbol: 'BTCUSDT', clientId, venueId: '' });
const SHAPE = { side: LONG, size: 10, price: 600_000 };
const unlistedOrder = (clientId: string): UnlistedOpen => ({ ...order(clientId, PLACE_TRIGGER), seq: 1, ...SHAPE });

/** What the venue does otherwise than cancel and list at once. */
interface Odd {
  readonly list?: (now: number) => string;
  readonly cancel?: (now: number) => Cancelled | 'lost' | null;
  /** Lists show the state of so long ago. */
  readonly lagMs?: number;
}

class World {
  now = 0;
  readonly log: string[] = [];
  readonly cancels: string[] = [];
  readonly ended: string[] = [];
  looks: [left: number, problem: string][] = [];
  isOver = false;
  fencedAt = 0;
  readonly #live = new Map<string, { readonly from: number; to: number }>();
  readonly #kinds = new Map<string, number>();
  /** Orders of which no client id says that the bot issued them, by their venue id. */
  readonly others = new Map<string, Partial<ListedOpen>>();
  readonly #odd: Odd;

  constructor(odd: Odd = {}) {
    this.#odd = odd;
  }

  /** The order lands at this time. */
  lands(one: OpenOrder, at: number): void {
    this.#live.set(one.clientId, { from: at, to: Infinity });
    this.#kinds.set(one.clientId, one.kind);
  }

  live(now = this.now): string[] {
    return [...this.#live].filter(([, { from, to }]) => from <= now && now < to).map(([id]) => id);
  }

  /** `heard` is called whenever it lets others have their turn. */
  run(task: Partial<ClearingTask> = {}, isOver = (): boolean => false, heard = (): void => undefined): Promise<boolean> {
    const list = async (): Promise<readonly ListedOpen[] | { readonly unknown: string }> => {
      this.now += 20;
      const unknown = this.#odd.list?.(this.now) ?? '';
      this.log.push(unknown === '' ? `list at ${this.now}` : unknown);
      if (unknown !== '') return { unknown };
      return this.live(this.now - (this.#odd.lagMs ?? 0))
        .filter((id) => this.#kinds.get(id) === PLACE)
        .map((id): ListedOpen => {
          const other = this.others.get(id);
          return other === undefined
            ? { ...order(id), ...SHAPE, isOwn: true }
            : { ...order(''), ...SHAPE, isOwn: false, venueId: id, ...other };
        });
    };
    const cancel = async ({ clientId: given, venueId }: OpenOrder): Promise<Cancelled> => {
      const clientId = given === '' ? venueId : given;
      this.now += 10;
      this.cancels.push(clientId);
      const odd = this.#odd.cancel?.(this.now) ?? null;
      if (odd !== null && odd !== 'lost') return odd;
      const life = this.#live.get(clientId);
      const isLive = this.live().includes(clientId);
      if (life !== undefined && isLive) life.to = this.now;
      return odd === 'lost' ? { unknown: 'timeout' } : isLive ? 'ended' : 'gone';
    };
    return clearOpens(
      { epoch: 1, fencedAt: () => this.fencedAt, horizonMs: HORIZON_MS, unlisted: () => [], ...task },
      {
        venue: { list, cancel },
        now: () => this.now,
        pause: async (ms) => {
          this.now += ms;
          heard();
        },
        log: SILENT_LOG,
        cancelRate: 10,
        isOver: () => isOver() || this.isOver || this.now > 600_000,
        onCancelled: ({ clientId }) => void this.ended.push(clientId),
        onLook: (left, problem) => void this.looks.push([left, problem]),
      },
    );
  }
}

it('cancels at once, and ends with the second complete list in a row after the horizon', async () => {
  const world = new World();
  world.lands(order('a'), 0);
  world.lands(order('b'), 0);
  expect(await world.run()).toBe(true);
  expect(world.ended).toEqual(['a', 'b']);
  const lists = world.log.map((line) => Number(line.slice(8)));
  expect(lists.filter((at) => at - 20 >= HORIZON_MS)).toHaveLength(2);
  expect(world.cancels).toEqual(['a', 'b']);
});

it('an order that lands just before the horizon is found', async () => {
  const world = new World();
  world.lands(order('a'), HORIZON_MS - 1);
  expect([await world.run(), world.live()]).toEqual([true, []]);
});

it('a list that failed or was not complete is no list, and breaks the row', async () => {
  let failures = 0;
  const world = new World({ list: (now) => (now > HORIZON_MS && failures++ % 2 === 1 && failures < 20 ? 'http-502' : '') });
  expect(await world.run()).toBe(true);
  expect(world.log.slice(-2).every((line) => line.startsWith('list'))).toBe(true);
  expect(failures).toBeGreaterThanOrEqual(20);
  expect(world.looks).toContainEqual([0, 'http-502']);
});

it('no answer to a cancel is no answer: it is sent again until a list shows that the order is gone', async () => {
  let lost = 0;
  const world = new World({ cancel: (now) => (now < 5_000 ? (lost++, { unknown: 'timeout' }) : null) });
  world.lands(order('a'), 0);
  expect([await world.run(), world.live(), world.ended]).toEqual([true, [], ['a']]);
  expect(lost).toBeGreaterThan(2);
});

it('an order whose end was answered is not cancelled again while lists may be late', async () => {
  const world = new World({ lagMs: 8_000 });
  world.lands(order('a'), -20_000);
  expect([await world.run(), world.cancels]).toEqual([true, ['a']]);
});

it('a trigger order counts as gone by its own answers alone: the end at once, "not known" after the horizon', async () => {
  const world = new World();
  world.lands(order('t', PLACE_TRIGGER), 4_000);
  expect([await world.run({ unlisted: () => [unlistedOrder('t')] }), world.live(), world.ended]).toEqual([true, [], ['t']]);
  const never = new World();
  expect(await never.run({ unlisted: () => [unlistedOrder('t')] })).toBe(true);
  expect(never.cancels.length).toBeGreaterThan(10);
});

it('a trigger order of which it hears only after it began is cancelled too', async () => {
  const world = new World();
  world.lands(order('t', PLACE_TRIGGER), 0);
  const unlisted = (): UnlistedOpen[] => (world.now > 5_000 ? [unlistedOrder('t')] : []);
  expect([await world.run({ unlisted }), world.live()]).toEqual([true, []]);
});

it('an order that a trigger order became without our id is cancelled by its own id', async () => {
  const world = new World();
  for (const id of ['v1', 'v2']) {
    world.lands(order(id), 0);
    world.others.set(id, { clientId: 'of the venue' });
  }
  // The bot has found one of them itself; the other is known by what it looks like.
  const unlisted = [{ ...unlistedOrder('t1'), venueId: 'v1', size: 7 }, unlistedOrder('t2')];
  expect([await world.run({ unlisted: () => unlisted }), world.live()]).toEqual([true, []]);
  expect(world.ended.sort()).toEqual(['', '']);
});

it('an order of another party that looks like a trigger order stays', async () => {
  const stays = async (others: readonly Partial<ListedOpen>[], prepare: (world: World) => void = () => undefined): Promise<string[]> => {
    const world = new World();
    prepare(world);
    for (const [k, other] of others.entries()) {
      world.lands(order(`v${k}`), 0);
      world.others.set(`v${k}`, other);
    }
    expect(await world.run({ unlisted: () => [unlistedOrder('t')] })).toBe(true);
    return world.live();
  };
  expect(await stays([{}])).toEqual([]);
  for (const other of [{ side: SHORT }, { size: 11 }, { price: 600_001 }, { symbol: 'ETHUSDT' }])
    expect(await stays([other]), JSON.stringify(other)).toEqual(['v0']);
  expect(await stays([{}, {}])).toEqual(['v0', 'v1']);
  // The trigger order still waits, and is cancelled as such.
  expect(await stays([{}], (world) => world.lands(order('t', PLACE_TRIGGER), 0))).toEqual(['v0']);
});

it('what the bot says while a list is on its way counts before the list', async () => {
  const world = new World();
  world.lands(order('a'), 0);
  let isBack = false;
  const done = await world.run(
    {},
    () => isBack,
    () => (isBack = true),
  );
  expect([done, world.cancels]).toEqual([false, []]);
});

it('is not done while the fence is not written, and stops when the bot answers for its orders', async () => {
  const world = new World();
  world.fencedAt = Infinity;
  expect(await world.run()).toBe(false);
  const back = new World({ list: () => ((back.isOver = true), '') });
  back.lands(order('a'), 0);
  expect([await back.run(), back.cancels]).toEqual([false, []]);
});

it('no world of lost, late and refused answers ends with an own opening order at the venue', { timeout: 60_000 }, async () => {
  let cancels = 0;
  for (let seed = 1; seed <= 500; seed++) {
    const random = new Random(seed);
    const share = random.uniform() * 0.8;
    const world = new World({
      lagMs: random.below(3_000),
      list: () => (random.uniform() < share ? 'timeout' : ''),
      cancel: () => (random.uniform() >= share ? null : random.uniform() < 0.5 ? 'lost' : { unknown: 'rate-limited' }),
    });
    const count = 1 + random.below(6);
    // Lists may be late: what lands just before the end of the horizon is shown later.
    for (let k = 0; k < count; k++) world.lands(order(`a${k}`), random.below(HORIZON_MS - 3_000));
    const unlisted = random.uniform() < 0.5 ? [unlistedOrder('t')] : [];
    for (const one of unlisted) world.lands(order(one.clientId, PLACE_TRIGGER), random.below(HORIZON_MS));
    expect([await world.run({ unlisted: () => unlisted }), world.live()], `seed ${seed}`).toEqual([true, []]);
    expect(new Set(world.ended).size, `seed ${seed}`).toBe(world.ended.length);
    cancels += world.cancels.length;
  }
  expect(cancels).toBeGreaterThan(2_000);
});
