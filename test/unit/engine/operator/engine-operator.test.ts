import { describe, expect, test } from 'vitest';
import { CANCEL, CLOSE, LONG, MARKET, PLACE } from '../../../../src/domain/codes.ts';
import { CANCELLED } from '../../../../src/domain/orders/order.ts';
import type { PositionReport } from '../../../../src/domain/report.ts';
import { defineStrategy } from '../../../../src/engine/strategy/definition/define.ts';
import type { OperatorCommand } from '../../../../src/engine/operator/command.ts';
import { param } from '../../../../src/engine/strategy/definition/params.ts';
import { EMPTY_SNAPSHOT, foldRecords } from '../../../../src/engine/recovery/registry.ts';
import { btc, polledRig, positionReport, pushedRig, rig, settleReads, type Rig } from '../../../support/engine/engine-kit.ts';

const ANN = { by: 'ann', why: 'a test' } as const;
const PAIR = { instruments: [btc(0), btc(1, 'ETHUSDT')] };

/** Armed, with quotes, a position of 0.01 LONG in BTC, and a resting open and close there. */
function held(): Rig & { readonly resting: number; readonly closing: number } {
  const r = pushedRig({}, PAIR);
  r.kernel.inbox.onQuote(1, 10_000, 5_000, 10_002, 5_000);
  const [market] = r.ctx().markets;
  const bought = r.ctx().limit(market!, 'LONG', 'OPEN', 1000.2, 0.01);
  r.venue.accepted(bought, 'v1');
  r.venue.pushedFill(bought, 10, 10_002);
  const resting = r.ctx().limit(market!, 'LONG', 'OPEN', 999, 0.01);
  r.venue.accepted(resting, 'v2');
  const closing = r.ctx().limit(market!, 'LONG', 'CLOSE', 1001, 0.01);
  r.venue.accepted(closing, 'v3');
  return { ...r, resting, closing };
}

function operate(r: Rig, command: OperatorCommand): string[] {
  const result = r.kernel.inbox.operate(command);
  if (!result.ok) throw new Error(`${result.code}: ${result.message}`);
  return [...result.did];
}

describe('an operator’s command', () => {
  test('cancel-all cancels the live orders of its scope and names them', () => {
    const r = held();
    const other = r.ctx().limit(r.ctx().markets[1]!, 'LONG', 'OPEN', 999, 0.01);
    r.venue.accepted(other, 'v4');
    const result = r.kernel.inbox.operate({ name: 'cancel-all', scope: 'BTCUSDT', ...ANN });
    expect(result).toMatchObject({ ok: true, orders: [r.resting, r.closing] });
    expect(r.venue.commands.slice(-2).map(({ target }) => target)).toEqual([r.resting, r.closing]);
    expect(r.ctx().order(other)?.state).toBe('working');
  });

  test('an unknown scope is refused, and nothing changes', () => {
    const r = held();
    for (const name of ['halt', 'flatten', 'cancel-all'] as const) {
      expect(r.kernel.inbox.operate({ name, scope: 'DOGEUSDT', ...ANN })).toMatchObject({ ok: false, code: 'no-such-scope' });
    }
    expect([r.kernel.halts().length, r.ctx().markets[0]!.orders.length]).toEqual([0, 2]);
  });
});

