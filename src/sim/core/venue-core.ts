/**
 * @hot The simulated venue: matches orders with market rows and keeps accounts, in integers, synchronously, with time as an argument.
 * `quote` and `trade` take market rows; a row that affects nothing costs two comparisons. Account methods return an order number or true;
 * or 0 or false, with the reason in `refusal`.
 * size: the only entry to the simulator, a line or two for each method
 */
import type { NextDeadline } from '../../base/time/next-deadline.ts';
import type { Command } from '../../domain/orders/command.ts';
import type { Reason } from '../../domain/orders/outcome.ts';
import type { Money } from '../../domain/amounts/units.ts';
import type { Account } from '../state/account.ts';
import { assertConserved, audit } from './audit.ts';
import { fireTriggers, placeTrigger } from '../orders/triggers.ts';
import { delist } from '../orders/delist.ts';
import { isShort, liquidateLeg, liquidateShort } from '../margin/liquidation.ts';
import * as idleChecks from '../margin/idle-checks.ts';
import { check } from '../margin/periodic-check.ts';
import { barsOf, type BarPlay } from '../bars/play-bar.ts';
import { adjustMargin, allows, deposit, setLeverage, setMarginMode } from '../margin/margin.ts';
import * as matching from '../matching/match.ts';
import type { MarketState } from '../state/market-state.ts';
import type { Order } from '../state/order.ts';
import * as orders from '../orders/place.ts';
import * as resting from '../state/resting.ts';
import { restoreState, saveState } from './snapshot.ts';
import { placeSpot } from '../orders/spot.ts';
import { overview } from '../views/overview.ts';
import { SimState } from '../state/state.ts';
import { addTrade } from '../matching/market-stats.ts';
import * as holdings from '../views/view-account.ts';
import * as marketView from '../views/view-market.ts';
import * as views from '../views/views.ts';
import type { SimClearing } from '../state/terms.ts';
import type {
  LedgerSink,
  SimAccountView,
  SimBalance,
  SimBookTicker,
  SimOrder,
  SimOverview,
  SimPosition,
  SimSnapshot,
  SimSpec,
  SimTap,
  SimTicker,
  SimTrade,
  TradesRequest,
} from '../state/types.ts';

const { FARTHEST } = resting;
const { cancel, cancelOrder, modify, modifyOrder, place } = orders;
const { boundNow, isQuiet, skipChecks } = idleChecks;
const { matchQuote, matchTrade } = matching;

export class VenueSim {
  declare private readonly s: SimState;
  declare private readonly isQueue: boolean;
  declare private readonly markets: readonly MarketState[];

  /** @throws AssertionError | ScaleError if the spec is invalid */
  constructor(spec: SimSpec, sink: LedgerSink | null) {
    this.s = new SimState(spec, sink);
    this.isQueue = this.s.hasQueue;
    this.markets = this.s.markets;
  }

  /** Takes a quote row: best bid and ask of instrument `i` with sizes. A bid or ask of 0 means none. */
  quote(i: number, bid: number, bidSize: number, ask: number, askSize: number, time: number): void {
    const market = this.marketOf(i);
    market.showQuote(bid, bidSize, ask > 0 ? ask : FARTHEST, askSize, time);
    const low = market.watchLow;
    const high = market.watchHigh;
    // Always true without an ask, which is harmless.
    if (ask <= low || bid >= high || (this.isQueue && (bid <= low || ask >= high))) return this.#quoteReached(market);
    if (time >= this.s.nextDue) check(this.s, time);
  }

  /** Takes a trade row. `aggressor` is BUY or SELL; `id` grows with time, 0 if the tape has none. */
  trade(i: number, price: number, size: number, aggressor: number, time: number, id: number): void {
    const s = this.s;
    const market = this.marketOf(i);
    market.last = price;
    if (s.keepsTrades) this.#addTrade(market, price, size, aggressor, time, id);
    if (price <= market.watchLow || price >= market.watchHigh) return this.#tradeReached(market, price, size, aggressor, time);
    if (time >= s.nextDue) check(s, time);
  }

