/**
 * Decides whether an own trigger order may have fired when the venue created an order without our client id: trades of the market (E8) show
 * whether it came to the trigger then. Another party may place an order that looks just like what the trigger order becomes, at any price.
 */
import { assert } from '../../base/failure/assert.ts';
import { BY_LAST } from '../../domain/codes.ts';
import type { OrderReport, TradeReport } from '../../domain/report.ts';
import type { Answer, Query } from '../../ports/venue.ts';
import type { PendingQueries, QueryOwner } from '../polling/queries.ts';
import type { Core } from '../state/core.ts';
import { FIRED_BEFORE_MS, FIRED_WITHIN_MS } from '../state/records/brackets.ts';

/** The shared state that this file uses. */
interface TriggerEvidenceCore extends Core {
  /** Venue time of the current answer, or our time if answers carry none. */
  readonly venueNow: number;
}

/** The condition of a trigger order: price in ticks, 0 if unknown; BY_LAST or BY_MARK. */
interface Trigger {
  readonly trigger: number;
  readonly triggerBy: number;
}

/** Lowest and highest price in ticks at which the market was; all prices if trades do not show it. */
interface Span {
  readonly low: number;
  readonly high: number;
}

type Created = Pick<OrderReport, 'venueId' | 'instrument' | 'createdAt'>;

/** An order for which trades are to be read. */
interface Waiting extends Created {
  /** Called once it is known what they show. */
  readonly decided: () => void;
}

const ANY_PRICE: Span = { low: -Infinity, high: Infinity };
/** Number of market trades that are read: the most that one answer (E8) holds. */
const TRADES = 1_000;
/** Largest number of orders whose prices are kept. */
const REMEMBERED = 1_000;

export class TriggerEvidence implements QueryOwner {
  readonly #core: TriggerEvidenceCore;
  readonly #queries: PendingQueries;
  /** Prices when each order was created, by venue id; and the orders for which they are still to be read. */
  readonly #spans = new Map<string, Span>();
  readonly #waiting = new Map<string, Waiting>();
  readonly #asked = new Set<Query>();

  constructor(core: TriggerEvidenceCore, queries: PendingQueries) {
    this.#core = core;
    this.#queries = queries;
  }

  /** True if trades decide whether this trigger fired, and have not been read for the order `venueId`. */
  isOpen(trigger: Trigger, { venueId }: Created): boolean {
    return isByTrades(trigger) && !this.#spans.has(venueId);
  }

  /** False if the trigger cannot have fired when the order was created. */
  mayHaveFired(trigger: Trigger, { venueId }: Created): boolean {
    if (!isByTrades(trigger)) return true;
    const { low, high } = this.#spans.get(venueId) ?? ANY_PRICE;
    return low <= trigger.trigger && trigger.trigger <= high;
  }

  /** Reads the newest trades for this order; one read serves all orders of an instrument. `decided` is called when they decide. */
  ask({ venueId, instrument, createdAt }: Created, decided: () => void): void {
    assert(!this.#spans.has(venueId), 'trades are read for an order until they show where the market was', venueId);
    if (this.#waiting.size >= REMEMBERED) this.#waiting.clear();
    this.#waiting.set(venueId, { venueId, instrument, createdAt, decided });
    for (const query of this.#asked) if (query.instrument === instrument) return;
    const query: Query = { kind: 'trades', instrument, before: '', limit: TRADES };
    this.#asked.add(query);
    this.#queries.ask(query, this);
  }

  answered(query: Query, answer: Answer): void {
    this.#asked.delete(query);
    if (answer.kind !== 'trades') return;
    const trades = answer.trades.toSorted((a, b) => a.venueTime - b.venueTime);
    for (const one of this.#waitingFor(query)) {
      const span = spanOf(one, trades);
      // A list that ends before the order was created may be late.
      const isLate = (trades.at(-1)?.venueTime ?? Infinity) < one.createdAt && !this.#isOver(one);
      if (!isLate) this.#know(one, span);
    }
  }

  failed(query: Query): void {
    this.#asked.delete(query);
    for (const one of this.#waitingFor(query)) if (this.#isOver(one)) this.#know(one, ANY_PRICE);
  }

  #waitingFor({ instrument }: Query): Waiting[] {
    return [...this.#waiting.values()].filter((one) => one.instrument === instrument);
  }

  /** True if every list has what happened when the order was created. */
  #isOver({ createdAt }: Created): boolean {
    return this.#core.venueNow >= createdAt + this.#core.timings.settleMs;
  }

  #know({ venueId, decided }: Waiting, span: Span): void {
    this.#waiting.delete(venueId);
    if (this.#spans.size >= REMEMBERED) this.#spans.clear();
    this.#spans.set(venueId, span);
    decided();
  }
}

/** True if trades fire it. No read shows where the mark price was. */
function isByTrades({ trigger, triggerBy }: Trigger): boolean {
  return trigger > 0 && triggerBy === BY_LAST;
}

/** The prices from the last trade before the order might have fired until it was created. `trades`: oldest first. */
function spanOf({ createdAt }: Created, trades: readonly TradeReport[]): Span {
  const from = createdAt - FIRED_WITHIN_MS;
  const before = trades.findLast(({ venueTime }) => venueTime < from);
  // More trades were made since than one answer holds.
  if (before === undefined) return ANY_PRICE;
  const within = trades.filter(({ venueTime }) => venueTime >= from && venueTime <= createdAt + FIRED_BEFORE_MS);
  const prices = [before, ...within].map(({ price }) => price);
  return { low: Math.min(...prices), high: Math.max(...prices) };
}
