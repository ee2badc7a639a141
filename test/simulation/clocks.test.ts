/** What the simulation asks of a process that has heard several clocks, where no seed says it plainly. */
import { expect, test } from 'vitest';
import { HeardClocks } from './world/clocks.ts';

/** What comes after an answer of the venue's clock and a copy of an old one; an entry is an answer. */
type Heard = readonly [kind: 'account' | 'positions', off: number, ageMs: number, tookMs?: number];

const CASES: readonly (readonly [what: string, heard: readonly Heard[], mayOpen: boolean])[] = [
  ['nothing', [], false],
  ['a list of positions by the venue’s clock', [['positions', 0, 0]], true],
  ['a list by another clock', [['positions', 5_500, 0]], true],
  [
    'a list by another clock, and then an answer of the first',
    [
      ['positions', 5_500, 0],
      ['account', 0, 0],
    ],
    false,
  ],
  ['a copy of a list', [['positions', 0, 6_000]], false],
  ['a copy of a list, as new by the server’s clock as a new one', [['positions', 5_500, 4_622]], true],
  [
    'the same, and then a copy of another answer',
    [
      ['positions', 5_500, 4_622],
      ['account', 0, 5_000],
    ],
    false,
  ],
  [
    'the same, and then a copy of another answer that is like a new one',
    [
      ['positions', 5_500, 4_622],
      ['account', 5_500, 6_477],
    ],
    true,
  ],
  [
    'a list, and then an answer by another clock that is taken at once',
    [
      ['positions', 0, 0],
      ['account', 5_500, 0],
    ],
    false,
  ],
  [
    'the same, but taken when a new answer has that time by the first clock',
    [
      ['positions', 0, 0],
      ['account', 5_500, 0, 5_000],
    ],
    true,
  ],
  [
    'the same by a clock that is further ahead',
    [
      ['positions', 0, 0],
      ['account', 20_000, 0, 5_000],
    ],
    false,
  ],
  [
    'a list, and then an answer by a clock behind, taken late',
    [
      ['positions', 0, 0],
      ['account', -5_500, 0, 5_000],
    ],
    false,
  ],
];

test.each(CASES)('after an old copy and %s', (_what, heard, mayOpen) => {
  const clocks = new HeardClocks();
  for (const [kind, off, ageMs, tookMs = 0] of [['account', 0, 0], ['positions', 0, 0], ['account', 0, 5_000], ...heard] as Heard[]) {
    const answer = kind === 'account' ? { kind, account: null as never } : { kind, positions: [] };
    clocks.heard({ kind, instrument: kind === 'account' ? 0 : -1 }, answer, off, ageMs, tookMs);
  }
  expect(clocks.mayOpen).toBe(mayOpen);
});
