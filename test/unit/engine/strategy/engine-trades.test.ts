import { describe, expect, test } from 'vitest';
import { CANCELLED } from '../../../../src/domain/orders/order.ts';
import { foldRecords } from '../../../../src/engine/recovery/registry.ts';
import type { EnterFields, ManagedTrade } from '../../../../src/engine/trades/trade-types.ts';
import type { StrategyHandlers } from '../../../../src/engine/strategy/definition/types.ts';
import {
  orderReport,
  polledRig,
  POLLS,
  positionReport,
  pushedRig,
  rejection,
  restarted,
  rig,
  settleReads,
  type Rig,
} from '../../../support/engine/engine-kit.ts';

type Fields = Omit<EnterFields, 'market' | 'side'> & { side?: 'LONG' | 'SHORT' };

function started(
  handlers: StrategyHandlers = {},
): Rig & { enter: (fields: Fields) => ManagedTrade; quote: (price: number) => void; exits: string[] } {
  const exits: string[] = [];
  const r = pushedRig({
    ...handlers,
    onExit: (trade) => exits.push(`${trade.exits.map(({ why, size, price }) => `${why} ${size} at ${price}`).join(', ') || 'nothing'}`),
  });
  return {
    ...r,
    exits,
    enter(fields) {
      const trade = r.ctx().enter({ market: r.ctx().markets[0]!, side: 'LONG', ...fields });
      if (trade === null) throw new Error('refused');
      return trade;
    },
    quote: (price) => {
      r.advance(10);
      r.kernel.inbox.onQuote(0, price * 10, 5_000, price * 10 + 2, 5_000);
    },
  };
}

/** The venue accepts order `n`, and fills `lots` of it at `price`. */
function fill(r: Rig, n: number, lots: number, price: number): void {
  r.venue.accepted(n, `v${n}`);
  r.venue.pushedFill(n, lots, price * 10);
}

const opened = (r: Rig): number[] => r.venue.commands.map(({ seq }) => seq);

