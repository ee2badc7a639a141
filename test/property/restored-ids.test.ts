/**
 * Money: a bot that is restored from a backup never uses a client id that the lost part of its journal may have used, whatever the clocks of both
 * machines say, and never one of a second bot that was restored from the same backup.
 */
import { describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.ts';
import { ClientIds } from '../../src/domain/orders/client-ids.ts';

const RUNS = Number(process.env['TICKWRIGHT_RESTORE_RUNS'] ?? 3_000);
const GAP = 1 << 20;
const DAY_MS = 86_400_000;

type Clock = () => number;

/** A clock that runs, one that stands still as on a machine without a battery, or one that jumps by up to five days. */
function clockOf(random: Random, from: number): Clock {
  let now = random.below(3) === 0 ? 0 : from;
  const kind = random.below(3);
  return () => {
    now += kind === 0 ? random.below(60_000) : kind === 1 ? 0 : random.below(10 * DAY_MS) - 5 * DAY_MS;
    return Math.max(0, now);
  };
}

/** Starts and rotations of a bot; the ids that each process issues. */
function issue(ids: ClientIds, random: Random, clock: Clock, nextSeq: number, starts: number): string[] {
  const issued: string[] = [];
  let next = nextSeq;
  for (let k = 0; k < starts; k++) {
    if (random.below(10) === 0) ids.rotate(clock(), next);
    else ids.start(clock(), next);
    for (let n = random.below(5); n > 0; n--) issued.push(ids.idOf(next++));
  }
  return issued;
}

/** Ids that were used twice in one world. `gap`: what a restore puts between; 0 for none, as the mistake would be. */
function doubles(seed: number, gap: (random: Random) => number): string[] {
  const random = new Random(seed);
  const from = 1_790_000_000_000 + random.below(DAY_MS);
  const first = clockOf(random, from);
  const ids = ClientIds.begin({ bot: 'tw', epoch: Math.floor(first() / 1000) });
  const known = issue(ids, random, first, 1, 1 + random.below(4));
  const saved = structuredClone(ids.saved());
  const nextSeq = known.length + 1;
  const lost = issue(ids, random, first, nextSeq, random.below(30));
  const restored = [0, 1].slice(random.below(2)).flatMap(() => {
    const again = new ClientIds('tw', structuredClone(saved));
    const clock = random.below(2) === 0 ? first : clockOf(random, from);
    again.restore(clock(), nextSeq, gap(random));
    return issue(again, random, clock, nextSeq, 1 + random.below(5));
  });
  const all = [...known, ...lost, ...restored];
  return all.filter((id, k) => all.indexOf(id) !== k);
}

function firstDouble(gap: (random: Random) => number): number | null {
  for (let seed = 0; seed < RUNS; seed++) if (doubles(seed, gap).length > 0) return seed;
  return null;
}

describe('client ids after a restore', () => {
  it('are none of those that the lost journal, or another restored bot, used', () => {
    expect(firstDouble((random) => GAP + random.below(GAP))).toBeNull();
  });

  it('would be used twice without the gap, and by two restores without chance in it: the worlds find both', () => {
    expect(firstDouble(() => 0)).not.toBeNull();
    expect(firstDouble(() => GAP)).not.toBeNull();
  });
});
