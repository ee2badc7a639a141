/**
 * The resting orders that are far from the best of their side, in price-time order: sorted blocks of bounded length, the best block last and
 * the best order of a block last. Inserting and removing moves the orders of one block, however many orders rest.
 */
import { firstIndex } from '../../../base/collections/first-index.ts';
import { assert } from '../../../base/failure/assert.ts';

/** What ranks an order. */
interface Ranked {
  /** Limit price in ticks. */
  readonly key: number;
  /** Grows with time. */
  readonly no: number;
}

/** Most orders of a block; a longer one is divided. */
const BLOCK = 256;

/** True if `order` ranks before `other`: by key in the direction of `sign`, then the older first. */
function isBefore(order: Ranked, other: Ranked, sign: number): boolean {
  const ahead = (order.key - other.key) * sign;
  return ahead > 0 || (ahead === 0 && order.no < other.no);
}

export class FarOrders<Order extends Ranked> {
  count = 0;
  /** None is empty. */
  #blocks: Order[][] = [];
  readonly #sign: number;

  constructor(sign: number) {
    this.#sign = sign;
  }

  /** The best of them; undefined if there is none. */
  get best(): Order | undefined {
    return this.#blocks.at(-1)?.at(-1);
  }

  insert(order: Order): void {
    this.count++;
    const blocks = this.#blocks;
    const b = Math.min(this.#blockOf(order), blocks.length - 1);
    if (b < 0) {
      blocks.push([order]);
      return;
    }
    const block = blocks[b]!;
    block.splice(this.#placeIn(block, order), 0, order);
    if (block.length > BLOCK) blocks.splice(b + 1, 0, block.splice(BLOCK / 2));
  }

  remove(order: Order): void {
    this.count--;
    const b = this.#blockOf(order);
    const block = this.#blocks[b] ?? [];
    const at = this.#placeIn(block, order);
    assert(block[at] === order, 'an order that is removed from a book rests in it');
    block.splice(at, 1);
    if (block.length === 0) this.#blocks.splice(b, 1);
  }

  /** Adds orders that rank before all of these, sorted, the best last. */
  append(orders: readonly Order[]): void {
    this.count += orders.length;
    for (let k = 0; k < orders.length; k += BLOCK / 2) this.#blocks.push(orders.slice(k, k + BLOCK / 2));
  }

  /** Removes and returns the best block, and all others with an order at the key or better; the best order last. */
  takeTo(key: number): Order[] {
    const blocks = this.#blocks;
    const first = firstIndex(0, blocks.length, (k) => (blocks[k]!.at(-1)!.key - key) * this.#sign >= 0);
    const taken = blocks.splice(Math.min(first, blocks.length - 1)).flat();
    this.count -= taken.length;
    return taken;
  }

  clear(): void {
    this.count = 0;
    this.#blocks = [];
  }

  forEach(visit: (order: Order) => void): void {
    for (const block of this.#blocks) block.forEach(visit);
  }

  /** A copy, worst first. */
  list(): Order[] {
    return this.#blocks.flat();
  }

  /** Number of the block where the order is or belongs: the first whose best is the order or ranks before it. */
  #blockOf(order: Order): number {
    return firstIndex(0, this.#blocks.length, (k) => !isBefore(order, this.#blocks[k]!.at(-1)!, this.#sign));
  }

  #placeIn(block: readonly Order[], order: Order): number {
    return firstIndex(0, block.length, (k) => !isBefore(order, block[k]!, this.#sign));
  }
}
