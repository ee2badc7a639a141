/** Margin mode (E10) and isolated margin (E11): what is sent, and how reads decide without an answer. */
import { describe, expect, test } from 'vitest';
import { ADJUST_MARGIN, CROSS, ISOLATED, LONG, SET_MARGIN_MODE } from '../../../../src/domain/codes.ts';
import type { PositionReport } from '../../../../src/domain/report.ts';
import { foldRecords } from '../../../../src/engine/recovery/registry.ts';
import { polledRig, POLLS, positionReport, rejection, rig, settleReads, type Rig } from '../../../support/engine/engine-kit.ts';
import { settle } from '../../../support/engine/operator-commands.ts';

const USDT = 100_000_000;
/** The positions of these tests have no own orders. */
const ADOPT = { external: { position: 'adopt', marginMode: 'ignore' } } as const;
const leg = (margin: number, changes: Partial<Record<keyof PositionReport, unknown>> = {}): PositionReport =>
  positionReport(LONG, 10, { margin: Math.round(margin * USDT), marginMode: ISOLATED, ...changes });

/** For `ms`, every position read shows `report()` and every account read shows `mode()`. */
function pass(r: Rig, ms: number, report: () => PositionReport | null, mode: () => number = () => ISOLATED): void {
  for (let passed = 0; passed < ms; passed += 100) {
    r.advance(100);
    for (let left = 3; left > 0 && r.open.length > 0; left--) {
      for (const query of r.open.splice(0)) {
        const now = r.clock.time;
        if (query.kind === 'account') {
          const account = { instrument: 0, equity: 1e12, available: 1e12, locked: 0, unrealised: 0, marginMode: mode() } as never;
          r.venue.answered(query, { kind: 'account', account }, now, now);
        } else {
          r.open.push(query);
          const shown = report();
          settleReads(r, [], shown === null ? [] : [shown]);
        }
      }
    }
  }
}

const steps = (r: Rig): number[] => r.venue.commands.filter(({ kind }) => kind === ADJUST_MARGIN).map(({ amount }) => amount / USDT);

/** A rig with one margin change in flight: from 100 towards 110. */
function stepping(): Rig {
  const r = polledRig({}, ADOPT);
  pass(r, 1_500, () => leg(100));
  expect(r.ctx().ensureMargin(r.ctx().markets[0]!, 'LONG', 110)).toBe(true);
  pass(r, 2_500, () => leg(100));
  expect(steps(r)).toEqual([10]);
  return r;
}

describe('a margin target', () => {
  test('is reached in steps of at most a tenth, each from two equal reads [outcomes 2.6]', () => {
    const r = polledRig({}, ADOPT);
    const m = r.ctx().markets[0]!;
    let margin = 100;
    pass(r, 1_500, () => leg(margin));
    expect(r.ctx().ensureMargin(m, 'LONG', 120.5)).toBe(true);
    expect(r.ctx().ensureMargin(m, 'LONG', 130)).toBe(false);
    pass(r, 500, () => leg(margin));
    expect(steps(r)).toEqual([]);
    for (let k = 0; k < 4; k++) {
      pass(r, 3_000, () => leg(margin));
      const last = r.venue.commands.at(-1)!;
      if (margin !== 120.5) {
        margin += last.amount / USDT;
        r.venue.accepted(last.seq, '');
      }
    }
    expect(steps(r)).toEqual([10, 10.5]);
    expect(r.ctx().ensureMargin(m, 'LONG', 110)).toBe(true);
    pass(r, 3_000, () => leg(margin));
    expect(steps(r)).toEqual([10, 10.5, -10.5]);
  });

  test('waits while the position changes between reads, and is given up in the end', () => {
    const r = polledRig({}, ADOPT);
    let margin = 100;
    r.ctx().ensureMargin(r.ctx().markets[0]!, 'LONG', 110);
    pass(r, 40_000, () => leg((margin += 0.01)));
    expect(steps(r)).toEqual([]);
    expect(r.log.events()).toContain('margin-unsteady');
    expect(r.ctx().ensureMargin(r.ctx().markets[0]!, 'LONG', 110)).toBe(true);
  });

  test.each([
    [0.29, 29_000000],
    [4.35, 4_35000000],
    [0.00000001, 1],
    [0.000000019, 1],
  ])('of %d as a number is used exactly, and cut beyond 10^-8', (target, amount) => {
    const r = polledRig({}, ADOPT);
    r.ctx().ensureMargin(r.ctx().markets[0]!, 'LONG', target);
    pass(r, 2_500, () => leg(0));
    expect(r.venue.last().amount).toBe(amount);
  });

  test('is not reached twice when a read still shows the margin before the step', () => {
    const r = stepping();
    r.venue.accepted(r.venue.last().seq, '');
    pass(r, 20_000, () => leg(100));
    expect(steps(r)).toEqual([10]);
    pass(r, 5_000, () => leg(110));
    expect(r.ctx().ensureMargin(r.ctx().markets[0]!, 'LONG', 110)).toBe(true);
  });
});

