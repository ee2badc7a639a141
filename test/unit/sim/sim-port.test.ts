/** The direct port: commands arrive after the latency to the venue, results after the latency back, in order, and nothing twice. */
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import {
  ADJUST_MARGIN,
  BUY,
  CANCEL,
  CANCEL_SPOT,
  CANCEL_TRIGGER,
  CLOSE,
  ISOLATED,
  LONG,
  MARKET,
  MODIFY,
  PLACE,
  PLACE_SPOT,
  PLACE_TRIGGER,
  SELL,
  SET_MARGIN_MODE,
} from '../../../src/domain/codes.ts';
import type { Approved, Command } from '../../../src/domain/orders/command.ts';
import { CANCELLED } from '../../../src/domain/orders/order.ts';
import { EVENT_NAMES } from '../../../src/engine/event.ts';
import type { Rejection } from '../../../src/domain/orders/outcome.ts';
import type { Answer, Query } from '../../../src/ports/venue.ts';
import * as events from '../../../src/ports/venue-event.ts';
import type { Inbox, VenueEvent } from '../../../src/ports/venue-event.ts';
import type { VenueSim } from '../../../src/sim/core/venue-core.ts';
import { SimPort, type PortSpec } from '../../../src/sim/port/port.ts';
import { BTC, ETH, instrumentsOf, order, SPOT_BTC, venueOf } from '../../support/sim/sim-kit.ts';
import { jitterOf } from '../../support/backtest/reference-kit.ts';

const { ANSWERED, FAILED, PUSHED_END, PUSHED_FILL, PUSHED_OWN_FILL, REJECTED } = events;

class Mailbox implements Inbox {
  readonly mail: unknown[][] = [];
  now = 0;
  react: ((kind: string) => void) | null = null;

  #note(...entry: unknown[]): void {
    this.mail.push([this.now, ...entry]);
    this.react?.(entry[0] as string);
  }
  take(event: VenueEvent): void {
    const { kind, seq, text, query, answer, size, price, side, effect, instrument } = event;
    switch (kind) {
      case REJECTED:
        return this.#note('rejected', seq, event.rejection!.reason);
      case ANSWERED:
        return this.#note('answered', query, answer, event.sentAt, event.venueTime);
      case FAILED:
        return this.#note('failed', query, text);
      case PUSHED_FILL:
        return this.#note('fill', seq, size, price);
      case PUSHED_OWN_FILL:
        return this.#note('own fill', instrument, side, effect, size, price);
      case PUSHED_END:
        return this.#note('end', seq, effect);
      default:
        this.#note(EVENT_NAMES[kind], seq, text);
    }
  }
}

interface Bench {
  sim: VenueSim;
  port: SimPort;
  box: Mailbox;
  send(given: Partial<Command>): void;
  ask(query: Query): void;
  run(now: number): void;
}

function bench(given: Partial<PortSpec> = {}, historyLimit = 100): Bench {
  const { sim } = venueOf({ historyLimit }, instrumentsOf(BTC, ETH, SPOT_BTC));
  sim.quote(0, 600_000, 100, 600_001, 100, 1);
  sim.quote(2, 6_000_000, 100_000, 6_000_010, 100_000, 1);
  const box = new Mailbox();
  const clock = { now: () => box.now };
  const latency = { upMs: 30, downMs: 20 };
  const port = new SimPort({ sim, account: 0, identity: { bot: 'tw', epoch: 1 }, latency, clock, push: false, ...given });
  port.connect(box, box);
  return {
    sim,
    port,
    box,
    send: (command) => port.execute(order(command) as Approved<Command>),
    ask: (query) => port.query(query),
    run(now) {
      for (let due = port.nextDue; due <= now; due = port.nextDue) {
        box.now = due;
        port.run();
      }
      box.now = now;
    },
  };
}

