/**
 * @hot The venue's truth: what the market does to orders and what orders do to accounts, in integers, synchronously, with time as an
 * argument. Market rows come in by `quote` and `trade`; a row that concerns nobody costs two comparisons. Account calls
 * answer at once: an order number or true, or 0 or false with `refusal` saying why. It knows nothing of strings or latency.
 * size: the one door to the simulator, a line or two for each question
 */
import type { NextDeadline } from '../../base/next-deadline.ts';
import type { Command } from '../../domain/command.ts';
import type { Reason } from '../../domain/outcome.ts';
import type { Money } from '../../domain/units.ts';
import type { Account } from '../state/account.ts';
import { assertConserved, audit } from './audit.ts';
import { fireTriggers, placeTrigger } from './fire.ts';
import { liquidateLeg } from './liquidation.ts';
import { look } from './look.ts';
import { adjustMargin, allows, deposit, setLeverage, setMarginMode } from './margin.ts';
import * as matching from './match.ts';
import type { MarketState } from '../state/market-state.ts';
import type { Order } from '../state/order.ts';
import * as orders from './place.ts';
import * as resting from '../state/resting.ts';
import { restoreState, saveState } from './snapshot.ts';
import { placeSpot } from './spot.ts';
import { overview } from './overview.ts';
import * as models from '../state/state.ts';
import { SimState } from '../state/state.ts';
import { remember } from '../state/stats.ts';
import * as holdings from './view-account.ts';
import * as marketView from './view-market.ts';
import * as views from './views.ts';
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
const { cancel, cancelHeld, modify, modifyHeld, place } = orders;
const { matchQuote, matchTrade } = matching;
const { QUEUE } = models;

export class VenueSim {
  declare private readonly s: SimState;
  declare private readonly isQueue: boolean;
  declare private readonly markets: readonly MarketState[];

  /** @throws AssertionError | ScaleError when the spec is not sound */
  constructor(spec: SimSpec, sink: LedgerSink | null) {
    this.s = new SimState(spec, sink);
    this.isQueue = this.s.model === QUEUE;
    this.markets = this.s.markets;
  }

  /** The best bid and ask of instrument `i` and their sizes. A bid or ask of 0 says that there is none. */
  quote(i: number, bid: number, bidSize: number, ask: number, askSize: number, time: number): void {
    this.quoteHeld(this.lineOf(i), bid, bidSize, ask, askSize, time);
  }

  /** The same for who holds the instrument's record. */
  quoteHeld(market: MarketState, bid: number, bidSize: number, ask: number, askSize: number, time: number): void {
    market.showQuote(bid, bidSize, ask > 0 ? ask : FARTHEST, askSize, time);
    const low = market.watchLow;
    const high = market.watchHigh;
    // Without an offer it is told always, which does no harm.
    if (ask <= low || bid >= high || (this.isQueue && (bid <= low || ask >= high))) return this.#quoteReached(market);
    if (time >= this.s.nextDue) look(this.s, time);
  }

  /** A market trade; `aggressor` is BUY or SELL, `id` grows with time (0 where the tape has none). */
  trade(i: number, price: number, size: number, aggressor: number, time: number, id: number): void {
    this.tradeHeld(this.lineOf(i), price, size, aggressor, time, id);
  }

  /** The same for who holds the instrument's record. */
  tradeHeld(market: MarketState, price: number, size: number, aggressor: number, time: number, id: number): void {
    const s = this.s;
    market.last = price;
    if (s.keepsTrades) this.#remember(market, price, size, aggressor, time, id);
    if (price <= market.watchLow || price >= market.watchHigh) return this.#tradeReached(market, price, size, aggressor, time);
    if (time >= s.nextDue) look(s, time);
  }

