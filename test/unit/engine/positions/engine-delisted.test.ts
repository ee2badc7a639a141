/** A symbol that the venue does not know any more stops neither the reads of the account nor the opens of other symbols. */
import { describe, expect, test } from 'vitest';
import { CANCEL, CLOSE, LIMIT, PLACE } from '../../../../src/domain/codes.ts';
import { type Command, emptyCommand } from '../../../../src/domain/orders/command.ts';
import { CANCELLED, WORKING } from '../../../../src/domain/orders/order.ts';
import type { OrderReport, PositionReport } from '../../../../src/domain/report.ts';
import { EMPTY_SNAPSHOT } from '../../../../src/engine/recovery/registry.ts';
import type { Query } from '../../../../src/ports/venue.ts';
import {
  btc,
  orderReport,
  polledRig,
  POLLS,
  positionReport,
  restarted,
  rig,
  settleReads,
  START,
  usual,
  type Rig,
} from '../../../support/engine/engine-kit.ts';

const TWO = { instruments: [btc(), btc(1, 'ETHUSDT')] };
const GONE = { reason: 'unknown-instrument', code: '40001', message: 'symbol does not exist' } as const;

/**
 * For `ms`, reads of one of these symbols fail: it does not exist. The others are answered, with `lots` long of BTCUSDT and these order records,
 * which only the history of all symbols has.
 */
function gone(r: Rig, ms: number, symbols: readonly number[], lots = 0, records: readonly OrderReport[] = []): void {
  const isGone = ({ kind, instrument }: Query): boolean => (kind === 'account' || kind === 'positions') && symbols.includes(instrument);
  const recordsOf = ({ instrument }: Query): readonly OrderReport[] => (symbols.includes(instrument) ? [] : records);
  const positions = (): PositionReport[] => (lots === 0 ? [] : [positionReport(0, lots, { updatedAt: r.clock.time })]);
  for (let passed = 0; passed < ms; passed += 100) {
    r.advance(100);
    for (let k = 0; r.open.length > 0; k++) {
      if (k === 20) throw new Error('refused reads are repeated without a pause');
      for (const query of r.open.splice(0)) {
        if (isGone(query)) r.venue.failed(query, 'unknown-instrument');
        else r.venue.answered(query, usual(query, recordsOf(query), positions(), r.clock.time), r.clock.time, r.clock.time);
      }
    }
  }
}

const halts = (r: Rig): string[] => r.kernel.status().halts.map(({ scope, code }) => `${scope} ${code}`);

describe('the account is read with another symbol if the venue does not know the first', () => {
  test('opens of the other symbols go on', () => {
    const r = polledRig({}, TWO);
    gone(r, 120_000, [0]);
    expect(halts(r)).toContain('symbol:BTCUSDT offline');
    expect(halts(r)).not.toContain('bot account-unread');
    r.kernel.inbox.onQuote(1, 10_000, 5_000, 10_002, 5_000);
    expect(r.ctx().limit(r.ctx().markets[1]!, 'LONG', 'OPEN', 999, '0.01')).toBeGreaterThan(0);
  });

  test('and with the first again when the venue knows it', () => {
    const r = polledRig({}, TWO);
    gone(r, 10_000, [0]);
    gone(r, 10_000, []);
    gone(r, 120_000, [1]);
    expect(halts(r)).toEqual(expect.arrayContaining(['symbol:ETHUSDT offline']));
    expect(halts(r)).not.toContain('bot account-unread');
  });

  test('if none answers, opens are halted until one does', () => {
    const r = polledRig({}, TWO);
    gone(r, 120_000, [0, 1]);
    expect(halts(r)).toContain('bot account-unread');
    gone(r, 10_000, [0]);
    expect(halts(r)).not.toContain('bot account-unread');
  });

  test('at the start, too', () => {
    const r = rig({}, { polls: POLLS, ...TWO });
    r.kernel.inbox.start();
    for (let k = 0; k < 100 && r.kernel.phase !== 'armed'; k++) gone(r, 100, [0]);
    expect([r.kernel.phase, r.ctx().account.equity]).toEqual(['armed', 10_000]);
    gone(r, 10_000, [0]);
    expect(halts(r)).toContain('symbol:BTCUSDT offline');
  });
});

