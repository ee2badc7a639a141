/** The first choice of a universe after a start between two moments of choice: the past that is read reaches back to it. */
import { expect, test } from 'vitest';
import { BUY } from '../../../../src/domain/codes.ts';
import type { TradeReport } from '../../../../src/domain/report.ts';
import type { UniverseTerms } from '../../../../src/domain/universe.ts';
import type { SavedUniverse } from '../../../../src/engine/strategy/definition/universe.ts';
import { defineStrategy } from '../../../../src/engine/strategy/definition/define.ts';
import { btc, POLLS, rig, settleReads, START, type Rig } from '../../../support/engine/engine-kit.ts';

const SECOND = 1_000;
const INSTRUMENTS = ['BTCUSDT', 'ETHUSDT'].map((symbol, index) => btc(index, symbol));
/** A multiple of every `every` of these tests. */
const MOMENT = Math.ceil(START / (3_600 * SECOND)) * 3_600 * SECOND;
/** Trades come twice a second; the id is the time in halves of a second since this time. */
const FIRST = MOMENT - 3_600 * SECOND;

/** Past trades of the venue from `oldest` on, newest first. */
function pageOf(instrument: number, now: number, before: string, limit: number, oldest: number): TradeReport[] {
  const newest = Math.floor((now - FIRST) / 500);
  const end = before === '' ? newest : Math.min(newest, Number(before) - 1);
  const ids = Array.from({ length: Math.max(0, Math.min(limit, end - oldest + 1)) }, (_, k) => end - k);
  return ids.map(
    (id) => ({ instrument, tradeId: String(id), price: 10_000 + id, size: 1, aggressor: BUY, venueTime: FIRST + id * 500 }) as never,
  );
}

/** How the reads of the venue go: the oldest trade that it has, the halves of a second between two pages of the past, and what is looked at after each of these. */
interface Reads {
  readonly oldest?: number;
  readonly every?: number;
  readonly look?: (r: Rig) => void;
  /** What was chosen before the restart for the same moment. Default: nothing. */
  readonly chosen?: readonly number[];
}

/** Starts so long after the moment, and returns what was chosen within a minute and a half. */
function started(
  terms: Partial<UniverseTerms>,
  late: number,
  { oldest = 0, every = 0, look = () => undefined, chosen: before = [] }: Reads = {},
): { r: Rig; chosen: SavedUniverse[] } {
  const full: UniverseTerms = {
    top: 1,
    by: 'momentum',
    every: 600 * SECOND,
    window: 60 * SECOND,
    bars: SECOND,
    minAge: 0,
    from: [],
    exclude: [],
    leave: 'close',
    poll: SECOND,
    ...terms,
  };
  const strategy = defineStrategy({ name: 'rotation', create: () => ({ onUniverse() {} }) });
  const chosenFor = before.length === 0 ? -Infinity : MOMENT;
  const universe = { terms: full, candidates: [0, 1], at: chosenFor, chosen: before, leaving: [] };
  const strategies = [{ strategy, instruments: [...before], universe }];
  const r = rig({}, { instruments: INSTRUMENTS, strategies, polls: { ...POLLS, historyPages: 100 } });
  r.clock.time = MOMENT + late;
  r.kernel.inbox.start();
  for (let turn = 0; turn < 180; turn++) {
    for (let page = 0; ; page++) {
      const mayBeOld = every === 0 || (turn % every === 0 && page === 0);
      const at = r.open.findIndex((query) => query.kind === 'trades' && (mayBeOld || query.before === ''));
      const [query] = at < 0 ? [] : r.open.splice(at, 1);
      if (query?.kind !== 'trades') break;
      const trades = pageOf(query.instrument, r.clock.time, query.before, query.limit, oldest);
      r.venue.answered(query, { kind: 'trades', trades }, r.clock.time, r.clock.time);
    }
    const later = r.open.filter(({ kind }) => kind === 'trades');
    r.open.splice(0, r.open.length, ...r.open.filter(({ kind }) => kind !== 'trades'));
    settleReads(r, [], []);
    r.open.push(...later);
    r.advance(500);
    look(r);
  }
  const chosen = r.records.filter(({ kind }) => kind === 'universe').map(({ data }) => data['universe'] as SavedUniverse);
  return { r, chosen };
}

test.each([
  ['just after the moment', {}, 2],
  ['in the middle', {}, 300],
  ['at the end', {}, 505],
  ['a short period', { every: 120 * SECOND }, 25],
  ['a window longer than the period', { every: 60 * SECOND, window: 300 * SECOND }, 25],
  ['an age longer than the window', { minAge: 200 * SECOND }, 400],
  ['bars of 5 s', { bars: 5 * SECOND }, 400],
] as const)('a missed choice is made at the start with the bars of its moment: %s', (_, terms, late) => {
  const { chosen } = started(terms, late * SECOND);
  expect(chosen[0]).toMatchObject({ at: MOMENT, symbols: [expect.any(String)], reasons: { lacking: {} } });
});

