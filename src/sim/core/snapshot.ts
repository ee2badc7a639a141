/**
 * Saves the whole state as JSON values and restores it. All numbers are integers, so nothing is lost. Large parts (ended orders, columns of
 * statistics) are lazy lists, which give the state at the time of the snapshot whenever they are read.
 */
import { assert } from '../../base/failure/assert.ts';
import { Lazy } from '../../base/lazy.ts';
import type { SimSnapshot } from '../state/types.ts';
import type { Account, Leg } from '../state/account.ts';
import type { MarketState } from '../state/market-state.ts';
import { Order } from '../state/order.ts';
import { keptOrders, orderFields, type SavedOrder } from '../orders/saved-orders.ts';
import type { SimState } from '../state/state.ts';
import { DayStats, TradeRing } from '../state/market/stats.ts';

type Value = number | boolean;
type Row = Record<string, Value>;
type Columns = Record<string, List<number>>;
/** A list in a snapshot: lazy when it is saved, plain when it is read back. */
type List<T> = readonly T[] | Lazy;

/** The number and boolean fields of an object with these names. */
function saveFields(part: object, fields: readonly string[]): Row {
  const row: Row = {};
  for (const name of fields) row[name] = (part as Row)[name] as Value;
  return row;
}

function loadFields(part: object, saved: Row, fields: readonly string[]): void {
  for (const name of fields) {
    assert(saved[name] !== undefined, `a snapshot has the field ${name}`);
    (part as Row)[name] = saved[name];
  }
}

const STATE = ['now', 'lastNo', 'markPlans', 'lookedAt', 'nextFunding'] as const;
const CLEARING = ['fees', 'market', 'funding', 'insurance'] as const;
const SUM = ['high', 'low'] as const;
const SHOWN = ['shownAt', 'shownSize', 'tradedSince'] as const;
const MARKET_FIELDS = [
  'bid', 'bidSize', 'bidLeft', 'ask', 'askSize', 'askLeft', 'quoteTime', 'last', 'watchLow', 'watchHigh', 'taking',
  'triggerLow', 'triggerHigh', 'slowMid', 'isHalted',
] as const; // prettier-ignore
const ACCOUNT = [
  'deposits', 'realised', 'fees', 'funding', 'insurance', 'flow', 'holds', 'crossMargin', 'isolatedMargin', 'endedNext',
] as const; // prettier-ignore
const LEG = [
  'total', 'entryValue', 'margin', 'locked', 'opening', 'realised', 'fees', 'funding', 'createdAt', 'updatedAt', 'everRealised',
] as const; // prettier-ignore

/** The names of these fields are those of saved files; some are older than the names in the code. */
interface SavedMarket {
  fields: Row;
  /** State of the fill model for the best levels; absent in older files. */
  shown?: readonly [Row, Row];
  buys: List<number>;
  sells: List<number>;
  plans: number[];
  protections: SavedBracket[];
  day: Columns | null;
  ring: { seen: number; columns: Columns } | null;
}

interface SavedBracket {
  account: number;
  fields: Row;
}

interface SavedPair {
  isIsolated: boolean;
  long: Row;
  short: Row;
}

interface SavedAccount {
  fields: Row;
  pairs: List<SavedPair>;
  active: [number, number][];
  free: number[];
  locked: number[];
  spotDeposits: number[];
  ended: List<number>;
}

interface Parts {
  symbols: string[];
  accountNames: string[];
  coins: string[];
  state: Row;
  clearing: Row[];
  /** Balance of the clearing account by coin. */
  clearingCoins: Row[];
  lastFill: number;
  nextDue: number | null;
  /** Names of the order fields; `orders` has a row of them per slot. See saved-orders.ts. */
  orderFields: readonly string[];
  orders: List<SavedOrder>;
  free: List<number>;
  lines: SavedMarket[];
  accounts: SavedAccount[];
}

const late = <T>(list: Iterable<T>): Lazy => new Lazy(() => list);
const slotsOf = (orders: readonly Order[]): number[] => orders.map((order) => order.slot);
/** A list of a snapshot that was read back. */
const plain = <T>(list: List<T>): readonly T[] => list as readonly T[];

