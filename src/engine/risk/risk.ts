/**
 * Checks every intent against the risk rules; only this class approves commands. Each rule has its own call site, so that V8 keeps the
 * calls direct. @hot
 */
import { AssertionError } from '../../base/assert.ts';
import * as codes from '../../domain/codes.ts';
import type { Approved, Command } from '../../domain/command.ts';
import { isCancel } from '../../domain/command-traits.ts';
import type { InstrumentContext } from '../state/instrument-context.ts';
import type { Order } from '../state/orders.ts';
import type { Halts } from '../state/halts.ts';
import type { Owner } from '../state/owner.ts';
import type { TradingState } from '../state/trading-state.ts';
import type { TotalValue } from '../state/total-value.ts';
import { CloseSizeRule } from './rules/close-size.ts';
import { CooldownRule } from './rules/cooldown.ts';
import { BracketSideRule } from './rules/exit-side.ts';
import { FloodRule } from './rules/flood.ts';
import { KnownPositionRule } from './rules/known-position.ts';
import { MaxDistanceRule } from './rules/max-distance.ts';
import { MaxNotionalRule } from './rules/max-notional.ts';
import { MaxOpenOrdersRule } from './rules/max-open-orders.ts';
import { MaxPositionRule } from './rules/max-position.ts';
import { MaxSpreadRule } from './rules/max-spread.ts';
import { OrderSizeRule } from './rules/order-size.ts';
import { OrderRateRule } from './rules/order-rate.ts';
import { PriceCollarRule } from './rules/price-collar.ts';
import { PriceUnconfirmedRule } from './rules/price-unconfirmed.ts';
import { RefusalCircuitRule } from './rules/refusal-circuit.ts';
import type { RiskRule } from './rules/rule.ts';
import { StaleDataRule } from './rules/stale-data.ts';
import { TradingStateRule } from './rules/trading-state.ts';
import { TradingHoursRule } from './rules/trading-hours.ts';

const { CLOSE } = codes;

// The rules have no state of their own: limits are those of the instrument or the owner.
const flood = new FloodRule();
const orderSize = new OrderSizeRule();
const openOrders = new MaxOpenOrdersRule();
const known = new KnownPositionRule();
const position = new MaxPositionRule();
const closeSize = new CloseSizeRule();
const collar = new PriceCollarRule();
const distance = new MaxDistanceRule();
const exits = new BracketSideRule();
const spread = new MaxSpreadRule();
const stale = new StaleDataRule();
const doubt = new PriceUnconfirmedRule();
const cooldown = new CooldownRule();
const circuit = new RefusalCircuitRule();

export class Risk {
  /** After a refusal: the rule, and its explanation. */
  rule = '';
  detail = '';
  declare private readonly tradingState: TradingStateRule;
  declare private readonly notional: MaxNotionalRule;
  declare private readonly total: TotalValue;
  declare private readonly rate: OrderRateRule;
  declare private readonly hours: TradingHoursRule;

  /** `halts`: names the halt in a refusal. */
  constructor(tradingState: TradingState, total: TotalValue, halts: Halts | null = null) {
    this.tradingState = new TradingStateRule(tradingState, halts);
    this.total = total;
    this.rate = new OrderRateRule(total.openRate);
    this.hours = new TradingHoursRule(total.hours);
    this.notional = new MaxNotionalRule(total);
  }

  /**
   * Returns the approved order command, or null if a rule refused; then `rule` and `detail` say why. `old` is the order that a modify
   * replaces, or null. `added` are the lots beyond what may already fill.
   */
  approveOrder(c: Command, context: InstrumentContext, old: Order | null, added: number, owner: Owner): Approved<Command> | null {
    const { recent } = owner; // hot-ok: a pattern, nothing is made
    const isAllowed = this.#isAllowed(c, context, old, added, owner) && flood.allows(recent, c.time);
    if (!isAllowed) return this.#refuse(this.against(c, context, old, added, owner), c, context, old, owner);
    recent.add(c.time);
    if (c.effect !== CLOSE) this.#opens(c, context, owner);
    return c as Approved<Command>;
  }