  #addTrade(market: MarketState, price: number, size: number, aggressor: number, time: number, id: number): void {
    addTrade(this.s, market, price, size, aggressor, time, id);
  }

  /** Sets the last price after trades that were skipped because they affect nothing. */
  passed(i: number, price: number): void {
    this.markets[i]!.last = price;
  }

  /**
   * State of an instrument's market. Rows between its two watch prices and before `nextDue` affect nothing. Of such quotes only the last must
   * be given; of such trades only the last price, unless trades are kept.
   */
  marketOf(i: number): MarketState {
    return this.markets[i]!;
  }

  #quoteReached(market: MarketState): void {
    const s = this.s;
    if (market.quoteTime > s.now) s.now = market.quoteTime;
    matchQuote(s, market);
    if (market.quoteTime >= s.nextDue) check(s, market.quoteTime);
  }

  #tradeReached(market: MarketState, price: number, size: number, aggressor: number, time: number): void {
    const s = this.s;
    if (time > s.now) s.now = time;
    matchTrade(s, market, price, size, aggressor);
    if (price <= market.triggerLow || price >= market.triggerHigh) this.#fire(market);
    if (time >= s.nextDue) check(s, time);
  }

  /** True if there are accounts whose margin does not suffice at the present prices. */
  get isShort(): boolean {
    return this.s.accounts.some(isShort);
  }

  /** Liquidates these accounts. */
  liquidateShort(): void {
    liquidateShort(this.s);
  }

  /** Plays the bars of instrument `i`, instead of rows. */
  barsOf(i: number): BarPlay {
    return barsOf(this.s, this.markets[i]!);
  }

  #fire(market: MarketState): void {
    fireTriggers(this.s, market);
  }

  /** Does the venue's periodic work that is due by `time`. Rows do it too; this is for the time between rows. */
  advance(time: number): void {
    if (time >= this.s.nextDue) check(this.s, time);
  }

  /** Takes all periodic work before `until` at once, while there are no rows. False, and nothing is done, if that is not possible. */
  skipIdleChecks(until: number): boolean {
    const s = this.s;
    for (let k = 0; k < this.markets.length; k++) boundNow(this.markets[k]!);
    if (!isQuiet(s, until)) return false;
    skipChecks(s, until);
    return true;
  }

  /** All markets, by instrument. */
  get lines(): readonly MarketState[] {
    return this.markets;
  }

  /** Time of the next periodic work; Infinity for none. */
  get nextDue(): number {
    return this.s.nextDue;
  }

  /** Receives later changes of `nextDue`. */
  set nextDeadline(nextDeadline: NextDeadline) {
    this.s.nextDeadline = nextDeadline;
  }

  /** Reason why the last account method returned 0 or false. */
  get refusal(): Reason {
    return this.s.refusal;
  }

  /** Places an order (E12). `tag` is the caller's number for the order, 0 for none. */
  place(account: number, command: Command, tag: number, time: number): number {
    this.s.now = time;
    return place(this.s, this.accountOf(account), command, tag);
  }

  /** The record of an account. */
  accountOf(account: number): Account {
    return this.s.accounts[account]!;
  }

  /** Record of the order that the last command created. Valid while it has that order's number. */
  get made(): Order {
    return this.s.made!;
  }

  /** Places a trigger order (E13). */
  placeTrigger(account: number, command: Command, tag: number, time: number): number {
    return placeTrigger(this.s, account, command, tag, time);
  }

  /** Modifies an order (E14). Returns the NEW order's number, or 0 if refused. */
  modify(account: number, orderNo: number, command: Command, newTag: number, time: number): number {
    this.s.now = time;
    return modify(this.s, account, orderNo, command, newTag);
  }

  /** The same by the order's record, for callers that have it. */
  modifyOrder(order: Order, command: Command, newTag: number, time: number): number {
    this.s.now = time;
    return modifyOrder(this.s, order, command, newTag);
  }

  /** Cancels a futures order (E15) or trigger order (E16). */
  cancel(account: number, orderNo: number, time: number): boolean {
    this.s.now = time;
    return cancel(this.s, account, orderNo, false);
  }

  /** The same by the order's record. */
  cancelOrder(order: Order, time: number): boolean {
    this.s.now = time;
    return cancelOrder(this.s, order);
  }

  /** Places a spot order (E1). */
  placeSpot(account: number, command: Command, tag: number, time: number): number {
    return placeSpot(this.s, account, command, tag, time);
  }

  /** Cancels a spot order (E2). */
  cancelSpot(account: number, orderNo: number, time: number): boolean {
    this.s.now = time;
    return cancel(this.s, account, orderNo, true);
  }

  /** Sets the leverage of a leg after a restore, without checks. */
  restoreLeverage(account: number, i: number, side: number, leverage: number): void {
    const pair = this.s.accounts[account]!.pairs[i]!;
    (side === 0 ? pair.long : pair.short).setLeverage(leverage);
  }

  /** Sets the leverage of a leg. False with `refusal` if refused. */
  setLeverage(account: number, i: number, side: number, leverage: number, time: number): boolean {
    return setLeverage(this.s, account, i, side, leverage, time);
  }

  setMarginMode(account: number, i: number, mode: number, time: number): boolean {
    return setMarginMode(this.s, account, i, mode, time);
  }

  /** Adjusts the margin of an isolated leg (E11). */
  adjustMargin(account: number, i: number, side: number, amount: number, time: number): boolean {
    return adjustMargin(this.s, account, i, side, amount, time);
  }

  /** Liquidates a leg on the operator's command. */
  liquidate(account: number, i: number, side: number, time: number): boolean {
    return liquidateLeg(this.s, account, i, side, time);
  }

  /** Cancels all orders of an instrument and closes all its positions. */
  delist(i: number, time: number): void {
    delist(this.s, i, time);
  }

  /** Adds `amount` (10⁻⁸, signed) to an account from outside. */
  deposit(account: number, isSpot: boolean, coin: string, amount: number): boolean {
    return deposit(this.s, account, isSpot, coin, amount);
  }

  /** Halts or resumes the market of an instrument. The caller must withhold its rows while it is halted. */
  halt(i: number, isHalted: boolean): void {
    this.markets[i]!.isHalted = isHalted;
  }

  /** True if all amounts stay exact at this price. */
  allows(i: number, price: number): boolean {
    return allows(this.s, i, price);
  }

  /** Tags of all orders that are working or in the history. */
  tags(): Set<number> {
    return views.tags(this.s);
  }

  /** Number of the account with this name; −1 for none. */
  accountNamed(name: string): number {
    return views.accountNamed(this.s, name);
  }

  /** Sets the receiver of this account's fills and ends; one per account, null for none. */
  setTap(account: number, tap: SimTap | null): void {
    this.s.accounts[account]!.tap = tap;
  }

  /** The order, working or in the history; null if unknown or forgotten. */
  order(orderNo: number): SimOrder | null {
    return views.findOrder(this.s, orderNo);
  }

  isWorking(orderNo: number): boolean {
    return views.isWorking(this.s, orderNo);
  }

  /** Record of the working order of instrument `i` with this tag, or null. The order that a trigger order creates has its tag. */
  workingOf(account: number, i: number, tag: number): Order | null {
    return views.workingOf(this.s, account, i, tag);
  }

  /** Indexes of the futures instruments. */
  futures(): number[] {
    return views.futures(this.s);
  }

  /** Σ value of the account's legs at the mark, long and short added. */
  exposure(account: number): Money {
    return this.s.accounts[account]!.exposure() as Money;
  }

  /** Working orders of all kinds, newest first; `i` −1 for all instruments. */
  pending(account: number, i: number, below = Infinity, limit = Infinity): SimOrder[] {
    return views.pending(this.s, account, i, below, limit);
  }

  /** Lots of the LONG leg minus those of the SHORT leg. */
  netLots(account: number, i: number): number {
    return views.netLots(this.s, account, i);
  }

  /** Lots of working OPEN orders of all kinds, of buys minus of sells. */
  openingLots(account: number, i: number): number {
    return views.openingLots(this.s, account, i);
  }

  /** Ended orders of all kinds with numbers below `below`, newest first, at most `limit`. */
  history(account: number, i: number, below = Infinity, limit = Infinity): SimOrder[] {
    return views.history(this.s, account, i, below, limit);
  }

  /** Ended orders that were placed with `tag`. */
  endedOf(account: number, i: number, tag: number): SimOrder[] {
    return views.endedOf(this.s, account, i, tag);
  }

  /** Legs with a position, by instrument, LONG before SHORT. */
  positions(account: number, i: number): SimPosition[] {
    return holdings.positions(this.s, account, i);
  }

  account(account: number, i: number): SimAccountView {
    return holdings.accountOf(this.s, account, i);
  }

  balances(account: number): SimBalance[] {
    return holdings.balances(this.s, account);
  }

  marginMode(account: number, i: number): number {
    return this.s.accounts[account]!.pairs[i]!.isIsolated ? 1 : 0;
  }

  /** 24-hour statistics up to the last trade or quote; null before the first trade. */
  ticker(i: number): SimTicker | null {
    return marketView.ticker(this.s, i);
  }

  /** The best bid and ask; null before the first quote. */
  bookTicker(i: number): SimBookTicker | null {
    return marketView.bookTicker(this.s, i);
  }

  /** Recent market trades, newest first. */
  trades(i: number, request: TradesRequest): SimTrade[] {
    return marketView.trades(this.s, i, request, marketView.makeTrade);
  }

  /** The same, each record built by `make`. */
  tradesAs<T>(i: number, request: TradesRequest, make: marketView.MakeTrade<T>): T[] {
    return marketView.trades(this.s, i, request, make);
  }

  /** The oldest trade that `trades` has; null before the first. */
  oldestTrade(i: number): ReturnType<typeof marketView.oldestTrade> {
    return marketView.oldestTrade(this.s, i);
  }

  markPrice(i: number): number {
    return this.markets[i]!.mark();
  }

  /** Orders and legs of all accounts for the instruments marked in `isWanted`, and the first `accounts` accounts. */
  overview(isWanted: readonly boolean[], limit: number, accounts: number): SimOverview {
    return overview(this.s, isWanted, limit, accounts);
  }

  /** deposits + realised + unrealised − fees + funding + insurance. */
  equity(account: number): Money {
    return this.s.accounts[account]!.equity() as Money;
  }

  /** Totals over the account's life. */
  totals(account: number): holdings.Totals {
    return holdings.totals(this.s.accounts[account]!);
  }

  /** The clearing account: the venue's side of all money. */
  clearing(): SimClearing {
    return holdings.clearingOf(this.s);
  }

  /** Checks that all money and coins add up to the deposits exactly. @throws AssertionError */
  assertConserved(): void {
    assertConserved(this.s);
  }

  /** Recomputes everything that is stored redundantly and compares. @throws AssertionError at the first difference */
  audit(): void {
    audit(this.s);
  }

  snapshot(): SimSnapshot {
    return JSON.parse(JSON.stringify(this.capture())) as SimSnapshot;
  }

  /** The same with lazy parts (base/lazy.ts), for a writer that works in steps. Read them to the end or close their iterators. */
  capture(): SimSnapshot {
    return saveState(this.s);
  }

  /** Restores the state of a simulator with the same spec. @throws AssertionError if it does not fit */
  restore(state: SimSnapshot): void {
    restoreState(this.s, state);
  }
}