describe('a managed trade', () => {
  test('is entered with its stop at the venue, and knows price, best and worst, and profit', () => {
    const r = started();
    const trade = r.enter({ size: '0.01', stopLoss: 990, takeProfit: 1020 });
    expect(r.venue.last()).toMatchObject({ size: 10, stopLoss: 9_900, takeProfit: 10_200 });
    expect(trade).toMatchObject({ state: 'entering', entryPrice: Number.NaN, size: 0 });
    fill(r, trade.id, 4, 1000.2);
    fill(r, trade.id, 6, 1000.4);
    r.quote(1004);
    r.quote(998);
    r.quote(1001);
    expect(trade).toMatchObject({ state: 'open', size: 0.01, best: 1004, worst: 998, venueStop: 990 });
    expect(trade.entryPrice).toBeCloseTo(1000.32, 9);
    expect(trade.unrealised).toBeCloseTo(0.0068, 9);
    expect(r.ctx().trades()).toEqual([trade]);
  });

  test('ends when the venue’s stop-loss closes it, for the price that it got', () => {
    const r = started();
    const trade = r.enter({ size: '0.01', stopLoss: 990 });
    fill(r, trade.id, 10, 1000.2);
    r.venue.pushedOwnFill(0, 0, 1, 10, 9_895);
    expect(r.exits).toHaveLength(1);
    expect(trade).toMatchObject({ state: 'closed', size: 0 });
    expect(r.ctx().trades()).toEqual([]);
  });

  test('a trailing stop follows the best price, and closes the rest at the market', () => {
    const r = started();
    const trade = r.enter({ size: '0.01', trailing: { percent: 1 } });
    // Until the bot sees a better price, the venue holds the stop where the trailing begins.
    expect(r.venue.last().stopLoss).toBe(9_902);
    fill(r, trade.id, 10, 1000.2);
    r.quote(1000);
    r.quote(1100);
    expect(trade.stop).toBeCloseTo(1089, 6);
    r.quote(1090);
    expect(opened(r)).toHaveLength(1);
    r.quote(1089);
    expect(r.venue.last()).toMatchObject({ effect: 1, size: 10 });
    fill(r, r.venue.last().seq, 10, 1088.9);
    expect(r.exits).toEqual(['trailing-stop 0.01 at 1088.9']);
    expect(trade.realised).toBeCloseTo(0.887, 9);
  });

  test('a SHORT trade trails downwards', () => {
    const r = started();
    const trade = r.enter({ side: 'SHORT', size: '0.01', stopLoss: 1050, trailing: { distance: 5, after: 1 } });
    fill(r, trade.id, 10, 1000);
    r.quote(995);
    expect(trade.stop).toBeNaN();
    r.quote(980);
    expect(trade.stop).toBeCloseTo(985.2, 9);
    r.quote(985.2);
    expect(r.venue.last()).toMatchObject({ effect: 1, side: 1, size: 10 });
  });

  test('break-even moves the stop to the entry once there was enough profit', () => {
    const r = started();
    const trade = r.enter({ size: '0.01', stopLoss: 980, breakEven: { after: 1, plus: 0.1 } });
    fill(r, trade.id, 10, 1000);
    r.quote(1009);
    expect(trade.stop).toBeNaN();
    r.quote(1010);
    expect(trade.stop).toBeCloseTo(1001, 9);
    r.quote(1000.9);
    fill(r, r.venue.last().seq, 10, 1000.8);
    expect(r.exits).toEqual(['stop 0.01 at 1000.8']);
  });

  const thirds = (resting?: boolean): EnterFields['takeProfit'] => [
    { at: 1010, share: 1 / 3, resting },
    { at: 1020, share: 1 / 3, resting },
    { at: 1030, share: 1 / 3, resting },
  ];

  test('targets are held by the bot: a share is closed at the market when its price is reached, and nothing is locked until then', () => {
    const r = started();
    const trade = r.enter({ size: '0.01', stopLoss: 980, takeProfit: thirds() });
    fill(r, trade.id, 10, 1000);
    r.quote(1009.9);
    expect(opened(r)).toEqual([trade.id]);
    r.quote(1010);
    expect(r.venue.last()).toMatchObject({ effect: 1, type: 1, size: 3 });
    r.quote(1011);
    expect(opened(r), 'while it is under way, none follows').toHaveLength(2);
    fill(r, r.venue.last().seq, 3, 1010.4);
    r.quote(1012);
    expect(opened(r)).toHaveLength(2);
    r.quote(1031);
    const [second, third] = r.venue.commands.slice(2);
    expect([second, third].map((c) => [c!.size, c!.type])).toEqual([
      [3, 1],
      [4, 1],
    ]);
    fill(r, second!.seq, 3, 1031);
    fill(r, third!.seq, 4, 1030.9);
    expect(r.exits).toEqual(['target 0.003 at 1010.4, target 0.003 at 1031, target 0.004 at 1030.9']);
  });

  test('a target that is refused is tried again while its price lasts', () => {
    const r = started();
    const trade = r.enter({ size: '0.01', stopLoss: 980, takeProfit: [{ at: 1010, share: 0.5 }] });
    fill(r, trade.id, 10, 1000);
    r.quote(1010);
    r.venue.rejected(r.venue.last().seq, rejection('system-error'));
    r.quote(1010.2);
    expect(opened(r), 'not at once').toHaveLength(2);
    r.quote(1009);
    r.advance(2_000);
    expect(opened(r), 'not below its price').toHaveLength(2);
    r.quote(1010.5);
    expect(r.venue.last()).toMatchObject({ effect: 1, type: 1, size: 5 });
    expect(opened(r)).toHaveLength(3);
  });

  test('a target does not wait for the rest of its entry', () => {
    const r = started();
    const trade = r.enter({ size: '0.01', limit: 1000, stopLoss: 980, takeProfit: [{ at: 1010, share: 1 }] });
    fill(r, trade.id, 4, 1000);
    r.quote(1010);
    expect(r.venue.last()).toMatchObject({ effect: 1, type: 1, size: 4 });
  });

  test('without a stop-loss there is nothing to lock: targets rest', () => {
    const r = started();
    const trade = r.enter({ size: '0.01', takeProfit: [{ at: 1010, share: 1 }] });
    fill(r, trade.id, 10, 1000);
    expect(r.venue.last()).toMatchObject({ effect: 1, type: 0, size: 10, price: 10_100 });
  });

  test('targets that rest close shares of the size as limit orders, and a stop withdraws them before it closes the rest', () => {
    const r = started();
    const trade = r.enter({ size: '0.01', stopLoss: 980, takeProfit: thirds(true) });
    fill(r, trade.id, 10, 1000);
    const [, first, second, third] = r.venue.commands;
    expect([first, second, third].map((c) => [c!.size, c!.price, c!.effect])).toEqual([
      [3, 10_100, 1],
      [3, 10_200, 1],
      [4, 10_300, 1],
    ]);
    for (const c of [first, second, third]) r.venue.accepted(c!.seq, `v${c!.seq}`);
    r.venue.pushedFill(first!.seq, 3, 10_100);
    expect(trade).toMatchObject({ size: 0.007 });
    trade.setStop(1005);
    r.quote(1004);
    const cancels = r.venue.commands.slice(4);
    expect(cancels.map((c) => c.target).sort((a, b) => a - b)).toEqual([second!.seq, third!.seq]);
    for (const c of cancels) {
      r.venue.accepted(c.seq, '');
      r.venue.pushedEnd(c.target, CANCELLED);
    }
    expect(r.venue.last()).toMatchObject({ effect: 1, size: 7, type: 1 });
    fill(r, r.venue.last().seq, 7, 1004);
    expect(r.exits).toEqual(['target 0.003 at 1010, stop 0.007 at 1004']);
  });

  test.each([
    { what: 'fires for what they leave', lots: 4, share: 0.6 },
    { what: 'cannot fire', lots: 0, share: 1 },
  ])('targets that rest lock their size: where the venue’s stop $what, the bot withdraws them and closes the rest', ({ lots, share }) => {
    const r = started();
    const trade = r.enter({ size: '0.01', stopLoss: 980, takeProfit: [{ at: 1010, share, resting: true }] });
    fill(r, trade.id, 10, 1000);
    const target = r.venue.last();
    r.venue.accepted(target.seq, 'target');
    r.quote(981);
    expect(r.venue.last()).toBe(target);
    if (lots > 0) r.venue.pushedOwnFill(0, 0, 1, lots, 9_795);
    else r.quote(980);
    const cancel = r.venue.last();
    expect([cancel.target, trade.state]).toEqual([target.seq, 'closing']);
    r.venue.accepted(cancel.seq, '');
    r.venue.pushedEnd(target.seq, CANCELLED);
    expect(r.venue.last()).toMatchObject({ effect: 1, type: 1, size: 10 - lots });
    fill(r, r.venue.last().seq, 10 - lots, 979);
    expect(r.exits).toEqual([lots > 0 ? 'stop-loss 0.004 at 979.5, stop-loss 0.006 at 979' : 'stop-loss 0.01 at 979']);
    expect(trade.state).toBe('closed');
  });

  test('ends after its time, and an entry that does not fill expires', () => {
    const r = started();
    const trade = r.enter({ size: '0.01', stopLoss: 980, maxHoldMs: 60_000 });
    fill(r, trade.id, 10, 1000);
    r.advance(59_999);
    expect(trade.state).toBe('open');
    r.advance(1);
    expect(trade.state).toBe('closing');
    fill(r, r.venue.last().seq, 10, 999);
    expect(r.exits).toEqual(['time 0.01 at 999']);
    r.quote(1000);
    const late = r.enter({ size: '0.01', limit: 990, stopLoss: 980, expiresInMs: 1_000 });
    r.venue.accepted(late.id, 'v');
    r.advance(1_000);
    const cancel = r.venue.last();
    expect(cancel).toMatchObject({ target: late.id });
    r.venue.accepted(cancel.seq, '');
    r.venue.pushedEnd(late.id, CANCELLED);
    expect(r.exits[1]).toBe('nothing');
  });

  test('a ladder adds size at its prices, and is cancelled with the trade', () => {
    const r = started();
    const trade = r.enter({
      size: '0.01',
      stopLoss: 900,
      ladder: [
        { at: 990, size: '0.02' },
        { at: 980, size: '0.04' },
      ],
    });
    const [, one, two] = r.venue.commands;
    expect([one!.price, two!.price]).toEqual([9_900, 9_800]);
    fill(r, trade.id, 10, 1000);
    fill(r, one!.seq, 20, 990);
    r.venue.accepted(two!.seq, 'v2');
    expect(trade.entryPrice).toBeCloseTo((10 * 1000 + 20 * 990) / 30, 9);
    trade.close('enough');
    const cancel = r.venue.last();
    expect(cancel).toMatchObject({ target: two!.seq });
    r.venue.accepted(cancel.seq, '');
    r.venue.pushedEnd(two!.seq, CANCELLED);
    expect(r.venue.last()).toMatchObject({ effect: 1, size: 30 });
  });

  test('a close that is refused is tried again', () => {
    const r = started();
    const trade = r.enter({ size: '0.01', stopLoss: 980 });
    fill(r, trade.id, 10, 1000);
    trade.close();
    r.venue.rejected(r.venue.last().seq, rejection('insufficient-balance'));
    const before = r.venue.commands.length;
    r.advance(999);
    expect(r.venue.commands).toHaveLength(before);
    r.advance(1);
    expect(r.venue.commands).toHaveLength(before + 1);
    fill(r, r.venue.last().seq, 10, 1000);
    expect(r.exits).toEqual(['closed by the strategy 0.01 at 1000']);
  });

  test('an event at the moment of the next try does not take its place', () => {
    const r = started();
    const trade = r.enter({ size: '0.01', stopLoss: 980 });
    fill(r, trade.id, 10, 1000);
    trade.close();
    r.venue.rejected(r.venue.last().seq, rejection('insufficient-balance'));
    const before = r.venue.commands.length;
    // Two seconds pass in which no timer runs; then an order event comes first.
    r.clock.time += 2_000;
    const other = r.ctx().open(r.ctx().markets[0]!, 'SHORT', { size: '0.001' });
    r.venue.accepted(other, 'x');
    expect(r.kernel.nextTimer).toBeLessThanOrEqual(r.clock.time + 1);
    r.advance(1);
    expect(r.venue.commands.length).toBeGreaterThan(before + 1);
  });

  test('size by risk: the way to the stop loses the percent of the equity, and the value has a limit', () => {
    const r = polledRig();
    const market = r.ctx().markets[0]!;
    // The account holds 10,000.
    const size = (risk: EnterFields['risk']): number => r.ctx().sizeFor({ market, side: 'LONG', limit: 1000, risk });
    expect(size({ percent: 1, stop: 990 })).toBeCloseTo(10, 9);
    expect(size({ percent: 1, stop: 990, maxValue: 500 })).toBeCloseTo(0.5, 9);
    expect(size({ percent: 1, stop: 1010 })).toBe(0);
  });

  test.each([
    [{}, /give size, value, percent/],
    [{ size: '1', risk: { percent: 1 } }, /one of them/],
    [{ value: 100, percent: 1 }, /one of them/],
    [{ kelly: { winRate: 0.4, payoff: 1 }, stopLoss: 990 }, /a size needs equity/],
    [{ kelly: { winRate: 40, payoff: 1 }, stopLoss: 990 }, /a size needs equity/],
    [{ volatility: { target: 10, realised: 0 } }, /a size needs equity/],
    [{ size: '1', stoploss: 3 }, /there is no "stoploss" \(did you mean "stopLoss"/],
    [{ size: '1', trailing: { percent: 1, distance: 2 } }, /trailing has distance or percent/],
    [{ size: '1', trailing: { percent: 1, after: 2 } }, /needs a stopLoss/],
    [
      {
        size: '1',
        takeProfit: [
          { at: 1, share: 0.6 },
          { at: 2, share: 0.6 },
        ],
      },
      /at most 1 together/,
    ],
    [{ size: '1', trailing: { distance: 5, afterr: 2 } }, /there is no "afterr" in trailing \(did you mean "after"/],
    [{ size: '1', breakEven: { after: 1, plu: 1 } }, /there is no "plu" in breakEven \(did you mean "plus"/],
    [{ risk: { percent: 1, maxvalue: 500 }, stopLoss: 990 }, /there is no "maxvalue" in risk \(did you mean "maxValue"/],
    [{ kelly: { winRate: 0.6, payoff: 2, fractoin: 0.1 }, stopLoss: 990 }, /there is no "fractoin" in kelly/],
    [{ volatility: { target: 10, realised: 20, days: 2 } }, /there is no "days" in volatility/],
    [{ size: '1', stopLoss: { trigger: 990, limt: 980 } }, /there is no "limt" in stopLoss \(did you mean "limit"/],
    [{ size: '1', takeProfit: { trigger: 1010, share: 1 } }, /there is no "share" in takeProfit/],
    [{ size: '1', takeProfit: [{ at: 1010, shar: 1 }] }, /there is no "shar" in takeProfit \(did you mean "share"/],
    [{ size: '1', takeProfit: [{ at: 1010 }] }, /at most 1 together, found undefined/],
    [{ size: '1', takeProfit: [{ at: Number.NaN, share: 1 }] }, /a target is at a price above 0, found null/],
    [{ size: '1', ladder: [{ at: 990, size: '1', limit: 2 }] }, /there is no "limit" in ladder/],
    [{ size: '1', maxHoldMs: '12h' }, /maxHoldMs is a number of milliseconds, at least 1, found "12h"/],
    [{ size: '1', trailing: null }, /trailing is null: leave it out/],
    [{ size: '1', trailing: { distance: 5, after: Number.NaN }, stopLoss: 990 }, /trailing.after is a percent of at least 0, found NaN/],
    [{ size: '1', trailing: { distance: 5, after: -1 }, stopLoss: 990 }, /trailing.after is a percent of at least 0, found -1/],
    [{ size: '1', breakEven: { after: 1, plus: Number.NaN } }, /breakEven.plus is a percent, found NaN/],
    [{ size: '1', maxValue: -1 }, /maxValue is a value in quote coin above 0, found -1/],
    [{ size: '1', ladder: 3 }, /ladder is a list of \{ at, size \}, found 3/],
    [{ size: '1', ladder: [{ at: 'x', size: '1' }] }, /an order of the ladder is at a price above 0, found "x"/],
    [{ size: '1', takeProfit: [{ at: 1010, share: '0.5' }] }, /at most 1 together, found 0.5/],
    [{ size: '1', maxHoldMs: 0 }, /maxHoldMs is a number of milliseconds, at least 1, found 0/],
  ])('%o is refused and says why', (fields, message) => {
    const refused: string[] = [];
    const r = pushedRig({ onOrder: ({ state, message: text }) => (state === 'refused' ? refused.push(text) : 0) });
    expect(r.ctx().enter({ market: r.ctx().markets[0]!, side: 'LONG', ...(fields as Partial<EnterFields>) })).toBeNull();
    r.kernel.inbox.runTimers(r.clock.time);
    expect(refused.join()).toMatch(message);
    expect(r.venue.commands).toEqual([]);
  });

  const whyRefused = (r: { log: { lines: readonly { event: string; fields: unknown }[] } }): unknown =>
    r.log.lines.find(({ event }) => event === 'intent-refused')?.fields;

  test('a wrong field of trail() is refused too', () => {
    const r = started();
    const trade = r.enter({ size: '0.01', stopLoss: 980 });
    fill(r, trade.id, 10, 1000);
    r.quote(1000);
    trade.trail({ distance: 5, afterr: 2 } as Parameters<typeof trade.trail>[0]);
    expect(whyRefused(r)).toMatchObject({ why: 'bad-trade', detail: 'there is no "afterr" in trailing (did you mean "after"?)' });
    expect(trade.stop).toBeNaN();
    trade.trail({ distance: 5 });
    expect(trade.stop).toBeGreaterThan(990);
  });

  test('a wrong field of sizeFor() is refused too', () => {
    const r = started();
    const market = r.ctx().markets[0]!;
    const risk = { percent: 1, stop: 990, maxvalue: 500 } as EnterFields['risk'];
    expect(r.ctx().sizeFor({ market, side: 'LONG', limit: 1000, risk })).toBe(0);
    expect(whyRefused(r)).toMatchObject({ detail: 'there is no "maxvalue" in risk (did you mean "maxValue"?)' });
  });
});

describe('managed trades after a restart', () => {
  test('the journal alone brings a trade back, with its stop, and it goes on', () => {
    const r = started();
    const trade = r.enter({ size: '0.01', stopLoss: 980, trailing: { percent: 1 }, maxHoldMs: 3_600_000 });
    fill(r, trade.id, 10, 1000);
    r.quote(1050);
    r.advance(2_000);
    r.quote(1100);
    const snapshot = foldRecords(null, r.records);
    expect(snapshot.trades?.['probe']).toMatchObject([{ id: trade.id, state: 'open', best: 1100, enteredLots: 10 }]);

    const fresh = restarted(snapshot, 10);
    const [same] = fresh.ctx().trades();
    expect(same).toMatchObject({ id: trade.id, state: 'open', best: 1100, size: 0.01 });
    expect(same!.stop).toBeCloseTo(1089, 6);
    settleReads(fresh, [], [positionReport(0, 10)]);
    fresh.kernel.inbox.onQuote(0, 10_880, 1, 10_882, 1);
    expect(fresh.venue.last()).toMatchObject({ effect: 1, size: 10 });
  });

  test('what was closed while the bot was away is taken from the trade', () => {
    const r = started();
    const trade = r.enter({ size: '0.01', stopLoss: 980 });
    fill(r, trade.id, 10, 1000);
    const part = restarted(foldRecords(null, r.records), 4);
    expect(part.ctx().trades()).toMatchObject([{ size: 0.004, exits: [{ why: 'external', size: 0.006 }] }]);
    const none = restarted(foldRecords(null, r.records), 0);
    expect(none.ctx().trades()).toEqual([]);
  });

  test('the rest of an order that filled in part before has its own price, not the average of the order', () => {
    const r = polledRig();
    const trade = r.ctx().enter({ market: r.ctx().markets[0]!, side: 'LONG', size: '0.010', limit: 1000, stopLoss: 980 })!;
    const command = r.venue.last();
    r.venue.accepted(trade.id, 'v1');
    const part = orderReport(command, 'partial', { averagePrice: 999, fee: -4 });
    for (let k = 0; k < 20 && trade.entered < 0.004; k++) {
      settleReads(r, [part], [positionReport(0, 4, { updatedAt: r.clock.time })]);
      r.advance(1_000);
    }
    expect(trade.entered).toBe(0.004);
    // 4 lots at 999 and 6 at 999.5 are 999.3 on average.
    const whole = orderReport(command, 'filled', { averagePrice: 999.3, updatedAt: r.clock.time });
    for (const snapshot of [foldRecords(null, r.records), foldRecords(r.kernel.snapshot(), [])]) {
      const fills: number[] = [];
      const fresh = rig({ onFill: ({ size, price }) => fills.push(size, price) }, { polls: POLLS });
      fresh.clock.time = r.clock.time + 1_000;
      fresh.kernel.restore(snapshot);
      fresh.kernel.inbox.start();
      for (let k = 0; k < 20 && fresh.kernel.phase !== 'armed'; k++) {
        settleReads(fresh, [whole], [positionReport(0, 10, { updatedAt: fresh.clock.time })]);
        fresh.advance(500);
      }
      expect(fills[0]).toBe(0.006);
      expect(fills[1]).toBeCloseTo(999.5, 6);
      expect(fresh.ctx().trades()[0]!.entryPrice).toBeCloseTo(999.3, 6);
    }
  });

  test('an exit of unknown price is NaN again, not null', () => {
    const r = started();
    const trade = r.enter({ size: '0.01', stopLoss: 980 });
    fill(r, trade.id, 10, 1000);
    r.venue.pushedOwnFill(0, 0, 1, 4, 0);
    expect(trade.exits).toMatchObject([{ size: 0.004, price: Number.NaN }]);
    const journal = JSON.parse(JSON.stringify(r.records)) as typeof r.records;
    const fresh = restarted(foldRecords(null, journal), 6);
    expect(fresh.ctx().trades()[0]!.exits).toMatchObject([{ size: 0.004, price: Number.NaN }]);
  });

  test('a trade of a strategy that does not run is reported, and kept until it runs again', () => {
    const r = started();
    const trade = r.enter({ size: '0.01', stopLoss: 980 });
    fill(r, trade.id, 10, 1000);
    const { trades, ...snapshot } = foldRecords(null, r.records);
    const fresh = restarted({ ...snapshot, trades: { other: trades!['probe']! } }, 10);
    expect(fresh.ctx().trades()).toEqual([]);
    expect(fresh.log.lines.filter(({ event }) => event === 'trade-without-strategy').map(({ fields }) => fields)).toMatchObject([
      { strategy: 'other', symbol: 'BTCUSDT', side: 'LONG', venueStop: 980 },
    ]);
    const again = fresh.kernel.snapshot().trades!;
    expect(again).toEqual({ other: trades!['probe']! });
    expect(
      restarted({ ...snapshot, trades: { probe: again['other']! } }, 10)
        .ctx()
        .trades(),
    ).toMatchObject([{ id: trade.id, size: 0.01 }]);
  });

  test('a closed trade is forgotten', () => {
    const r = started();
    const trade = r.enter({ size: '0.01', stopLoss: 980 });
    fill(r, trade.id, 10, 1000);
    trade.close();
    fill(r, r.venue.last().seq, 10, 1000);
    expect(foldRecords(null, r.records).trades).toEqual({ probe: [] });
    expect(r.kernel.snapshot().trades).toBeUndefined();
  });
});
