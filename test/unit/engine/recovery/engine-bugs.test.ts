/** A failed check of the engine's own state: it ends the process at first; while opens are halted for it, it ends only its step. */
import { describe, expect, test } from 'vitest';
import { assert, AssertionError } from '../../../../src/base/failure/assert.ts';
import { CANCEL, CLOSE, LONG, PLACE } from '../../../../src/domain/codes.ts';
import type { Kernel } from '../../../../src/engine/kernel.ts';
import { LimitActions } from '../../../../src/engine/operator/limit-actions.ts';
import { Cases } from '../../../../src/engine/polling/cases.ts';
import { foldRecords } from '../../../../src/engine/recovery/registry.ts';
import type { KernelState } from '../../../../src/engine/state/kernel-state.ts';
import { orderReport, POLLS, polledRig, positionReport, rig, settleReads, type Rig } from '../../../support/engine/engine-kit.ts';

const coreOf = (kernel: Kernel): KernelState => (kernel as unknown as { core: KernelState }).core;
const codes = (r: Rig): string[] => r.kernel.halts().map(({ code }) => code);

/** A rig that holds 10 lots LONG, bought by an order whose record says so. */
function holding(): Rig {
  const r = polledRig({});
  const n = r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.010' });
  r.venue.accepted(n, 'v1');
  const at = r.clock.time + 20;
  const mine = orderReport(r.venue.last(), 'filled', { averagePrice: 1_000, createdAt: at, updatedAt: at });
  pass(r, 4_000, [mine], [positionReport(LONG, 10, { updatedAt: at })]);
  expect(r.ctx().markets[0]!.long.size).toBe(0.01);
  return r;
}

function pass(r: Rig, ms: number, orders: Parameters<typeof settleReads>[1] = [], positions: Parameters<typeof settleReads>[2] = []): void {
  for (let passed = 0; passed < ms; passed += 250) {
    r.advance(250);
    for (let left = 4; left > 0 && r.open.length > 0; left--) settleReads(r, orders, positions);
  }
}

/** What the marker of the process that ended for a bug leaves in the next one. */
function haltForBug(r: Rig): void {
  coreOf(r.kernel).halts.raise({ scope: { kind: 'bot' }, code: 'assertion-failed', detail: 'an earlier one', by: 'bot' });
}

/** Local state that no code may reach: more is filled than was ordered. */
function breakState(r: Rig): void {
  coreOf(r.kernel).timerQueue.set(
    coreOf(r.kernel).timerQueue.add({
      due: () => {
        throw new AssertionError('an order fills at most its size: found 11');
      },
    }),
    r.clock.time + 1,
  );
}

test('a failed check ends the process, and a backtest, while opens are not halted for one', () => {
  const r = holding();
  breakState(r);
  expect(() => r.advance(10)).toThrow('an order fills at most its size: found 11');
});