describe('halt and resume', () => {
  test('who asks for an existing halt is added to it with a new reason, in the journal too', () => {
    const r = held();
    operate(r, { name: 'halt', scope: 'BTCUSDT', by: 'ann', why: 'news at noon' });
    const [{ since } = { since: -1 }] = r.kernel.halts();
    r.advance(500);
    const did = operate(r, { name: 'halt', scope: 'BTCUSDT', by: 'bob', why: 'and the feed is odd' });
    expect(did.join(' ')).toContain('halted already (operator, by ann: news at noon; and the feed is odd)');
    operate(r, { name: 'halt', scope: 'BTCUSDT', by: 'bob', why: '' });
    const now = { scope: 'symbol:BTCUSDT', by: 'ann and bob', since, detail: 'news at noon; and the feed is odd' };
    expect(r.kernel.halts()).toMatchObject([now]);
    expect(foldRecords(null, r.records).halts).toMatchObject([now]);
    for (let k = 0; k < 100; k++) operate(r, { name: 'halt', scope: 'BTCUSDT', by: 'bob', why: `reason ${k} of many` });
    expect(r.kernel.halts()[0]!.detail.length).toBeLessThanOrEqual(600);
  });

  test('a scope in lower case or misspelt gets a suggestion', () => {
    const r = held();
    const hintOf = (scope: string): unknown => {
      const result = r.kernel.inbox.operate({ name: 'halt', scope, ...ANN });
      return result.ok ? result : result.hint;
    };
    expect(hintOf('btcusdt')).toBe('did you mean "BTCUSDT"?');
    expect(hintOf('btcusdt:long')).toBe('did you mean "BTCUSDT:LONG"?');
    expect(hintOf('prboe')).toBe('did you mean "probe"?');
    expect(hintOf('somethingelse')).toContain('a symbol (BTCUSDT)');
  });

  test('halt stops opens at once and names those already sent', () => {
    const r = held();
    const sent = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 998, 0.01);
    const did = operate(r, { name: 'halt', scope: 'BTCUSDT', ...ANN });
    expect(did.join(' ')).toContain(`1 opening order had been sent before and may still arrive: ${sent}`);
    expect(did.at(-1)).toBe('to end it: tickwright resume BTCUSDT');
    expect(r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 998, 0.01)).toBe(0);
    expect(r.ctx().limit(r.ctx().markets[1]!, 'LONG', 'OPEN', 998, 0.01)).toBeGreaterThan(0);
  });

  test('a waiting command is found to be halted before it is sent', () => {
    const r = held();
    r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 998, 0.01);
    const open = r.venue.last();
    r.ctx().cancel(r.resting);
    const cancel = r.venue.last();
    expect([r.kernel.vetoOf(open), r.kernel.vetoOf(cancel)]).toEqual([null, null]);
    operate(r, { name: 'halt', scope: '', ...ANN });
    expect([r.kernel.vetoOf(open), r.kernel.vetoOf(cancel)]).toEqual(['halted', null]);
  });

  test('a waiting close of a leg that was flat since is not sent: it would close what was opened later', () => {
    const r = held();
    r.ctx().cancel(r.closing);
    r.venue.pushedEnd(r.closing, CANCELLED);
    const market = r.ctx().markets[0]!;
    r.ctx().limit(market, 'LONG', 'CLOSE', 1001, 0.01);
    const old = { ...r.venue.last() };
    r.advance(10);
    expect([old.effect, r.kernel.vetoOf(old)]).toEqual([CLOSE, null]);
    // A bracket of the venue closes half of it, then the rest.
    r.venue.pushedOwnFill(0, LONG, CLOSE, 5, 9_990);
    expect(r.kernel.vetoOf(old)).toBe(null);
    r.venue.pushedOwnFill(0, LONG, CLOSE, 5, 9_990);
    expect(r.kernel.vetoOf(old)).toBe('leg-was-flat');
    r.venue.pushedFill(r.resting, 10, 9_990);
    expect(r.kernel.vetoOf(old)).toBe('leg-was-flat');
    r.venue.unsent(old.seq, 'leg-was-flat');
    r.ctx().limit(market, 'LONG', 'CLOSE', 1001, 0.01);
    expect([r.venue.last().effect, r.kernel.vetoOf(r.venue.last()), r.kernel.vetoOf(old)]).toEqual([CLOSE, null, 'leg-was-flat']);
  });

  test('resume ends what an operator raised, within its scope', () => {
    const r = held();
    operate(r, { name: 'halt', scope: 'BTCUSDT:LONG', ...ANN });
    operate(r, { name: 'halt', scope: 'probe', ...ANN });
    operate(r, { name: 'resume', scope: 'BTCUSDT', confirmed: false, ...ANN });
    expect(r.kernel.halts().map(({ scope }) => scope)).toEqual(['strategy:probe']);
    operate(r, { name: 'resume', scope: '', confirmed: false, ...ANN });
    expect(r.kernel.halts()).toEqual([]);
  });

  test('a kill and a halt raised by the bot need a confirmation', () => {
    const r = held();
    operate(r, { name: 'kill', ...ANN });
    const refused = r.kernel.inbox.operate({ name: 'resume', scope: '', confirmed: false, ...ANN });
    expect(refused).toMatchObject({ ok: false, code: 'needs-confirmation', hint: 'tickwright resume --i-know' });
    expect(r.kernel.halts().map(({ code }) => code)).toEqual(['kill', 'flatten']);
    operate(r, { name: 'resume', scope: '', confirmed: true, ...ANN });
    expect(r.kernel.halts()).toEqual([]);
  });

  test('resume ends the halts that it may, and names those that need a confirmation', () => {
    const r = held();
    operate(r, { name: 'halt', scope: '', ...ANN });
    const order = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'CLOSE', 1_100, 0.001);
    r.venue.unknown(order, 'response-mixup');
    const did = operate(r, { name: 'resume', scope: '', confirmed: false, ...ANN });
    expect(did[0]).toBe('ended: bot operator');
    expect(did.join(' ')).toContain('still halted: bot response-mixup');
  });

  test('resume leaves an unknown outcome to the reads', () => {
    const r = polledRig();
    const order = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
    r.venue.unknown(order, 'timeout');
    const did = operate(r, { name: 'resume', scope: '', confirmed: true, ...ANN });
    expect(did.join(' ')).toContain('still halted: symbol:BTCUSDT outcome-unknown');
  });
});

