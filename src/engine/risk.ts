/**
 * The one door between an intent and a command: every rule that can say something is asked, and only here is a command approved. Each
 * rule has its own call site, so that the calls stay direct. @hot
 */
import * as codes from '../domain/codes.ts';
import type { Approved, Command } from '../domain/command.ts';
import type { Desk } from './belief/desk.ts';
import type { Leg } from './belief/leg.ts';
import type { Order } from './belief/orders.ts';
import type { Owner } from './exec/owner.ts';
import type { Standing } from './exec/standing.ts';
import { CloseSizeRule } from './rules/close-size.ts';
import { ExitSideRule } from './rules/exit-side.ts';
import { FloodRule } from './rules/flood.ts';
import { MaxOpenOrdersRule } from './rules/max-open-orders.ts';
import { MaxPositionRule } from './rules/max-position.ts';
import { OrderSizeRule } from './rules/order-size.ts';
import { PriceCollarRule } from './rules/price-collar.ts';
import type { RiskRule } from './rules/rule.ts';
import { StaleDataRule } from './rules/stale-data.ts';
import { StandingRule } from './rules/standing.ts';

const { CANCEL, CANCEL_SPOT, CANCEL_TRIGGER, CLOSE } = codes;

// What a rule holds against is the desk's or the owner's; the rules themselves are the same for all.
const flood = new FloodRule();
const orderSize = new OrderSizeRule();
const openOrders = new MaxOpenOrdersRule();
const position = new MaxPositionRule();
const closeSize = new CloseSizeRule();
const collar = new PriceCollarRule();
const exits = new ExitSideRule();
const stale = new StaleDataRule();

export class Risk {
  /** After a refusal: which rule, and what it said. */
  rule = '';
  detail = '';
  declare private readonly standing: StandingRule;

  constructor(standing: Standing) {
    this.standing = new StandingRule(standing); // hot-ok: construction
  }

  /**
   * The approved order command, or null when a rule refused; `rule` and `detail` say which and why. `old` is the order that a modify
   * replaces, null for a new one.
   */
  approveOrder(c: Command, desk: Desk, old: Order | null, owner: Owner): Approved<Command> | null {
    if (!this.standing.allows(c, desk)) return this.#refuse(this.standing, c, desk, old, owner);
    if (!flood.allows(owner.recent, c.time)) return this.#refuse(flood, c, desk, old, owner);
    const leg = desk.leg(c.side);
    // Lots that it adds to what its order may already fill.
    const added = old === null ? c.size : old.growth(c.size);
    const against = c.effect === CLOSE ? this.#againstClose(c, desk, leg, old, added) : this.#againstOpen(c, desk, leg, old, added);
    if (against !== null) return this.#refuse(against, c, desk, old, owner);
    owner.recent.add(c.time);
    return c as Approved<Command>;
  }

  /** The first rule that refuses an order that opens, or null. */
  #againstOpen(c: Command, desk: Desk, leg: Leg, old: Order | null, added: number): RiskRule | null {
    if (!orderSize.allowsOpen(c, desk)) return orderSize;
    if (!openOrders.allows(desk, old)) return openOrders;
    if (!position.allows(c, desk, leg, added)) return position;
    if (!collar.allows(c, desk)) return collar;
    if ((c.takeProfit !== 0 || c.stopLoss !== 0) && !exits.allows(c, desk)) return exits;
    return stale.allows(c, desk) ? null : stale;
  }

  /** The same for one that closes. */
  #againstClose(c: Command, desk: Desk, leg: Leg, old: Order | null, added: number): RiskRule | null {
    if (!orderSize.allowsClose(c, desk, leg)) return orderSize;
    if (!openOrders.allows(desk, old)) return openOrders;
    if (!closeSize.allows(leg, added)) return closeSize;
    return collar.allows(c, desk) ? null : collar;
  }

  /** A cancel is always approved; it counts toward the flood limit. */
  approveCancel(command: Command, owner: Owner): Approved<Command> {
    if (command.kind !== CANCEL && command.kind !== CANCEL_TRIGGER && command.kind !== CANCEL_SPOT) throw new TypeError('a cancel'); // hot-ok: a bug
    owner.recent.hasRoom(command.time);
    owner.recent.add(command.time);
    return command as Approved<Command>;
  }

  /** Margin mode and margin: only while the kernel is armed or stopping, and not in a flood. */
  approveMargin(command: Command, desk: Desk, owner: Owner): Approved<Command> | null {
    if (!this.standing.allows(command, desk)) return this.#refuse(this.standing, command, desk, null, owner);
    if (!flood.allows(owner.recent, command.time)) return this.#refuse(flood, command, desk, null, owner);
    owner.recent.add(command.time);
    return command as Approved<Command>;
  }

  #refuse(rule: RiskRule, command: Command, desk: Desk, old: Order | null, owner: Owner): null {
    this.rule = rule.name;
    this.detail = rule.why(command, desk, old, owner);
    return null;
  }
}
