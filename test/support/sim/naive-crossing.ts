/**
 * Accounts that trade with each other and with the best prices of a book, implemented the slow and obvious way: plain arrays, sorted when
 * needed.
 */

export interface NaiveOrder {
  readonly no: number;
  readonly account: number;
  readonly isSell: boolean;
  /** null for a market order. */
  readonly price: number | null;
  left: number;
  isTaking: boolean;
}

/** [order, price, lots, true for the maker] */
export type NaiveFill = readonly [number, number, number, boolean];

export class NaiveCrossing {
  readonly fills: NaiveFill[] = [];
  readonly cancelled: number[] = [];
  working: NaiveOrder[] = [];
  #bid = 0;
  #bidSize = 0;
  #bidLeft = 0;
  #ask = Infinity;
  #askSize = 0;
  #askLeft = 0;

  arrive(order: NaiveOrder): void {
    this.#meet(order);
    if (order.left > 0 && this.#crosses(order)) {
      this.#take(order);
      order.isTaking = true;
    }
    if (order.left > 0) this.working.push(order);
  }

  cancel(no: number): void {
    if (!this.working.some((one) => one.no === no)) return;
    this.cancelled.push(no);
    this.working = this.working.filter((one) => one.no !== no);
  }

  quote(bid: number, bidSize: number, ask: number, askSize: number): void {
    if (bid !== this.#bid || bidSize !== this.#bidSize) this.#bidLeft = bidSize;
    if (ask !== this.#ask || askSize !== this.#askSize) this.#askLeft = askSize;
    [this.#bid, this.#bidSize, this.#ask, this.#askSize] = [bid, bidSize, ask, askSize];
    for (const isSell of [false, true]) {
      for (const order of this.#ranked(isSell)) {
        if (!order.isTaking || !this.working.includes(order)) continue;
        this.#meet(order);
        order.isTaking = this.#crosses(order);
        if (order.left > 0 && order.isTaking) this.#take(order);
        this.#sweep();
      }
    }
    for (const order of [...this.#ranked(false), ...this.#ranked(true)]) {
      if (order.isTaking || order.price === null) continue;
      const isReached = order.isSell ? order.price <= bid : order.price >= ask;
      if (isReached) this.#fill(order, order.price, this.#fromBook(order), true);
    }
    this.#sweep();
  }

  /** A trade of the recorded market. */
  trade(price: number, size: number): void {
    let left = size;
    for (const order of [...this.#ranked(false), ...this.#ranked(true)]) {
      if (order.isTaking || order.price === null) continue;
      if (order.isSell ? order.price > price : order.price < price) continue;
      const part = Math.min(left, order.left);
      this.#fill(order, order.price, part, true);
      left -= part;
    }
    this.#sweep();
  }

  /** Best price first, then oldest. */
  #ranked(isSell: boolean): NaiveOrder[] {
    const rank = (one: NaiveOrder): number => (one.price === null ? -Infinity : isSell ? one.price : -one.price);
    return this.working.filter((one) => one.isSell === isSell).sort((x, y) => rank(x) - rank(y) || x.no - y.no);
  }

  #meet(order: NaiveOrder): void {
    for (const other of this.#ranked(!order.isSell)) {
      const { price } = other;
      if (price === null || order.left === 0) continue;
      const isAccepted = order.price === null || (order.isSell ? price >= order.price : price <= order.price);
      const isAsGoodAsBook = order.isSell ? price >= this.#bid : price <= this.#ask;
      if (!isAccepted || !isAsGoodAsBook) continue;
      if (other.account === order.account) {
        this.cancel(other.no);
        continue;
      }
      const size = Math.min(order.left, other.left);
      this.#fill(other, price, size, true);
      this.#fill(order, price, size, false);
      this.#sweep();
    }
  }

  #crosses(order: NaiveOrder): boolean {
    if (order.price === null) return true;
    return order.isSell ? this.#bid > 0 && order.price <= this.#bid : order.price >= this.#ask;
  }

  #take(order: NaiveOrder): void {
    const price = order.isSell ? this.#bid : this.#ask;
    if (price > 0 && price < Infinity) this.#fill(order, price, this.#fromBook(order), false);
  }

  #fromBook(order: NaiveOrder): number {
    const size = Math.min(order.left, order.isSell ? this.#bidLeft : this.#askLeft);
    if (order.isSell) this.#bidLeft -= size;
    else this.#askLeft -= size;
    return size;
  }

  #fill(order: NaiveOrder, price: number, size: number, isMaker: boolean): void {
    if (size === 0) return;
    order.left -= size;
    this.fills.push([order.no, price, size, isMaker]);
  }

  #sweep(): void {
    this.working = this.working.filter((one) => one.left > 0);
  }
}
