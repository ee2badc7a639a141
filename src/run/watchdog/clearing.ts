/**
 * Cancels the own opening orders of a silent bot, until two complete lists in a row show none. Both lists begin after the horizon, because an
 * order that is on its way may land until then. An answer that is missing or unclear proves nothing: the request is repeated, and read again.
 */
import { PLACE_TRIGGER } from '../../domain/codes.ts';
import type { Log } from '../../ports/log.ts';
import type { ListedOpen, OpenOrder, OpensAtVenue, ShapedOpen } from './opens-at-venue.ts';
import type { UnlistedOpen } from './unlisted-opens.ts';

export interface ClearingDeps {
  readonly venue: Pick<OpensAtVenue, 'list' | 'cancel'>;
  /** Steady milliseconds. */
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
  readonly log: Log;
  /** Cancels a second. */
  readonly cancelRate: number;
  /** True if the bot is answerable for its orders again. */
  readonly isOver: () => boolean;
  /** Called for each cancelled order, and for each look: how many own opening orders are left as far as is known, and why more is not known. */
  readonly onCancelled: (order: ShapedOpen) => void;
  readonly onLook: (left: number, problem: string) => void;
}

export interface ClearingTask {
  /** Orders of later epochs are another process's. */
  readonly epoch: number;
  /** Steady time from which on nothing of that epoch leaves; Infinity if that cannot be said. */
  readonly fencedAt: () => number;
  readonly horizonMs: number;
  /** As far as is known: the bot may have named one right before it fell silent. */
  readonly unlisted: () => readonly UnlistedOpen[];
}

/** Lists in a row that must show no own opening order. */
const LISTS = 2;
/** Pauses between two looks: while something is to be cancelled, and while only the end of the horizon is awaited. */
const SOON_MS = 250;
const LATER_MS = 1_000;
/** Longest pause after failures in a row, each twice the one before. */
const FAILED_MOST_MS = 2_000;

/** True when it is done, false if the bot took over before. */
export async function clearOpens(task: ClearingTask, deps: ClearingDeps): Promise<boolean> {
  const { venue, now, pause, isOver, onLook } = deps;
  const { epoch, fencedAt, horizonMs } = task;
  const answered = new Map<string, number>();
  const settled = new Set<string>();
  const gone = new Set<string>();
  let [clear, failures] = [0, 0];
  while (!isOver()) {
    const isLate = now() >= fencedAt() + horizonMs;
    const found = await venue.list(epoch);
    // What the bot has said before this answer is heard first: that it opens again.
    await pause(0);
    if (isOver()) return false;
    const failure = 'unknown' in found ? found.unknown : '';
    const listed = 'unknown' in found ? [] : ownOf(found, task.unlisted(), gone);
    // A list may be late: an order whose end was answered is not cancelled again while it may be.
    const wanted = listed.filter((order) => (answered.get(nameOf(order)) ?? -Infinity) <= now() - horizonMs);
    await cancelAll(wanted, answered, deps);
    const problem = await cancelUnlisted(task.unlisted(), { settled, gone }, isLate, deps);
    if (isOver()) return false;
    const left = listed.length + task.unlisted().filter(({ clientId }) => !settled.has(clientId)).length;
    onLook(left, failure === '' ? problem : failure);
    failures = failure === '' ? 0 : failures + 1;
    clear = failure === '' && isLate && left === 0 ? clear + 1 : 0;
    if (clear === LISTS) return true;
    if (failure !== '') await pause(Math.min(FAILED_MOST_MS, (SOON_MS / 2) * 2 ** failures));
    else await pause(left > 0 ? SOON_MS : LATER_MS);
  }
  return false;
}

/**
 * The own ones of a list. A venue may give the order that a trigger order became ids of its own. It is known by the id that the bot found for it,
 * or else, once the venue does not know the trigger order, by symbol, side, size and price; not by its age, because clocks differ. If more
 * orders are alike than trigger orders, another party has one of them, and none is touched.
 */
function ownOf(listed: readonly ListedOpen[], unlisted: readonly UnlistedOpen[], gone: ReadonlySet<string>): ShapedOpen[] {
  const named = new Set(unlisted.map(({ venueId }) => venueId).filter((venueId) => venueId !== ''));
  const isLike = (trigger: UnlistedOpen, order: ListedOpen): boolean =>
    trigger.kind === PLACE_TRIGGER &&
    gone.has(trigger.clientId) &&
    trigger.symbol === order.symbol &&
    trigger.side === order.side &&
    trigger.size === order.size &&
    trigger.price === order.price;
  const isSame = (a: ListedOpen, b: ListedOpen): boolean =>
    a.symbol === b.symbol && a.side === b.side && a.size === b.size && a.price === b.price;
  const isOwn = (order: ListedOpen): boolean => {
    if (order.isOwn || named.has(order.venueId)) return true;
    const triggers = unlisted.filter((trigger) => isLike(trigger, order));
    return triggers.length > 0 && listed.filter((one) => !one.isOwn && isSame(one, order)).length <= triggers.length;
  };
  // An id of another party would name another order, or none.
  return listed.filter(isOwn).map((order) => (order.isOwn ? order : { ...order, clientId: '' }));
}

function nameOf({ clientId, venueId }: OpenOrder): string {
  return clientId === '' ? venueId : clientId;
}

/** Only lists show that none is left: the answers save repeats. Notes in `answered` when an order's end was answered. */
async function cancelAll(orders: readonly ShapedOpen[], answered: Map<string, number>, deps: ClearingDeps): Promise<void> {
  const { venue, now, pause, cancelRate, isOver, onCancelled } = deps;
  const sent: Promise<void>[] = [];
  for (const order of orders) {
    if (isOver()) break;
    sent.push(
      venue.cancel(order).then((cancelled) => {
        if (cancelled !== 'ended') return;
        answered.set(nameOf(order), now());
        onCancelled(order);
      }),
    );
    if (sent.length < orders.length) await pause(1_000 / cancelRate);
  }
  await Promise.all(sent);
}

/**
 * No list shows these, so their own answers count: an end counts at once, and that the venue knows no such order counts after the horizon,
 * because it may be on its way before. Both are noted in `settled`,
 * and what the venue did not know in `gone`. Returns why one of them is not known; "" if none.
 */
async function cancelUnlisted(
  orders: readonly UnlistedOpen[],
  { settled, gone }: { readonly settled: Set<string>; readonly gone: Set<string> },
  isLate: boolean,
  deps: ClearingDeps,
): Promise<string> {
  const { venue, pause, cancelRate, isOver, log, onCancelled } = deps;
  let problem = '';
  for (const order of orders) {
    const { clientId, symbol } = order;
    if (settled.has(clientId)) continue;
    if (isOver()) break;
    const cancelled = await venue.cancel(order);
    if (cancelled === 'gone') gone.add(clientId);
    if (cancelled === 'ended') {
      gone.delete(clientId);
      onCancelled(order);
    }
    if (cancelled === 'ended' || (cancelled === 'gone' && isLate)) settled.add(clientId);
    if (typeof cancelled === 'object') problem = cancelled.unknown;
    if (cancelled === 'gone' && isLate) log.warn('watchdog-order-gone', { clientId, symbol });
    if (orders.length > 1) await pause(1_000 / cancelRate);
  }
  return problem;
}
