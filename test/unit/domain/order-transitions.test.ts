/** The table of order state transitions: every pair of states, and every event in every state. */
import { expect, test } from 'vitest';
import { ARMS, isEnded, ORDER_EVENTS, ORDER_STATES, transition } from '../../../src/domain/orders/order.ts';

const STATES = ORDER_STATES.map((_, state) => state);
const EVENTS = ORDER_EVENTS.map((_, event) => event);

/** Row by row, whether the column's state may follow: in the order of ORDER_STATES. */
const MAY_FOLLOW = ['0101111101', '0011111010', '0101111010', '0100111111', '0101011111'];

test('an order goes from each state to the states listed here, and to no others', () => {
  for (const from of STATES) {
    const reached = STATES.map((to) => (EVENTS.some((event) => transition(from, event) === to) ? '1' : '0')).join('');
    expect(reached, ORDER_STATES[from]).toBe(MAY_FOLLOW[from] ?? '0000000000');
  }
});

test('an event leads from a state to one state at most, and nothing leads out of an end', () => {
  const arms = new Map(ARMS.map(([from, event, to]) => [`${from} ${event}`, to]));
  expect(arms.size).toBe(ARMS.length);
  for (const from of STATES) {
    for (const event of EVENTS) expect(transition(from, event)).toBe(arms.get(`${from} ${event}`) ?? -1);
    if (isEnded(from)) expect(EVENTS.every((event) => transition(from, event) === -1)).toBe(true);
  }
});

test('an event that has the number of an end has its name, and leads there', () => {
  for (const end of STATES.filter(isEnded)) expect(ORDER_EVENTS[end]).toBe(ORDER_STATES[end]);
  for (const [, event, to] of ARMS) expect(isEnded(to)).toBe(event === to && isEnded(event));
});