describe('a margin step without an outcome', () => {
  test('has landed if a read shows it, and is never sent again [outcomes E11]', () => {
    const r = stepping();
    r.venue.unknown(r.venue.last().seq, 'timeout');
    expect(r.ctx().markets[0]!.isHalted).toBe(true);
    expect(r.ctx().ensureMargin(r.ctx().markets[0]!, 'LONG', 110)).toBe(false);
    pass(r, 30_000, () => leg(100));
    expect([steps(r), r.ctx().markets[0]!.isHalted]).toEqual([[10], true]);
    // Funding took 0.3 of the margin meanwhile.
    pass(r, 20_000, () => leg(109.7, { funding: -0.3 * USDT }));
    expect(r.ctx().markets[0]!.isHalted).toBe(false);
  });

  test('is recomputed if reads do not show it until the horizon and the lag of lists [outcomes E11]', () => {
    const r = stepping();
    r.venue.unknown(r.venue.last().seq, 'timeout');
    pass(r, 55_000, () => leg(100));
    expect(steps(r)).toEqual([10]);
    pass(r, 20_000, () => leg(100));
    expect(r.log.events()).toContain('presumed-not-landed');
    expect(r.ctx().markets[0]!.isHalted).toBe(false);
    expect(steps(r)).toEqual([10, 10]);
  });

  test('is left to an operator if more than the margin has changed', () => {
    const r = stepping();
    const { seq } = r.venue.last();
    r.venue.unknown(seq, 'timeout');
    pass(r, 5_000, () => leg(115, { total: 11 }));
    expect(r.kernel.status().halts).toMatchObject([
      { code: 'outcome-unreadable', seq, ends: expect.stringContaining('tickwright settle') },
    ]);
    pass(r, 200_000, () => leg(115, { total: 11 }));
    expect(steps(r)).toEqual([10]);
    expect(settle(r.kernel, seq, null)).toBe(true);
    expect(r.kernel.status().halts).toEqual([]);
    expect(r.ctx().ensureMargin(r.ctx().markets[0]!, 'LONG', 120)).toBe(true);
  });

  test.each([true, false])('is resolved after a restart by the values before it was sent (landed: %s)', (hasLanded) => {
    const first = stepping();
    const snapshot = foldRecords(null, first.records);
    expect(snapshot.marginSteps).toMatchObject([{ symbol: 'BTCUSDT', amount: 10 * USDT, margin: 100 * USDT }]);
    expect(first.kernel.snapshot().marginSteps).toEqual(snapshot.marginSteps);
    const second = rig({}, { polls: POLLS });
    second.clock.time = first.clock.time + 5_000;
    second.kernel.restore(snapshot);
    second.kernel.inbox.start();
    expect(second.kernel.markets[0]!.isHalted).toBe(true);
    pass(second, 30_000, () => leg(hasLanded ? 110 : 100));
    expect(second.kernel.markets[0]!.isHalted).toBe(!hasLanded);
    pass(second, 60_000, () => leg(hasLanded ? 110 : 100));
    expect(second.kernel.markets[0]!.isHalted).toBe(false);
    expect(steps(second)).toEqual([]);
    expect(foldRecords(snapshot, second.records).marginSteps).toEqual([]);
  });
});

