/**
 * Where the money is: withdrawals that nobody announced (E5), money that left the futures account without a trade (E9), and an equity
 * that fell too far. What own trades cost and brought is reckoned beside the reads; what is left over is somebody else's doing.
 */
import { CLOSE, LONG } from '../../domain/codes.ts';
import { formatMoneyShort } from '../../domain/instrument.ts';
import type { AccountReport, PositionReport, WithdrawalReport } from '../../domain/report.ts';
import { MONEY_DECIMALS, RATE_DECIMALS } from '../../domain/units.ts';
import type { External } from '../belief/external.ts';
import type { Leg } from '../belief/leg.ts';
import type { Core } from '../core.ts';

/** What a fill may have cost beside what is reckoned, as a share of its value: fee, and a price that is inferred. */
const SLACK = 0.005;
/** Differences below this are no theft: a coin, and half a thousandth of the balance. */
const LEAST = 10 ** MONEY_DECIMALS;
const SMALL = 0.0005;
/** A difference lasts this long, and so many reads, before it is told: lists that are ten seconds late show fills later than their money. */
const PATIENCE_MS = 30_000;
const READS = 3;
const HOUR_MS = 3_600_000;
const HOURS = 24;
/** Withdrawals that are remembered as seen. */
const REMEMBERED = 500;

/** Plain JSON for the snapshot. */
export interface SavedMoney {
  /** Highest equity by hour since the epoch. */
  readonly highs: readonly (readonly [number, number])[];
  /** Ids of withdrawals that were seen; null when the list was never read. */
  readonly withdrawals: readonly string[] | null;
}

export class MoneyWatch {
  readonly #core: Core;
  readonly #external: External;
  readonly #dropShare: number;
  /** Balance as last read, and what own trades did since. */
  #balance = Number.NaN;
  #earned = 0;
  #slack = 0;
  /** What is not explained yet, how much of it may be rounding and prices that are not known, and since when. */
  #missing = 0;
  #doubt = 0;
  #missingFrom = 0;
  #missingSince = -Infinity;
  #missingReads = 0;
  readonly #funding = new Map<number, number>();
  readonly #highs = new Map<number, number>();
  #low = 0;
  #seen: Set<string> | null = null;

  constructor(core: Core, external: External, dropShare: number) {
    this.#core = core;
    this.#external = external;
    this.#dropShare = dropShare;
  }

  restore({ highs, withdrawals }: SavedMoney): void {
    for (const [hour, equity] of highs) this.#highs.set(hour, equity);
    if (withdrawals !== null) this.#seen = new Set(withdrawals);
  }

