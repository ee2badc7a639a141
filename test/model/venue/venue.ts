/**
 * The model venue: the same calls as VenueSim, answered slowly and, it is hoped, obviously rightly. It shares no code with the
 * simulator but the numbers of an instrument; what it does is read off the interface and the simulator's docstrings.
 */
import type { Command } from '../../../src/domain/orders/command.ts';
import type { SimSpec } from '../../../src/sim/state/types.ts';
import { followMid, lastOf, markOf, orderCrosses, computedAt, referenceOf } from './market.ts';
import { coins, Decimal, down8, least, most, units, up8, ZERO } from './money.ts';
import { accountFigures, freeCoins, hasPosition, legWorth, lotsOf, type AccountFigures, type LegWorth } from './figures.ts';
import { isMisplaced, refusalOf, spotRefusalOf, type OrderRequest, wouldTake } from './rules.ts';
import { create, fill, finish, fundingAfter, introduce, introduceLate, meetQuote, meetTrade, nextSecond, wake } from './trading.ts';
import { type Exits, leftOf, type ModelLeg, type ModelOrder, type Bracket, World } from './world.ts';

export class ModelVenue {
  readonly world: World;

  constructor(spec: SimSpec) {
    this.world = new World(spec);
  }

  get refusal(): string {
    return this.world.refusal;
  }

  quote(i: number, bid: number, bidSize: number, ask: number, askSize: number, time: number): void {
    const w = this.world;
    w.now = time;
    const old = w.markets[i]!.book;
    const takenFromBid = old !== null && old.bid === bid && old.bidSize === bidSize ? old.takenFromBid : [];
    const takenFromAsk = old !== null && old.ask === ask && old.askSize === askSize ? old.takenFromAsk : [];
    w.markets[i]!.book = { bid, bidSize, ask, askSize, time, takenFromBid, takenFromAsk };
    meetQuote(w, i);
    this.advance(time);
  }

  trade(i: number, price: number, size: number, aggressor: number, time: number, id: number): void {
    const w = this.world;
    w.now = time;
    const market = w.markets[i]!;
    market.last = price;
    market.trades.push({ id, price, size, aggressor, time });
    meetTrade(w, i, price, size, aggressor === 0);
    this.#fireTriggers(i, 'trade');
    this.advance(time);
  }

  /** Once a second, while there are any: fires mark triggers and liquidates accounts below their maintenance margin. */
  advance(time: number): void {
    const w = this.world;
    if (time < w.nextLook) return;
    w.now = time;
    const futures = w.instruments.filter((x) => x.product === 'futures');
    for (const x of futures) followMid(w, x.index, time - w.lastLook);
    w.lastLook = time;
    for (const x of w.instruments) this.#fireTriggers(x.index, 'look');
    for (; w.nextFunding <= time; w.nextFunding = fundingAfter(w, w.nextFunding)) for (const x of futures) this.#payFunding(x.index);
    for (const account of w.spec.accounts.keys()) {
      this.#liquidateIsolated(account);
      this.#liquidateCross(account);
    }
    const isHeld = w.legs.some((leg) => lotsOf(w, leg.account, leg.instrument, leg.side) > 0);
    const isWatched = w.live.some((o) => o.kind === 'plan' && (o.isByMark || w.markets[o.instrument]!.last === 0));
    w.nextLook = isHeld || isWatched ? nextSecond(time) : Infinity;
    if (w.nextLook === Infinity) for (const market of w.markets) market.slow = null;
  }

  place(account: number, c: Command, tag: number, time: number): number {
    const w = this.world;
    w.now = time;
    if (w.instruments[c.instrument]?.product !== 'futures') return this.#refuse('unknown-instrument');
    const request = wishOf(account, c);
    if (request.isOpen && isMisplaced(w, request, exitsOf(c))) return this.#refuse('price-invalid');
    const refusal = refusalOf(w, request);
    // The last two rows of the table.
    if ((refusal === '' || refusal === 'exceeds-position') && wouldTake(w, request)) return this.#refuse('would-take');
    if (refusal !== '') return this.#refuse(refusal);
    return this.#enter(request, { tag, exits: exitsOf(c) });
  }

