/**
 * Take-profit and stop-loss orders (brackets) attached to own orders and held by the venue: which leg each protects, how many lots, which
 * strategy. The venue fires them by itself, so this table is how a fired bracket is told apart from a trade of another party.
 * size: the table, and how a record is matched with it
 */
import { assert } from '../../../base/failure/assert.ts';
import { CLOSE, LONG, MODIFY } from '../../../domain/codes.ts';
import type { Command } from '../../../domain/orders/command.ts';
import type { OrderReport } from '../../../domain/report.ts';
import { RecentPrices } from '../../market/recent-prices.ts';
import type { Leg } from './leg.ts';

/** Which trigger of a bracket fired. */
export type BracketKind = 'stop-loss' | 'take-profit';

/** The bracket of one order. Plain JSON, kept in the snapshot. Prices in ticks, 0 for none; a limit price of 0 means a market order. */
export interface Bracket {
  /** Number of the order that the bracket is attached to. */
  readonly seq: number;
  readonly instrument: number;
  readonly side: number;
  readonly strategy: string;
  readonly reason: string;
  readonly takeProfit: number;
  readonly takeProfitLimit: number;
  readonly stopLoss: number;
  readonly stopLossLimit: number;
  /** `lots`: filled by the order and not yet closed by the bracket. `most`: upper bound of `lots` while not all fills are known. */
  lots: number;
  most: number;
  /** Lots of this position that it has closed; absent for 0. */
  closed?: number;
  /** Price of the order's last fill in ticks; before a fill its limit price; 0 if unknown. */
  entry: number;
  /** Venue time at which the order was created; absent until a record has shown it. */
  createdAt?: number;
  /** Venue time of the newest record that showed a fill, or later; absent before the first fill. */
  filledAt?: number;
  /** Latest venue time at which the protected leg had ended. */
  endedAt?: number;
}

/** A bracket that the venue fired. */
export interface FiredBracket {
  readonly bracket: Bracket;
  readonly kind: BracketKind;
}

/** A leg may report a creation time this much later than the record of its first fill, in milliseconds. */
export const BEGIN_SLACK_MS = 250;

/**
 * What a trigger fires was created at most so long after a trade at its price, and its record may be dated this much before that trade, in
 * milliseconds of the venue's clock.
 */
export const FIRED_WITHIN_MS = 1_000;
export const FIRED_BEFORE_MS = 250;

/** Which records match; see `firedOf`. */
export type BracketMatch = 'exact' | 'any' | 'rest';

/** Largest number of brackets and matched records that are kept; beyond it the oldest without a position is dropped. */
const REMEMBERED = 1_000;

export class Brackets {
  /** True if any bracket exists. A fast check for the common case of none. */
  isAny = false;
  readonly #bySeq = new Map<number, Bracket>();
  readonly #mayFill: (seq: number) => boolean;

  /** `mayFill(seq)`: true if the order is live, or has ended and its fills are not final. */
  constructor(mayFill: (seq: number) => boolean) {
    this.#mayFill = mayFill;
  }

  /** Venue orders that were matched to a bracket, by venue id. */
  readonly #matched = new Map<string, FiredBracket>();

  /** By instrument: prices that polls have shown. */
  readonly #prices = new Map<number, RecentPrices>();

  /** A poll showed that the market was at these prices, in ticks: a trade, or the bid as the high and the ask as the low. */
  saw(instrument: number, low: number, high: number, venueTime: number): void {
    let prices = this.#prices.get(instrument);
    if (prices === undefined) this.#prices.set(instrument, (prices = new RecentPrices()));
    prices.note(low, high, venueTime);
  }

