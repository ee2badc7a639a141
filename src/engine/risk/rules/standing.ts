/** Rules for every command but a cancel: whether the bot and the strategy may act at all. @hot */
import * as codes from '../../../domain/codes.ts';
import type { Halts } from '../../state/halts.ts';
import type { TradingState } from '../../state/trading-state.ts';
import type { OrderRequest, RiskRule, RuleRow, RuleSetting } from './rule.ts';

const { OPEN, MARKET, MODIFY, PLACE } = codes;

/**
 * Orders are accepted only while the kernel is armed, and opens only without a halt. While a leg is being flattened, limit orders may not
 * close it: they would lock lots that the market order must close.
 */
class TradingStateRule implements RiskRule {
  readonly name = 'standing';
  readonly #tradingState: TradingState;
  readonly #halts: Halts | null;

  constructor({ tradingState, halts }: RuleSetting) {
    this.#tradingState = tradingState;
    this.#halts = halts;
  }

  allows(request: OrderRequest): boolean {
    return request.context.isOpen || this.#allowsPart(request);
  }

  /** Closing orders while armed; opens that no halt covers. */
  #allowsPart(request: OrderRequest): boolean {
    const { command, context, owner } = request;
    if (command.effect !== OPEN) return this.#tradingState.phase === 'armed' && !this.#isInTheWay(request);
    return this.#tradingState.mayOpen(context, command.side, owner);
  }

  #isInTheWay({ command, context, owner }: OrderRequest): boolean {
    const { kind, type, side } = command;
    if (type === MARKET || (kind !== PLACE && kind !== MODIFY)) return false;
    return this.#halts !== null && this.#halts.against(context, side, owner, 'flatten') !== null;
  }

  why({ command, context, owner }: OrderRequest): string {
    // hot-ok: only after a refusal
    const { phase, onHold } = this.#tradingState;
    if (phase !== 'armed') return `the bot is ${phase}, orders are taken when it is armed`;
    if (command.effect !== OPEN) return 'the position is being flattened: only market orders close it';
    if (onHold !== '') return onHold;
    return this.#halts === null ? 'opens are halted' : this.#halts.why(context, command.side, owner);
  }
}

/** A strategy with a universe opens only what is chosen now. */
class UniverseRule implements RiskRule {
  readonly name = 'universe';

  allows({ context, owner }: OrderRequest): boolean {
    return owner.openIn === null || owner.openIn.has(context.index);
  }

  why({ context, owner }: OrderRequest): string {
    // hot-ok: only after a refusal
    return `${context.instrument.symbol} is not in the universe of ${owner.name} now`;
  }
}

/** Limits the intents of a strategy in any second. Cancels count, but are never refused. */
class FloodRule implements RiskRule {
  readonly name = 'flood';

  allows({ command, owner }: OrderRequest): boolean {
    return owner.recent.hasRoom(command.time);
  }

  why({ owner }: OrderRequest): string {
    // hot-ok: only after a refusal
    return `at most ${owner.recent.max} intents in a second`;
  }
}

export const STANDING_RULES: readonly RuleRow[] = [
  { rule: TradingStateRule, appliesTo: 'all' },
  { rule: FloodRule, appliesTo: 'all' },
  { rule: UniverseRule, appliesTo: 'opens' },
];
