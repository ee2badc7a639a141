/**
 * Ids on the wire: futures orders `fu-<n>`, plan orders `fu-plan-<n>`, spot orders plain digits, and the client ids that
 * callers choose. The simulator knows numbers alone.
 */
import { FUTURES, PLAN, SPOT } from './kinds.ts';

/** The order id on the wire of order `no`. */
export function orderIdOf(kind: number, no: number): string {
  if (kind === SPOT) return String(no);
  return kind === PLAN ? `fu-plan-${no}` : `fu-${no}`;
}

/** The order number in an id of this kind, 0 when it is none. */
export function orderNoOf(kind: number, id: string): number {
  const prefix = kind === SPOT ? '' : kind === PLAN ? 'fu-plan-' : 'fu-';
  if (!id.startsWith(prefix)) return 0;
  const digits = id.slice(prefix.length);
  return /^[1-9][0-9]{0,14}$/.test(digits) ? Number(digits) : 0;
}

/** The bound that `idLessThan` sets on order numbers: digits, or an id as it was given out. 0 when it names no id. */
export function bareNoOf(id: string): number {
  return orderNoOf(SPOT, id) || orderNoOf(FUTURES, id) || orderNoOf(PLAN, id);
}

interface Snapshot {
  readonly ids: readonly string[];
  /** Pairs of account + id, and order number. */
  readonly orders: readonly (readonly [string, number])[];
}

/** Client ids by the tag that the simulator keeps for us, and order numbers by client id. */
export class ClientIds {
  /** By tag; tag 0 is "none given". */
  #ids: string[] = [''];
  #orders = new Map<string, number>();

  /** Notes an id that is about to be used and gives its tag; "" has tag 0. `drop` takes it back. */
  claim(clientId: string): number {
    if (clientId === '') return 0;
    return this.#ids.push(clientId) - 1;
  }

  /** Takes back the tag claimed last: its order was refused. */
  drop(tag: number): void {
    if (tag > 0) this.#ids.pop();
  }

  /** The claimed id became an order. */
  bind(account: number, clientId: string, orderNo: number): void {
    if (clientId !== '') this.#orders.set(keyOf(account, clientId), orderNo);
  }

  /** "" for tag 0. */
  idOf(tag: number): string {
    return this.#ids[tag] ?? '';
  }

  /** The order that last bore this id, 0 for none. */
  orderOf(account: number, clientId: string): number {
    return this.#orders.get(keyOf(account, clientId)) ?? 0;
  }

  snapshot(): Snapshot {
    return { ids: this.#ids, orders: [...this.#orders] };
  }

  restore(snapshot: unknown): void {
    const { ids, orders } = snapshot as Snapshot;
    this.#ids = [...ids];
    this.#orders = new Map(orders);
  }
}

function keyOf(account: number, clientId: string): string {
  return `${account} ${clientId}`;
}
