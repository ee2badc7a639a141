/**
 * The one door between an intent and a command: every rule that can say something is asked, and only here is a command approved. Each
 * rule has its own call site, so that the calls stay direct. @hot
 */
import * as codes from '../domain/codes.ts';
import type { Approved, Command } from '../domain/command.ts';
import type { Desk } from './belief/desk.ts';
import type { Order } from './belief/orders.ts';
import type { Standing } from './exec/standing.ts';
import type { RiskLimits } from './options.ts';
import { CloseSizeRule } from './rules/close-size.ts';
import { ExitSideRule } from './rules/exit-side.ts';
import { FloodRule } from './rules/flood.ts';
import { MaxOpenOrdersRule } from './rules/max-open-orders.ts';
import { MaxPositionRule } from './rules/max-position.ts';
import { OrderSizeRule } from './rules/order-size.ts';
import { PriceCollarRule } from './rules/price-collar.ts';
import { addedLots, type RiskRule } from './rules/rule.ts';
import { StaleDataRule } from './rules/stale-data.ts';
import { StandingRule } from './rules/standing.ts';

const { CANCEL, CANCEL_SPOT, CANCEL_TRIGGER, CLOSE, OPEN } = codes;

export class Risk {
  /** After a refusal: which rule, and what it said. */
  rule = '';
  detail = '';
  readonly #standing: StandingRule;
  readonly #flood: FloodRule;
  readonly #orderSize = new OrderSizeRule();
  readonly #openOrders: MaxOpenOrdersRule;
  readonly #position = new MaxPositionRule();
  readonly #closeSize = new CloseSizeRule();
  readonly #collar: PriceCollarRule;
  readonly #exits = new ExitSideRule();
  readonly #stale: StaleDataRule;

  constructor(standing: Standing, limits: RiskLimits, strategies: number) {
    this.#standing = new StandingRule(standing); // hot-ok: construction
    this.#flood = new FloodRule(strategies, limits.maxIntentsPerSecond ?? 50); // hot-ok: construction
    this.#openOrders = new MaxOpenOrdersRule(limits.maxOpenOrders ?? 50); // hot-ok: construction
    this.#collar = new PriceCollarRule(limits.priceCollar ?? 0.1); // hot-ok: construction
    this.#stale = new StaleDataRule(limits.maxQuoteAgeMs ?? 10_000); // hot-ok: construction
  }

  /**
   * The approved order command, or null when a rule refused; `rule` and `detail` say which and why. `old` is the order that a modify
   * replaces, null for a new one.
   */
  approveOrder(c: Command, desk: Desk, old: Order | null, strategy: number): Approved<Command> | null {
    const opens = c.effect === OPEN;
    const leg = desk.leg(c.side);
    const added = addedLots(c, old);
    if (!this.#standing.allows(c, desk)) return this.#refuse(this.#standing, c, desk, old);
    if (!this.#flood.allows(strategy, c.time)) return this.#refuse(this.#flood, c, desk, old);
    if (!this.#orderSize.allows(c, desk, leg)) return this.#refuse(this.#orderSize, c, desk, old);
    if (!this.#openOrders.allows(desk, old)) return this.#refuse(this.#openOrders, c, desk, old);
    if (opens && !this.#position.allows(c, desk, leg, added)) return this.#refuse(this.#position, c, desk, old);
    if (c.effect === CLOSE && !this.#closeSize.allows(leg, added)) return this.#refuse(this.#closeSize, c, desk, old);
    if (!this.#collar.allows(c, desk)) return this.#refuse(this.#collar, c, desk, old);
    const hasExit = c.takeProfit !== 0 || c.stopLoss !== 0;
    if (opens && hasExit && !this.#exits.allows(c, desk)) return this.#refuse(this.#exits, c, desk, old);
    if (opens && !this.#stale.allows(c, desk)) return this.#refuse(this.#stale, c, desk, old);
    this.#flood.count(strategy, c.time);
    return c as Approved<Command>;
  }

  /** A cancel is always approved; it counts toward the flood limit. */
  approveCancel(command: Command, strategy: number): Approved<Command> {
    if (command.kind !== CANCEL && command.kind !== CANCEL_TRIGGER && command.kind !== CANCEL_SPOT) throw new TypeError('a cancel'); // hot-ok: a bug
    this.#flood.count(strategy, command.time);
    return command as Approved<Command>;
  }

  /** Margin mode and margin: only while the kernel is armed or stopping, and not in a flood. */
  approveMargin(command: Command, desk: Desk, strategy: number): Approved<Command> | null {
    if (!this.#standing.allows(command, desk)) return this.#refuse(this.#standing, command, desk, null);
    if (!this.#flood.allows(strategy, command.time)) return this.#refuse(this.#flood, command, desk, null);
    this.#flood.count(strategy, command.time);
    return command as Approved<Command>;
  }

  #refuse(rule: RiskRule, command: Command, desk: Desk, old: Order | null): null {
    this.rule = rule.name;
    this.detail = rule.why(command, desk, old);
    return null;
  }
}
