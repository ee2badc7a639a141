/**
 * The trading limits, one row each. Configuration schema, defaults, engine options, documentation and tests derive from this table. To add
 * a limit, add a row here and a rule that uses it.
 */

/**
 * Unit of a limit. size: a size in base coin, "0.5"; a value, "100 USDT"; or a share of the equity, "2%". value: the latter two. money:
 * only a value. share: "0.02" or "2%". count: a whole number. duration: milliseconds, or "5s". factor: a number. hours: cron expressions
 * (domain/time/hours.ts).
 */
export type LimitUnit = 'size' | 'value' | 'money' | 'share' | 'count' | 'duration' | 'factor' | 'hours' | 'action';

/** What a limit does when it is exceeded, besides refusing opening orders. Each includes the ones before it. */
export const LIMIT_ACTIONS = ['halt-opens', 'cancel', 'flatten'] as const;
export type LimitAction = (typeof LIMIT_ACTIONS)[number];

/**
 * Where a limit applies. symbol: to each symbol; `risk.symbols` may override it. strategy: to each strategy. scope: to the whole bot, and
 * to a symbol or a strategy only if set there. bot: only to the whole bot.
 */
export type LimitReach = 'symbol' | 'strategy' | 'scope' | 'bot';

export interface Limit {
  readonly unit: LimitUnit;
  readonly fallback: string | number;
  readonly reach: LimitReach;
  /** Name of the refusal or halt that this limit causes. */
  readonly rule: string;
  readonly doc: string;
  /** Bounds of a count, a duration in milliseconds or a factor; for a value, the largest share of the equity. */
  readonly min?: number;
  readonly max?: number;
  /** True if "off" is allowed and means no limit. */
  readonly canBeOff: boolean;
}

type Range = readonly [number, number];

const size = <N extends string>(rule: N, doc: string) =>
  ({ unit: 'size', fallback: 'off', reach: 'symbol', canBeOff: true, rule, doc }) as const;
const value = <R extends LimitReach, N extends string>(reach: R, fallback: string, rule: N, doc: string) =>
  ({ unit: 'value', fallback, reach, canBeOff: true, rule, doc }) as const;
/** An amount that can be lost: at most the whole equity. */
const loss = <R extends LimitReach, N extends string>(reach: R, rule: N, doc: string) =>
  ({ ...value(reach, 'off', rule, doc), max: 1 }) as const;
const share = <N extends string>(fallback: string, rule: N, doc: string) =>
  ({ unit: 'share', fallback, reach: 'symbol', canBeOff: true, rule, doc }) as const;
const count = <R extends LimitReach, N extends string>(reach: R, fallback: number | 'off', [min, max]: Range, rule: N, doc: string) =>
  ({ unit: 'count', fallback, reach, canBeOff: true, min, max, rule, doc }) as const;
const duration = <R extends LimitReach, N extends string>(reach: R, fallback: number | 'off', [min, max]: Range, rule: N, doc: string) =>
  ({ unit: 'duration', fallback, reach, canBeOff: fallback === 'off', min, max, rule, doc }) as const;

const factor = <N extends string>(rule: N, doc: string) =>
  ({ unit: 'factor', fallback: 'off', reach: 'bot', canBeOff: true, min: 0.01, max: 500, rule, doc }) as const;
/** The action of the preceding limit. */
const action = <R extends LimitReach, N extends string>(reach: R, rule: N) =>
  ({
    unit: 'action',
    fallback: 'halt-opens',
    reach,
    canBeOff: false,
    rule,
    doc: `What ${rule} does: ${LIMIT_ACTIONS.join(', ')}`,
  }) as const;

const MONTH_MS = 30 * 86_400_000;

