/**
 * The one door between an intent and a command: every rule is asked, and only here is a command approved. Each rule has its own
 * call site, so that the calls stay direct. @hot
 */
import * as codes from '../domain/codes.ts';
import type { Approved, Command } from '../domain/command.ts';
import type { Core } from './core.ts';
import type { RiskLimits } from './options.ts';
import { judgedMarkets } from './rules/borrowed-market.ts';
import { CloseSizeRule } from './rules/close-size.ts';
import { ExitSideRule } from './rules/exit-side.ts';
import { FloodRule } from './rules/flood.ts';
import { MaxOpenOrdersRule } from './rules/max-open-orders.ts';
import { MaxPositionRule } from './rules/max-position.ts';
import { OrderSizeRule } from './rules/order-size.ts';
import { PriceCollarRule } from './rules/price-collar.ts';
import type { RiskFacts, RiskRule } from './rules/rule.ts';
import { StaleDataRule } from './rules/stale-data.ts';
import { StandingRule } from './rules/standing.ts';

const { CANCEL, CANCEL_SPOT, CANCEL_TRIGGER } = codes;

export class Risk {
  /** After a refusal: which rule, and what it said. */
  rule = '';
  detail = '';
  readonly #facts: RiskFacts;
  readonly #standing: StandingRule;
  readonly #flood: FloodRule;
  readonly #orderSize: OrderSizeRule;
  readonly #openOrders: MaxOpenOrdersRule;
  readonly #position: MaxPositionRule;
  readonly #closeSize: CloseSizeRule;
  readonly #collar: PriceCollarRule;
  readonly #exits: ExitSideRule;
  readonly #stale: StaleDataRule;

  constructor(seen: Omit<RiskFacts, 'market' | 'quotes'> & Pick<Core, 'market'>, limits: RiskLimits, strategies: number) {
    const { instruments, orders, portfolio, standing } = seen; // hot-ok: construction
    const market = judgedMarkets(instruments, seen.market);
    const facts: RiskFacts = { instruments, orders, portfolio, standing, market, quotes: seen.market }; // hot-ok: construction
    this.#facts = facts;
    this.#standing = new StandingRule(); // hot-ok: construction
    this.#flood = new FloodRule(strategies, limits.maxIntentsPerSecond ?? 50); // hot-ok: construction
    this.#orderSize = new OrderSizeRule(facts.instruments, limits.maxOrderSize ?? {}); // hot-ok: construction
    this.#openOrders = new MaxOpenOrdersRule(limits.maxOpenOrders ?? 50); // hot-ok: construction
    this.#position = new MaxPositionRule(facts.instruments, limits.maxPosition ?? {}); // hot-ok: construction
    this.#closeSize = new CloseSizeRule(); // hot-ok: construction
    this.#collar = new PriceCollarRule(limits.priceCollar ?? 0.1); // hot-ok: construction
    this.#exits = new ExitSideRule(); // hot-ok: construction
    this.#stale = new StaleDataRule(limits.maxQuoteAgeMs ?? 10_000); // hot-ok: construction
  }

  /** The approved order command, or null when a rule refused; `rule` and `detail` say which and why. */
  approveOrder(command: Command, strategy: number): Approved<Command> | null {
    const facts = this.#facts;
    let why = this.#standing.check(command, facts);
    if (why !== null) return this.#refuse(this.#standing, why);
    why = this.#flood.check(command, facts, strategy);
    if (why !== null) return this.#refuse(this.#flood, why);
    why = this.#orderSize.check(command, facts);
    if (why !== null) return this.#refuse(this.#orderSize, why);
    why = this.#openOrders.check(command, facts);
    if (why !== null) return this.#refuse(this.#openOrders, why);
    why = this.#position.check(command, facts);
    if (why !== null) return this.#refuse(this.#position, why);
    why = this.#closeSize.check(command, facts);
    if (why !== null) return this.#refuse(this.#closeSize, why);
    why = this.#collar.check(command, facts);
    if (why !== null) return this.#refuse(this.#collar, why);
    why = this.#exits.check(command, facts);
    if (why !== null) return this.#refuse(this.#exits, why);
    why = this.#stale.check(command, facts);
    if (why !== null) return this.#refuse(this.#stale, why);
    this.#flood.count(strategy, command.time);
    return command as Approved<Command>;
  }

  /** A cancel is always approved; it counts toward the flood limit. */
  approveCancel(command: Command, strategy: number): Approved<Command> {
    if (command.kind !== CANCEL && command.kind !== CANCEL_TRIGGER && command.kind !== CANCEL_SPOT) throw new TypeError('a cancel'); // hot-ok: a bug
    this.#flood.count(strategy, command.time);
    return command as Approved<Command>;
  }

  /** Margin mode and margin: only while the kernel is armed or stopping, and not in a flood. */
  approveMargin(command: Command, strategy: number): Approved<Command> | null {
    let why = this.#standing.check(command, this.#facts);
    if (why !== null) return this.#refuse(this.#standing, why);
    why = this.#flood.check(command, this.#facts, strategy);
    if (why !== null) return this.#refuse(this.#flood, why);
    this.#flood.count(strategy, command.time);
    return command as Approved<Command>;
  }

  #refuse(rule: RiskRule, detail: string): null {
    this.rule = rule.name;
    this.detail = detail;
    return null;
  }
}