  /** Registers the bracket of an opening order. A modify keeps the bracket of the old order where it sets no other. */
  placed(c: Command, strategy: string, reason: string): void {
    const made = bracketOf(c, this.#bySeq.get(c.target), strategy, reason);
    if (made !== null) this.add(made);
  }

  add(bracket: Bracket): void {
    assert(bracket.seq > 0, 'a bracket is of an order with a number', bracket.seq);
    assert(bracket.lots >= 0, 'a bracket protects at least 0 lots', bracket.lots);
    assert(bracket.stopLoss > 0 || bracket.takeProfit > 0, 'a bracket has a trigger', bracket.seq);
    this.isAny = true;
    this.#bySeq.set(bracket.seq, bracket);
    if (this.#bySeq.size <= REMEMBERED) return;
    for (const [seq, one] of this.#bySeq) {
      if (isHeld(one) || one === bracket) continue;
      this.#bySeq.delete(seq);
      return;
    }
  }

  /** Order `seq` filled `lots` more: the bracket protects that many more. */
  filled(seq: number, lots: number, price: number, at: number): void {
    const bracket = this.#bySeq.get(seq);
    if (bracket === undefined) return;
    filledByOrder(bracket, lots, price, at);
  }

  /** A record shows when the venue created order `seq`: its bracket cannot have fired before. */
  made(seq: number, createdAt: number): void {
    const bracket = this.#bySeq.get(seq);
    if (bracket !== undefined) bracket.createdAt = createdAt;
  }

  /** The fills of order `seq` are final: the bracket protects no more than that. */
  settled(seq: number): void {
    const bracket = this.#bySeq.get(seq);
    if (bracket === undefined) return;
    settleBracket(bracket);
    if (bracket.most === 0) this.#bySeq.delete(seq);
  }

  /**
   * The position of the leg that was there before venue time `before` had ended at `at`. Gives the orders whose brackets ended with it: a
   * record of before may still show that one of them fired.
   */
  ended(leg: number, before: number, at: number): number[] {
    const ended = this.#all(leg).filter((one) => {
      if (one.endedAt !== undefined || one.lots === 0 || this.#mayFill(one.seq)) return false;
      return before === Infinity || (one.filledAt ?? Infinity) + BEGIN_SLACK_MS < before;
    });
    for (const one of ended) one.endedAt = at;
    return ended.map(({ seq }) => seq);
  }

  /** The local leg matches the venue, and no record of before `upTo` is read any more. */
  forget(leg: number, upTo: number): void {
    for (const one of this.#all(leg)) if ((one.endedAt ?? Infinity) < upTo && !this.#mayFill(one.seq)) this.#bySeq.delete(one.seq);
    this.isAny = this.#bySeq.size > 0;
  }

  /** The bracket that order `seq` carries; undefined for none. */
  ofOrder(seq: number): Bracket | undefined {
    return this.#bySeq.get(seq);
  }

  /** Brackets that are known to protect lots of the leg, oldest first. */
  of(leg: number): Bracket[] {
    return this.#all(leg).filter(isHeld);
  }

  /** True if a bracket may close lots of the leg. */
  mayFire(leg: number): boolean {
    return this.#all(leg).some((one) => one.lots > 0 || one.most > 0);
  }

  #all(leg: number): Bracket[] {
    return [...this.#bySeq.values()].filter((one) => 2 * one.instrument + one.side === leg);
  }

  /**
   * The bracket that produced this record of an order without our client id; null for none. A match is a close at or beyond a trigger, for
   * the whole protected size or for the rest of the leg; or a market order of the whole protected size, at any price, that was created when
   * the market was seen at the trigger. `price` is the average fill price in ticks, or the market price if the record has none. With `any` a
   * smaller close at the trigger matches as well, and one near the trigger if the leg was flat after it; with `rest` it is known that it was.
   */
  firedOf(report: OrderReport, leg: Leg, price: number, match: BracketMatch): FiredBracket | null {
    if (report.effect !== CLOSE) return null;
    const known = this.#matched.get(report.venueId);
    // A venue that was put back gives the ids of then once more.
    if (known !== undefined && 2 * known.bracket.instrument + known.bracket.side === leg.index) return known;
    const candidates = this.#inTime(report, leg).filter(({ lots }) => lots > 0);
    const whole = candidates.filter((one) => one.lots === report.size);
    const byPrice = this.#nearestOf(whole, report, price);
    if (match === 'exact') return byPrice ?? this.#reachedOf(whole, report, price);
    // What is still unexplained came after this order. So did the position that is held now, if that of the bracket had ended.
    const isFlat = match === 'rest' || leg.total - leg.unexplained <= leg.closing;
    // A bracket that fired while its order was filling closed what had filled by then.
    const isEmptied = ({ endedAt, filledAt = 0 }: Bracket): boolean => isFlat || endedAt !== undefined || filledAt > report.createdAt;
    // Own closes, or a leg that was flat in between, leave a bracket fewer lots than it was placed for. A smaller close at the trigger
    // price is therefore still taken for the bracket.
    const larger = candidates.filter((one) => report.size < one.lots);
    const possible = this.#inTime(report, leg).filter(({ lots, most }) => lots < report.size && report.size <= most);
    // A bracket whose trigger is farther away than that of a larger one fires after it, and finds a flat leg.
    const emptying = this.#nearestOf(larger.filter(isEmptied), report, price);
    const isFarther = byPrice !== null && emptying !== null && !isReached(byPrice, price) && isReached(emptying, price);
    const exit =
      (isFarther ? emptying : byPrice) ??
      emptying ??
      this.#reachedOf(whole, report, price) ??
      this.#nearestOf(larger, report, price, TIGHT) ??
      this.#nearestOf(possible, report, price);
    if (exit === null) return null;
    if (this.#matched.size >= REMEMBERED) this.#matched.clear();
    this.#matched.set(report.venueId, exit);
    return exit;
  }

  /**
   * The brackets that lost `size` lots to this record although none of them has as many. Of brackets with triggers as near no record says which
   * one fired, so a part of one may have been taken for a part of another: together they still have the lots, and one of them had as many.
   */
  sharedOf(report: OrderReport, size: number, leg: Leg, price: number): FiredBracket[] {
    const near = this.#inTime(report, leg).flatMap((bracket): FiredBracket[] => {
      const kind = firedKind(bracket, price, report.price, TIGHT);
      return kind === null ? [] : [{ bracket, kind }];
    });
    const had = Math.max(0, ...near.map(({ bracket: { lots, closed = 0 } }) => lots + closed));
    const left = near.filter(({ bracket }) => bracket.lots > 0);
    const sum = left.reduce((lots, { bracket }) => lots + bracket.lots, 0);
    if (report.effect !== CLOSE || size > had || size > sum) return [];
    const awayOf = (one: FiredBracket): number => Math.abs(price - triggerOf(one));
    return left.sort((a, b) => awayOf(a) - awayOf(b) || b.bracket.lots - a.bracket.lots);
  }

  /** The bracket that may have produced the record, with this share of the slack; of several, the one whose trigger is nearest to its price. */
  #nearestOf(brackets: readonly Bracket[], report: OrderReport, price: number, share = 1): FiredBracket | null {
    const fired: FiredBracket[] = [];
    for (const bracket of brackets) {
      const kind = firedKind(bracket, price, report.price, share);
      if (kind !== null) fired.push({ bracket, kind });
    }
    return nearest(fired, price);
  }

