/**
 * The context of a strategy: its intents are rounded to the price and size grid, checked and sent. An invalid intent is refused; no error
 * is thrown. @hot
 * size: one method per intent
 */
import * as codes from '../../../domain/codes.ts';
import type { DirectionName, EffectName, MarginModeName, SideName } from '../../../domain/codes.ts';
import type { Command } from '../../../domain/orders/command.ts';
import { sizeOf } from '../../../domain/instrument.ts';
import { WORKING } from '../../../domain/orders/order.ts';
import { ScaleError } from '../../../domain/amounts/scale.ts';
import type { IntentFault } from '../../../domain/orders/refusals.ts';
import type { Random } from '../../../base/random.ts';
import type { LogFields } from '../../../ports/log.ts';
import type { InstrumentContext } from '../../state/records/instrument-context.ts';
import type { Core } from '../../state/core.ts';
import type { Orders } from '../../state/orders/orders.ts';
import type { Portfolio } from '../../state/account/portfolio.ts';
import type { EventCounters } from '../../state/events/event-counters.ts';
import type { Executor } from '../../orders/executor.ts';
import type { MarginModes } from '../../orders/margin/margin-modes.ts';
import type { Margins } from '../../orders/margin/margins.ts';
import type { Owner } from '../../state/records/owner.ts';
import { Quote } from '../../state/records/quote.ts';
import type { Drawing } from './drawing.ts';
import type { Quotes } from './quotes.ts';
import { SpotIntents } from './spot-intents.ts';
import { moneyOf, priceTicks, setBracket, sizeFor, type Sizing } from '../../intents/quantise.ts';
import type { Account, StrategyContext } from '../definition/types.ts';
import type { Amount, Market, OrderNumber, OrderView } from '../../intents/market-types.ts';
import type { LimitFields, ModifyFields, QuoteFields, OrderFields, PlaceIntent, TriggerIntent, SpotIntent } from '../../intents/intents.ts';
import type { OrderViews } from './order-views.ts';
import { LIMIT_FIELDS, MODIFY_FIELDS, PLACE_FIELDS, QUOTE_FIELDS, TRIGGER_FIELDS, unknownField } from '../../intents/fields.ts';
import type { Schedules } from '../durable/schedules.ts';
import type { StrategyExecutions } from '../../trades/executions/strategy-executions.ts';
import type { Execution, GridFields, IcebergFields, OcoFields, PegFields, TwapFields } from '../../trades/executions/execution-types.ts';
import type { Timers } from '../durable/timers.ts';
import type { StrategyTrades } from '../../trades/strategy-trades.ts';
import type { EnterFields, ManagedTrade, SizeFields } from '../../trades/trade-types.ts';
import { GTC, POST_ONLY } from '../../../domain/orders/time-in-force.ts';

/** The shared state that this file uses. */
interface ContextCore extends Core {
  readonly orders: Orders;
  readonly contexts: readonly InstrumentContext[];
  readonly portfolio: Portfolio;
  readonly counters: EventCounters;
}

const { BUY, BY_LAST, BY_MARK, CANCEL, CLOSE, CROSS, directionOf, ISOLATED, LIMIT, LONG, MARKET, MODIFY } = codes;
const { OPEN, PLACE, PLACE_TRIGGER, SELL, SET_MARGIN_MODE, SHORT } = codes;

export interface ContextDeps {
  readonly core: ContextCore;
  readonly executor: Executor;
  readonly quotes: Quotes;
  readonly margins: Margins;
  readonly modes: MarginModes;
  readonly views: OrderViews;
  readonly account: Account;
  readonly sizing: Sizing;
  readonly markets: readonly Market[];
  /** As in `StrategyContext`. */
  readonly universe: readonly Market[];
  /** The strategy as an owner of orders. */
  readonly owner: Owner;
  readonly random: Random;
  /** CROSS or ISOLATED: the mode of orders that set none. */
  readonly marginMode: number;
  readonly timers: Timers;
  readonly schedules: () => Schedules;
  /** The managed trades of the strategy. */
  readonly trades: () => StrategyTrades;
  readonly executions: () => StrategyExecutions;
  readonly drawing: Drawing;
  /** Durable state. */
  readonly state: object;
}