describe('the latency both ways', () => {
  test('an order exists after the first latency and is known after the second', () => {
    const { sim, port, box, send, run } = bench();
    box.now = 100;
    send({ seq: 1, price: 590_000 });
    expect(port.nextDue).toBe(130);
    run(129);
    expect(sim.pending(0, 0)).toEqual([]);
    run(130);
    expect(sim.pending(0, 0)).toMatchObject([{ tag: 1, price: 590_000, createdAt: 130 }]);
    expect(box.mail).toEqual([]);
    expect(port.nextDue).toBe(150);
    run(150);
    expect(box.mail).toEqual([[150, 'accepted', 1, 'fu-1']]);
    expect(port.nextDue).toBe(Infinity);
  });

  test('the command object may be reused at once', () => {
    const { sim, port, run } = bench();
    const command = order({ seq: 1, price: 590_000, size: 3 }) as Approved<Command>;
    port.execute(command);
    Object.assign(command, { seq: 2, price: 1, size: 9 });
    run(100);
    expect(sim.pending(0, 0)).toMatchObject([{ tag: 1, price: 590_000, size: 3 }]);
  });

  test('a command in progress is sent in its object, and the next one in another', () => {
    const { sim, port, ask, run } = bench();
    const made = [1, 2, 3].map((seq) => {
      const blank = Object.assign(port.freeCommands.free, order({ seq, price: 590_000 - seq, size: seq })) as Approved<Command>;
      if (seq === 2) ask({ kind: 'quotes', instrument: 0 });
      if (seq < 3) port.execute(blank);
      return blank;
    });
    expect(new Set(made).size).toBe(3);
    run(100);
    expect(sim.pending(0, 0)).toMatchObject([
      { tag: 2, price: 589_998, size: 2 },
      { tag: 1, price: 589_999, size: 1 },
    ]);
  });

  test('without latency everything arrives in the same instant, also replies to replies', () => {
    const { box, port, send } = bench({ latency: { upMs: 0, downMs: 0 } });
    box.now = 5;
    box.react = (kind) => {
      if (kind === 'accepted' && box.mail.length === 1) send({ kind: CANCEL, seq: 2, target: 1 });
    };
    send({ seq: 1, price: 590_000 });
    port.run();
    expect(box.mail).toEqual([
      [5, 'accepted', 1, 'fu-1'],
      [5, 'accepted', 2, ''],
    ]);
  });

  test('every kind of command reaches its call, and a refusal has the venue’s message', () => {
    const words = (kind: number, reason: string): Rejection => ({
      reason: reason as Rejection['reason'],
      code: String(kind),
      message: reason,
    });
    const { box, send, run, sim } = bench({ rejection: words });
    send({ seq: 1, price: 590_000 });
    send({ kind: MODIFY, seq: 2, target: 1, price: 591_000, size: 0 });
    send({ kind: CANCEL, seq: 3, target: 2 });
    send({ kind: PLACE_TRIGGER, seq: 4, trigger: 700_000 });
    send({ kind: CANCEL_TRIGGER, seq: 5, target: 4 });
    send({ kind: PLACE_SPOT, seq: 6, instrument: 2, side: BUY, price: 5_000_000, size: 1_000 });
    send({ kind: CANCEL_SPOT, seq: 7, target: 6, targetVenueId: '4' });
    send({ kind: SET_MARGIN_MODE, seq: 8, marginMode: ISOLATED });
    send({ kind: ADJUST_MARGIN, seq: 9, amount: 5 });
    send({ kind: CANCEL, seq: 10, target: 1 });
    send({ kind: PLACE, seq: 11, effect: 1 });
    run(1_000);
    expect(box.mail.map((entry) => entry.slice(1))).toEqual([
      ['accepted', 1, 'fu-1'],
      ['accepted', 2, 'fu-2'],
      ['accepted', 3, ''],
      ['accepted', 4, 'fu-plan-3'],
      ['accepted', 5, ''],
      ['accepted', 6, '4'],
      ['accepted', 7, '4'],
      ['accepted', 8, ''],
      ['rejected', 9, 'no-position'],
      ['rejected', 10, 'order-not-found'],
      ['rejected', 11, 'no-position'],
    ]);
    expect(sim.pending(0, -1)).toEqual([]);
  });

  test('an order that the port never sent is reached by its venue id', () => {
    const { sim, box, send, run } = bench();
    const no = sim.place(0, order({ price: 590_000 }), 0, 1);
    send({ kind: CANCEL, seq: 1, target: 0, targetVenueId: `fu-${no}` });
    run(100);
    expect(box.mail[0]?.slice(1)).toEqual(['accepted', 1, `fu-${no}`]);
    expect(sim.pending(0, 0)).toEqual([]);
  });

  test('a venue id alone never identifies an order of the venue if its record was ours', () => {
    const { sim, box, send, run } = bench({}, 0);
    const no = sim.place(0, order({ price: 590_000 }), 0, 1);
    send({ seq: 1_024, type: MARKET, price: 0, takeProfit: 600_010, takeProfitLimit: 610_000 });
    run(100);
    sim.trade(0, 600_010, 1, BUY, 101, 1);
    sim.quote(0, 600_010, 100, 600_011, 100, 102);
    const [exit] = sim.pending(0, 0).filter((one) => one.byVenue);
    send({ kind: CANCEL, seq: 1_025, target: 0, targetVenueId: `fu-${no}` });
    run(200);
    expect(box.mail.at(-1)?.slice(1)).toEqual(['accepted', 1_025, `fu-${no}`]);
    expect(sim.pending(0, 0).map((one) => one.no)).toEqual([exit?.no]);
  });

  test.each([100, 0])('a cancel of a fired trigger order reaches the resulting order, with %i ended orders kept', (historyLimit) => {
    const { sim, send, run } = bench({}, historyLimit);
    sim.trade(0, 600_000, 1, BUY, 1, 1);
    send({ kind: PLACE_TRIGGER, seq: 1, trigger: 610_000, price: 500_000 });
    run(100);
    sim.trade(0, 610_000, 1, BUY, 101, 2);
    expect(sim.pending(0, 0).length).toBe(1);
    send({ kind: CANCEL, seq: 2, target: 1 });
    run(200);
    expect(sim.pending(0, 0)).toEqual([]);
  });

  test.each([
    [true, 0],
    [true, 100],
    [false, 0],
    [false, 100],
  ])('a cancel of a fired trigger does so only if fills are pushed (%s, %i ended orders kept)', (push, historyLimit) => {
    const { sim, box, send, run } = bench({ push }, historyLimit);
    sim.trade(0, 600_000, 1, BUY, 1, 1);
    send({ kind: PLACE_TRIGGER, seq: 1, trigger: 610_000, price: 500_000 });
    run(100);
    sim.trade(0, 610_000, 1, BUY, 101, 2);
    send({ kind: CANCEL_TRIGGER, seq: 2, target: 1 });
    run(200);
    expect(sim.pending(0, 0).length).toBe(push ? 0 : 1);
    expect(box.mail.at(-1)?.[1]).toBe(push ? 'accepted' : 'rejected');
  });

  test('jitter is seeded, and order is kept in each direction', () => {
    const arrivals = (seed: number): unknown[] => {
      const { box, send, run } = bench({ latency: { upMs: 10, downMs: 5, ...jitterOf(40, new Random(seed)) } });
      for (let seq = 1; seq <= 200; seq++) {
        box.now = seq;
        send({ seq, price: 500_000 + seq, size: 1 });
      }
      run(10_000);
      expect(box.mail.map((entry) => entry[2])).toEqual(Array.from({ length: 200 }, (_, k) => k + 1));
      return box.mail.map((entry) => entry[0]);
    };
    const times = arrivals(4) as number[];
    expect(arrivals(4)).toEqual(times);
    expect(arrivals(5)).not.toEqual(times);
    for (const [k, time] of times.entries()) expect(time).toBeGreaterThanOrEqual(k + 1 + 15);
    expect(Math.max(...times.map((time, k) => time - k - 1))).toBeGreaterThan(40);
  });

  test('thousands of orders later an open order is still found by its number', () => {
    const { box, send, run, sim } = bench({ nameOrders: false });
    send({ seq: 1, price: 500_000, size: 1 });
    for (let seq = 3; seq < 6_000; seq += 2) {
      box.now = seq * 100;
      send({ seq, price: 500_001, size: 1 });
      send({ kind: CANCEL, seq: seq + 1, target: seq });
      run(box.now + 99);
    }
    send({ kind: CANCEL, seq: 9_999, target: 1 });
    run(1_000_000);
    expect(box.mail.every((entry) => entry[1] === 'accepted')).toBe(true);
    expect(box.mail[0]?.[3]).toBe('sim');
    expect(sim.pending(0, -1)).toEqual([]);
  });
});

