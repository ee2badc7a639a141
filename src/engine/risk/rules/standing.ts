/**
 * Orders only while the kernel is armed; opens only where no halt stands. Closing orders that may rest wait while their leg is being
 * flattened: they would hold what the market order is to close. @hot
 */
import * as codes from '../../../domain/codes.ts';
import type { Command } from '../../../domain/command.ts';
import type { Desk } from '../../state/instrument-context.ts';
import type { Order } from '../../state/orders.ts';
import type { Halts } from '../../state/halts.ts';
import type { Owner } from '../../state/owner.ts';
import type { Standing } from '../../state/trading-state.ts';
import type { RiskRule } from './rule.ts';

const { OPEN, MARKET, MODIFY, PLACE } = codes;

export class StandingRule implements RiskRule {
  readonly name = 'standing';
  declare private readonly standing: Standing;
  declare private readonly halts: Halts | null;

  /** `halts` name the halt in a refusal. */
  constructor(standing: Standing, halts: Halts | null) {
    this.standing = standing;
    this.halts = halts;
  }

  allows(command: Command, desk: Desk, owner: Owner): boolean {
    return desk.isOpen || this.allowsPart(command, desk, owner);
  }

  /** Closing orders while armed; opens where the halts that stand do not reach. */
  private allowsPart(command: Command, desk: Desk, owner: Owner): boolean {
    if (command.effect !== OPEN) return this.standing.phase === 'armed' && !this.isInTheWay(command, desk, owner);
    return this.standing.mayOpen(desk, command.side, owner);
  }

  private isInTheWay({ kind, type, side }: Command, desk: Desk, owner: Owner): boolean {
    if (type === MARKET || (kind !== PLACE && kind !== MODIFY)) return false;
    return this.halts !== null && this.halts.against(desk, side, owner, 'flatten') !== null;
  }

  why(command: Command, desk: Desk, _old: Order | null, owner: Owner): string {
    const { phase } = this.standing; // hot-ok: a pattern, nothing is made
    if (phase !== 'armed') return 'the bot is ' + phase + ', orders are taken when it is armed';
    if (command.effect !== OPEN) return 'the position is being flattened: only market orders close it';
    return this.halts === null ? 'opens are halted' : this.halts.why(desk, command.side, owner);
  }
}
