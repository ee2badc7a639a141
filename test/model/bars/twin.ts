/**
 * The bar twin: what happens to own orders in bars, by the rules of docs/how-a-backtest-runs.md, one price at a time. Slow and plain; it shares
 * nothing with the simulator but the numbers of an instrument. Prices in ticks, sizes in lots, money in units of 10⁻⁸.
 * size: one rule, readable in one place
 */
import { LONG, type TwinAccount, type TwinFill } from './accounts.ts';
import { candidatePaths, type Trail, type Turn } from './paths.ts';

export interface TwinBar {
  readonly symbol: number;
  readonly start: number;
  readonly end: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Lots; 0 for a tape without volumes. */
  readonly volume: number;
}

export interface TwinCommand {
  readonly time: number;
  readonly kind: 'place' | 'trigger' | 'cancel';
  /** Number of the order, or of the one to cancel. */
  readonly ref: number;
  readonly symbol: number;
  readonly side: number;
  readonly isOpen: boolean;
  /** 0 for a market order. */
  readonly price: number;
  readonly lots: number;
  readonly isPostOnly: boolean;
  readonly trigger: number;
  readonly takeProfit: number;
  readonly stopLoss: number;
  /** Ticks that a trailing stop stays behind the best price since the entry; 0 for none. */
  readonly trail: number;
}

export interface TwinOrder extends TwinCommand {
  left: number;
  /** True once it has met an open: from then on it is in the book. */
  isResting: boolean;
  isUpward: boolean;
  /** Price by which its margin was computed when it came. */
  valued: number;
}

/** The exits of what an order has filled. */
interface Guard {
  readonly ref: number;
  readonly symbol: number;
  readonly side: number;
  readonly takeProfit: number;
  readonly stopLoss: number;
  readonly trail: number;
  lots: number;
  /** Best price since the entry, for a trail. */
  best: number;
}

export interface TwinTerms {
  /** Ticks that bid and ask of a symbol are apart. */
  readonly spread: (symbol: number, open: number) => number;
  /** Signed rate in 10⁻⁸ of a funding time; null for none. */
  readonly funding: { readonly everyMs: number; readonly rate: bigint } | null;
  readonly reading: 'worse' | 'better';
  /** Which paths are tried. Default: those of the rule. */
  readonly paths?: typeof candidatePaths | undefined;
}

interface State {
  account: TwinAccount;
  orders: TwinOrder[];
  guards: Guard[];
  fills: TwinFill[];
  ended: [ref: number, how: string][];
}

export class BarTwin {
  readonly terms: TwinTerms;
  state: State;
  /** Commands that no bar has met yet. */
  waiting: TwinCommand[] = [];
  /** Bars in which more than one path was played, and in which they ended differently. */
  compared = 0;
  differed = 0;
  readonly #fundedUntil: number[];
  /** Of the bar in play. */
  #budget = Infinity;
  /** By symbol: ticks from bid to ask in its last bar, and the sign of what was held after its open. */
  readonly #wide: number[];
  readonly #heldAtOpen: number[];

  constructor(account: TwinAccount, terms: TwinTerms) {
    this.terms = terms;
    this.state = { account, orders: [], guards: [], fills: [], ended: [] };
    this.#fundedUntil = account.instruments.map(() => -Infinity);
    this.#wide = account.instruments.map(() => 0);
    this.#heldAtOpen = account.instruments.map(() => 0);
  }

  command(command: TwinCommand): void {
    this.waiting.push(command);
  }

  /** The same twin, from here on by another reading. */
  copy(reading: TwinTerms['reading']): BarTwin {
    const other = new BarTwin(this.state.account, { ...this.terms, reading });
    other.state = copyOf(this.state);
    other.waiting = [...this.waiting];
    other.#fundedUntil.splice(0, Infinity, ...this.#fundedUntil);
    other.#wide.splice(0, Infinity, ...this.#wide);
    return other;
  }

  /** Plays a bar that has ended, by the path that its prices took if it is known. Bars come by their end, then in the order of the symbols. */
  play(bar: TwinBar, known: readonly number[] | null = null): void {
    const { symbol, open } = bar;
    this.#wide[symbol] = this.terms.spread(symbol, open);
    this.#budget = bar.volume > 0 ? bar.volume : Infinity;
    this.#openOf(bar);
    if (known === null) this.#path(bar);
    else this.#walk(bar, known);
    this.state.account.marks[symbol] = bar.close;
  }