  placeTrigger(account: number, c: Command, tag: number, time: number): number {
    const w = this.world;
    w.now = time;
    const i = c.instrument;
    if (w.instruments[i]?.product !== 'futures') return this.#refuse('unknown-instrument');
    if (c.trigger <= 0) return this.#refuse('trigger-required');
    const isMarket = c.price <= 0;
    const request = { ...wishOf(account, c), isOpen: true, isBuy: c.side === 0, isMarket, price: isMarket ? 0 : c.price };
    if (isMisplaced(w, request, exitsOf(c), c.trigger)) return this.#refuse('price-invalid');
    const refusal = refusalOf(w, { ...request, isMarket: false, price: isMarket ? c.trigger : c.price, isBuy: true });
    if (refusal !== '') return this.#refuse(refusal);
    const isByMark = c.triggerBy === 1;
    const watched = isByMark ? markOf(w, i) : lastOf(w, i);
    const order = create(w, {
      ...request,
      kind: 'plan',
      tag,
      isPostOnly: false,
      exits: exitsOf(c),
      trigger: c.trigger,
      isByMark,
      isUpward: watched === 0 ? c.side === 0 : c.trigger > watched,
      isByVenue: false,
      isLiquidation: false,
      parent: 0,
      marginPrice: 0,
    });
    if (isByMark || w.markets[i]!.last === 0) wake(w);
    w.told.push(`order ${order.no}`);
    return order.no;
  }

  modify(account: number, orderNo: number, c: Command, tag: number, time: number): number {
    const w = this.world;
    w.now = time;
    const old = w.live.find((o) => o.no === orderNo && o.account === account && o.kind === 'futures');
    if (old === undefined || old.fills.length > 0) return this.#refuse('order-not-found');
    if (c.price <= 0 && c.size <= 0 && c.takeProfit <= 0 && c.stopLoss <= 0) return this.#refuse('nothing-to-modify');
    if (c.price > 0 && old.isMarket) return this.#refuse('price-invalid');
    const request: OrderRequest = { ...old, price: c.price > 0 ? c.price : old.price, size: c.size > 0 ? c.size : old.size };
    const exits = exitsOf({
      takeProfit: c.takeProfit > 0 ? c.takeProfit : (old.exits?.takeProfit ?? 0),
      takeProfitLimit: old.exits?.takeProfitLimit ?? 0,
      stopLoss: c.stopLoss > 0 ? c.stopLoss : (old.exits?.stopLoss ?? 0),
      stopLossLimit: old.exits?.stopLossLimit ?? 0,
    });
    const isWrong = (request.isOpen && isMisplaced(w, request, exits)) || wouldTake(w, request);
    const refusal = isWrong ? 'price-invalid' : refusalOf(w, request, old);
    if (refusal !== '') {
      if (w.spec.modify === 'cancel-first') finish(w, old, 'cancelled');
      return this.#refuse(refusal);
    }
    finish(w, old, 'replaced');
    return this.#enter(request, { tag, exits, parent: old.no, isByVenue: old.isByVenue });
  }

  /** Cancel an order (E15) or a trigger order (E16). */
  cancel(account: number, orderNo: number, time: number): boolean {
    return this.#cancel(account, orderNo, time, false);
  }

  cancelSpot(account: number, orderNo: number, time: number): boolean {
    return this.#cancel(account, orderNo, time, true);
  }

  placeSpot(account: number, c: Command, tag: number, time: number): number {
    const w = this.world;
    w.now = time;
    if (w.instruments[c.instrument]?.product !== 'spot') return this.#refuse('unknown-instrument');
    const request = { ...wishOf(account, c), isOpen: true, isBuy: c.side === 0, isPostOnly: false, isIsolated: false };
    const refusal = spotRefusalOf(w, request);
    if (refusal !== '') return this.#refuse(refusal);
    return this.#enter(request, { tag, exits: null, kind: 'spot' });
  }

