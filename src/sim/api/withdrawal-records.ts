/** The withdrawals (E5) of all accounts. The operator adds them; they change no balance. */
import type { ReplyTo } from '../../contract/endpoints/endpoints.ts';
import { formatMoneyShort } from '../../domain/instrument.ts';

export type Withdrawal = ReplyTo<'withdrawals'>[number];

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

/** What the operator says of a withdrawal; amounts in 10⁻⁸ of the coin. */
interface Given {
  readonly orderId: string;
  readonly coin?: string;
  readonly size: number;
  readonly fee: number;
  readonly status?: string;
  readonly toAddress?: string;
  readonly chain?: string;
  readonly tag?: string;
}

/** The record of a withdrawal that was created at `createdAt` and changed at `time`. */
export function withdrawalRecord(account: number, given: Given, createdAt: string, time: number): Withdrawal {
  return {
    orderId: given.orderId,
    tradeId: `w-${given.orderId}`,
    coin: given.coin,
    type: 'withdraw',
    dest: 'on_chain',
    size: formatMoneyShort(given.size),
    fee: formatMoneyShort(given.fee),
    status: given.status ?? 'completed',
    fromAddress: `paper-${account + 1}`,
    toAddress: given.toAddress ?? 'paper',
    chain: given.chain ?? `${given.coin}-PAPER`,
    tag: given.tag ?? '',
    cTime: createdAt,
    uTime: String(time),
  } as unknown as Withdrawal;
}

/** Compares ids: numeric ids by value, others as text. Negative if `x` comes first. */
export function compareIds(x: string, y: string): number {
  const areDigits = /^\d+$/.test(x) && /^\d+$/.test(y);
  const [a, b] = areDigits ? [x.replace(/^0+(?=\d)/, ''), y.replace(/^0+(?=\d)/, '')] : [x, y];
  if (areDigits && a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}