  /**
   * All bars of one end were played. If several symbols are held since their opens, their worst prices may have come at one moment: the
   * cautious reading asks whether the margin that they share would have sufficed.
   */
  settle(bars: readonly TwinBar[]): void {
    if (this.terms.reading === 'better') return;
    const { account } = this.state;
    const held = bars.filter(({ symbol }) => this.#netOf(symbol) !== 0 && this.#netOf(symbol) === this.#heldAtOpen[symbol]);
    if (held.length < 2) return;
    for (const bar of held) account.marks[bar.symbol] = this.#netOf(bar.symbol) > 0 ? bar.low : bar.high;
    this.#budget = Infinity;
    this.#liquidate(held[0]!);
    for (const bar of bars) account.marks[bar.symbol] = bar.close;
  }

  /** 1 if more is long than short, −1 if less, 0 if nothing is left over. */
  #netOf(symbol: number): number {
    const [long, short] = this.state.account.legs[symbol]!;
    return Math.sign(long!.lots - short!.lots);
  }

  #bid(symbol: number, price: number): number {
    return Math.max(1, price - Math.floor(this.#wide[symbol]! / 2));
  }

  #ask(symbol: number, price: number): number {
    return this.#bid(symbol, price) + this.#wide[symbol]!;
  }

  #openOf(bar: TwinBar): void {
    const { symbol, start, end, open } = bar;
    const { account } = this.state;
    account.marks[symbol] = open;
    this.#fund(symbol, start, end);
    this.#liquidate(bar);
    this.#fire(bar, open);
    const earlier = this.state.orders.filter((one) => one.symbol === symbol && one.isResting);
    if (this.terms.reading === 'worse') this.#gapped(bar, earlier);
    for (const order of this.state.orders.filter((one) => one.symbol === symbol && isWaitingMarket(one))) this.#take(bar, order, open);
    const due = this.waiting.filter((one) => one.symbol === symbol && one.time <= start);
    this.waiting = this.waiting.filter((one) => !due.includes(one));
    for (const one of due) this.#arrive(bar, one);
    // Those that were there, if they were not cancelled, and those that came inside of the spread.
    this.#gapped(
      bar,
      this.state.orders.filter((one) => one.symbol === symbol),
    );
    for (const order of this.state.orders) if (order.symbol === symbol) order.isResting = true;
    // What came at the open may have an exit there: it is no longer held when the path begins.
    this.#fire(bar, open);
    this.#heldAtOpen[symbol] = this.#netOf(symbol);
  }

  /** Limits of earlier bars that the open is through: at their price. */
  #gapped(bar: TwinBar, among: readonly TwinOrder[]): void {
    for (const order of among.toSorted(byPrice)) {
      if (!this.state.orders.includes(order) || !isLimit(order) || !isThrough(order, bar.open)) continue;
      this.#fill(bar, order, order.price, false);
    }
  }

  #fund(symbol: number, start: number, end: number): void {
    const { funding } = this.terms;
    if (funding === null) return;
    const first = Math.max(this.#fundedUntil[symbol]!, -Infinity);
    const from = first === -Infinity ? start : first;
    for (let at = Math.ceil(from / funding.everyMs) * funding.everyMs; at < end; at += funding.everyMs)
      this.state.account.fund(symbol, funding.rate);
    this.#fundedUntil[symbol] = end;
  }

  #arrive(bar: TwinBar, command: TwinCommand): void {
    const { state } = this;
    if (command.kind === 'cancel') {
      const order = state.orders.find(({ ref }) => ref === command.ref);
      if (order !== undefined) this.#end(order, 'cancelled');
      return;
    }
    const why = this.#isMisplaced(bar, command) ? 'price-invalid' : this.#refusal(bar, command);
    if (why !== '') {
      state.ended.push([command.ref, why]);
      return;
    }
    const order: TwinOrder = { ...command, left: command.lots, isResting: false, isUpward: command.trigger > bar.open, valued: 0 };
    order.valued = this.#valuedAt(order, bar.open);
    state.orders.push(order);
    if (command.kind === 'place' && this.#crosses(order, bar.open)) this.#take(bar, order, bar.open);
  }

  #crosses(order: TwinCommand, at: number): boolean {
    if (order.price === 0) return true;
    return isBuy(order) ? order.price >= this.#ask(order.symbol, at) : order.price <= this.#bid(order.symbol, at);
  }

  #refusal(bar: TwinBar, command: TwinCommand, now = bar.open): string {
    const { account, orders } = this.state;
    const { symbol, side, isOpen, lots } = command;
    const held = account.legs[symbol]![side]!.lots;
    if (command.isPostOnly && this.#crosses(command, now)) return 'would-take';
    if (!isOpen) {
      if (held === 0) return 'no-position';
      return lots > held - closing(orders, symbol, side) ? 'exceeds-position' : '';
    }
    const at = command.kind === 'trigger' && command.price === 0 ? command.trigger : this.#valuedAt(command, now);
    return account.marginOf(account.value(symbol, at, lots)) > account.available(this.#heldByOrders()) ? 'insufficient-balance' : '';
  }

  /** An exit on the wrong side of where the order enters: its limit or trigger, or the quote where that is better. */
  #isMisplaced(bar: TwinBar, { kind, side, isOpen, price, trigger, takeProfit, stopLoss }: TwinCommand): boolean {
    if (!isOpen) return false;
    const stated = price > 0 ? price : trigger;
    const isLong = side === LONG;
    const quote = isLong ? this.#ask(bar.symbol, bar.open) : this.#bid(bar.symbol, bar.open);
    const entries = kind === 'trigger' ? [stated] : stated > 0 ? [stated, quote] : [quote];
    const entry = isLong ? Math.min(...entries) : Math.max(...entries);
    const isAbove = (exit: number): boolean => exit > 0 && exit >= entry;
    const isBelow = (exit: number): boolean => exit > 0 && exit <= entry;
    return isLong ? isBelow(takeProfit) || isAbove(stopLoss) : isAbove(takeProfit) || isBelow(stopLoss);
  }

  /** A buy at its limit; a sell at its limit or at the bid if that is higher. */
  #valuedAt(command: TwinCommand, now: number): number {
    if (command.price === 0) return isBuy(command) ? this.#ask(command.symbol, now) : this.#bid(command.symbol, now);
    return isBuy(command) ? command.price : Math.max(command.price, this.#bid(command.symbol, now));
  }

  #heldByOrders(): bigint {
    const { account, orders } = this.state;
    let held = 0n;
    for (const one of orders) {
      if (!one.isOpen || one.kind === 'trigger') continue;
      held += account.marginOf(account.value(one.symbol, one.valued, one.left));
    }
    return held;
  }

  /** Takes at the opposite side of a price what the volume of the bar allows; what is left of a market order waits for the next open. */
  #take(bar: TwinBar, order: TwinOrder, at: number): void {
    this.#fill(bar, order, isBuy(order) ? this.#ask(bar.symbol, at) : this.#bid(bar.symbol, at), true);
  }

  #fill(bar: TwinBar, order: TwinOrder, price: number, isTaker: boolean): void {
    const lots = Math.min(order.left, this.#budget);
    if (lots <= 0) return;
    this.#budget -= lots;
    order.left -= lots;
    this.#book(bar, { ref: order.ref, symbol: order.symbol, side: order.side, isOpen: order.isOpen }, price, lots, isTaker);
    const { takeProfit, stopLoss, trail } = order;
    if (order.isOpen && (takeProfit > 0 || stopLoss > 0 || trail > 0)) {
      const known = this.state.guards.find(({ ref }) => ref === order.ref);
      if (known !== undefined) known.lots += lots;
      else
        this.state.guards.push({ ref: order.ref, symbol: order.symbol, side: order.side, takeProfit, stopLoss, trail, lots, best: price });
    }
    if (order.left === 0) this.#end(order, 'filled');
  }

  #book(bar: TwinBar, of: Pick<TwinFill, 'ref' | 'symbol' | 'side' | 'isOpen'>, price: number, lots: number, isTaker: boolean): void {
    const { account, fills } = this.state;
    const fee = account.fill(of.symbol, of.side, of.isOpen, price, lots, isTaker);
    fills.push({ time: bar.end, ...of, price, lots, fee, isTaker });
    if (!of.isOpen && account.legs[of.symbol]![of.side]!.lots === 0) {
      this.state.guards = this.state.guards.filter((one) => one.symbol !== of.symbol || one.side !== of.side);
    }
  }

  #end(order: TwinOrder, how: string): void {
    this.state.orders = this.state.orders.filter((one) => one !== order);
    this.state.ended.push([order.ref, how]);
  }

  /** Trigger orders, then exits, that a price reaches, each in order of arrival. */
  #fire(bar: TwinBar, price: number): void {
    for (const order of this.state.orders.filter((one) => one.symbol === bar.symbol && one.kind === 'trigger')) {
      if (order.isUpward ? price < order.trigger : price > order.trigger) continue;
      this.#end(order, 'triggered');
      const child: TwinOrder = { ...order, kind: 'place', valued: this.#valuedAt(order, price) };
      const why = this.#refusal(bar, { ...child, isPostOnly: false }, price);
      if (why !== '') continue;
      this.state.orders.push(child);
      if (this.#crosses(child, price)) this.#take(bar, child, price);
    }
    for (const guard of this.state.guards.filter((one) => one.symbol === bar.symbol)) {
      const isLong = guard.side === LONG;
      const isBeyond = (level: number, isAbove: boolean): boolean => level > 0 && (isAbove ? price >= level : price <= level);
      const trailed = guard.trail === 0 ? 0 : isLong ? guard.best - guard.trail : guard.best + guard.trail;
      if (!isBeyond(guard.takeProfit, isLong) && !isBeyond(guard.stopLoss, !isLong) && !isBeyond(trailed, !isLong)) continue;
      if (!this.state.guards.includes(guard)) continue;
      this.#exit(bar, guard, price);
    }
    for (const guard of this.state.guards) {
      if (guard.symbol === bar.symbol) guard.best = guard.side === LONG ? Math.max(guard.best, price) : Math.min(guard.best, price);
    }
  }

  /** An exit closes its lots as far as other closing orders leave them, at the market; what it lacks waits for the next open. */
  #exit(bar: TwinBar, guard: Guard, price: number): void {
    const { state } = this;
    const { symbol, side } = guard;
    const locked = closing(state.orders, symbol, side);
    const lots = Math.min(guard.lots, state.account.legs[symbol]![side]!.lots - locked);
    guard.lots = Math.min(guard.lots - lots, locked);
    if (guard.lots === 0) state.guards = state.guards.filter((one) => one !== guard);
    if (lots <= 0) return;
    const none = {
      price: 0,
      isPostOnly: false,
      trigger: 0,
      takeProfit: 0,
      stopLoss: 0,
      trail: 0,
      isUpward: false,
      isResting: false,
      valued: 0,
    };
    const order: TwinOrder = { ...none, kind: 'place', time: bar.end, ref: 0, symbol, side, isOpen: false, lots, left: lots };
    state.orders.push(order);
    this.#take(bar, order, price);
  }

  /** Orders of the account end, and every leg is closed. */
  #liquidate(bar: TwinBar): void {
    const { account } = this.state;
    if (!account.isExhausted()) return;
    for (const order of this.state.orders) this.#end(order, 'cancelled');
    while (account.isExhausted()) {
      const legs = account.legs.flatMap((sides, symbol) => sides.flatMap(({ lots }, side) => (lots > 0 ? [{ symbol, side, lots }] : [])));
      const lossOf = (one: (typeof legs)[number]): bigint => account.unrealised(one.symbol, one.side);
      const [worst] = legs.toSorted((a, b) => (lossOf(a) < lossOf(b) ? -1 : 1));
      if (worst === undefined) return;
      const { symbol, side, lots } = worst;
      const at = account.marks[symbol]!;
      if (symbol === bar.symbol) this.#budget -= lots;
      this.#book(bar, { ref: 0, symbol, side, isOpen: false }, side === LONG ? this.#bid(symbol, at) : this.#ask(symbol, at), lots, true);
    }
    if (account.legs.flat().every(({ lots }) => lots === 0) && account.wallet < 0n) account.wallet = 0n;
  }

  #path(bar: TwinBar): void {
    const { account } = this.state;
    const own = this.state.orders.filter((one) => one.symbol === bar.symbol);
    const opening = own.filter((one) => one.isOpen);
    const entryOf = (one: TwinOrder): number => (one.kind === 'trigger' ? one.trigger : one.price + (isBuy(one) ? -1 : 1));
    const trails: Trail[] = [
      ...this.state.guards
        .filter((one) => one.symbol === bar.symbol && one.trail > 0)
        .map((one) => ({ distance: one.trail, isLong: one.side === LONG, entry: null })),
      ...opening.filter((one) => one.trail > 0).map((one) => ({ distance: one.trail, isLong: one.side === LONG, entry: entryOf(one) })),
    ];
    const turns = this.#turns(bar, opening, entryOf);
    // The side that is worse for what is held comes first; while flat, the worse side for what may open comes after it.
    const net = this.#netOf(bar.symbol);
    const opens = new Set(opening.map(({ side }) => side));
    const lean = net !== 0 ? net : opens.size !== 1 ? 0 : opens.has(LONG) ? -1 : 1;
    const isHighFirst = this.terms.reading === 'worse' ? lean < 0 : lean > 0;
    const before = this.state;
    const budget = this.#budget;
    let best: { equity: bigint; state: State } | null = null;
    const equities = new Set<bigint>();
    for (const path of (this.terms.paths ?? candidatePaths)(bar, opening.map(entryOf), trails, turns, isHighFirst)) {
      this.#budget = budget;
      this.state = copyOf(before);
      this.#walk(bar, path);
      const equity = this.state.account.equity();
      equities.add(equity);
      const isTaken = best === null || (this.terms.reading === 'worse' ? equity < best.equity : equity > best.equity);
      if (isTaken) best = { equity, state: this.state };
    }
    this.state = best!.state;
    if (own.length > 0 || account.legs[bar.symbol]!.some(({ lots }) => lots > 0)) this.compared++;
    if (equities.size > 1) this.differed++;
  }

  /** The exits that a reading may have reached one after the other: stops in the cautious one, targets in the other. */
  #turns(bar: TwinBar, opening: readonly TwinOrder[], entryOf: (one: TwinOrder) => number): Turn[] {
    const { orders, guards } = this.state;
    const isWorse = this.terms.reading === 'worse';
    const turns: Turn[] = [];
    const add = (side: number, price: number): void => void (price > 0 && turns.push({ price, isBelow: (side === LONG) === isWorse }));
    const stay = (side: number, price: number, trail: number): number => (side === LONG ? price - trail : price + trail);
    for (const { side, stopLoss, takeProfit, trail, best } of guards.filter(({ symbol }) => symbol === bar.symbol)) {
      add(side, isWorse ? stopLoss : takeProfit);
      if (isWorse && trail > 0) add(side, stay(side, best, trail));
    }
    for (const order of opening) {
      const { side, stopLoss, takeProfit, trail } = order;
      add(side, isWorse ? stopLoss : takeProfit);
      if (isWorse && trail > 0) add(side, stay(side, entryOf(order), trail));
    }
    for (const one of orders)
      if (one.symbol === bar.symbol && !one.isOpen && isLimit(one) && !isWorse) add(one.side, one.price + (isBuy(one) ? -1 : 1));
    return turns;
  }

  /** Every price from turn to turn. Limits that the next price is beyond fill before it comes. */
  #walk(bar: TwinBar, turns: readonly number[]): void {
    let price = turns[0]!;
    this.#at(bar, price);
    for (const turn of turns.slice(1)) {
      while (price !== turn) {
        const next = price + (price < turn ? 1 : -1);
        this.#fillBefore(bar, price, next);
        price = next;
        this.#at(bar, price);
      }
    }
    this.state.account.marks[bar.symbol] = bar.close;
  }

  /** Fills limits one by one, and fires what each fill sets off at the price that still counts. */
  #fillBefore(bar: TwinBar, price: number, next: number): void {
    const isDue = (one: TwinOrder): boolean => one.symbol === bar.symbol && isLimit(one) && isThrough(one, next);
    for (;;) {
      const [order] = this.state.orders.filter(isDue).toSorted(byPrice);
      if (order === undefined || this.#budget <= 0) return;
      this.#fill(bar, order, order.price, false);
      this.#fire(bar, price);
    }
  }

  #at(bar: TwinBar, price: number): void {
    this.state.account.marks[bar.symbol] = price;
    this.#fillBefore(bar, price, price);
    this.#fire(bar, price);
    this.#liquidate(bar);
  }
}

const isBuy = ({ side, isOpen }: Pick<TwinCommand, 'side' | 'isOpen'>): boolean => (side === LONG) === isOpen;
const isLimit = ({ kind, price }: TwinOrder): boolean => kind === 'place' && price > 0;
const isWaitingMarket = ({ kind, price }: TwinOrder): boolean => kind === 'place' && price === 0;
const isThrough = (order: TwinOrder, price: number): boolean => (isBuy(order) ? price < order.price : price > order.price);

/** Buys before sells, the best price first; the sort keeps the order of arrival. */
const byPrice = (a: TwinOrder, b: TwinOrder): number =>
  Number(isBuy(b)) - Number(isBuy(a)) || (isBuy(a) ? b.price - a.price : a.price - b.price);

function closing(orders: readonly TwinOrder[], symbol: number, side: number): number {
  let lots = 0;
  for (const one of orders) if (one.symbol === symbol && one.side === side && !one.isOpen) lots += one.left;
  return lots;
}

function copyOf({ account, orders, guards, fills, ended }: State): State {
  return {
    account: account.copy(),
    orders: orders.map((one) => ({ ...one })),
    guards: guards.map((one) => ({ ...one })),
    fills: [...fills],
    ended: [...ended],
  };
}