  /**
   * The bracket whose trigger the market was seen at when the venue created this market order. After a short spike it fills anywhere. If the
   * order were a person's, the bracket would have fired in the same second.
   */
  #reachedOf(brackets: readonly Bracket[], { createdAt, instrument, price: limit }: OrderReport, price: number): FiredBracket | null {
    const prices = this.#prices.get(instrument);
    if (prices === undefined || limit > 0) return null;
    const wasAt = (trigger: number, isAbove: boolean): boolean =>
      prices.reached(trigger, isAbove, createdAt - FIRED_WITHIN_MS, createdAt + FIRED_BEFORE_MS);
    const fired: FiredBracket[] = [];
    for (const bracket of brackets) {
      const { side, stopLoss, stopLossLimit, takeProfit, takeProfitLimit } = bracket;
      if (stopLoss > 0 && stopLossLimit === 0 && wasAt(stopLoss, side !== LONG)) fired.push({ bracket, kind: 'stop-loss' });
      if (takeProfit > 0 && takeProfitLimit === 0 && wasAt(takeProfit, side === LONG)) fired.push({ bracket, kind: 'take-profit' });
    }
    return nearest(fired, price);
  }

  /** Brackets whose position was there when the venue created this order. */
  #inTime({ createdAt: at }: OrderReport, leg: Leg): Bracket[] {
    return this.#all(leg.index).filter(({ createdAt = -Infinity, endedAt = Infinity }) => at >= createdAt && at <= endedAt);
  }

  /** True if this record, which has no client id of ours, closes exactly the size that a bracket protects. */
  isLikeBracket(report: OrderReport, leg: Leg): boolean {
    const { effect, size, venueId } = report;
    return effect === CLOSE && (this.#matched.has(venueId) || this.#inTime(report, leg).some(({ lots }) => lots > 0 && lots === size));
  }

  /** A bracket closed `lots` of the leg. */
  fired(bracket: Bracket, lots: number): void {
    closedByBracket(bracket, lots);
  }

  /** The venue pushed that the leg is flat, and all that closed it. Only brackets whose orders may still fill are kept. */
  flat(leg: number): void {
    for (const one of this.#all(leg)) {
      one.lots = 0;
      if (!this.#mayFill(one.seq)) this.#bySeq.delete(one.seq);
    }
    this.isAny = this.#bySeq.size > 0;
  }

  /** For the snapshot: brackets that protect lots, and those whose orders `isNeeded` accepts. */
  saved(isNeeded: (seq: number) => boolean): Bracket[] {
    return [...this.#bySeq.values()].filter((one) => one.lots > 0 || isNeeded(one.seq)).map((one) => ({ ...one }));
  }
}

/**
 * Of several, the one whose trigger is nearest to the price; of those with one trigger the one with the fewest lots, so that a larger one is
 * left for a larger record.
 */
function nearest(fired: readonly FiredBracket[], price: number): FiredBracket | null {
  const distanceOf = (one: FiredBracket): number => Math.abs(price - triggerOf(one));
  let found: FiredBracket | null = null;
  for (const one of fired) {
    const isNearer = found === null || distanceOf(one) < distanceOf(found);
    const isTighter = found !== null && distanceOf(one) === distanceOf(found) && one.bracket.lots < found.bracket.lots;
    if (isNearer || isTighter) found = one;
  }
  return found;
}

function triggerOf({ bracket, kind }: FiredBracket): number {
  return kind === 'stop-loss' ? bracket.stopLoss : bracket.takeProfit;
}

/** True if a market at this price has come to the trigger. By the slack a bracket may also fill short of it. */
function isReached(fired: FiredBracket, price: number): boolean {
  const isFalling = (fired.kind === 'stop-loss') === (fired.bracket.side === LONG);
  return isFalling ? price <= triggerOf(fired) : price >= triggerOf(fired);
}

/** True if it is known to protect lots of the position that is there. */
function isHeld({ lots, endedAt }: Bracket): boolean {
  return lots > 0 && endedAt === undefined;
}

/** The order of the bracket filled `lots` more, at `price` ticks (0: unknown), by venue time `at`. */
export function filledByOrder(bracket: Bracket, lots: number, price: number, at: number): void {
  assert(lots > 0, 'a bracket protects lots above zero more', lots);
  bracket.lots = lots + (bracket.endedAt === undefined ? bracket.lots : 0);
  bracket.filledAt = at;
  if (bracket.endedAt !== undefined) delete bracket.closed;
  delete bracket.endedAt;
  if (price > 0) bracket.entry = price;
}

/** A bracket closed `lots` of its leg. */
export function closedByBracket(bracket: { lots: number; most: number; closed?: number }, lots: number): void {
  assert(lots >= 0, 'a bracket closes at least 0 lots', lots);
  bracket.closed = (bracket.closed ?? 0) + Math.min(bracket.lots, lots);
  bracket.lots = Math.max(0, bracket.lots - lots);
  bracket.most = Math.max(0, bracket.most - lots);
}

/** The order's fills are final: the upper bound becomes the known size. */
export function settleBracket(bracket: { lots: number; most: number }): void {
  bracket.most = bracket.lots;
}

/** The bracket of the order that command `c` places, or null. A modify keeps the prices of `before` that it does not change. */
export function bracketOf(c: Command, before: Bracket | undefined, strategy: string, reason: string): Bracket | null {
  const old = c.kind === MODIFY ? before : undefined;
  const takeProfit = c.takeProfit || (old?.takeProfit ?? 0);
  const stopLoss = c.stopLoss || (old?.stopLoss ?? 0);
  if (c.effect === CLOSE || (takeProfit === 0 && stopLoss === 0)) return null;
  return {
    seq: c.seq,
    instrument: c.instrument,
    side: c.side,
    strategy,
    reason: reason || (old?.reason ?? ''),
    takeProfit,
    takeProfitLimit: c.takeProfit > 0 ? c.takeProfitLimit : (old?.takeProfitLimit ?? 0),
    stopLoss,
    stopLossLimit: c.stopLoss > 0 ? c.stopLossLimit : (old?.stopLossLimit ?? 0),
    lots: 0,
    most: c.size,
    entry: c.price,
  };
}

/** How far from its trigger a bracket may fill on the wrong side, as a share of the price. Covers spread and latency. */
const SLACK = 0.003;
/** Fraction of that slack that is allowed if the size does not match. */
const TIGHT = 1 / 3;

/**
 * Which trigger of the bracket a close at `price` ticks with limit `limit` (0: market) belongs to; null for neither. `share` scales the
 * allowed slack.
 */
export function firedKind(bracket: Bracket, price: number, limit: number, share = 1): BracketKind | null {
  const { side, takeProfit, takeProfitLimit, stopLoss, stopLossLimit } = bracket;
  if (limit > 0) {
    if (stopLoss > 0 && stopLossLimit === limit) return 'stop-loss';
    return takeProfit > 0 && takeProfitLimit === limit ? 'take-profit' : null;
  }
  const up = side === LONG ? 1 : -1;
  const isStop = stopLoss > 0 && stopLossLimit === 0 && (price - stopLoss) * up <= share * slackOf(bracket, stopLoss);
  const isProfit = takeProfit > 0 && takeProfitLimit === 0 && (takeProfit - price) * up <= share * slackOf(bracket, takeProfit);
  if (isStop && isProfit) return Math.abs(price - stopLoss) < Math.abs(price - takeProfit) ? 'stop-loss' : 'take-profit';
  return isStop ? 'stop-loss' : isProfit ? 'take-profit' : null;
}

/** Slack in ticks. It is at most a quarter of the distance to the entry price, so that an unrelated trade is not matched. */
function slackOf({ entry }: Bracket, trigger: number): number {
  const most = trigger * SLACK;
  return entry > 0 ? Math.min(most, Math.max(2, Math.abs(trigger - entry) / 4)) : most;
}
