/** The read model of the monitor: what it keeps of a stream of changes, and its pages. */
import { describe, expect, it } from 'vitest';
import type { Change, OrderRow, PositionRow, StatusRow } from '../../../src/control/changes.ts';
import { FILLS_KEPT, ReadModel } from '../../../src/monitor/model/read-model.ts';
import { RecentRows } from '../../../src/monitor/model/recent-rows.ts';

const recentRows = (most: number): RecentRows<{ id: number; time: number }> =>
  new RecentRows({ most, idOf: ({ id }) => id, timeOf: ({ time }) => time });

describe('recent rows', () => {
  it('pages by id and time as a plain filter of all rows does', () => {
    const [rows, plain] = [recentRows(1_000), [] as { id: number; time: number }[]];
    for (let id = 1; id <= 500; id++) {
      const row = { id: 3 * id, time: 10 * Math.floor(id / 3) };
      rows.put(row);
      plain.push(row);
    }
    const matches = ({ id }: { id: number }): boolean => id % 2 === 0;
    for (const before of [undefined, 3, 4, 750, 1_500, 9_999])
      for (const from of [undefined, 0, 405, 5_000])
        for (const to of [undefined, 0, 410, 411]) {
          const expected = plain
            .filter(({ id, time }) => id < (before ?? Infinity) && time >= (from ?? -1) && time < (to ?? Infinity) && id % 2 === 0)
            .reverse();
          const { rows: found, next } = rows.page({ before, from, to, limit: 7, matches });
          expect(found).toEqual(expected.slice(0, 7));
          expect(next).toBe(expected.length > 7 ? expected[6]!.id : null);
        }
  });

  it('gives every row once, page by page, also while rows are added', () => {
    const rows = recentRows(10_000);
    for (let id = 1; id <= 1_000; id++) rows.put({ id, time: id });
    const seen: number[] = [];
    for (let before: number | null | undefined = undefined; before !== null;) {
      const page: ReturnType<typeof rows.page> = rows.page({ before, limit: 64 });
      seen.push(...page.rows.map(({ id }) => id));
      before = page.next;
      rows.put({ id: 2_000 + seen.length, time: 2_000 });
    }
    expect(seen).toEqual(Array.from({ length: 1_000 }, (_, k) => 1_000 - k));
  });

  it('keeps the newest, replaces a row of the same id, and takes late rows in their place', () => {
    const rows = recentRows(5_000);
    for (let id = 20_000; id >= 1; id--) if (id % 2 === 0) rows.put({ id, time: id });
    for (let id = 20_001; id <= 40_000; id++) rows.put({ id, time: id });
    expect([rows.size, rows.get(35_000), rows.get(35_001)]).toEqual([5_000, undefined, { id: 35_001, time: 35_001 }]);
    rows.put({ id: 39_000, time: 7 });
    expect([rows.size, rows.get(39_000), rows.newest]).toEqual([5_000, { id: 39_000, time: 7 }, { id: 40_000, time: 40_000 }]);
  });
});

const status = { bot: 'a', time: 120_000, equity: '100.00', halts: [], strategies: [] } as unknown as StatusRow;
const order = (number: number, state: string): OrderRow => ({ number, state, symbol: 'BTCUSDT', createdAt: number }) as OrderRow;
const leg = (size: string): PositionRow => ({ symbol: 'BTCUSDT', side: 'LONG', size, provenAt: 1 }) as PositionRow;
const change = (kind: Change['kind'], payload: unknown): Change => ({ id: 'b-1', kind, time: 5, [kind]: payload }) as unknown as Change;

