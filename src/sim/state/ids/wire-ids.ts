/**
 * Converts order numbers to wire ids: futures orders `fu-<n>`, trigger orders `fu-plan-<n>`, spot orders plain digits. Also keeps the client
 * ids that callers choose. The simulator itself uses only numbers.
 */
import { FUTURES, TRIGGER, SPOT } from '../kinds.ts';
import { Lazy } from '../../../base/lazy.ts';
import { SpentIds, type SavedIds } from './spent-ids.ts';

/** The wire id of order `no`. */
export function orderIdOf(kind: number, no: number): string {
  if (kind === SPOT) return String(no);
  return kind === TRIGGER ? `fu-plan-${no}` : `fu-${no}`;
}

/** The order number in an id of this kind; 0 if it is not one. */
export function orderNoOf(kind: number, id: string): number {
  const prefix = kind === SPOT ? '' : kind === TRIGGER ? 'fu-plan-' : 'fu-';
  if (!id.startsWith(prefix)) return 0;
  const digits = id.slice(prefix.length);
  return /^[1-9][0-9]{0,14}$/.test(digits) ? Number(digits) : 0;
}

/** The order number of an `idLessThan`: digits, or a wire id. 0 if it is neither. */
export function bareNoOf(id: string): number {
  return orderNoOf(SPOT, id) || orderNoOf(FUTURES, id) || orderNoOf(TRIGGER, id);
}

/** A client id that an order has or is about to get. */
interface Claim {
  readonly tag: number;
  readonly clientId: string;
  account: number;
  /** 0 until the order exists. */
  orderNo: number;
}

interface Snapshot {
  readonly lastTag: number;
  readonly sweepAt: number;
  readonly claims: readonly Claim[];
  readonly spent: SavedIds;
}

/** Number of claims before the first sweep of forgotten orders. */
const SWEEP_MIN = 4_096;
/** Most new claims until the next sweep, so that one sweep stays short. */
const SWEEP_MOST = 1 << 14;

/** Client ids by tag (the simulator stores a tag with each order), and order numbers by client id. Bounded by the number of known orders. */
export class ClientIds {
  /** By tag; tag 0 means no client id. */
  readonly #claims = new Map<number, Claim>();
  readonly #orders = new Map<string, Claim>();
  /** Client ids of orders that the simulator has forgotten. */
  readonly #spent = new SpentIds();
  #lastTag = 0;
  #sweepAt = SWEEP_MIN;

  /** Claims an id for a new order and returns its tag; "" has tag 0. `drop` undoes it. */
  claim(clientId: string): number {
    if (clientId === '') return 0;
    const tag = ++this.#lastTag;
    this.#claims.set(tag, { tag, clientId, account: -1, orderNo: 0 });
    return tag;
  }

  /** Undoes the last claim, because its order was refused. */
  drop(tag: number): void {
    if (tag > 0 && this.#claims.delete(tag)) this.#lastTag--;
  }

  /** Assigns the order number to the last claim. */
  bind(account: number, clientId: string, orderNo: number): void {
    const claim = this.#claims.get(this.#lastTag);
    if (clientId === '' || claim === undefined) return;
    claim.account = account;
    claim.orderNo = orderNo;
    this.#orders.set(keyOf(account, clientId), claim);
  }

  /** True if enough ids were claimed since the last sweep. */
  get isSweepDue(): boolean {
    return this.#claims.size >= this.#sweepAt;
  }

  /** Keeps the claims with these `tags`; of the others only the fact that the id was used. */
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

  /** The client id of a tag; "" for tag 0. */
  idOf(tag: number): string {
    return this.#claims.get(tag)?.clientId ?? '';
  }

  /** Number of the newest order with this client id; 0 for none. */
  orderOf(account: number, clientId: string): number {
    return this.#orders.get(keyOf(account, clientId))?.orderNo ?? 0;
  }

  /** Tag of this client id; 0 for none. */
  tagOf(account: number, clientId: string): number {
    return this.#orders.get(keyOf(account, clientId))?.tag ?? 0;
  }

  /** True if a forgotten order had this client id. */
  isSpent(account: number, clientId: string): boolean {
    return this.#spent.has(keyOf(account, clientId));
  }

  /** The state as JSON values, some of them lazy (base/lazy.ts). */
  snapshot(): unknown {
    // A claim with an order number does not change any more, so the reference can be kept.
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
      // In order of tags, so that the newest order with an id wins.
      this.#orders.set(keyOf(claim.account, claim.clientId), claim);
    }
    this.#spent.restore(spent);
  }
}

function keyOf(account: number, clientId: string): string {
  return `${account} ${clientId}`;
}
