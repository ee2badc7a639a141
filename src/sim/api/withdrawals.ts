/** Answers withdrawals (E5). The operator adds the records; they change no balance. */
import { refuse, type Answer, type Withdrawal } from './endpoint-context.ts';

/** Most records per account; the oldest ids are dropped first. */
const KEPT = 10_000;
const FIRST_ID = 1_000_001;

/** Withdrawal records by account, newest id first. */
export class Withdrawals {
  #records: Withdrawal[][] = [];

  /** Adds the record, or replaces the one with its orderId, for example with a new status. */
  put(account: number, record: Withdrawal): void {
    const others = this.of(account).filter((one) => one.orderId !== record.orderId);
    this.#records[account] = [...others, record].sort((x, y) => compareIds(y.orderId, x.orderId)).slice(0, KEPT);
  }

  /** An id above all numeric ids of the account. */
  nextId(account: number): string {
    const numbers = this.of(account).map(({ orderId }) => (/^\d{1,15}$/.test(orderId) ? Number(orderId) : 0));
    return String(Math.max(FIRST_ID - 1, ...numbers) + 1);
  }

  of(account: number): readonly Withdrawal[] {
    return this.#records[account] ?? [];
  }

  snapshot(): unknown {
    return Array.from(this.#records, (records) => records ?? []);
  }

  restore(saved: unknown): void {
    this.#records = (saved as readonly Withdrawal[][]).map((records) => [...records]);
  }
}

/** Start and end time are inclusive and compare with the creation time. */
export const withdrawals: Answer<'withdrawals'> = ({ reference, withdrawals: book, switches }, given, { account }) => {
  const { coin = '', orderId = '', idLessThan = '' } = given;
  const isKnown = coin === '' || reference.coins.some((record) => record.coin === coin);
  if (!isKnown) return refuse('withdrawals', 'coin-not-found');
  const from = Number(given.startTime);
  const to = Number(given.endTime);
  const isWanted = (record: Withdrawal): boolean =>
    Number(record.cTime) >= from &&
    Number(record.cTime) <= to &&
    (coin === '' || record.coin === coin) &&
    (orderId === '' || record.orderId === orderId) &&
    (idLessThan === '' || compareIds(record.orderId, idLessThan) < 0);
  const limit = Math.min(given.limit ?? switches.pageLimit, switches.pageLimit);
  return book.of(account).filter(isWanted).slice(0, limit);
};

/** Compares ids: numeric ids by value, others as text. Negative if `x` comes first. */
function compareIds(x: string, y: string): number {
  const areDigits = /^\d+$/.test(x) && /^\d+$/.test(y);
  const [a, b] = areDigits ? [x.replace(/^0+(?=\d)/, ''), y.replace(/^0+(?=\d)/, '')] : [x, y];
  if (areDigits && a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}