  saved(): SavedMoney {
    return { highs: [...this.#highs], withdrawals: this.#seen === null ? null : [...this.#seen] };
  }

  /** `lots` of the leg are about to be opened or closed by a fill of ours at `price` ticks, 0 where that is not known. */
  filled(leg: Leg, effect: number, lots: number, price: number): void {
    const instrument = this.#core.instruments[leg.index >> 1]!;
    const at = price > 0 ? price : this.#core.market[leg.index >> 1]!.reference;
    const value = at * lots * instrument.unitValue;
    this.#slack += value * (price > 0 ? SLACK : 4 * SLACK);
    this.#earned -= (value * instrument.takerFeeRate) / 10 ** RATE_DECIMALS;
    if (effect !== CLOSE) return;
    if (!(leg.entry > 0)) {
      this.#slack += value;
      return;
    }
    const up = (leg.index & 1) === LONG ? 1 : -1;
    this.#earned += (at - leg.entry) * up * lots * instrument.unitValue;
  }

  /** A preset exit closed `lots` of the leg: its record says what it brought. */
  exited(leg: Leg, lots: number, realised: number, fee: number): void {
    if (Number.isNaN(realised)) return this.disturbed(leg, lots);
    this.#earned += realised - Math.abs(fee);
    this.#slack += LEAST;
  }

  /** A leg changed by somebody else: its money is explained by that. */
  disturbed(leg: Leg, lots: number): void {
    const price = this.#core.market[leg.index >> 1]!.reference || leg.entry || 0;
    this.#slack += Math.abs(lots) * price * this.#core.instruments[leg.index >> 1]!.unitValue;
  }

  positions(reports: readonly PositionReport[]): void {
    for (const { instrument, side, funding } of reports) {
      const leg = 2 * instrument + side;
      this.#slack += 1.01 * Math.abs(funding - (this.#funding.get(leg) ?? funding));
      this.#funding.set(leg, funding);
    }
  }

  /** `isClear` is false while fills may be unknown. */
  account(report: AccountReport, isClear: boolean): void {
    this.#drop(report.equity);
    const balance = report.available + report.locked;
    const gap = this.#balance + this.#earned - balance;
    const bound = this.#slack + Math.max(LEAST, Math.abs(balance) * SMALL);
    const before = this.#balance;
    this.#balance = balance;
    this.#earned = 0;
    this.#slack = 0;
    if (this.#missingReads === 0) {
      if (!(Math.abs(gap) > bound)) return;
      [this.#missing, this.#doubt, this.#missingFrom, this.#missingSince] = [gap, bound, before, this.#core.now];
    } else {
      // What is learned late comes with the other sign; what is noise is as small as it is seen to be.
      this.#missing += gap;
      this.#doubt += Math.min(Math.abs(gap), bound);
    }
    this.#missingReads++;
    if (Math.abs(this.#missing) <= this.#doubt) this.#missingReads = 0;
    else if (isClear && this.#missingReads > READS && this.#core.now - this.#missingSince >= PATIENCE_MS) this.#tell(balance);
  }

  #tell(balance: number): void {
    const [before, after, amount] = [this.#missingFrom, balance, Math.abs(this.#missing)].map((money) =>
      formatMoneyShort(Math.round(money)),
    );
    const figures = { before, after, amount };
    this.#missingReads = 0;
    if (this.#missing < 0) return this.#core.log.info('money-in', figures);
    const text = `${amount!} left the futures account: the balance went from ${before!} to ${after!} and own trades do not explain it`;
    this.#external.happened('transfer', -1, -1, text, figures);
  }

  /** E5. What is there at the very first read is of before. */
  withdrawals(reports: readonly WithdrawalReport[]): void {
    const isFirst = this.#seen === null;
    this.#seen ??= new Set();
    for (const { id, coin, size, status, toAddress } of reports) {
      if (status === 'failed' || this.#seen.has(id)) continue;
      this.#seen.add(id);
      if (isFirst) continue;
      const text = `${size} ${coin} leaves the account: withdrawal ${id} to ${toAddress === '' ? 'an unknown address' : toAddress} is ${status}`;
      this.#external.happened('withdrawal', -1, -1, text, { id, coin, amount: size, status });
    }
    for (const id of this.#seen) if (this.#seen.size > REMEMBERED) this.#seen.delete(id);
  }

  /** The equity against its highest of the last day. */
  #drop(equity: number): void {
    const hour = Math.floor(this.#core.now / HOUR_MS);
    for (const known of this.#highs.keys()) if (known <= hour - HOURS) this.#highs.delete(known);
    const high = Math.max(...this.#highs.values(), 0);
    const isLow = high > 0 && equity <= high * (1 - this.#dropShare);
    this.#low = isLow ? this.#low + 1 : 0;
    if (!isLow) this.#highs.set(hour, Math.max(this.#highs.get(hour) ?? 0, equity));
    if (this.#low < 2) return;
    const [from, to] = [formatMoneyShort(Math.round(high)), formatMoneyShort(equity)];
    const percent = Math.round((1 - equity / high) * 1000) / 10;
    this.#external.happened('equityDrop', -1, -1, `the equity fell by ${percent} % within a day, from ${from} to ${to}`, {
      before: from,
      after: to,
    });
    this.#highs.clear();
    this.#highs.set(hour, equity);
    this.#low = 0;
  }
}
