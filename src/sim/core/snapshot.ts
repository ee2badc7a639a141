/** The whole state as JSON values and back. All numbers are integers (or say "none" in a way that JSON keeps), so nothing is lost. */
import { assert } from '../../base/assert.ts';
import type { SimSnapshot } from '../types.ts';
import type { Account, Leg } from './account.ts';
import type { Line } from './line.ts';
import { Order } from './order.ts';
import type { SimState } from './state.ts';
import { DayStats, TradeRing } from './stats.ts';

type Value = number | boolean;
type Row = Record<string, Value>;
type Columns = Record<string, number[]>;

/** The number and boolean fields of a record, but `slot` and those of the configuration. */
function saveFields(part: object, fields: readonly string[]): Row {
  const from = part as Row;
  return Object.fromEntries(fields.map((name) => [name, from[name] as Value]));
}

function loadFields(part: object, saved: Row, fields: readonly string[]): void {
  for (const name of fields) {
    assert(saved[name] !== undefined, `a snapshot has the field ${name}`);
    (part as Row)[name] = saved[name];
  }
}

const STATE = ['now', 'lastNo', 'markPlans', 'lookedAt', 'nextFunding'] as const;
const HOUSE = ['fees', 'market', 'funding', 'insurance', 'wallets'] as const;
const LINE = [
  'bid', 'bidSize', 'bidLeft', 'ask', 'askSize', 'askLeft', 'quoteTime', 'hasBook', 'last', 'watchLow', 'watchHigh', 'taking',
  'triggerLow', 'triggerHigh', 'slowMiddle',
] as const; // prettier-ignore
const ACCOUNT = [
  'deposits', 'realised', 'fees', 'funding', 'insurance', 'flow', 'entry', 'holds', 'crossMargin', 'isolatedMargin', 'endedNext',
] as const; // prettier-ignore
const LEG = [
  'total', 'entryValue', 'margin', 'locked', 'opening', 'realised', 'fees', 'funding', 'createdAt', 'updatedAt', 'everRealised',
] as const; // prettier-ignore
const ORDER_REFERENCES = ['slot', 'account', 'line', 'leg'];

interface SavedLine {
  fields: Row;
  buys: number[];
  sells: number[];
  plans: number[];
  protections: SavedProtection[];
  day: Columns | null;
  ring: { seen: number; columns: Columns } | null;
}

interface SavedProtection {
  account: number;
  fields: Row;
}

type SavedOrder = [account: number, line: number, ...fields: Value[]];

interface SavedAccount {
  fields: Row;
  pairs: { isIsolated: boolean; openOrders: number; long: Row; short: Row }[];
  active: [number, number][];
  free: number[];
  locked: number[];
  spotDeposits: number[];
  ended: number[];
}

interface Parts {
  symbols: string[];
  accountNames: string[];
  coins: string[];
  state: Row;
  house: Row;
  /** By coin: what the market has of the accounts' deposits. */
  houseCoins: number[];
  lastFill: number;
  nextDue: number | null;
  /** Names of an order's fields, then by slot: account, instrument, and what the fields hold. Bare rows, because there are many. */
  orderFields: string[];
  orders: SavedOrder[];
  free: number[];
  lines: SavedLine[];
  accounts: SavedAccount[];
}

const slotsOf = (orders: readonly Order[]): number[] => orders.map((order) => order.slot);

/** Every field of an order but its references: the record's own are all of them. */
function orderFields(order: Order): string[] {
  return Object.keys(order).filter((name) => !ORDER_REFERENCES.includes(name));
}

function columnsOf(part: object): [string, Float64Array | Uint8Array][] {
  const isColumn = (x: unknown): x is Float64Array | Uint8Array => x instanceof Float64Array || x instanceof Uint8Array;
  return Object.entries(part).filter((entry): entry is [string, Float64Array | Uint8Array] => isColumn(entry[1]));
}

function saveColumns(part: object): Columns {
  return Object.fromEntries(columnsOf(part).map(([name, column]) => [name, Array.from(column)]));
}

function loadColumns(part: object, saved: Columns): void {
  for (const [name, column] of columnsOf(part)) {
    const values = saved[name];
    assert(values?.length === column.length, 'a snapshot is read by a simulator of the same settings');
    column.set(values);
  }
}

export function saveState(s: SimState): SimSnapshot {
  const [first] = s.orders.all;
  const names = first === undefined ? [] : orderFields(first);
  const parts: Parts = {
    symbols: s.lines.map((line) => line.instrument.symbol),
    accountNames: s.accounts.map((account) => account.name),
    coins: [...s.coins],
    state: saveFields(s, STATE),
    house: saveFields(s.house, HOUSE),
    houseCoins: Array.from(s.house.coins),
    lastFill: s.fill.fillNo,
    nextDue: s.nextDue === Infinity ? null : s.nextDue,
    orderFields: names,
    orders: s.orders.all.map((order) => saveOrder(order, names)),
    free: s.orders.freeSlots(),
    lines: s.lines.map(saveLine),
    accounts: s.accounts.map(saveAccount),
  };
  return { version: 3, parts: parts as unknown as Record<string, unknown> };
}

function saveOrder(order: Order, names: readonly string[]): SavedOrder {
  const row: SavedOrder = [order.account.index, order.line.index];
  for (const name of names) row.push(order[name as keyof Order] as Value);
  return row;
}

