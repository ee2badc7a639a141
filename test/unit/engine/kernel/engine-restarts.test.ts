/** What changed at the venue while the bot was away, or just before it died: the records of the venue explain it, each order once. */
import { describe, expect, test } from 'vitest';
import { CLOSE, LONG, MARKET, OPEN } from '../../../../src/domain/codes.ts';
import { emptyCommand } from '../../../../src/domain/orders/command.ts';
import type { OrderReport, PositionReport } from '../../../../src/domain/report.ts';
import type { KernelOptions } from '../../../../src/engine/options.ts';
import type { KernelSnapshot } from '../../../../src/engine/recovery/registry.ts';
import { fillsIn } from '../../../../src/run/bot/answers/fill-answers.ts';
import { profitIn } from '../../../../src/run/bot/answers/profit.ts';
import { journalOf } from '../../../support/stores/journal-of.ts';
import { foldRecords } from '../../../../src/engine/recovery/registry.ts';
import type { OrderFields } from '../../../../src/engine/intents/intents.ts';
import { defineStrategy } from '../../../../src/engine/strategy/definition/define.ts';
import type { ManagedTrade, Target } from '../../../../src/engine/trades/trade-types.ts';
import type { JournalRecord } from '../../../../src/ports/store.ts';
import type { Query } from '../../../../src/ports/venue.ts';
import { orderReport, POLLS, positionReport, rig, settleReads, START, type Rig } from '../../../support/engine/engine-kit.ts';

const OPTIONS = { polls: POLLS, external: { position: 'adopt' } } as const;

/** A bot that starts `ms` after the one before it, from what that has journaled, or from this snapshot of it. */
function next(before: Rig | null, ms: number, snapshot?: KernelSnapshot): Rig {
  const r = rig({}, OPTIONS);
  if (before !== null) {
    r.clock.time = before.clock.time + ms;
    r.kernel.restore(foldRecords(snapshot ?? null, snapshot === undefined ? before.records : []));
  }
  r.kernel.inbox.start();
  return r;
}

/** Answers everything for so many quarters of a second, as a venue whose clock is so many milliseconds ahead. */
function live(r: Rig, quarters: number, orders: readonly OrderReport[], positions: readonly PositionReport[], aheadMs = 0): void {
  for (let k = 0; k < quarters; k++) {
    settleReads(r, orders, positions, r.clock.time + aheadMs);
    r.advance(250);
  }
}

/** The changes that were told as brackets of own orders, and as those of others. */
function told(r: Rig): string[] {
  return r.log.lines
    .filter(({ event }) => event === 'exit' || event === 'external')
    .map(({ event, fields }) => (event === 'exit' ? `${String(fields['what'])} ${String(fields['size'])}` : String(fields['text'])));
}

/** A record of an order without our name on the LONG leg that filled at `at`. */
function others(venueId: string, at: number, effect: number, size: number, averagePrice = 1000): OrderReport {
  const command = { ...emptyCommand(), type: MARKET, side: LONG, effect, size };
  return orderReport(command, 'filled', {
    venueId,
    clientId: '',
    averagePrice,
    realised: -250_000_000,
    fee: 60_000_000,
    createdAt: at,
    updatedAt: at,
  });
}

