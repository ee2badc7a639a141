/** Symbols that an operator adds to a running strategy, or removes from it. */
import { expect, test } from 'vitest';
import type { OperatorCommand } from '../../../../src/engine/operator/command.ts';
import { foldRecords } from '../../../../src/engine/recovery/registry.ts';
import { defineStrategy } from '../../../../src/engine/strategy/definition/define.ts';
import type { StrategySetup } from '../../../../src/engine/strategy/definition/setup.ts';
import { createInstrument } from '../../../../src/domain/instrument.ts';
import { BTCUSDT } from '../../../support/specs.ts';
import { btc, polledRig, pushedRig, rig, settleReads, START, type Rig } from '../../../support/engine/engine-kit.ts';

const ANN = { by: 'ann', why: 'a test' } as const;
const MINUTE = 60_000;
const HOUR = Math.ceil(START / 3_600_000) * 3_600_000;
const THREE = [btc(0), btc(1, 'ETHUSDT'), btc(2, 'SOLUSDT')];

type Given = Extract<OperatorCommand, { name: 'add' | 'remove' }>;

const add = (r: Rig, symbol: string, strategy = ''): ReturnType<typeof operate> => operate(r, { name: 'add', symbol, strategy, ...ANN });
const remove = (r: Rig, symbol: string, position: '' | 'keep' | 'flatten' = '', strategy = ''): ReturnType<typeof operate> =>
  operate(r, { name: 'remove', symbol, strategy, position, ...ANN });

function operate(
  r: Rig,
  command: Given,
): { readonly ok: boolean; readonly code?: string; readonly message?: string; readonly did?: readonly string[] } {
  return r.kernel.inbox.operate(command);
}

/** Trades of an instrument once a minute, from just before the hour. */
function trade(r: Rig, instruments: readonly number[], from: number, count: number): void {
  for (let k = 0; k < count; k++) {
    r.advance(from + k * MINUTE - r.clock.time);
    for (const instrument of instruments) r.kernel.inbox.onTrade(instrument, 10_000, 1, 0);
  }
}

test('a strategy with bars waits for those of the new symbol, keeps its state, and gives them up again', () => {
  const calls: string[] = [];
  const strategy = defineStrategy({
    name: 'bars',
    create: (_params, markets) => {
      let state = 'new';
      return {
        needs: { bars: { '1m': 2 } },
        onStart: (ctx) => void calls.push(`start ${state} ${ctx.markets.map(({ symbol }) => symbol).join(' ')} of ${markets.length}`),
        onBar: (bar, market) => void calls.push(`${market.symbol} ${(bar.end - HOUR) / MINUTE}`),
        save: () => `saved at ${calls.length}`,
        restore: (text) => void (state = text),
      };
    },
  });
  const r = rig({}, { instruments: THREE, strategies: [{ strategy, instruments: [0] }] });
  r.kernel.inbox.start();
  trade(r, [0], HOUR - 1_000, 4);
  expect(calls).toEqual(['start new BTCUSDT of 1', 'BTCUSDT 2']);
  expect(add(r, 'ETHUSDT')).toMatchObject({ ok: true, did: [expect.stringContaining('it waits for bars: 0 of 2 1m bars of ETHUSDT')] });
  expect(r.kernel.snapshot().strategies).toEqual({ bars: 'saved at 2' });
  expect(add(r, 'SOLUSDT')).toMatchObject({ ok: false, message: expect.stringContaining('waits for bars') });
  trade(r, [0, 1], HOUR + 3 * MINUTE, 8);
  expect(calls.slice(2, 3)).toEqual(['start saved at 2 BTCUSDT ETHUSDT of 2']);
  expect(new Set(calls.slice(3).map((call) => call.slice(0, 7)))).toEqual(new Set(['BTCUSDT', 'ETHUSDT']));
  expect(r.kernel.snapshot().symbols).toEqual({ bars: { ETHUSDT: 'added' } });
  expect(foldRecords(null, r.records).symbols).toEqual({ bars: { ETHUSDT: 'added' } });

  expect(remove(r, 'ETHUSDT')).toMatchObject({ ok: true });
  expect([r.kernel.snapshot().symbols, foldRecords(null, r.records).symbols]).toEqual([{}, { bars: {} }]);
  const before = calls.length;
  trade(r, [0, 1], HOUR + 11 * MINUTE, 3);
  expect(calls.slice(before).filter((call) => call.startsWith('ETHUSDT'))).toEqual([]);
  expect(calls.slice(before).filter((call) => call.startsWith('BTCUSDT')).length).toBe(3);
  // Bars that were not built meanwhile would be a hole.
  expect(add(r, 'ETHUSDT').did).toEqual([expect.stringContaining('0 of 2 1m bars of ETHUSDT')]);
});