  #remember(market: MarketState, price: number, size: number, aggressor: number, time: number, id: number): void {
    remember(this.s, market, price, size, aggressor, time, id);
  }

  /** The last price of trades that concerned nobody. */
  passed(i: number, price: number): void {
    this.markets[i]!.last = price;
  }

  /**
   * The record of an instrument. A row between its two watched prices concerns nobody: of quotes that do not, and come before `nextDue`,
   * only the last needs to be told; of trades, unless some are kept, only the last price.
   */
  lineOf(i: number): MarketState {
    return this.markets[i]!;
  }

  #quoteReached(market: MarketState): void {
    const s = this.s;
    if (market.quoteTime > s.now) s.now = market.quoteTime;
    matchQuote(s, market);
    if (market.quoteTime >= s.nextDue) look(s, market.quoteTime);
  }

  #tradeReached(market: MarketState, price: number, size: number, aggressor: number, time: number): void {
    const s = this.s;
    if (time > s.now) s.now = time;
    matchTrade(s, market, price, size, aggressor);
    if (price <= market.triggerLow || price >= market.triggerHigh) this.#fire(market);
    if (time >= s.nextDue) look(s, time);
  }

  #fire(market: MarketState): void {
    fireTriggers(this.s, market);
  }

  /** Does the venue's own timed work that is due by `time`. Rows do it too; this is for the silence between them. */
  advance(time: number): void {
    if (time >= this.s.nextDue) look(this.s, time);
  }

  /** When `advance` has something to do; Infinity when it has not. */
  get nextDue(): number {
    return this.s.nextDue;
  }

  /** Where to note what `nextDue` becomes. */
  set nextDeadline(nextDeadline: NextDeadline) {
    this.s.nextDeadline = nextDeadline;
  }

  /** Why the last account call answered 0 or false. */
  get refusal(): Reason {
    return this.s.refusal;
  }

  /** E12. `tag` is the caller's own number for the order, 0 for none. */
  place(account: number, command: Command, tag: number, time: number): number {
    return this.placeHeld(this.accountOf(account), command, tag, time);
  }

  /** The same for who holds the account's record. */
  placeHeld(account: Account, command: Command, tag: number, time: number): number {
    this.s.now = time;
    return place(this.s, account, command, tag);
  }

  /** The record of an account. */
  accountOf(account: number): Account {
    return this.s.accounts[account]!;
  }

  /** The record of the order that the last command made. It is that order's as long as it is of that number. */
  get made(): Order {
    return this.s.made!;
  }

  /** E13. */
  placeTrigger(account: number, command: Command, tag: number, time: number): number {
    return placeTrigger(this.s, account, command, tag, time);
  }

  /** E14. Answers the NEW order's number, or 0 and the old order is as it was. */
  modify(account: number, orderNo: number, command: Command, newTag: number, time: number): number {
    this.s.now = time;
    return modify(this.s, account, orderNo, command, newTag);
  }

  /** The same for who holds the record of the working order. */
  modifyHeld(order: Order, command: Command, newTag: number, time: number): number {
    this.s.now = time;
    return modifyHeld(this.s, order, command, newTag);
  }

  /** E15 and E16: futures and plan orders. */
  cancel(account: number, orderNo: number, time: number): boolean {
    this.s.now = time;
    return cancel(this.s, account, orderNo, false);
  }

  /** The same for who holds the record of the working order. */
  cancelHeld(order: Order, time: number): boolean {
    this.s.now = time;
    return cancelHeld(this.s, order);
  }

  /** E1. */
  placeSpot(account: number, command: Command, tag: number, time: number): number {
    return placeSpot(this.s, account, command, tag, time);
  }

  /** E2. */
  cancelSpot(account: number, orderNo: number, time: number): boolean {
    this.s.now = time;
    return cancel(this.s, account, orderNo, true);
  }

  /** E10. */
  /** After a restore: the leverage that the leg had. */
  restoreLeverage(account: number, i: number, side: number, leverage: number): void {
    const pair = this.s.accounts[account]!.pairs[i]!;
    (side === 0 ? pair.long : pair.short).setLeverage(leverage);
  }

  /** The leverage of one leg, as a human sets it. False with `refusal` when it cannot be. */
  setLeverage(account: number, i: number, side: number, leverage: number, time: number): boolean {
    return setLeverage(this.s, account, i, side, leverage, time);
  }

  setMarginMode(account: number, i: number, mode: number, time: number): boolean {
    return setMarginMode(this.s, account, i, mode, time);
  }

  /** E11. */
  adjustMargin(account: number, i: number, side: number, amount: number, time: number): boolean {
    return adjustMargin(this.s, account, i, side, amount, time);
  }

  /** The venue closes a leg, as in a liquidation. */
  liquidate(account: number, i: number, side: number, time: number): boolean {
    return liquidateLeg(this.s, account, i, side, time);
  }

  /** Money comes to an account from outside, or leaves it where `amount` (10^-8) is below zero. */
  deposit(account: number, isSpot: boolean, coin: string, amount: number): boolean {
    return deposit(this.s, account, isSpot, coin, amount);
  }

  /** Closes the market of an instrument, or opens it again. The caller keeps its rows back. */
  halt(i: number, isHalted: boolean): void {
    this.markets[i]!.isHalted = isHalted;
  }

  /** Whether the price may jump so far without taking anybody's money out of the exact range. */
  allows(i: number, price: number): boolean {
    return allows(this.s, i, price);
  }

  /** The tags of all orders that `order` knows. */
  tags(): Set<number> {
    return views.tags(this.s);
  }

  /** Number of the account of this name, −1 for none. */
  accountNamed(name: string): number {
    return views.accountNamed(this.s, name);
  }

  /** Tells `tap` of this account's fills and ends in the call in which they happen; one tap an account, null takes it off. */
  setTap(account: number, tap: SimTap | null): void {
    this.s.accounts[account]!.tap = tap;
  }

  /** The order, working or in the history; null when it never was or is forgotten. */
  order(orderNo: number): SimOrder | null {
    return views.findOrder(this.s, orderNo);
  }

  isWorking(orderNo: number): boolean {
    return views.isWorking(this.s, orderNo);
  }

  /** The record of the working order of instrument `i` with this tag, or null. A fired plan leaves its tag to the order it becomes. */
  workingOf(account: number, i: number, tag: number): Order | null {
    return views.workingOf(this.s, account, i, tag);
  }

  /** Indexes of the futures instruments. */
  futures(): number[] {
    return views.futures(this.s);
  }

  /** Σ value of the account's legs at the mark, long and short alike. */
  exposure(account: number): Money {
    return this.s.accounts[account]!.exposure() as Money;
  }

  /** Working orders of all kinds, newest first; `i` −1 for all instruments. */
  pending(account: number, i: number, below = Infinity, limit = Infinity): SimOrder[] {
    return views.pending(this.s, account, i, below, limit);
  }

  /** Ended orders of all kinds, newest number first: at most `limit` of those with numbers below `below`. */
  history(account: number, i: number, below = Infinity, limit = Infinity): SimOrder[] {
    return views.history(this.s, account, i, below, limit);
  }

  /** Those of them that were placed with `tag`. */
  endedOf(account: number, i: number, tag: number): SimOrder[] {
    return views.endedOf(this.s, account, i, tag);
  }

  /** Legs that are not flat, by instrument, LONG before SHORT. */
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

  /** Rolling 24 hours up to the last trade or quote; null before the first trade. */
  ticker(i: number): SimTicker | null {
    return marketView.ticker(this.s, i);
  }

  /** null before the first quote. */
  bookTicker(i: number): SimBookTicker | null {
    return marketView.bookTicker(this.s, i);
  }

  /** Recent market trades, newest first. */
  trades(i: number, request: TradesRequest): SimTrade[] {
    return marketView.trades(this.s, i, request, marketView.makeTrade);
  }

  /** The same, each as `make` makes it. */
  tradesAs<T>(i: number, request: TradesRequest, make: marketView.MakeTrade<T>): T[] {
    return marketView.trades(this.s, i, request, make);
  }

  markPrice(i: number): number {
    return this.markets[i]!.mark();
  }

  /** Everybody's orders and legs of the instruments marked in `isWanted`, and the first `accounts` accounts. */
  overview(isWanted: readonly boolean[], limit: number, accounts: number): SimOverview {
    return overview(this.s, isWanted, limit, accounts);
  }

  /** deposits + realised + unrealised − fees + funding + insurance. */
  equity(account: number): Money {
    return this.s.accounts[account]!.equity() as Money;
  }

  /** Σ over the account's life. */
  totals(account: number): holdings.Totals {
    return holdings.totals(this.s.accounts[account]!);
  }

  /** The venue's own side of all money. */
  clearing(): SimClearing {
    return holdings.clearingOf(this.s);
  }

  /** Sums all money and coins: they equal the deposits to the last digit. @throws AssertionError when it is not */
  assertConserved(): void {
    assertConserved(this.s);
  }

  /** Computes again everything that is kept twice, and compares. @throws AssertionError at the first difference */
  audit(): void {
    audit(this.s);
  }

  snapshot(): SimSnapshot {
    return JSON.parse(JSON.stringify(this.capture())) as SimSnapshot;
  }

  /** The same for who writes it little by little: parts are late (base/lazy.ts), and have to be read to the end or given up. */
  capture(): SimSnapshot {
    return saveState(this.s);
  }

  /** Takes on the state of a simulator of the same spec. @throws AssertionError when it is of another shape */
  restore(state: SimSnapshot): void {
    restoreState(this.s, state);
  }
}
