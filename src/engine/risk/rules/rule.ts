/**
 * The interface of a risk rule. A rule allows or refuses an order; it never changes one. Each instrument has its own rules, made with the
 * limits that hold there.
 */
import type { Command } from '../../../domain/orders/command.ts';
import type { RuleName } from '../../../domain/orders/refusals.ts';
import type { LimitKey } from '../../../domain/limits.ts';
import type { Halts } from '../../state/halts.ts';
import type { InstrumentContext } from '../../state/records/instrument-context.ts';
import type { Leg } from '../../state/records/leg.ts';
import type { Order } from '../../state/orders/orders.ts';
import type { Owner } from '../../state/records/owner.ts';
import type { TotalValue } from '../../state/account/total-value.ts';
import type { TradingState } from '../../state/trading-state.ts';

/** An order that asks to leave. `command.time` is now. */
export interface OrderRequest {
  readonly command: Command;
  readonly context: InstrumentContext;
  /** The leg that the order opens or closes. */
  readonly leg: Leg;
  /** The order that a modify replaces, or null. */
  readonly old: Order | null;
  /** Lots beyond what may already fill. */
  readonly added: number;
  readonly owner: Owner;
}

export interface RiskRule {
  /** Name of the rule in refusals. */
  readonly name: RuleName | 'pass';
  allows(request: OrderRequest): boolean;
  /** Text of a refusal: what is allowed and what was requested. */
  why(request: OrderRequest): string;
  /** True if the order alone, without any other order or position, is more than the limit. Rules without it limit no size. */
  isTooLarge?(request: OrderRequest): boolean;
}

/** What a rule of one instrument is made of. */
export interface RuleSetting {
  readonly context: InstrumentContext;
  readonly total: TotalValue;
  readonly tradingState: TradingState;
  /** Names the halt in a refusal; null if halts have no names. */
  readonly halts: Halts | null;
  /** The limit of the instrument as a number; Infinity for "off". */
  readonly number: (key: LimitKey) => number;
  /** A size limit of the instrument in lots, at most `most`; `most` for "off" and for a limit stated as a value. */
  readonly lots: (key: LimitKey, most: number) => number;
}

/** Which orders a rule judges. */
export type AppliesTo = 'all' | 'opens' | 'closes';

/** A row of the list of rules. With `limit`, the rule is left out where that limit is off. */
export interface RuleRow {
  readonly appliesTo: AppliesTo;
  readonly rule: new (setting: RuleSetting) => RiskRule;
  readonly limit?: LimitKey;
}