export class Context implements StrategyContext {
  /** Those that the strategy trades now. */
  markets: readonly Market[];
  universe: readonly Market[];
  readonly account: Account;
  /** Another object after a reload. */
  state: object;
  readonly #core: ContextCore;
  readonly #sizing: Sizing;
  readonly #executor: Executor;
  readonly #quotes: Quotes;
  /** Managed quotes by instrument; unused for spot, which cannot be quoted. */
  readonly #buys: readonly Quote[];
  readonly #sells: readonly Quote[];
  readonly #margins: Margins;
  readonly #modes: MarginModes;
  readonly #views: OrderViews;
  readonly #owner: Owner;
  readonly #random: Random;
  readonly #marginMode: number;
  readonly #timers: Timers;
  readonly #schedules: () => Schedules;
  readonly #trades: () => StrategyTrades;
  readonly #executions: () => StrategyExecutions;
  readonly #drawing: Drawing;
  readonly #spot: SpotIntents;

  constructor(deps: ContextDeps) {
    this.markets = deps.markets;
    this.universe = deps.universe;
    this.account = deps.account;
    this.state = deps.state;
    this.#core = deps.core;
    this.#sizing = deps.sizing;
    this.#executor = deps.executor;
    const { contexts, orders } = deps.core;
    this.#buys = contexts.map((context) => new Quote(deps.owner, context, BUY, deps.marginMode, orders.none));
    this.#sells = contexts.map((context) => new Quote(deps.owner, context, SELL, deps.marginMode, orders.none));
    this.#quotes = deps.quotes;
    this.#margins = deps.margins;
    this.#modes = deps.modes;
    this.#views = deps.views;
    this.#owner = deps.owner;
    this.#random = deps.random;
    this.#marginMode = deps.marginMode;
    this.#timers = deps.timers;
    this.#schedules = deps.schedules;
    this.#trades = deps.trades;
    this.#executions = deps.executions;
    this.#drawing = deps.drawing;
    this.#spot = new SpotIntents(deps);
  }

  get now(): number {
    return this.#core.now;
  }

  random(): number {
    return this.#random.uniform();
  }

  market(symbol: string): Market {
    for (const market of this.markets) if (market.symbol === symbol) return market;
    throw new Error(this.#owner.name + ' does not trade ' + symbol);
  }

  order(number: OrderNumber): OrderView | null {
    const order = this.#core.orders.find(number);
    return order === null ? null : this.#views.at(order);
  }

  limit(fields: LimitFields): OrderNumber;
  limit(market: Market, side: SideName, effect: EffectName, price: Amount, size: Amount, postOnly?: boolean, reason?: string): OrderNumber;
  limit(
    given: Market | LimitFields,
    side?: SideName,
    effect?: EffectName,
    price?: Amount,
    size?: Amount,
    postOnly = false,
    reason = '',
  ): OrderNumber {
    if (side === undefined && 'market' in given) return this.#limitOf(given);
    return this.#limit(given as Market, side!, effect!, price!, size!, postOnly, reason);
  }

  #limitOf(fields: LimitFields): OrderNumber {
    const unknown = unknownField(fields, LIMIT_FIELDS);
    const { market, side, effect, price, size, postOnly = false, reason = '' } = fields;
    if (unknown === '') return this.#limit(market, side, effect, price, size, postOnly, reason);
    this.#executor.begin(PLACE, market.index);
    return this.#refuse('unknown-field', unknown);
  }

  #limit(market: Market, side: SideName, effect: EffectName, price: Amount, size: Amount, postOnly: boolean, reason: string): OrderNumber {
    const context = this.#core.contexts[market.index]!;
    const c = this.#begin(PLACE, context, side, effect);
    if (c === null) return 0;
    try {
      c.price = priceTicks(price, context.instrument, directionOf(c.side, c.effect));
      c.size = sizeFor(size, c, context, this.#sizing, this.#owner);
    } catch (error) {
      return this.#bad(error);
    }
    c.force = postOnly ? POST_ONLY : GTC;
    return this.#executor.submit(context, null, this.#owner, reason, null);
  }

  quote(fields: QuoteFields): boolean;
  quote(market: Market, direction: DirectionName, price: Amount, size: Amount, postOnly?: boolean, reason?: string): boolean;
  quote(given: Market | QuoteFields, direction?: DirectionName, price?: Amount, size?: Amount, postOnly = false, reason = ''): boolean {
    if (direction === undefined && 'market' in given) return this.#quoteOf(given);
    return this.#quote(given as Market, direction!, price!, size!, postOnly, reason);
  }