test('a choice for which no candidate has its bars is a warning that says what to do', () => {
  const { r, chosen } = started({}, 300 * SECOND, { oldest: 7_500 });
  expect(chosen[0]).toMatchObject({ at: MOMENT, symbols: [] });
  const line = r.log.lines.find(({ event }) => event === 'universe-chosen');
  expect(line).toMatchObject({ level: 'warn', fields: { symbols: [], lacks: 2 } });
  const detail = String(line!.fields?.['detail']);
  expect(detail).toMatch(/^0 of 1 places are taken, of 2 candidates\. [A-Z]+: .* \(and 1 more\)\. choose a shorter window/);
});

test('fewer candidates than places are no warning, but are told', () => {
  const { r, chosen } = started({ top: 20 }, 300 * SECOND);
  expect(chosen[0]!.symbols).toHaveLength(2);
  const line = r.log.lines.find(({ event }) => event === 'universe-chosen');
  expect(line).toMatchObject({ level: 'info', fields: { lacks: 0, detail: '2 of 20 places are taken, of 2 candidates' } });
});

test('while the past of candidates is read, the log, the status and `why` say how far it is', () => {
  const seen: string[] = [];
  const { r, chosen } = started({ window: 1_800 * SECOND }, 300 * SECOND, {
    every: 8,
    look: ({ kernel, clock, log }) => {
      if (log.lines.some(({ event }) => event === 'universe-chosen')) return;
      const [ladder] = kernel.why.at({ now: clock.time, endedAt: 0, outside: null, symbol: 'ETHUSDT' });
      const why = ladder!.checks.find(({ name }) => name === 'universe')!.text;
      const text = `${kernel.status().strategies[0]!.universeReading} | ${why}`;
      if (seen.at(-1) !== text) seen.push(text);
    },
  });
  const read = [0, 10, 21, 31, 41, 52, 62, 73, 83].map((percent) => `0 of 2 symbols, ${percent} %`);
  read.push('1 of 2 symbols, 91 %');
  expect(seen.slice(1)).toEqual(read.map((text) => `${text} | no symbol was chosen yet; reading the past: ${text}`));
  const told = r.log.lines.filter(({ event }) => event === 'universe-reading').map(({ fields }) => fields['read']);
  expect(told, 'every 10 s').toEqual([read[0], read[2], read[5], read[7]]);
  expect(chosen[0]!.symbols).toHaveLength(1);
  expect(r.kernel.status().strategies[0]!.universeReading, 'over').toBe('');
});

test('after a restart between two choices it is told as well, until the past is read', () => {
  const seen: string[] = [];
  const { r, chosen } = started({ window: 1_800 * SECOND }, 300 * SECOND, {
    every: 8,
    chosen: [0],
    look: ({ kernel, clock }) => {
      const [ladder] = kernel.why.at({ now: clock.time, endedAt: 0, outside: null, symbol: 'BTCUSDT' });
      const why = ladder!.checks.find(({ name }) => name === 'universe')!.text;
      const reading = kernel.status().strategies[0]!.universeReading;
      if (seen.at(-1) !== reading) seen.push(reading);
      expect(why).toMatch(
        reading === '' ? /^it was chosen(; the next choice.*)?$/ : /^it was chosen; reading the past: \d of 2 symbols, \d+ %$/,
      );
    },
  });
  expect(chosen).toEqual([]);
  expect(seen.at(-1), 'over').toBe('');
  expect(seen.length).toBeGreaterThan(8);
  const told = r.log.lines.filter(({ event }) => event === 'universe-reading').map(({ fields }) => fields['read']);
  expect(told.length).toBeGreaterThan(3);
  expect(told[1]).toMatch(/^0 of 2 symbols, 2\d %$/);
});

test('a strategy that waits for choices, and has no universe, is a warning that says where one stands', () => {
  const strategy = defineStrategy({ name: 'rotation', create: () => ({ onUniverse() {} }) });
  const { log } = rig({}, { instruments: INSTRUMENTS, strategies: [{ strategy, instruments: [0] }], polls: POLLS });
  const line = log.lines.find(({ event }) => event === 'universe-missing');
  expect(line).toMatchObject({
    level: 'warn',
    fields: { strategy: 'rotation', symbols: ['BTCUSDT'], hint: expect.stringContaining('--config') },
  });
  expect(started({}, 300 * SECOND).r.log.lines.map(({ event }) => event)).not.toContain('universe-missing');
});
