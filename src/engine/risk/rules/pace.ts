/** Rules about when and how often an order may open: hours, pauses and rates. @hot */
import type { Hours } from '../../../domain/time/hours.ts';
import type { TotalValue } from '../../state/account/total-value.ts';
import type { RateWindow } from '../../state/limits/rate-window.ts';
import type { OrderRequest, RiskRule, RuleRow, RuleSetting } from './rule.ts';

/** Nothing is opened outside the trading hours of the bot, symbol and strategy. */
class TradingHoursRule implements RiskRule {
  readonly name = 'trading-hours';
  /** Hours of the bot; null for always. */
  readonly #all: Hours | null;

  constructor({ total }: RuleSetting) {
    this.#all = total.hours;
  }

  allows({ command: { time }, context, owner }: OrderRequest): boolean {
    return isOpen(this.#all, time) && isOpen(context.hours, time) && isOpen(owner.hours, time);
  }

  why({ command: { time }, context, owner }: OrderRequest): string {
    // hot-ok: only after a refusal
    const closed = [this.#all, context.hours, owner.hours].find((hours) => !isOpen(hours, time));
    return `opens are allowed at ${closed?.text ?? ''} (UTC)`;
  }
}

function isOpen(hours: Hours | null, now: number): boolean {
  return hours === null || hours.isOpen(now);
}

/** After a position was closed at a loss, its symbol opens nothing for a configured time. */
class CooldownRule implements RiskRule {
  readonly name = 'cooldown';

  allows({ command, context }: OrderRequest): boolean {
    return command.time >= context.coolUntil;
  }

  why({ command, context }: OrderRequest): string {
    // hot-ok: only after a refusal
    return `the last position here was closed at a loss, opens wait for ${context.coolUntil - command.time} ms more`;
  }
}

/**
 * After repeated identical refusals of a symbol's opens, one open is allowed as a probe at growing intervals, until the venue accepts one.
 */
class RefusalCircuitRule implements RiskRule {
  readonly name = 'refusal-circuit';

  allows({ command, context }: OrderRequest): boolean {
    return command.time >= context.circuit.probeAt;
  }

  why({ command, context: { circuit } }: OrderRequest): string {
    // hot-ok: only after a refusal
    const refused = `the venue refused ${circuit.count} opens in a row: ${circuit.reason}`;
    return `${refused}; the next one is let through in ${circuit.probeAt - command.time} ms`;
  }
}

/** Limits the opening orders in any minute, for the bot and for a symbol or strategy with its own limit. */
class OrderRateRule implements RiskRule {
  readonly name = 'order-rate';
  /** Limit of the bot; null for none. */
  readonly #all: RateWindow | null;

  constructor({ total }: RuleSetting) {
    this.#all = total.openRate;
  }

  allows({ command: { time }, context, owner }: OrderRequest): boolean {
    return hasRoom(this.#all, time) && hasRoom(context.openRate, time) && hasRoom(owner.openRate, time);
  }

  why({ command: { time }, context, owner }: OrderRequest): string {
    // hot-ok: only after a refusal
    const full = [this.#all, context.openRate, owner.openRate].find((rate) => !hasRoom(rate, time));
    return `at most ${full?.max ?? 0} opening orders in a minute`;
  }
}

function hasRoom(recent: RateWindow | null, now: number): boolean {
  return recent === null || recent.hasRoom(now);
}

/** An opening order is about to leave: counts it in every rate that it belongs to. */
export function countOpen({ command: { time }, context, owner }: OrderRequest, total: TotalValue): void {
  if (total.openRate !== null) total.openRate.add(time);
  if (context.openRate !== null) context.openRate.add(time);
  if (owner.openRate !== null) owner.openRate.add(time);
  context.circuit.sent(time);
}

export const PACE_RULES: readonly RuleRow[] = [
  { rule: TradingHoursRule, appliesTo: 'opens' },
  { rule: CooldownRule, appliesTo: 'opens' },
  { rule: RefusalCircuitRule, appliesTo: 'opens', limit: 'maxSameRefusals' },
  { rule: OrderRateRule, appliesTo: 'opens' },
];
