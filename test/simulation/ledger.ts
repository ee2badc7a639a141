/** The truth of a run: what the exchange did, what the bot sent, and what is wrong between the two. */
import { CLOSE, MODIFY, OPEN, PLACE, PLACE_TRIGGER } from '../../src/domain/codes.ts';
import type { Command } from '../../src/domain/orders/command.ts';
import type { VenueSim } from '../../src/sim/core/venue-core.ts';
import { FUTURES } from '../../src/sim/state/kinds.ts';
import type { CashReason, LedgerSink, SimFill } from '../../src/sim/state/types.ts';

/** What must be 0 after every run. */
export const COUNTS = ['duplicates', 'lost', 'unknown', 'unexplained', 'limits', 'naked'] as const;
export type Count = (typeof COUNTS)[number];

export interface Problem {
  readonly of: Count;
  readonly text: string;
}

/** Largest leg in lots, with all that rests on it. */
export const MOST_LOTS = 30;

/** Leverage of every account, and money of one lot at one tick. */
export const LEVERAGE = 10;
const UNIT_VALUE = 10_000;

/** The first price of all symbols in ticks. Legs are valued at a price within NEAR ticks of the market. */
export const FIRST_PRICE = 10_000;
const NEAR = 100;

/** A bracket is told from another by a trigger this many ticks nearer to the market: a quarter of the farthest stop. */
const ALIKE = 8;

/** What is kept of an order with a bracket. */
type Guarded = Pick<NonNullable<ReturnType<VenueSim['order']>>, 'tag' | 'instrument' | 'side' | 'stopLoss' | 'takeProfit'>;

export class Ledger implements LedgerSink {
  readonly problems: Problem[] = [];
  /** Lots by client id. */
  readonly filled = new Map<string, number>();
  /** Lots, and lots × ticks, that own orders and their brackets filled, by leg and effect. */
  readonly traded: { lots: number; value: number }[][];
  /** Lots that each own order filled, with those of its bracket, by side, effect and client id. */
  readonly byOrder: readonly (readonly Map<string, number>[])[] = [0, 1].map(() => [OPEN, CLOSE].map(() => new Map()));
  /** The tag of the order whose bracket made this order of the venue, and those of orders with a trigger as near. */
  readonly #bracketed = new Map<number, { readonly tag: number; readonly like: readonly number[] }>();
  /** Orders with a bracket, as they were placed. */
  readonly #guarded: Guarded[] = [];
  /** Lots that brackets closed, and the orders whose brackets had a trigger as near: no record tells these from each other. */
  readonly unclear: { readonly ids: readonly string[]; readonly lots: number }[] = [];
  /** Lots that each order filled, by its number; `isOwn` of a bracket. */
  readonly byNumber = new Map<number, { lots: number; readonly isOwn: boolean }>();
  /** Orders that the bot placed, by client id. */
  readonly landed = new Set<string>();
  /** Lots of each leg that orders of the bot opened, and those of another party. A close takes lots of its own party first. */
  readonly own: number[];
  readonly foreign: number[];
  /** Margin that opens of another party cost, by leg. */
  readonly foreignMargin: number[];
  /** Opening orders that landed after the horizon and filled. */
  readonly #filledBeyond = new Map<string, { readonly leg: number; readonly lots: number }>();
  readonly #isBeyond: (id: string) => boolean;
  readonly #sim: () => VenueSim;
  /** Largest value of all legs together, in lots at the first price. */
  readonly #mostTotal: number;
  /** Lowest price of any symbol in ticks: the lower it is, the more lots the limit allows. */
  #lowest = FIRST_PRICE;
  readonly #nameOf: (tag: number) => string;
  readonly #note: (text: string) => void;
  placed = 0;
  /** Time of the newest fill, and of each leg. */
  filledAt = -Infinity;
  readonly changedAt: number[];
  result = 0;
  liquidations = 0;
  isDirty = false;

  constructor(
    sim: () => VenueSim,
    legs: number,
    mostTotal: number,
    nameOf: (tag: number) => string,
    isBeyond: (id: string) => boolean,
    note: (text: string) => void,
  ) {
    this.#sim = sim;
    this.#mostTotal = mostTotal;
    this.#nameOf = nameOf;
    this.#note = note;
    this.#isBeyond = isBeyond;
    this.own = Array.from({ length: legs }, () => 0);
    this.foreign = Array.from({ length: legs }, () => 0);
    this.changedAt = Array.from({ length: legs }, () => -Infinity);
    this.foreignMargin = Array.from({ length: legs }, () => 0);
    this.traded = Array.from({ length: legs }, () => [OPEN, CLOSE].map(() => ({ lots: 0, value: 0 })));
  }

  /** The first problem of each kind is kept. */
  wrong(of: Count, text: string): void {
    if (this.problems.some((one) => one.of === of)) return;
    this.problems.push({ of, text });
    this.#note(`!!! ${of}: ${text}`);
  }