describe('a take-profit that filled before the last own fill', () => {
  /**
   * The bot holds 6 lots of an order of 10 with a take-profit, and 7 of another party. It opens 20, the exit fills shortly before, and the bot
   * dies when it has read its own fill, and not the position.
   */
  function died(isShown = false): { r: Rig; orders: OrderReport[]; now: PositionReport } {
    const r = next(null, 0);
    // These are in the position that the first start reads.
    const orders = [others('a', START - 90_000, OPEN, 10), others('b', START - 80_000, CLOSE, 3)];
    const at = (lots: number, updatedAt: number): PositionReport => positionReport(LONG, lots, { createdAt: START - 90_000, updatedAt });
    const fills = (id: number, averagePrice: number, ms: number): void => {
      r.venue.accepted(id, `v${id}`);
      const filledAt = r.clock.time + ms;
      orders.push(orderReport(r.venue.last(), 'filled', { averagePrice, createdAt: filledAt, updatedAt: filledAt }));
    };
    live(r, 4, orders, [at(7, START - 80_000)]);
    const market = r.ctx().markets[0]!;
    fills(r.ctx().open(market, 'LONG', { size: '0.010', takeProfit: 1010 }), 1000, 20);
    live(r, 8, orders, [at(17, r.clock.time + 20)]);
    fills(r.ctx().close(market, 'LONG', { size: '0.004' }), 1000, 20);
    live(r, 8, orders, [at(13, r.clock.time + 20)]);
    const exit = others('fu-7', r.clock.time + 100, CLOSE, 6, 1010);
    let now = at(27, r.clock.time + 200);
    fills(r.ctx().open(market, 'LONG', { size: '0.020' }), 1009, 200);
    r.advance(300);
    const isJudged = (): boolean => r.records.some(({ kind, data }) => kind === 'leg' && data['unexplained'] === -6);
    if (isShown) {
      while (!isJudged()) live(r, 1, orders, [now]);
      // The leg is as reads show it. Another own fill writes it to the journal again.
      live(r, 6, orders, [now]);
      now = at(26, r.clock.time + 20);
      fills(r.ctx().close(market, 'LONG', { size: '0.001' }), 1009, 20);
      r.advance(100);
    }
    r.open.splice(0, r.open.length, ...r.open.filter(({ kind }) => kind !== 'positions'));
    settleReads(r, orders, []);
    return { r, orders: [...orders, exit], now };
  }

  test.each(['journal', 'snapshot'])('is known after a restart, from the %s', (from) => {
    const { r, orders, now } = died();
    const after = next(r, 5_000, from === 'journal' ? undefined : r.kernel.snapshot());
    live(after, 60, orders, [now]);
    expect(told(after)).toEqual(['take-profit 0.006']);
    expect(after.records.filter(({ kind }) => kind === 'exit')).toMatchObject([{ seq: 1, data: { lots: 6, venueId: 'fu-7' } }]);
  });

  test('is known also if positions had shown it before, and its record came after the restart', () => {
    const { r, orders, now } = died(true);
    expect(told(r)).toEqual([]);
    expect(r.records.findLast(({ kind }) => kind === 'leg')!.data).toMatchObject({ total: 26, unexplained: -6 });
    const after = next(r, 5_000);
    live(after, 60, orders, [now]);
    expect(told(after)).toEqual(['take-profit 0.006']);
  });

  test('does not stop a bot whose journal is of a version that kept no agreed time', () => {
    const { r, orders, now } = died();
    for (const { kind, data } of r.records) if (kind === 'leg') delete (data as Record<string, unknown>)['agreedUpTo'];
    const after = next(r, 5_000);
    live(after, 60, orders, [now]);
    expect(after.kernel.phase).toBe('armed');
    expect(after.kernel.markets[0]!.long.size).toBe(0.027);
  });
});