describe('a failed check while opens are halted for one', () => {
  test('ends its step, is an error of the log once, and is counted', () => {
    const r = holding();
    haltForBug(r);
    breakState(r);
    r.advance(10);
    expect(r.log.lines.filter(({ level }) => level === 'error').map(({ event }) => event)).toEqual(['opens-halted', 'assertion-failed']);
    const sent = r.venue.commands.length;
    expect(r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.010' })).toBe(0);
    expect(r.venue.commands).toHaveLength(sent);
    const resume = { name: 'resume', scope: '', by: 'ann', why: '' } as const;
    expect(r.kernel.inbox.operate({ ...resume, confirmed: false })).toMatchObject({ ok: false });
    // The timer that failed was set once more: it fails again, and is only counted.
    r.advance(1_100);
    expect(r.kernel.status().counts['assertion-failed an order fills at most its size']).toBe(2);
    expect(r.log.events().filter((event) => event === 'assertion-failed')).toHaveLength(1);
    // Without the halt the next one ends the process.
    expect(r.kernel.inbox.operate({ ...resume, confirmed: true })).toMatchObject({ ok: true });
    breakState(r);
    expect(() => r.advance(10)).toThrow('an order fills at most its size');
  });

  test('leaves closes, cancels and reads alive: a strategy closes, and a kill flattens', () => {
    const r = holding();
    haltForBug(r);
    breakState(r);
    r.advance(10);
    expect(r.ctx().close(r.ctx().markets[0]!, 'LONG', { size: '0.004' })).toBeGreaterThan(0);
    expect(r.venue.last()).toMatchObject({ kind: PLACE, effect: CLOSE, size: 4 });
    const resting = r.ctx().close(r.ctx().markets[0]!, 'LONG', { size: '0.002', limit: 1_100 });
    r.venue.accepted(resting, 'v3');
    expect(r.ctx().cancel(resting)).toBe(true);
    expect(r.venue.last()).toMatchObject({ kind: CANCEL, target: resting });
    const held = holding();
    haltForBug(held);
    breakState(held);
    held.kernel.inbox.operate({ name: 'kill', by: 'ann', why: '' });
    pass(held, 3_000, [], [positionReport(LONG, 10)]);
    expect(held.venue.commands.at(-1)).toMatchObject({ kind: PLACE, effect: CLOSE, size: 10 });
  });

  test('in the middle of an answer lets those who asked ask again', () => {
    const r = holding();
    haltForBug(r);
    const { portfolio } = coreOf(r.kernel);
    portfolio.readUnruled = () => {
      throw new AssertionError('lots are at least 0: found -1');
    };
    pass(r, 10_000, [], [positionReport(LONG, 10)]);
    expect(codes(r)).toEqual(['assertion-failed']);
    expect(r.kernel.status().counts['assertion-failed lots are at least 0']).toBeGreaterThan(3);
    // Other reads go on.
    expect(r.clock.time - r.kernel.status().readAt.pending).toBeLessThan(5_000);
  });

  test('in a timer of a strategy does not run it again, because it may have traded', () => {
    let runs = 0;
    const r = polledRig({
      onTimer() {
        runs++;
        throw new AssertionError('lots are at least 0: found -1');
      },
    });
    haltForBug(r);
    r.ctx().setTimer('scale-out', 100);
    pass(r, 5_000);
    expect(runs).toBe(1);
  });

  test('in the work on one of several items lets the others have their turn, and keeps that one', () => {
    const r = holding();
    const { halts } = coreOf(r.kernel);
    const done: string[] = [];
    let isBroken = true;
    const items = [1, 2, 3].map((key) => ({ key, nextAt: r.clock.time + 10 }));
    const owner = {
      turn(one: { key: number; nextAt: number }) {
        if (one.key === 1 && isBroken) throw new AssertionError('lots are at least 0');
        done.push(`turn ${one.key}`);
        one.nextAt = Infinity;
      },
    };
    const cases = new Cases(coreOf(r.kernel), null as never, owner as never);
    for (const one of items) cases.open(one);
    const actions = new LimitActions(
      coreOf(r.kernel),
      { cancel: () => undefined } as never,
      {
        wake() {
          done.push('flatten');
          if (isBroken && done.filter((one) => one === 'flatten').length === 1) throw new AssertionError('a wake');
        },
      } as never,
    );
    haltForBug(r);
    actions.act('flatten', { kind: 'symbol', instrument: 0 }, 'limit');
    actions.act('flatten', { kind: 'bot' }, 'limit');
    r.advance(10);
    expect(done).toEqual(['flatten', 'flatten', 'turn 2', 'turn 3']);
    expect(halts.all().filter(({ code }) => code === 'flatten')).toHaveLength(2);
    isBroken = false;
    r.advance(1_100);
    expect(done.slice(4).sort()).toEqual(['flatten', 'turn 1']);
    // Without the halt the first that fails ends the process, before the others.
    const { kernel } = holding();
    expect(() =>
      coreOf(kernel).timerQueue.each(
        [1, 2],
        (n) => assert(n === 2, 'two'),
        () => undefined,
      ),
    ).toThrow('two');
  });

  test('in a command of an operator is answered as that, and as no stop of the bot', () => {
    const r = holding();
    haltForBug(r);
    coreOf(r.kernel).halts.within = () => {
      throw new AssertionError('a halt has a scope');
    };
    const resume = { name: 'resume', scope: '', confirmed: false, by: 'ann', why: '' } as const;
    expect(r.kernel.inbox.operate(resume)).toMatchObject({
      ok: false,
      code: 'refused',
      message: expect.stringContaining('a halt has a scope'),
    });
  });

  test('halts after a restart as before, and what cannot be restored ends the start, so that the store stays as it is', () => {
    const r = holding();
    haltForBug(r);
    const next = rig({}, { polls: POLLS });
    next.clock.time = r.clock.time + 1_000;
    next.kernel.restore(foldRecords(null, r.records));
    next.kernel.inbox.start();
    pass(next, 3_000, [], [positionReport(LONG, 10)]);
    expect([next.kernel.phase, codes(next)]).toEqual(['armed', ['assertion-failed']]);
    breakState(next);
    next.advance(10);
    const third = rig({}, { polls: POLLS });
    expect(() => third.kernel.restore({ ...foldRecords(null, r.records), legs: null as never })).toThrow(TypeError);
  });
});

describe('a snapshot that a start would refuse', () => {
  /** More of an order is filled than was ordered. */
  function broken(): Rig {
    const r = polledRig({});
    const n = r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.010', limit: 900 });
    r.venue.accepted(n, 'v1');
    expect(r.kernel.mayKeep(r.kernel.snapshot())).toBe(true);
    coreOf(r.kernel).orders.find(n)!.filled = 11;
    return r;
  }

  test('ends the process, and names its order', () => {
    const r = broken();
    expect(() => r.kernel.mayKeep(r.kernel.snapshot())).toThrow('a kept order has filled from 0 to its size: found 11 (order 1)');
  });

  test('is told once and not kept while opens are halted for a bug', () => {
    const r = broken();
    haltForBug(r);
    for (let k = 0; k < 2; k++) expect(r.kernel.mayKeep(r.kernel.snapshot())).toBe(false);
    expect(r.log.events().filter((event) => event === 'assertion-failed')).toHaveLength(1);
    expect(r.kernel.status().counts['assertion-failed a kept order has filled from 0 to its size']).toBe(2);
    pass(r, 2_000);
    expect(r.ctx().cancel(1)).toBe(true);
  });
});

test('a record of an order of one lot with an average price proves the lot, also if it is shown as ended or open', () => {
  for (const state of ['cancelled', 'open'] as const) {
    const r = polledRig({});
    const n = r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.001' });
    r.venue.accepted(n, 'v1');
    const at = r.clock.time + 20;
    const mine = orderReport(r.venue.last(), state, { averagePrice: 1_000, createdAt: at, updatedAt: at });
    pass(r, 4_000, [mine], [positionReport(LONG, 1, { updatedAt: at })]);
    expect(r.ctx().markets[0]!.long.size, state).toBe(0.001);
  }
});
