/** A new journal: what the first reads show of the account decides whether a person must confirm it. */
import { expect, test } from 'vitest';
import { LONG, SHORT } from '../../src/domain/codes.ts';
import { POLLS, positionReport, rig, settleReads, type Rig } from '../support/engine-kit.ts';

/** Starts with a new journal; `lots` of each read of the positions in turn, and positions in symbols without rules. */
function started(lots: (nth: number) => number, unruled: readonly { symbol: string; side: number; size: string }[] = []): Rig {
  const r = rig({}, { polls: POLLS, isNewJournal: true });
  r.kernel.inbox.start();
  let nth = 0;
  for (let k = 0; k < 100 && r.kernel.phase !== 'armed'; k++) {
    const reads = r.open.filter(({ kind }) => kind === 'positions');
    const others = r.open.filter(({ kind }) => kind !== 'positions');
    r.open.splice(0, r.open.length, ...others);
    settleReads(r, [], []);
    for (const query of reads) {
      const held = lots(nth++);
      const positions = held > 0 ? [positionReport(LONG, held)] : [];
      r.venue.answered(query, { kind: 'positions', positions, unruled }, r.clock.time, r.clock.time);
    }
    r.advance(200);
  }
  expect(r.kernel.phase).toBe('armed');
  return r;
}

const halts = (r: Rig): string[] => r.kernel.halts().map(({ code, detail }) => `${code}: ${detail}`);

test('an empty account is a first start', () => {
  expect(halts(started(() => 0))).toEqual([]);
});

test('a position halts, also one in a symbol without rules', () => {
  expect(halts(started(() => 10))).toEqual([expect.stringMatching(/^journal-lost: .*the account holds BTCUSDT LONG 0\.010/)]);
  const other = started(() => 0, [{ symbol: 'DOGEUSDT', side: SHORT, size: '1500' }]);
  expect(halts(other)).toEqual([expect.stringMatching(/^journal-lost: .*the account holds DOGEUSDT SHORT 1500/)]);
});

test('a position that changes from read to read halts, although its size is not known yet', () => {
  const r = started((nth) => 10 + nth);
  expect(halts(r).some((halt) => halt.startsWith('journal-lost'))).toBe(true);
});
