/** Managed trades of two strategies on one leg: whose lots a close takes (src/engine/trades/strategy-trades.ts). */
import { describe, expect, test } from 'vitest';
import type { KernelOptions } from '../../../../src/engine/options.ts';
import { foldRecords } from '../../../../src/engine/recovery/registry.ts';
import { defineStrategy } from '../../../../src/engine/strategy/definition/define.ts';
import type { ManagedTrade } from '../../../../src/engine/trades/trade-types.ts';
import type { StrategyContext } from '../../../../src/engine/strategy/definition/types.ts';
import type { OrderReport } from '../../../../src/domain/report.ts';
import type { Query } from '../../../../src/ports/venue.ts';
import {
  orderReport,
  polledRig,
  POLLS,
  positionReport,
  pushedRig,
  restarted,
  rig,
  settleReads,
  type Rig,
} from '../../../support/engine/engine-kit.ts';

/** The venue accepts order `n`, and fills `lots` of it at `price`. */
function fill(r: Rig, n: number, lots: number, price: number): void {
  r.venue.accepted(n, `v${n}`);
  r.venue.pushedFill(n, lots, price * 10);
}

/** Two strategies with managed trades on one leg; `exits` are the ended ones of both. */
function shared(make: (strategies: KernelOptions['strategies']) => Rig): {
  r: Rig;
  one: () => StrategyContext;
  two: () => StrategyContext;
  exits: string[];
} {
  const contexts = new Map<string, StrategyContext>();
  const exits: string[] = [];
  const strategy = (name: string) => ({
    strategy: defineStrategy({
      name,
      create: () => ({
        onStart: (ctx) => void contexts.set(name, ctx),
        onExit: (trade) =>
          exits.push(`${name} ${trade.id}: ${trade.exits.map(({ why, size, price }) => `${why} ${size} at ${price}`).join(', ')}`),
      }),
    }),
    instruments: [0],
  });
  const r = make([strategy('one'), strategy('two')]);
  return { r, one: () => contexts.get('one')!, two: () => contexts.get('two')!, exits };
}