export const LIMITS = {
  maxOrderSize: size('order-size', 'Largest opening order'),
  maxPosition: size('max-position', 'Largest leg (position side), with all its live opening orders counted as filled'),
  maxNotionalOrder: value('symbol', '2000', 'max-notional-order', 'Largest value of one opening order, in quote coin or percent of equity'),
  maxNotionalPosition: value(
    'symbol',
    '10000',
    'max-notional-position',
    'Largest value of one leg, its live opening orders counted as if filled',
  ),
  maxNotionalTotal: value(
    'bot',
    '50000',
    'max-notional-total',
    'Largest value of all legs together, live opening orders counted as if filled',
  ),
  maxLeverage: factor('max-leverage', 'Largest value of all legs together as a multiple of the equity'),
  leverage: count(
    'symbol',
    'off',
    [1, 500],
    'leverage',
    'Leverage that the account must show (E9); no endpoint sets it. With another one, or before it is read, the symbol opens nothing',
  ),
  maxOpenOrders: count('symbol', 20, [0, 10_000], 'max-open-orders', 'Largest number of live orders of one symbol'),
  priceCollar: share('0.02', 'price-collar', 'How far a limit price may cross the best opposite price, as a share of it'),
  maxPriceJump: share(
    '0.05',
    'price-unconfirmed',
    'A price that differs by more than this from the accepted one is held until other evidence confirms it. Strategies do not see it and opens are refused',
  ),
  maxDistance: share('off', 'max-distance', 'How far a limit price may lie from the mid price, as a share of it'),
  maxSpread: share('off', 'max-spread', 'Spread of the best prices, as a share of the mid price, above which the symbol opens nothing'),
  maxSpreadAction: action('symbol', 'max-spread'),
  maxStopDistance: share(
    'off',
    'stop-distance',
    'Each order that opens futures needs a stop-loss, no further than this share from the price at which it would open',
  ),
  maxSlippage: share(
    'off',
    'slippage',
    'How much worse than the price at decision time an order may fill, as a share of that price. Worse fills are logged and counted',
  ),
  maxSlippageFills: count('symbol', 3, [1, 1_000], 'slippage', 'Orders beyond maxSlippage within maxSlippageWindow at which opens stop'),
  maxSlippageWindow: duration('symbol', 3_600_000, [1_000, MONTH_MS], 'slippage', 'Time within which orders beyond maxSlippage count'),
  maxSlippageAction: action('symbol', 'slippage'),
  tradingHours: {
    unit: 'hours',
    fallback: 'off',
    reach: 'scope',
    canBeOff: true,
    rule: 'trading-hours',
    doc: 'The minutes, in UTC, in which opens are allowed: a cron expression, or several joined by ";"',
  },
  tradingHoursAction: action('scope', 'trading-hours'),
  staleAfterMs: duration('symbol', 5000, [1, 3_600_000], 'stale-data', 'A quote older than this allows no opening order'),
  maxPositionAgeMs: duration(
    'bot',
    15_000,
    [1_000, 3_600_000],
    'positions-unread',
    'Nothing is opened when positions were read longer ago than this, at least three polls',
  ),
  maxAccountAgeMs: duration(
    'bot',
    30_000,
    [1_000, 3_600_000],
    'account-unread',
    'Nothing is opened when the account was read longer ago than this, at least three polls',
  ),
  maxIntentsPerSecond: count('strategy', 50, [1, 1_000_000], 'flood', 'Most intents of one strategy in a running second'),
  maxOrdersPerMinute: count('scope', 'off', [1, 1_000_000], 'order-rate', 'Most opening orders in a running minute'),
  maxSameRefusals: count(
    'symbol',
    5,
    [1, 1_000],
    'refusal-circuit',
    'Identical refusals of opens in a row after which only single opens are sent, as probes',
  ),
  maxDailyLoss: loss('scope', 'daily-loss', 'Loss since 0:00 UTC, or percent of the equity then, at which opens stop until the next day'),
  maxDailyLossAction: action('scope', 'daily-loss'),
  maxDrawdown: loss('bot', 'drawdown', 'Fall of the equity from its high, or percent of that, at which opens stop'),
  maxDrawdownAction: action('bot', 'drawdown'),
  minEquity: { unit: 'money', fallback: 'off', reach: 'bot', canBeOff: true, rule: 'min-equity', doc: 'Equity below which opens stop' },
  minEquityAction: action('bot', 'min-equity'),
  maxConsecutiveLosses: count('scope', 'off', [1, 1_000], 'consecutive-losses', 'Positions closed at a loss in a row at which opens stop'),
  maxConsecutiveLossesAction: action('scope', 'consecutive-losses'),
  haltFor: duration(
    'scope',
    'off',
    [1_000, MONTH_MS],
    'consecutive-losses',
    'How long maxConsecutiveLosses, stoplossGuard and maxSlippage stop opens; off: until resumed',
  ),
  stoplossGuard: count('scope', 'off', [1, 1_000], 'stoploss-guard', 'Stop-losses within stoplossGuardWindow at which opens stop'),
  stoplossGuardWindow: duration('scope', 3_600_000, [1_000, MONTH_MS], 'stoploss-guard', 'Time within which stop-losses count'),
  stoplossGuardAction: action('scope', 'stoploss-guard'),
  cooldownAfterLoss: duration('symbol', 'off', [1_000, MONTH_MS], 'cooldown', 'How long after a loss the symbol opens nothing'),
  liquidationBuffer: share(
    'off',
    'liquidation-buffer',
    'Distance of the mark price from the liquidation price, as a share, below which the leg opens nothing',
  ),
  liquidationBufferAction: action('symbol', 'liquidation-buffer'),
} as const satisfies Readonly<Record<string, Limit>>;

