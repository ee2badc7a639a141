import { describe, expect, test } from 'vitest';
import { CANCEL, LONG } from '../../../../src/domain/codes.ts';
import { REFUSED, SUBMITTING } from '../../../../src/domain/orders/order.ts';
import { formatClientId } from '../../../../src/domain/orders/command.ts';
import { recordingJournal } from '../../../../src/engine/recovery/records.ts';
import { foldRecords } from '../../../../src/engine/recovery/registry.ts';
import type { JournalRecord } from '../../../../src/ports/store.ts';
import {
  btc,
  IDENTITY,
  orderReport,
  polledRig,
  positionReport,
  pushedRig,
  rejection,
  rig,
  settleReads,
  POLLS,
  START,
  type Rig,
} from '../../../support/engine/engine-kit.ts';
import { ambiguous, findsNothing, silence } from '../../../support/engine/unknown-outcome.ts';
import { settle } from '../../../support/engine/operator-commands.ts';

const errorLines = (r: Rig): Rig['log']['lines'] => r.log.lines.filter(({ level }) => level === 'error');

describe('an unknown outcome', () => {
  test('halts opens of the symbol and allows cancels and closes [outcomes R9]', () => {
    const r = polledRig();
    const resting = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 998, 0.01);
    r.venue.accepted(resting, 'v1');
    const n = ambiguous(r);
    expect(r.ctx().order(n)!.state).toBe('unknown');
    expect(r.ctx().markets[0]!.isHalted).toBe(true);
    expect(r.log.lines.map((l) => `${l.level} ${l.event}`)).toEqual(expect.arrayContaining(['warn outcome-unknown', 'warn symbol-halted']));
    expect(errorLines(r)).toEqual([]);
    expect(r.records.at(-1)).toMatchObject({ kind: 'halt', seq: n, data: { scope: 'symbol:BTCUSDT', code: 'outcome-unknown' } });
    expect(r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01)).toBe(0);
    expect(r.ctx().markets[0]!.long.opening).toBe(0.02);
    expect(r.ctx().cancel(resting)).toBe(true);
    expect(r.venue.last().kind).toBe(CANCEL);
  });

  test('is an error of the log once, when it has lasted five seconds', () => {
    const r = polledRig();
    const n = ambiguous(r);
    r.advance(4_900);
    expect(errorLines(r)).toEqual([]);
    r.advance(20_000);
    expect(errorLines(r)).toMatchObject([{ event: 'still-unknown', fields: { seq: n, scope: 'symbol:BTCUSDT', code: 'outcome-unknown' } }]);
    const soon = polledRig();
    ambiguous(soon);
    soon.advance(1);
    settleReads(soon, [orderReport(soon.venue.last(), 'open')], []);
    soon.advance(20_000);
    expect(errorLines(soon)).toEqual([]);
  });

  test('found among the pending orders: it rests, and the halt ends [outcomes R10]', () => {
    const r = polledRig();
    const n = ambiguous(r);
    r.advance(1);
    expect(r.open).toContainEqual({ kind: 'pending', instrument: 0, isProof: true });
    settleReads(r, [orderReport(r.venue.last(), 'open')], []);
    expect(r.ctx().order(n)).toMatchObject({ state: 'working', venueId: `v${n}` });
    expect(r.ctx().markets[0]!.isHalted).toBe(false);
    expect(r.records.at(-1)).toMatchObject({ kind: 'lift', seq: n });
  });

  test('found in the history: it ends as the venue says [outcomes R10]', () => {
    const r = polledRig();
    const m = r.ctx().markets[0]!;
    const n = ambiguous(r);
    r.advance(1);
    settleReads(r, [orderReport(r.venue.last(), 'filled', { averagePrice: 999 })], [positionReport(LONG, 10)]);
    expect(r.ctx().order(n)?.isAlive ?? false).toBe(false);
    expect(m.long.size).toBe(0.01);
    expect(m.isHalted).toBe(false);
  });

  test('is read at 0, 1, 2, 4, 8, 8 … s; 3 absences, the horizon and the lag of lists presume it lost [outcomes R16] [outcomes R20]', () => {
    const r = polledRig();
    findsNothing(r);
    const n = ambiguous(r);
    const since = r.clock.time;
    const looks: number[] = [];
    for (let ms = 0; ms < 90_000; ms += 100) {
      r.advance(100);
      if (r.open.some((q) => q.kind === 'history' && q.clientId === formatClientId(IDENTITY, n))) looks.push(r.clock.time - since);
      for (let left = 3; left > 0 && r.open.length > 0; left--) {
        if (r.open.some((q) => q.kind === 'pending' && q.instrument === 0)) looks.push(r.clock.time - since);
        settleReads(r, [], []);
      }
      if (r.ctx().order(n)?.state !== 'unknown') break;
    }
    expect(looks.slice(0, 5).map((ms) => Math.round(ms / 1000))).toEqual([0, 1, 3, 7, 15]);
    expect(r.clock.time - since).toBeGreaterThanOrEqual(72_000);
    expect(r.ctx().markets[0]!.isHalted).toBe(false);
    expect(r.records.find((x) => x.kind === 'ended')).toMatchObject({ seq: n, data: { how: REFUSED } });
    expect(r.log.events()).toContain('presumed-not-landed');
    // It appears after all: it is cancelled, with an alarm.
    r.advance(1000);
    const landed = orderReport(r.venue.commands[0]!, 'open');
    settleReads(r, [landed], []);
    expect(r.log.events()).toContain('late-landing');
    expect(r.venue.last()).toMatchObject({ kind: CANCEL, target: n });
  });

  test('the horizon counts from the unknown outcome, however long the command waited before', () => {
    const r = polledRig();
    findsNothing(r);
    const n = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
    r.advance(40_000);
    r.venue.unknown(n, 'timeout');
    silence(r, 59_000);
    expect(r.ctx().order(n)!.state).toBe('unknown');
    silence(r, 24_000);
    expect(r.log.events()).toContain('presumed-not-landed');
  });

  test('a venue that shows nothing for seconds does not end an order that rested long', () => {
    const r = polledRig();
    const m = r.ctx().markets[0]!;
    const n = r.ctx().limit(m, 'LONG', 'OPEN', 999, 0.01);
    const resting = r.venue.last();
    r.venue.accepted(n, 'v1');
    for (let s = 0; s < 120; s++) {
      r.advance(1000);
      settleReads(r, [orderReport(resting, 'open')], []);
    }
    silence(r, 30_000);
    expect(r.ctx().order(n)!.state).toBe('unknown');
    expect(m.isHalted).toBe(true);
    r.advance(8000);
    settleReads(r, [orderReport(resting, 'open')], []);
    expect(r.ctx().order(n)!.state).toBe('working');
    expect(m.isHalted).toBe(false);
    expect(r.venue.commands.length).toBe(1);
  });

  test('failing reads decide nothing, however long they fail [outcomes R17]', () => {
    const r = polledRig();
    const n = ambiguous(r);
    for (let k = 0; k < 200; k++) {
      r.advance(1000);
      for (let q = r.open.shift(); q !== undefined; q = r.open.shift()) {
        if (q.kind === 'pending' || q.kind === 'history') r.venue.failed(q, 'timeout');
        else {
          r.open.unshift(q);
          break;
        }
      }
      while (r.open.length > 0) r.venue.failed(r.open.shift()!, 'timeout');
    }
    expect(r.ctx().order(n)!.state).toBe('unknown');
    expect(r.ctx().markets[0]!.isHalted).toBe(true);
  });

  test('an unknown modify leaves both orders open until a read shows one [outcomes E14] [outcomes 2.7]', () => {
    const r = polledRig();
    const m = r.ctx().markets[0]!;
    const a = r.ctx().limit(m, 'LONG', 'OPEN', 999, 0.01);
    r.venue.accepted(a, 'v1');
    r.advance(1);
    const b = r.ctx().modify(a, { limit: 998 });
    const replacing = r.venue.last();
    r.venue.unknown(b, 'reset');
    expect([r.ctx().order(a)!.state, r.ctx().order(b)!.state]).toEqual(['unknown', 'unknown']);
    r.advance(1);
    settleReads(r, [orderReport(replacing, 'open')], []);
    expect(m.orders.map((o) => [o.number, o.state])).toEqual([[b, 'working']]);
    expect(m.isHalted).toBe(false);
    expect(m.long.opening).toBe(0.01);
  });

  test('a modify that lands after a read showed the old order still ends the old order', () => {
    const r = polledRig();
    const m = r.ctx().markets[0]!;
    const a = r.ctx().limit(m, 'LONG', 'OPEN', 999, 0.01);
    const resting = r.venue.last();
    r.venue.accepted(a, 'v1');
    r.advance(1);
    const b = r.ctx().modify(a, { limit: 998 });
    const replacing = r.venue.last();
    r.venue.unknown(b, 'reset');
    r.advance(1);
    settleReads(r, [orderReport(resting, 'open')], []);
    expect([r.ctx().order(a)!.state, r.ctx().order(b)!.state]).toEqual(['working', 'unknown']);
    r.advance(1000);
    settleReads(r, [orderReport(replacing, 'open')], []);
    expect(m.orders.map((o) => [o.number, o.state])).toEqual([[b, 'working']]);
    expect([m.isHalted, m.long.opening]).toEqual([false, 0.01]);
  });

  test('an unknown cancel may be repeated and halts nothing', () => {
    const r = polledRig();
    const n = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
    r.venue.accepted(n, 'v1');
    r.ctx().cancel(n);
    r.venue.unknown(r.venue.last().seq, 'timeout');
    expect(r.ctx().markets[0]!.isHalted).toBe(false);
    expect(r.ctx().cancel(n)).toBe(true);
  });

  test.each(['unknown', 'unsent'] as const)(
    'a cancel that is %s is sent again when the order is seen, and only once [outcomes E15]',
    (how) => {
      const r = polledRig();
      const n = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
      const resting = r.venue.last();
      r.venue.accepted(n, 'v1');
      r.ctx().cancel(n);
      r.venue[how](r.venue.last().seq, 'timeout');
      expect(r.ctx().order(n)!.state).toBe('working');
      expect(r.venue.commands.length).toBe(2);
      r.advance(1000);
      settleReads(r, [orderReport(resting, 'open')], []);
      expect(r.venue.commands.length).toBe(3);
      expect(r.venue.last()).toMatchObject({ kind: CANCEL, target: n });
      r.advance(1000);
      settleReads(r, [orderReport(resting, 'open')], []);
      expect(r.venue.commands.length).toBe(3);
      r.venue.accepted(r.venue.last().seq, '');
      expect(r.ctx().order(n)?.isAlive ?? false).toBe(false);
    },
  );

  test('a modify by the strategy after a lost cancel drops the cancel', () => {
    const r = polledRig();
    const n = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
    r.venue.accepted(n, 'v1');
    r.ctx().cancel(n);
    r.venue.unknown(r.venue.last().seq, 'timeout');
    const moved = r.ctx().modify(n, { limit: 998 });
    const replacing = r.venue.last();
    r.venue.accepted(moved, 'v2');
    r.advance(1000);
    settleReads(r, [orderReport(replacing, 'open', { venueId: 'v2' })], []);
    expect(r.ctx().order(moved)!.state).toBe('working');
    expect(r.venue.last()).toBe(replacing);
  });

  test('a command without any answer becomes unknown in the end', () => {
    const r = pushedRig({}, { timings: { commandTimeoutMs: 1000, marketValidMs: 1, limitValidMs: 1, closeValidMs: 1 } });
    const n = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
    r.kernel.inbox.onQuote(0, 10_000, 1, 10_002, 1);
    r.advance(1000);
    expect(r.ctx().order(n)!.state).toBe('submitting');
    r.advance(1);
    expect(r.ctx().order(n)!.state).toBe('unknown');
  });

  test('an operator settles what no read can show', () => {
    const r = polledRig();
    const n = ambiguous(r);
    expect(settle(r.kernel, n, null)).toBe(true);
    expect(r.ctx().order(n)?.isAlive ?? false).toBe(false);
    expect(r.ctx().markets[0]!.isHalted).toBe(false);
    expect(settle(r.kernel, n, null)).toBe(false);
  });
});

