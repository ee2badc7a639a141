/** When a leg counts as flat, how much of it is closed, and what an operator is told meanwhile. */
import { beforeEach, describe, expect, test } from 'vitest';
import { CLOSE, MARKET } from '../../../../src/domain/codes.ts';
import { LIST_LAG_MS } from '../../../../src/domain/time/timings.ts';
import type { OrderReport } from '../../../../src/domain/report.ts';
import type { OperatorCommand } from '../../../../src/engine/operator/command.ts';
import type { SavedHalt } from '../../../../src/domain/messages/saved-halt.ts';
import { EMPTY_SNAPSHOT } from '../../../../src/engine/recovery/registry.ts';
import { defineStrategy } from '../../../../src/engine/strategy/definition/define.ts';
import { btc, orderReport, positionReport, restarted, settleReads, START, type Rig } from '../../../support/engine/engine-kit.ts';

const ANN = { by: 'ann', why: '' } as const;

/** Armed on a LONG leg of `total` lots, `own` of them by orders of this bot. */
function holding(own: number, total = own): Rig {
  return restarted({ ...EMPTY_SNAPSHOT, legs: [{ symbol: 'BTCUSDT', side: 0, total, own, provenAt: 0 }] }, total);
}

const type = (r: Rig, name: 'kill' | 'flatten', scope = ''): void => {
  const command: OperatorCommand = name === 'kill' ? { name, ...ANN } : { name, scope, ...ANN };
  expect(r.kernel.inbox.operate(command).ok).toBe(true);
};

const isFlattening = (r: Rig): boolean => r.kernel.halts().some(({ code }) => code === 'flatten');
const left = (r: Rig): string =>
  r.kernel
    .status()
    .flattening.flatMap(({ open }) => open)
    .join('; ');
const closes = (r: Rig): number[] => r.venue.commands.filter((one) => one.effect === CLOSE && one.type === MARKET).map(({ size }) => size);

/** For `ms` the venue shows so many lots; reads of positions other than `which` fail. Own closes are filled as soon as they are accepted. */
function shows(r: Rig, ms: number, lots: number, which: 'both' | 'list' | 'single' = 'both'): void {
  for (let k = 0; k < ms; k += 100) {
    r.advance(100);
    for (const query of r.open.splice(0)) {
      const isOther = query.kind === 'positions' && which !== 'both' && (which === 'single') !== query.instrument >= 0;
      if (isOther) r.venue.failed(query, 'timeout');
      else r.open.push(query);
    }
    const ended = r.venue.commands
      .filter(({ seq }) => filled.has(seq))
      .map((one) => orderReport({ ...one }, status, { averagePrice: 1000 }));
    settleReads(r, ended, lots === 0 ? [] : [positionReport(0, lots, { updatedAt: r.clock.time })]);
    // Nobody may read an empty list as the end.
    expect([isFlattening(r), left(r) === '']).not.toEqual([true, true]);
  }
}

const filled = new Set<number>();
let status: OrderReport['status'] = 'filled';
beforeEach(() => {
  filled.clear();
  status = 'filled';
});

/** The venue accepts the newest close and fills it. */
function fill(r: Rig): void {
  const { seq } = r.venue.last();
  filled.add(seq);
  r.venue.accepted(seq, `v${seq}`);
}

describe('a leg is flat', () => {
  const closed = (): Rig => {
    const r = holding(10);
    type(r, 'flatten', 'BTCUSDT:LONG');
    r.advance(1);
    expect(closes(r)).toEqual([10]);
    fill(r);
    shows(r, 500, 0);
    expect([r.ctx().markets[0]!.long.lots, isFlattening(r)]).toEqual([0, true]);
    return r;
  };

  test('once a list and a single read that began listLagMs after the last own order show it, and not before', () => {
    const r = closed();
    expect(left(r)).toMatch(
      /^the proof that it is flat: a list \(E19\) and a single read \(E20\) that begin at [\d:]{8} UTC or later: BTCUSDT LONG$/,
    );
    shows(r, LIST_LAG_MS - 1_000, 0);
    expect(isFlattening(r)).toBe(true);
    shows(r, 3_000, 0);
    expect(r.kernel.status()).toMatchObject({ flattening: [], flattened: [{ scope: 'leg:BTCUSDT:LONG', isFlat: true, by: 'bot' }] });
    expect(closes(r)).toEqual([10]);
  });

  test.each(['list', 'single'] as const)('not by the %s alone', (which) => {
    const r = closed();
    shows(r, 2 * LIST_LAG_MS, 0, which);
    expect(isFlattening(r)).toBe(true);
    shows(r, 3_000, 0);
    expect(isFlattening(r)).toBe(false);
  });

  test('while an order of unknown outcome may still open it, never', () => {
    const r = holding(10);
    const open = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
    type(r, 'kill');
    r.venue.unknown(open, 'timeout');
    r.advance(1);
    fill(r);
    shows(r, 3 * LIST_LAG_MS, 0);
    expect([isFlattening(r), left(r)]).toEqual([true, expect.stringContaining(`order ${open} BTCUSDT LONG OPEN 0.010: unknown`)]);
  });

  test('ended by a person it is not called flat', () => {
    const r = closed();
    expect(r.kernel.inbox.operate({ name: 'resume', scope: '', confirmed: true, ...ANN }).ok).toBe(true);
    expect(r.kernel.status()).toMatchObject({ flattening: [], flattened: [{ isFlat: false, by: 'ann' }] });
  });
});

