/**
 * The symbol with which the account is read (E9). Balance and equity are the same for every symbol, but the venue refuses a symbol that it
 * does not know. So the account is read with the first configured symbol that is not offline.
 */
import type { Core } from '../state/core.ts';
import type { InstrumentContext } from '../state/records/instrument-context.ts';

/** The shared state that this file uses. */
interface AccountSymbolCore extends Core {
  readonly contexts: readonly InstrumentContext[];
}

export class AccountSymbol {
  readonly #core: AccountSymbolCore;
  /** Traded futures instruments, the preferred one first. */
  readonly #instruments: readonly number[];
  readonly #refused = new Set<number>();

  constructor(core: AccountSymbolCore, instruments: readonly number[]) {
    this.#core = core;
    this.#instruments = instruments;
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
