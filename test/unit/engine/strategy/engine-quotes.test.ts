/** Managed quotes: one order per direction, one command at a time, the newest values count. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BUY, CANCEL, CLOSE, CROSS, LONG, MODIFY, OPEN, PLACE, SHORT } from '../../../../src/domain/codes.ts';
import { emptyCommand, type Command } from '../../../../src/domain/orders/command.ts';
import { CANCELLED, FILLED } from '../../../../src/domain/orders/order.ts';
import { contextsOf } from '../../../../src/engine/state/records/instrument-context.ts';
import { Orders } from '../../../../src/engine/state/orders/orders.ts';
import { Portfolio } from '../../../../src/engine/state/account/portfolio.ts';
import { PendingWork } from '../../../../src/engine/state/records/pending-work.ts';
import { Owner } from '../../../../src/engine/state/records/owner.ts';
import { Quote, QuoteQueue } from '../../../../src/engine/state/records/quote.ts';
import { btc, orderReport, polledRig, pushedRig, rejection, settleReads, type Rig } from '../../../support/engine/engine-kit.ts';

const buy = (r: Rig, price: number, size: number | string = 0.01, postOnly = false): boolean =>
  r.ctx().quote(r.ctx().markets[0]!, 'BUY', price, size, postOnly);
const sell = (r: Rig, price: number, size: number | string = 0.01): boolean => r.ctx().quote(r.ctx().markets[0]!, 'SELL', price, size);
const sent = (r: Rig): [number, number, number][] => r.venue.commands.map((c) => [c.kind, c.target, c.price]);
const live = (r: Rig): [number, string, number][] => r.ctx().markets[0]!.orders.map((o) => [o.number, o.state, o.ticks]);

test('quotes with resting orders wait in order of arrival, each once', () => {
  const contexts = contextsOf([btc()], new Portfolio(1).legs, {});
  const owner = new Owner(0, 'one', contexts.length, Infinity);
  const orders = new Orders(contexts, owner);
  const quotes = [1, 2, 3].map((seq) => {
    const quote = new Quote(owner, contexts[0]!, BUY, CROSS, orders.none);
    quote.takes(orders.add({ ...emptyCommand(), kind: PLACE, seq, size: 1 }, contexts[0]!, owner, 1));
    quote.isPending = true;
    return quote;
  });
  const queue = new QuoteQueue(new PendingWork());
  for (const quote of [...quotes, quotes[0]!]) queue.rests(quote, quote.order);
  expect(quotes.map(() => quotes.indexOf(queue.shift()))).toEqual([0, 1, 2]);
  expect(queue.isEmpty).toBe(true);
});

/** A rig whose buy quote rests at 999.0 as order 1. */
function resting(): Rig {
  const r = pushedRig();
  buy(r, 999);
  r.venue.accepted(1, 'v1');
  r.venue.commands.length = 0;
  return r;
}

