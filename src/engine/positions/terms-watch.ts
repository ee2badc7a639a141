/**
 * Compares leverage and margin mode of each symbol as read (E9, E19) with earlier reads and own commands. Any other change was made by
 * another party. After an order was refused with code 40013 (margin mode conflict), the account (E9) is read before anything more is
 * opened.
 */
import { assert } from '../../base/failure/assert.ts';
import { MARGIN_MODES, SIDES } from '../../domain/codes.ts';
import type { AccountReport, PositionReport } from '../../domain/report.ts';
import type { Answer, Query } from '../../ports/venue.ts';
import type { External } from './external.ts';
import type { Core } from '../state/core.ts';
import type { InstrumentContext } from '../state/records/instrument-context.ts';
import type { Halts } from '../state/halts.ts';
import type { TradingState } from '../state/trading-state.ts';
import { mayBeOwn } from '../state/records/own-mode.ts';
import type { QueryOwner, PendingQueries } from '../polling/queries.ts';

/** The shared state that this file uses. */
export interface TermsWatchCore extends Core {
  readonly contexts: readonly InstrumentContext[];
  readonly halts: Halts;
  readonly tradingState: TradingState;
}

/** Consecutive reads that must show a change. */
const READS = 2;
/** Consecutive 40013 refusals after which the symbol is halted, whatever the policy. */
const TRIES = 2;

/** Leverage of each side, and the margin mode; −1 if unknown. `adopted` as in the context. Plain JSON by symbol in the snapshot. */
export interface SavedTerms {
  readonly long: number;
  readonly short: number;
  readonly mode: number;
  readonly adopted?: number | undefined;
}

/** One observed setting of a symbol, and a differing value that reads have begun to show. */
class Term {
  value = -1;
  #other = -1;
  #count = 0;

  /** True if the change to `read` is confirmed. The first value is no change. */
  changes(read: number): boolean {
    if (this.value === -1) this.value = read;
    if (read === this.value) this.#count = 0;
    else if (read === this.#other) this.#count++;
    else this.#count = 1;
    this.#other = read;
    return this.#count >= READS;
  }

  set(read: number): void {
    this.value = read;
    this.#count = 0;
  }
}

interface Terms {
  readonly leverage: readonly [Term, Term];
  readonly mode: Term;
  refusals: number;
  query: Query | null;
}

export class TermsWatch implements QueryOwner {
  readonly #core: TermsWatchCore;
  readonly #queries: PendingQueries;
  readonly #external: External;
  readonly #leverageOf: (instrument: number) => number;
  readonly #terms: readonly Terms[];

  /** `leverageOf`: the configured leverage of an instrument; Infinity for none. A change to it is what a person was asked for. */
  constructor(core: TermsWatchCore, queries: PendingQueries, external: External, leverageOf: (instrument: number) => number) {
    this.#core = core;
    this.#queries = queries;
    this.#external = external;
    this.#leverageOf = leverageOf;
    this.#terms = core.instruments.map(() => ({ leverage: [new Term(), new Term()], mode: new Term(), refusals: 0, query: null }));
  }

  restore(saved: Readonly<Record<string, SavedTerms>>): void {
    for (const { index, symbol, product } of this.#core.instruments) {
      const terms = product === 'futures' ? saved[symbol] : undefined;
      if (terms === undefined) continue;
      const { leverage, mode } = this.#terms[index]!;
      leverage[0].set(terms.long);
      leverage[1].set(terms.short);
      mode.set(terms.mode);
      this.#core.contexts[index]!.adoptedMode = terms.adopted ?? -1;
    }
  }

  saved(): Record<string, SavedTerms> {
    const known = this.#core.instruments.filter(({ index, product }) => product === 'futures' && this.#terms[index]!.mode.value >= 0);
    return Object.fromEntries(
      known.map(({ index, symbol }) => {
        const { leverage, mode } = this.#terms[index]!;
        const { adoptedMode } = this.#core.contexts[index]!;
        const adopted = adoptedMode < 0 ? {} : { adopted: adoptedMode };
        return [symbol, { long: leverage[0].value, short: leverage[1].value, mode: mode.value, ...adopted }];
      }),
    );
  }

