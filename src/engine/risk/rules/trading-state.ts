/**
 * Rule: orders are accepted only while the kernel is armed, and opens only without a halt. While a leg is being flattened, limit orders may
 * not close it: they would lock lots that the market order must close. @hot
 */
import * as codes from '../../../domain/codes.ts';
import type { Command } from '../../../domain/command.ts';
import type { InstrumentContext } from '../../state/instrument-context.ts';
import type { Order } from '../../state/orders.ts';
import type { Halts } from '../../state/halts.ts';
import type { Owner } from '../../state/owner.ts';
import type { TradingState } from '../../state/trading-state.ts';
import type { RiskRule } from './rule.ts';

const { OPEN, MARKET, MODIFY, PLACE } = codes;

export class TradingStateRule implements RiskRule {
  readonly name = 'standing';
  declare private readonly tradingState: TradingState;
  declare private readonly halts: Halts | null;

  /** `halts`: names the halt in a refusal. */
  constructor(tradingState: TradingState, halts: Halts | null) {
    this.tradingState = tradingState;
    this.halts = halts;
  }

  allows(command: Command, context: InstrumentContext, owner: Owner): boolean {
    return context.isOpen || this.allowsPart(command, context, owner);
  }

  /** Closing orders while armed; opens that no halt covers. */
  private allowsPart(command: Command, context: InstrumentContext, owner: Owner): boolean {
    if (command.effect !== OPEN) return this.tradingState.phase === 'armed' && !this.isInTheWay(command, context, owner);
    return this.tradingState.mayOpen(context, command.side, owner);
  }

  private isInTheWay({ kind, type, side }: Command, context: InstrumentContext, owner: Owner): boolean {
    if (type === MARKET || (kind !== PLACE && kind !== MODIFY)) return false;
    return this.halts !== null && this.halts.against(context, side, owner, 'flatten') !== null;
  }

  why(command: Command, context: InstrumentContext, _old: Order | null, owner: Owner): string {
    const { phase } = this.tradingState; // hot-ok: a pattern, nothing is made
    if (phase !== 'armed') return 'the bot is ' + phase + ', orders are taken when it is armed';
    if (command.effect !== OPEN) return 'the position is being flattened: only market orders close it';
    return this.halts === null ? 'opens are halted' : this.halts.why(context, command.side, owner);
  }
}