describe('a restart', () => {
  test('from the journal alone: orders keep ids, in-flight commands are resolved [outcomes R22]', () => {
    const first = polledRig();
    const m = first.ctx().markets[0]!;
    const resting = first.ctx().limit(m, 'LONG', 'OPEN', 999, 0.01);
    const restingCommand = first.venue.last();
    first.venue.accepted(resting, 'v1');
    const gone = first.ctx().limit(m, 'LONG', 'OPEN', 998, 0.01);
    first.venue.rejected(gone, rejection('insufficient-balance'));
    const flying = first.ctx().limit(m, 'SHORT', 'OPEN', 1001, 0.02);
    const flyingCommand = first.venue.last();
    // kill -9 here: only the journal is left.
    const snapshot = foldRecords(null, first.records);
    expect(snapshot.orders.map((o) => o.seq)).toEqual([resting, flying]);
    expect(snapshot.nextSeq).toBe(flying + 1);
    expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot);

    const second = rig({}, { polls: POLLS });
    second.clock.time = first.clock.time + 5000;
    second.kernel.restore(snapshot);
    second.kernel.inbox.start();
    expect(second.kernel.phase).toBe('reconciling');
    expect(second.kernel.markets[0]!.isHalted).toBe(true);
    second.advance(1);
    settleReads(second, [orderReport(restingCommand, 'open'), orderReport(flyingCommand, 'open')], []);
    expect(second.kernel.phase).toBe('armed');
    expect(second.kernel.markets[0]!.isHalted).toBe(false);
    expect(second.kernel.markets[0]!.orders.map((o) => [o.number, o.state])).toEqual([
      [resting, 'working'],
      [flying, 'working'],
    ]);
    settleReads(second, [], []);
    expect(second.ctx().limit(second.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01)).toBe(flying + 1);
  });

  test('a modify that landed while the bot was down has replaced its order', () => {
    const first = polledRig();
    const a = first.ctx().limit(first.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
    first.venue.accepted(a, 'v1');
    const b = first.ctx().modify(a, { limit: 998 });
    const command = first.venue.last();

    const second = rig({}, { polls: POLLS });
    second.clock.time = first.clock.time + 5000;
    second.kernel.restore(foldRecords(null, first.records));
    second.kernel.inbox.start();
    second.advance(1);
    settleReads(second, [orderReport(command, 'open')], []);
    expect(second.kernel.markets[0]!.orders.map((o) => [o.number, o.state])).toEqual([[b, 'working']]);
    expect(second.kernel.markets[0]!.long.opening).toBe(0.01);
  });

  test.each([
    ['positions', 'history'],
    ['history', 'positions'],
  ] as const)('fills while the bot was down are in the position once, reading %s first, then %s', (one, other) => {
    const first = polledRig();
    const resting = first.ctx().limit(first.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
    const command = first.venue.last();
    first.venue.accepted(resting, 'v1');

    const sizes: number[] = [];
    const second = rig({ onStart: (ctx) => void sizes.push(ctx.markets[0]!.long.size) }, { polls: POLLS });
    second.clock.time = first.clock.time + 5000;
    second.kernel.restore(foldRecords(null, first.records));
    second.kernel.inbox.start();
    const rank = ({ kind }: { kind: string }) => (kind === one ? 0 : kind === other ? 1 : 2);
    for (let ms = 0; ms < 5000 && second.kernel.phase !== 'armed'; ms += 10) {
      second.open.sort((a, b) => rank(a) - rank(b));
      settleReads(second, [orderReport(command, 'filled', { averagePrice: 999 })], [positionReport(LONG, 10)]);
      second.advance(10);
    }
    expect(sizes).toEqual([0.01]);
    expect(second.records.filter((record) => record.kind === 'fill')).toMatchObject([{ seq: resting, data: { lots: 10 } }]);
    second.advance(5000);
    settleReads(second, [], [positionReport(LONG, 10)]);
    second.advance(5000);
    settleReads(second, [], [positionReport(LONG, 10)]);
    expect(second.kernel.markets[0]!.long.size).toBe(0.01);
    expect(second.log.events()).not.toContain('external');
  });

  test('a snapshot plus later records gives the same state as the whole journal', () => {
    const r = polledRig();
    const m = r.ctx().markets[0]!;
    const a = r.ctx().limit(m, 'LONG', 'OPEN', 999, 0.01);
    r.venue.accepted(a, 'v1');
    const at = r.records.length;
    const snapshot = r.kernel.snapshot();
    const b = r.ctx().modify(a, { limit: 998 });
    r.venue.accepted(b, 'v2');
    r.ctx().cancel(b);
    const whole = foldRecords(null, r.records);
    const tail = foldRecords(snapshot, r.records.slice(at));
    expect(tail.orders).toEqual(whole.orders);
    expect(tail.nextSeq).toBe(whole.nextSeq);
    expect(whole.orders.map((o) => [o.seq, o.venueId])).toEqual([[b, 'v2']]);
  });

  test('opens wait until all reads are in, and a failed read is repeated', () => {
    const r = rig({ onStart: () => undefined }, { polls: POLLS });
    r.kernel.inbox.start();
    const startup = r.open.splice(0);
    for (const query of startup) {
      if (query.kind === 'positions') r.venue.failed(query, 'timeout');
      else r.open.push(query);
    }
    settleReads(r, [], []);
    expect(r.kernel.phase).toBe('reconciling');
    r.advance(1000);
    settleReads(r, [], [positionReport(LONG, 5)]);
    expect(r.kernel.phase).toBe('reconciling');
    r.advance(100);
    settleReads(r, [], [positionReport(LONG, 5)]);
    expect(r.kernel.phase).toBe('armed');
    expect(r.kernel.markets[0]!.long.size).toBe(0.005);
    expect(r.log.events()).not.toContain('external');
  });

  describe('with reads refused as unauthorized', () => {
    /** One round: each open read fails with the cause from `causeOf`, or is answered if there is none. */
    function round(r: Rig, causeOf: (kind: string) => string | null): void {
      const asked = r.open.splice(0);
      expect(asked.length).toBeGreaterThan(0);
      for (const query of asked) {
        const cause = causeOf(query.kind);
        if (cause === null) r.open.push(query);
        else r.venue.failed(query, cause);
      }
      if (r.open.length > 0) settleReads(r, [], []);
      r.advance(10_000);
    }
    /** True if the bot repeats the start's reads: only those read the history. */
    const asksAgain = (r: Rig): boolean => r.open.some((query) => query.kind === 'history');
    const started = (): Rig => {
      const r = rig({}, { polls: POLLS });
      r.kernel.inbox.start();
      return r;
    };

    test('all of them: one error says what to check, and the fourth round gives up', () => {
      const r = started();
      for (let k = 0; k < 4; k++) {
        expect(r.kernel.isUnauthorized).toBe(false);
        round(r, () => 'unauthorized');
      }
      expect([r.kernel.isUnauthorized, asksAgain(r), r.kernel.phase]).toEqual([true, false, 'reconciling']);
      const errors = r.log.lines.filter((line) => line.level === 'error');
      expect(errors).toMatchObject([
        { event: 'unauthorized', fields: { reads: 4, hint: expect.stringMatching(/key, secret and passphrase.*clock.*doctor/) } },
      ]);
    });

    test('but not all, or not always: it keeps reading', () => {
      const mixed = started();
      for (let k = 0; k < 6; k++) round(mixed, (kind) => (kind === 'positions' ? 'timeout' : 'unauthorized'));
      const known = started();
      for (let k = 0; k < 6; k++) round(known, (kind) => (kind === 'positions' ? null : 'unauthorized'));
      const between = started();
      for (const cause of ['unauthorized', 'unauthorized', 'unauthorized', 'timeout', 'unauthorized', 'unauthorized', 'unauthorized'])
        round(between, () => cause);
      for (const r of [mixed, known, between]) expect([r.kernel.isUnauthorized, asksAgain(r)]).toEqual([false, true]);
      round(between, () => null);
      // One read of the positions is not enough: two must agree.
      expect(between.kernel.phase).toBe('reconciling');
      round(between, () => null);
      expect(between.kernel.phase).toBe('armed');
    });

    test('each cause is logged once', () => {
      const r = started();
      round(r, () => 'unauthorized');
      const kinds = r.log.lines.filter((line) => line.level === 'warn').map((line) => `${line.event} ${String(line.fields['kind'])}`);
      expect(kinds.sort()).toEqual(['read-failed account', 'read-failed history', 'read-failed pending', 'read-failed positions']);
    });
  });

  test('an own order missing from the journal is cancelled; an id never issued halts opens', () => {
    const command = { ...polledOrder(), seq: 3 };
    const r = rig({}, { polls: POLLS });
    r.kernel.restore({ version: 1, nextSeq: 10, orders: [], halts: [], strategies: {} });
    r.kernel.inbox.start();
    settleReads(r, [orderReport(command, 'open')], []);
    // The list may be older than the order's end; only its repetition proves that the order is open.
    expect(r.venue.commands).toEqual([]);
    for (let s = 0; s < 15; s++) {
      r.advance(1000);
      settleReads(r, [orderReport(command, 'open')], []);
    }
    expect(r.venue.commands[0]).toMatchObject({ kind: CANCEL, target: 3, targetVenueId: 'v3' });
    expect(r.kernel.markets[0]!.long.opening).toBe(0.01);
    const q = rig({}, { polls: POLLS });
    q.kernel.inbox.start();
    settleReads(q, [orderReport(command, 'open')], []);
    expect(q.kernel.status().haltedAll).toBe('journal-rollback');
  });

  test('foreign orders are counted and never touched', () => {
    const r = polledRig();
    r.advance(1000);
    settleReads(r, [orderReport(polledOrder(), 'open', { clientId: 'somebody-else', venueId: 'x' })], []);
    expect(r.kernel.status().foreignOrders).toBe(1);
    expect(r.venue.commands).toEqual([]);
  });

  test('a command that the journal records as unsent is not searched for [outcomes R23]', () => {
    const records: JournalRecord[] = [];
    const journal = recordingJournal([btc()], (record) => records.push(record));
    journal.command({ ...polledOrder(), seq: 7 } as never, 'probe', '');
    expect(foldRecords(null, records).orders, 'without an outcome may have been sent').toMatchObject([{ seq: 7, state: SUBMITTING }]);
    journal.outcome(7, 'unsent', '', 'expired', START);
    journal.ended(7, REFUSED, 0, true, START);
    const after = foldRecords(null, records);
    expect([after.orders, after.nextSeq]).toEqual([[], 8]);
  });

  test('an order of a symbol that is no longer configured is kept', () => {
    const source = pushedRig({}, { instruments: [btc(0), btc(1, 'ETHUSDT')] });
    source.kernel.inbox.onQuote(1, 10_000, 1, 10_002, 1);
    const n = source.ctx().limit(source.ctx().markets[1]!, 'LONG', 'OPEN', 999, 0.01);
    source.venue.accepted(n, 'v1');
    const r = rig({}, { polls: POLLS });
    r.kernel.restore(source.kernel.snapshot());
    expect(r.log.events()).toContain('order-of-unknown-symbol');
    expect(r.kernel.snapshot().orders.map((o) => o.symbol)).toEqual(['ETHUSDT']);
  });
});

function polledOrder() {
  const r = polledRig();
  r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
  return r.venue.last();
}