describe('an order that is not answered when its symbol is delisted', () => {
  /** A limit order of unknown outcome whose symbol the venue does not know for two minutes. */
  function unanswered(): { r: Rig; seq: number } {
    const r = polledRig({}, TWO);
    const seq = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 990, '0.01');
    r.venue.unknown(seq, 'timeout');
    gone(r, 120_000, [0]);
    return { r, seq };
  }

  test('stays unknown, and the alarm names the command with which a person ends it', () => {
    const { r, seq } = unanswered();
    expect(halts(r)).toEqual(expect.arrayContaining(['symbol:BTCUSDT outcome-offline', 'symbol:BTCUSDT offline']));
    const ends = `tickwright settle ${seq} landed VENUE-ID (or: not-landed)`;
    const alarms = r.log.lines
      .filter(({ event, level }) => event === 'symbol-halted' && level === 'error')
      .map(({ fields }) => fields['ends']);
    expect(alarms).toContain(ends);
    expect(r.ctx().order(seq)?.state).toBe('unknown');
    gone(r, 600_000, [0]);
    expect(r.ctx().order(seq)?.state).toBe('unknown');

    expect(r.kernel.inbox.operate({ name: 'settle', seq, venueId: null, by: 'ann', why: 'asked the venue' }).ok).toBe(true);
    expect(halts(r)).not.toContain('symbol:BTCUSDT outcome-offline');
    expect(r.ctx().order(seq)?.state ?? 'refused').toBe('refused');
  });

  test('is decided by reads if the symbol comes back', () => {
    const { r, seq } = unanswered();
    gone(r, 120_000, []);
    expect(halts(r)).toEqual(['symbol:BTCUSDT external-offline']);
    expect(r.ctx().order(seq)?.state ?? 'refused').toBe('refused');
  });
});

describe('an order that the venue cancelled when it delisted the symbol', () => {
  /** How the order ended, as the journal has it. */
  const endsOf = (r: Rig, seq: number): unknown[] =>
    r.records.filter((one) => one.kind === 'ended' && one.seq === seq).map(({ data }) => data['how']);

  /** A limit order that no cancel finds, and the record of its end. */
  function resting(): { r: Rig; seq: number; record: OrderReport } {
    const r = polledRig({}, TWO);
    const seq = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 990, '0.01');
    r.venue.onExecute = ({ kind, seq: no }: Command) => {
      if (kind === CANCEL) r.venue.rejected(no, { reason: 'order-not-found', code: '40001', message: 'order not found' });
    };
    return { r, seq, record: orderReport(r.venue.last(), 'cancelled', { updatedAt: r.clock.time + 100 }) };
  }

  test('ends by its record, which no list of the symbol shows', () => {
    const { r, seq, record } = resting();
    r.venue.accepted(seq, record.venueId);
    gone(r, 10_000, [0]);
    expect(r.ctx().order(seq)?.state).toBe('cancelling');
    gone(r, 10_000, [0], 0, [record]);
    expect(endsOf(r, seq)).toEqual([CANCELLED]);
  });

  test('ends so too if it had no answer: its record proves that it had landed', () => {
    const { r, seq, record } = resting();
    r.venue.unknown(seq, 'timeout');
    gone(r, 120_000, [0], 0, [record]);
    expect(endsOf(r, seq)).toEqual([CANCELLED]);
    expect(halts(r)).toEqual(expect.not.arrayContaining(['symbol:BTCUSDT outcome-offline', 'symbol:BTCUSDT outcome-unknown']));
  });

  test('is read about once in two seconds, however many there are', () => {
    const { r, seq, record } = resting();
    r.venue.accepted(seq, record.venueId);
    r.kernel.inbox.onQuote(1, 10_000, 5_000, 10_002, 5_000);
    // Of two symbols in turn: each has a list of its own.
    for (let k = 1; k < 6; k++) r.venue.accepted(r.ctx().limit(r.ctx().markets[k % 2]!, 'LONG', 'OPEN', 980, '0.01'), `w${k}`);
    gone(r, 10_000, [0, 1]);
    const asked: string[] = [];
    const query = r.venue.query.bind(r.venue);
    r.venue.query = (one): void => {
      if (one.kind === 'history' && one.clientId !== '') asked.push(one.clientId);
      query(one);
    };
    gone(r, 60_000, [0, 1]);
    expect(asked.length).toBeGreaterThanOrEqual(20);
    expect(asked.length).toBeLessThanOrEqual(31);
    expect(new Set(asked).size).toBe(6);
  });
});

