import { describe, expect, it } from 'vitest';
import { FUTURES, TRIGGER, SPOT } from '../../../src/sim/state/kinds.ts';
import { bareNoOf, ClientIds, orderIdOf, orderNoOf } from '../../../src/sim/state/ids/wire-ids.ts';

describe('order ids on the wire', () => {
  it.each([
    [FUTURES, 'fu-12'],
    [TRIGGER, 'fu-plan-12'],
    [SPOT, '12'],
  ])('of kind %i are %s, and are read back', (kind, id) => {
    expect(orderIdOf(kind, 12)).toBe(id);
    expect(orderNoOf(kind, id)).toBe(12);
  });

  it.each(['', 'fu-', 'fu-0', 'fu-01', 'fu-1x', 'fu--1', 'fu-1.5', 'FU-1', ' fu-1', 'fu-9999999999999999', 'fu-plan-1', '1'])(
    'refuses %j as a futures id',
    (id) => expect(orderNoOf(FUTURES, id)).toBe(0),
  );

  it('read a bound from digits or from any id', () => {
    expect(['7', 'fu-7', 'fu-plan-7', 'x', '', '0'].map(bareNoOf)).toEqual([7, 7, 7, 0, 0, 0]);
  });
});

describe('client ids', () => {
  it('belong to an account, and are not used up by a refusal', () => {
    const ids = new ClientIds();
    const tag = ids.claim('a');
    ids.bind(0, 'a', 5);
    const refused = ids.claim('b');
    ids.drop(refused);
    const next = ids.claim('c');
    expect([ids.idOf(tag), ids.idOf(next), ids.idOf(0), next]).toEqual(['a', 'c', '', refused]);
    expect([ids.orderOf(0, 'a'), ids.orderOf(1, 'a'), ids.orderOf(0, 'b')]).toEqual([5, 0, 0]);
    const copy = new ClientIds();
    copy.restore(JSON.parse(JSON.stringify(ids.snapshot())));
    expect([copy.orderOf(0, 'a'), copy.idOf(next), copy.claim('d')]).toEqual([5, 'c', next + 1]);
  });

  it('give no tag to an order without one', () => {
    const ids = new ClientIds();
    expect(ids.claim('')).toBe(0);
    ids.drop(0);
    ids.bind(0, '', 9);
    expect(ids.orderOf(0, '')).toBe(0);
  });
});
