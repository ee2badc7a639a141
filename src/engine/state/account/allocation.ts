/**
 * Shares of the equity by strategy. At a rebalancing each strategy gets its share of the wallet. From then on its part grows and shrinks with
 * its own profit, by the rules of domain/attribution.ts, and all parts together stay the equity of the wallet, whatever else moves that. Local
 * state only: fills at the prices that orders showed, fees at the taker rate except of post-only orders, no funding, no spot. Journaled,
 * so that a restart continues with the same parts.
 */
import { assert } from '../../../base/failure/assert.ts';
import type { Timer, TimerQueue } from '../../../base/time/timer-queue.ts';
import type { Log } from '../../../ports/log.ts';
import type { AllocationTerms } from '../../../domain/allocation.ts';
import { Attribution, type SavedPart } from '../../../domain/attribution.ts';
import { CLOSE } from '../../../domain/codes.ts';
import { feeOf, type Instrument } from '../../../domain/instrument.ts';
import type { InstrumentContext } from '../records/instrument-context.ts';
import type { AccountFigures } from './account-figures.ts';
import type { CommandJournal } from '../events/journal.ts';
import type { Leg } from '../records/leg.ts';
import type { LossCounter } from './limit-counters.ts';
import type { Owner } from '../records/owner.ts';

/** State that a restart restores. Plain JSON; money in 10⁻⁸, lists in the order of `names`. */
export interface SavedAllocation {
  readonly names: readonly string[];
  readonly parts: readonly SavedPart[];
  /** Money at the last rebalancing, by strategy, and not shared out; null before the first. */
  readonly capital: readonly number[] | null;
  readonly unshared: number;
  /** Net profits at the last rebalancing and at the last period of returns. */
  readonly base: readonly number[];
  readonly sampled: readonly number[];
  /** Milliseconds since 1970. */
  readonly rebalancedAt: number;
  readonly sampledAt: number;
  /** Returns by strategy, the oldest first. */
  readonly returns: readonly (readonly number[])[];
}

/** How long to wait for the first read of the equity. */
const RETRY_MS = 1_000;

/** What it needs of the shared state. */
interface AllocationCore {
  readonly now: number;
  readonly instruments: readonly Instrument[];
  readonly contexts: readonly InstrumentContext[];
  readonly timerQueue: TimerQueue;
  readonly journal: CommandJournal;
  readonly log: Log;
}

export class Allocation implements Timer {
  readonly #core: AllocationCore;
  readonly #figures: Pick<AccountFigures, 'equity'>;
  readonly #names: readonly string[];
  readonly #terms: AllocationTerms;
  readonly #attribution: Attribution;
  readonly #alarm: number;
  #capital: readonly number[] | null = null;
  #unshared = 0;
  #base: readonly number[];
  #sampled: readonly number[];
  #rebalancedAt = 0;
  #sampledAt = 0;
  #returns: number[][];