describe('a managed quote', () => {
  test('is placed, modified (E14), and left alone if it already fits', () => {
    const r = resting();
    expect(buy(r, 999)).toBe(true);
    expect(sent(r)).toEqual([]);
    buy(r, 998.5);
    expect(sent(r)).toEqual([[MODIFY, 1, 9985]]);
    expect(r.venue.last()).toMatchObject({ seq: 2, side: LONG, effect: OPEN, size: 10 });
    r.venue.accepted(2, 'v2');
    expect(live(r)).toEqual([[2, 'working', 9985]]);
    buy(r, 998.5, 0.02);
    expect(r.venue.last()).toMatchObject({ kind: MODIFY, target: 2, size: 20 });
  });

  test('is placed again after a cancel by number if the same values are stated again', () => {
    const r = resting();
    expect(r.ctx().cancel(1)).toBe(true);
    r.venue.accepted(2, 'v1');
    expect(live(r)).toEqual([]);
    buy(r, 999);
    expect(r.venue.last()).toMatchObject({ kind: PLACE, seq: 3, price: 9990, size: 10 });
  });

  test('has one command at a time; the newest change waits for its outcome', () => {
    const r = pushedRig();
    buy(r, 999);
    buy(r, 998);
    buy(r, 997);
    expect(sent(r)).toEqual([[PLACE, 0, 9990]]);
    r.venue.accepted(1, 'v1');
    expect(sent(r).slice(1)).toEqual([[MODIFY, 1, 9970]]);
    buy(r, 999.5);
    buy(r, 997);
    r.venue.accepted(2, 'v2');
    expect(sent(r)).toHaveLength(2);
  });

  test('of each direction is independent, and uses the leg that it closes if it can', () => {
    const r = pushedRig();
    buy(r, 999);
    sell(r, 1001);
    expect(r.venue.commands.map((c) => [c.side, c.effect])).toEqual([
      [LONG, OPEN],
      [SHORT, OPEN],
    ]);
    r.venue.accepted(1, 'v1');
    r.venue.accepted(2, 'v2');
    r.venue.pushedFill(1, 10, 9990);
    r.venue.pushedEnd(1, FILLED);
    r.venue.pushedEnd(2, CANCELLED);
    sell(r, 1001);
    expect(r.venue.last()).toMatchObject({ side: LONG, effect: CLOSE });
    sell(r, 1001, 0.02);
    buy(r, 999);
    expect(r.venue.last()).toMatchObject({ side: LONG, effect: OPEN });
  });

  test('is gone after it filled, until the next call', () => {
    const r = resting();
    r.venue.pushedFill(1, 10, 9990);
    r.venue.pushedEnd(1, FILLED);
    expect(sent(r)).toEqual([]);
    buy(r, 999);
    expect(sent(r)).toEqual([[PLACE, 0, 9990]]);
  });

  test('keeps its rest after a partial fill; a move cancels it and places a new one', () => {
    const r = resting();
    r.venue.pushedFill(1, 4, 9990);
    buy(r, 999);
    expect(sent(r)).toEqual([]);
    buy(r, 998);
    expect(sent(r)).toEqual([[CANCEL, 1, 0]]);
    r.venue.pushedEnd(1, CANCELLED);
    r.venue.accepted(2, '');
    expect(sent(r).slice(1)).toEqual([[PLACE, 0, 9980]]);
  });

  test('of size 0 is removed, at once or after the outcome of its command', () => {
    const r = resting();
    expect(buy(r, 0, 0)).toBe(true);
    expect(sent(r)).toEqual([[CANCEL, 1, 0]]);
    sell(r, 1001);
    sell(r, Number.NaN, '0');
    r.venue.accepted(3, 'v3');
    expect(sent(r).at(-1)).toEqual([CANCEL, 3, 0]);
    r.venue.pushedEnd(1, CANCELLED);
    r.venue.pushedEnd(3, CANCELLED);
    expect(sent(r)).toHaveLength(3);
    expect(buy(r, 998, 0)).toBe(true);
    expect(sent(r)).toHaveLength(3);
    buy(r, 998);
    expect(sent(r).at(-1)).toEqual([PLACE, 0, 9980]);
  });

  test.each<[string, (r: Rig) => void]>([
    ['a cancel of its order', (r) => r.ctx().cancel(r.ctx().markets[0]!.orders[0]!.number)],
    ['cancelAll', (r) => r.ctx().cancelAll()],
    ['cancelAll of its market', (r) => r.ctx().cancelAll(r.ctx().markets[0])],
  ])('is forgotten by %s, together with a waiting change', (_, cancel) => {
    const r = pushedRig();
    buy(r, 999);
    buy(r, 998);
    cancel(r);
    r.venue.accepted(1, 'v1');
    r.venue.pushedEnd(1, CANCELLED);
    expect(sent(r).map(([kind]) => kind)).toEqual([PLACE, CANCEL]);
  });

  test.each([
    ['an invalid direction', 'LONG', 998, 0.01, 'bad-side'],
    ['a price that is not a number', 'BUY', Number.NaN, 0.01, 'bad-amount'],
    ['a size that is not a number', 'BUY', 998, 'much', 'bad-amount'],
    ['a price beyond the collar', 'BUY', 1150, 0.01, 'price-collar'],
  ])('with %s is refused, and stays as it is', (_, direction, price, size, rule) => {
    const r = resting();
    expect(r.ctx().quote(r.ctx().markets[0]!, direction as 'BUY', price, size)).toBe(false);
    expect(r.log.lines.find((l) => l.event === 'intent-refused')?.fields).toMatchObject({ why: rule });
    expect(live(r)).toEqual([[1, 'working', 9990]]);
    buy(r, 998);
    expect(sent(r)).toEqual([[MODIFY, 1, 9980]]);
  });
});

describe('a modify that the venue rejects', () => {
  test('because a fill was faster is replaced by a new order', () => {
    const r = resting();
    buy(r, 998);
    r.venue.pushedFill(1, 10, 9990);
    r.venue.pushedEnd(1, FILLED);
    r.venue.rejected(2, rejection('order-not-found'));
    expect(sent(r).slice(1)).toEqual([[PLACE, 0, 9980]]);
    expect(r.log.events()).not.toContain('command-rejected');
  });

  test('for any other reason: the rest is cancelled, then a new order is placed', () => {
    const r = resting();
    buy(r, 998);
    r.venue.rejected(2, rejection('system-error'));
    expect(sent(r).slice(1)).toEqual([[CANCEL, 1, 0]]);
    buy(r, 997);
    r.venue.pushedEnd(1, CANCELLED);
    r.venue.accepted(3, '');
    expect(sent(r).slice(2)).toEqual([[PLACE, 0, 9970]]);
    r.venue.rejected(4, rejection('insufficient-balance'));
    expect(sent(r)).toHaveLength(3);
    expect(live(r)).toEqual([]);
  });
});

