/** The shape of what `why` and `limits` answer: the engine computes it, the control plane passes it on, the terminal and the page show it. */

/** What a check found: a sentence, since when it is so (0: unknown), and the setting or command that changes it ("" for none). */
export interface Found {
  readonly state: 'ok' | 'finding' | 'skipped' | 'unknown';
  readonly text: string;
  readonly since: number;
  readonly fix: string;
}

/** One check of why a strategy does not trade. */
export interface Check extends Found {
  readonly name: string;
}

/** What a rule says about one order. */
export interface RuleVerdict {
  readonly rule: string;
  readonly isAllowed: boolean;
  /** What is allowed and what was asked; "" if it is allowed. */
  readonly text: string;
  /** The settings that the rule follows, each with its value: "risk.maxPosition 0.5". */
  readonly settings: readonly string[];
}

/** Counts from bars to fills, of a UTC day, or since the start if that is later. Each stage from `intents` on is a part of the one before. */
export interface FunnelCounts {
  /** Bars given to `onBar` or `onBars`. */
  readonly bars: number;
  /** Calls of `onQuote`, `onTrade`, `onBar` and `onBars`. */
  readonly calls: number;
  /** Moments at which the strategy asked for at least one order. */
  readonly signals: number;
  /** Orders asked for, opening and closing; cancels do not count. */
  readonly intents: number;
  /** Orders that every rule allowed. */
  readonly allowed: number;
  /** Orders that the venue accepted, or showed later. */
  readonly accepted: number;
  /** Orders that filled, at least in part. */
  readonly filled: number;
}

/** The stages in their order. */
export const FUNNEL_STAGES = [
  'bars',
  'calls',
  'signals',
  'intents',
  'allowed',
  'accepted',
  'filled',
] as const satisfies readonly (keyof FunnelCounts)[];

/** Counts of a strategy in all its markets, since the start. */
export interface StrategyFunnel extends FunnelCounts {
  readonly strategy: string;
}

/** Why one strategy does not trade one market. */
export interface Ladder {
  readonly strategy: string;
  readonly symbol: string;
  /** Name of the first check that found something; "" if none did. */
  readonly headline: string;
  readonly checks: readonly Check[];
  /** What each rule says about the last intent, or about the smallest order. */
  readonly limits: readonly RuleVerdict[];
  readonly funnel: FunnelCounts;
}

/** How near a limit is. Amounts are decimal strings, "" for unknown. */
export interface LimitLevel {
  /** "bot", "symbol:BTCUSDT", "leg:BTCUSDT:LONG" or "strategy:NAME". */
  readonly scope: string;
  /** The setting: "risk.maxDailyLoss". */
  readonly setting: string;
  readonly rule: string;
  readonly value: string;
  readonly limit: string;
  /** The coin of both, "%", "ms", "×", or "" for counts. */
  readonly unit: string;
  /** Part of the limit that is used: at 1 it acts. Null if it is unknown. */
  readonly share: number | null;
  /** What happens then, in words. */
  readonly effect: string;
}
