/** Closed trades of each strategy, from the records of a journal. */
import { Decimal } from '../../../domain/amounts/decimal.ts';
import { NETTING } from '../../../domain/strategy-name.ts';
import type { JournalRecord } from '../../../ports/store.ts';
import { SIDES } from '../../../domain/codes.ts';
import { fillOf, isPlaced, isWithin, type Window } from './fill-answers.ts';
import { isLeg, isMoney, MoneyReader, type Money } from './money-reader.ts';
import { isInScope } from './views.ts';

export interface Trade {
  readonly symbol: string;
  readonly side: string;
  /** "external" for lots that no strategy opened. */
  readonly strategy: string;
  readonly openedAt: number;
  readonly closedAt: number;
  readonly size: string;
  readonly fills: number;
  readonly profit: string;
  readonly fees: string;
}

/** Trades that ended in the window. The fills of a strategy in a leg make one trade from its first lot until it holds none. */
export async function tradesIn(
  records: AsyncIterable<JournalRecord> | Iterable<JournalRecord>,
  { scope = '', from, to, last }: Window,
): Promise<Trade[]> {
  const trades = new Trades();
  for await (const record of records) trades.take(record);
  const found = trades.closed.filter((trade) => isWithin(trade.closedAt, { from, to }) && isInScope(scope, trade));
  return last === undefined ? found : last === 0 ? [] : found.slice(-last);
}

class Course {
  readonly openedAt: number;
  closedAt = 0;
  size = new Decimal(0);
  profit = new Decimal(0);
  fees = new Decimal(0);
  fills = 0;

  constructor(openedAt: number) {
    this.openedAt = openedAt;
  }
}

interface Of {
  readonly symbol: string;
  readonly side: string;
  readonly strategy: string;
}

class Trades {
  readonly #reader = new MoneyReader();
  /** By number of the order. */
  readonly #sides = new Map<number, string>();
  /** The newest trade of each strategy in each leg. */
  readonly #newest = new Map<string, Course>();
  readonly #ended: (readonly [Of, Course])[] = [];
  /** The trade of the newest fill of each order and holder, and money of orders that have not filled yet. */
  readonly #byOrder = new Map<string, Course>();
  readonly #early = new Map<string, { profit: Decimal; fees: Decimal }>();

  get closed(): Trade[] {
    return this.#ended.map(([of, { openedAt, closedAt, size, fills, profit, fees }]) => {
      return { ...of, openedAt, closedAt, size: size.toFixed(), fills, profit: profit.toFixed(8), fees: fees.toFixed(8) };
    });
  }

  take(record: JournalRecord): void {
    if (isPlaced(record)) this.#sides.set(record.seq, SIDES[Number(record.data['side'])]!);
    if (!isMoney(record)) return;
    const money = this.#reader.read(record);
    const order = money?.fill === null ? Number(record.data['order']) : record.seq;
    const { symbol, side: said } = fillOf(record);
    // Records of older versions about the money of an order lack the side.
    const side = said || (this.#sides.get(order) ?? '');
    if (money === null || record.kind === 'funding' || !isLeg(side)) return;
    for (const part of money.parts) {
      if (part.strategy === NETTING) continue;
      const of = { symbol, side, strategy: part.strategy };
      const key = `${symbol} ${side} ${part.strategy}`;
      if (money.fill === null) this.#late(`${order} ${key}`, key, part);
      else this.#fill(record, money, part, of, `${order} ${key}`, key);
    }
  }

  #fill({ time }: JournalRecord, { fill }: Money, part: Money['parts'][number], of: Of, byOrder: string, key: string): void {
    let course = this.#newest.get(key);
    if (course === undefined || course.closedAt > 0) this.#newest.set(key, (course = new Course(time)));
    this.#byOrder.set(byOrder, course);
    const early = this.#early.get(byOrder);
    this.#early.delete(byOrder);
    course.fills++;
    course.profit = course.profit.plus(part.profit).plus(early?.profit ?? 0);
    course.fees = course.fees.plus(part.fee).plus(early?.fees ?? 0);
    if (fill?.effect === 'OPEN' && fill.size !== '') course.size = course.size.plus(fill.size);
    if (!this.#reader.sizeOf(of.symbol, of.side, of.strategy).isZero()) return;
    course.closedAt = time;
    this.#ended.push([of, course]);
  }

  /** Money of an order, before or after its fills. */
  #late(byOrder: string, key: string, { profit, fee }: Money['parts'][number]): void {
    const course = this.#byOrder.get(byOrder) ?? (byOrder.startsWith('0 ') ? this.#newest.get(key) : undefined);
    if (course !== undefined) {
      course.profit = course.profit.plus(profit);
      course.fees = course.fees.plus(fee);
      return;
    }
    const early = this.#early.get(byOrder) ?? { profit: new Decimal(0), fees: new Decimal(0) };
    this.#early.set(byOrder, { profit: early.profit.plus(profit), fees: early.fees.plus(fee) });
  }
}
