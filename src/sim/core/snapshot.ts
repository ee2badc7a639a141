/** The whole state as JSON values and back. All columns hold integers, so JSON carries them exactly. */
import { assert } from '../../base/assert.ts';
import type { SimSnapshot } from '../types.ts';
import type { Protection } from './triggers.ts';
import type { SimState } from './state.ts';

type Column = Float64Array | Int32Array | Uint8Array;

const isColumn = (x: unknown): x is Column => x instanceof Float64Array || x instanceof Int32Array || x instanceof Uint8Array;

/** Every typed array among the public fields of `part`. */
function columnsOf(part: object): [string, Column][] {
  return Object.entries(part).filter((entry): entry is [string, Column] => isColumn(entry[1]));
}

function saveColumns(part: object): Record<string, number[]> {
  return Object.fromEntries(columnsOf(part).map(([name, column]) => [name, Array.from(column)]));
}

function loadColumns(part: object, saved: Record<string, number[]>): void {
  for (const [name, column] of columnsOf(part)) {
    const values = saved[name];
    assert(values?.length === column.length, 'a snapshot is read by a simulator of the same instruments and accounts');
    column.set(values);
  }
}

/** The state's own columns that change; the others come from the spec. */
function watched(s: SimState): object {
  return { watchLow: s.watchLow, watchHigh: s.watchHigh, taking: s.taking };
}

interface Parts {
  symbols: string[];
  accounts: string[];
  counters: { now: number; lastNo: number; lastFill: number; nextDue: number | null };
  state: Record<string, number[]>;
  market: Record<string, number[]>;
  ledger: Record<string, number[]>;
  spot: Record<string, number[]>;
  orders: Record<string, number[]>;
  books: number[][];
  plans: number[][];
  protections: Protection[][];
  triggers: Record<string, number[]>;
  markPlans: number;
  history: Record<string, number[]>;
  days: (Record<string, number[]> | null)[];
  rings: ({ seen: number; columns: Record<string, number[]> } | null)[];
}

export function saveState(s: SimState): SimSnapshot {
  const parts: Parts = {
    symbols: s.instruments.map((x) => x.symbol),
    accounts: [...s.accounts],
    counters: {
      now: s.now,
      lastNo: s.lastNo,
      lastFill: s.fill.fillNo,
      nextDue: s.nextDue === Infinity ? null : s.nextDue,
    },
    state: saveColumns(watched(s)),
    market: saveColumns(s.market),
    ledger: saveColumns(s.ledger),
    spot: saveColumns(s.spot),
    orders: s.orders.save(),
    books: s.books.map((book) => Array.from(book.slots.subarray(0, book.count))),
    plans: s.triggers.plans.map((x) => [...x]),
    protections: s.triggers.protections.map((list) => list.map((p) => ({ ...p }))),
    triggers: saveColumns(s.triggers),
    markPlans: s.triggers.markPlans,
    history: s.history.save(),
    days: s.stats.days.map((day) => (day === null ? null : saveColumns(day))),
    rings: s.stats.rings.map((ring) => (ring === null ? null : { seen: ring.seen, columns: saveColumns(ring) })),
  };
  return { version: 1, parts: parts as unknown as Record<string, unknown> };
}

export function restoreState(s: SimState, snapshot: SimSnapshot): void {
  assert(snapshot.version === 1, 'a snapshot is of a version that is known');
  const parts = snapshot.parts as unknown as Parts;
  const same = (x: readonly string[], y: readonly string[]): boolean => x.length === y.length && x.every((v, k) => v === y[k]);
  assert(
    same(
      parts.symbols,
      s.instruments.map((x) => x.symbol),
    ),
    'a snapshot is of the same instruments',
  );
  assert(same(parts.accounts, s.accounts), 'a snapshot is of the same accounts');
  loadColumns(watched(s), parts.state);
  loadColumns(s.market, parts.market);
  loadColumns(s.ledger, parts.ledger);
  loadColumns(s.spot, parts.spot);
  s.orders.load(parts.orders);
  for (const [k, slots] of parts.books.entries()) s.books[k]!.load(slots);
  for (let i = 0; i < s.count; i++) {
    s.triggers.plans[i] = [...parts.plans[i]!];
    s.triggers.protections[i] = parts.protections[i]!.map((p) => ({ ...p }));
  }
  loadColumns(s.triggers, parts.triggers);
  s.triggers.markPlans = parts.markPlans;
  s.history.load(parts.history);
  restoreStats(s, parts);
  s.now = parts.counters.now;
  s.lastNo = parts.counters.lastNo;
  s.fill.fillNo = parts.counters.lastFill;
  s.nextDue = parts.counters.nextDue ?? Infinity;
}

function restoreStats(s: SimState, parts: Parts): void {
  for (const [i, columns] of parts.days.entries()) {
    s.stats.days[i] = null;
    if (columns !== null) loadColumns(s.stats.openDay(i), columns);
  }
  for (const [i, saved] of parts.rings.entries()) {
    s.stats.rings[i] = null;
    if (saved === null) continue;
    const ring = s.stats.openRing(i);
    ring.seen = saved.seen;
    loadColumns(ring, saved.columns);
  }
}
