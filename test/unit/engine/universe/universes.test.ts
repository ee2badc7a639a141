/** Symbols that a strategy chooses by rank while it runs. */
import { expect, test } from 'vitest';
import { lackText, type UniverseTerms } from '../../../../src/domain/universe.ts';
import { foldRecords, type KernelSnapshot } from '../../../../src/engine/recovery/registry.ts';
import { defineStrategy } from '../../../../src/engine/strategy/definition/define.ts';
import type { StrategySetup } from '../../../../src/engine/strategy/definition/setup.ts';
import { type SavedUniverse, withUniverse } from '../../../../src/engine/strategy/definition/universe.ts';
import type { StrategyContext, StrategyHandlers } from '../../../../src/engine/strategy/definition/types.ts';
import { LONG, OPEN, PLACE } from '../../../../src/domain/codes.ts';
import { FILLED } from '../../../../src/domain/orders/order.ts';
import type { Market } from '../../../../src/engine/intents/market-types.ts';
import { universeAnswer } from '../../../../src/run/bot/answers/universe-answer.ts';
import { WIDE_LIMITS } from '../../../support/specs.ts';
import { btc, POLLS, positionReport, rig, settleReads, START, type Rig } from '../../../support/engine/engine-kit.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SYMBOLS = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT'];
const INSTRUMENTS = SYMBOLS.map((symbol, index) => btc(index, symbol));
/** The first whole hour of the tests; choices are made at each. */
const FIRST = Math.ceil(START / HOUR) * HOUR;

const TERMS: UniverseTerms = {
  top: 2,
  by: 'volume',
  every: HOUR,
  window: 20 * MINUTE,
  bars: MINUTE,
  minAge: 0,
  from: [],
  exclude: [],
  leave: 'close',
  poll: MINUTE,
};

interface Told {
  readonly at: number;
  readonly joined: readonly string[];
  readonly left: readonly string[];
  readonly now: readonly string[];
}

/** A strategy that opens one lot of whatever joins. */
function rotating(told: Told[], extra: StrategyHandlers = {}): StrategySetup['strategy'] {
  return defineStrategy({
    name: 'rotation',
    create: () => ({
      ...extra,
      onUniverse({ at, joined, left }, ctx) {
        const names = (markets: readonly { readonly symbol: string }[]): string[] => markets.map(({ symbol }) => symbol);
        told.push({ at, joined: names(joined), left: names(left), now: names(ctx.universe) });
        for (const market of joined) ctx.open(market, 'LONG', { size: 0.001 });
      },
    }),
  });
}

function setupOf(told: Told[], terms: Partial<UniverseTerms> = {}, extra: StrategyHandlers = {}): StrategySetup {
  const candidates = INSTRUMENTS.map(({ index }) => index);
  const universe = { terms: { ...TERMS, ...terms }, candidates, at: -Infinity, chosen: [], leaving: [] };
  return { strategy: rotating(told, extra), instruments: [], universe };
}

function rigOf(setup: StrategySetup): Rig {
  const r = rig({}, { instruments: INSTRUMENTS, strategies: [setup], risk: { ...WIDE_LIMITS, staleAfterMs: 'off' } });
  r.clock.time = FIRST - 30 * MINUTE;
  r.kernel.inbox.start();
  for (const { index } of INSTRUMENTS) r.kernel.inbox.onQuote(index, 10_000, 5_000, 10_002, 5_000);
  return r;
}

/** Trades of each symbol once a minute up to `until`, with so many lots. */
function trade(r: Rig, until: number, lots: readonly number[]): void {
  while (r.clock.time + MINUTE <= until) {
    r.advance(MINUTE / 2);
    for (const [index, size] of lots.entries()) {
      r.kernel.inbox.onQuote(index, 10_000, 5_000, 10_002, 5_000);
      if (size > 0) r.kernel.inbox.onTrade(index, 10_000, size, 0);
    }
    r.advance(MINUTE / 2);
  }
}

/** The venue: fills every order at once, and keeps the lots of each LONG leg. */
class Lots {
  readonly held: Map<string, number>;

  constructor(r: Rig, held: Readonly<Record<string, number>> = {}) {
    this.held = new Map(Object.entries(held));
    r.venue.onExecute = (command): void => {
      if (command.kind !== PLACE) return;
      const symbol = SYMBOLS[command.instrument]!;
      r.venue.accepted(command.seq, `v${command.seq}`);
      r.venue.pushedFill(command.seq, command.size, 10_002);
      r.venue.pushedEnd(command.seq, FILLED);
      this.held.set(symbol, (this.held.get(symbol) ?? 0) + (command.effect === OPEN ? command.size : -command.size));
    };
  }