describe('the read model', () => {
  it('is what the reset says, with the changes after it', () => {
    const model = new ReadModel(0);
    model.take(change('reset', { boot: 'b', now: { status, positions: [leg('1')], orders: [order(1, 'working')], quotes: [] } }));
    model.take(change('order', order(2, 'submitting')));
    model.take(change('order', order(1, 'filled')));
    model.take(change('position', leg('0.000')));
    model.take(change('halts', [{ scope: 'bot' }]));
    expect(model.openOrders.map(({ number }) => number)).toEqual([2]);
    expect(model.orders.get(1)?.state).toBe('filled');
    expect([model.positions.size, model.halts]).toEqual([0, [{ scope: 'bot' }]]);
    model.take(change('reset', { boot: 'c', now: { status, positions: [], orders: [], quotes: [] } }));
    expect([model.openOrders, model.orders.get(2)?.state, model.orders.get(1)?.state]).toEqual([[], 'ended', 'filled']);
  });

  it('knows that each read proves the positions that did not change, too', () => {
    const model = new ReadModel(0);
    const readAt = { equity: 1, orders: 1, positions: 5_000, prices: 1 };
    model.take(change('reset', { boot: 'b', now: { status, positions: [leg('1')], orders: [], quotes: [] } }));
    model.take(change('status', { ...status, readAt }));
    expect(model.now.positions).toEqual([{ ...leg('1'), provenAt: 5_000 }]);
  });

  it('makes minute bars of quotes', () => {
    const model = new ReadModel(0);
    const prices = ['100.5', '99.9', '101.0', '100.0'];
    for (const [k, last] of prices.entries())
      model.take(change('quotes', [{ symbol: 'BTCUSDT', bid: '', ask: '', last, time: 60_000 + 20_000 * k }]));
    expect(model.bars('BTCUSDT')).toEqual([
      [60_000, '100.5', '101.0', '99.9', '101.0'],
      [120_000, '100.0', '100.0', '100.0', '100.0'],
    ]);
  });

  it('keeps the lines that strategies draw, one value a minute, apart from the notes', () => {
    const model = new ReadModel(0);
    const point = (time: number, line: string, value: string): void =>
      model.take({ ...change('note', { strategy: 'ema', symbol: 'BTCUSDT', text: '', line, value }), time });
    for (const [time, value] of [
      [60_000, '1'],
      [119_999, '2'],
      [120_000, '3'],
    ] as const)
      point(time, 'slow', value);
    expect(model.plots.of('BTCUSDT')).toEqual([
      {
        strategy: 'ema',
        name: 'slow',
        rows: [
          [60_000, '2'],
          [120_000, '3'],
        ],
      },
    ]);
    expect([model.notes.size, model.plots.of('ETHUSDT')]).toEqual([0, []]);
    for (let k = 0; k < 30; k++) point(180_000, `line ${k}`, '1');
    expect(model.plots.of('BTCUSDT').map(({ name }) => name)).toEqual(Array.from({ length: 20 }, (_, k) => `line ${k + 10}`));
  });

  it('remembers halts that are over, and times in which no price was read', () => {
    const model = new ReadModel(0);
    const halt = (code: string, since: number): object => ({ scope: 'bot', code, detail: '', since, by: 'bot', ends: '' });
    const span = (code: string, since: number, until: number): object => ({ scope: 'bot', code, detail: '', since, until });
    const heard = (time: number, prices: number, halts: object[] = []): void =>
      model.take({ ...change('status', { ...status, time, halts, readAt: { equity: 0, orders: 0, positions: 0, prices } }), time });
    heard(1_000, 0);
    heard(2_000, 1_500, [halt('operator', 1_800)]);
    model.take({ ...change('halts', [halt('kill', 3_000)]), time: 3_000 });
    heard(4_000, 4_000);
    expect(model.haltSpans.all).toEqual([span('operator', 1_800, 3_000), span('kill', 3_000, 4_000)]);
    heard(14_000, 4_000);
    expect(model.blindSpans.all).toEqual([]);
    heard(14_001, 4_000);
    heard(20_000, 19_000);
    expect(model.blindSpans.all).toEqual([{ from: 4_000, until: 19_000, cause: 'the bot read no price' }]);
    model.take(change('connection', { state: 'lost', since: 21_000, heardAt: 20_000, cause: '' }));
    model.take(change('connection', { state: 'connected', since: 29_000, heardAt: 29_000, cause: '' }));
    // Prices of before are none of now.
    heard(29_000, 19_500);
    expect(model.blindSpans.all.at(-1)).toEqual({ from: 20_000, until: 0, cause: 'the bot was lost' });
    heard(29_900, 29_800);
    expect(model.blindSpans.all.at(-1)).toEqual({ from: 20_000, until: 29_800, cause: 'the bot was lost' });
  });

  it('is bounded: of a million changes it keeps the newest', () => {
    const model = new ReadModel(0);
    for (let id = 1; id <= 300_000; id++) {
      model.take(change('fill', { id, time: id }));
      model.take(change('order', order(id, id % 100 === 0 ? 'working' : 'filled')));
      if (id % 100 === 0) model.take(change('order', order(id, 'cancelled')));
      model.take(change('log', { event: 'e', level: 'info', time: '2026-01-01T00:00:00.000Z' }));
    }
    expect([model.fills.size, model.orders.size, model.lines.size, model.openOrders.length]).toEqual([FILLS_KEPT, 20_000, 10_000, 0]);
  });
});