  account({ instrument, longLeverage, shortLeverage, marginMode }: AccountReport): void {
    this.#leverage(instrument, 0, longLeverage);
    this.#leverage(instrument, 1, shortLeverage);
    this.#mode(instrument, marginMode);
  }

  positions(reports: readonly PositionReport[]): void {
    for (const { instrument, side, leverage, marginMode, total } of reports) {
      if (total === 0) continue;
      this.#leverage(instrument, side, leverage);
      this.#mode(instrument, marginMode);
    }
  }

  /** An order was refused because of its margin mode. */
  conflict(i: number): void {
    const terms = this.#terms[i]!;
    terms.refusals++;
    if (terms.query !== null) return;
    this.#hold(i, 1);
    terms.query = { kind: 'account', instrument: i };
    this.#queries.ask(terms.query, this);
  }

  /** An opening order was accepted: its margin mode is correct. */
  openAccepted(i: number): void {
    this.#terms[i]!.refusals = 0;
  }

  answered(query: Query, answer: Answer): void {
    if (answer.kind === 'account') this.#decide(query.instrument, answer.account.marginMode);
  }

  /** The mode could not be read; the refusal still counts. */
  failed(query: Query): void {
    this.#decide(query.instrument, -1);
  }

  #decide(i: number, mode: number): void {
    const core = this.#core;
    const terms = this.#terms[i]!;
    assert(terms.query !== null, 'a margin mode that decides was asked for', mode, 'instrument', i);
    terms.query = null;
    const { symbol } = core.instruments[i]!;
    const shown = mode < 0 ? 'which mode it has could not be read' : `the venue has ${MARGIN_MODES[mode]!}`;
    const text = `${symbol}: an order of margin mode ${MARGIN_MODES[core.contexts[i]!.own.asked] ?? 'unknown'} was refused (40013), ${shown}`;
    if (mode >= 0) {
      terms.mode.set(mode);
      // Closing orders use this mode until positions are read again.
      for (const leg of [core.contexts[i]!.long, core.contexts[i]!.short]) if (leg.total > 0) leg.marginMode = mode;
    }
    this.#changed(i, mode, text);
    if (terms.refusals >= TRIES) {
      core.halts.raise({ scope: { kind: 'symbol', instrument: i }, code: 'external-marginMode', detail: text, by: 'bot' });
    }
    this.#hold(i, -1);
  }

  #leverage(i: number, side: number, read: number): void {
    const term = this.#terms[i]!.leverage[side]!;
    if (!(read > 0) || !term.changes(read)) return;
    const before = term.value;
    term.set(read);
    if (read === this.#leverageOf(i)) return;
    const { symbol } = this.#core.instruments[i]!;
    const text = `the leverage of ${symbol} ${SIDES[side]!} went from ${before} to ${read}: no command of this bot did it`;
    this.#external.happened('leverage', i, side, text, { before, after: read });
  }

  #mode(i: number, read: number): void {
    const term = this.#terms[i]!.mode;
    if (!term.changes(read)) return;
    const before = term.value;
    term.set(read);
    const { contexts, instruments, now, timings } = this.#core;
    if (mayBeOwn(contexts[i]!.own, read, now, timings.horizonMs)) return;
    const { symbol } = instruments[i]!;
    const [from, to] = [MARGIN_MODES[before]!, MARGIN_MODES[read]!];
    this.#changed(i, read, `the margin mode of ${symbol} went from ${from} to ${to}: no command of this bot did it`);
  }

  #changed(i: number, mode: number, text: string): void {
    if (mode >= 0 && this.#external.actionOf('marginMode') === 'adopt') this.#core.contexts[i]!.adoptedMode = mode;
    this.#external.happened('marginMode', i, -1, text);
  }

  #hold(i: number, by: 1 | -1): void {
    this.#core.contexts[i]!.halts += by;
    this.#core.tradingState.halted('symbol', by);
  }
}