function saveLine(line: Line): SavedLine {
  const { day, ring } = line;
  return {
    fields: saveFields(line, LINE),
    buys: slotsOf(line.buys.list()),
    sells: slotsOf(line.sells.list()),
    plans: slotsOf(line.plans),
    protections: line.protections.map(({ leg, ...fields }) => ({ account: leg.account.index, fields: { ...fields, side: leg.side } })),
    day: day === null ? null : saveColumns(day),
    ring: ring === null ? null : { seen: ring.seen, columns: saveColumns(ring) },
  };
}

function saveAccount(account: Account): SavedAccount {
  return {
    fields: saveFields(account, ACCOUNT),
    pairs: account.pairs.map(({ isIsolated, openOrders, long, short }) => {
      return { isIsolated, openOrders, long: saveFields(long, LEG), short: saveFields(short, LEG) };
    }),
    active: account.active.map((leg) => [leg.line.index, leg.side]),
    free: Array.from(account.free),
    locked: Array.from(account.locked),
    spotDeposits: Array.from(account.spotDeposits),
    ended: slotsOf(account.ended),
  };
}

/** @throws AssertionError when the snapshot is of other instruments, accounts or settings */
export function restoreState(s: SimState, snapshot: SimSnapshot): void {
  assert(snapshot.version === 3, 'a snapshot is of a version that is known');
  const parts = snapshot.parts as unknown as Parts;
  const isSame = (x: readonly string[], y: readonly string[]): boolean => x.length === y.length && x.every((v, k) => v === y[k]);
  const symbols = s.lines.map((line) => line.instrument.symbol);
  assert(isSame(parts.symbols, symbols), 'a snapshot is of the same instruments');
  const names = s.accounts.map((account) => account.name);
  assert(isSame(parts.accountNames, names), 'a snapshot is of the same accounts');
  assert(isSame(parts.coins, s.coins), 'a snapshot is of the same coins');
  loadFields(s, parts.state, STATE);
  loadFields(s.house, parts.house, HOUSE);
  s.house.coins.set(parts.houseCoins);
  s.fill.fillNo = parts.lastFill;
  s.nextDue = parts.nextDue ?? Infinity;
  const orders = parts.orders.map((saved, slot) => restoreOrder(s, saved, parts.orderFields, slot));
  s.orders.load(orders, parts.free);
  const bySlot = (slots: readonly number[]): Order[] => slots.map((slot) => orders[slot]!);
  for (const [k, saved] of parts.lines.entries()) restoreLine(s, s.lines[k]!, saved, bySlot);
  for (const [k, saved] of parts.accounts.entries()) restoreAccount(s.accounts[k]!, saved, bySlot);
}

function legOf(account: Account, line: number, side: number): Leg {
  const pair = account.pairs[line]!;
  return side === 0 ? pair.long : pair.short;
}

function restoreOrder(s: SimState, saved: SavedOrder, names: readonly string[], slot: number): Order {
  const [a, i, ...values] = saved;
  const account = s.accounts[a]!;
  const line = s.lines[i]!;
  const fields: Row = Object.fromEntries(names.map((name, k) => [name, values[k] as Value]));
  const leg = legOf(account, i, line.isSpot ? 0 : Number(fields['side']));
  const order = new Order(slot, account, line, leg);
  loadFields(order, fields, orderFields(order));
  return order;
}

function restoreLine(s: SimState, line: Line, saved: SavedLine, bySlot: (slots: readonly number[]) => Order[]): void {
  loadFields(line, saved.fields, LINE);
  line.buys.load(bySlot(saved.buys));
  line.sells.load(bySlot(saved.sells));
  line.plans.splice(0, line.plans.length, ...bySlot(saved.plans));
  line.protections = saved.protections.map(({ account, fields }) => {
    const { orderNo, size, takeProfit, takeProfitLimit, stopLoss, stopLossLimit, side } = fields as Record<string, number>;
    const leg = legOf(s.accounts[account]!, line.index, side!);
    return {
      orderNo: orderNo!,
      leg,
      size: size!,
      takeProfit: takeProfit!,
      takeProfitLimit: takeProfitLimit!,
      stopLoss: stopLoss!,
      stopLossLimit: stopLossLimit!,
    };
  });
  line.day = null;
  if (saved.day !== null) loadColumns((line.day = new DayStats()), saved.day);
  line.ring = null;
  if (saved.ring === null) return;
  line.ring = new TradeRing(s.keepTrades);
  line.ring.seen = saved.ring.seen;
  loadColumns(line.ring, saved.ring.columns);
}

function restoreAccount(account: Account, saved: SavedAccount, bySlot: (slots: readonly number[]) => Order[]): void {
  loadFields(account, saved.fields, ACCOUNT);
  for (const [k, { isIsolated, openOrders, long, short }] of saved.pairs.entries()) {
    const pair = account.pairs[k]!;
    pair.isIsolated = isIsolated;
    pair.openOrders = openOrders;
    loadFields(pair.long, long, LEG);
    loadFields(pair.short, short, LEG);
  }
  account.active.splice(0, account.active.length, ...saved.active.map(([line, side]) => legOf(account, line, side)));
  account.free.set(saved.free);
  account.locked.set(saved.locked);
  account.spotDeposits.set(saved.spotDeposits);
  account.ended.splice(0, account.ended.length, ...bySlot(saved.ended));
}
