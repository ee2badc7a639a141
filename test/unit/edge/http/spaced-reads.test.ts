/** Reads beside a bot's polls, on real timers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SpacedReads, type SpacedReadsOptions } from '../../../../src/edge/pace/spaced-reads.ts';
import { DroppedError } from '../../../../src/ports/limiter.ts';

const open: SpacedReads[] = [];
afterEach(async () => {
  for (const reads of open.splice(0)) await reads.stop();
});

const clock = { now: () => Date.now() };

function create(options: Partial<SpacedReadsOptions> = {}): SpacedReads {
  const reads = new SpacedReads({ clock, perSecond: 1_000, ...options });
  open.push(reads);
  return reads;
}

const ask = (reads: SpacedReads, priority: number, run: () => unknown): Promise<unknown> => reads.schedule(priority, async () => run());

describe('spaced reads', () => {
  it('start no earlier than the rate allows', async () => {
    const reads = create({ perSecond: 50 });
    const starts: number[] = [];
    const begin = performance.now();
    await Promise.all(Array.from({ length: 26 }, () => ask(reads, 5, () => starts.push(performance.now() - begin))));
    // Timers of a busy machine may be late, never early.
    for (const [i, at] of starts.entries()) expect(at).toBeGreaterThanOrEqual(20 * i - 5);
  });

  it('let a better priority go first', async () => {
    const reads = create({ perSecond: 20 });
    const order: string[] = [];
    const names = ['first', 'second', 'late', 'later', 'urgent'];
    const priorities = [5, 5, 8, 9, 1];
    await Promise.all(names.map((name, i) => ask(reads, priorities[i]!, () => order.push(name))));
    expect(order).toEqual(['first', 'second', 'urgent', 'late', 'later']);
  });

  it('start nothing before the end of a pause, and are half as fast after it', async () => {
    const reads = create({ perSecond: 10 });
    const begin = performance.now();
    reads.backOff(Date.now() + 150);
    reads.backOff(Date.now() + 50);
    const times = await Promise.all([0, 1].map(() => reads.schedule(5, async () => performance.now() - begin)));
    expect(times[0]).toBeGreaterThanOrEqual(145);
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(195);
  });

  it('go on when the wall clock is set back [N12]', async () => {
    const reads = create({ clock: { now: () => performance.now() } });
    await ask(reads, 5, () => 1);
    const wall = Date.now.bind(Date);
    const step = vi.spyOn(Date, 'now').mockImplementation(() => wall() - 3_600_000);
    try {
      const begin = performance.now();
      for (let k = 0; k < 20; k++) await ask(reads, 5, () => 1);
      expect(performance.now() - begin).toBeLessThan(600_000);
    } finally {
      step.mockRestore();
    }
  });

  it('drop what does not fit their queue and say so', async () => {
    const reads = create({ perSecond: 5, maxWaiting: 3 });
    const waiting = Array.from({ length: 5 }, () => ask(reads, 5, () => 1).catch((error: unknown) => error));
    const dropped = await Promise.all(waiting.slice(3));
    expect(dropped.every((error) => error instanceof DroppedError && error.reason === 'queue-full')).toBe(true);
  });

  it('drop what waits when they stop, and take nothing after', async () => {
    const reads = create({ perSecond: 1 });
    const outcomes = Array.from({ length: 4 }, () => ask(reads, 5, () => 'ran').catch((error: unknown) => error));
    expect(await outcomes[0]).toBe('ran');
    await sleep(10);
    await reads.stop();
    for (const outcome of await Promise.all(outcomes.slice(1))) expect(outcome).toBeInstanceOf(DroppedError);
    await expect(ask(reads, 5, () => 1)).rejects.toBeInstanceOf(DroppedError);
  });

  it('hand the error of a read to its asker', async () => {
    const reads = create();
    await expect(ask(reads, 5, () => Promise.reject(new Error('boom')))).rejects.toThrow('boom');
    await expect(ask(reads, 5, () => 'again')).resolves.toBe('again');
  });
});
