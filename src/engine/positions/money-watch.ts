/**
 * Watches the money of the account: unexpected withdrawals (E5), money that left the futures account without a trade (E9), and large drops
 * of the equity. The result of own orders is taken from their records, not computed.
 */
import { assert } from '../../base/failure/assert.ts';
import { HOUR_MS } from '../../base/time/time-spans.ts';
import type { Timer } from '../../base/time/timer-queue.ts';
import { SIDES } from '../../domain/codes.ts';
import { formatMoneyShort } from '../../domain/instrument.ts';
import type { AccountReport, PositionReport, WithdrawalReport } from '../../domain/report.ts';
import type { External } from './external.ts';
import type { LossCounter } from '../state/account/limit-counters.ts';
import type { AccountFigures } from '../state/account/account-figures.ts';
import type { Core } from '../state/core.ts';
import type { Portfolio } from '../state/account/portfolio.ts';
import { type Balance, type Gap, type SavedBalance, UNREAD } from '../state/account/balance.ts';
import type { PendingQueries, QueryOwner } from '../polling/queries.ts';
import type { Answer, Query } from '../../ports/venue.ts';

/** The shared state that this file uses. */
export interface MoneyWatchCore extends Core {
  readonly portfolio: Portfolio;
  /** Newest venue time seen on an answer; 0 before the first. */
  readonly venueTime: number;
  /** Venue time of the current answer, or our time if answers carry none. */
  readonly venueNow: number;
}

/** Tolerance for rounding of funding at the venue. */
const FUNDING_SLACK = 1.01;
const HOURS = 24;
/** How often the equity is compared if it comes by function call, in milliseconds. */
const LOOK_MS = 60_000;
/** Reads of the order history that may fail before a difference of the balance is reported without it. */
const TRIES = 3;
/** Number of withdrawal ids that are kept. */
const WITHDRAWALS_REMEMBERED = 500;

/** State in the snapshot. Plain JSON. */
export interface SavedMoney {
  /** Highest equity of each hour since 1970. */
  readonly highs: readonly (readonly [number, number])[];
  /** Ids of withdrawals that were read; null if the list was never read. */
  readonly withdrawals: readonly string[] | null;
  /** The explained balance; absent before the first read, and in journals of earlier versions. */
  readonly balance?: SavedBalance | undefined;
  /** Funding of each position so far, by symbol and side. */
  readonly funding?: readonly (readonly [leg: string, funding: number])[] | undefined;
}

interface MoneyWatchDeps {
  readonly core: MoneyWatchCore;
  readonly queries: PendingQueries;
  readonly external: External;
  readonly losses: LossCounter;
  readonly balance: Balance;
  readonly figures: AccountFigures;
  /** Drop of the equity within a day that counts as an event, as a share. */
  readonly dropShare: number;
}

export class MoneyWatch implements Timer, QueryOwner {
  readonly #core: MoneyWatchCore;
  readonly #external: External;
  readonly #losses: LossCounter;
  readonly #dropShare: number;
  readonly #balance: Balance;
  readonly #figures: AccountFigures;
  readonly #funding = new Map<string, number>();
  readonly #highs = new Map<number, number>();
  /** The largest of them, at least 0, and the hour in which it was found; null if it is to be found again. */
  #high = 0;
  #highAt: number | null = null;
  #low = 0;
  readonly #alarm: number;
  #seen: Set<string> | null = null;
  readonly #queries: PendingQueries;
  /** When the read of the order history in flight began; null for none. */
  #askedAt: number | null = null;
  #failures = 0;

  constructor({ core, queries, external, losses, balance, figures, dropShare }: MoneyWatchDeps) {
    this.#core = core;
    this.#queries = queries;
    this.#external = external;
    this.#losses = losses;
    this.#dropShare = dropShare;
    this.#balance = balance;
    this.#figures = figures;
    this.#alarm = figures.pushed === null ? -1 : core.timerQueue.add(this);
  }

