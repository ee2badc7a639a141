/** The limits of the options as the rules hold them: numbers, where "off" is Infinity, and values that may be a share of the equity. */
import { lotsOfAmount, moneyOfAmount, shareOf, splitAmount } from '../../domain/amount.ts';
import { Hours } from '../../domain/hours.ts';
import { tradedName, type Instrument } from '../../domain/instrument.ts';
import { type LimitKey, LIMITS, type RiskLimits, type StrategyLimits } from '../../domain/limits.ts';
import { ScaleError } from '../../domain/scale.ts';

type Stated = string | number;

/** The options that limits are made of. */
export interface LimitOptions {
  readonly instruments: readonly Instrument[];
  readonly risk: RiskLimits;
  readonly strategies: readonly { readonly risk?: StrategyLimits | undefined }[];
}

/** What holds for the whole bot. */
export function statedForAll(limits: RiskLimits, key: LimitKey): Stated {
  const given = limits[key];
  return (typeof given === 'object' ? given['*'] : given) ?? LIMITS[key].fallback;
}

/**
 * What holds for an instrument: its own, else where each symbol has the limit that of all. A spot instrument has the limits of its
 * symbol where none are stated for "spot:SYMBOL".
 */
export function statedOf(limits: RiskLimits, key: LimitKey, instrument: Instrument): Stated {
  const given = limits[key];
  const own = typeof given === 'object' ? (given[tradedName(instrument)] ?? given[instrument.symbol]) : undefined;
  return own ?? (LIMITS[key].reach === 'symbol' ? statedForAll(limits, key) : 'off');
}

/** What holds for strategy `index`: its own, else where each strategy has the limit that of all. */
export function statedBy({ strategies, risk }: Pick<LimitOptions, 'strategies' | 'risk'>, index: number, key: LimitKey): Stated {
  const own = (strategies[index]?.risk as RiskLimits | undefined)?.[key] as Stated | undefined;
  return own ?? (LIMITS[key].reach === 'strategy' ? statedForAll(risk, key) : 'off');
}

/** What holds for an instrument or else for the whole bot: of limits that say what another one does. */
export function statedOrAll(own: Stated, limits: RiskLimits, key: LimitKey): Stated {
  return own === 'off' ? statedForAll(limits, key) : own;
}

/** A count, a duration, a factor or a share as a number. @throws ScaleError when it is none */
export function numberOf(key: LimitKey, stated: Stated): number {
  const number = stated === 'off' ? Infinity : typeof stated === 'number' ? stated : shareOf(stated);
  if (Number.isNaN(number)) throw new ScaleError('syntax', `${key}: ${LIMITS[key].unit} was expected, found "${stated}"`);
  return number;
}

/** Hours of trading; null for all of them. @throws Error when the text is none */
export function hoursOf(stated: Stated): Hours | null {
  return stated === 'off' ? null : new Hours(String(stated));
}

/** A size limit in lots, at most `most`; one that is stated as a value limits the value instead. @throws ScaleError */
export function lotsLimit(stated: Stated, instrument: Instrument, most: number): number {
  const text = String(stated);
  return text === 'off' || isValue(text, instrument) ? most : Math.min(lotsOfAmount(text, instrument), most);
}

function isValue(text: string, instrument: Instrument): boolean {
  const amount = splitAmount(text);
  return amount !== null && amount.unit !== 'plain' && amount.coin !== instrument.baseCoin;
}

/** A limit of the configuration that cannot hold for its market: starting again does not help. */
class LimitError extends Error {
  override readonly name = 'LimitError';
}

function requireValue(text: string, quoteCoin: string): void {
  try {
    moneyOfAmount(text, quoteCoin, 0);
  } catch (error) {
    if (!(error instanceof ScaleError)) throw error;
    throw new LimitError(`a limit of the section risk: ${error.message}`, { cause: error });
  }
}

/** The least of several limits of a value, in money, where some may be shares of an equity that changes. */
export class ValueLimit {
  /** Infinity for no limit; −1 while it depends on an equity that is not known. */
  money = Infinity;
  readonly #texts: readonly string[];
  readonly #quoteCoin: string;

  /** @throws LimitError when one of them is no value in `quoteCoin` */
  constructor(texts: readonly Stated[], quoteCoin: string) {
    this.#quoteCoin = quoteCoin;
    this.#texts = texts.map(String).filter((text) => text !== 'off');
    for (const text of this.#texts) requireValue(text, quoteCoin);
    this.equityIs(Number.NaN);
  }

  /** As for a size limit: only what is a value counts. */
  static ofSize(size: Stated, value: Stated, instrument: Instrument): ValueLimit {
    const texts = isValue(String(size), instrument) ? [size, value] : [value];
    return new ValueLimit(texts, instrument.quoteCoin);
  }

  /** Whether there is a limit at all. */
  get isStated(): boolean {
    return this.#texts.length > 0;
  }

  /** Whether it changes with the equity. */
  get isShare(): boolean {
    return this.#texts.some((text) => text.endsWith('%'));
  }

  /** The equity is `money`, NaN for not known. */
  equityIs(equity: number): void {
    this.money = Infinity;
    for (const text of this.#texts) {
      if (text.endsWith('%') && Number.isNaN(equity)) {
        this.money = -1;
        return;
      }
      this.money = Math.min(this.money, moneyOfAmount(text, this.#quoteCoin, equity));
    }
  }
}