  get all(): Record<string, number> {
    return Object.fromEntries([...this.held].filter(([, lots]) => lots !== 0));
  }
}

/** The first choice has ETHUSDT and SOLUSDT, the second SOLUSDT and XRPUSDT. */
const FIRST_LOTS = [1, 4, 3, 2];
const SECOND_LOTS = [2, 1, 4, 3];

test('the highest ranks are chosen at the hour, by bars that ended by then', () => {
  const told: Told[] = [];
  const r = rigOf(setupOf(told));
  trade(r, FIRST - MINUTE, FIRST_LOTS);
  expect(told).toEqual([]);
  trade(r, FIRST + 2 * MINUTE, FIRST_LOTS);
  expect(told).toEqual([{ at: FIRST, joined: ['ETHUSDT', 'SOLUSDT'], left: [], now: ['ETHUSDT', 'SOLUSDT'] }]);
  expect(r.venue.commands.map(({ instrument }) => SYMBOLS[instrument])).toEqual(['ETHUSDT', 'SOLUSDT']);
  expect(r.kernel.snapshot().universes?.['rotation']).toMatchObject({ at: FIRST, symbols: ['ETHUSDT', 'SOLUSDT'], leaving: [] });
});

test('what happens after the moment changes nothing of a choice', () => {
  const chosen = [FIRST_LOTS, [1_000, 1, 1, 1_000]].map((later) => {
    const told: Told[] = [];
    const r = rigOf(setupOf(told));
    trade(r, FIRST - MINUTE, FIRST_LOTS);
    r.advance(MINUTE / 2);
    for (const [index, lots] of FIRST_LOTS.entries()) r.kernel.inbox.onTrade(index, 10_000, lots, 0);
    r.advance(MINUTE / 2);
    // The choice waits for the last bars, and sees these trades before it is made.
    expect(told).toEqual([]);
    for (const [index, lots] of later.entries()) r.kernel.inbox.onTrade(index, 10_000, lots, 0);
    r.advance(5_000);
    return { told, records: r.records.filter(({ kind }) => kind === 'universe').map(({ data }) => data) };
  });
  expect(chosen[0]!.told.length).toBe(1);
  expect(chosen[0]).toEqual(chosen[1]);
});

test('a symbol that left is closed, cannot be opened any more, and is let go of when it is flat', () => {
  const told: Told[] = [];
  let stale: Market | null = null;
  const r = rigOf(setupOf(told, {}, { onTimer: (_name, ctx) => void ctx.open(stale!, 'LONG', { size: 0.001 }) }));
  const lots = new Lots(r);
  trade(r, FIRST + 10 * MINUTE, FIRST_LOTS);
  expect(lots.all).toEqual({ ETHUSDT: 1, SOLUSDT: 1 });
  trade(r, FIRST + HOUR - MINUTE, SECOND_LOTS);
  stale = r.kernel.markets[1]!;
  trade(r, FIRST + HOUR + MINUTE, SECOND_LOTS);
  expect(told.at(-1)).toEqual({ at: FIRST + HOUR, joined: ['XRPUSDT'], left: ['ETHUSDT'], now: ['SOLUSDT', 'XRPUSDT'] });
  const chosen = r.records.find(({ kind, data }) => kind === 'universe' && (data['universe'] as SavedUniverse).at === FIRST + HOUR)!;
  expect(chosen.data['universe']).toMatchObject({ symbols: ['SOLUSDT', 'XRPUSDT'], leaving: ['ETHUSDT'] });
  expect(r.records.filter(({ kind }) => kind === 'halt').map(({ data }) => data)).toMatchObject([
    { scope: 'symbol:ETHUSDT', code: 'flatten' },
  ]);
  r.advance(5_000);
  r.advance(5_000);
  expect(lots.all).toEqual({ SOLUSDT: 1, XRPUSDT: 1 });
  expect(r.kernel.halts()).toEqual([]);
  expect(r.kernel.snapshot().universes?.['rotation']).toMatchObject({ symbols: ['SOLUSDT', 'XRPUSDT'], leaving: [] });
  expect(r.kernel.setups[0]!.instruments).toEqual([2, 3]);
  expect(foldRecords(null, r.records).universes).toEqual(r.kernel.snapshot().universes);
  const context = (r.kernel as unknown as { parts: { dispatch: { runners: { context: StrategyContext }[] } } }).parts.dispatch.runners[0]!
    .context;
  expect(context.open(stale, 'LONG', { size: 0.001 })).toBe(0);
  expect(r.log.lines.at(-1)).toMatchObject({ fields: { why: 'universe' } });
});