describe.each(['journal', 'snapshot'])('while a strategy does not run, its trade gets with its price, from the %s,', (from) => {
  /** Three lives of a bot: with the strategy that enters 10 lots, with another one, and with the first again. */
  function lives(takeProfit: readonly Target[] = []) {
    const exits: string[] = [];
    let trade: ManagedTrade | null = null;
    const journal: JournalRecord[] = [];
    const strategy = (name: string): KernelOptions['strategies'] => [
      {
        strategy: defineStrategy({
          name,
          create: () => ({
            onStart: (ctx) => {
              if (name === 'keeper' && trade === null)
                trade = ctx.enter({ market: ctx.markets[0]!, side: 'LONG', size: '0.010', stopLoss: 990, takeProfit });
            },
            onExit: (ended) => exits.push(ended.exits.map(({ why, size, price }) => `${why} ${size} at ${price}`).join()),
          }),
        }),
        instruments: [0],
      },
    ];
    const begin = (name: string, before: Rig | null): Rig => {
      const r = rig({}, { ...OPTIONS, strategies: strategy(name) });
      if (before !== null) {
        journal.push(...before.records);
        r.clock.time = before.clock.time + 5_000;
        r.kernel.restore(from === 'snapshot' ? structuredClone(before.kernel.snapshot()) : foldRecords(null, journal));
      }
      r.kernel.inbox.start();
      return r;
    };
    /** The newest command of the bot is placed; its record once it has filled. */
    const placed = (r: Rig, averagePrice: number): OrderReport => {
      const command = r.venue.last();
      r.venue.accepted(command.seq, `v${command.seq}`);
      return orderReport(command, 'filled', { averagePrice, createdAt: r.clock.time + 10, updatedAt: r.clock.time + 20 });
    };
    const first = begin('keeper', null);
    live(first, 4, [], []);
    const entry = placed(first, 1000);
    return { begin, entry, exits, first, placed, close: () => trade!.close('done') };
  }

  /** The first life, until the entry is known. */
  function held(targets?: readonly Target[]) {
    const world = lives(targets);
    live(world.first, 8, [world.entry], [positionReport(LONG, 10, { updatedAt: world.entry.updatedAt })]);
    return world;
  }

  test('what its stop-loss closed', () => {
    const { begin, entry, exits, first } = held();
    const second = begin('another', first);
    const stop = others('fu-9', second.clock.time - 1_000, CLOSE, 10, 990);
    live(second, 40, [entry, stop], []);
    expect(told(second)).toEqual(['stop-loss 0.010']);
    live(begin('keeper', second), 20, [entry, stop], []);
    expect(exits).toEqual(['stop-loss 0.01 at 990']);
  });

  test.each([
    ['what its closing order closed', undefined, 'done 0.01 at 1005'],
    ['what its target closed', [{ at: 1005, share: 1, resting: true }], 'target 0.01 at 1005'],
  ])('%s', (_what, targets, expected) => {
    const { begin, close, entry, exits, first, placed } = held(targets);
    if (targets === undefined) close();
    const orders = [entry, placed(first, 1005)];
    const second = begin('another', first);
    live(second, 40, orders, []);
    live(begin('keeper', second), 20, orders, []);
    expect(exits).toEqual([expected]);
  });

  test('what its entry opened', () => {
    const { begin, entry, exits, first } = lives();
    const second = begin('another', first);
    const opened = [positionReport(LONG, 10, { updatedAt: entry.updatedAt })];
    live(second, 40, [entry], opened);
    const third = begin('keeper', second);
    live(third, 20, [entry], opened);
    expect(exits).toEqual([]);
    expect(third.kernel.snapshot().trades?.['keeper']).toMatchObject([
      { state: 'open', enteredLots: 10, entryValue: 10_000, pricedLots: 10 },
    ]);
  });
});