describe('reduce-only', () => {
  test('halts opens and cancels resting opening orders, not closing ones', () => {
    const r = held();
    operate(r, { name: 'reduce-only', scope: 'BTCUSDT', isOn: true, ...ANN });
    expect([r.ctx().order(r.resting)?.state, r.ctx().order(r.closing)?.state]).toEqual(['cancelling', 'working']);
    operate(r, { name: 'reduce-only', scope: 'BTCUSDT', isOn: false, ...ANN });
    expect(r.kernel.halts()).toEqual([]);
  });
});

describe('flatten', () => {
  test('closes even with maxOpenOrders live orders, because their cancels may hang', () => {
    const r = polledRig({}, { risk: { maxOpenOrders: 1 } });
    const [market] = r.ctx().markets;
    for (let k = 0; k < 8; k++) {
      r.advance(1000);
      settleReads(r, [], [positionReport(0, 10)]);
    }
    operate(r, { name: 'resume', scope: '', confirmed: true, ...ANN });
    const resting = r.ctx().limit(market!, 'SHORT', 'OPEN', 1001, 0.01);
    r.venue.accepted(resting, 'v1');
    operate(r, { name: 'kill', ...ANN });
    r.advance(1);
    // The cancel has no answer.
    expect(r.venue.commands.slice(-2)).toMatchObject([
      { kind: CANCEL, target: resting },
      { kind: PLACE, effect: CLOSE, type: MARKET, size: 10 },
    ]);
  });

  test('says whether strategies may open again afterwards, and what prevents it', () => {
    const of = (...halts: OperatorCommand[]): string => {
      const r = held();
      for (const halt of halts) operate(r, halt);
      return operate(r, { name: 'flatten', scope: 'BTCUSDT', ...ANN }).join(' ');
    };
    expect(of()).toMatch(/strategies may open again, unless you type: tickwright halt BTCUSDT$/);
    expect(of({ name: 'halt', scope: 'ETHUSDT', ...ANN })).toContain('may open again');
    expect(of({ name: 'halt', scope: 'BTCUSDT', ...ANN })).not.toContain('may open again');
    expect(of({ name: 'halt', scope: '', ...ANN })).not.toContain('may open again');
    expect(operate(held(), { name: 'kill', ...ANN }).join(' ')).not.toContain('may open again');
  });

  test('cancels, closes by a market order of the held size, then allows opens again', () => {
    const r = held();
    operate(r, { name: 'flatten', scope: 'BTCUSDT', ...ANN });
    r.advance(1);
    expect(r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 998, 0.01)).toBe(0);
    expect(r.venue.commands.slice(-2).map(({ target }) => target)).toEqual([r.resting, r.closing]);
    r.venue.pushedEnd(r.resting, CANCELLED);
    r.advance(200);
    expect(r.venue.last().target).toBe(r.closing);
    r.venue.pushedEnd(r.closing, CANCELLED);
    r.advance(200);
    const close = r.venue.last();
    expect(close).toMatchObject({ kind: PLACE, effect: CLOSE, type: MARKET, size: 10, price: 0 });
    r.advance(1000);
    expect(r.venue.last()).toBe(close);
    r.venue.accepted(close.seq, 'v9');
    r.venue.pushedFill(close.seq, 4, 10_000);
    r.advance(1000);
    expect(r.venue.last()).toBe(close);
    r.venue.pushedFill(close.seq, 6, 10_000);
    r.advance(200);
    expect([r.ctx().markets[0]!.long.size, r.kernel.halts().length]).toEqual([0, 0]);
  });

  test('does not wait for opening orders to end: their later fills are closed too', () => {
    const r = held();
    r.venue.pushedEnd(r.closing, CANCELLED);
    operate(r, { name: 'flatten', scope: 'BTCUSDT', ...ANN });
    r.advance(200);
    const closes = (): unknown[] =>
      r.venue.commands.filter(({ kind, effect, type }) => kind === PLACE && effect === CLOSE && type === MARKET);
    const first = r.venue.last();
    expect(r.ctx().order(r.resting)?.state).toBe('cancelling');
    expect(first).toMatchObject({ effect: CLOSE, type: MARKET, size: 10 });
    r.venue.pushedFill(r.resting, 4, 9_990);
    r.advance(1000);
    expect(closes()).toHaveLength(1);
    r.venue.accepted(first.seq, 'v9');
    r.venue.pushedFill(first.seq, 10, 10_000);
    r.advance(200);
    expect(closes()).toHaveLength(2);
    expect(r.venue.last()).toMatchObject({ effect: CLOSE, type: MARKET, size: 4 });
  });

  test('works while opens are halted, and continues after a restart', () => {
    const r = held();
    operate(r, { name: 'kill', ...ANN });
    const saved = foldRecords(null, r.records);
    const second = rig({}, PAIR);
    second.kernel.restore(saved);
    second.kernel.inbox.start();
    second.kernel.inbox.onQuote(0, 10_000, 5_000, 10_002, 5_000);
    expect(second.kernel.halts().map(({ code }) => code)).toEqual(['kill', 'flatten']);
    second.advance(500);
    expect(second.venue.commands.filter(({ kind }) => kind === CANCEL).map(({ target }) => target)).toContain(r.resting);
    expect(second.ctx().limit(second.ctx().markets[0]!, 'LONG', 'OPEN', 998, 0.01)).toBe(0);
  });

  test.each(['', 'BTCUSDT', 'BTCUSDT:LONG', 'probe'])(
    'of "%s" is not held up by a strategy that rests closing orders again and again',
    (scope) => {
      const r = held();
      operate(r, { name: 'flatten', scope, ...ANN });
      for (const id of [r.resting, r.closing]) r.venue.pushedEnd(id, CANCELLED);
      expect(r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'CLOSE', 1001, 0.01), 'a resting close').toBe(0);
      r.advance(200);
      expect(r.venue.last()).toMatchObject({ effect: CLOSE, type: MARKET, size: 10 });
      r.venue.accepted(r.venue.last().seq, 'v9');
      r.venue.pushedFill(r.venue.last().seq, 10, 10_000);
      r.advance(200);
      expect(r.kernel.halts()).toEqual([]);
    },
  );

  test('a close names who requested it, by which command and why', () => {
    const reasons = (command: OperatorCommand): unknown[] => {
      const r = held();
      r.venue.pushedEnd(r.closing, CANCELLED);
      operate(r, command);
      r.advance(200);
      return r.records.flatMap(({ kind, data }) => (kind === 'command' && data['type'] === MARKET ? [data['reason']] : [])).slice(-1);
    };
    expect(reasons({ name: 'kill', by: 'ann', why: 'news' })).toEqual(['kill, asked by ann: news']);
    expect(reasons({ name: 'flatten', scope: '', by: 'ann', why: '' })).toEqual(['flatten, asked by ann']);
  });

  test('is done only when a position read after the last change shows nothing', () => {
    const r = polledRig({}, { external: { position: 'adopt' } });
    const position = (total: number): PositionReport => ({ ...LONG_POSITION, total, updatedAt: r.clock.time }) as never;
    for (let k = 0; k < 4; k++) {
      r.advance(1000);
      settleReads(r, [], [position(10)]);
    }
    expect(r.ctx().markets[0]!.long.size).toBe(0.01);
    operate(r, { name: 'kill', ...ANN });
    r.advance(100);
    const close = r.venue.last();
    expect(close).toMatchObject({ effect: CLOSE, type: MARKET, size: 10 });
    expect(r.kernel.halts().some(({ code }) => code === 'flatten')).toBe(true);
  });

  /**
   * A position of ten lots that is being flattened beside an open of unknown outcome. The last command is its first close, also unknown.
   */
  function closing(): Rig & { readonly position: (total: number) => PositionReport; readonly closes: () => number[] } {
    const r = polledRig({}, { external: { position: 'adopt' } });
    const position = (total: number): PositionReport => ({ ...LONG_POSITION, total, available: total, updatedAt: r.clock.time }) as never;
    for (let k = 0; k < 4; k++) {
      r.advance(1000);
      settleReads(r, [], [position(10)]);
    }
    const open = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
    r.venue.unknown(open, 'rate-limited');
    operate(r, { name: 'kill', ...ANN });
    r.advance(100);
    r.venue.unknown(r.venue.last().seq, 'rate-limited');
    const closes = (): number[] =>
      r.venue.commands.filter(({ kind, effect, type }) => kind === PLACE && effect === CLOSE && type === MARKET).map(({ size }) => size);
    return { ...r, position, closes };
  }

  test('a close of unknown outcome is repeated when the position shows what is left [outcomes RC1]', () => {
    const r = closing();
    expect(r.closes()).toEqual([10]);
    expect(r.kernel.hasOpenExit).toBe(true);
    r.advance(200);
    settleReads(r, [], [r.position(4)]);
    expect(r.closes(), 'what the read shows as left').toEqual([10, 4]);
    // The second one is in flight: nothing is added to it.
    for (let k = 0; k < 30; k++) {
      r.advance(100);
      settleReads(r, [], [r.position(4)]);
    }
    expect(r.closes()).toEqual([10, 4]);
    r.venue.unknown(r.venue.last().seq, 'rate-limited');
    r.advance(1_100);
    settleReads(r, [], [r.position(4)]);
    r.advance(100);
    settleReads(r, [], [r.position(4)]);
    expect(r.closes()).toEqual([10, 4, 4]);
  });

  test('a failed position read is repeated; one from before the close is ignored [outcomes RC1]', () => {
    const r = closing();
    for (let k = 0; k < 3; k++) {
      r.advance(1_100);
      for (const query of r.open.splice(0)) r.venue.failed(query, 'timeout');
    }
    expect(r.closes()).toEqual([10]);
    r.advance(1_100);
    for (const query of r.open.splice(0)) {
      if (query.kind !== 'positions' || query.instrument < 0) r.open.push(query);
      else r.venue.answered(query, { kind: 'positions', positions: [r.position(10)] }, r.clock.time - 60_000, 0);
    }
    expect(r.closes(), 'too old').toEqual([10]);
    r.advance(1_100);
    settleReads(r, [], [r.position(10)]);
    r.advance(100);
    settleReads(r, [], [r.position(10)]);
    expect(r.closes()).toEqual([10, 10]);
  });

  test('of a strategy is refused if another strategy trades its symbols', () => {
    const strategy = (name: string) => ({ strategy: defineStrategy({ name, create: () => ({}) }), instruments: [0] });
    const r = rig({}, { strategies: [strategy('one'), strategy('two')] });
    r.kernel.inbox.start();
    expect(r.kernel.inbox.operate({ name: 'flatten', scope: 'one', ...ANN })).toMatchObject({
      ok: false,
      code: 'shared-position',
      message: 'two trades BTCUSDT too, and a position does not say which part is whose',
      hint: 'stop its opens: tickwright halt one; or close what all of them hold: tickwright flatten BTCUSDT',
    });
  });
});