  setMarginMode(account: number, i: number, mode: number, time: number): boolean {
    const w = this.world;
    w.now = time;
    if (w.instruments[i]?.product !== 'futures') return this.#refuse('unknown-instrument') > 0;
    const isIsolated = mode === 1;
    if (w.isIsolated[account]![i] === isIsolated) return true;
    if (hasPosition(w, account, i)) return this.#refuse('margin-mode-conflict') > 0;
    w.switchMode(account, i, isIsolated);
    return true;
  }

  /** "What is taken out leaves at least the initial margin of the entry value, with the leg's loss so far on top." */
  adjustMargin(account: number, i: number, side: number, amount: number, time: number): boolean {
    const w = this.world;
    w.now = time;
    if (w.instruments[i]?.product !== 'futures') return this.#refuse('unknown-instrument') > 0;
    const leg = legWorth(w, w.leg(account, i, side));
    const moved = coins(amount);
    if (leg.lots === 0) return this.#refuse('no-position') > 0;
    if (!leg.isIsolated) return this.#refuse('cross-margin-unsupported') > 0;
    if (amount > 0 && moved.gt(accountFigures(w, account).movable)) return this.#refuse('insufficient-balance') > 0;
    const needed = w.margin(leg.leg, leg.entryValue).minus(least(ZERO, leg.unrealised));
    if (amount < 0 && leg.margin.plus(moved).lt(needed)) return this.#refuse('insufficient-position-margin') > 0;
    leg.leg.events.push({ what: 'margin', time, amount: moved });
    return true;
  }

  /** An operator command: deposits money, or withdraws what is free. */
  deposit(account: number, isSpot: boolean, coin: string, amount: number): boolean {
    const w = this.world;
    const moved = coins(amount);
    if (isSpot ? !w.coins.includes(coin) : coin !== w.quoteCoin) return this.#refuse('coin-not-found') > 0;
    const free = isSpot ? freeCoins(w, account, coin) : accountFigures(w, account).movable;
    if (amount < 0 && free.plus(moved).lt(0)) return this.#refuse('insufficient-balance') > 0;
    if (isSpot) w.moveCoin(account, coin, moved, 'deposit', 0);
    else {
      w.deposits[account]!.push(moved);
      w.cash(account, coin, moved, 'deposit', 0);
    }
    return true;
  }

  /** An operator command: cancels the account's orders of the symbol and closes the whole position. */
  liquidate(account: number, i: number, side: number, time: number): boolean {
    const w = this.world;
    w.now = time;
    const leg = w.leg(account, i, side);
    if (legWorth(w, leg).lots === 0) return this.#refuse('no-position') > 0;
    const { margin, unrealised } = legWorth(w, leg);
    this.#cancelAll(account, [i], leg, margin.plus(unrealised), legWorth(w, leg).maintenance);
    const now = legWorth(w, leg);
    this.#closePart(now, now.margin.plus(now.unrealised), now.maintenance, now.lots);
    return true;
  }

