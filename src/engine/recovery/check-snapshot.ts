/** Checks what holds of every snapshot before one is kept: one that cannot be restored would end each process after it. */
import { assert } from '../../base/failure/assert.ts';
import { haltKey } from '../state/halts.ts';
import type { KernelSnapshot } from './registry.ts';

/** @throws AssertionError */
export function checkSnapshot({ nextSeq, orders, halts, legs = [], brackets = [], trades = {}, executions = {} }: KernelSnapshot): void {
  assert(Number.isSafeInteger(nextSeq) && nextSeq > 0, 'the next number is a whole one above zero', nextSeq);
  const seqs = new Set<number>();
  for (const { seq, size, filled } of orders) {
    assert(seq > 0 && seq < nextSeq, 'a kept order has a number that was given', seq);
    assert(!seqs.has(seq), 'an order is kept once', seq);
    assert(filled >= 0 && filled <= size, 'a kept order has filled from 0 to its size', filled, 'order', seq);
    seqs.add(seq);
  }
  const keys = new Set(halts.map(({ scope, code, seq }) => haltKey(scope, code, seq)));
  assert(keys.size === halts.length, 'a halt is kept once', halts.length - keys.size);
  const places = new Set<string>();
  for (const { symbol, side, total, own = 0 } of legs) {
    assert(own >= 0 && own <= Math.max(0, total), 'own lots of a kept leg are from 0 to all of it', own, 'leg', `${symbol} ${side}`);
    assert(!places.has(`${symbol} ${side}`), 'a leg is kept once', `${symbol} ${side}`);
    places.add(`${symbol} ${side}`);
  }
  for (const { seq, lots } of brackets) {
    assert(seq > 0 && seq < nextSeq, 'a kept bracket is of an order with a number that was given', seq);
    assert(lots >= 0, 'a kept bracket protects at least 0 lots', lots, 'order', seq);
  }
  for (const [strategy, kept] of Object.entries(trades)) {
    assert(new Set(kept.map(({ id }) => id)).size === kept.length, 'a trade is kept once', kept.length, 'strategy', strategy);
    for (const { id, state, exitedLots } of kept) {
      assert(state !== 'closed', 'a kept trade is not over', state, 'trade', id);
      assert(exitedLots >= 0, 'a kept trade has closed at least 0 lots', exitedLots, 'trade', id);
    }
  }
  for (const [strategy, kept] of Object.entries(executions)) {
    assert(new Set(kept.map(({ id }) => id)).size === kept.length, 'an execution is kept once', kept.length, 'strategy', strategy);
    for (const { id, state, filled } of kept) {
      assert(state !== 'done', 'a kept execution is not over', state, 'execution', id);
      assert(filled >= 0, 'a kept execution has filled at least 0 lots', filled, 'execution', id);
    }
  }
}
