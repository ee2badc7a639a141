/**
 * The data of the exchange's page as one JSON object of short lists, rebuilt on request at most a few times a second. Amounts are decimal
 * strings, times milliseconds since 1970. It contains API key names, no secrets.
 */
import { DIRECTIONS, EFFECTS, LIQUIDITIES, MARGIN_MODES, ORDER_TYPES, SIDES, TRIGGERS_BY } from '../../../domain/codes.ts';
import { formatLots, formatMoney, formatMoneyShort, formatTicks, unitPrice, type Instrument } from '../../../domain/instrument.ts';
import { formatScaled } from '../../../domain/amounts/scale.ts';
import { DAY_MS } from '../../../base/time/time-spans.ts';
import { MONEY_DECIMALS } from '../../../domain/amounts/units.ts';
import { ORDER_KINDS, TRIGGER } from '../../../sim/state/kinds.ts';
import type { RuleCount } from '../../../edge/serve/faults/faults.ts';
import type { VenueSim } from '../../../sim/core/venue-core.ts';
import type { VenueApi } from '../../../sim/api/api.ts';
import { BUCKET_MS } from '../../../sim/state/market/stats.ts';
import type { SimLeg, SimOrder, SimOverview, SimTicker, SimWealth } from '../../../sim/state/types.ts';
import type { MarketPlace } from '../../market/market-feed.ts';
import type { Upstream } from '../../market/served-market.ts';
import type { AccountRow, ExchangeState, LegRow, OrderRow } from './exchange-state.ts';
import type { KeptFill, RecentFills } from './recent-fills.ts';
import type { RequestCounters, Counters } from './request-counters.ts';
import { onlyMakes } from '../../../domain/orders/time-in-force.ts';

/** A list cut to a maximum length, with the full count. */
export interface Capped<T> {
  readonly total: number;
  readonly rows: readonly T[];
}

export const SORTS = ['listed', 'symbol', 'change', 'volume', 'orders'] as const;
export type Sort = (typeof SORTS)[number];

/** A request of the page: symbols that contain `find`, in this order. */
export interface LiveQuestion {
  readonly find: string;
  readonly sort: Sort;
}

/** Facts that do not change while the exchange runs. */
export interface LiveFacts {
  readonly startedAt: number;
  /** Source of the market in words. */
  readonly market: string;
  readonly speed: number;
  readonly fillModel: string;
  /** Folder of the ledger; null if it is in memory. */
  readonly ledger: string | null;
  readonly resumed: boolean;
}

export interface LiveSources {
  readonly sim: VenueSim;
  readonly instruments: readonly Instrument[];
  /** API keys in order of accounts. */
  readonly keys: readonly string[];
  readonly facts: LiveFacts;
  readonly fills: RecentFills;
  readonly requests: RequestCounters;
  readonly now: () => number;
  readonly place: () => MarketPlace | null;
  readonly upstream: () => Upstream | null;
  /** Rules of the current fault plan; empty without a plan. */
  readonly faults: () => readonly RuleCount[];
  readonly idsOf: VenueApi['idsOf'];
}

/** Most rows of each list. */
export const ROWS = 50;

export function liveView(from: LiveSources, question: LiveQuestion) {
  const { sim, instruments, facts, fills, requests } = from;
  const find = question.find.toUpperCase();
  const isWanted = instruments.map((i) => i.symbol.toUpperCase().includes(find));
  const seen = sim.overview(isWanted, ROWS, ROWS);
  const wantedFills = fills.list().filter((fill) => isWanted[fill.instrument]);
  return {
    time: from.now(),
    ...facts,
    place: from.place(),
    upstream: from.upstream(),
    find: question.find,
    sort: question.sort,
    faults: faultsOf(from.faults()),
    symbols: symbolsOf(from, question.sort, isWanted, seen),
    accounts: { total: from.keys.length, rows: seen.accounts.map((wealth, k) => accountRow(from, wealth, k)) },
    positions: { total: seen.legs.total, rows: seen.legs.first.map((leg) => legRow(from, leg)) },
    orders: { total: seen.orders.total, rows: seen.orders.newest.map((order) => orderRow(from, order)) },
    fills: { total: seen.fills, rows: wantedFills.slice(0, ROWS).map((fill) => fillRow(from, fill)) },
    spot: spotOf(from),
    refusals: { total: requests.refusals.length, rows: requests.refusals },
    requests: {
      asked: requests.rows.reduce((sum, row) => sum + row.asked, requests.elsewhere.asked),
      refused: requests.rows.reduce((sum, row) => sum + row.refused, requests.elsewhere.refused),
      rows: requestRows(requests),
    },
  };
}