test('keep-until-flat: the strategy goes on with the position, and opens nothing', () => {
  const told: Told[] = [];
  let ctx: StrategyContext | null = null;
  const extra: StrategyHandlers = { onStart: (context) => void (ctx = context) };
  const r = rigOf(setupOf(told, { leave: 'keep-until-flat' }, extra));
  const lots = new Lots(r);
  trade(r, FIRST + 10 * MINUTE, FIRST_LOTS);
  trade(r, FIRST + HOUR + 5 * MINUTE, SECOND_LOTS);
  expect(lots.all).toEqual({ ETHUSDT: 1, SOLUSDT: 1, XRPUSDT: 1 });
  const eth = ctx!.market('ETHUSDT');
  expect(ctx!.universe.map(({ symbol }) => symbol)).toEqual(['SOLUSDT', 'XRPUSDT']);
  expect(ctx!.markets.map(({ symbol }) => symbol)).toEqual(['SOLUSDT', 'XRPUSDT', 'ETHUSDT']);
  expect(ctx!.open(eth, 'LONG', { size: 0.001 })).toBe(0);
  expect(ctx!.close(eth, 'LONG')).toBeGreaterThan(0);
  r.advance(2_000);
  expect(lots.all).toEqual({ SOLUSDT: 1, XRPUSDT: 1 });
  expect(ctx!.markets.map(({ symbol }) => symbol)).toEqual(['SOLUSDT', 'XRPUSDT']);
});

test('after a kill at any record of a choice, the same symbols are chosen and what left is closed', () => {
  const told: Told[] = [];
  const r = rigOf(setupOf(told));
  const lots = new Lots(r);
  trade(r, FIRST + 10 * MINUTE, FIRST_LOTS);
  trade(r, FIRST + HOUR - MINUTE, SECOND_LOTS);
  const before = r.records.length;
  const opened = { ...lots.all };
  // A venue that pushes needs no legs after a restart; one that is polled does.
  const legs = Object.entries(opened).map(([symbol, total]) => ({ symbol, side: LONG, total, own: total, provenAt: r.clock.time }));
  const saved = { ...r.kernel.snapshot(), legs };
  trade(r, FIRST + HOUR + MINUTE, SECOND_LOTS);
  const at = r.records.findIndex(({ kind }, k) => k >= before && kind === 'universe');
  expect(at).toBeGreaterThan(0);
  // Up to the first command, which leaves after the journal has it.
  const ends = r.records.flatMap(({ kind }, k) =>
    k < at || r.records.slice(at, k).some((one) => one.kind === 'command') ? [] : [[kind, k] as const],
  );
  expect(ends.length).toBeGreaterThan(1);
  for (const [kind, k] of ends) {
    if (kind === 'command') continue;
    const snapshot: KernelSnapshot = foldRecords(saved, r.records.slice(before, k + 1));
    const again: Told[] = [];
    const setup = withUniverse(setupOf(again), snapshot.universes?.['rotation'], INSTRUMENTS);
    const next = rig({}, { instruments: INSTRUMENTS, strategies: [setup], polls: POLLS });
    next.clock.time = FIRST + HOUR + 2 * MINUTE;
    next.kernel.restore(snapshot);
    next.kernel.inbox.start();
    const venue = new Lots(next, opened);
    for (let turn = 0; turn < 40; turn++) {
      settleReads(
        next,
        [],
        SYMBOLS.flatMap((symbol, i) =>
          (venue.held.get(symbol) ?? 0) > 0 ? [positionReport(0, venue.held.get(symbol)!, { instrument: i })] : [],
        ),
      );
      for (const { index } of INSTRUMENTS) next.kernel.inbox.onQuote(index, 10_000, 5_000, 10_002, 5_000);
      next.advance(500);
    }
    // It opened SOLUSDT before, and was not told of XRPUSDT again.
    expect(venue.all, `after ${kind} ${k}`).toEqual({ SOLUSDT: 1 });
    expect(next.kernel.snapshot().universes?.['rotation']).toMatchObject({
      at: FIRST + HOUR,
      symbols: ['SOLUSDT', 'XRPUSDT'],
      leaving: [],
    });
  }
});