test('after a restart the first reads already know that the symbol is offline: an order that they lack is not lost', () => {
  const r = rig({}, { polls: POLLS, ...TWO });
  const order = { ...emptyCommand(), kind: PLACE, seq: 1, type: LIMIT, price: 9_900, size: 10, time: START };
  const facts = { strategy: 'probe', symbol: 'BTCUSDT', createdAt: START, sentAt: START, filled: 0, venueId: 'v1', replaces: 0 };
  const halt = { scope: 'symbol:BTCUSDT', code: 'offline', detail: '', since: START, by: 'bot', seq: 0 };
  r.kernel.restore({ ...EMPTY_SNAPSHOT, nextSeq: 2, orders: [{ ...order, ...facts, state: WORKING }], halts: [halt] });
  r.kernel.inbox.start();
  for (let passed = 0; passed < 120_000; passed += 500) {
    r.advance(500);
    // The account is not read, so the start goes on.
    const accounts = r.open.filter(({ kind }) => kind === 'account');
    r.open.splice(0, r.open.length, ...r.open.filter(({ kind }) => kind !== 'account'));
    settleReads(r, [], []);
    for (const query of accounts) r.venue.failed(query, 'timeout');
  }
  expect(r.kernel.phase).toBe('reconciling');
  expect(halts(r)).toEqual(['symbol:BTCUSDT offline']);
});

describe('a flattening whose closes the venue refuses because of the symbol', () => {
  /** The times of the closes, in ms since the flattening began. */
  function refused(ms: number): { r: Rig; times: number[] } {
    const r = restarted({ ...EMPTY_SNAPSHOT, legs: [{ symbol: 'BTCUSDT', side: 0, total: 10, own: 10, provenAt: 0 }] }, 10);
    const times: number[] = [];
    const begun = r.clock.time;
    r.venue.onExecute = ({ effect, seq }: Command) => {
      if (effect !== CLOSE) return;
      times.push(r.clock.time - begun);
      r.venue.rejected(seq, GONE);
    };
    expect(r.kernel.inbox.operate({ name: 'flatten', scope: 'BTCUSDT', by: 'ann', why: '' }).ok).toBe(true);
    gone(r, ms, [0], 10);
    return { r, times };
  }

  test('tries again after pauses that double', () => {
    const { times } = refused(180_000);
    const pauses = times.slice(1).map((time, k) => time - times[k]!);
    expect(times.length).toBeLessThanOrEqual(9);
    expect(times.length).toBeGreaterThanOrEqual(6);
    // The first two are at least as long as the closes of any leg wait for a read.
    pauses.slice(2).forEach((pause, k) => expect(pause).toBeGreaterThan(1.7 * pauses[k + 1]!));
  });

  test('says in status and answer that the venue refuses the symbol and the position stays', () => {
    const { r } = refused(20_000);
    const said =
      /^position BTCUSDT LONG 0\.010: the venue refuses BTCUSDT \(unknown-instrument\), the position stays; the next close follows in \d+ s$/;
    expect(r.kernel.status().flattening).toMatchObject([{ open: [expect.stringMatching(said)] }]);
    const again = r.kernel.inbox.operate({ name: 'flatten', scope: 'BTCUSDT', by: 'ann', why: '' });
    expect(again).toMatchObject({ did: expect.arrayContaining([expect.stringMatching(/the venue refuses BTCUSDT.*the position stays/)]) });
  });

  test('closes at once when the venue knows the symbol again', () => {
    const { r, times } = refused(180_000);
    const before = times.length;
    gone(r, 8_000, [], 10);
    expect(times.length).toBeGreaterThan(before);
  });
});
