/**
 * Preset exits (take-profit and stop-loss) of own orders that live at the venue: which leg each protects, with how many lots, and
 * whose they are. The venue fires them by itself, so this is what tells an exit from a stranger's trade.
 */
import { CLOSE, LONG, MODIFY } from '../../domain/codes.ts';
import type { Command } from '../../domain/command.ts';
import type { OrderReport } from '../../domain/report.ts';
import type { Leg } from './leg.ts';

/** What set an exit off. */
export type ExitKind = 'stop-loss' | 'take-profit';

/** The exits of one order. Plain JSON: the snapshot keeps it. Prices in ticks, 0 for none; a limit of 0 is "at market". */
export interface Bracket {
  /** Number of the order that they came with. */
  readonly seq: number;
  readonly instrument: number;
  readonly side: number;
  readonly strategy: string;
  readonly reason: string;
  readonly takeProfit: number;
  readonly takeProfitLimit: number;
  readonly stopLoss: number;
  readonly stopLossLimit: number;
  /** Lots of the order that filled and that no exit has closed yet, and as many as there may be while its fills are not all known. */
  lots: number;
  most: number;
  /** Price of its last fill in ticks, before that its limit, 0 while not known. */
  entry: number;
  /** The venue's time of the newest record of its fills, or a later one; absent before the first. */
  filledAt?: number;
  /** When the leg that it protected had ended at the latest, by the venue's time. */
  endedAt?: number;
}

/** An exit that the venue fired. */
export interface FiredExit {
  readonly bracket: Bracket;
  readonly kind: ExitKind;
}

/** How much later than the record of its first fill a leg may say that it began. */
export const BEGIN_SLACK_MS = 250;

/**
 * Which records may be an exit: those of all that an own order protects (exact); of less as well, at a price near its trigger where it is
 * the last close of a leg that is flat (any), at its trigger otherwise (any-but-rest).
 */
export type ExitMatch = 'exact' | 'any' | 'any-but-rest';

/** Brackets beyond this many without a position are forgotten, the oldest first. */
const REMEMBERED = 1_000;

export class Brackets {
  /** Whether there is any: one look for who has none. */
  isAny = false;
  readonly #bySeq = new Map<number, Bracket>();
  readonly #mayFill: (seq: number) => boolean;

  /** `mayFill` says whether an order lives, or has ended and not all its fills are known. */
  constructor(mayFill: (seq: number) => boolean) {
    this.#mayFill = mayFill;
  }

  /** The venue's orders that were found to be exits, by their id. */
  readonly #exits = new Map<string, FiredExit>();