describe('questions', () => {
  const all: Query[] = [
    { kind: 'quotes', instrument: -1 },
    { kind: 'stats', instrument: -1 },
    { kind: 'trades', instrument: 0, before: '', limit: 2 },
    { kind: 'account', instrument: 0 },
    { kind: 'pending', instrument: -1 },
    { kind: 'history', instrument: -1, clientId: '', since: 0 },
    { kind: 'positions', instrument: -1 },
  ];

  test('are answered with the state at their arrival at the venue', () => {
    const { sim, box, ask, run } = bench();
    box.now = 10;
    ask({ kind: 'quotes', instrument: 0 });
    sim.quote(0, 600_010, 7, 600_011, 8, 39);
    run(40);
    sim.quote(0, 600_020, 7, 600_021, 8, 41);
    run(100);
    const quote = { instrument: 0, bid: 600_010, bidSize: 7, ask: 600_011, askSize: 8, venueTime: 39 };
    expect(box.mail).toEqual([[60, 'answered', { kind: 'quotes', instrument: 0 }, { kind: 'quotes', quotes: [quote] }, 10, 40]]);
  });

  test('of trades end with the newest one that the caller has', () => {
    const { sim, box, ask, run } = bench();
    for (const id of [71, 72, 73, 74]) sim.trade(0, 600_000, 3, SELL, 2, id);
    const known = (id: string): Query => ({ kind: 'trades', instrument: 0, before: '', limit: 3, known: id });
    for (const id of ['73', '71', '80', '']) ask(known(id));
    run(100);
    const told = box.mail.map(([, , , answer]) => (answer as Answer & { kind: 'trades' }).trades.map(({ tradeId }) => tradeId));
    expect(told).toEqual([
      ['74', '73'],
      ['74', '73', '72'],
      ['74', '73', '72'],
      ['74', '73', '72'],
    ]);
  });

  test('of trades say whether their ids fall', () => {
    for (const [ids, isFalling] of [
      [[71, 72, 74], true],
      [[71, 74, 72], false],
      [[71, 71], false],
      [[], true],
    ] as const) {
      const { sim, box, ask, run } = bench();
      for (const id of ids) sim.trade(0, 600_000, 3, SELL, 2, id);
      ask({ kind: 'trades', instrument: 0, before: '', limit: 5 });
      run(100);
      expect(box.mail.map((entry) => entry[3])).toMatchObject([{ trades: ids.map(() => ({ price: 600_000 })), isFalling }]);
    }
  });

  test('contain what the wire would, and no filled size', () => {
    const { sim, box, send, ask, run } = bench();
    sim.trade(0, 600_000, 3, SELL, 2, 71);
    send({ seq: 1, price: 590_000, size: 10 });
    send({ seq: 2, size: 5 });
    run(100);
    sim.trade(0, 590_000, 4, SELL, 101, 72);
    for (const query of all) ask(query);
    run(200);
    const answers = box.mail.filter((entry) => entry[1] === 'answered').map((entry) => entry[3] as Answer);
    const [quotes, stats, trades, account, pending, history, positions] = answers;
    expect(quotes).toMatchObject({ quotes: [{ instrument: 0 }] });
    expect(stats).toMatchObject({ stats: [{ instrument: 0, last: 590_000, open: 600_000, volume: 7 }] });
    expect(trades).toMatchObject({
      trades: [
        { tradeId: '72', aggressor: SELL },
        { tradeId: '71', price: 600_000 },
      ],
    });
    expect(account).toMatchObject({ account: { equity: sim.equity(0), longLeverage: 10 } });
    expect(pending).toMatchObject({
      orders: [{ venueId: 'fu-1', clientId: 'tw-1-1', status: 'partial', size: 10, averagePrice: 59_000, price: 590_000 }],
    });
    expect(history).toMatchObject({ orders: [{ venueId: 'fu-2', clientId: 'tw-1-2', status: 'filled', averagePrice: 60_000.1 }] });
    expect(positions).toMatchObject({ positions: [{ instrument: 0, side: 0, total: 9, available: 9, opening: 6 }] });
    expect(JSON.stringify(pending)).not.toMatch(/filled"/);
    expect(Object.keys((pending as unknown as { orders: object[] }).orders[0]!)).not.toContain('filled');
  });

  test('history is by client id and creation time', () => {
    const { box, send, ask, run } = bench();
    send({ seq: 1, price: 590_000 });
    send({ kind: CANCEL, seq: 2, target: 1 });
    run(100);
    send({ seq: 3, price: 590_000 });
    send({ kind: CANCEL, seq: 4, target: 3 });
    run(200);
    ask({ kind: 'history', instrument: 0, clientId: 'tw-1-1', since: 0 });
    ask({ kind: 'history', instrument: 0, clientId: '', since: 120 });
    run(300);
    const found = box.mail.slice(-2).map((entry) => (entry[3] as { orders: { clientId: string; status: string }[] }).orders);
    expect(found).toMatchObject([[{ clientId: 'tw-1-1', status: 'cancelled' }], [{ clientId: 'tw-1-3' }]]);
  });

  test('without a result so far fail', () => {
    const { box, ask, run } = bench();
    ask({ kind: 'quotes', instrument: 1 });
    ask({ kind: 'stats', instrument: -1 });
    run(100);
    expect(box.mail).toEqual([
      [50, 'failed', { kind: 'quotes', instrument: 1 }, 'no-book-yet'],
      [50, 'failed', { kind: 'stats', instrument: -1 }, 'no-trade-yet'],
    ]);
  });
});

describe('pushing', () => {
  test('run to the end of time, everything arrives and then nothing more', () => {
    const { box, send, port } = bench({ push: true });
    send({ seq: 1, size: 5 });
    box.now = Infinity;
    port.run();
    expect(box.mail.map((entry) => entry[1])).toEqual(['fill', 'accepted']);
    expect(port.nextDue).toBe(Infinity);
  });

  test('fills arrive when they happen, and the last one ends the order; other ends are reported', () => {
    const { sim, box, send, run } = bench({ push: true });
    send({ seq: 1, size: 5 });
    send({ seq: 2, price: 600_000, size: 5 });
    run(40);
    box.now = 45;
    sim.trade(0, 600_000, 3, SELL, 45, 1);
    const [left] = sim.pending(0, 0);
    sim.cancel(0, left!.no, 45);
    run(100);
    expect(box.mail).toEqual([
      [30, 'fill', 1, 5, 600_001],
      [45, 'fill', 2, 3, 600_000],
      [45, 'end', 2, CANCELLED],
      [50, 'accepted', 1, 'fu-1'],
      [50, 'accepted', 2, 'fu-2'],
    ]);
  });

  test('an order replaced by a modify is reported only by the acceptance, its fills by the new number', () => {
    const { sim, box, send, run } = bench({ push: true });
    send({ seq: 1, price: 600_000, size: 5 });
    run(50);
    send({ kind: MODIFY, seq: 2, target: 1, price: 599_999, size: 5 });
    run(80);
    box.now = 85;
    sim.trade(0, 599_998, 3, SELL, 85, 1);
    run(100);
    expect(box.mail).toEqual([
      [50, 'accepted', 1, 'fu-1'],
      [85, 'fill', 2, 3, 599_999],
      [100, 'accepted', 2, 'fu-2'],
    ]);
  });

  test('reports orders of the venue itself by position side, and only if enabled', () => {
    const pushing = bench({ push: true });
    pushing.send({ seq: 1, size: 5, stopLoss: 590_000 });
    pushing.run(100);
    const before = pushing.box.mail.length;
    pushing.sim.trade(0, 590_000, 1, SELL, 101, 1);
    // The trade came before the book update: the fired order fills at the next quote.
    pushing.sim.quote(0, 589_990, 10, 590_000, 10, 102);
    expect(pushing.sim.positions(0, 0)).toEqual([]);
    expect(pushing.box.mail.slice(before).map((entry) => entry.slice(1))).toEqual([['own fill', 0, LONG, CLOSE, 5, 589_990]]);
    const quiet = bench();
    quiet.send({ seq: 1, size: 5 });
    quiet.run(100);
    expect(quiet.box.mail.map((entry) => entry[1])).toEqual(['accepted']);
  });
});