function columnsOf(part: object): [string, Float64Array | Uint8Array][] {
  const isColumn = (x: unknown): x is Float64Array | Uint8Array => x instanceof Float64Array || x instanceof Uint8Array;
  return Object.entries(part).filter((entry): entry is [string, Float64Array | Uint8Array] => isColumn(entry[1]));
}

/** The first `count` entries of each column. */
function saveColumns(part: object, count: number): Columns {
  return Object.fromEntries(columnsOf(part).map(([name, column]) => [name, late(column.slice(0, count))]));
}

function loadColumns(part: object, saved: Columns): void {
  for (const [name, column] of columnsOf(part)) {
    const values = plain(saved[name] ?? []);
    assert(values.length <= column.length, 'a snapshot is read by a simulator of the same settings');
    column.set(values);
  }
}

/** The state at this moment. Lazy lists can be read once; a reader that stops early must close their iterators. */
export function saveState(s: SimState): SimSnapshot {
  const [first] = s.orders.all;
  const names = first === undefined ? [] : orderFields(first);
  const parts: Parts = {
    symbols: s.markets.map((market) => market.instrument.symbol),
    accountNames: s.accounts.map((account) => account.name),
    coins: [...s.coins],
    state: saveFields(s, STATE),
    clearing: CLEARING.map((name) => saveFields(s.clearing[name], SUM)),
    clearingCoins: s.clearing.coins.map((sum) => saveFields(sum, SUM)),
    lastFill: s.fill.fillNo,
    nextDue: s.nextDue === Infinity ? null : s.nextDue,
    orderFields: names,
    orders: keptOrders(s.orders, names),
    free: late(s.orders.freeSlots()),
    lines: s.markets.map(saveMarket),
    accounts: s.accounts.map(saveAccount),
  };
  return { version: 5, parts: parts as unknown as Record<string, unknown> };
}

function saveMarket(market: MarketState): SavedMarket {
  const { day, ring } = market;
  return {
    fields: saveFields(market, MARKET_FIELDS),
    shown: [saveFields(market.buys, SHOWN), saveFields(market.sells, SHOWN)],
    buys: late(slotsOf(market.buys.list())),
    sells: late(slotsOf(market.sells.list())),
    plans: slotsOf(market.triggerOrders),
    protections: market.brackets.map(({ leg, ...fields }) => ({ account: leg.account.index, fields: { ...fields, side: leg.side } })),
    day: day === null ? null : saveColumns(day, Infinity),
    ring: ring === null ? null : { seen: ring.seen, columns: saveColumns(ring, ring.seen) },
  };
}

function saveAccount(account: Account): SavedAccount {
  return {
    fields: saveFields(account, ACCOUNT),
    pairs: late(
      account.pairs.map(({ isIsolated, long, short }): SavedPair => {
        return { isIsolated, long: saveFields(long, LEG), short: saveFields(short, LEG) };
      }),
    ),
    active: account.active.map((leg) => [leg.market.index, leg.side]),
    free: Array.from(account.free),
    locked: Array.from(account.locked),
    spotDeposits: Array.from(account.spotDeposits),
    ended: late(slotsOf(account.ended)),
  };
}

/** @throws AssertionError if the snapshot has other instruments, accounts or settings */
export function restoreState(s: SimState, snapshot: SimSnapshot): void {
  assert(snapshot.version === 5, 'a snapshot is of a version that is known');
  const parts = snapshot.parts as unknown as Parts;
  const isSame = (x: readonly string[], y: readonly string[]): boolean => x.length === y.length && x.every((v, k) => v === y[k]);
  const symbols = s.markets.map((market) => market.instrument.symbol);
  assert(isSame(parts.symbols, symbols), 'a snapshot is of the same instruments');
  const names = s.accounts.map((account) => account.name);
  assert(isSame(parts.accountNames, names), 'a snapshot is of the same accounts');
  assert(isSame(parts.coins, s.coins), 'a snapshot is of the same coins');
  loadFields(s, parts.state, STATE);
  for (const [k, name] of CLEARING.entries()) loadFields(s.clearing[name], parts.clearing[k]!, SUM);
  for (const [k, sum] of s.clearing.coins.entries()) loadFields(sum, parts.clearingCoins[k]!, SUM);
  s.fill.fillNo = parts.lastFill;
  s.nextDue = parts.nextDue ?? Infinity;
  const orders = plain(parts.orders).map((saved, slot) => restoreOrder(s, saved, parts.orderFields, slot));
  s.orders.load(orders, plain(parts.free));
  const bySlot = (slots: List<number>): Order[] => plain(slots).map((slot) => orders[slot]!);
  for (const [k, saved] of parts.lines.entries()) restoreMarket(s, s.markets[k]!, saved, bySlot);
  for (const [k, saved] of parts.accounts.entries()) restoreAccount(s.accounts[k]!, saved, bySlot);
}