  /** An order that opens was made with exits, or takes the place of `old`, whose exits it keeps where it names no others. */
  placed(c: Command, strategy: string, reason: string): void {
    const made = bracketOf(c, this.#bySeq.get(c.target), strategy, reason);
    if (made !== null) this.add(made);
  }

  add(bracket: Bracket): void {
    this.isAny = true;
    this.#bySeq.set(bracket.seq, bracket);
    if (this.#bySeq.size <= REMEMBERED) return;
    for (const [seq, one] of this.#bySeq) {
      if (one.lots > 0 || one === bracket) continue;
      this.#bySeq.delete(seq);
      return;
    }
  }

  /** Order `seq` filled: so much more is protected. */
  filled(seq: number, lots: number, price: number, at: number): void {
    const bracket = this.#bySeq.get(seq);
    if (bracket === undefined) return;
    bracket.lots += lots;
    bracket.filledAt = at;
    delete bracket.endedAt;
    if (price > 0) bracket.entry = price;
  }

  /** What order `seq` filled is known for good: it protects no more than that. */
  settled(seq: number): void {
    const bracket = this.#bySeq.get(seq);
    if (bracket === undefined) return;
    settleBracket(bracket);
    if (bracket.most === 0) this.#bySeq.delete(seq);
  }

  /** The leg as it is now began at this time of the venue: exits that are certainly of before ended by then, fired or not. */
  begun(leg: number, createdAt: number): void {
    for (const one of this.#all(leg)) {
      if (one.endedAt === undefined && !this.#mayFill(one.seq) && (one.filledAt ?? Infinity) + BEGIN_SLACK_MS < createdAt)
        one.endedAt = createdAt;
    }
  }

  /** The leg is what is believed: whatever fired before has been told. */
  agreed(leg: number): void {
    for (const one of this.#all(leg)) if (one.endedAt !== undefined && !this.#mayFill(one.seq)) this.#bySeq.delete(one.seq);
  }

  /** Those that are known to protect lots of the leg, oldest first. */
  of(leg: number): Bracket[] {
    return this.#all(leg).filter((one) => one.lots > 0);
  }

  /** Whether an exit may close lots of the leg, as far as is known. */
  mayFire(leg: number): boolean {
    return this.#all(leg).some((one) => one.lots > 0 || one.most > 0);
  }

  #all(leg: number): Bracket[] {
    return [...this.#bySeq.values()].filter((one) => 2 * one.instrument + one.side === leg);
  }

  /**
   * The exit that this record of somebody else's order is, or null: a close at or beyond a trigger of all that the own order protects,
   * or of all that is free of the leg. `price` is its average in ticks, or the market's where it says none.
   */
  exitOf(report: OrderReport, leg: Leg, price: number, match: ExitMatch): FiredExit | null {
    if (report.effect !== CLOSE) return null;
    const known = this.#exits.get(report.venueId);
    if (known !== undefined) return known;
    const isInTime = ({ endedAt = Infinity }: Bracket): boolean => report.createdAt <= endedAt;
    const candidates = this.of(leg.index).filter(isInTime);
    const whole = candidates.filter((one) => one.lots === report.size);
    if (match === 'exact') return this.#nearestOf(whole, report, price);
    const isFlat = match === 'any' && leg.total <= leg.closing;
    const rest = candidates.filter((one) => report.size < one.lots);
    const unsure = this.#all(leg.index).filter((one) => isInTime(one) && one.lots < report.size && report.size <= one.most);
    // Own closes and a leg that was flat in between leave an exit less than it was made for. Where it is reached, nobody else comes first.
    const exit =
      this.#nearestOf(whole, report, price) ??
      this.#nearestOf(rest, report, price, isFlat ? 1 : TIGHT) ??
      this.#nearestOf(unsure, report, price);
    if (exit === null) return null;
    if (this.#exits.size >= REMEMBERED) this.#exits.clear();
    this.#exits.set(report.venueId, exit);
    return exit;
  }

  /** The one that may have made the record, of several the one whose trigger is nearest to its price. */
  #nearestOf(brackets: readonly Bracket[], report: OrderReport, price: number, share = 1): FiredExit | null {
    let found: FiredExit | null = null;
    let least = Infinity;
    for (const bracket of brackets) {
      const kind = exitAt(bracket, price, report.price, share);
      if (kind === null) continue;
      const distance = Math.abs(price - (kind === 'stop-loss' ? bracket.stopLoss : bracket.takeProfit));
      if (distance >= least) continue;
      least = distance;
      found = { bracket, kind };
    }
    return found;
  }

  /** Whether this record of somebody else's order closes what an own order protects. */
  isLikeExit({ effect, size, venueId }: OrderReport, leg: Leg): boolean {
    return effect === CLOSE && (this.#exits.has(venueId) || this.of(leg.index).some((one) => one.lots === size));
  }

  /** An exit closed `lots`; nothing is left of the bracket when that was all it had. */
  fired(bracket: Bracket, lots: number): void {
    bracket.lots = Math.max(0, bracket.lots - lots);
    bracket.most = Math.max(0, bracket.most - lots);
  }

  /** The leg is flat: nothing is left to protect, but for orders that may still fill, or of which not all fills are known. */
  flat(leg: number): void {
    for (const one of this.#all(leg)) {
      one.lots = 0;
      if (!this.#mayFill(one.seq)) this.#bySeq.delete(one.seq);
    }
    this.isAny = this.#bySeq.size > 0;
  }

  /** Those of orders that `isNeeded` or that protect something, for the snapshot. */
  saved(isNeeded: (seq: number) => boolean): Bracket[] {
    return [...this.#bySeq.values()].filter((one) => one.lots > 0 || isNeeded(one.seq)).map((one) => ({ ...one }));
  }
}

/** No more of its order can turn out to have filled. */
export function settleBracket(bracket: { lots: number; most: number }): void {
  bracket.most = bracket.lots;
}

/** The exits of the order that `c` makes; a modify of an order with the exits `before` keeps those that it does not change. */
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

/** How far from its trigger an exit may have filled on the wrong side, as a share of the price: spread and latency. */
const SLACK = 0.003;
/** The share of it where the size says nothing. */
const TIGHT = 1 / 3;

/** What of the bracket a close at `price` ticks (its limit `limit`, 0 at market) would be; null for neither. `share` of the slack is allowed. */
export function exitAt(bracket: Bracket, price: number, limit: number, share = 1): ExitKind | null {
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

/** Ticks: never as much as a quarter of the way back to the entry, where another's trade would be taken for an exit. */
function slackOf({ entry }: Bracket, trigger: number): number {
  const most = trigger * SLACK;
  return entry > 0 ? Math.min(most, Math.max(2, Math.abs(trigger - entry) / 4)) : most;
}