describe('managed trades of two strategies on one leg', () => {
  const pushed = () => shared((strategies) => pushedRig({}, { strategies }));
  const hold = (r: Rig, ctx: StrategyContext, lots: number, stopLoss: number): ManagedTrade => {
    const trade = ctx.enter({ market: ctx.markets[0]!, side: 'LONG', size: (lots / 1_000).toFixed(3), stopLoss })!;
    fill(r, trade.id, lots, 1000);
    return trade;
  };
  const left = (...trades: ManagedTrade[]): number[] => trades.map(({ size }) => Math.round(size * 1_000));
  /** The venue's stop-loss at `price` closes `lots`. */
  const stopped = (r: Rig, lots: number, price: number): void => r.venue.pushedOwnFill(0, 0, 1, lots, price * 10);
  const end = (r: Rig, trade: ManagedTrade): void => {
    const { size } = trade;
    trade.close('done');
    fill(r, r.venue.last().seq, Math.round(size * 1_000), 1000);
  };

  test('the stop-loss of an ended trade takes lots of its own strategy, not those of the newest trade', () => {
    const { r, one, two, exits } = pushed();
    const ended = hold(r, one(), 10, 990);
    const mine = hold(r, one(), 20, 980);
    const theirs = hold(r, two(), 30, 970);
    end(r, ended);
    stopped(r, 10, 990);
    expect(left(mine, theirs)).toEqual([10, 30]);
    expect(mine.exits).toMatchObject([{ why: 'stop-loss', size: 0.01, price: 990 }]);
    expect(theirs.exits).toEqual([]);
    end(r, theirs);
    end(r, mine);
    expect(exits.map((text) => text.split(': ')[1])).toEqual([
      'done 0.01 at 1000',
      'done 0.03 at 1000',
      'stop-loss 0.01 at 990, done 0.01 at 1000',
    ]);
  });

  test('what it takes of another strategy leaves that one’s trade, once and with its price', () => {
    const { r, one, two } = pushed();
    const ended = hold(r, one(), 20, 990);
    const theirs = hold(r, two(), 30, 970);
    end(r, ended);
    stopped(r, 20, 990);
    expect(left(theirs)).toEqual([10]);
    expect(theirs.exits).toMatchObject([{ why: 'elsewhere', size: 0.02, price: 990 }]);
    theirs.close('done');
    expect(r.venue.last()).toMatchObject({ effect: 1, size: 10 });
  });

  test('what fills of a trade after others have closed it is closed by an order of its own, and says so', () => {
    const { r, one, two } = pushed();
    const ended = hold(r, one(), 20, 990);
    const market = two().markets[0]!;
    const theirs = two().enter({ market, side: 'LONG', size: '0.02', stopLoss: 970, ladder: [{ at: 995, size: '0.005' }] })!;
    const rung = r.venue.last().seq;
    fill(r, theirs.id, 20, 1000);
    r.venue.accepted(rung, `v${rung}`);
    end(r, ended);
    stopped(r, 20, 990);
    r.venue.pushedFill(rung, 5, 9_950);
    expect(r.venue.last()).toMatchObject({ effect: 1, size: 5 });
    fill(r, r.venue.last().seq, 5, 994);
    expect(theirs.exits).toMatchObject([
      { why: 'elsewhere', size: 0.02, price: 990 },
      { why: 'leftover', size: 0.005, price: 994 },
    ]);
  });

  test('a stop-loss that closes more than its trade had left takes the rest in the same order', () => {
    const { r, one, two } = pushed();
    const part = hold(r, one(), 30, 990);
    const older = hold(r, one(), 10, 970);
    const theirs = hold(r, two(), 20, 970);
    one().close(part.market, 'LONG', { size: '0.02', reason: 'by hand' });
    fill(r, r.venue.last().seq, 20, 1000);
    // Of the trades of its own strategy, the newest gives first.
    expect(left(part, older, theirs)).toEqual([20, 0, 20]);
    stopped(r, 30, 990);
    expect(left(part, theirs)).toEqual([0, 10]);
  });

  test('a plain close of the whole leg ends the trades of both, its own first', () => {
    const { r, one, two, exits } = pushed();
    const mine = hold(r, one(), 10, 990);
    const theirs = hold(r, two(), 20, 980);
    one().close(mine.market, 'LONG', { reason: 'by hand' });
    r.venue.accepted(r.venue.last().seq, 'x');
    r.venue.pushedFill(r.venue.last().seq, 15, 10_010);
    expect(left(mine, theirs)).toEqual([0, 15]);
    r.venue.pushedFill(r.venue.last().seq, 15, 10_020);
    expect(exits).toEqual([`one ${mine.id}: elsewhere 0.01 at 1001`, `two ${theirs.id}: elsewhere 0.005 at 1001, elsewhere 0.015 at 1002`]);
  });

  test('lots that no trade holds are closed before those of trades', () => {
    const { r, one, two } = pushed();
    const mine = hold(r, one(), 10, 990);
    const theirs = hold(r, two(), 20, 980);
    two().open(mine.market, 'LONG', { size: '0.005' });
    fill(r, r.venue.last().seq, 5, 1000);
    two().close(mine.market, 'LONG', { size: '0.007' });
    fill(r, r.venue.last().seq, 7, 1000);
    expect(left(mine, theirs)).toEqual([10, 18]);
  });

  test('the operator’s flatten ends the trades of both, for its price', () => {
    const { r, one, two, exits } = pushed();
    const mine = hold(r, one(), 10, 990);
    const theirs = hold(r, two(), 20, 980);
    r.kernel.inbox.operate({ name: 'flatten', scope: 'BTCUSDT', by: 'ann', why: 'a test' });
    r.advance(200);
    fill(r, r.venue.last().seq, 30, 1000.5);
    expect(exits).toEqual([`two ${theirs.id}: elsewhere 0.02 at 1000.5`, `one ${mine.id}: elsewhere 0.01 at 1000.5`]);
  });

  test('lots that were closed while the bot was away leave the newest trades, once', () => {
    const { r, one, two } = pushed();
    hold(r, one(), 10, 980);
    hold(r, two(), 20, 980);
    hold(r, one(), 30, 980);
    for (const [lots, held] of [
      [35, [10, 5, 20]],
      [7, [7, 0, 0]],
    ] as const) {
      const again = shared((strategies) => restarted(foldRecords(null, r.records), lots, { strategies }));
      const trades = [...again.one().trades(), ...again.two().trades()];
      expect([1, 3, 2].map((id) => left(...trades.filter((trade) => trade.id === id))[0] ?? 0)).toEqual(held);
    }
  });
});

test('a target that filled while the bot was away is not closed again at the start, with lots of the other strategy', () => {
  const { r, one, two } = shared((strategies) => pushedRig({}, { strategies }));
  const [market] = one().markets;
  const takeProfit = [{ at: 1010, share: 1, resting: true }];
  const mine = one().enter({ market: market!, side: 'LONG', size: '0.020', maxHoldMs: 5_000, takeProfit })!;
  fill(r, mine.id, 20, 1000);
  const target = { ...r.venue.last() };
  r.venue.accepted(target.seq, `v${target.seq}`);
  const theirs = two().enter({ market: market!, side: 'LONG', size: '0.030' })!;
  fill(r, theirs.id, 30, 1000);

  const again = shared((strategies) => rig({}, { polls: POLLS, strategies }));
  const { kernel, clock, open, venue } = again.r;
  clock.time = r.clock.time + 10_000;
  const updatedAt = clock.time - 5_000;
  kernel.restore(foldRecords(null, r.records));
  const reports = [orderReport(target, 'filled', { averagePrice: 1_010, updatedAt })];
  const held = (lots: number, at = updatedAt) => [positionReport(0, lots, { updatedAt: at })];
  // The history comes last: the step that finds the fill also begins to trade.
  const late: Query[] = [];
  venue.query = (query) => (query.kind === 'history' ? late : open).push(query);
  kernel.inbox.start();
  for (let k = 0; k < 40; k++) {
    settleReads(again.r, reports, k < 6 ? held(50, r.clock.time) : held(30));
    if (k > 5) for (open.push(...late.splice(0)); open.length > 0; open.push(...late.splice(0))) settleReads(again.r, reports, held(30));
    again.r.advance(250);
  }
  expect(kernel.phase).toBe('armed');
  expect(venue.commands.filter(({ effect }) => effect === 1)).toEqual([]);
  expect(again.exits).toEqual([`one ${mine.id}: target 0.02 at 1010`]);
});