  restore({ highs, withdrawals, balance, funding = [] }: SavedMoney): void {
    for (const [hour, equity] of highs) this.#highs.set(hour, equity);
    this.#highAt = null;
    if (withdrawals !== null) this.#seen = new Set(withdrawals);
    if (balance !== undefined) this.#balance.restore(balance);
    for (const [leg, paid] of funding) this.#funding.set(leg, paid);
  }

  saved(): SavedMoney {
    const withdrawals = this.#seen === null ? null : [...this.#seen];
    return { highs: [...this.#highs], withdrawals, balance: this.#balance.saved(), funding: [...this.#funding] };
  }

  /** The kernel is armed. */
  armed(): void {
    if (this.#alarm >= 0) this.#core.timerQueue.set(this.#alarm, this.#core.now + LOOK_MS);
  }

  due(now: number): void {
    this.#drop(this.#figures.equity);
    this.#core.timerQueue.set(this.#alarm, now + LOOK_MS);
  }

  positions(reports: readonly PositionReport[]): void {
    for (const { createdAt, instrument, side, funding } of reports) {
      const { symbol } = this.#core.instruments[instrument]!;
      const leg = `${symbol} ${side}`;
      const before = this.#funding.get(leg);
      const change = Math.abs(funding - (before ?? funding));
      this.#funding.set(leg, funding);
      // The total since the position was opened: a record that is repeated after a crash changes no sum.
      if (funding !== (before ?? 0)) {
        this.#core.journal.note('funding', { symbol, side: SIDES[side]!, total: funding, openedAt: createdAt }, this.#core.now);
      }
      this.#balance.book(-Infinity, this.#core.venueNow, 0, FUNDING_SLACK * change);
    }
  }

  account(report: AccountReport): void {
    const { portfolio } = this.#core;
    if (this.#figures.pushed === null && !Number.isNaN(portfolio.equity)) this.#drop(portfolio.equity);
    const { now, venueNow, venueTime } = this.#core;
    this.#balance.read(report.available + report.locked, venueNow, now, Math.min(venueNow, venueTime || venueNow), report.equity);
  }

  /** Judges waiting balance reads after each read. `isKnownUntil(moment)` is true if every trade before that moment has been read. */
  judge(isKnownUntil: (moment: number) => boolean): void {
    const gap = this.#balance.judge(isKnownUntil);
    if (gap === UNREAD) return this.#askRecords();
    if (gap === null) return;
    assert(gap.amount !== 0, 'a difference of the balance is an amount', gap.amount);
    // The next snapshot follows at once (run/bot/store/snapshots.ts).
    this.#core.journal.note('balance', { amount: gap.amount, after: gap.after }, this.#core.now);
    if (gap.left !== undefined) return this.#away(gap, gap.left);
    const [before, after, amount] = [gap.before, gap.after, Math.abs(gap.amount)].map(textOf);
    const figures = { before, after, amount };
    if (gap.isUncertain === true) return this.#uncertain(gap.amount, before!, after!, amount!);
    if (gap.amount < 0) {
      this.#core.log.info('money-in', figures);
      return this.#losses.deposited(Math.round(-gap.amount));
    }
    const text = `${amount!} left the futures account: the balance went from ${before!} to ${after!} and own trades do not explain it`;
    this.#external.happened('transfer', -1, -1, text, figures);
  }

  /** Changes whose results no record shows may be this much: it is told and halts nothing. */
  #uncertain(gone: number, before: string, after: string, amount: string): void {
    const text =
      `the balance went from ${before} to ${after}, and records do not explain the ${amount} that ${gone > 0 ? 'left' : 'came in'}: ` +
      'funding, trades around the first start, or trades of others without a record may be as much';
    this.#external.noticed('transfer', text, { before, after, amount: gone > 0 ? `-${amount}` : amount });
  }

  /**
   * The balance changed since the last snapshot before the restart by more than order records explain. It is told and halts nothing: funding
   * of positions that were closed meanwhile is not known.
   */
  #away({ after: now, amount: gone }: Gap, left: number): void {
    const [before, after, amount, explained] = [left, now, Math.abs(gone), now + gone - left].map(textOf);
    const text =
      `over the restart the balance went from ${before!} to ${after!}: ` +
      `order records explain ${explained!}, and ${amount!} ${gone > 0 ? 'left' : 'came in'} besides`;
    if (gone < 0) this.#losses.deposited(Math.round(-gone));
    this.#external.noticed('transfer', text, { before, after, explained, amount: gone > 0 ? `-${amount!}` : amount });
  }

  /** Reads the order history (E17): what it shows is booked when it is applied, and the next judgement counts it. */
  #askRecords(): void {
    if (this.#askedAt !== null) return;
    this.#askedAt = this.#core.now;
    this.#queries.ask({ kind: 'history', instrument: -1, clientId: '', since: this.#balance.recordsSince }, this);
  }

  answered(query: Query, answer: Answer): void {
    if (query.kind === 'history' && answer.kind === 'history' && answer.rest !== undefined) {
      return this.#queries.ask({ ...query, before: answer.rest }, this);
    }
    assert(this.#askedAt !== null, 'records that were read were asked for');
    this.#read(this.#askedAt);
  }

  failed(): void {
    this.#askedAt = null;
    if (++this.#failures >= TRIES) this.#read(this.#core.now);
  }

  #read(began: number): void {
    this.#askedAt = null;
    this.#failures = 0;
    this.#balance.recordsRead(began);
  }

  /** Takes the list of withdrawals (E5). Those in the very first read are old. New ids are journaled before they are reported. */
  withdrawals(reports: readonly WithdrawalReport[]): void {
    const { journal, now } = this.#core;
    const isFirst = this.#seen === null;
    const seen = this.#seen ?? new Set();
    const news = reports.filter(({ id, status }) => status !== 'failed' && !seen.has(id));
    if (!isFirst && news.length === 0) return;
    const ids = news.map(({ id }) => id);
    this.#seen = new Set(rememberedWithdrawals([...seen], ids));
    journal.note('withdrawals', { ids }, now);
    for (const { id, coin, size, status, toAddress } of news) {
      if (isFirst) continue;
      const text = `${size} ${coin} leaves the account: withdrawal ${id} to ${toAddress === '' ? 'an unknown address' : toAddress} is ${status}`;
      this.#external.happened('withdrawal', -1, -1, text, { id, coin, amount: size, status });
    }
  }

  /** Compares the equity with its highest value of the last day. */
  #drop(equity: number): void {
    const hour = Math.floor(this.#core.now / HOUR_MS);
    if (hour !== this.#highAt) this.#begin(hour);
    const high = this.#high;
    const isLow = high > 0 && equity <= high * (1 - this.#dropShare);
    this.#low = isLow ? this.#low + 1 : 0;
    if (!isLow) {
      const known = this.#highs.get(hour);
      if (known === undefined || equity > known) this.#highs.set(hour, Math.max(known ?? 0, equity));
      if (equity > high) this.#high = equity;
    }
    if (this.#low < 2) return;
    const [from, to] = [formatMoneyShort(Math.round(high)), formatMoneyShort(equity)];
    const percent = Math.round((1 - equity / high) * 1000) / 10;
    this.#external.happened('equityDrop', -1, -1, `the equity fell by ${percent} % within a day, from ${from} to ${to}`, {
      before: from,
      after: to,
    });
    this.#highs.clear();
    this.#highs.set(hour, equity);
    this.#high = Math.max(0, equity);
    this.#low = 0;
  }

  /** Another hour begins: what is a day old is forgotten. */
  #begin(hour: number): void {
    for (const known of this.#highs.keys()) if (known <= hour - HOURS) this.#highs.delete(known);
    this.#high = Math.max(...this.#highs.values(), 0);
    this.#highAt = hour;
  }
}

/** The ids that are known after `news`: the newest. */
export function rememberedWithdrawals(before: readonly string[] | null, news: readonly string[]): readonly string[] {
  return [...(before ?? []), ...news].slice(-WITHDRAWALS_REMEMBERED);
}

function textOf(money: number): string {
  return formatMoneyShort(Math.round(money));
}
