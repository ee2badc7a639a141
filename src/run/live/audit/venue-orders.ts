/**
 * Reads what the ledger of a paper exchange says of one account: its orders with their fills and ends, and its money. Each has the number
 * of its line. Units as in the ledger: ticks, lots, 10⁻⁸ of a coin.
 */
import type { LedgerLine, LedgerOrder, NumberedLine } from '../../../edge/file/ledger/read-ledger.ts';
import type { Filled } from './own-orders.ts';

export interface VenueOrder extends Filled {
  /** Number of the line that creates it, and of the last line about it. */
  readonly line: number;
  readonly lastLine: number;
  readonly at: number;
  readonly order: LedgerOrder['order'];
  readonly worth: number;
  readonly fee: number;
  readonly profit: number;
  /** State in which it ended, and when; null while it is open. */
  readonly ended: number | null;
  /** Time of its last fill or of its end; that of its creation before. */
  readonly changedAt: number;
}

/** A movement of money in the futures wallet. */
export interface VenueCash {
  readonly line: number;
  readonly coin: string;
  readonly amount: number;
  readonly why: string;
  /** Time when it moved, at the earliest and at the latest: of fees and profit the time of their fill, of the rest that of the lines beside it. */
  readonly from: number;
  to: number;
}

/** A change of a leg. */
export interface VenueFill {
  readonly line: number;
  readonly at: number;
  /** By 2 · instrument + side. */
  readonly leg: number;
  /** Signed. */
  readonly lots: number;
}

type Changing<T> = { -readonly [K in keyof T]: T[K] };

export class VenueOrders {
  /** Name of the account. */
  readonly account: string;
  /** By number, in order. */
  readonly orders = new Map<number, VenueOrder>();
  readonly cash: VenueCash[] = [];
  readonly fills: VenueFill[] = [];
  readonly #changing: Map<number, Changing<VenueOrder>>;
  #time = 0;
  /** Cash since the last line with a time. */
  #untimed = 0;

  constructor(account: string) {
    this.account = account;
    this.#changing = this.orders;
  }

  take(line: NumberedLine): void {
    const time = timeOf(line);
    if (time !== null) this.#passes(time);
    const { n } = line;
    if (line.kind === 'order') {
      if (line.order['account'] !== this.account) return;
      const at = Number(line.order['createdAt']);
      const none = { lots: 0, worth: 0, fee: 0, profit: 0, ended: null };
      this.#changing.set(line.order.no, { line: n, lastLine: n, at, order: line.order, changedAt: at, ...none });
    } else if (line.kind === 'fill') {
      const { account, orderNo, time: at, instrument, side, effect, price, size, fee, realised } = line.fill;
      if (account !== this.account) return;
      this.fills.push({ line: n, at, leg: 2 * instrument + side, lots: effect === 0 ? size : -size });
      const order = this.#changing.get(orderNo);
      if (order === undefined) return;
      order.lots += size;
      order.worth += price * size;
      order.fee += fee;
      order.profit += realised;
      Object.assign(order, { lastLine: n, changedAt: at });
    } else if (line.kind === 'end') {
      const order = this.#changing.get(line.orderNo);
      if (order !== undefined) Object.assign(order, { ended: line.how, lastLine: n, changedAt: Math.max(order.changedAt, this.#time) });
    } else if (line.kind === 'cash' && line.account === this.account && line.wallet === 'futures') {
      const { coin, amount, why } = line;
      const isOfFill = why === 'fee' || why === 'realised';
      this.cash.push({ line: n, coin, amount, why, from: this.#time, to: isOfFill ? this.#time : Infinity });
    }
  }

  #passes(time: number): void {
    for (const one of this.cash.slice(this.#untimed)) one.to = Math.min(one.to, Math.max(time, one.from));
    this.#untimed = this.cash.length;
    this.#time = Math.max(this.#time, time);
  }
}

function timeOf(line: LedgerLine): number | null {
  if (line.kind === 'fill') return line.fill.time;
  if (line.kind === 'step') return line.step.time;
  if (line.kind === 'order') return Number(line.order['createdAt']);
  return 'time' in line ? line.time : null;
}
