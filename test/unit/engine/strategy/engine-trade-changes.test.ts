/** `trade.add`, `trade.reduce`, and targets and stops relative to the average price. */
import { describe, expect, test } from 'vitest';
import { CANCELLED } from '../../../../src/domain/orders/order.ts';
import { foldRecords } from '../../../../src/engine/recovery/registry.ts';
import type { AddFields, EnterFields, ManagedTrade, ReduceFields } from '../../../../src/engine/trades/trade-types.ts';
import { pushedRig, rejection, restarted, type Rig } from '../../../support/engine/engine-kit.ts';

type Fields = Omit<EnterFields, 'market' | 'side'> & { side?: 'LONG' | 'SHORT' };

interface Started extends Rig {
  readonly trade: ManagedTrade;
  readonly exits: string[];
  readonly refused: string[];
  readonly quote: (price: number) => void;
  /** The newest command. */
  readonly last: () => ReturnType<Rig['venue']['last']>;
}

/** A trade of 10 lots at 1000. */
function held(fields: Partial<Fields> = {}, lots = 10): Started {
  const exits: string[] = [];
  const refused: string[] = [];
  const r = pushedRig({
    onOrder({ kind, message }) {
      if (kind === 'refused') refused.push(message);
    },
    onExit: (trade) => exits.push(trade.exits.map(({ why, size, price }) => `${why} ${size} at ${price}`).join(', ')),
  });
  const trade = r.ctx().enter({ market: r.ctx().markets[0]!, side: 'LONG', size: '0.01', ...fields })!;
  if (lots > 0) fill(r, trade.id, lots, 1000);
  return {
    ...r,
    trade,
    exits,
    refused,
    last: () => r.venue.last(),
    quote(price) {
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

/** The venue cancels the order that the newest command is to cancel. */
function cancel(r: Rig): number {
  const { seq, target } = r.venue.last();
  r.venue.accepted(seq, '');
  r.venue.pushedEnd(target, CANCELLED);
  return target;
}

const OWN_TARGET = [{ percent: 2, share: 1 }];

describe('trade.add', () => {
  test('opens more of the same trade, with the stop-loss and take-profit of its entry', () => {
    const r = held({ stopLoss: 900, takeProfit: 1100 });
    const order = r.trade.add({ size: '0.02', limit: 990, reason: 'lower' });
    expect(r.last()).toMatchObject({ seq: order, size: 20, price: 9_900, effect: 0, stopLoss: 9_000, takeProfit: 11_000 });
    fill(r, order, 20, 990);
    expect(r.trade).toMatchObject({ size: 0.03, entered: 0.03 });
    expect(r.trade.entryPrice).toBeCloseTo((10 * 1000 + 20 * 990) / 30, 9);
    expect(r.ctx().trades()).toEqual([r.trade]);
  });

  test('by a share of what is held, at the market', () => {
    const r = held();
    r.trade.add({ share: 0.55 });
    expect(r.last()).toMatchObject({ size: 5, type: 1, effect: 0 });
  });

  test('what waits of it is cancelled when the trade closes, and what fills then is closed too', () => {
    const r = held();
    const order = r.trade.add({ size: '0.02', limit: 990 });
    r.venue.accepted(order, 'added');
    r.trade.close('enough');
    expect(r.last()).toMatchObject({ target: order });
    r.venue.pushedFill(order, 5, 9_900);
    cancel(r);
    expect(r.last()).toMatchObject({ effect: 1, size: 15 });
    fill(r, r.last().seq, 15, 995);
    expect(r.exits).toEqual(['enough 0.015 at 995']);
    expect(r.trade.realised).toBeCloseTo(15 * 0.001 * 995 - 0.01 * 1000 - 0.005 * 990, 9);
  });

  test('the rungs of a ladder have the take-profit too', () => {
    const r = held({ takeProfit: 1100, ladder: [{ at: 990, size: '0.02' }] });
    expect(r.venue.commands[1]).toMatchObject({ price: 9_900, takeProfit: 11_000 });
  });
});

describe('the average price', () => {
  test('is that of what is held: a part that was closed no longer counts', () => {
    const r = held();
    r.trade.reduce(0.5);
    fill(r, r.last().seq, 5, 1100);
    expect(r.trade).toMatchObject({ entryPrice: 1000, size: 0.005 });
    expect(r.trade.realised).toBeCloseTo(0.5, 9);
    const order = r.trade.add({ size: '0.005' });
    fill(r, order, 5, 900);
    expect(r.trade.entryPrice).toBe(950);
    expect(r.trade.realised).toBeCloseTo(0.5, 9);
    r.trade.close('end');
    fill(r, r.last().seq, 10, 960);
    expect(r.trade.realised).toBeCloseTo(0.5 + 0.01 * 10, 9);
  });

  test('profit is the same when an exit is known before the entry that it closed', () => {
    const r = held();
    const order = r.trade.add({ size: '0.005' });
    r.venue.accepted(order, 'added');
    r.trade.reduce(1);
    fill(r, r.last().seq, 10, 1010);
    r.venue.pushedFill(order, 5, 9_000);
    r.trade.close('end');
    fill(r, r.last().seq, 5, 910);
    expect(r.trade.realised).toBeCloseTo(0.01 * 10 + 0.005 * 10, 9);
  });
});

describe('trade.reduce', () => {
  test('closes a share at the market, with its reason, and the trade goes on', () => {
    const r = held({ stopLoss: 900 });
    expect(r.trade.reduce({ share: 0.25, reason: 'half way' })).toBe(true);
    expect(r.last()).toMatchObject({ effect: 1, type: 1, size: 2 });
    fill(r, r.last().seq, 2, 1010);
    expect(r.trade).toMatchObject({ state: 'open', size: 0.008 });
    expect(r.trade.exits).toMatchObject([{ why: 'half way', size: 0.002, price: 1010 }]);
  });

  test('all that is held ends the trade', () => {
    const r = held();
    r.trade.reduce(1);
    fill(r, r.last().seq, 10, 1010);
    expect(r.exits).toEqual(['reduce 0.01 at 1010']);
  });

  test('that rests leaves each of two targets its share of the rest', () => {
    const r = held({ takeProfit: [1020, 1040].map((at) => ({ at, share: 0.5 })) });
    const [low, high] = r.venue.commands.slice(-2).map(({ seq }) => seq);
    for (const seq of [low!, high!]) r.venue.accepted(seq, `t${seq}`);
    expect(r.trade.reduce({ size: '0.004', limit: 1010 })).toBe(true);
    const cancels = r.venue.commands.slice(-2);
    expect(cancels.map(({ target }) => target)).toEqual([low, high]);
    for (const { seq, target } of cancels) {
      r.venue.accepted(seq, '');
      r.venue.pushedEnd(target, CANCELLED);
    }
    // One lot was free at first: that order gives way to one for the whole share.
    const [part, first, second] = r.venue.commands.slice(-3);
    expect([part, first, second].map((one) => [one!.price, one!.size])).toEqual([
      [10_100, 4],
      [10_200, 1],
      [10_400, 3],
    ]);
    for (const { seq } of [part!, second!, first!]) r.venue.accepted(seq, `n${seq}`);
    expect(cancel(r)).toBe(first!.seq);
    expect(r.last()).toMatchObject({ price: 10_200, size: 3 });
  });

  test('takes its lots from a target that rests, which is placed again for its share of the rest', () => {
    const r = held({ takeProfit: [{ at: 1020, share: 1 }] });
    const target = r.last();
    r.venue.accepted(target.seq, 'target');
    const before = r.venue.commands.length;
    expect(r.trade.reduce({ size: '0.004', reason: 'part' })).toBe(true);
    expect(r.venue.commands.slice(before).map((c) => c.target)).toEqual([target.seq]);
    cancel(r);
    const [part, again] = r.venue.commands.slice(before + 1);
    expect([part, again]).toMatchObject([
      { effect: 1, type: 1, size: 4 },
      { effect: 1, price: 10_200, size: 6 },
    ]);
    fill(r, part!.seq, 4, 1001);
    fill(r, again!.seq, 6, 1020);
    expect(r.exits).toEqual(['part 0.004 at 1001, target 0.006 at 1020']);
  });

  test('closes what is left when a target fills before it is withdrawn, and is given up when nothing gets free', () => {
    const r = held({ takeProfit: [{ at: 1020, share: 1 }] });
    const target = r.last();
    r.venue.accepted(target.seq, 'target');
    r.trade.reduce({ size: '0.004', reason: 'part' });
    r.venue.pushedFill(target.seq, 8, 10_200);
    cancel(r);
    expect(r.trade.size).toBe(0.002);
    expect(r.trade.reduce(0.5)).toBe(false);
    r.advance(9_999);
    expect(r.refused).toEqual(['all that the trade holds is being reduced already']);
    r.advance(1_001);
    expect(r.refused.at(-1)).toBe(`the 0.004 that trade ${r.trade.id} was to reduce did not get free in 10 seconds, and stay`);
    expect(r.last()).toMatchObject({ effect: 1, price: 10_200, size: 2 });
  });

  test('a limit rests, and is withdrawn when a stop closes the trade', () => {
    const r = held({ stopLoss: 900 });
    r.trade.reduce({ share: 0.5, limit: 1030 });
    const resting = r.last();
    expect(resting).toMatchObject({ price: 10_300, size: 5, effect: 1 });
    r.venue.accepted(resting.seq, 'part');
    r.trade.setStop(995);
    r.quote(994);
    expect(r.last()).toMatchObject({ target: resting.seq });
    cancel(r);
    expect(r.last()).toMatchObject({ effect: 1, type: 1, size: 10 });
  });

  test('one order, which is not placed again when the venue refuses it', () => {
    const r = held();
    r.trade.reduce(0.5);
    r.venue.rejected(r.last().seq, rejection('insufficient-balance'));
    const before = r.venue.commands.length;
    r.advance(20_000);
    expect(r.venue.commands).toHaveLength(before);
    expect(r.trade).toMatchObject({ state: 'open', size: 0.01 });
    expect(r.trade.reduce(1)).toBe(true);
  });

  test('a rest below the smallest order goes with it', () => {
    const r = held({}, 10);
    r.trade.reduce({ size: 0.0099 });
    expect(r.last()).toMatchObject({ size: 9 });
  });
});

describe('a target relative to the average', () => {
  test('rests at its price, and follows an addition once that has filled', () => {
    const r = held({ takeProfit: OWN_TARGET });
    const first = r.last();
    expect(first).toMatchObject({ price: 10_200, size: 10, effect: 1 });
    r.venue.accepted(first.seq, 'target');
    const order = r.trade.add({ size: '0.01', limit: 900 });
    fill(r, order, 10, 900);
    expect(r.last()).toMatchObject({ target: first.seq });
    cancel(r);
    expect(r.last()).toMatchObject({ price: 9_690, size: 20, effect: 1 });
    expect(r.trade.targets).toEqual([{ price: 969, share: 1, resting: true }]);
  });

  test('waits while the order that changes it fills in parts, at most a second, and is then moved once', () => {
    const r = held({ takeProfit: OWN_TARGET });
    const first = r.last();
    r.venue.accepted(first.seq, 'target');
    const order = r.trade.add({ size: '0.01', limit: 900 });
    r.venue.accepted(order, 'added');
    const before = r.venue.commands.length;
    for (let k = 0; k < 5; k++) {
      r.venue.pushedFill(order, 1, 9_000);
      r.advance(100);
    }
    expect(r.venue.commands).toHaveLength(before);
    r.advance(500);
    expect(r.venue.commands.slice(before).map((c) => c.target)).toEqual([first.seq]);
    cancel(r);
    expect(r.last()).toMatchObject({ price: 9_860, size: 15 });
  });

  test('is not moved by a fill that leaves price and size as they are', () => {
    const r = held({ takeProfit: [{ distance: 20, share: 0.5 }] });
    const target = r.last();
    r.venue.accepted(target.seq, 'target');
    const before = r.venue.commands.length;
    const order = r.trade.add({ size: '0.001' });
    fill(r, order, 1, 1000);
    r.advance(5_000);
    expect(r.venue.commands.slice(before).map((c) => c.seq)).toEqual([order]);
  });

  test('two exits never rest on more than is held: it is placed again only when its cancelled order can no longer fill', () => {
    const r = held({ takeProfit: OWN_TARGET });
    const first = r.last();
    r.venue.accepted(first.seq, 'target');
    const order = r.trade.add({ size: '0.01', limit: 900 });
    fill(r, order, 10, 900);
    const { seq } = r.last();
    r.advance(3_000);
    expect(r.last().seq).toBe(seq);
    r.venue.pushedFill(first.seq, 10, 10_200);
    expect(r.last()).toMatchObject({ price: 9_690, size: 10, effect: 1 });
  });

  test('held by the bot, it closes at the market once the average is reached by so much', () => {
    const r = held({ stopLoss: 800, takeProfit: OWN_TARGET });
    const order = r.trade.add({ size: '0.01', limit: 900 });
    fill(r, order, 10, 900);
    r.quote(968);
    expect(r.last().seq).toBe(order);
    r.quote(969);
    expect(r.last()).toMatchObject({ effect: 1, type: 1, size: 20 });
  });

  test('for the whole: once it has filled, the ladder and additions that wait are cancelled, and the trade is over', () => {
    const r = held({ takeProfit: OWN_TARGET, ladder: [{ at: 950, size: '0.02' }] });
    const [, rung, target] = r.venue.commands;
    r.venue.accepted(rung!.seq, 'rung');
    fill(r, target!.seq, 10, 1020);
    expect(r.last()).toMatchObject({ target: rung!.seq });
    expect(r.trade.state).toBe('closing');
    cancel(r);
    expect(r.exits).toEqual(['target 0.01 at 1020']);
  });

  test('of a SHORT trade lies below the average, and its stop above', () => {
    const r = held({ side: 'SHORT', takeProfit: OWN_TARGET, stop: { percent: 5 } });
    expect(r.last()).toMatchObject({ price: 9_800, size: 10, effect: 1 });
    expect(r.trade.stop).toBe(1050);
  });
});

test('a stop relative to the average follows it, and closes the trade', () => {
  const r = held({ stop: { percent: 5 }, stopLoss: 800 });
  expect(r.trade).toMatchObject({ stop: 950, venueStop: 800 });
  const order = r.trade.add({ size: '0.01', limit: 960 });
  fill(r, order, 10, 960);
  expect(r.trade.stop).toBeCloseTo(980 * 0.95, 9);
  r.quote(940);
  expect(r.trade.state).toBe('open');
  r.quote(931);
  fill(r, r.last().seq, 20, 931);
  expect(r.exits).toEqual(['stop 0.02 at 931']);
});

describe('refused in plain words', () => {
  test.each<[string, (trade: ManagedTrade) => unknown]>([
    ['give size or share, one of them', (trade) => trade.add({})],
    ['give size or share, one of them', (trade) => trade.reduce({ size: '0.001', share: 0.5 })],
    ['there is no "amount"', (trade) => trade.add({ amount: 1 } as AddFields)],
    ['there is no "price"', (trade) => trade.reduce({ share: 0.1, price: 1 } as ReduceFields)],
    ['share is a part of what the trade holds, above 0, found 0', (trade) => trade.add({ share: 0 })],
    ['0.01 of the 0.01 that it holds is less than one lot (0.001)', (trade) => trade.add({ share: 0.01 })],
    ['share is a part of what the trade holds, above 0 and at most 1, found 1.5', (trade) => trade.reduce(1.5)],
    ['share is a part of what the trade holds, above 0 and at most 1, found NaN', (trade) => trade.reduce(Number.NaN)],
    ['0.01 of the 0.010 that it can still reduce is less than one lot (0.001)', (trade) => trade.reduce(0.01)],
    ['reduce of 0.02 is more than the 0.010 that the trade can still reduce', (trade) => trade.reduce({ size: '0.02' })],
    ['a size of 0.0001 is less than one lot (0.001)', (trade) => trade.reduce({ size: 0.0001 })],
    ['limit is a price above 0, found 0', (trade) => trade.reduce({ share: 1, limit: 0 })],
    ['a size of at least 0.001 was expected, found 0.0001', (trade) => trade.add({ size: 0.0001 })],
  ])('%s', (words, act) => {
    const r = held();
    const before = r.venue.commands.length;
    expect(act(r.trade)).toBeOneOf([0, false]);
    expect(r.venue.commands).toHaveLength(before);
    r.kernel.inbox.runTimers(r.clock.time);
    expect(r.refused).toEqual([expect.stringContaining(words)]);
  });

  test('a trade that is closing, closed or holds nothing yet', () => {
    const r = held();
    r.trade.close('enough');
    expect(r.trade.add({ size: '0.01' })).toBe(0);
    fill(r, r.last().seq, 10, 1000);
    expect(r.trade.reduce(0.5)).toBe(false);
    r.kernel.inbox.runTimers(r.clock.time);
    expect(r.refused).toEqual([
      `cannot add to trade ${r.trade.id}: it is closing (enough)`,
      `cannot reduce trade ${r.trade.id}: it is closed; enter a new one`,
    ]);
    const entering = held({}, 0);
    expect(entering.trade.reduce(1)).toBe(false);
    entering.kernel.inbox.runTimers(entering.clock.time);
    expect(entering.refused).toEqual(['the trade holds nothing yet: wait for its first fill']);
  });

  test.each<[string, Partial<Fields>]>([
    ['a target has at, distance or percent, one of them', { takeProfit: [{ at: 1010, percent: 1, share: 1 }] }],
    ['a target is at a price above 0, found undefined', { takeProfit: [{ share: 1 }] }],
    ['a target.percent is above 0 and below 100, found 100', { takeProfit: [{ percent: 100, share: 1 }] }],
    ['a target has distance or percent from the average price, one of them', { takeProfit: [{ percent: 1, distance: 1, share: 1 }] }],
    ['stop.distance is an amount of quote coin above 0, found -1', { stop: { distance: -1 } }],
    ['stop has distance or percent from the average price, one of them', { stop: {} }],
    ['there is no "at" in stop', { stop: { at: 900 } as never }],
  ])('%s', (words, fields) => {
    const refused: string[] = [];
    const r = pushedRig({ onOrder: ({ message }) => refused.push(message) });
    expect(r.ctx().enter({ market: r.ctx().markets[0]!, side: 'LONG', size: '0.01', ...fields })).toBeNull();
    r.kernel.inbox.runTimers(r.clock.time);
    expect(refused).toEqual([expect.stringContaining(words)]);
  });
});

describe('after kill -9', () => {
  test('the journal alone brings an addition, a reduction and the average back', () => {
    const r = held({ takeProfit: OWN_TARGET, stop: { percent: 5 } });
    r.venue.accepted(r.last().seq, 'target');
    const order = r.trade.add({ size: '0.01', limit: 900 });
    fill(r, order, 10, 900);
    cancel(r);
    r.venue.accepted(r.last().seq, 'moved');
    r.trade.reduce({ share: 0.5, reason: 'half' });
    cancel(r);
    const [part, target] = r.venue.commands.slice(-2);
    r.venue.accepted(part!.seq, 'part');
    r.venue.accepted(target!.seq, 'third');
    const snapshot = foldRecords(null, r.records);
    expect(snapshot.trades?.['probe']).toMatchObject([{ opens: [r.trade.id, order], reduces: [{ order: part!.seq, lots: 10 }] }]);
    const again = restarted(snapshot, 20);
    const [trade] = again.ctx().trades();
    expect(trade).toMatchObject({ id: r.trade.id, size: 0.02, entryPrice: 950, stop: 902.5, targets: [{ price: 969 }] });
  });
});

test('a target below one tick, far from a low average, rests nowhere', () => {
  const r = held({ side: 'SHORT', takeProfit: [{ distance: 995, share: 1 }] });
  const target = r.last();
  expect(target).toMatchObject({ price: 50 });
  r.venue.accepted(target.seq, 'target');
  const order = r.trade.add({ size: '0.01', limit: 900 });
  fill(r, order, 10, 900);
  r.advance(2_000);
  expect(cancel(r)).toBe(target.seq);
  const sent = r.venue.commands.length;
  r.advance(5_000);
  expect(r.venue.commands).toHaveLength(sent);
});