test('a strategy that waits for the bars of a new symbol hears no trade of the others', () => {
  const calls: string[] = [];
  const strategy = defineStrategy({
    name: 'trades',
    create: () => ({
      needs: { bars: { '1m': 2 } },
      onStart: () => void calls.push('start'),
      onTrade: (_trade, market) => void calls.push(market.symbol),
    }),
  });
  const r = rig({}, { instruments: THREE, strategies: [{ strategy, instruments: [0] }] });
  r.kernel.inbox.start();
  trade(r, [0], HOUR - 1_000, 4);
  expect(calls.splice(0)).toEqual(['start', 'BTCUSDT']);
  expect(add(r, 'ETHUSDT')).toMatchObject({ ok: true });
  trade(r, [0], HOUR + 3 * MINUTE, 2);
  expect(calls).toEqual([]);
});

test('no change is taken before the strategies have started, or after they have stopped', () => {
  const calls: string[] = [];
  const strategy = defineStrategy({
    name: 'phases',
    create: () => ({ onStart: () => void calls.push('start'), onStop: () => void calls.push('stop') }),
  });
  const r = rig({}, { instruments: THREE, strategies: [{ strategy, instruments: [0, 1] }] });
  const refused = { ok: false, code: 'refused', message: expect.stringContaining('no strategy runs') };
  expect(add(r, 'SOLUSDT')).toMatchObject(refused);
  r.kernel.inbox.start();
  r.kernel.inbox.stop();
  expect(add(r, 'SOLUSDT')).toMatchObject(refused);
  expect(remove(r, 'ETHUSDT', 'flatten')).toMatchObject(refused);
  expect(r.kernel.inbox.operate({ name: 'set', strategy: '', param: 'x', value: '1', ...ANN })).toMatchObject(refused);
  expect(calls).toEqual(['start', 'stop']);
});

test('bars of the same timeframe stay for the strategy that trades on, also if they are of the other kind', () => {
  const length: number[] = [];
  const bars = (name: string, emptyBars: 'fill' | 'skip'): StrategySetup => ({
    strategy: defineStrategy({
      name,
      create: () => ({
        needs: { bars: { '1m': 1 }, emptyBars },
        onBar: (_bar, market) => void (name === 'stays' && market.symbol === 'ETHUSDT' && length.push(market.bars('1m').length)),
      }),
    }),
    instruments: [0, 1],
  });
  const r = rig({}, { instruments: THREE, strategies: [bars('stays', 'skip'), bars('goes', 'fill')] });
  r.kernel.inbox.start();
  trade(r, [0, 1], HOUR - 1_000, 6);
  expect(remove(r, 'ETHUSDT', '', 'goes')).toMatchObject({ ok: true });
  length.length = 0;
  trade(r, [0, 1], HOUR + 6 * MINUTE, 2);
  expect(length.length).toBeGreaterThan(0);
  expect(r.log.events()).not.toContain('strategy-error');
});

test('the account counts as unread only while it is read: not after its last future was removed, but after the first was added', () => {
  const instruments = [btc(0), createInstrument({ ...BTCUSDT, product: 'spot' }, 1)];
  const unread = (r: Rig): string[] =>
    r.kernel
      .halts()
      .map(({ code }) => code)
      .filter((code) => code.endsWith('-unread'));
  const [long, both] = [120_000, ['positions-unread', 'account-unread']];
  const future = polledRig({}, { instruments, strategies: [probe('probe', [0, 1])] });
  future.advance(long);
  expect(unread(future).toSorted()).toEqual(both.toSorted());
  expect(remove(future, 'BTCUSDT')).toMatchObject({ ok: true });
  expect(unread(future)).toEqual([]);
  settleReads(future, [], []);
  future.advance(long);
  expect(unread(future)).toEqual([]);

  const spot = polledRig({}, { instruments, strategies: [probe('probe', [1])] });
  spot.advance(long);
  expect(unread(spot)).toEqual([]);
  expect(add(spot, 'BTCUSDT')).toMatchObject({ ok: true });
  spot.advance(long);
  expect(unread(spot).toSorted()).toEqual(both.toSorted());
});

test('a symbol that is traded again is not one without a strategy', () => {
  const r = pushedRig({}, { instruments: THREE });
  r.kernel.inbox.onQuote(1, 10_000, 5_000, 10_002, 5_000);
  expect([remove(r, 'ETHUSDT').ok, add(r, 'ETHUSDT').ok]).toEqual([true, true]);
  const eth = r.ctx().markets.find(({ symbol }) => symbol === 'ETHUSDT')!;
  const bought = r.ctx().limit(eth, 'LONG', 'OPEN', 1000.2, 0.01);
  r.venue.accepted(bought, 'v1');
  r.venue.pushedFill(bought, 10, 10_002);
  expect(r.log.events()).not.toContain('position-without-strategy');
});

