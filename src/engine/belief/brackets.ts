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
  /** Price of its last fill in ticks, 0 while not known. */
  entry: number;
}

/** An exit that the venue fired. */
export interface FiredExit {
  readonly bracket: Bracket;
  readonly kind: ExitKind;
}

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
  filled(seq: number, lots: number, price: number): void {
    const bracket = this.#bySeq.get(seq);
    if (bracket === undefined) return;
    bracket.lots += lots;
    if (price > 0) bracket.entry = price;
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
  exitOf(report: OrderReport, leg: Leg, price: number): FiredExit | null {
    if (report.effect !== CLOSE) return null;
    const known = this.#exits.get(report.venueId);
    if (known !== undefined) return known;
    const candidates = this.of(leg.index);
    const whole = candidates.filter((one) => one.lots === report.size);
    const rest = candidates.filter((one) => report.size < one.lots && leg.total <= leg.closing);
    const unsure = this.#all(leg.index).filter((one) => one.lots < report.size && report.size <= one.most);
    for (const bracket of [...whole, ...rest, ...unsure]) {
      const kind = exitAt(bracket, price, report.price);
      if (kind === null) continue;
      const exit = { bracket, kind };
      if (this.#exits.size >= REMEMBERED) this.#exits.clear();
      this.#exits.set(report.venueId, exit);
      return exit;
    }
    return null;
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
    entry: 0,
  };
}

/** How far from its trigger an exit may have filled on the wrong side, as a share of the price: spread and latency. */
const SLACK = 0.003;

/** What of the bracket a close at `price` ticks (its limit `limit`, 0 at market) would be; null for neither. */
export function exitAt(bracket: Bracket, price: number, limit: number): ExitKind | null {
  const { side, takeProfit, takeProfitLimit, stopLoss, stopLossLimit } = bracket;
  if (limit > 0) {
    if (stopLoss > 0 && stopLossLimit === limit) return 'stop-loss';
    return takeProfit > 0 && takeProfitLimit === limit ? 'take-profit' : null;
  }
  const up = side === LONG ? 1 : -1;
  const isStop = stopLoss > 0 && stopLossLimit === 0 && (price - stopLoss) * up <= slackOf(bracket, stopLoss);
  const isProfit = takeProfit > 0 && takeProfitLimit === 0 && (takeProfit - price) * up <= slackOf(bracket, takeProfit);
  if (isStop && isProfit) return Math.abs(price - stopLoss) < Math.abs(price - takeProfit) ? 'stop-loss' : 'take-profit';
  return isStop ? 'stop-loss' : isProfit ? 'take-profit' : null;
}

/** Ticks: never as much as a quarter of the way back to the entry, where another's trade would be taken for an exit. */
function slackOf({ entry }: Bracket, trigger: number): number {
  const most = trigger * SLACK;
  return entry > 0 ? Math.min(most, Math.max(2, Math.abs(trigger - entry) / 4)) : most;
}