const LONG_POSITION = {
  instrument: 0,
  side: 0,
  entryPrice: 1000,
  markPrice: 1000,
  margin: 0,
  unrealised: 0,
  realised: 0,
  liquidationPrice: 0,
  marginMode: 0,
  available: 10,
  locked: 0,
  opening: 0,
  leverage: 20,
  funding: 0,
  createdAt: 1,
};

describe('settle', () => {
  test('ends the halt of a spot order whose outcome no read can show', () => {
    const r = polledRig({}, { instruments: [btc(0)] });
    const order = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
    r.venue.unknown(order, 'timeout');
    expect(r.kernel.halts()).toHaveLength(1);
    operate(r, { name: 'settle', seq: order, venueId: null, ...ANN });
    expect([r.kernel.halts().length, r.ctx().markets[0]!.long.opening]).toEqual([0, 0]);
    expect(r.kernel.inbox.operate({ name: 'settle', seq: order, venueId: 'x', ...ANN })).toMatchObject({
      ok: false,
      code: 'no-such-order',
    });
  });
});

describe('set', () => {
  const made: string[] = [];
  const strategy = defineStrategy({
    name: 'counter',
    params: { size: param.integer(1, { min: 1, max: 9 }) },
    create: (params) => {
      let count = 0;
      return {
        onStart: () => void made.push(`start ${params.size} ${count}`),
        onTimer: () => undefined,
        save: () => String(count + 1),
        restore: (text) => void (count = Number(text)),
      };
    },
  });

  test('creates the strategy again with the parameter and its state, also after a restart', () => {
    made.length = 0;
    const r = rig({}, { strategies: [{ strategy, instruments: [0] }] });
    r.kernel.inbox.start();
    const did = operate(r, { name: 'set', strategy: 'counter', param: 'size', value: '4', ...ANN });
    expect(made).toEqual(['start 1 0', 'start 4 1']);
    expect(did[0]).toContain('its state was carried over');
    expect(foldRecords(null, r.records).params).toEqual({ counter: { size: '4' } });
    expect(r.kernel.snapshot().params).toEqual({ counter: { size: '4' } });
    operate(r, { name: 'set', strategy: 'counter', param: 'size', value: '', ...ANN });
    expect(made.at(-1)).toBe('start 1 2');
  });

  test('drops parameters after a restart that the strategy no longer accepts, and can be set again', () => {
    made.length = 0;
    const restarted = (set: Readonly<Record<string, string>>): Rig => {
      const r = rig({}, { strategies: [{ strategy, instruments: [0], set }] });
      r.kernel.restore({ ...EMPTY_SNAPSHOT, params: { counter: set, gone: { a: '1' } } });
      r.kernel.inbox.start();
      return r;
    };
    expect(restarted({ size: '4' }).kernel.snapshot().params).toEqual({ counter: { size: '4' }, gone: { a: '1' } });
    // The schema of the file now ends at 9, or has no such parameter.
    for (const set of [{ size: '12' }, { size: '4', colour: 'red' }]) {
      const r = restarted(set);
      expect(r.log.lines.filter(({ event }) => event === 'parameters-dropped')).toMatchObject([
        { fields: { strategy: 'counter', params: set } },
      ]);
      expect(made.at(-1)).toBe('start 1 0');
      expect(r.kernel.snapshot().params).toEqual({ gone: { a: '1' } });
      operate(r, { name: 'set', strategy: 'counter', param: 'size', value: '5', ...ANN });
      expect(made.at(-1)).toBe('start 5 1');
    }
  });

  test('refuses an invalid parameter and leaves the strategy unchanged', () => {
    made.length = 0;
    const r = rig({}, { strategies: [{ strategy, instruments: [0] }] });
    r.kernel.inbox.start();
    for (const [key, value] of [
      ['size', '10'],
      ['size', 'x'],
      ['colour', '1'],
    ] as const) {
      expect(r.kernel.inbox.operate({ name: 'set', strategy: 'counter', param: key, value, ...ANN })).toMatchObject({
        ok: false,
        code: 'refused',
      });
    }
    expect(r.kernel.inbox.operate({ name: 'set', strategy: 'nobody', param: 'a', value: '1', ...ANN })).toMatchObject({ ok: false });
    expect(made).toEqual(['start 1 0']);
  });
});