test('equal ranks go by name, a symbol without trades is told as delisted, one with too few bars as too young', () => {
  const told: Told[] = [];
  const r = rigOf(setupOf(told, { top: 3 }));
  trade(r, FIRST - 10 * MINUTE, [2, 2, 1, 0]);
  trade(r, FIRST + MINUTE, [2, 2, 0, 1]);
  expect(told.map(({ now }) => now)).toEqual([['BTCUSDT', 'ETHUSDT']]);
  const { data } = r.records.filter(({ kind }) => kind === 'universe').at(-1)!;
  expect((data['universe'] as SavedUniverse).reasons!.lacking).toEqual({
    SOLUSDT: { why: 'gone', since: FIRST - 10 * MINUTE },
    XRPUSDT: { why: 'young', has: 9, of: 20 },
  });
});

test('without any data the symbols stay', () => {
  const told: Told[] = [];
  const r = rigOf(setupOf(told));
  const lots = new Lots(r);
  trade(r, FIRST + 10 * MINUTE, FIRST_LOTS);
  trade(r, FIRST + HOUR + 5 * MINUTE, [0, 0, 0, 0]);
  expect(told.map(({ now }) => now)).toEqual([
    ['ETHUSDT', 'SOLUSDT'],
    ['ETHUSDT', 'SOLUSDT'],
  ]);
  expect(lots.all).toEqual({ ETHUSDT: 1, SOLUSDT: 1 });
});

test('it is told which symbols are in, since when, by which rank, and why one is out', () => {
  const told: Told[] = [];
  const r = rigOf(setupOf(told));
  const lots = new Lots(r);
  const why = (symbol: string): string => {
    const ladders = r.kernel.why.at({ now: r.clock.time, endedAt: 0, outside: null, symbol });
    return ladders
      .filter((one) => one.symbol === symbol)
      .map(({ checks }) => checks.find(({ name }) => name === 'universe')!.text)
      .join();
  };
  const answer = () => {
    const { choosesAt, universeReading: reading } = r.kernel.status().strategies[0]!;
    return universeAnswer({
      universe: r.kernel.setups[0]!.universe!,
      instruments: INSTRUMENTS,
      choosesAt,
      reading,
      tradeReads: new Map([
        [0, 12],
        [1, 1],
      ]),
    });
  };
  expect(answer()).toMatchObject({ chosen: [], out: SYMBOLS.map((symbol) => ({ symbol, why: 'no trade of it is known' })) });
  trade(r, FIRST + 2 * MINUTE, [0, 4, 3, 2]);
  trade(r, FIRST + HOUR + MINUTE, [0, 1, 4, 3]);
  expect(answer()).toMatchObject({
    at: FIRST + HOUR,
    nextAt: FIRST + 2 * HOUR,
    chosen: [
      { symbol: 'SOLUSDT', rank: 1, since: FIRST },
      { symbol: 'XRPUSDT', rank: 2, since: FIRST + HOUR },
    ],
    out: [
      { symbol: 'ETHUSDT', why: 'number 3 of 3 by volume' },
      { symbol: 'BTCUSDT', why: 'no trade of it is known' },
    ],
    requestsPerMinute: 13,
  });
  expect(why('ETHUSDT')).toMatch(/not in the universe: it was number 3 of 3 by volume, of which 2 are chosen; the next choice is made for/);
  expect([why('SOLUSDT'), why('BTCUSDT')]).toEqual([
    expect.stringMatching(/^it was chosen as number 1 of 3 by volume/),
    expect.stringMatching(/^it is not in the universe: no trade of it is known/),
  ]);
  // Without its name a candidate that was not chosen is no part of the answer.
  expect(
    r.kernel.why
      .at({ now: r.clock.time, endedAt: 0, outside: null })
      .map(({ symbol }) => symbol)
      .sort(),
  ).toEqual(['SOLUSDT', 'XRPUSDT']);
  expect(lots.all).toEqual({ SOLUSDT: 1, XRPUSDT: 1 });
  // A restart knows it all.
  expect(foldRecords(null, r.records).universes?.['rotation']?.reasons).toEqual(r.kernel.setups[0]!.universe!.reasons);
});

test('a lack names its time in UTC, on leap days and at the turn of a century too', () => {
  for (const text of ['1970-01-01 00:00', '2000-02-29 23:59', '2024-02-29 10:32', '2100-03-01 00:00']) {
    expect(lackText({ why: 'gone', since: Date.parse(`${text.replace(' ', 'T')}:00Z`) })).toContain(`not traded since ${text} UTC`);
  }
});
