/** No command is sent before its record is durable, and none waits for a later commit than its own. */
import { describe, expect, it } from 'vitest';
import { CANCEL, CANCEL_SPOT, CANCEL_TRIGGER, CLOSE, OPEN, PLACE } from '../../../src/domain/codes.ts';
import { emptyCommand, type Approved, type Command } from '../../../src/domain/orders/command.ts';
import { openMemoryStore } from '../../../src/edge/memory/memory-store.ts';
import type { JournalRecord, Store } from '../../../src/ports/store.ts';
import type { OrderPort } from '../../../src/ports/venue.ts';
import { DurableGate } from '../../../src/run/bot/store/durable-gate.ts';

/** A store whose commits end when the test decides. */
class SlowStore {
  readonly store: Store;
  readonly #waiting: { done: () => void; fail: (error: Error) => void }[] = [];

  constructor() {
    const commit = (): Promise<void> =>
      new Promise((resolve, reject) => {
        this.#waiting.push({ done: resolve, fail: reject });
      });
    this.store = { ...bound(openMemoryStore()), commit };
  }

  get commits(): number {
    return this.#waiting.length;
  }

  async finish(): Promise<void> {
    this.#waiting.shift()?.done();
    await settled();
  }

  async fail(): Promise<void> {
    this.#waiting.shift()?.fail(new Error('the disk is full'));
    await settled();
  }
}

function bound(store: Store): Store {
  return {
    append: (one) => store.append(one),
    put: (key, value) => store.put(key, value),
    commit: () => store.commit(),
    get: (key) => store.get(key),
    read: (from) => store.read(from),
    check: async () => undefined,
    last: () => store.last(),
    close: () => store.close(),
  };
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function record(seq: number): JournalRecord {
  return { kind: 'command', seq, time: 1, data: {} };
}

function command(seq: number, kind = PLACE): Approved<Command> {
  return Object.assign(emptyCommand(), { seq, kind }) as Approved<Command>;
}

function rig(store: Store) {
  const sent: number[] = [];
  const unsent: number[] = [];
  const orders: OrderPort = { execute: ({ seq }) => void sent.push(seq) };
  const gate = new DurableGate(store, 0, orders, { take: ({ seq }) => void unsent.push(seq) });
  const order = (seq: number, kind?: number): void => {
    gate.append(record(seq));
    gate.execute(command(seq, kind));
  };
  return { gate, order, sent, unsent };
}

describe('the gate', () => {
  it('holds a command until its record is durable, and passes one whose record already is', () => {
    const { gate, order, sent } = rig(openMemoryStore());
    order(1);
    expect(sent).toEqual([]);
    expect(gate.flush()).toBe(null);
    expect(sent).toEqual([1]);
    gate.execute(command(2));
    expect(sent).toEqual([1, 2]);
  });

  it('releases each command with its own commit, however much is queued behind it', async () => {
    const slow = new SlowStore();
    const { gate, order, sent } = rig(slow.store);
    order(1);
    const first = gate.flush();
    order(2);
    expect(gate.flush()).toBe(first);
    await slow.finish();
    expect(sent).toEqual([1]);
    void gate.flush();
    order(3);
    await slow.finish();
    expect(sent).toEqual([1, 2]);
    void gate.flush();
    await slow.finish();
    expect(sent).toEqual([1, 2, 3]);
    expect(gate.flush()).toBe(null);
  });

  it('keeps a command of an earlier commit behind the running one', async () => {
    const slow = new SlowStore();
    const { gate, sent } = rig(slow.store);
    gate.append(record(1));
    void gate.flush();
    gate.execute(command(1));
    expect(sent).toEqual([]);
    await slow.finish();
    expect(sent).toEqual([1]);
  });

  it('sends nothing but cancels to the venue of a store that moved, until ids of a new epoch are durable', async () => {
    const slow = new SlowStore();
    const store = { ...slow.store, era: 0 };
    const { gate, order, sent, unsent } = rig(store);
    store.era = 1;
    expect(gate.isMoved).toBe(true);
    gate.execute(command(1));
    order(2, CANCEL);
    expect([sent, unsent]).toEqual([[2], [1]]);
    gate.renewed();
    gate.put('epochs', 'new');
    gate.execute(command(3));
    void gate.flush();
    expect(sent).toEqual([2]);
    await slow.finish();
    expect(sent).toEqual([2, 3]);
    store.era = 2;
    gate.execute(command(4));
    expect([sent, unsent]).toEqual([
      [2, 3],
      [1, 4],
    ]);
  });

  it('sends closes and cancels but no opens while what is committed may be lost', () => {
    const store = { ...bound(openMemoryStore()), risk: 'no replica' };
    const { gate, sent, unsent } = rig(store);
    gate.execute(Object.assign(emptyCommand(), { seq: 1, kind: PLACE, effect: OPEN }) as Approved<Command>);
    gate.execute(Object.assign(emptyCommand(), { seq: 2, kind: PLACE, effect: CLOSE }) as Approved<Command>);
    gate.execute(command(3, CANCEL));
    expect([sent, unsent]).toEqual([[2, 3], [1]]);
    store.risk = '';
    gate.execute(Object.assign(emptyCommand(), { seq: 4, kind: PLACE, effect: OPEN }) as Approved<Command>);
    expect(sent).toEqual([2, 3, 4]);
  });

  it('sends nothing that opens after a failed write; cancels are still sent', async () => {
    const slow = new SlowStore();
    const { gate, order, sent, unsent } = rig(slow.store);
    order(1);
    void gate.flush();
    order(2);
    await slow.fail();
    expect([sent, unsent]).toEqual([[], [1]]);
    order(3, CANCEL);
    expect(gate.flush()).toBe(null);
    expect([sent, unsent]).toEqual([[3], [1, 2]]);
    expect(gate.failure).toBeInstanceOf(Error);
    expect(slow.commits).toBe(0);
  });

  it('never delays a cancel for a commit, neither its own nor a running one [outcomes 3.4]', async () => {
    const slow = new SlowStore();
    const { gate, order, sent } = rig(slow.store);
    order(1);
    void gate.flush();
    order(2);
    order(3, CANCEL);
    order(4, CANCEL_TRIGGER);
    order(5, CANCEL_SPOT);
    expect(sent).toEqual([3, 4, 5]);
    await slow.finish();
    void gate.flush();
    await slow.finish();
    expect(sent).toEqual([3, 4, 5, 1, 2]);
  });

  it('treats a store that refuses records as failed, and does not throw', () => {
    const store = openMemoryStore();
    const append = (): never => {
      throw new Error('another bot took over');
    };
    const broken: Store = { ...bound(store), append };
    const { gate, order, sent, unsent } = rig(broken);
    order(1);
    void gate.flush();
    expect([sent, unsent]).toEqual([[], [1]]);
    expect(gate.failure).not.toBe(null);
  });

  it('copies commands, because the caller reuses its object', () => {
    const { gate, sent } = rig(openMemoryStore());
    const own = command(1);
    gate.append(record(1));
    gate.execute(own);
    own.seq = 2;
    void gate.flush();
    expect(sent).toEqual([1]);
  });
});
