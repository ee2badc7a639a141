/**
 * The symbol with which the account is read (E9). Balance and equity are the same for every symbol, but the venue refuses a symbol that it
 * does not know. So the account is read with the first configured symbol that is not offline.
 */
import type { PlannedPoll } from './schedule.ts';
import type { Core } from '../state/core.ts';
import type { InstrumentContext } from '../state/records/instrument-context.ts';

/** The shared state that this file uses. */
interface AccountSymbolCore extends Core {
  readonly contexts: readonly InstrumentContext[];
}

export class AccountSymbol {
  readonly #core: AccountSymbolCore;
  /** Traded futures instruments, the preferred one first. */
  #instruments: readonly number[] = [];
  readonly #refused = new Set<number>();

  constructor(core: AccountSymbolCore) {
    this.#core = core;
  }

  /** The plan has the polls of the account of these instruments from now on. */
  follow(polls: readonly Pick<PlannedPoll, 'kind' | 'instrument' | 'periodMs'>[]): void {
    const accounts = polls.filter(({ kind }) => kind === 'account').sort((a, b) => a.periodMs - b.periodMs || a.instrument - b.instrument);
    this.#instruments = accounts.map(({ instrument }) => instrument);
  }

  /** The preferred instrument; −1 if the account is not read at all. */
  get first(): number {
    return this.#instruments[0] ?? -1;
  }

  /** The instrument to read the account with: the first one if all are offline. */
  get instrument(): number {
    const contexts = this.#core.contexts;
    return this.#instruments.find((i) => !contexts[i]!.isOffline && !this.#refused.has(i)) ?? this.first;
  }

  /** The venue refused this instrument during a start, when no symbol counts as offline yet. */
  refused(instrument: number): void {
    this.#refused.add(instrument);
    if (this.#instruments.every((i) => this.#refused.has(i))) this.#refused.clear();
  }

  /** The start has ended: a poll finds out again which symbols are offline. */
  started(): void {
    this.#refused.clear();
  }
}