describe('what changed while an own order filled unseen, so that a read agreed by chance, is told', () => {
  /** Places an order of the LONG leg that fills after `ms`, and gives its record. */
  function filled(r: Rig, fields: OrderFields, ms: number, isClose = false): OrderReport {
    const market = r.ctx().markets[0]!;
    const id = isClose ? r.ctx().close(market, 'LONG', fields) : r.ctx().open(market, 'LONG', fields);
    r.venue.accepted(id, `v${id}`);
    const at = r.clock.time + ms;
    return orderReport(r.venue.last(), 'filled', { averagePrice: 1000, createdAt: at, updatedAt: at });
  }

  /** Answers the open queries of these kinds, and keeps the others. */
  function readOnly(r: Rig, kinds: readonly Query['kind'][], orders: readonly OrderReport[], positions: readonly PositionReport[]): void {
    const kept = r.open.filter(({ kind }) => !kinds.includes(kind));
    r.open.splice(0, r.open.length, ...r.open.filter(({ kind }) => kinds.includes(kind)));
    settleReads(r, orders, positions);
    r.open.unshift(...kept);
  }

  const STOP = ['stop-loss 0.020'];
  const PERSON = ["BTCUSDT LONG went from 0.030 to 0.010: no order that this bot knows did it (the venue's order fu-8 of 0.020 at 990.0)"];
  test.each([
    ['a stop-loss of another order', 'before the bot died', 'journal', 11, 0, STOP],
    ['a stop-loss of another order', 'before the bot died', 'snapshot', 11, 0, STOP],
    ['a stop-loss of another order', 'after the start', 'journal', 11, 0, STOP],
    ['a stop-loss of another order', 'after the start', 'snapshot', 11, 0, STOP],
    ['a close by a person', 'before the bot died', 'journal', 11, 0, PERSON],
    ['a close by a person', 'after the start', 'snapshot', 11, 0, PERSON],
    ['a close by a person long before that order', 'before the bot died', 'journal', -1_500, 0, PERSON],
    ['a close by a person long before that order', 'after the start', 'snapshot', -1_500, 0, PERSON],
    ['a close by a person', 'after the start', 'journal', 11, 3_600_000, PERSON],
    ['a close by a person', 'after the start', 'journal', 11, -3_600_000, PERSON],
  ])(
    '%s: read %s, from the %s; filled %i ms later, and the clock of the venue was set by %i ms',
    (_what, when, from, ms, setMs, expected) => {
      const r = next(null, 0);
      live(r, 4, [], []);
      const first = filled(r, { size: '0.020', ...(expected === STOP ? { stopLoss: 990 } : {}) }, 20);
      live(r, 8, [first], [positionReport(LONG, 20, { updatedAt: r.clock.time + 20 })]);
      // A resting exit that may explain the lots as well.
      const exit: OrderReport = { ...filled(r, { size: '0.020', limit: 1100 }, 10, true), status: 'open', averagePrice: 0 };
      const at = r.clock.time;
      const mine = filled(r, { size: '0.020' }, 10);
      const theirs = others('fu-8', at + ms, CLOSE, 20, 990);
      const now = positionReport(LONG, 20, { updatedAt: at + Math.max(10, ms) });
      r.advance(1_000);
      if (when === 'before the bot died') {
        readOnly(r, ['positions'], [], [now]);
        readOnly(r, ['history'], [first, mine], []);
        expect(r.kernel.markets[0]!.long.size).toBe(0.04);
      }
      const after = next(r, 5_000, from === 'journal' ? undefined : r.kernel.snapshot());
      while (after.kernel.phase !== 'armed') live(after, 1, [first, mine, exit, theirs], [now], setMs);
      const closedAt = after.clock.time + 20 + setMs;
      const orders = [first, mine, theirs, { ...exit, status: 'cancelled' as const }, filled(after, { size: '0.010' }, 20 + setMs, true)];
      live(after, 120, orders, [positionReport(LONG, 10, { updatedAt: closedAt })], setMs);
      expect(told(after)).toEqual(expected);
    },
  );
});

describe('an order of another party', () => {
  const begun = (): { r: Rig; mine: OrderReport; at: number } => {
    const r = next(null, 0);
    live(r, 4, [], []);
    const id = r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.030' });
    r.venue.accepted(id, `v${id}`);
    const at = r.clock.time;
    const mine = orderReport(r.venue.last(), 'filled', { averagePrice: 1000, createdAt: at + 10, updatedAt: at + 20 });
    live(r, 8, [mine], [positionReport(LONG, 30, { createdAt: at + 20, updatedAt: at + 20 })]);
    return { r, mine, at: r.clock.time };
  };

  test.each(['journal', 'snapshot'])('explains one change, not a second one after a restart from the %s', (from) => {
    const { r, mine, at } = begun();
    const first = others('x1', at + 10, CLOSE, 10);
    live(r, 20, [mine, first], [positionReport(LONG, 20, { updatedAt: at + 10 })]);
    expect(told(r)).toEqual([expect.stringContaining("from 0.030 to 0.020: no order that this bot knows did it (the venue's order x1")]);
    const after = next(r, 5_000, from === 'journal' ? undefined : r.kernel.snapshot());
    const second = others('x2', after.clock.time - 10, CLOSE, 10);
    live(after, 40, [mine, first, second], [positionReport(LONG, 10, { updatedAt: after.clock.time - 10 })]);
    expect(told(after)).toEqual([
      expect.stringContaining("from 0.020 to 0.010: no order that this bot knows did it (the venue's order x2"),
    ]);
  });

  test('explains no second change if its record came after it was reported, also over a restart', () => {
    const { r, mine, at } = begun();
    const first = others('x1', at + 10, CLOSE, 10);
    // The history does not show it in time.
    live(r, 80, [mine], [positionReport(LONG, 20, { updatedAt: at + 10 })]);
    expect(told(r)).toEqual(['BTCUSDT LONG went from 0.030 to 0.020: no order that this bot knows did it']);
    const after = next(r, 5_000);
    const second = others('x2', after.clock.time - 10, CLOSE, 10);
    live(after, 40, [mine, first, second], [positionReport(LONG, 10, { updatedAt: after.clock.time - 10 })]);
    expect(told(after)).toEqual([
      expect.stringContaining("from 0.020 to 0.010: no order that this bot knows did it (the venue's order x2"),
    ]);
  });

  test('may explain one change before a restart and its other lots after it', () => {
    const { r, mine, at } = begun();
    const order = others('x1', at + 10, CLOSE, 14);
    live(r, 20, [mine, order], [positionReport(LONG, 20, { updatedAt: at + 10 })]);
    const after = next(r, 5_000);
    live(after, 40, [mine, order], [positionReport(LONG, 16, { updatedAt: after.clock.time - 10 })]);
    expect(told(after)).toEqual([
      expect.stringContaining("from 0.020 to 0.016: no order that this bot knows did it (the venue's order x1"),
    ]);
  });

  test.each([
    ['with its price', 1, [['external', '0.010', '1000.0', '-2.5', '0.6']]],
    ['without a price if its record came later, which adds its money', 90, [['external', '0.010', '', '', '']]],
  ])('is a row of the fills %s, and its money is in the profit', async (_what, late, rows) => {
    const { r, mine, at } = begun();
    const first = others('x1', at + 10, CLOSE, 10);
    const shown = positionReport(LONG, 20, { updatedAt: at + 10 });
    live(r, late === 1 ? 0 : late, [mine], [shown]);
    live(r, 20, [mine, first], [shown]);
    // Another change makes the bot read the history once more.
    const second = others('x2', r.clock.time, CLOSE, 5);
    live(r, 40, [mine, first, second], [positionReport(LONG, 15, { updatedAt: r.clock.time })]);
    const found = (await fillsIn(r.records, {})).filter(({ reason }) => reason === 'external');
    expect(found.slice(0, 1).map(({ reason, size, price, profit, fee }) => [reason, size, price, profit, fee])).toEqual(rows);
    expect(found[1]).toMatchObject({ size: '0.005', effect: 'CLOSE', side: 'LONG', price: '1000.0', positionAfter: '0.015' });
    expect((await profitIn(journalOf(r.records), 'symbol', {})).at(-1)).toMatchObject({ profit: '-5.00', fees: '1.20' });
  });
});

