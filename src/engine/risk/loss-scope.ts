/** Loss counters and loss limits of one scope: the bot, a symbol or a strategy. */
import type { Instrument } from '../../domain/instrument.ts';
import type { LimitAction, LimitKey } from '../../domain/limits.ts';
import type { HaltScope } from '../state/halts.ts';
import { numberOf, statedBy, statedForAll, statedOf, statedOrAll, ValueLimit, type LimitOptions } from '../state/limits/limits.ts';

/** The limits of a scope as configured; "off" for none. */
interface ScopeLimits {
  readonly maxDailyLoss: string | number;
  readonly maxDailyLossAction: LimitAction;
  readonly maxConsecutiveLosses: string | number;
  readonly maxConsecutiveLossesAction: LimitAction;
  readonly haltFor: string | number;
}

/** State that a restart restores. */
interface SavedScope {
  /** Realised profit less fees since 0:00 UTC, in money. */
  readonly realised: number;
  /** Positions closed at a loss in a row. */
  readonly streak: number;
}

export type { LossScope };

class LossScope {
  readonly scope: HaltScope;
  readonly dailyLoss: ValueLimit;
  readonly dailyLossAction: LimitAction;
  readonly mostLosses: number;
  readonly lossesAction: LimitAction;
  readonly haltForMs: number;
  /** Realised profit less fees since 0:00 UTC, in money. */
  realised = 0;
  /** Positions closed at a loss in a row. */
  streak = 0;

  constructor(scope: HaltScope, limits: ScopeLimits, quoteCoin: string) {
    this.scope = scope;
    this.dailyLoss = new ValueLimit([limits.maxDailyLoss], quoteCoin);
    this.dailyLossAction = limits.maxDailyLossAction;
    this.mostLosses = numberOf('maxConsecutiveLosses', limits.maxConsecutiveLosses);
    this.lossesAction = limits.maxConsecutiveLossesAction;
    this.haltForMs = numberOf('haltFor', limits.haltFor);
  }

  /** True if any limit is set. */
  get isOn(): boolean {
    return this.dailyLoss.isStated || this.mostLosses !== Infinity;
  }

  saved(): SavedScope {
    return { realised: this.realised, streak: this.streak };
  }

  restore({ realised, streak }: SavedScope): void {
    this.realised = realised;
    this.streak = streak;
  }
}

/** State that a restart restores. Plain JSON; amounts in money, null if unknown. */
export interface SavedLosses {
  /** Days since 1970, UTC. */
  readonly day: number;
  readonly dayStart: number | null;
  readonly high: number | null;
  readonly equity: number | null;
  /** By scope as text. */
  readonly scopes: Readonly<Record<string, SavedScope>>;
  /** By leg ("BTCUSDT LONG"): what its open position has realised so far. */
  readonly open: Readonly<Record<string, number>>;
  /** By number of an order whose record may still change: the money already counted. */
  readonly booked?: readonly (readonly [seq: number, money: number])[] | undefined;
  /** By symbol: end of the cooldown that blocks opens. */
  readonly cool: Readonly<Record<string, number>>;
}

/**
 * Merges the state of the journal, which may be an older copy, with that of the file beside it, taking the worse. The later day counts; for
 * the same day the larger loss. What belongs to orders and positions, `booked` and `open`, comes from the journal, which knows these.
 */
export function worseLosses(journal: SavedLosses | undefined, file: SavedLosses | undefined): SavedLosses | undefined {
  if (journal === undefined) return file === undefined ? undefined : { ...file, booked: [] };
  if (file === undefined) return journal;
  const later = file.day >= journal.day ? file : journal;
  const isSameDay = file.day === journal.day;
  const names = [...new Set([...Object.keys(journal.scopes), ...Object.keys(file.scopes)])];
  const symbols = [...new Set([...Object.keys(journal.cool), ...Object.keys(file.cool)])];
  return {
    ...later,
    dayStart: isSameDay ? most(journal.dayStart, file.dayStart) : later.dayStart,
    high: most(journal.high, file.high),
    scopes: Object.fromEntries(
      names.map((name) => {
        const [a, b] = [journal.scopes[name] ?? NO_LOSS, file.scopes[name] ?? NO_LOSS];
        const realised = isSameDay ? Math.min(a.realised, b.realised) : (later.scopes[name] ?? NO_LOSS).realised;
        return [name, { realised, streak: Math.max(a.streak, b.streak) }];
      }),
    ),
    cool: Object.fromEntries(symbols.map((symbol) => [symbol, Math.max(journal.cool[symbol] ?? 0, file.cool[symbol] ?? 0)])),
    open: journal.open,
    booked: journal.booked ?? [],
  };
}

const NO_LOSS: SavedScope = { realised: 0, streak: 0 };

function most(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

/** The scope of the whole bot. */
export function botScope({ risk, instruments }: LimitOptions): LossScope {
  return new LossScope(
    { kind: 'bot' },
    limitsOf((key) => statedForAll(risk, key)),
    instruments[0]!.quoteCoin,
  );
}

/** The scope of a symbol, null if it has no limit. Spot orders have no leg. */
export function symbolScope({ risk }: LimitOptions, instrument: Instrument): LossScope | null {
  if (instrument.product !== 'futures') return null;
  const limits = limitsOf((key) => {
    const own = statedOf(risk, key, instrument);
    return isOwn(key) ? own : statedOrAll(own, risk, key);
  });
  return on(new LossScope({ kind: 'symbol', instrument: instrument.index }, limits, instrument.quoteCoin));
}

/** The scope of a strategy, null if it has no limit. */
export function strategyScope(options: LimitOptions, name: string, index: number): LossScope | null {
  const limits = limitsOf((key) => {
    const own = statedBy(options, index, key);
    return isOwn(key) ? own : statedOrAll(own, options.risk, key);
  });
  return on(new LossScope({ kind: 'strategy', name }, limits, options.instruments[0]!.quoteCoin));
}

/** True for limits that must be set for the scope itself; the others fall back to those of the bot. */
function isOwn(key: LimitKey): boolean {
  return key === 'maxDailyLoss' || key === 'maxConsecutiveLosses';
}

function limitsOf(stated: (key: LimitKey) => string | number): ScopeLimits {
  return {
    maxDailyLoss: stated('maxDailyLoss'),
    maxDailyLossAction: stated('maxDailyLossAction') as LimitAction,
    maxConsecutiveLosses: stated('maxConsecutiveLosses'),
    maxConsecutiveLossesAction: stated('maxConsecutiveLossesAction') as LimitAction,
    haltFor: stated('haltFor'),
  };
}

function on(scope: LossScope): LossScope | null {
  return scope.isOn ? scope : null;
}
