/** E5: the withdrawals that the venue's operator put in, and how they are listed. They are records alone and move no balance. */
import { refuse, type Answer, type Withdrawal } from './endpoint-context.ts';

/** Records an account keeps; the oldest ids are forgotten first. */
const KEPT = 10_000;
const FIRST_ID = 1_000_001;

/** Records by account, the newest id first. */
export class Withdrawals {
  #records: Withdrawal[][] = [];

  /** Adds the record, or puts it in the place of the one with its orderId: that is how a status moves on. */
  put(account: number, record: Withdrawal): void {
    const others = this.of(account).filter((one) => one.orderId !== record.orderId);
    this.#records[account] = [...others, record].sort((x, y) => compareIds(y.orderId, x.orderId)).slice(0, KEPT);
  }

  /** An id beyond all of the account's that are numbers. */
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

/** The times bound the records inclusively by creation. */
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

/** Below 0 where `x` comes first: ids of digits by their value, whatever their length; others as text. */
function compareIds(x: string, y: string): number {
  const areDigits = /^\d+$/.test(x) && /^\d+$/.test(y);
  const [a, b] = areDigits ? [x.replace(/^0+(?=\d)/, ''), y.replace(/^0+(?=\d)/, '')] : [x, y];
  if (areDigits && a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}
