/**
 * Infers fills of own orders from position reads. The difference between the venue's leg and the proven total must be filled by own orders,
 * each within its range. An order has filled at least what the others cannot. Fills that follow are reported. Where the result is ambiguous
 * the ranges stay, and risk uses the worse end.
 */
import { assert } from '../../base/failure/assert.ts';
import { OPEN, PLACE } from '../../domain/codes.ts';
import { waitsForTrigger } from '../../domain/orders/command-traits.ts';
import type { Core } from '../state/core.ts';
import type { Orders } from '../state/orders/orders.ts';
import type { VenueOffset } from '../market/venue-offset.ts';
import type { Bookings } from '../orders/bookings.ts';
import { BEGIN_SLACK_MS, type Brackets } from '../state/records/brackets.ts';
import type { AgreeingReads } from './agreeing-reads.ts';
import type { Leg } from '../state/records/leg.ts';
import type { Order } from '../state/records/order.ts';
import { reportFill } from '../orders/reads/proof.ts';

/** The shared state that this file uses. */
export interface FillInferenceCore extends Core {
  readonly orders: Orders;
  readonly venueOffset: VenueOffset;
  readonly brackets: Brackets;
}

/** Tolerance of the average entry price per lot in ticks: the venue truncates it. */
const ENTRY_SLACK = 1e-4;

/** Clocks that count as equal are rarely further apart, in milliseconds. Too little costs a wrong guess, too much one that is not made. */
const CLOCKS_APART_MS = 250;

/** An order that may have filled up to `most` lots beyond its proven fills when the venue showed the leg. */
interface Suspect {
  readonly order: Order;
  readonly most: number;
}

export interface Explanation {
  /** Lots by which the leg is larger (above zero) or smaller than own orders can explain. */
  readonly unexplained: number;
  /** True if an own order may explain part of the difference. */
  readonly isOpen: boolean;
  /** The undecided orders that may explain the difference, if all have ended and no further record of them will arrive; else none. */
  readonly spent: readonly Order[];
  /**
   * True if only a history without trades of others shows what own orders filled: their records do not show the fills that would explain the
   * difference, a bracket may have closed what its order had filled, or the fills were those of an earlier position.
   */
  readonly isHeld: boolean;
}

/** Explains the difference between `claim` and the proven total of `leg`, and reports the fills that it proves. */
export function explain(core: FillInferenceCore, bookings: Bookings, leg: Leg, claim: AgreeingReads): Explanation {
  const gap = claim.total - leg.proven;
  const { up, down, earlier, opens, closes, before } = reachOf(core, leg, claim);
  assert(up >= 0, 'lots that own orders may have opened are at least 0', up);
  assert(down >= 0, 'lots that own orders may have closed are at least 0', down);
  const unexplained = gap > up + earlier ? gap - up - earlier : gap < -down ? gap + down : 0;
  if (unexplained !== 0) return { unexplained, isOpen: up + down > 0, spent: [], isHeld: false };
  if (!claim.allowsInference(leg, core.timings)) return { unexplained: 0, isOpen: gap !== 0, spent: [], isHeld: false };
  const isInferable = gap <= sumOf(opens) && gap >= -sumOf(closes);
  const isUnseen = isInferable && !claim.isOwn && !isShown(opens, closes, gap);
  const mayBeClosed = isInferable && !claim.isOwn && mayBeClosedAgain(core, opens, gap);
  if (isInferable && !isUnseen) reportAll(bookings, leg, { opens, closes, gap, claim, mayBeClosed });
  const isHeld = isUnseen || mayBeClosed || gap > up;
  const left = [...[...opens, ...closes].map(({ order }) => order), ...before].filter((order) => !order.isSettled);
  const spent = left.every((order) => isSpent(core, order, claim, isHeld)) ? left : [];
  return { unexplained: 0, isOpen: gap !== 0, spent, isHeld };
}

/** True if the bracket of an ended order may have closed lots that the order filled: then the leg does not show how many those were. */
function mayBeClosedAgain({ brackets }: FillInferenceCore, opens: readonly Suspect[], gap: number): boolean {
  return brackets.isAny && gap < sumOf(opens) && opens.some(({ order }) => !order.isAlive && brackets.ofOrder(order.seq) !== undefined);
}

interface Reach {
  /** Lots that own orders may have opened and closed beyond their proven fills when the venue showed the leg. */
  readonly up: number;
  readonly down: number;
  /**
   * Lots of the position before that own orders may have opened unseen. If own closes closed them, as much is missing in the proven total,
   * also of the current position.
   */
  readonly earlier: number;
  readonly opens: readonly Suspect[];
  readonly closes: readonly Suspect[];
  /** Orders that had ended when the current position was created: their fills are not part of it. */
  readonly before: readonly Order[];
}