describe('a series of restarts after a margin step of unknown outcome', () => {
  /** Processes of 8 s, 1 s apart. Between them our clock, or the venue's, is moved. Returns after how long the step was given up. */
  function givenUpAfter(isSnapshot: boolean, oursMs = 0, venueMs = 0): number {
    let [r, off, venueOff] = [stepping(), 0, 0];
    const begun = r.clock.time;
    let snapshot = foldRecords(null, r.records);
    r.venue.unknown(r.venue.last().seq, 'timeout');
    for (let life = 0; life < 12; life++) {
      for (let ms = 0; ms < 8_000; ms += 100) {
        r.advance(100);
        for (let left = 3; left > 0 && r.open.length > 0; left--) settleReads(r, [], [leg(100)], r.clock.time - off + venueOff);
        if (r.log.events().includes('presumed-not-landed')) return r.clock.time - off - begun;
      }
      snapshot = isSnapshot ? r.kernel.snapshot() : foldRecords(life === 0 ? null : snapshot, r.records);
      const next = rig({}, { polls: POLLS });
      off += oursMs;
      venueOff += venueMs;
      next.clock.time = r.clock.time + 1_000 + oursMs;
      next.kernel.restore(structuredClone(snapshot));
      next.kernel.inbox.start();
      r = next;
    }
    return Infinity;
  }

  test.each([false, true])('the horizon of all of them counts, with snapshots %s', (isSnapshot) => {
    const ms = givenUpAfter(isSnapshot);
    expect(ms).toBeGreaterThanOrEqual(60_000);
    expect(ms).toBeLessThan(75_000);
  });

  test.each([
    [100_000, 0],
    [-100_000, 0],
    [0, 100_000],
    [0, -100_000],
  ])('our clock set by %d ms in between, or the venue’s by %d, brings the end no nearer', (oursMs, venueMs) => {
    expect(givenUpAfter(false, oursMs, venueMs)).toBeGreaterThanOrEqual(60_000);
  });
});

describe('a margin mode', () => {
  const sent = (r: Rig): number => r.venue.commands.filter(({ kind }) => kind === SET_MARGIN_MODE).length;

  test.each(['accepted', 'unknown'] as const)('that was %s is verified by two reads of the account [outcomes E10]', (how) => {
    const r = polledRig({}, ADOPT);
    expect(r.ctx().setMarginMode(r.ctx().markets[0]!, 'ISOLATED')).toBe(true);
    expect(r.ctx().setMarginMode(r.ctx().markets[0]!, 'CROSS')).toBe(false);
    r.venue[how](r.venue.last().seq, 'timeout');
    const accounts = (): number => r.open.filter(({ kind }) => kind === 'account').length;
    expect(accounts()).toBe(0);
    r.advance(0);
    expect(accounts(), 'the account is read at once').toBe(1);
    pass(r, 3_000, () => null);
    expect(r.log.events()).toContain('margin-mode-set');
    expect(sent(r)).toBe(1);
  });

  test('is not verified by one read of the account, nor sent again after one', () => {
    for (const marginMode of [ISOLATED, CROSS]) {
      const r = polledRig({}, ADOPT);
      r.ctx().setMarginMode(r.ctx().markets[0]!, 'ISOLATED');
      r.venue.accepted(r.venue.last().seq, '');
      r.advance(0);
      const account = { instrument: 0, equity: 1e12, available: 1e12, locked: 0, unrealised: 0, marginMode } as never;
      r.answer({ kind: 'account', account });
      expect([r.log.events().includes('margin-mode-set'), sent(r)]).toEqual([false, 1]);
      pass(
        r,
        3_000,
        () => null,
        () => marginMode,
      );
      expect([r.log.events().includes('margin-mode-set'), sent(r)]).toEqual(marginMode === ISOLATED ? [true, 1] : [false, 2]);
    }
  });

  test('is sent again four times if the account does not show it, then halts the symbol [outcomes E10]', () => {
    const r = polledRig({}, ADOPT);
    r.ctx().setMarginMode(r.ctx().markets[0]!, 'ISOLATED');
    for (let k = 0; k < 7; k++) {
      r.venue.unknown(r.venue.last().seq, 'timeout');
      pass(
        r,
        3_000,
        () => null,
        () => CROSS,
      );
    }
    expect(sent(r)).toBe(5);
    expect(r.kernel.status().halts).toMatchObject([{ code: 'margin-mode-unverified', ends: 'tickwright resume BTCUSDT' }]);
  });

  test('is not sent again once there is an order', () => {
    const r = polledRig({}, ADOPT);
    r.ctx().setMarginMode(r.ctx().markets[0]!, 'ISOLATED');
    r.venue.unknown(r.venue.last().seq, 'timeout');
    r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
    pass(
      r,
      3_000,
      () => null,
      () => CROSS,
    );
    expect(sent(r)).toBe(1);
    expect(r.log.events()).toContain('margin-mode-unverified');
    expect(r.kernel.status().halts).toEqual([]);
  });

  test('is dropped after a refusal', () => {
    const r = polledRig({}, ADOPT);
    r.ctx().setMarginMode(r.ctx().markets[0]!, 'ISOLATED');
    r.venue.rejected(r.venue.last().seq, rejection('margin-mode-conflict'));
    pass(
      r,
      3_000,
      () => null,
      () => CROSS,
    );
    expect(sent(r)).toBe(1);
    expect(r.ctx().setMarginMode(r.ctx().markets[0]!, 'ISOLATED')).toBe(true);
  });
});