/** All rows, however many there are. */
export function exchangeState(from: LiveSources): ExchangeState {
  const all = from.instruments.map(() => true);
  const seen = from.sim.overview(all, Infinity, Infinity);
  return {
    time: from.now(),
    accounts: seen.accounts.map((wealth, k) => accountRow(from, wealth, k)),
    positions: seen.legs.first.map((leg) => legRow(from, leg)),
    orders: seen.orders.newest.map((order) => orderRow(from, order)),
  };
}

/** One row per endpoint, and one for requests to no endpoint if there were any. */
function requestRows({ rows, elsewhere }: RequestCounters): object[] {
  const row = ({ asked, refused, lastRefusal }: Counters): Counters => ({ asked, refused, lastRefusal });
  const known = rows.map((counters) => ({
    id: counters.endpoint.id,
    method: counters.endpoint.method,
    path: counters.endpoint.path,
    ...row(counters),
  }));
  return elsewhere.asked === 0 ? known : [...known, { id: '', method: '', path: 'no endpoint', ...row(elsewhere) }];
}

/** The faults of the plan and how often they were applied; null without a plan. */
function faultsOf(rules: readonly RuleCount[]): object | null {
  if (rules.length === 0) return null;
  const kinds = [...new Set(rules.map((rule) => rule.fault))];
  return { rules: rules.length, kinds, struck: rules.reduce((sum, rule) => sum + rule.struck, 0) };
}

export interface SymbolRow {
  readonly symbol: string;
  readonly product: string;
  /** "" if there is none. */
  readonly bid: string;
  readonly bidSize: string;
  readonly ask: string;
  readonly askSize: string;
  /** Size that accounts of this exchange took from the displayed sizes; "" for none. */
  readonly bidTaken: string;
  readonly askTaken: string;
  readonly last: string;
  /** Change over 24 hours in percent, signed; of a younger market, since its first trade. */
  readonly change: string;
  /** Milliseconds that change, volume and turnover cover, at most a day; null without trades. */
  readonly coveredMs: number | null;
  /** Volume over 24 hours in base coin and in quote coin. */
  readonly volume: string;
  readonly turnover: string;
  readonly orders: number;
}

function symbolsOf({ sim, instruments }: LiveSources, sort: Sort, isWanted: readonly boolean[], seen: SimOverview): Capped<SymbolRow> {
  const tickers = new Map<number, SimTicker | null>();
  const tickerOf = (i: number): SimTicker | null => {
    const known = tickers.get(i);
    if (known !== undefined) return known;
    const ticker = sim.ticker(i);
    tickers.set(i, ticker);
    return ticker;
  };
  const matching = instruments.filter((i) => isWanted[i.index]);
  const rank: Readonly<Record<Sort, ((i: Instrument) => number) | null>> = {
    listed: null,
    symbol: null,
    change: (i) => tickerOf(i.index)?.changePercent ?? -Infinity,
    volume: (i) => tickerOf(i.index)?.quoteVolume ?? -Infinity,
    orders: (i) => seen.ordersByInstrument[i.index] ?? 0,
  };
  const by = rank[sort];
  if (sort === 'symbol') matching.sort((x, y) => (x.symbol < y.symbol ? -1 : x.symbol > y.symbol ? 1 : x.index - y.index));
  else if (by !== null) matching.sort((x, y) => by(y) - by(x) || x.index - y.index);
  const rows = matching.slice(0, ROWS).map((i) => symbolRow(sim, i, tickerOf(i.index), seen.ordersByInstrument[i.index] ?? 0));
  return { total: matching.length, rows };
}

function symbolRow(sim: VenueSim, instrument: Instrument, ticker: SimTicker | null, orders: number): SymbolRow {
  const book = sim.bookTicker(instrument.index);
  const price = (ticks: number): string => (ticks === 0 ? '' : formatTicks(ticks, instrument));
  return {
    symbol: instrument.symbol,
    product: instrument.product,
    bid: price(book?.bid ?? 0),
    bidSize: book === null ? '' : formatLots(book.bidSize, instrument),
    ask: price(book?.ask ?? 0),
    askSize: book === null ? '' : formatLots(book.askSize, instrument),
    bidTaken: book === null || book.bidLeft === book.bidSize ? '' : formatLots(book.bidSize - book.bidLeft, instrument),
    askTaken: book === null || book.askLeft === book.askSize ? '' : formatLots(book.askSize - book.askLeft, instrument),
    last: price(ticker?.last ?? 0),
    change: ticker === null ? '' : formatScaled(Math.round(ticker.changePercent / 10), 2),
    coveredMs: ticker === null ? null : coveredBy(ticker),
    volume: ticker === null ? '' : formatLots(ticker.volume, instrument),
    turnover: ticker === null ? '' : formatScaled(Math.round(ticker.quoteVolume / 100), 0),
    orders,
  };
}