export type LimitKey = keyof typeof LIMITS;
const SETTINGS: ReadonlyMap<string, readonly string[]> = settingsByRule();

function settingsByRule(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [key, { rule, unit }] of Object.entries<Limit>(LIMITS)) {
    if (unit !== 'action') found.set(rule, [...(found.get(rule) ?? []), `risk.${key}`]);
  }
  return found;
}

/** The limits whose rule this is, as keys of the configuration: "risk.maxSpread". */
export function settingsOf(rule: string): readonly string[] {
  return SETTINGS.get(rule) ?? [];
}
export const LIMIT_KEYS = Object.keys(LIMITS) as readonly LimitKey[];

/** Rules of limits that halt opens for a while. They judge no single order; each has a row in engine/state/events/halt-codes.ts. */
type HaltRule =
  | 'account-unread'
  | 'consecutive-losses'
  | 'daily-loss'
  | 'drawdown'
  | 'leverage'
  | 'liquidation-buffer'
  | 'min-equity'
  | 'positions-unread'
  | 'slippage'
  | 'stoploss-guard';
/** Rules of limits that refuse orders. */
export type LimitRule = Exclude<(typeof LIMITS)[LimitKey]['rule'], HaltRule>;

type ValueOfUnit<U extends LimitUnit> = U extends 'size' | 'value' | 'money' | 'share' | 'hours'
  ? string
  : U extends 'action'
    ? LimitAction
    : number | 'off';

/**
 * Configured limits by key. A limit is one value for all, or values by name: a symbol, "spot:SYMBOL" or a strategy, and "*" for all others.
 * An omitted key has its default from the table.
 */
export type RiskLimits = { readonly [K in LimitKey]?: LimitOption | undefined };

export type LimitOption = string | number | Readonly<Record<string, string | number>>;

/** The value of a limit in the configuration. */
export type LimitValue<K extends LimitKey = LimitKey> = ValueOfUnit<(typeof LIMITS)[K]['unit']>;

export type LimitValues = { readonly [K in LimitKey]: LimitValue<K> };

/** Keys that a symbol or a strategy may set for itself. */
export type KeysOf<R extends LimitReach> = { [K in LimitKey]: (typeof LIMITS)[K]['reach'] extends R ? K : never }[LimitKey];
export type SymbolLimits = Partial<Pick<LimitValues, KeysOf<'symbol' | 'scope'>>>;
export type StrategyLimits = Partial<Pick<LimitValues, KeysOf<'strategy' | 'scope'>>>;

export const SYMBOL_LIMIT_KEYS = keysOf('symbol', 'scope') as readonly (keyof SymbolLimits)[];
export const STRATEGY_LIMIT_KEYS = keysOf('strategy', 'scope') as readonly (keyof StrategyLimits)[];

function keysOf(...reaches: readonly LimitReach[]): readonly LimitKey[] {
  return LIMIT_KEYS.filter((key) => reaches.includes(LIMITS[key].reach));
}

/** Every limit at its default. */
export const DEFAULT_LIMITS = Object.fromEntries(LIMIT_KEYS.map((key) => [key, LIMITS[key].fallback])) as unknown as LimitValues;