test('a stop-loss that fired before a trade was placed closed none of its lots, though it is told later', () => {
  const { r, one, two } = shared((strategies) => polledRig({}, { strategies }));
  const [market] = one().markets;
  const records: OrderReport[] = [];
  let updatedAt = r.clock.time;
  const pass = (ms: number, lots: number): void => {
    for (let passed = 0; passed < ms; passed += 100) {
      r.advance(100);
      settleReads(r, records, [positionReport(0, lots, { updatedAt })]);
    }
  };
  /** The last order fills, and reads show `lots` from then on. */
  const filled = (lots: number): void => {
    const { seq } = r.venue.last();
    r.venue.accepted(seq, `v${seq}`);
    updatedAt = r.clock.time + 10;
    records.push(orderReport(r.venue.last(), 'filled', { venueId: `v${seq}`, averagePrice: 1000, createdAt: updatedAt, updatedAt }));
    pass(3_000, lots);
  };
  const ended = one().enter({ market: market!, side: 'LONG', size: '0.005', stopLoss: 990 })!;
  filled(5);
  const theirs = two().enter({ market: market!, side: 'LONG', size: '0.005' })!;
  filled(10);
  ended.close('done');
  filled(5);
  // The bracket of the ended trade stays at the venue, and closes what the other strategy holds.
  const firedAt = r.clock.time + 50;
  pass(100, 5);
  const mine = one().enter({ market: market!, side: 'LONG', size: '0.003' })!;
  const times = { createdAt: firedAt, updatedAt: firedAt };
  records.push(orderReport(r.venue.last(), 'filled', { venueId: 'x', clientId: '', effect: 1, size: 5, averagePrice: 989.9, ...times }));
  filled(3);
  expect(theirs.exits).toMatchObject([{ why: 'elsewhere', size: 0.005, price: 989.9 }]);
  expect([mine.size, mine.exits]).toEqual([0.003, []]);
});

describe('a leg that is smaller than its trade, before it is known why', () => {
  const [FIRED_MS, HOLD_MS] = [3_000, 5_000];

  /** A trade of 10 lots whose stop-loss closed 6: reads of the leg show that, and the history does so from `recordMs` on. Before, it fails. */
  function stopped(recordMs: number): { r: Rig; trade: ManagedTrade; closes: () => number[]; passTo: (ms: number) => void } {
    const r = polledRig();
    const trade = r.ctx().enter({ market: r.ctx().markets[0]!, side: 'LONG', size: '0.010', stopLoss: 990, maxHoldMs: HOLD_MS })!;
    const entry = orderReport(r.venue.last(), 'filled', { averagePrice: 1_000 });
    r.venue.accepted(trade.id, 'v1');
    const begun = r.clock.time;
    const at = begun + FIRED_MS;
    const facts = { venueId: 'v2', clientId: '', effect: 1, size: 6, averagePrice: 989.9, createdAt: at, updatedAt: at };
    const stop = orderReport(r.venue.last(), 'filled', facts);
    const unread: Query[] = [];
    r.venue.query = (query) => {
      const isUnread = query.kind === 'history' && r.clock.time >= at && r.clock.time < begun + recordMs;
      (isUnread ? unread : r.open).push(query);
    };
    const passTo = (ms: number): void => {
      while (r.clock.time < begun + ms) {
        r.advance(100);
        const hasFired = r.clock.time >= at;
        for (const query of unread.splice(0)) r.venue.failed(query, 'timeout');
        const leg = positionReport(0, hasFired ? 4 : 10, { updatedAt: hasFired ? at : begun + 1 });
        settleReads(r, hasFired ? [entry, stop] : [entry], [leg]);
      }
    };
    passTo(FIRED_MS - 100);
    expect(trade.size).toBe(0.01);
    return { r, trade, passTo, closes: () => r.venue.commands.filter(({ effect }) => effect === 1).map(({ size }) => size) };
  }

  test('the time exit waits until it is told, and closes the rest; nothing is refused', () => {
    const { r, trade, closes, passTo } = stopped(8_000);
    passTo(7_900);
    expect([trade.state, trade.size, closes()]).toEqual(['closing', 0.01, []]);
    passTo(12_000);
    expect(trade.exits).toMatchObject([{ why: 'stop-loss', size: 0.006, price: 989.9 }]);
    expect(closes()).toEqual([4]);
    expect(r.log.events()).not.toContain('intent-refused');
  });

  test('if nothing tells it for ten seconds, the close is asked for, and the refusal is seen', () => {
    const { r, passTo } = stopped(Infinity);
    passTo(HOLD_MS + 9_000);
    expect(r.log.events()).not.toContain('intent-refused');
    passTo(HOLD_MS + 13_000);
    expect(r.log.events()).toContain('intent-refused');
  });
});