test('a symbol for whose bars a strategy waits is taken back, and the strategy starts again with its state', () => {
  const calls: string[] = [];
  const strategy = defineStrategy({
    name: 'bars',
    create: (_params, markets) => {
      let state = 'new';
      return {
        needs: { bars: { '1m': 2 } },
        onStart: () => void calls.push(`start ${state} ${markets.map(({ symbol }) => symbol).join(' ')}`),
        onTrade: (_trade, market) => void calls.push(market.symbol),
        save: () => 'saved',
        restore: (text) => void (state = text),
      };
    },
  });
  const r = rig({}, { instruments: THREE, strategies: [{ strategy, instruments: [0] }] });
  r.kernel.inbox.start();
  trade(r, [0], HOUR - 1_000, 4);
  expect(add(r, 'ETHUSDT')).toMatchObject({ ok: true });
  calls.length = 0;
  expect(remove(r, 'ETHUSDT').did).toEqual([expect.stringMatching(/its state was carried over$/)]);
  trade(r, [0, 1], HOUR + 3 * MINUTE, 2);
  expect(calls).toEqual(['start saved BTCUSDT', 'BTCUSDT', 'BTCUSDT']);
});

test('a strategy that waits for its first bars gives up a symbol, and starts with those of the others', () => {
  const calls: string[] = [];
  const strategy = defineStrategy({
    name: 'bars',
    create: () => ({
      needs: { bars: { '1m': 2 } },
      onStart: () => void calls.push('start'),
      onTrade: (_trade, market) => void calls.push(market.symbol),
    }),
  });
  const r = rig({}, { instruments: THREE, strategies: [{ strategy, instruments: [0, 1] }] });
  r.kernel.inbox.start();
  trade(r, [0], HOUR - 1_000, 4);
  expect(calls).toEqual([]);
  expect(remove(r, 'ETHUSDT')).toMatchObject({ ok: true });
  trade(r, [0, 1], HOUR + 3 * MINUTE, 2);
  expect(calls).toEqual(['start', 'BTCUSDT', 'BTCUSDT']);
});

test('the poll plan follows, and a symbol that the rate does not allow is refused', () => {
  const r = polledRig({ onTrade: () => undefined }, { instruments: THREE, strategies: [probe('probe', [0])] });
  const polled = (symbol: string): boolean =>
    r.kernel.plan!.polls.some(({ kind, instrument }) => kind === 'trades' && THREE[instrument]?.symbol === symbol);
  expect([polled('BTCUSDT'), polled('ETHUSDT')]).toEqual([true, false]);
  expect(add(r, 'ETHUSDT')).toMatchObject({ ok: true });
  expect([polled('BTCUSDT'), polled('ETHUSDT')]).toEqual([true, true]);
  r.advance(3_000);
  expect(r.venue.queries.some((query) => query.kind === 'trades' && query.instrument === 1)).toBe(true);
  expect(remove(r, 'BTCUSDT')).toMatchObject({ ok: true });
  expect([polled('BTCUSDT'), polled('ETHUSDT')]).toEqual([false, true]);
  expect(r.kernel.snapshot().symbols).toEqual({ probe: { BTCUSDT: 'removed', ETHUSDT: 'added' } });
  // What was asked before is answered now: nobody is told, and nothing breaks.
  r.answer({ kind: 'trades', trades: [] });
  const many = Array.from({ length: 40 }, (_, k) => btc(k, `S${k}USDT`));
  const full = polledRig({}, { instruments: many, strategies: [probe('probe', [0])] });
  const results = many.slice(1).map(({ symbol }) => add(full, symbol));
  const refused = results.find(({ ok }) => !ok)!;
  expect(refused).toMatchObject({ code: 'refused', message: expect.stringMatching(/a second, but .*follow fewer symbols/) });
  expect(full.kernel.setups[0]!.instruments.length).toBe(results.findIndex(({ ok }) => !ok) + 1);
});

test('of several strategies one is named; bars that another strategy’s trades cannot give are refused', () => {
  const bars = defineStrategy({ name: 'bars', create: () => ({ needs: { bars: { '1m': 0 } }, onBar: () => undefined }) });
  const r = pushedRig({}, { instruments: THREE, strategies: [probe('one', [0]), { strategy: bars, instruments: [1] }] });
  expect(add(r, 'SOLUSDT')).toMatchObject({ ok: false, code: 'no-such-strategy' });
  expect(add(r, 'BTCUSDT', 'one')).toMatchObject({ ok: false, message: 'one trades BTCUSDT already' });
  expect(add(r, 'SOLUSDT', 'one')).toMatchObject({ ok: true });
  expect(add(r, 'SOLUSDT', 'bars')).toMatchObject({
    ok: false,
    message: 'SOLUSDT is read for another strategy without the 1m bars of bars',
  });
});