/** A whole day from a first trade that is a day old: statistics are as fine as their buckets. */
function coveredBy({ openTime, closeTime }: SimTicker): number {
  const age = closeTime - openTime;
  return age + BUCKET_MS >= DAY_MS ? DAY_MS : age;
}

/** Coins of all accounts that are not zero. */
function spotOf({ sim, keys }: LiveSources): Capped<object> {
  const rows = keys.flatMap((_, k) =>
    sim
      .balances(k)
      .filter((coin) => coin.free !== 0 || coin.locked !== 0)
      .map(({ coin, free, locked }) => ({ account: accountName(k), coin, free: formatMoneyShort(free), locked: formatMoneyShort(locked) })),
  );
  return { total: rows.length, rows: rows.slice(0, ROWS) };
}

function accountRow({ keys }: LiveSources, wealth: SimWealth, k: number): AccountRow {
  return {
    account: wealth.name,
    key: keys[k] ?? '',
    equity: formatMoney(wealth.equity),
    available: formatMoney(wealth.available),
    unrealised: formatMoney(wealth.unrealised),
    realised: formatMoney(wealth.realised),
    fees: formatMoney(wealth.fees),
    funding: formatMoney(wealth.funding),
    positions: wealth.legs,
    orders: wealth.orders,
  };
}

function legRow({ instruments, sim }: LiveSources, leg: SimLeg): LegRow {
  const instrument = instruments[leg.instrument]!;
  const price = (ticks: number): string => (ticks === 0 ? '' : formatTicks(ticks, instrument));
  const liquidation = sim.positions(leg.account, leg.instrument).find((one) => one.side === leg.side)?.liquidationPrice ?? 0;
  const entry = unitPrice(instrument, leg.entryValue, leg.total);
  const finer = 10 ** (MONEY_DECIMALS - instrument.priceDecimals);
  return {
    account: accountName(leg.account),
    symbol: instrument.symbol,
    side: SIDES[leg.side] ?? '',
    size: formatLots(leg.total, instrument),
    entry: formatScaled(Math.floor(entry / finer), instrument.priceDecimals),
    mark: formatTicks(leg.markPrice, instrument),
    value: formatMoney(leg.value),
    margin: formatMoney(leg.margin),
    marginMode: MARGIN_MODES[leg.marginMode] ?? '',
    unrealised: formatMoney(leg.unrealised),
    liquidation: liquidation === 0 ? '' : formatScaled(Math.floor(liquidation / finer), instrument.priceDecimals),
    exits: leg.brackets.map((bracket) => ({
      size: formatLots(bracket.size, instrument),
      takeProfit: price(bracket.takeProfit),
      stopLoss: price(bracket.stopLoss),
    })),
  };
}

function orderRow(from: LiveSources, order: SimOrder): OrderRow {
  const instrument = from.instruments[order.instrument]!;
  const price = (ticks: number): string => (ticks === 0 ? '' : formatTicks(ticks, instrument));
  return {
    time: order.createdAt,
    account: accountName(order.account),
    symbol: instrument.symbol,
    kind: ORDER_KINDS[order.kind] ?? '',
    side: sideName(order.side, instrument),
    effect: instrument.product === 'spot' ? '' : (EFFECTS[order.effect] ?? ''),
    type: onlyMakes(order.force) ? 'POST_ONLY' : (ORDER_TYPES[order.type] ?? ''),
    price: price(order.price),
    size: formatLots(order.size, instrument),
    filled: formatLots(order.filled, instrument),
    trigger: order.kind === TRIGGER ? `${TRIGGERS_BY[order.triggerBy] ?? ''} ${price(order.trigger)}` : '',
    takeProfit: price(order.takeProfit),
    stopLoss: price(order.stopLoss),
    ...from.idsOf(order),
  };
}

function fillRow({ instruments }: LiveSources, fill: KeptFill): object {
  const instrument = instruments[fill.instrument]!;
  return {
    fill: fill.fillNo,
    time: fill.time,
    account: accountName(fill.account),
    symbol: instrument.symbol,
    product: instrument.product,
    side: sideName(fill.side, instrument),
    effect: instrument.product === 'spot' ? '' : (EFFECTS[fill.effect] ?? ''),
    price: formatTicks(fill.price, instrument),
    size: formatLots(fill.size, instrument),
    fee: formatMoney(fill.fee),
    realised: formatMoney(fill.realised),
    liquidity: LIQUIDITIES[fill.liquidity] ?? '',
  };
}

function sideName(side: number, instrument: Instrument): string {
  return (instrument.product === 'spot' ? DIRECTIONS[side] : SIDES[side]) ?? '';
}

/** Accounts of this exchange are named by their number. */
export function accountName(k: number): string {
  return `account-${k + 1}`;
}
