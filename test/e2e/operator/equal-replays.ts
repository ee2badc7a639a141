/** The sessions of a bot whose strategies were changed while it ran. */
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Replayed } from '../../../src/run/replay/replay.ts';
import { runToEnd } from '../process.ts';

/** Replays every session of a bot that was stopped; `folder`: its state folder. */
export async function expectEqualReplays(folder: string): Promise<void> {
  const replayed = await runToEnd(['replay', join(folder, 'sessions'), '--json']);
  const all = replayed.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Replayed);
  expect(all.map(({ divergence }) => divergence)).toEqual(all.map(() => null));
  expect(replayed.code, replayed.err).toBe(0);
}