test('remove cancels the strategy’s orders, and asks what becomes of a position', () => {
  const r = pushedRig({}, { instruments: THREE });
  r.kernel.inbox.onQuote(1, 10_000, 5_000, 10_002, 5_000);
  const eth = r.ctx().markets[1]!;
  const bought = r.ctx().limit(eth, 'LONG', 'OPEN', 1000.2, 0.01);
  r.venue.accepted(bought, 'v1');
  const resting = r.ctx().limit(eth, 'LONG', 'OPEN', 999, 0.01);
  r.venue.accepted(resting, 'v2');
  expect(remove(r, 'ETHUSD')).toMatchObject({ code: 'no-such-scope' });
  r.venue.pushedFill(bought, 10, 10_002);
  expect(remove(r, 'ETHUSDT')).toMatchObject({ ok: false, code: 'position-open', message: 'ETHUSDT LONG 0.020 is open, or may be' });
  expect(r.kernel.setups[0]!.instruments).toEqual([0, 1, 2]);
  expect(remove(r, 'ETHUSDT', 'keep')).toMatchObject({ ok: true, orders: [resting] });
  expect(r.venue.last()).toMatchObject({ target: resting });
  expect(r.log.lines.find(({ event }) => event === 'position-without-strategy')?.fields).toMatchObject({ symbol: 'ETHUSDT', own: '0.010' });
  expect(r.ctx().markets.map(({ symbol }) => symbol)).toEqual(['BTCUSDT', 'SOLUSDT']);
  expect(add(r, 'ETHUSDT')).toMatchObject({ ok: true });
  expect(remove(r, 'ETHUSDT', 'flatten')).toMatchObject({ ok: true, flattens: 'symbol:ETHUSDT' });
  expect(r.kernel.halts()).toMatchObject([{ scope: 'symbol:ETHUSDT', code: 'flatten', by: 'ann' }]);
});

test('an order that may still open is closed with its symbol if it fills before its cancel', () => {
  const r = pushedRig({}, { instruments: THREE });
  r.kernel.inbox.onQuote(1, 10_000, 5_000, 10_002, 5_000);
  const resting = r.ctx().limit(r.ctx().markets[1]!, 'LONG', 'OPEN', 999, 0.01);
  r.venue.accepted(resting, 'v1');
  expect(remove(r, 'ETHUSDT')).toMatchObject({ ok: false, code: 'position-open', message: 'ETHUSDT LONG 0.010 is open, or may be' });
  expect(remove(r, 'ETHUSDT', 'flatten')).toMatchObject({ ok: true, orders: [resting], flattens: 'symbol:ETHUSDT' });
  r.venue.pushedFill(resting, 10, 9_990);
  r.advance(1_000);
  expect(r.venue.last()).toMatchObject({ instrument: 1, side: 0, effect: 1, size: 10 });
});

test('a position that is kept keeps the orders that close it', () => {
  const r = pushedRig({}, { instruments: THREE });
  r.kernel.inbox.onQuote(1, 10_000, 5_000, 10_002, 5_000);
  const eth = r.ctx().markets[1]!;
  const bought = r.ctx().limit(eth, 'LONG', 'OPEN', 1000.2, 0.01);
  r.venue.accepted(bought, 'v1');
  r.venue.pushedFill(bought, 10, 10_002);
  const exit = r.ctx().limit(eth, 'LONG', 'CLOSE', 1_010, 0.01);
  r.venue.accepted(exit, 'v2');
  const adds = r.ctx().limit(eth, 'LONG', 'OPEN', 999, 0.01);
  r.venue.accepted(adds, 'v3');
  const sent = r.venue.commands.length;
  const removed = remove(r, 'ETHUSDT', 'keep');
  expect(removed).toMatchObject({ ok: true, orders: [adds] });
  expect(removed.did).toContain(`stays until the bot starts again: 1 order, ${exit}, which closes`);
  expect(r.venue.commands.slice(sent)).toMatchObject([{ target: adds }]);
});

test('a symbol in which the strategy manages a trade is not removed', () => {
  const r = pushedRig({}, { instruments: THREE });
  const [market] = r.ctx().markets;
  r.ctx().enter({ market: market!, side: 'LONG', size: 0.01, stop: { percent: 1 } });
  expect(remove(r, 'BTCUSDT', 'keep')).toMatchObject({
    ok: false,
    code: 'position-open',
    message: expect.stringContaining('manages a trade'),
  });
});

function probe(name: string, instruments: readonly number[]): StrategySetup {
  return { strategy: defineStrategy({ name, create: () => ({ onTrade: () => undefined }) }), instruments };
}