function legOf(account: Account, market: number, side: number): Leg {
  const pair = account.pairs[market]!;
  return side === 0 ? pair.long : pair.short;
}

function restoreOrder(s: SimState, saved: SavedOrder, names: readonly string[], slot: number): Order {
  const [a, i, ...values] = saved;
  const account = s.accounts[a]!;
  const market = s.markets[i]!;
  const fields: Row = Object.fromEntries(names.map((name, k) => [name, values[k] as Value]));
  const leg = legOf(account, i, market.isSpot ? 0 : Number(fields['side']));
  const order = new Order(slot, account, market, leg);
  loadFields(order, fields, orderFields(order));
  return order;
}

function restoreMarket(s: SimState, market: MarketState, saved: SavedMarket, bySlot: (slots: List<number>) => Order[]): void {
  // Older files name the slow mid `slowMiddle`.
  const { slowMiddle } = saved.fields;
  loadFields(market, slowMiddle === undefined ? saved.fields : { ...saved.fields, slowMid: slowMiddle }, MARKET_FIELDS);
  market.isDepleted = market.bidLeft < market.bidSize || market.askLeft < market.askSize;
  market.buys.load(bySlot(saved.buys));
  if (saved.shown !== undefined) {
    loadFields(market.buys, saved.shown[0], SHOWN);
    loadFields(market.sells, saved.shown[1], SHOWN);
  }
  market.sells.load(bySlot(saved.sells));
  market.triggerOrders.splice(0, market.triggerOrders.length, ...bySlot(saved.plans));
  market.brackets = saved.protections.map(({ account, fields }) => {
    const { orderNo, tag, size, takeProfit, takeProfitLimit, stopLoss, stopLossLimit, side } = fields as Record<string, number>;
    const leg = legOf(s.accounts[account]!, market.index, side!);
    return {
      orderNo: orderNo!,
      tag: tag ?? 0,
      leg,
      size: size!,
      takeProfit: takeProfit!,
      takeProfitLimit: takeProfitLimit!,
      stopLoss: stopLoss!,
      stopLossLimit: stopLossLimit!,
    };
  });
  market.day = null;
  if (saved.day !== null) loadColumns((market.day = new DayStats()), saved.day);
  market.ring = null;
  if (saved.ring === null) return;
  market.ring = new TradeRing(s.keepTrades);
  market.ring.seen = saved.ring.seen;
  loadColumns(market.ring, saved.ring.columns);
}

function restoreAccount(account: Account, saved: SavedAccount, bySlot: (slots: List<number>) => Order[]): void {
  loadFields(account, saved.fields, ACCOUNT);
  for (const [k, { isIsolated, long, short }] of plain(saved.pairs).entries()) {
    const pair = account.pairs[k]!;
    pair.isIsolated = isIsolated;
    loadFields(pair.long, long, LEG);
    loadFields(pair.short, short, LEG);
  }
  account.active.splice(0, account.active.length, ...saved.active.map(([market, side]) => legOf(account, market, side)));
  account.held = null;
  for (const pair of new Set(account.active.map((leg) => leg.pair))) account.keep(pair);
  account.free.set(saved.free);
  account.locked.set(saved.locked);
  account.spotDeposits.set(saved.spotDeposits);
  account.ended.splice(0, account.ended.length, ...bySlot(saved.ended));
  account.endedTags.fill(account.ended.map(({ tag }) => tag));
}
