/**
 * Ids on the wire: futures orders `fu-<n>`, plan orders `fu-plan-<n>`, spot orders plain digits, and the client ids that
 * callers choose. The simulator knows numbers alone.
 */
import { FUTURES, TRIGGER, SPOT } from './kinds.ts';
import { Lazy } from '../../base/lazy.ts';
import { SpentIds, type SavedIds } from './spent-ids.ts';

/** The order id on the wire of order `no`. */
export function orderIdOf(kind: number, no: number): string {
  if (kind === SPOT) return String(no);
  return kind === TRIGGER ? `fu-plan-${no}` : `fu-${no}`;
}

/** The order number in an id of this kind, 0 when it is none. */
export function orderNoOf(kind: number, id: string): number {
  const prefix = kind === SPOT ? '' : kind === TRIGGER ? 'fu-plan-' : 'fu-';
  if (!id.startsWith(prefix)) return 0;
  const digits = id.slice(prefix.length);
  return /^[1-9][0-9]{0,14}$/.test(digits) ? Number(digits) : 0;
}

/** The bound that `idLessThan` sets on order numbers: digits, or an id as it was given out. 0 when it names no id. */
export function bareNoOf(id: string): number {
  return orderNoOf(SPOT, id) || orderNoOf(FUTURES, id) || orderNoOf(TRIGGER, id);
}

/** A client id that an order has, or is about to have. */
interface Claim {
  readonly tag: number;
  readonly clientId: string;
  account: number;
  /** 0 until there is one. */
  orderNo: number;
}

interface Snapshot {
  readonly lastTag: number;
  readonly sweepAt: number;
  readonly claims: readonly Claim[];
  readonly spent: SavedIds;
}

/** Claims that are kept before the first look whether their orders are still known. */
const SWEEP_MIN = 4_096;
/** New claims before the next look, however many there are: one look holds up everybody else. */
const SWEEP_MOST = 1 << 14;

/** Client ids by the tag that the simulator keeps for us, and order numbers by client id. Bounded by the orders that are known. */
export class ClientIds {
  /** By tag; tag 0 is "none given". */
  readonly #claims = new Map<number, Claim>();
  readonly #orders = new Map<string, Claim>();
  /** Ids of orders that the simulator has forgotten. */
  readonly #spent = new SpentIds();
  #lastTag = 0;
  #sweepAt = SWEEP_MIN;

  /** Notes an id that is about to be used and gives its tag; "" has tag 0. `drop` takes it back. */
  claim(clientId: string): number {
    if (clientId === '') return 0;
    const tag = ++this.#lastTag;
    this.#claims.set(tag, { tag, clientId, account: -1, orderNo: 0 });
    return tag;
  }

  /** Takes back the tag claimed last: its order was refused. */
  drop(tag: number): void {
    if (tag > 0 && this.#claims.delete(tag)) this.#lastTag--;
  }

  /** The id claimed last became an order. */
  bind(account: number, clientId: string, orderNo: number): void {
    const claim = this.#claims.get(this.#lastTag);
    if (clientId === '' || claim === undefined) return;
    claim.account = account;
    claim.orderNo = orderNo;
    this.#orders.set(keyOf(account, clientId), claim);
  }

  /** Whether so many ids have come that `sweep` is worth its while. */
  get isSweepDue(): boolean {
    return this.#claims.size >= this.#sweepAt;
  }

  /** Keeps the ids of the orders with these `tags`; of the others only that they were used. */
  sweep(tags: ReadonlySet<number>): void {
    for (const [tag, claim] of this.#claims) {
      if (tags.has(tag)) continue;
      this.#claims.delete(tag);
      const key = keyOf(claim.account, claim.clientId);
      if (this.#orders.get(key) !== claim) continue;
      this.#orders.delete(key);
      this.#spent.add(key);
    }
    this.#sweepAt = Math.max(SWEEP_MIN, this.#claims.size + Math.min(this.#claims.size, SWEEP_MOST));
  }

  /** "" for tag 0. */
  idOf(tag: number): string {
    return this.#claims.get(tag)?.clientId ?? '';
  }

  /** The order that last bore this id, 0 for none. */
  orderOf(account: number, clientId: string): number {
    return this.#orders.get(keyOf(account, clientId))?.orderNo ?? 0;
  }

  /** The tag of the claim of this id, 0 for none. */
  tagOf(account: number, clientId: string): number {
    return this.#orders.get(keyOf(account, clientId))?.tag ?? 0;
  }

  /** Whether an order that is forgotten bore this id. */
  isSpent(account: number, clientId: string): boolean {
    return this.#spent.has(keyOf(account, clientId));
  }

  /** As JSON values, of which some are late. */
  snapshot(): unknown {
    // Once an order has the id, a claim changes nothing any more.
    const claims = [...this.#claims.values()];
    return { lastTag: this.#lastTag, sweepAt: this.#sweepAt, claims: new Lazy(() => claims), spent: this.#spent.snapshot() };
  }

  restore(snapshot: unknown): void {
    const { lastTag, sweepAt, claims, spent } = snapshot as Snapshot;
    this.#lastTag = lastTag;
    this.#sweepAt = sweepAt;
    this.#claims.clear();
    this.#orders.clear();
    for (const one of claims) {
      const claim = { ...one };
      this.#claims.set(claim.tag, claim);
      // In the order of their tags, so that of one id the newest order has it.
      this.#orders.set(keyOf(claim.account, claim.clientId), claim);
    }
    this.#spent.restore(spent);
  }
}

function keyOf(account: number, clientId: string): string {
  return `${account} ${clientId}`;
}