/** The own orders that may explain the difference between `claim` and the proven total of `leg`, with their bounds. */
export function reachOf(core: FillInferenceCore, leg: Leg, claim: AgreeingReads): Reach {
  const opens: Suspect[] = [];
  const closes: Suspect[] = [];
  const before: Order[] = [];
  let up = 0;
  let down = 0;
  let earlier = 0;
  for (const order of core.orders.of[leg.index >> 1]!.known()) {
    if (order.kind !== PLACE && !waitsForTrigger(order.kind)) continue;
    if (order.leg !== leg || order.isSettled) continue;
    if (isOfBefore(order, claim)) {
      before.push(order);
      earlier += order.maybeFilled;
      continue;
    }
    const most = mostAt(core, order, claim);
    assert(most >= 0, 'lots that an order may have filled are at least 0', most);
    assert(most <= order.remaining, 'an order may have filled what it has left', most);
    if (order.effect === OPEN) up += most;
    else down += most;
    const likely = isFresh(order, claim) ? Math.min(most, Math.max(0, order.shownMost - order.filled)) : most;
    if (likely > 0) (order.effect === OPEN ? opens : closes).push({ order, most: likely });
  }
  return { up, down, earlier, opens, closes, before };
}

/**
 * True if no further information about the order's fills will arrive: its record was read or is overdue, and the leg was read long after
 * its end. If `isHeld`, the record has been read and speaks against the fills: then only the horizon decides.
 */
function isSpent({ timings, now }: Core, order: Order, claim: AgreeingReads, isHeld: boolean): boolean {
  if (order.isAlive || claim.lastSentAt < order.endedAt + timings.settleMs) return false;
  return (!isHeld && order.isEndRead && claim.reads > 1) || now >= order.endedAt + timings.horizonMs;
}

/** True if the fees in the orders' own records are those of the fills that the difference would prove. */
export function isShown(opens: readonly Suspect[], closes: readonly Suspect[], gap: number): boolean {
  const up = sumOf(opens);
  const down = sumOf(closes);
  const fits = ({ order }: Suspect, least: number, most: number): boolean => {
    // What an order filled before it ended, a bracket or another party may have closed again: only its record shows it.
    if (order.kind === PLACE && !order.isAlive && !order.isEndRead) return false;
    // What a trigger order became has a record: without one, only a history that shows nobody else's tells whose lots these are.
    if (waitsForTrigger(order.kind)) return least <= 0;
    // Of an order without a price nothing is reported. That an ended order filled no more is a conclusion as well.
    if (!(order.average > 0) || (least <= 0 && order.isAlive)) return true;
    return order.context.feeRates.fits(order, order.filled + Math.max(0, least), order.filled + Math.min(most, order.remaining));
  };
  return (
    opens.every((one) => fits(one, gap - (up - one.most), gap + down)) &&
    closes.every((one) => fits(one, -gap - (down - one.most), up - gap))
  );
}

/** A difference, and the orders whose fills explain it. */
interface Explained {
  readonly opens: readonly Suspect[];
  readonly closes: readonly Suspect[];
  readonly gap: number;
  readonly claim: AgreeingReads;
  /** True if brackets may have closed a part of what `opens` filled. */
  readonly mayBeClosed: boolean;
}

/** Reports the fills that the difference proves. */
function reportAll(bookings: Bookings, leg: Leg, { opens, closes, gap, claim, mayBeClosed }: Explained): void {
  const up = sumOf(opens);
  const down = sumOf(closes);
  if (!mayBeClosed && closes.length === 0 && opens.length === 2 && opens.every(({ order }) => order.isEndRead || isFresh(order, claim))) {
    const first = byEntry(leg, opens[0]!, opens[1]!, gap);
    if (first >= 0) {
      prove(bookings, opens[0]!, first, first, claim);
      prove(bookings, opens[1]!, gap - first, gap - first, claim);
      return;
    }
  }
  for (const one of opens) prove(bookings, one, gap - (up - one.most), mayBeClosed ? Infinity : gap + down, claim);
  for (const one of closes) {
    const lots = byProfit(bookings.core, leg, one.order, claim);
    if (lots >= 0) prove(bookings, one, lots, lots, claim);
    else prove(bookings, one, -gap - (down - one.most), up - gap, claim);
  }
}

/**
 * How many lots of `gap` the first of two opening orders filled, from the change of the average entry price: the value of the leg is the
 * sum of both. −1 if no split or more than one fits.
 */
function byEntry(leg: Leg, a: Suspect, b: Suspect, gap: number): number {
  const after = leg.proven + gap;
  if (!(a.order.average > 0 && b.order.average > 0) || !(leg.shownEntry > 0) || !leg.isEntryExact) return -1;
  const worth = leg.shownEntry * after - (leg.total > 0 ? leg.entry * leg.total : 0);
  let found = -1;
  for (let lots = Math.max(0, gap - b.most); lots <= Math.min(gap, a.most); lots++) {
    const expected = worthOf(a.order, lots) + worthOf(b.order, gap - lots);
    if (Math.abs(expected - worth) > after * ENTRY_SLACK) continue;
    if (found >= 0) return -1;
    found = lots;
  }
  return found;
}