describe('the first answer after a start is a copy from before all fills: lists from before the last of them', () => {
  const at = (lots: number, updatedAt: number): PositionReport => positionReport(LONG, lots, { createdAt: START + 20, updatedAt });

  /** The bot fills 10 lots and 3 s later 20, which no list shows yet, and dies. */
  function died(): { r: Rig; orders: OrderReport[]; early: PositionReport; now: PositionReport } {
    const r = next(null, 0);
    const orders: OrderReport[] = [];
    const filled = (size: string): number => {
      const id = r.ctx().open(r.ctx().markets[0]!, 'LONG', { size });
      r.venue.accepted(id, `v${id}`);
      const updatedAt = r.clock.time + 20;
      orders.push(orderReport(r.venue.last(), 'filled', { averagePrice: 1000, createdAt: updatedAt, updatedAt }));
      return updatedAt;
    };
    live(r, 4, [], []);
    const early = at(10, filled('0.010'));
    live(r, 12, orders, [early]);
    const now = at(30, filled('0.020'));
    live(r, 4, orders, [early]);
    expect(r.kernel.markets[0]!.long.size).toBe(0.03);
    return { r, orders, early, now };
  }

  test.each([
    ['alone', 0],
    ['and copies of such a list follow it for half a second', 3],
  ])('show nothing that others closed, %s', (_when, copies) => {
    const { r, orders, early, now } = died();
    const after = next(r, 2_000);
    const history = after.open.findIndex(({ kind }) => kind === 'history');
    const copy = { kind: 'history', orders: [] } as const;
    after.venue.answered(after.open.splice(history, 1)[0]!, copy, after.clock.time, early.updatedAt - 100);
    live(after, copies, orders, [early], early.updatedAt - after.clock.time);
    live(after, 16, orders, [early]);
    expect(after.log.events()).toContain('venue-clock-moved');
    expect([after.kernel.markets[0]!.long.size, told(after)]).toEqual([0.03, []]);
    live(after, 4, orders, [now]);
    expect([after.kernel.markets[0]!.long.size, told(after)]).toEqual([0.03, []]);
  });
});
