/** The table of order state transitions, and the bit masks of the order path derived from it: every pair of states. */
import { expect, test } from 'vitest';
import { ARMS, isEnded, mayFollow, ORDER_STATES, transition } from '../../src/domain/order.ts';
import { contextsOf } from '../../src/engine/state/instrument-context.ts';
import { Order } from '../../src/engine/state/order.ts';
import { Owner } from '../../src/engine/state/owner.ts';
import { Portfolio } from '../../src/engine/state/portfolio.ts';
import { btc } from '../support/engine-kit.ts';

const STATES = ORDER_STATES.map((_, state) => state);

/** Row by row, whether the column's state may follow, in the order of ORDER_STATES. */
const MAY_FOLLOW = ['0101111101', '0011111010', '0101111010', '0100111111', '0101011111'];

test('the bits, the switch and the list agree on all pairs of states', () => {
  const [context] = contextsOf([btc(0)], new Portfolio(1).legs, {});
  const order = new Order(0, context!, new Owner(0, 'one', Infinity));
  for (const from of STATES) {
    for (const to of STATES) {
      const name = `${ORDER_STATES[from]} to ${ORDER_STATES[to]}`;
      order.state = from;
      const expected = MAY_FOLLOW[from]?.[to] === '1';
      expect(order.may(to), name).toBe(expected);
      expect(mayFollow(from, to), name).toBe(expected);
      expect(ARMS.filter(([a, , b]) => a === from && b === to).length, name).toBe(expected ? 1 : 0);
    }
  }
});

test('an event leads from a state to at most one state, and none leaves an end state', () => {
  expect(new Set(ARMS.map(([from, event]) => `${from} ${event}`)).size).toBe(ARMS.length);
  for (const [from, event, to] of ARMS) {
    expect(transition(from, event)).toBe(to);
    expect(isEnded(from)).toBe(false);
  }
  const events = [...new Set(ARMS.map(([, event]) => event))];
  for (const state of STATES.filter(isEnded)) for (const event of events) expect(transition(state, event)).toBeNull();
});

test('an event that names an end state leads to it', () => {
  for (const [, event, to] of ARMS) if (isEnded(to)) expect(event).toBe(ORDER_STATES[to]);
});