describe('how much is closed', () => {
  test('kill: what the newest single read shows, although fills prove less', () => {
    const r = holding(10);
    type(r, 'kill');
    r.advance(1);
    fill(r);
    // Others opened eight lots at the same moment.
    shows(r, 2_500, 8);
    expect(closes(r).slice(0, 2)).toEqual([10, 8]);
  });

  test('flatten: own lots of a leg that is partly of others, once; kill: all of it', () => {
    const r = holding(10, 15);
    type(r, 'flatten');
    r.advance(1);
    expect(closes(r)).toEqual([10]);
    fill(r);
    shows(r, LIST_LAG_MS + 3_000, 5);
    expect([isFlattening(r), closes(r), r.kernel.legOf(0, 0).own]).toEqual([false, [10], 0]);
    type(r, 'kill');
    shows(r, 200, 5);
    expect(closes(r)).toEqual([10, 5]);
  });

  test('flatten: an own close of unknown outcome is not sent again where it could take lots of others', () => {
    const r = holding(10, 15);
    type(r, 'flatten');
    r.advance(1);
    r.venue.unknown(r.venue.last().seq, 'timeout');
    shows(r, 5_000, 15);
    expect([closes(r), isFlattening(r)]).toEqual([[10], true]);
  });

  test('flatten: what an ended own close may have closed is not closed again beside lots of others', () => {
    const r = holding(10, 15);
    type(r, 'flatten');
    r.advance(1);
    status = 'cancelled';
    fill(r);
    // The position is from before the close, of which the record shows only that it filled a part.
    shows(r, 5_000, 15);
    // Nine own lots are left by what is proven, and eight of them may be closed.
    expect(closes(r)).toEqual([10, 1]);
    shows(r, 2 * LIST_LAG_MS, 8);
    expect(closes(r).reduce((sum, lots) => sum + lots, 0)).toBeLessThanOrEqual(13);
  });
});

describe('lots that no order of the journal opened, in a symbol that no strategy trades', () => {
  const LOST = { scope: 'bot', code: 'journal-rollback', detail: 'put back', since: START, by: 'bot', seq: 0 } as const;

  /** Armed on an empty account; 16 lots appear after it, as those of a trigger order that no list shows. */
  function appeared(halts: readonly SavedHalt[], before: (r: Rig) => void = () => undefined): Rig {
    const strategy = defineStrategy({ name: 'other', create: () => ({}) });
    const options = { instruments: [btc(0), btc(1, 'ETHUSDT')], strategies: [{ strategy, instruments: [1] }] };
    const r = restarted({ ...EMPTY_SNAPSHOT, halts }, 0, options);
    before(r);
    shows(r, 10_000, 16);
    expect(r.kernel.halts()).toContainEqual(expect.objectContaining({ scope: 'leg:BTCUSDT:LONG', code: 'external-position' }));
    return r;
  }

  const endings = (r: Rig): unknown[] =>
    r.log.lines.filter(({ event, fields }) => event === 'halt-lifted' && fields['code'] === 'flatten').map(({ fields }) => fields['why']);

  test('a kill closes them while the journal is known to have forgotten orders', () => {
    const r = appeared([LOST]);
    type(r, 'kill');
    r.advance(1);
    expect(closes(r)).toEqual([16]);
    fill(r);
    shows(r, LIST_LAG_MS + 3_000, 0);
    expect(endings(r)).toEqual([
      'flat: no own order and no position is left; a trigger order that the journal forgot may wait at the venue, and no list shows it',
    ]);
  });

  test('a kill that has closed all before closes them when they appear', () => {
    const r = appeared([LOST], (rig) => {
      type(rig, 'kill');
      shows(rig, 5_000, 0);
      expect([isFlattening(rig), closes(rig)]).toEqual([false, []]);
    });
    expect([isFlattening(r), new Set(closes(r))]).toEqual([true, new Set([16])]);
  });

  test('a flatten leaves them and does not say that no position is left', () => {
    const r = appeared([LOST]);
    type(r, 'flatten');
    shows(r, LIST_LAG_MS + 3_000, 16);
    expect(closes(r)).toEqual([]);
    expect(endings(r)).toEqual([expect.stringContaining('BTCUSDT LONG 0.016 is not closed')]);
  });

  test.each([
    ['of a whole journal', []],
    ['that a person has confirmed', [LOST]],
  ])('a kill leaves those %s, and names them', (_what, halts) => {
    const r = appeared(halts);
    if (halts.length > 0) expect(r.kernel.inbox.operate({ name: 'resume', scope: 'BTCUSDT:LONG', confirmed: false, ...ANN }).ok).toBe(true);
    type(r, 'kill');
    shows(r, LIST_LAG_MS + 3_000, 16);
    expect(closes(r)).toEqual([]);
    expect(endings(r)).toEqual([expect.stringContaining('BTCUSDT LONG 0.016 is not closed')]);
  });
});
