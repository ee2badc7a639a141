/** Connects the kernel to the checks beside orders and positions: age of reads, offline symbols, leverage and margin mode, and money. */
import { PLACE_SPOT } from '../../domain/codes.ts';
import { SUBMITTING, UNKNOWN } from '../../domain/orders/order.ts';
import type { Reason } from '../../domain/orders/outcome.ts';
import type { Answer, Query } from '../../ports/venue.ts';
import type { External } from './external.ts';
import type { Order } from '../state/orders/orders.ts';
import type { ForeignChanges } from './foreign-changes.ts';
import type { LossCounter } from '../state/account/limit-counters.ts';
import type { AccountFigures } from '../state/account/account-figures.ts';
import type { Balance } from '../state/account/balance.ts';
import type { Orders } from '../state/orders/orders.ts';
import type { Portfolio } from '../state/account/portfolio.ts';
import { numberOf, statedForAll } from '../state/limits/limits.ts';
import type { PollSettings } from '../polling/schedule.ts';
import type { RiskLimits } from '../../domain/limits.ts';
import type { PendingQueries } from '../polling/queries.ts';
import { Freshness, type FreshnessCore } from './freshness.ts';
import { MoneyWatch, type SavedMoney, type MoneyWatchCore } from './money-watch.ts';
import { Offline, type OfflineCore } from './offline.ts';
import type { LeverageWatch } from './leverage/leverage-watch.ts';
import { TermsWatch, type SavedTerms, type TermsWatchCore } from './terms-watch.ts';

/** The shared state that this file uses. */
interface WatchCore extends OfflineCore, TermsWatchCore, MoneyWatchCore, FreshnessCore {
  readonly orders: Orders;
  readonly portfolio: Portfolio;
}

/** State that a restart needs. Plain JSON. */
export interface SavedWatch {
  readonly terms: Readonly<Record<string, SavedTerms>>;
  readonly money: SavedMoney;
}

export interface WatchOptions {
  readonly risk: RiskLimits;
  /** Drop of the equity within a day that counts as an event, as a share. Default 0.5. */
  readonly equityDropShare?: number | undefined;
}

interface WatchDeps {
  readonly core: WatchCore;
  readonly queries: PendingQueries;
  readonly external: External;
  readonly foreignChanges: ForeignChanges;
  readonly losses: LossCounter;
  readonly balance: Balance;
  readonly figures: AccountFigures;
  readonly options: WatchOptions;
  readonly polls: PollSettings;
  readonly leverage: LeverageWatch;
}

export class Watch {
  readonly offline: Offline;
  readonly money: MoneyWatch;
  readonly positionsRead: Freshness;
  readonly #core: WatchCore;
  readonly #foreignChanges: ForeignChanges;
  readonly #terms: TermsWatch;
  readonly #accountRead: Freshness;
  readonly #leverage: LeverageWatch;
  /** When the newest complete reads of positions and of pending orders began. */
  #positionsAt = -Infinity;
  #pendingAt = -Infinity;

  constructor({ core, queries, external, foreignChanges, losses, balance, figures, options, polls, leverage }: WatchDeps) {
    const { risk } = options;
    const limit = (key: 'maxPositionAgeMs' | 'maxAccountAgeMs'): number => numberOf(key, statedForAll(risk, key));
    this.#core = core;
    this.#foreignChanges = foreignChanges;
    this.offline = new Offline(core, queries, external);
    this.#terms = new TermsWatch(core, queries, external, (i) => leverage.expectedOf(i));
    this.#leverage = leverage;
    this.money = new MoneyWatch({ core, queries, external, losses, balance, figures, dropShare: options.equityDropShare ?? 0.5 });
    this.positionsRead = new Freshness(core, 'positions-unread', limit('maxPositionAgeMs'), polls.periods.positions);
    this.#accountRead = new Freshness(core, 'account-unread', limit('maxAccountAgeMs'), polls.periods.account);
  }

  restore({ terms, money }: SavedWatch): void {
    this.#terms.restore(terms);
    this.money.restore(money);
  }

  saved(): SavedWatch {
    return { terms: this.#terms.saved(), money: this.money.saved() };
  }

  /** The kernel is armed, or another symbol is traded. `hasAccount`: true if the account is read at all from now on. */
  armed(hasAccount: boolean): void {
    if (!hasAccount) {
      this.positionsRead.disarm();
      this.#accountRead.disarm();
      return;
    }
    this.positionsRead.armed();
    this.#accountRead.armed();
    this.offline.armed();
    this.money.armed();
  }

  /** An answer has been applied to local state. `isMain`: true for the account record that is read most often. */
  answered(query: Query, answer: Answer, sentAt: number, isMain: boolean): void {
    switch (answer.kind) {
      case 'positions':
        if (query.instrument < 0) this.positionsRead.read(sentAt);
        this.money.positions(answer.positions);
        if (query.instrument < 0) this.#positionsAt = Math.max(this.#positionsAt, sentAt);
        this.money.judge((moment) => this.#isKnownUntil(moment));
        this.#leverage.positions(answer.positions);
        return this.#terms.positions(answer.positions);
      case 'account':
        this.#terms.account(answer.account);
        this.#leverage.account(answer.account);
        if (!isMain) return;
        this.#accountRead.read(sentAt);
        return this.money.account(answer.account);
      case 'pending':
        if (query.instrument < 0) this.#pendingAt = Math.max(this.#pendingAt, sentAt);
        return;
      case 'withdrawals':
        return this.money.withdrawals(answer.withdrawals);
      case 'spot-symbols':
        return this.offline.spot(answer.symbols, sentAt);
      case 'history':
      case 'quotes':
      case 'stats':
      case 'trades':
    }
  }

  failed(query: Query, cause: string): void {
    if (cause === 'unknown-instrument' && query.instrument >= 0) this.offline.unknown(query.instrument);
  }

  rejected(order: Order, reason: Reason): void {
    if (reason === 'unknown-instrument') this.offline.unknown(order.instrument);
    else if (reason === 'symbol-not-trading' && order.kind === PLACE_SPOT) this.offline.unknown(order.instrument);
    else if (reason === 'margin-mode-conflict') this.#terms.conflict(order.instrument);
  }

  accepted(order: Order): void {
    this.#terms.openAccepted(order.instrument);
  }

  /** True if all trades before `moment` of our clock have been read: the lists are newer by the longest lag, and nothing is undecided. */
  #isKnownUntil(moment: number): boolean {
    const { instruments, orders, portfolio, timings } = this.#core;
    const since = moment + timings.settleMs;
    if (this.#positionsAt < since || this.#pendingAt < since || this.#foreignChanges.count > 0) return false;
    if (portfolio.legs.some((leg) => leg.isDoubted && instruments[leg.index >> 1]!.product === 'futures')) return false;
    return orders.of.every((list) => list.known().every((order) => order.createdAt > moment || isKnown(order)));
  }
}

/** True if a read has shown what the order has filled so far. */
function isKnown({ isAlive, isSettled, kind, missing, state }: Order): boolean {
  if (kind === PLACE_SPOT) return true;
  return isAlive ? missing === 0 && state !== UNKNOWN && state !== SUBMITTING : isSettled;
}
