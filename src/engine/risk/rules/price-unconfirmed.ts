/** Rule: nothing is opened while a price far from the accepted one is unconfirmed, because one of the two is wrong. @hot */
import type { Command } from '../../../domain/command.ts';
import type { InstrumentContext } from '../../state/instrument-context.ts';
import type { RiskRule } from './rule.ts';

export class PriceUnconfirmedRule implements RiskRule {
  readonly name = 'price-unconfirmed';

  /** For an opening command. */
  allows(context: InstrumentContext): boolean {
    return !context.judged.isDoubtful;
  }

  why(_command: Command, context: InstrumentContext): string {
    return (
      'the newest price of ' +
      context.instrument.symbol +
      ' is far from the ones before it, or the first one: no other evidence confirms it yet'
    );
  }
}