  #quoteOf(fields: QuoteFields): boolean {
    const unknown = unknownField(fields, QUOTE_FIELDS);
    const { market, direction, price, size, postOnly = false, reason = '' } = fields;
    if (unknown === '') return this.#quote(market, direction, price, size, postOnly, reason);
    this.#executor.begin(PLACE, market.index);
    this.#refuse('unknown-field', unknown);
    return false;
  }

  #quote(market: Market, direction: DirectionName, price: Amount, size: Amount, postOnly: boolean, reason: string): boolean {
    const isSell = direction === 'SELL';
    if (!isSell && direction !== 'BUY') return this.#noQuote(market, direction);
    const quote = (isSell ? this.#sells : this.#buys)[market.index]!;
    // Quoting strategies repeat the same size, usually with a price on the grid: only other calls take the slower path.
    const isSimple = size === quote.statedSize && (price === quote.statedPrice || this.#quotes.reprice(quote, price));
    return isSimple ? this.#submitQuote(quote, postOnly, reason) : this.#restate(quote, market, price, size, postOnly, reason);
  }

  #restate(quote: Quote, market: Market, price: Amount, size: Amount, postOnly: boolean, reason: string): boolean {
    if (quote.context.instrument.product !== 'futures') return this.#noQuote(market, '');
    try {
      this.#quotes.restate(quote, size, price);
    } catch (error) {
      return this.#badQuote(market, error);
    }
    return this.#submitQuote(quote, postOnly, reason);
  }

  #submitQuote(quote: Quote, postOnly: boolean, reason: string): boolean {
    quote.force = postOnly ? POST_ONLY : GTC;
    quote.reason = reason;
    quote.isPending = true;
    return this.#quotes.settle(quote);
  }

  cancel(number: OrderNumber, reason = ''): boolean {
    const orders = this.#core.orders;
    const order = orders.find(number);
    if (order === null || order.owner !== this.#owner) return false;
    if (order.quote !== null) order.quote.forget();
    return this.#executor.cancel(order, this.#owner, reason);
  }

  cancelAll(market?: Market, reason = ''): number {
    const orders = this.#core.orders;
    let sent = 0;
    for (let i = 0; i < orders.of.length; i++) {
      if (market !== undefined && market.index !== i) continue;
      this.#buys[i]!.forget();
      this.#sells[i]!.forget();
      for (const order of orders.of[i]!.known()) {
        if (order.owner === this.#owner && this.#executor.cancel(order, this.#owner, reason)) sent++;
      }
    }
    return sent;
  }

  open(market: Market, side: SideName, fields: OrderFields): OrderNumber {
    // Plain JavaScript may omit the argument: that is refused like any other mistake.
    const given = fields as OrderFields | undefined;
    return this.#place(market, side, 'OPEN', given?.size, given);
  }

  close(market: Market, side: SideName, fields?: Partial<OrderFields>): OrderNumber {
    const leg = this.#core.portfolio.legs[2 * market.index + (side === 'SHORT' ? SHORT : LONG)]!;
    const free = leg.minLots - leg.closing;
    if (fields?.size === undefined && free <= 0) return this.#nothingToClose();
    return this.#place(market, side, 'CLOSE', fields?.size, fields, free);
  }

  /** Counted, not refused: who closes whatever there is does nothing wrong. */
  #nothingToClose(): 0 {
    this.#core.counters.add('nothing-to-close', this.#owner.name);
    return 0;
  }

  place(intent: PlaceIntent): OrderNumber {
    return this.#place(intent.market, intent.side, intent.effect, intent.size, intent);
  }

  #place(
    market: Market,
    side: SideName,
    effect: EffectName,
    size: Amount | undefined,
    fields: Partial<OrderFields> | undefined,
    wholeLots = 0,
  ): OrderNumber {
    const context = this.#core.contexts[market.index]!;
    const c = this.#begin(PLACE, context, side, effect);
    if (c === null) return 0;
    const unknown = unknownField(fields, PLACE_FIELDS);
    if (unknown !== '') return this.#refuse('unknown-field', unknown);
    if (size === undefined && wholeLots <= 0) return this.#refuse('bad-amount', 'a size was expected, found none');
    const { instrument } = context;
    try {
      const limit = fields?.limit;
      c.type = limit === undefined ? MARKET : LIMIT;
      if (limit !== undefined) c.price = priceTicks(limit, instrument, directionOf(c.side, c.effect));
      else if (fields?.postOnly === true) throw new ScaleError('syntax', 'postOnly needs a limit price');
      c.size = size === undefined && wholeLots > 0 ? wholeLots : sizeFor(size as Amount, c, context, this.#sizing, this.#owner);
      setBracket(c, instrument, fields?.takeProfit, fields?.stopLoss);
    } catch (error) {
      return this.#bad(error);
    }
    c.force = fields?.postOnly === true ? POST_ONLY : GTC;
    if (fields?.marginMode !== undefined) c.marginMode = fields.marginMode === 'ISOLATED' ? ISOLATED : CROSS;
    return this.#executor.submit(context, null, this.#owner, fields?.reason ?? '', null);
  }

  placeTrigger(intent: TriggerIntent): OrderNumber {
    const context = this.#core.contexts[intent.market.index]!;
    const c = this.#begin(PLACE_TRIGGER, context, intent.side, 'OPEN');
    if (c === null) return 0;
    const unknown = unknownField(intent, TRIGGER_FIELDS);
    if (unknown !== '') return this.#refuse('unknown-field', unknown);
    const { instrument } = context;
    const direction = directionOf(c.side, OPEN);
    try {
      c.trigger = priceTicks(intent.trigger, instrument, direction, 'trigger');
      c.triggerBy = intent.triggerBy === 'MARK' ? BY_MARK : BY_LAST;
      c.type = intent.limit === undefined ? MARKET : LIMIT;
      if (intent.limit !== undefined) c.price = priceTicks(intent.limit, instrument, direction);
      c.size = sizeFor(intent.size, c, context, this.#sizing, this.#owner);
      setBracket(c, instrument, intent.takeProfit, intent.stopLoss);
    } catch (error) {
      return this.#bad(error);
    }
    if (intent.marginMode !== undefined) c.marginMode = intent.marginMode === 'ISOLATED' ? ISOLATED : CROSS;
    return this.#executor.submit(context, null, this.#owner, intent.reason ?? '', null);
  }

  modify(number: OrderNumber, fields: ModifyFields): OrderNumber {
    const order = this.#core.orders.find(number);
    const isOwn = order !== null && order.owner === this.#owner;
    if (!isOwn || order.state !== WORKING || order.kind !== PLACE) return 0;
    const c = this.#executor.begin(MODIFY, order.instrument);
    c.side = order.side;
    c.effect = order.effect;
    c.type = order.type;
    c.force = order.force;
    c.marginMode = order.marginMode;
    c.price = order.price;
    c.size = order.size;
    const unknown = unknownField(fields, MODIFY_FIELDS);
    if (unknown !== '') return this.#refuse('unknown-field', unknown);
    if (order.filled > 0) return this.#refuse('modify-after-fill', 'the order is partly filled: cancel it and place a new one');
    const { instrument } = order.context;
    const direction = directionOf(c.side, c.effect);
    try {
      if (fields.limit !== undefined) c.price = priceTicks(fields.limit, instrument, direction);
      if (fields.size !== undefined) c.size = sizeFor(fields.size, c, order.context, this.#sizing, this.#owner);
      const bracketDirection = 1 - direction;
      if (fields.takeProfit !== undefined) c.takeProfit = priceTicks(fields.takeProfit, instrument, bracketDirection, 'takeProfit');
      if (fields.stopLoss !== undefined) c.stopLoss = priceTicks(fields.stopLoss, instrument, bracketDirection, 'stopLoss');
    } catch (error) {
      return this.#bad(error);
    }
    const isSame = c.price === order.price && c.size === order.size;
    if (isSame && c.takeProfit === 0 && c.stopLoss === 0)
      return this.#refuse('nothing-to-modify', 'the order already has this price and size');
    return this.#executor.submit(order.context, order, this.#owner, fields.reason ?? '', null);
  }

  spot(intents: readonly SpotIntent[]): OrderNumber[] {
    const numbers: OrderNumber[] = []; // hot-ok: spot is not quoted
    for (const intent of intents) numbers.push(this.#spot.place(intent));
    return numbers;
  }

  setMarginMode(market: Market, wanted: MarginModeName, reason = ''): boolean {
    const { orders, portfolio } = this.#core;
    this.#executor.begin(SET_MARGIN_MODE, market.index);
    const isFlat = portfolio.legs[2 * market.index]!.total === 0 && portfolio.legs[2 * market.index + 1]!.total === 0;
    if (!isFlat || orders.of[market.index]!.live > 0) {
      this.#refuse('margin-mode', 'the market must be flat and without live orders');
      return false;
    }
    return this.#modes.set(this.#owner, market.index, wanted === 'ISOLATED' ? ISOLATED : CROSS, reason);
  }

  ensureMargin(market: Market, side: SideName, target: Amount, reason = ''): boolean {
    this.#executor.begin(CANCEL, market.index);
    const money = moneyOf(target);
    if (money === null) {
      this.#refuse('bad-amount', 'a margin of at least zero was expected, found ' + String(target));
      return false;
    }
    return this.#margins.ensure(this.#owner, 2 * market.index + (side === 'SHORT' ? SHORT : LONG), money, reason);
  }

  enter(fields: EnterFields): ManagedTrade | null {
    return this.#trades().enter(fields);
  }

  trades(market?: Market): readonly ManagedTrade[] {
    return this.#trades().of(market);
  }

  twap(fields: TwapFields): Execution | null {
    return this.#executions().start('twap', fields);
  }

  iceberg(fields: IcebergFields): Execution | null {
    return this.#executions().start('iceberg', fields);
  }

  peg(fields: PegFields): Execution | null {
    return this.#executions().start('peg', fields);
  }

  oco(fields: OcoFields): Execution | null {
    return this.#executions().start('oco', fields);
  }

  grid(fields: GridFields): Execution | null {
    return this.#executions().start('grid', fields);
  }

  executions(market?: Market): readonly Execution[] {
    return this.#executions().of(market);
  }

  sizeFor(fields: SizeFields): number {
    return this.#trades().sizeBy(fields);
  }

  netPosition(market: Market): number {
    const { legs } = this.#core.portfolio;
    const lots = legs[2 * market.index]!.total - legs[2 * market.index + 1]!.total;
    const size = lots === 0 ? 0 : sizeOf(Math.abs(lots), this.#core.instruments[market.index]!);
    return lots < 0 ? -size : size;
  }

  schedule(cron: string, name: string): void {
    this.#schedules().set(name, cron);
  }

  unschedule(name: string): void {
    this.#schedules().remove(name);
  }

  setTimer(name: string, delayMs: number): void {
    this.#timers.set(name, delayMs);
  }

  cancelTimer(name: string): void {
    this.#timers.cancel(name);
  }

  log(event: string, fields?: LogFields): void {
    this.#drawing.log(event, fields);
  }

  note(text: string, market?: Market): void {
    this.#drawing.note(text, this.#drawnIn(market));
  }

  plot(name: string, value: number, market?: Market): void {
    this.#drawing.plot(name, value, this.#drawnIn(market));
  }

  #drawnIn(market: Market | undefined): number {
    return (market ?? this.markets[0])?.index ?? 0;
  }

  /** Refuses a quote and says why. */
  #noQuote(market: Market, direction: string): false {
    this.#executor.begin(PLACE, market.index);
    const isFutures = this.#core.contexts[market.index]!.instrument.product === 'futures';
    if (isFutures) this.#refuse('bad-side', 'BUY or SELL was expected, found ' + direction);
    else this.#refuse('wrong-product', market.symbol + ' is not a futures market');
    return false;
  }

  #badQuote(market: Market, error: unknown): false {
    this.#executor.begin(PLACE, market.index);
    this.#bad(error);
    return false;
  }

  /** Starts a command for a futures order; null if the arguments are invalid. */
  #begin(kind: number, context: InstrumentContext, side: SideName, effect: EffectName): Command | null {
    const c = this.#executor.begin(kind, context.index);
    c.side = side === 'SHORT' ? SHORT : LONG;
    c.effect = effect === 'CLOSE' ? CLOSE : OPEN;
    c.marginMode = this.#marginMode;
    if ((side !== 'LONG' && side !== 'SHORT') || (effect !== 'OPEN' && effect !== 'CLOSE')) {
      this.#refuse('bad-side', 'LONG or SHORT and OPEN or CLOSE were expected, found ' + side + ' and ' + effect);
      return null;
    }
    if (context.instrument.product === 'futures') return c;
    this.#refuse('wrong-product', context.instrument.symbol + ' is not a futures market');
    return null;
  }

  #refuse(rule: IntentFault, detail: string): 0 {
    return this.#executor.refuse(this.#owner, rule, detail);
  }

  #bad(error: unknown): 0 {
    if (error instanceof ScaleError) return this.#refuse('bad-amount', error.message);
    throw error;
  }
}