  order(orderNo: number): void {
    this.isDirty = true;
    const order = this.#sim().order(orderNo);
    if (order === null || order.tag <= 0) return;
    this.placed++;
    const id = this.#nameOf(order.tag);
    // What a trigger order becomes has its id.
    if (this.landed.has(id) && !order.byVenue) this.wrong('duplicates', `${id} is at the venue twice`);
    this.landed.add(id);
    if (order.stopLoss > 0 || order.takeProfit > 0) this.#guarded.push({ ...order });
    if (!(order.size > 0) || (order.effect === OPEN && order.size > MOST_LOTS)) this.wrong('limits', `${id} has ${order.size} lots`);
    this.#note(
      `venue: ${id} ${order.effect === OPEN ? 'opens' : 'closes'} ${order.side === 0 ? 'LONG' : 'SHORT'} ${order.size} at ${order.price || 'market'}`,
    );
  }

  bracket(orderNo: number, tag: number, isProfit: boolean): void {
    const { instrument, side } = this.#sim().order(orderNo)!;
    const { last } = this.#sim().lines[instrument]!;
    const isLike = (one: Guarded): boolean => Math.abs((isProfit ? one.takeProfit : one.stopLoss) - last) <= ALIKE;
    const like = this.#guarded.filter((one) => one.instrument === instrument && one.side === side && isLike(one));
    this.#bracketed.set(orderNo, { tag, like: like.map((one) => one.tag) });
  }

  fill({ tag, orderNo, instrument, side, effect, size, price, time }: SimFill): void {
    this.isDirty = true;
    this.filledAt = time;
    const bracket = this.#bracketed.get(orderNo);
    const from = bracket?.tag ?? tag;
    if (bracket !== undefined) this.unclear.push({ ids: [from, ...bracket.like].map((one) => this.#nameOf(one)), lots: size });
    this.byNumber.set(orderNo, { lots: (this.byNumber.get(orderNo)?.lots ?? 0) + size, isOwn: bracket !== undefined });
    const lotsOf = this.byOrder[side]![effect]!;
    if (from > 0) lotsOf.set(this.#nameOf(from), (lotsOf.get(this.#nameOf(from)) ?? 0) + size);
    const leg = 2 * instrument + side;
    this.changedAt[leg] = time;
    const traded = this.traded[leg]![effect]!;
    traded.lots += size;
    traded.value += size * price;
    this.#count(from > 0 ? [this.own, this.foreign] : [this.foreign, this.own], leg, effect, size);
    if (tag > 0) {
      const id = this.#nameOf(tag);
      this.filled.set(id, (this.filled.get(id) ?? 0) + size);
      if (effect === OPEN && this.#isBeyond(id)) this.#filledBeyond.set(id, { leg, lots: this.filled.get(id)! });
      this.#note(`venue: ${id} fills ${size} at ${price}`);
    } else {
      if (effect !== CLOSE) this.foreignMargin[leg]! += (size * price * UNIT_VALUE) / LEVERAGE;
      this.#note(`venue: an order that is not the bot's fills ${size} at ${price}`);
    }
  }

  #count([first, second]: readonly [number[], number[]], leg: number, effect: number, size: number): void {
    const most = effect === CLOSE ? Math.min(first[leg]!, size) : -size;
    first[leg]! -= most;
    if (effect === CLOSE) second[leg] = Math.max(0, second[leg]! - (size - most));
  }

  ended(): void {
    this.isDirty = true;
  }

  cash(_account: number, _coin: string, amount: number, why: CashReason): void {
    if (why === 'realised' || why === 'fee') this.result += amount;
    if (why === 'liquidation') this.liquidations++;
  }

  /** Lots of all legs as the venue has them. */
  legs(): number[] {
    const legs = this.foreign.map(() => 0);
    for (const position of this.#sim().positions(0, -1)) legs[2 * position.instrument + position.side] = position.total;
    return legs;
  }

  /** Lots of each leg with all that rests on it, but what another party opened, and what the orders did of which `isLeftOut` is true. */
  exposure(isLeftOut: (id: string) => boolean): number[] {
    const most = this.legs().map((lots, leg) => lots - Math.max(0, this.foreign[leg]!));
    for (const order of this.#sim().pending(0, -1)) {
      const isOpen = order.effect === OPEN && order.kind === FUTURES && order.tag > 0;
      if (isOpen && !(this.#isBeyond(this.#nameOf(order.tag)) && isLeftOut(this.#nameOf(order.tag))))
        most[2 * order.instrument + order.side]! += order.size - order.filled;
    }
    for (const [id, { leg, lots }] of this.#filledBeyond) if (isLeftOut(id)) most[leg]! -= lots;
    return most;
  }

  /** No leg with all that rests on it is above its limit, nor are all together, but for orders that landed after the horizon. */
  checkLimits(): void {
    for (let i = 0; i < this.foreign.length / 2; i++) this.#lowest = Math.min(this.#lowest, this.#sim().bookTicker(i)?.bid ?? Infinity);
    if (!this.isDirty) return;
    this.isDirty = false;
    const legs = this.exposure(() => true);
    legs.forEach((lots, leg) => {
      if (lots > MOST_LOTS) this.wrong('limits', `leg ${leg} has ${lots} lots with all that rests on it`);
    });
    const total = legs.reduce((sum, lots) => sum + Math.max(0, lots), 0);
    if (total * (this.#lowest - NEAR) > this.#mostTotal * FIRST_PRICE)
      this.wrong('limits', `all legs together have ${total} lots with all that rests on them`);
  }
}

/** Whether a command makes an order that adds to a position. */
export function opens({ kind, effect }: Command): boolean {
  return (kind === PLACE || kind === MODIFY || kind === PLACE_TRIGGER) && effect === OPEN;
}
