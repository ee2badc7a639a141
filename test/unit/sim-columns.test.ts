/** The simulator's containers against plain ones: orders by number, resting orders by rank, sequence numbers. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Orders } from '../../src/sim/core/orders.ts';
import { FARTHEST, Resting } from '../../src/sim/core/resting.ts';
import { OrderNumbers } from '../../src/sim/port/order-numbers.ts';

describe('order columns', () => {
  test('a number finds its slot through growth, release and reuse', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(99), { minLength: 50, maxLength: 400 }), (choices) => {
        const orders = new Orders(8);
        const model = new Map<number, number>();
        let no = 0;
        for (const choice of choices) {
          const live = [...model.keys()];
          if (choice < 60 || live.length === 0) model.set(++no, orders.claim(no));
          else {
            const gone = live[choice % live.length]!;
            orders.release(model.get(gone)!);
            model.delete(gone);
          }
        }
        for (let k = 1; k <= no; k++) expect(orders.find(k)).toBe(model.get(k) ?? -1);
        expect(new Set(model.values()).size).toBe(model.size);
        const twin = new Orders(8);
        twin.load(JSON.parse(JSON.stringify(orders.save())) as Record<string, number[]>);
        for (let k = 1; k <= no; k++) expect(twin.find(k)).toBe(model.get(k) ?? -1);
        expect(twin.claim(no + 1)).toBe(orders.claim(no + 1));
      }),
      { numRuns: 200 },
    );
  });
});

describe('resting orders', () => {
  test.each([true, false])('keep price-time rank under any inserts and removals (buys: %s)', (isBuy) => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(9), fc.nat(20)), { maxLength: 300 }), (steps) => {
        const orders = new Orders(512);
        const side = new Resting(orders, isBuy);
        let model: number[] = [];
        let no = 0;
        for (const [what, value] of steps) {
          if (what < 7) {
            const slot = orders.claim(++no);
            orders.key[slot] = value + 1;
            side.insert(slot);
            model.push(slot);
          } else if (model.length > 0) {
            const slot = model[value % model.length]!;
            side.remove(slot);
            model = model.filter((x) => x !== slot);
          }
          const key = (slot: number): number => orders.key[slot]! * (isBuy ? 1 : -1);
          model.sort((a, b) => key(a) - key(b) || orders.no[b]! - orders.no[a]!);
          expect(Array.from(side.slots.subarray(0, side.count))).toEqual(model);
          expect(side.best()).toBe(model.length === 0 ? (isBuy ? 0 : FARTHEST) : orders.key[model.at(-1)!]!);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('order numbers by sequence', () => {
  test('those that work are kept, those that ended may go', () => {
    const working = new Set<number>();
    const numbers = new OrderNumbers((no) => working.has(no));
    for (let seq = 1; seq <= 5_000; seq++) {
      numbers.set(seq * 3, seq);
      if (seq % 10 === 0) working.add(seq);
      if (seq % 50 === 0) working.delete(seq - 40);
    }
    for (const no of working) expect(numbers.get(no * 3)).toBe(no);
    expect(numbers.get(1)).toBe(0);
    const kept = Array.from({ length: 5_000 }, (_, k) => numbers.get((k + 1) * 3)).filter((no) => no > 0);
    expect(kept.length).toBeLessThan(2_100);
  });
});
