/** The order tracker compared with a naive model: for any legal history, no order is lost, duplicated or counted wrongly. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CANCEL, CLOSE, LIMIT, OPEN, PLACE } from '../../../src/domain/codes.ts';
import { emptyCommand } from '../../../src/domain/orders/command.ts';
import { FILLED, isEnded, SUBMITTING, transition } from '../../../src/domain/orders/order.ts';
import { AssertionError } from '../../../src/base/failure/assert.ts';
import { contextsOf } from '../../../src/engine/state/records/instrument-context.ts';
import type { Leg } from '../../../src/engine/state/records/leg.ts';
import { Orders, type Order } from '../../../src/engine/state/orders/orders.ts';
import { Portfolio } from '../../../src/engine/state/account/portfolio.ts';
import { InFlight } from '../../../src/engine/state/orders/in-flight.ts';
import { Owner } from '../../../src/engine/state/records/owner.ts';
import { btc } from '../../support/engine/engine-kit.ts';

const STEP = fc.oneof(
  fc.record({
    do: fc.constant('add' as const),
    instrument: fc.nat(2),
    side: fc.nat(1),
    effect: fc.constantFrom(OPEN, CLOSE),
    size: fc.integer({ min: 1, max: 50 }),
    gap: fc.constantFrom(1, 1, 1, 7, 256, 4096),
  }),
  fc.record({ do: fc.constant('move' as const), pick: fc.nat(1000), event: fc.integer({ min: 0, max: 9 }) }),
  fc.record({ do: fc.constant('fill' as const), pick: fc.nat(1000), lots: fc.integer({ min: 1, max: 50 }) }),
);

interface Model {
  seq: number;
  instrument: number;
  leg: number;
  effect: number;
  size: number;
  filled: number;
  state: number;
}

test('states are legal, numbers find their orders, exposure is the sum of what remains [outcomes 3.1]', () => {
  fc.assert(
    fc.property(fc.array(STEP, { maxLength: 200 }), (steps) => {
      const { legs } = new Portfolio(3);
      const contexts = contextsOf([btc(0), btc(1, 'ETHUSDT'), btc(2, 'SOLUSDT')], legs, {});
      const orders = new Orders(contexts, new Owner(-1, '', contexts.length, Infinity));
      const owner = new Owner(0, 'one', contexts.length, Infinity);
      const model: Model[] = [];
      let seq = 0;
      for (const step of steps) {
        if (step.do === 'add') {
          seq += step.gap;
          const command = { ...emptyCommand(), kind: PLACE, type: LIMIT, seq, ...step, price: 1 };
          orders.add(command, contexts[step.instrument]!, owner, step.size);
          model.push({
            seq,
            instrument: step.instrument,
            leg: 2 * step.instrument + step.side,
            effect: step.effect,
            size: step.size,
            filled: 0,
            state: SUBMITTING,
          });
          continue;
        }
        const one = model[step.pick % Math.max(1, model.length)];
        if (one === undefined) continue;
        const order = orders.find(one.seq)!;
        if (step.do === 'fill') {
          if (step.lots > one.size - one.filled) {
            expect(() => orders.fill(order, step.lots)).toThrow(AssertionError);
            continue;
          }
          orders.fill(order, step.lots);
          one.filled += step.lots;
        } else if (transition(one.state, step.event) < 0) {
          expect(() => orders.apply(order, step.event)).toThrow(AssertionError);
        } else {
          orders.apply(order, step.event);
          one.state = transition(one.state, step.event);
          if (one.state < FILLED) continue;
          order.isSettled = true;
          orders.releaseIfDone(order);
          model.splice(model.indexOf(one), 1);
          expect(orders.find(one.seq)).toBeNull();
        }
      }
      check(orders, legs, model);
    }),
    { numRuns: 500 },
  );
});

function check(orders: Orders, legs: readonly Leg[], model: readonly Model[]): void {
  for (const one of model) {
    expect(orders.find(one.seq)).toMatchObject({ seq: one.seq, state: one.state, filled: one.filled, size: one.size });
  }
  for (let i = 0; i < 3; i++) {
    const listed = orders.of[i]!.known().map((order) => order.seq);
    expect(listed).toEqual(model.filter((m) => m.instrument === i).map((m) => m.seq));
    expect(orders.of[i]!.live).toBe(listed.length);
  }
  for (let leg = 0; leg < 6; leg++) {
    const sum = (effect: number): number =>
      model.filter((m) => m.leg === leg && m.effect === effect && !isEnded(m.state)).reduce((s, m) => s + m.size - m.filled, 0);
    expect([legs[leg]!.opening, legs[leg]!.closing]).toEqual([sum(OPEN), sum(CLOSE)]);
  }
}

test('in-flight commands are found by number until they end, whatever happens to their orders', () => {
  const entry = fc.record({ gap: fc.constantFrom(1, 1, 2, 64, 128), makes: fc.boolean(), fills: fc.boolean() });
  fc.assert(
    fc.property(fc.array(fc.oneof(entry, fc.record({ end: fc.nat(1000) })), { maxLength: 200 }), (steps) => {
      const contexts = contextsOf([btc(0)], new Portfolio(1).legs, {});
      const owner = new Owner(0, 'one', contexts.length, Infinity);
      const orders = new Orders(contexts, owner);
      const inFlight = new InFlight(orders);
      const model: { seq: number; makes: boolean; isGone: boolean }[] = [];
      let seq = 0;
      for (const step of steps) {
        if ('gap' in step) {
          seq += step.gap;
          if (!step.makes) inFlight.add(seq, CANCEL, 0, null, seq * 10);
          else {
            const order = orders.add({ ...emptyCommand(), kind: PLACE, seq, size: 1, time: seq * 10 }, contexts[0]!, owner, 1);
            inFlight.addOrder(order);
            if (step.fills) end(orders, order);
          }
          model.push({ seq, makes: step.makes, isGone: step.fills });
        } else if (model.length > 0) {
          const [gone] = model.splice(step.end % model.length, 1);
          const taken = inFlight.take(gone!.seq);
          expect(taken).toMatchObject({ kind: gone!.makes ? PLACE : CANCEL, instrument: 0, sentAt: gone!.seq * 10 });
          expect(taken!.order).toBe(gone!.makes && !gone!.isGone ? orders.find(gone!.seq) : null);
          expect(orders.find(gone!.seq) !== null).toBe(gone!.makes && !gone!.isGone);
          expect(inFlight.take(gone!.seq)).toBeNull();
        }
        expect(inFlight.count).toBe(model.length);
        expect(inFlight.oldest()?.seq ?? 0).toBe(model[0]?.seq ?? 0);
      }
      for (const one of model) expect(inFlight.concerns(one.seq)).toBe(one.makes);
    }),
    { numRuns: 200 },
  );
});

function end(orders: Orders, order: Order): void {
  orders.apply(order, FILLED);
  orders.settle(order);
}