  constructor(core: AllocationCore, figures: Pick<AccountFigures, 'equity'>, names: readonly string[], terms: AllocationTerms) {
    this.#core = core;
    this.#figures = figures;
    this.#names = names;
    this.#terms = terms;
    this.#attribution = new Attribution({
      instruments: core.instruments,
      strategies: names,
      coin: core.instruments[0]!.quoteCoin,
      markOf: (instrument) => Math.round(core.contexts[instrument]!.judged.reference),
    });
    this.#base = names.map(() => 0);
    this.#sampled = this.#base;
    this.#returns = names.map(() => []);
    this.#alarm = core.timerQueue.add(this);
  }

  /** The kernel is armed. */
  begin(): void {
    this.due(this.#core.now);
  }

  /** The part of a strategy in the equity, whole money; NaN while the equity is unknown. */
  equityOf(strategy: number): number {
    const { equity } = this.#figures;
    if (Number.isNaN(equity) || this.#capital === null) return Number.NaN;
    const own = this.#worths();
    const total = own.reduce((sum, one) => sum + one, this.#unshared);
    assert(strategy < own.length, 'a strategy with a share is known', strategy);
    return total > 0 ? Math.floor((equity * own[strategy]!) / total) : 0;
  }

  due(now: number): void {
    const { timerQueue } = this.#core;
    const { equity } = this.#figures;
    if (Number.isNaN(equity)) {
      timerQueue.set(this.#alarm, now + RETRY_MS);
      return;
    }
    if (this.#capital === null) this.#rebalance(now);
    if (now >= this.#nextSample()) this.#sample(now);
    if (now >= this.#terms.after(this.#rebalancedAt)) this.#rebalance(now);
    timerQueue.set(this.#alarm, Math.max(now, Math.min(this.#nextSample(), this.#terms.after(this.#rebalancedAt))));
  }

  /** A fill of `lots` at `price` ticks (0: unknown) changes the leg. */
  filled(leg: Leg, effect: number, lots: number, price: number, owner: Owner, isMaker: boolean, isOwn = true): void {
    const { instrument, judged } = this.#core.contexts[leg.index >> 1]!;
    const ticks = Math.round(price > 0 ? price : judged.reference);
    if (ticks <= 0 || lots <= 0) return;
    const value = lots * ticks * instrument.unitValue;
    const fee = feeOf(Math.round(value), isMaker ? instrument.makerFeeRate : instrument.takerFeeRate);
    this.#attribution.filled(instrument.index, leg.index & 1, effect, ticks, lots, fee, owner.name, isOwn);
    this.#write({ parts: this.#attribution.saved() });
  }

  saved(): SavedAllocation {
    return {
      names: this.#names,
      parts: this.#attribution.saved(),
      capital: this.#capital,
      unshared: this.#unshared,
      base: this.#base,
      sampled: this.#sampled,
      rebalancedAt: this.#rebalancedAt,
      sampledAt: this.#sampledAt,
      returns: this.#returns,
    };
  }

  /** Continues the parts of an earlier process. With other strategies than then, the equity is shared out again. */
  restore(saved: SavedAllocation): void {
    this.#attribution.restore(saved.parts);
    if (saved.names.join('\n') !== this.#names.join('\n')) return;
    this.#capital = saved.capital;
    this.#unshared = saved.unshared;
    this.#base = saved.base;
    this.#sampled = saved.sampled;
    this.#rebalancedAt = saved.rebalancedAt;
    this.#sampledAt = saved.sampledAt;
    this.#returns = saved.returns.map((one) => [...one]);
  }

  #nets(): number[] {
    return this.#names.map((_, k) => this.#attribution.net(k));
  }

  /** Capital and profit since, by strategy; 0 for one that has lost more. */
  #worths(): number[] {
    const nets = this.#nets();
    return (this.#capital ?? []).map((money, k) => Math.max(0, money + nets[k]! - this.#base[k]!));
  }

  #nextSample(): number {
    const { returnsMs } = this.#terms;
    return (Math.floor(this.#sampledAt / returnsMs) + 1) * returnsMs;
  }

  /** Ends a period of returns: profit as a share of what the strategy had. */
  #sample(now: number): void {
    const nets = this.#nets();
    const worths = this.#worths();
    for (const [k, net] of nets.entries()) {
      const profit = net - this.#sampled[k]!;
      assert(!Number.isNaN(profit), 'the profit of a period is a number', profit, 'strategy', this.#names[k]);
      const before = worths[k]! - profit;
      this.#returns[k]!.push(before > 0 ? profit / before : 0);
      if (this.#returns[k]!.length > this.#terms.window) this.#returns[k]!.shift();
    }
    this.#sampled = nets;
    this.#sampledAt = now;
    this.#write({ sampled: nets, sampledAt: now, returns: this.#returns });
  }

  #rebalance(now: number): void {
    const { log } = this.#core;
    const { equity } = this.#figures;
    const shares = this.#terms.sharesOf(this.#returns);
    if (this.#capital === null) {
      this.#sampled = this.#nets();
      this.#sampledAt = now;
    }
    assert(shares.length === this.#names.length, 'each strategy has a share', shares.length);
    const whole = shares.reduce((sum, one) => sum + one, 0);
    assert(whole <= 1 + 1e-9, 'shares are at most the whole', whole);
    this.#capital = shares.map((share) => Math.floor(equity * share));
    this.#unshared = Math.max(0, equity - this.#capital.reduce((sum, one) => sum + one, 0));
    this.#base = this.#nets();
    this.#rebalancedAt = now;
    this.#write({ ...this.saved() });
    log.info('rebalanced', Object.fromEntries(this.#names.map((name, k) => [name, Number(shares[k]!.toFixed(6))])));
  }

  #write(changed: Partial<SavedAllocation>): void {
    this.#core.journal.note('allocation', { ...changed }, this.#core.now);
  }
}

/** Counts fills for the limits and for the shares of the equity. */
export function countedBoth(losses: LossCounter, allocation: Allocation): LossCounter {
  return {
    isOn: true,
    filled(leg, effect, lots, price, owner, isMaker) {
      losses.filled(leg, effect, lots, price, owner, isMaker);
      allocation.filled(leg, effect, lots, price, owner, isMaker);
    },
    closedExternally(leg, lots, price, profit, owner) {
      losses.closedExternally(leg, lots, price, profit, owner);
      allocation.filled(leg, CLOSE, lots, price, owner, false, false);
    },
    booked: (order, total) => losses.booked(order, total),
    settled: (seq) => losses.settled(seq),
    legsRead: (context) => losses.legsRead(context),
    equityIs: (equity) => losses.equityIs(equity),
    deposited: (amount) => losses.deposited(amount),
  };
}
