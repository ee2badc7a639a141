/** What one scope (the bot, a symbol or a strategy) has lost today and in a row, against limits of its own. */
import type { Instrument } from '../../domain/instrument.ts';
import type { LimitAction, LimitKey } from '../../domain/limits.ts';
import type { HaltScope } from '../exec/halts.ts';
import type { KernelOptions } from '../options.ts';
import { numberOf, statedBy, statedForAll, statedOf, statedOrAll, ValueLimit } from './stated.ts';

/** The limits of a scope, as they are stated; "off" for none. */
interface ScopeLimits {
  readonly maxDailyLoss: string | number;
  readonly maxDailyLossAction: LimitAction;
  readonly maxConsecutiveLosses: string | number;
  readonly maxConsecutiveLossesAction: LimitAction;
  readonly haltFor: string | number;
}

/** What a restart has to know again. */
interface SavedScope {
  /** Realised today less fees, in money. */
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
  /** Realised today less fees, in money. */
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

  /** Whether any limit is stated. */
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

/** What a restart has to know again. Plain JSON; amounts in money, null for not known. */
export interface SavedLosses {
  /** Days since 1970, UTC. */
  readonly day: number;
  readonly dayStart: number | null;
  readonly high: number | null;
  readonly equity: number | null;
  /** By scope as text. */
  readonly scopes: Readonly<Record<string, SavedScope>>;
  /** By leg, "BTCUSDT LONG": what the position that is open has realised so far. */
  readonly open: Readonly<Record<string, number>>;
  /** By number of an order whose record may still tell more: what was counted of it. */
  readonly booked?: readonly (readonly [seq: number, money: number])[] | undefined;
  /** By symbol: until when it opens nothing. */
  readonly cool: Readonly<Record<string, number>>;
}

/** The scope of the whole bot. */
export function botScope({ risk, instruments }: KernelOptions): LossScope {
  return new LossScope(
    { kind: 'bot' },
    limitsOf((key) => statedForAll(risk, key)),
    instruments[0]!.quoteCoin,
  );
}

/** The scope of a symbol, null where it states no limit. Spot orders move no leg. */
export function symbolScope({ risk }: KernelOptions, instrument: Instrument): LossScope | null {
  if (instrument.product !== 'futures') return null;
  const limits = limitsOf((key) => {
    const own = statedOf(risk, key, instrument);
    return isOwn(key) ? own : statedOrAll(own, risk, key);
  });
  return on(new LossScope({ kind: 'symbol', instrument: instrument.index }, limits, instrument.quoteCoin));
}

/** The scope of a strategy, null where it states no limit. */
export function strategyScope(options: KernelOptions, name: string, index: number): LossScope | null {
  const limits = limitsOf((key) => {
    const own = statedBy(options, index, key);
    return isOwn(key) ? own : statedOrAll(own, options.risk, key);
  });
  return on(new LossScope({ kind: 'strategy', name }, limits, options.instruments[0]!.quoteCoin));
}

/** Limits that a scope has only where it states them; the others are those of the bot where it does not. */
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
