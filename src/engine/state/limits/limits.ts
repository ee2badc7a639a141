/** Converts configured limits to numbers. "off" becomes Infinity; a value limit may be a share of the equity. */
import { lotsOfAmount, moneyOfAmount, shareOf, splitAmount } from '../../../domain/amount.ts';
import { Hours } from '../../../domain/time/hours.ts';
import { tradedName, type Instrument } from '../../../domain/instrument.ts';
import { type LimitKey, LIMITS, type RiskLimits, type StrategyLimits } from '../../../domain/limits.ts';
import { ScaleError } from '../../../domain/amounts/scale.ts';

type Stated = string | number;

/** The options that contain limits. */
export interface LimitOptions {
  readonly instruments: readonly Instrument[];
  readonly risk: RiskLimits;
  readonly strategies: readonly { readonly risk?: StrategyLimits | undefined }[];
}

/** The limit for the whole bot. */
export function statedForAll(limits: RiskLimits, key: LimitKey): Stated {
  const given = limits[key];
  return (typeof given === 'object' ? given['*'] : given) ?? LIMITS[key].fallback;
}

/**
 * The limit of an instrument: its own, else the general one if the limit applies per symbol. A spot instrument uses the limits of its
 * symbol unless "spot:SYMBOL" has its own.
 */
export function statedOf(limits: RiskLimits, key: LimitKey, instrument: Instrument): Stated {
  const given = limits[key];
  const own = typeof given === 'object' ? (given[tradedName(instrument)] ?? given[instrument.symbol]) : undefined;
  return own ?? (LIMITS[key].reach === 'symbol' ? statedForAll(limits, key) : 'off');
}

/** The limit of strategy `index`: its own, else the general one if the limit applies per strategy. */
export function statedBy({ strategies, risk }: Pick<LimitOptions, 'strategies' | 'risk'>, index: number, key: LimitKey): Stated {
  const own = (strategies[index]?.risk as RiskLimits | undefined)?.[key] as Stated | undefined;
  return own ?? (LIMITS[key].reach === 'strategy' ? statedForAll(risk, key) : 'off');
}

/** The own value of an instrument, else that of the whole bot. For settings that modify another limit. */
export function statedOrAll(own: Stated, limits: RiskLimits, key: LimitKey): Stated {
  return own === 'off' ? statedForAll(limits, key) : own;
}

/** A count, duration, factor or share as a number. @throws ScaleError if it is not a number */
export function numberOf(key: LimitKey, stated: Stated): number {
  const number = stated === 'off' ? Infinity : typeof stated === 'number' ? stated : shareOf(stated);
  if (Number.isNaN(number)) throw new ScaleError('syntax', `${key}: ${LIMITS[key].unit} was expected, found "${stated}"`);
  return number;
}

/** Trading hours; null for always. @throws Error if the text is invalid */
export function hoursOf(stated: Stated): Hours | null {
  return stated === 'off' ? null : new Hours(String(stated));
}

/**
 * A size limit in lots, at most `most`. A limit stated as a value in money gives `most` here and a ValueLimit instead. @throws ScaleError
 */
export function lotsLimit(stated: Stated, instrument: Instrument, most: number): number {
  const text = String(stated);
  return text === 'off' || isValue(text, instrument) ? most : Math.min(lotsOfAmount(text, instrument), most);
}

function isValue(text: string, instrument: Instrument): boolean {
  const amount = splitAmount(text);
  return amount !== null && amount.unit !== 'plain' && amount.coin !== instrument.baseCoin;
}

/** A configured limit that is invalid for its market. A restart does not help. */
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

/** The smallest of several value limits, in money. Some may be shares of the equity, which changes. */
export class ValueLimit {
  /** Infinity for no limit; −1 while it depends on an unknown equity. */
  money = Infinity;
  readonly #texts: readonly string[];
  readonly #quoteCoin: string;

  /** @throws LimitError if one of them is not a value in `quoteCoin` */
  constructor(texts: readonly Stated[], quoteCoin: string) {
    this.#quoteCoin = quoteCoin;
    this.#texts = texts.map(String).filter((text) => text !== 'off');
    for (const text of this.#texts) requireValue(text, quoteCoin);
    this.equityIs(Number.NaN);
  }

  /** The value limits of an order or position: `size` counts only if it is stated as a value. */
  static ofSize(size: Stated, value: Stated, instrument: Instrument): ValueLimit {
    const texts = isValue(String(size), instrument) ? [size, value] : [value];
    return new ValueLimit(texts, instrument.quoteCoin);
  }

  /** True if a limit is set. */
  get isStated(): boolean {
    return this.#texts.length > 0;
  }

  /** True if the limit depends on the equity. */
  get isShare(): boolean {
    return this.#texts.some((text) => text.endsWith('%'));
  }

  /** Sets the equity in money; NaN if unknown. */
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
