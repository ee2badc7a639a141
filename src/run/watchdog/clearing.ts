/**
 * Cancels the own opening orders of a silent bot, until two complete lists in a row show none. Both lists begin after the horizon, because an
 * order that is on its way may land until then. An answer that is missing or unclear proves nothing: the request is repeated, and read again.
 */
import type { Log } from '../../ports/log.ts';
import type { UnlistedOpen } from './beat.ts';
import type { OpenOrder, OpensAtVenue } from './opens-at-venue.ts';

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
  readonly onCancelled: (order: OpenOrder) => void;
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
  let [clear, failures] = [0, 0];
  while (!isOver()) {
    const isLate = now() >= fencedAt() + horizonMs;
    const problem = await cancelUnlisted(task.unlisted(), settled, isLate, deps);
    const listed = await venue.list(epoch);
    const unlisted = task.unlisted().filter(({ clientId }) => !settled.has(clientId)).length;
    if (isOver()) return false;
    if ('unknown' in listed) {
      clear = 0;
      onLook(unlisted, listed.unknown);
      await pause(Math.min(FAILED_MOST_MS, SOON_MS * 2 ** failures++));
      continue;
    }
    failures = 0;
    onLook(listed.length + unlisted, problem);
    if (listed.length > 0) {
      clear = 0;
      // A list may be late: an order whose end was answered is not cancelled again while it may be.
      const wanted = listed.filter(({ clientId }) => (answered.get(clientId) ?? -Infinity) <= now() - horizonMs);
      await cancelAll(wanted, answered, deps);
    } else if (isLate && unlisted === 0 && ++clear === LISTS) return true;
    await pause(listed.length + unlisted > 0 ? SOON_MS : LATER_MS);
  }
  return false;
}

/** Only lists show that none is left: the answers save repeats. Notes in `answered` when an order's end was answered. */
async function cancelAll(orders: readonly OpenOrder[], answered: Map<string, number>, deps: ClearingDeps): Promise<void> {
  const { venue, now, pause, cancelRate, isOver, onCancelled } = deps;
  const sent: Promise<void>[] = [];
  for (const order of orders) {
    if (isOver()) break;
    sent.push(
      venue.cancel(order).then((cancelled) => {
        if (cancelled !== 'ended') return;
        answered.set(order.clientId, now());
        onCancelled(order);
      }),
    );
    if (sent.length < orders.length) await pause(1_000 / cancelRate);
  }
  await Promise.all(sent);
}

/**
 * No list shows these, so their own answers count: an end counts at once, and that the venue knows no such order counts after the horizon,
 * because it may be on its way before. Both are noted in `settled`. Returns why one of them is not known; "" if none.
 */
async function cancelUnlisted(orders: readonly UnlistedOpen[], settled: Set<string>, isLate: boolean, deps: ClearingDeps): Promise<string> {
  const { venue, pause, cancelRate, log, onCancelled } = deps;
  let problem = '';
  for (const order of orders) {
    const { clientId, symbol } = order;
    if (settled.has(clientId)) continue;
    const cancelled = await venue.cancel(order);
    if (cancelled === 'ended') onCancelled(order);
    if (cancelled === 'ended' || (cancelled === 'gone' && isLate)) settled.add(clientId);
    if (typeof cancelled === 'object') problem = cancelled.unknown;
    if (cancelled === 'gone' && isLate) log.warn('watchdog-order-gone', { clientId, symbol });
    if (orders.length > 1) await pause(1_000 / cancelRate);
  }
  return problem;
}
