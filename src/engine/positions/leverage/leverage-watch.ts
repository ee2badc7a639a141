/**
 * Compares the leverage that the configuration expects with that of the account (E9) and of positions (E19). No endpoint sets leverage, so
 * the bot cannot correct it: opens of the symbol stop until a person sets it at the venue. Nothing opens before the first read.
 */
import { assert } from '../../../base/failure/assert.ts';
import { SIDES } from '../../../domain/codes.ts';
import type { RiskLimits } from '../../../domain/limits.ts';
import type { AccountReport, PositionReport } from '../../../domain/report.ts';
import type { Answer, Query } from '../../../ports/venue.ts';
import type { PendingQueries, QueryOwner } from '../../polling/queries.ts';
import type { PushedAccount } from '../../state/account/account-figures.ts';
import type { Core } from '../../state/core.ts';
import type { Halts } from '../../state/halts.ts';
import { numberOf, statedOf } from '../../state/limits/limits.ts';
import type { InstrumentContext } from '../../state/records/instrument-context.ts';
import type { TradingState } from '../../state/trading-state.ts';

/** The shared state that this file uses. */
interface LeverageCore extends Core {
  readonly contexts: readonly InstrumentContext[];
  readonly halts: Halts;
  readonly tradingState: TradingState;
}

interface LeverageDeps {
  readonly core: LeverageCore;
  readonly queries: PendingQueries;
  readonly limits: RiskLimits;
  /** Instruments by strategy. */
  readonly traded: ReadonlyMap<string, ReadonlySet<number>>;
  readonly pushed: PushedAccount | null;
  /** True if the account is read. */
  readonly isRead: boolean;
}

const CODE = 'leverage';

/** A symbol whose leverage is configured. */
interface Expected {
  readonly instrument: number;
  readonly leverage: number;
  /** Of LONG and SHORT as last read; 0 if unknown. */
  readonly read: [number, number];
  /** True while opens wait for the first read. */
  isHeld: boolean;
}

export class LeverageWatch implements QueryOwner {
  readonly #core: LeverageCore;
  readonly #queries: PendingQueries;
  readonly #traded: ReadonlyMap<string, ReadonlySet<number>>;
  readonly #pushed: Exclude<PushedAccount['leverage'], undefined> | null;
  /** By instrument. */
  readonly #expected: ReadonlyMap<number, Expected>;

  /** Where the leverage cannot be known, nothing is expected of it. */
  constructor({ core, queries, limits, traded, pushed, isRead }: LeverageDeps) {
    this.#core = core;
    this.#queries = queries;
    this.#traded = traded;
    this.#pushed = pushed?.leverage ?? null;
    const isKnown = isRead || this.#pushed !== null;
    const rows = core.instruments.flatMap((one): [number, Expected][] => {
      const leverage = numberOf('leverage', statedOf(limits, 'leverage', one));
      if (!isKnown || leverage === Infinity || one.product !== 'futures') return [];
      return [[one.index, { instrument: one.index, leverage, read: [0, 0], isHeld: true }]];
    });
    this.#expected = new Map(rows);
    for (const instrument of this.#expected.keys()) this.#hold(instrument, 1);
  }

  /** The configured leverage of an instrument; Infinity for none. */
  expectedOf(instrument: number): number {
    return this.#expected.get(instrument)?.leverage ?? Infinity;
  }

  /** The kernel is armed. Traded symbols are read at once, the others when they are polled. */
  armed(): void {
    const { halts } = this.#core;
    for (const halt of halts.all()) {
      const scope = halt.code === CODE ? halts.scopeOf(halt.scope) : null;
      const isExpected = scope?.kind === 'symbol' && this.#expected.has(scope.instrument);
      if (halt.code === CODE && !isExpected) halts.end(halt, 'the limit is not configured any more', 'bot');
    }
    for (const { instrument, isHeld } of this.#expected.values()) {
      if (this.#pushed !== null) {
        const [longLeverage, shortLeverage] = this.#pushed(instrument);
        this.account({ instrument, longLeverage, shortLeverage });
      } else if (isHeld && this.#isTraded(instrument)) {
        this.#queries.ask({ kind: 'account', instrument }, this);
      }
    }
  }

  account({ instrument, longLeverage, shortLeverage }: Pick<AccountReport, 'instrument' | 'longLeverage' | 'shortLeverage'>): void {
    const expected = this.#expected.get(instrument);
    if (expected === undefined) return;
    if (longLeverage > 0) expected.read[0] = longLeverage;
    if (shortLeverage > 0) expected.read[1] = shortLeverage;
    this.#judge(expected);
  }

  positions(reports: readonly PositionReport[]): void {
    for (const { instrument, side, leverage, total } of reports) {
      const expected = this.#expected.get(instrument);
      if (expected === undefined || total === 0 || !(leverage > 0)) continue;
      expected.read[side as 0 | 1] = leverage;
      // Before the account is read, one leg says nothing of the other.
      if (!expected.isHeld) this.#judge(expected);
    }
  }

  /** `account` has taken the answer. */
  answered(_query: Query, _answer: Answer): void {}

  /** It could not be read: the reason becomes visible, and the next poll decides. */
  failed({ instrument }: Query, cause: string): void {
    const expected = this.#expected.get(instrument);
    assert(expected !== undefined, 'leverage is asked for where it is configured', instrument);
    if (expected.isHeld) this.#mismatch(expected, `could not be read (${cause})`);
  }

  #isTraded(instrument: number): boolean {
    return [...this.#traded.values()].some((some) => some.has(instrument));
  }

  #judge(expected: Expected): void {
    const { leverage, read, instrument } = expected;
    if (read.every((one) => one === leverage)) {
      this.#release(expected);
      this.#core.halts.lift({ kind: 'symbol', instrument }, CODE, `the account has leverage ${leverage}`, 'bot');
      return;
    }
    const shown = read.map((one, side) => `${SIDES[side]!} ${one > 0 ? one : 'none'}`).join(' and ');
    this.#mismatch(expected, `is ${shown}`);
  }

  #mismatch(expected: Expected, found: string): void {
    const { halts, instruments } = this.#core;
    const { instrument, leverage } = expected;
    const { symbol } = instruments[instrument]!;
    const scope = { kind: 'symbol', instrument } as const;
    const detail = `${symbol}: risk.leverage is ${leverage}, and the leverage of the account (E9) ${found}; no endpoint sets it: set it at the venue, or change risk.leverage`;
    const halt = halts.find(scope, CODE);
    if (halt === null) halts.raise({ scope, code: CODE, detail, by: 'bot' });
    else if (halt.detail !== detail) halts.restate(halt, detail);
    this.#release(expected);
  }

  #release(expected: Expected): void {
    if (!expected.isHeld) return;
    expected.isHeld = false;
    this.#hold(expected.instrument, -1);
  }

  /** Stops opens of the symbol until its leverage is known: a short halt without journal record. */
  #hold(instrument: number, by: 1 | -1): void {
    this.#core.contexts[instrument]!.halts += by;
    this.#core.tradingState.halted('symbol', by);
  }
}