test('an unsent modify leaves the quote as it was and is not repeated by itself', () => {
  const r = resting();
  buy(r, 998);
  r.venue.unsent(2, 'queue-full');
  expect(live(r)).toEqual([[1, 'working', 9990]]);
  expect(sent(r)).toHaveLength(1);
  buy(r, 997);
  expect(sent(r).at(-1)).toEqual([MODIFY, 1, 9970]);
});

test('an unsent cancel is not repeated by itself', () => {
  const r = resting();
  r.venue.pushedFill(1, 4, 9990);
  buy(r, 998);
  r.venue.unsent(2, 'queue-full');
  expect(sent(r)).toEqual([[CANCEL, 1, 0]]);
  r.venue.pushedEnd(1, CANCELLED);
  expect(sent(r).slice(1)).toEqual([[PLACE, 0, 9980]]);
});

test('a venue that rejects everything is not asked for ever', () => {
  const r = pushedRig();
  r.venue.onExecute = (c) => r.venue.unsent(c.seq, 'queue-full');
  expect(buy(r, 999)).toBe(true);
  expect(sent(r)).toHaveLength(1);
  r.venue.onExecute = (c) => r.venue.rejected(c.seq, rejection('system-error'));
  buy(r, 999);
  expect(sent(r)).toHaveLength(2);
});

test('an unknown modify keeps the next change waiting until a read shows the order', () => {
  const r = polledRig();
  buy(r, 999);
  r.venue.accepted(1, 'v1');
  buy(r, 998);
  const move = r.venue.last();
  r.venue.unknown(2, 'timeout');
  buy(r, 997);
  expect(sent(r)).toHaveLength(2);
  r.clock.time += 10;
  settleReads(r, [orderReport(move, 'open')], []);
  r.advance(2000);
  settleReads(r, [orderReport(move, 'open')], []);
  expect(live(r).find(([number]) => number === 2)?.[1]).not.toBe('unknown');
  expect(sent(r).at(-1)).toEqual([MODIFY, 2, 9970]);
});

/** A correct venue: it executes what it receives, later, and fills as the test says. */
class Book {
  readonly #r: Rig;
  readonly #orders = new Map<number, { left: number; hasTraded: boolean; price: number }>();
  readonly #mail: Command[] = [];

  constructor(r: Rig) {
    this.#r = r;
    r.venue.onExecute = (c) => this.#mail.push(c);
  }

  get isIdle(): boolean {
    return this.#mail.length === 0;
  }

  answer(): void {
    const c = this.#mail.shift();
    if (c === undefined) return;
    const old = this.#orders.get(c.target);
    if (c.kind === CANCEL && old !== undefined) this.#end(c.target, CANCELLED);
    const isLate = c.kind !== PLACE && (old === undefined || (c.kind === MODIFY && old.hasTraded));
    if (isLate) return this.#r.venue.rejected(c.seq, rejection('order-not-found'));
    if (c.kind === MODIFY) this.#orders.delete(c.target);
    if (c.kind !== CANCEL) this.#orders.set(c.seq, { left: c.size, hasTraded: false, price: c.price });
    this.#r.venue.accepted(c.seq, `v${c.seq}`);
  }

  fill(lots: number): void {
    for (const [seq, order] of this.#orders) {
      const part = Math.min(lots, order.left);
      order.left -= part;
      order.hasTraded = true;
      this.#r.venue.pushedFill(seq, part, order.price);
      if (order.left === 0) this.#end(seq, FILLED);
    }
  }

  prices(): number[] {
    return [...this.#orders.values()].map((order) => order.price);
  }

  #end(seq: number, how: number): void {
    this.#orders.delete(seq);
    this.#r.venue.pushedEnd(seq, how);
  }
}

test('in every case one order rests, and it ends where it was last wanted', () => {
  const step = fc.oneof(
    fc.record({ what: fc.constant('want' as const), n: fc.integer({ min: 0, max: 6 }) }),
    fc.record({ what: fc.constant('answer' as const), n: fc.constant(0) }),
    fc.record({ what: fc.constant('fill' as const), n: fc.integer({ min: 1, max: 10 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: 6 }), (steps, last) => {
      const r = pushedRig({}, { risk: { maxIntentsPerSecond: Infinity } });
      const book = new Book(r);
      const want = (n: number): boolean => (n === 0 ? buy(r, 0, 0) : buy(r, 999 - n));
      for (const { what, n } of steps) {
        if (what === 'want') want(n);
        else if (what === 'answer') book.answer();
        else book.fill(n);
        expect(book.prices().length).toBeLessThanOrEqual(1);
        // The order, and one that is about to replace it.
        expect(live(r).length).toBeLessThanOrEqual(2);
      }
      want(last);
      for (let k = 0; k < 10 && !book.isIdle; k++) book.answer();
      expect(book.isIdle).toBe(true);
      expect(book.prices()).toEqual([9990 - 10 * last]);
      expect(live(r).map(([, state, ticks]) => [state, ticks])).toEqual([['working', 9990 - 10 * last]]);
    }),
    { numRuns: 300 },
  );
});