  #refuse(reason: string): 0 {
    this.world.refusal = reason;
    return 0;
  }

  #enter(request: OrderRequest, given: Partial<ModelOrder> & { exits: Exits | null; tag: number }): number {
    const order = this.#create(request, given);
    introduce(this.world, order);
    return order.no;
  }

  #create(request: OrderRequest, given: Partial<ModelOrder> & { exits: Exits | null; tag: number }): ModelOrder {
    const w = this.world;
    const { account, instrument, side, isOpen, isBuy, isMarket, isPostOnly, isIsolated, size } = request;
    return create(w, {
      account,
      instrument,
      side,
      isOpen,
      isBuy,
      isMarket,
      isPostOnly,
      isIsolated,
      size,
      kind: 'futures',
      price: isMarket ? 0 : request.price,
      trigger: 0,
      isByMark: false,
      isUpward: false,
      isByVenue: false,
      isLiquidation: false,
      parent: 0,
      marginPrice: computedAt(w, request),
      ...given,
    });
  }

  #cancel(account: number, orderNo: number, time: number, isSpot: boolean): boolean {
    const w = this.world;
    w.now = time;
    const order = w.live.find((o) => o.no === orderNo && o.account === account && (o.kind === 'spot') === isSpot);
    if (order === undefined) return this.#refuse('order-not-found') > 0;
    finish(w, order, 'cancelled');
    return true;
  }

  /**
   * Trigger orders fire first, then bracket exits, each in order of arrival, and only those that existed when the row arrived. The last
   * trade is checked at trades, the mark once a second; before the first trade the mark replaces it.
   */
  #fireTriggers(i: number, by: 'trade' | 'look'): void {
    const w = this.world;
    const [last, mark] = [lastOf(w, i), markOf(w, i)];
    if (last === 0) return;
    const isLastJudged = w.markets[i]!.last > 0 === (by === 'trade');
    for (const plan of w.live.filter((o) => o.kind === 'plan' && o.instrument === i)) {
      if (plan.isByMark ? by === 'trade' : !isLastJudged) continue;
      const watched = plan.isByMark ? mark : last;
      if (plan.isUpward ? watched >= plan.trigger : watched <= plan.trigger) this.#firePlan(plan, by === 'trade');
    }
    const isExitJudged = w.spec.bracketsBy === 'mark' ? by === 'look' : isLastJudged;
    const price = w.spec.bracketsBy === 'mark' ? mark : last;
    for (const p of isExitJudged ? [...w.markets[i]!.brackets] : []) {
      const [above, below] = p.order.side === 0 ? [p.exits.takeProfit, p.exits.stopLoss] : [p.exits.stopLoss, p.exits.takeProfit];
      const isAbove = above > 0 && price >= above;
      if (!isAbove && price > below) continue;
      if (w.markets[i]!.brackets.includes(p)) this.#fireBracket(p, isAbove === (p.order.side === 0), by === 'trade');
    }
  }

  /** "It becomes an OPEN order of the venue's making with the same tag; if the account cannot carry it then, that order ends CANCELLED at once." */
  #firePlan(plan: ModelOrder, byTrade: boolean): void {
    const w = this.world;
    const isFit = refusalOf(w, plan) === '';
    finish(w, plan, 'filled');
    const child = this.#create(plan, { tag: plan.tag, exits: plan.exits, parent: plan.no, isByVenue: true });
    if (isFit) return this.#launch(child, byTrade);
    w.told.push(`order ${child.no}`);
    finish(w, child, 'cancelled');
  }

  /** Closes its lots as far as other CLOSE orders leave them available. */
  #fireBracket(p: Bracket, isProfit: boolean, byTrade: boolean): void {
    const w = this.world;
    const market = w.markets[p.order.instrument]!;
    const { account, instrument, side } = p.order;
    const isClosing = (o: ModelOrder): boolean =>
      o.kind === 'futures' && o.account === account && o.instrument === instrument && o.side === side && !o.isOpen;
    const locked = (): number => w.live.filter(isClosing).reduce((lots, o) => lots + leftOf(o), 0);
    const free = (): number => lotsOf(w, account, instrument, side) - locked();
    if (w.spec.blockedExits === 'replace') {
      for (const o of w.live.filter((one) => isClosing(one) && !one.isByVenue).sort((a, b) => a.no - b.no))
        if (free() < p.size) finish(w, o, 'cancelled');
    }
    const size = Math.min(p.size, free());
    p.size = Math.min(p.size - size, locked());
    if (p.size === 0) market.brackets = market.brackets.filter((other) => other !== p);
    if (size <= 0) return;
    const price = isProfit ? p.exits.takeProfitLimit : p.exits.stopLossLimit;
    const isIsolated = w.isIsolated[account]![instrument]!;
    const request = { ...p.order, isIsolated, isOpen: false, isBuy: side === 1, isMarket: price === 0, isPostOnly: false, price, size };
    this.#launch(this.#create(request, { tag: 0, exits: null, parent: p.order.no, isByVenue: true }), byTrade);
  }

  /** "What a trade beyond the quote sets off meets the next quote, for the one in hand is of before the trade." */
  #launch(order: ModelOrder, byTrade: boolean): void {
    const w = this.world;
    const { book, last } = w.markets[order.instrument]!;
    const isOutrun = byTrade && book !== null && (last < book.bid || (book.ask > 0 && last > book.ask));
    if (isOutrun && orderCrosses(w, order)) introduceLate(w, order);
    else introduce(w, order);
  }

  /**
   * Value · |rate| at the mark, rounded up if the position pays and down if it receives. An isolated position pays at most its margin.
   * Premium model: the difference of mark and slow mid price as a share of it, moved towards the configured rate by at most 0.05 %, and at
   * most 0.75 % in either direction.
   */
  #payFunding(i: number): void {
    const w = this.world;
    const { model, rate: common } = w.spec.funding!;
    const own = w.instruments[i]!.fundingRate;
    let rate = own === null ? new Decimal(common) : coins(own);
    const slow = w.markets[i]!.slow?.div(1024).floor() ?? ZERO;
    if (model === 'premium' && !slow.isZero()) {
      const clamp = (x: Decimal, bound: string): Decimal => most(least(x, new Decimal(bound)), new Decimal(bound).neg());
      const premium = new Decimal(markOf(w, i)).minus(slow).div(slow).toDecimalPlaces(8, Decimal.ROUND_DOWN);
      rate = clamp(premium.plus(clamp(rate.minus(premium), '0.0005')), '0.0075');
    }
    if (rate.isZero()) return;
    for (const leg of w.legs) {
      if (leg.instrument !== i || lotsOf(w, leg.account, i, leg.side) === 0) continue;
      const { value, margin, isIsolated } = legWorth(w, leg);
      const share = value.times(rate.abs());
      const due = isIsolated ? least(up8(share), margin) : up8(share);
      const amount = rate.gt(0) === (leg.side === 0) ? due.neg() : down8(share);
      if (amount.isZero()) continue;
      leg.events.push({ what: 'funding', time: w.now, amount });
      w.cash(leg.account, w.quoteCoin, amount, 'funding', 0);
    }
  }

  /**
   * An isolated position whose margin + unrealised is at most its maintenance margin: orders of its symbol are cancelled, then it is
   * reduced tier by tier.
   */
  #liquidateIsolated(account: number): void {
    const w = this.world;
    const isExhausted = (leg: LegWorth): boolean => leg.isIsolated && leg.lots > 0 && leg.margin.plus(leg.unrealised).lte(leg.maintenance);
    for (const { leg } of accountFigures(w, account).legs) {
      if (!isExhausted(legWorth(w, leg))) continue;
      const { margin, unrealised, maintenance } = legWorth(w, leg);
      this.#cancelAll(account, [leg.instrument], leg, margin.plus(unrealised), maintenance);
      for (let now = legWorth(w, leg); isExhausted(now); now = legWorth(w, leg)) {
        this.#closePart(now, now.margin.plus(now.unrealised), now.maintenance);
      }
    }
  }

  /**
   * Cross positions share one backing. If it is at most the sum of their maintenance margins, the account's cross orders are cancelled.
   * Then the position in the highest tier (the more valuable among equals) is reduced by a tier; in the lowest tier the one with the
   * largest loss is closed, until the backing suffices. If none is left, the fund covers a negative balance.
   */
  #liquidateCross(account: number): void {
    const w = this.world;
    const figures = (): AccountFigures => accountFigures(w, account);
    const legs = (): LegWorth[] => figures().legs.filter((leg) => !leg.isIsolated && leg.lots > 0);
    const isUncovered = (): boolean => figures().crossEquity.lte(figures().crossMaintenance);
    if (!isUncovered()) return;
    if (legs().length > 0) {
      const own = w.instruments.filter((x) => x.product === 'futures' && !w.isIsolated[account]![x.index]).map((x) => x.index);
      this.#cancelAll(account, own, null, figures().crossEquity, figures().crossMaintenance);
    }
    while (legs().length > 0 && isUncovered()) {
      const tier = (leg: LegWorth): number => w.tier(leg.leg.instrument, leg.value);
      const highest = Math.max(...legs().map(tier));
      const among = legs().filter((leg) => tier(leg) === highest);
      const worst = among.toSorted((a, b) => (highest > 0 ? b.value.cmp(a.value) : a.unrealised.cmp(b.unrealised)))[0]!;
      this.#closePart(worst, figures().crossEquity, figures().crossMaintenance);
    }
    const missing = figures().crossEquity.neg();
    if (legs().length > 0 || missing.lte(0)) return;
    w.told.push(`step ${w.now} ${account} insurance -1 -1 0 0 ${units(missing.neg())} 0`);
    w.insured[account] = w.insured[account]!.plus(missing);
    w.cash(account, w.quoteCoin, missing, 'insurance', 0);
  }

  #cancelAll(account: number, of: readonly number[], leg: ModelLeg | null, backing: Decimal, maintenance: Decimal): void {
    const w = this.world;
    const own = w.live.filter((o) => o.account === account && of.includes(o.instrument) && o.kind !== 'spot');
    if (own.length === 0) return;
    const about = leg === null ? '-1 -1 0 0' : `${leg.instrument} ${leg.side} 0 ${markOf(w, leg.instrument)}`;
    w.told.push(`step ${w.now} ${account} cancel ${about} ${units(backing)} ${units(maintenance)}`);
    for (const order of own) finish(w, order, 'cancelled');
  }

  /** Closes the part above the tier below, or all, as taker at the opposite quote whatever its size, or at the mark without a book. */
  #closePart({ leg, lots, isIsolated, value }: LegWorth, backing: Decimal, maintenance: Decimal, whole = 0): void {
    const w = this.world;
    const { account, instrument, side } = leg;
    const tier = w.tier(instrument, value);
    const below = w.instruments[instrument]!.tiers[tier - 1]?.upTo ?? 0;
    const mark = markOf(w, instrument);
    const kept = coins(below)
      .div(w.value(instrument, mark, 1))
      .floor()
      .toNumber();
    const size = whole > 0 ? whole : lots - kept;
    w.told.push(
      `step ${w.now} ${account} ${size < lots ? 'reduce' : 'close'} ${instrument} ${side} ${size} ${mark} ${units(backing)} ${units(maintenance)}`,
    );
    const isBuy = side === 1;
    const request = { account, instrument, side, isOpen: false, isBuy, isMarket: true, isPostOnly: false, isIsolated, price: 0, size };
    const order = this.#create(request, { tag: 0, exits: null, isByVenue: true, isLiquidation: true });
    w.told.push(`order ${order.no}`);
    fill(w, order, referenceOf(w, instrument, isBuy), size, true);
  }
}

function wishOf(account: number, c: Command): OrderRequest {
  const isMarket = c.type === 1;
  return {
    account,
    instrument: c.instrument,
    side: c.side,
    isOpen: c.effect === 0,
    isBuy: (c.side === 0) === (c.effect === 0),
    isMarket,
    isPostOnly: c.force === 1,
    isIsolated: c.marginMode === 1,
    price: isMarket ? 0 : c.price,
    size: c.size,
  };
}

function exitsOf({ takeProfit, takeProfitLimit, stopLoss, stopLossLimit }: Exits): Exits | null {
  return takeProfit > 0 || stopLoss > 0 ? { takeProfit, takeProfitLimit, stopLoss, stopLossLimit } : null;
}