  /** An opening order is about to leave: updates the rate limits. */
  #opens(c: Command, context: InstrumentContext, owner: Owner): void {
    this.rate.add(c, context, owner);
    context.circuit.sent(c.time);
  }

  /** True if no rule but the flood limit refuses. Same rules as `against`, sharing the work of opening and closing orders. */
  #isAllowed(c: Command, context: InstrumentContext, old: Order | null, added: number, owner: Owner): boolean {
    if (
      !this.tradingState.allows(c, context, owner) ||
      !openOrders.allows(c, context, old) ||
      !collar.allows(c, context) ||
      !distance.allows(c, context)
    )
      return false;
    const leg = context.leg(c.side);
    if (c.effect === CLOSE) return orderSize.allowsClose(c, context, leg) && closeSize.allows(leg, added);
    if (!orderSize.allowsOpen(c, context) || !known.allows(leg, added) || !position.allows(c, context, leg, added)) return false;
    if (!stale.allows(c, context) || !doubt.allows(context) || !spread.allows(context) || !this.hours.allows(c, context, owner))
      return false;
    this.total.refresh();
    if (!this.notional.allows(c, context, leg, added) || !cooldown.allows(c, context)) return false;
    if (!circuit.allows(c, context) || !this.rate.allows(c, context, owner)) return false;
    return (c.takeProfit === 0 && c.stopLoss === 0) || exits.allows(c, context);
  }

  /** The first rule that refuses the order, in the order in which refusals are reported; null for none. */
  against(c: Command, context: InstrumentContext, old: Order | null, added: number, owner: Owner): RiskRule | null {
    const opens = c.effect !== CLOSE;
    const leg = context.leg(c.side);
    if (!this.tradingState.allows(c, context, owner)) return this.tradingState;
    if (!flood.allows(owner.recent, c.time)) return flood;
    if (!(opens ? orderSize.allowsOpen(c, context) : orderSize.allowsClose(c, context, leg))) return orderSize;
    if (!openOrders.allows(c, context, old)) return openOrders;
    if (opens && !known.allows(leg, added)) return known;
    if (opens && !position.allows(c, context, leg, added)) return position;
    if (opens && !this.notional.allows(c, context, leg, added)) return this.notional;
    if (!opens && !closeSize.allows(leg, added)) return closeSize;
    if (!collar.allows(c, context)) return collar;
    if (!distance.allows(c, context)) return distance;
    if (opens && (c.takeProfit !== 0 || c.stopLoss !== 0) && !exits.allows(c, context)) return exits;
    if (opens && !stale.allows(c, context)) return stale;
    if (opens && !doubt.allows(context)) return doubt;
    if (opens && !spread.allows(context)) return spread;
    if (opens && !this.hours.allows(c, context, owner)) return this.hours;
    if (opens && !cooldown.allows(c, context)) return cooldown;
    if (opens && !circuit.allows(c, context)) return circuit;
    return opens && !this.rate.allows(c, context, owner) ? this.rate : null;
  }

  /** Approves a cancel. Cancels are never refused, but they count towards the flood limit. */
  approveCancel(command: Command, owner: Owner): Approved<Command> {
    if (!isCancel(command.kind)) throw new TypeError('a cancel'); // hot-ok: a bug
    owner.recent.hasRoom(command.time);
    owner.recent.add(command.time);
    return command as Approved<Command>;
  }

  /** Approves margin mode and margin commands: only while the kernel is armed or stopping, and within the flood limit. */
  approveMargin(command: Command, context: InstrumentContext, owner: Owner): Approved<Command> | null {
    if (!this.tradingState.allows(command, context, owner)) return this.#refuse(this.tradingState, command, context, null, owner);
    if (!flood.allows(owner.recent, command.time)) return this.#refuse(flood, command, context, null, owner);
    owner.recent.add(command.time);
    return command as Approved<Command>;
  }

  #refuse(rule: RiskRule | null, command: Command, context: InstrumentContext, old: Order | null, owner: Owner): null {
    if (rule === null) throw new AssertionError('an order was refused, but no rule refuses it');
    this.rule = rule.name;
    this.detail = rule.why(command, context, old, owner);
    return null;
  }
}