/** Value in ticks × lots of the next `lots` of the order, by its average price. */
function worthOf(order: Order, lots: number): number {
  return lots === 0 ? 0 : order.average * (order.filled + lots) - order.worth;
}

/**
 * How many more lots an ended closing order filled, from its profit: (average − entry) × lots. Needs an entry price that stayed equal from
 * its creation until after its end. −1 if that does not decide.
 */
function byProfit(core: Core, leg: Leg, order: Order, claim: AgreeingReads): number {
  const isSteady = order.isEndRead && leg.entrySince <= order.madeAt && claim.isShown && claim.updatedAt >= order.recordAt;
  if (order.isAlive || !isSteady || !(leg.shownEntry > 0)) return -1;
  const each = (order.average - leg.shownEntry) * core.instruments[leg.index >> 1]!.unitValue * (leg.index & 1 ? -1 : 1);
  let found = -1;
  for (let lots = 0; lots <= order.maybeFilled; lots++) {
    const filled = order.filled + lots;
    if (Math.abs(each * filled - order.realised) > filled + 2 + Math.abs(order.realised) * 1e-7) continue;
    if (found >= 0) return -1;
    found = lots;
  }
  return found;
}

/**
 * True if the current position was created after this opening order had ended. Unproven lots of an earlier close may still be in the local
 * total.
 */
function isOfBefore(order: Order, claim: AgreeingReads): boolean {
  return order.effect === OPEN && !order.isAlive && order.isEndRead && claim.isShown && claim.createdAt > order.recordAt + BEGIN_SLACK_MS;
}

/**
 * True if the order was sent after the read, and after the leg's last change that the read shows. A read may reach the venue after an order
 * that was sent later, so the read alone does not exclude it.
 */
function isLaterThan(order: Order, claim: AgreeingReads, { venueOffset }: FillInferenceCore): boolean {
  if (order.createdAt <= claim.lastSentAt || !claim.isShown) return false;
  return order.createdAt + venueOffset.leastSince(order.createdAt) - CLOCKS_APART_MS > claim.updatedAt;
}

/** Largest number of lots that the order may have filled beyond `filled` when the leg was as the claim shows. */
function mostAt(core: FillInferenceCore, order: Order, claim: AgreeingReads): number {
  if (order.createdAt > claim.shownBy || isLaterThan(order, claim, core)) return 0;
  if (!order.isAlive) return order.maybeFilled;
  // A list begun this much later shows at least all fills up to then.
  const isShownLater = order.shownAt >= claim.stateSince + core.timings.settleMs;
  return isShownLater ? Math.min(order.remaining, Math.max(0, order.shownMost - order.filled)) : order.remaining;
}

/**
 * True if the last list that showed the order is newer than the leg's last change, by venue time: then the leg holds no fill that the list
 * lacks. With an equal millisecond this holds only if the list shows a trade of that millisecond on the leg.
 */
function isFresh(order: Order, claim: AgreeingReads): boolean {
  return order.isAlive && claim.isShown && (order.shownFresh > claim.updatedAt || order.shownTraded === claim.updatedAt);
}

/** The order filled at least `least` lots more and, if the leg was read after its end, at most `most`. */
function prove(bookings: Bookings, { order }: Suspect, least: number, most: number, claim: AgreeingReads): void {
  const { core } = bookings;
  const isTraded = order.average > 0 || (waitsForTrigger(order.kind) && claim.lastSentAt >= claim.since + core.timings.settleMs);
  const lots = isTraded ? Math.min(least, order.remaining, Math.max(0, order.shownMost - order.filled)) : 0;
  assert(lots <= order.remaining, 'no more is inferred than an order has left', lots);
  if (lots > 0) {
    reportFill(bookings, order, lots);
    // Its end record shows the money of all that filled. Records of a trigger order may have no name of ours.
    if (order.kind === PLACE && !order.isEndRead) order.isRecordDue = true;
  }
  if (order.isAlive) return;
  const isAfterRecord = order.isEndRead && claim.isShown && claim.updatedAt >= order.recordAt;
  if (!isAfterRecord && claim.lastSentAt < order.endedAt + core.timings.settleMs) return;
  const left = most - Math.max(0, lots);
  if (left < order.maybeFilled) core.orders.doubt(order, Math.max(0, left));
  bookings.settleIfKnown(order);
}

/** Reports that own opening orders filled at least `lots` beyond the proven total. False if it is ambiguous which of them did. */
export function proveNeeded(core: FillInferenceCore, bookings: Bookings, leg: Leg, claim: AgreeingReads, lots: number): boolean {
  const { opens } = reachOf(core, leg, claim);
  const rest = sumOf(opens) - lots;
  const before = leg.proven;
  for (const one of opens) if (one.most > rest) prove(bookings, one, one.most - rest, Infinity, claim);
  return leg.proven - before === lots;
}

function sumOf(suspects: readonly Suspect[]): number {
  return suspects.reduce((sum, one) => sum + one.most, 0);
}
