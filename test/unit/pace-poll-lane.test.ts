import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PollLane, type PollLaneOptions } from '../../src/edge/pace/poll-lane.ts';
import { DroppedError } from '../../src/ports/limiter.ts';

const lanes: PollLane[] = [];
afterEach(async () => {
  for (const lane of lanes.splice(0)) await lane.stop();
});

const clock = { now: () => Date.now() };

function create(options: Partial<PollLaneOptions>): PollLane {
  const lane = new PollLane({ clock, buckets: {}, fallback: { perSecond: 1_000 }, ...options });
  lanes.push(lane);
  return lane;
}

function ask(lane: PollLane, key: string, priority: number, run: () => unknown): Promise<unknown> {
  return lane.schedule({ bucket: 'b', priority, key, run: async () => run() });
}

describe('the poll lane', () => {
  it('starts no more than the bucket allows less what is kept for orders, in any window', async () => {
    const lane = create({ buckets: { b: { perSecond: 60, reservedPerSecond: 10 } } });
    const starts: number[] = [];
    await Promise.all(Array.from({ length: 26 }, (_, i) => ask(lane, `k${i}`, 5, () => starts.push(performance.now()))));
    const last = starts.at(-1) ?? 0;
    const spanMs = last - (starts[0] ?? 0);
    expect(spanMs).toBeGreaterThanOrEqual(25 * 20 - 5);
    for (let i = 10; i < starts.length; i++) expect(starts[i]! - starts[i - 10]!).toBeGreaterThanOrEqual(195);
  });

  it('lets a better priority go first', async () => {
    const lane = create({ buckets: { b: { perSecond: 20 } } });
    const order: string[] = [];
    const names = ['first', 'second', 'late', 'later', 'urgent'];
    const priorities = [5, 5, 8, 9, 1];
    await Promise.all(names.map((name, i) => ask(lane, name, priorities[i] ?? 0, () => order.push(name))));
    expect(order).toEqual(['first', 'second', 'urgent', 'late', 'later']);
  });

  it('merges a question into the same question that still waits, and not into one that runs', async () => {
    const lane = create({ buckets: { b: { perSecond: 200 } } });
    let runs = 0;
    const release = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const run = async (): Promise<number> => {
      runs++;
      started.resolve();
      await release.promise;
      return runs;
    };
    const one = lane.schedule({ bucket: 'b', priority: 5, key: 'same', run });
    const two = lane.schedule({ bucket: 'b', priority: 5, key: 'same', run });
    await started.promise;
    const three = lane.schedule({ bucket: 'b', priority: 5, key: 'same', run });
    release.resolve();
    expect(await one).toBe(await two);
    await three;
    expect(runs).toBe(2);
    expect(lane.counts()['b']).toMatchObject({ merged: 1, started: 2, waiting: 0 });
  });

  it('starts nothing before the end of a back-off, in that bucket alone', async () => {
    const lane = create({});
    const begin = performance.now();
    lane.backOff('b', Date.now() + 150);
    lane.backOff('b', Date.now() + 50);
    const other = lane.schedule({ bucket: 'free', priority: 5, key: '', run: async () => performance.now() - begin });
    const held = lane.schedule({ bucket: 'b', priority: 5, key: '', run: async () => performance.now() - begin });
    expect(await other).toBeLessThan(120);
    expect(await held).toBeGreaterThanOrEqual(145);
  });

  it('waits out a part of a pause while an exit is undecided, where answers decide about exits [N7]', async () => {
    let isOpen = false;
    const buckets = { orders: { perSecond: 1_000, decidesExits: true }, market: { perSecond: 1_000 } };
    const lane = create({ buckets, isExitOpen: () => isOpen });
    const ran: string[] = [];
    for (const bucket of ['orders', 'market']) lane.backOff(bucket, Date.now() + 60_000, Date.now() + 100);
    const jobs = ['orders', 'market'].map((bucket) =>
      lane.schedule({ bucket, priority: 5, key: '', run: async () => void ran.push(bucket) }).catch(() => undefined),
    );
    await sleep(400);
    expect(ran, 'no exit is open').toEqual([]);
    isOpen = true;
    await jobs[0];
    expect(ran).toEqual(['orders']);
    await lane.stop();
    await Promise.all(jobs);
    expect(ran).toEqual(['orders']);
  });

  it('is half as fast after each refusal, and comes back step by step while there is none [N7]', async () => {
    let now = 1_000_000;
    const lane = create({ clock: { now: () => now }, buckets: { b: { perSecond: 10 } } });
    const share = (): number => lane.counts()['b']!.rateShare;
    await ask(lane, 'k', 5, () => 1);
    expect(share()).toBe(1);
    lane.backOff('b', now + 1_000);
    expect(share()).toBe(0.5);
    // More refusals of the same burst say nothing new.
    lane.backOff('b', now + 2_000);
    expect(share()).toBe(0.5);
    now += 2_000;
    lane.backOff('b', now + 100);
    expect(share()).toBe(0.25);
    for (let k = 0; k < 20; k++) lane.backOff('b', (now += 100) + 100);
    expect(share()).toBeCloseTo(1 / 16, 1);
    now += 5_000;
    expect(share()).toBeGreaterThan(0.25);
    expect(share()).toBeLessThan(0.4);
    now += 30_000;
    expect(share()).toBe(1);
  });

  it('goes on asking when the wall clock is set back [N12]', async () => {
    const lane = create({ clock: { now: () => performance.now() } });
    await ask(lane, 'a', 5, () => 1);
    const wall = Date.now.bind(Date);
    const step = vi.spyOn(Date, 'now').mockImplementation(() => wall() - 3_600_000);
    try {
      const begin = performance.now();
      for (let k = 0; k < 20; k++) await ask(lane, `b${k}`, 5, () => 1);
      expect(performance.now() - begin).toBeLessThan(2_000);
    } finally {
      step.mockRestore();
    }
  });

  it('drops what does not fit its queue and says so', async () => {
    const lane = create({ buckets: { b: { perSecond: 5 } }, maxWaiting: 3 });
    const waiting = Array.from({ length: 5 }, (_, i) => ask(lane, `x${i}`, 5, () => 1).catch((error: unknown) => error));
    const dropped = await Promise.all(waiting.slice(3));
    expect(dropped.every((error) => error instanceof DroppedError && error.reason === 'queue-full')).toBe(true);
  });

  it('drops what waits when it stops, and takes nothing after', async () => {
    const lane = create({ buckets: { b: { perSecond: 1 } } });
    const outcomes = Array.from({ length: 4 }, (_, i) => ask(lane, `k${i}`, 5, () => 'ran').catch((error: unknown) => error));
    expect(await outcomes[0]).toBe('ran');
    await lane.stop();
    for (const outcome of await Promise.all(outcomes.slice(1))) expect(outcome).toBeInstanceOf(DroppedError);
    await expect(ask(lane, 'z', 5, () => 1)).rejects.toBeInstanceOf(DroppedError);
  });

  it('hands the error of a question to its asker', async () => {
    const lane = create({});
    await expect(ask(lane, 'k', 5, () => Promise.reject(new Error('boom')))).rejects.toThrow('boom');
    await expect(ask(lane, 'k', 5, () => 'again')).resolves.toBe('again');
  });

  it('changes its rate while it runs', async () => {
    const lane = create({ buckets: { b: { perSecond: 2 } } });
    const begin = performance.now();
    const jobs = Array.from({ length: 8 }, (_, i) => ask(lane, `k${i}`, 5, () => performance.now() - begin));
    lane.setRate('b', 50);
    expect(await jobs[7]).toBeLessThan(1_500);
  });
});
