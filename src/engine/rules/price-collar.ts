/** A limit price stays within a share of the reference price: a slipped digit does not reach the venue. @hot */
import * as codes from '../../domain/codes.ts';
import type { Command } from '../../domain/command.ts';
import { formatTicks } from '../../domain/instrument.ts';
import type { Desk } from '../belief/desk.ts';
import type { RiskRule } from './rule.ts';

const { PLACE_TRIGGER } = codes;

export class PriceCollarRule implements RiskRule {
  readonly name = 'price-collar';

  allows(command: Command, desk: Desk): boolean {
    const price = command.price;
    if (price === 0) return true;
    const reference = command.kind === PLACE_TRIGGER ? command.trigger : desk.judged.reference;
    return reference > 0 && Math.abs(price - reference) <= reference * desk.collar;
  }

  why(command: Command, desk: Desk): string {
    const reference = command.kind === PLACE_TRIGGER ? command.trigger : desk.judged.reference;
    if (reference <= 0) return 'no quote or trade has been seen yet, so there is no price to compare with';
    const { instrument, collar } = desk; // hot-ok: a pattern, nothing is made
    return (
      'within ' +
      collar * 100 +
      ' % of ' +
      formatTicks(Math.round(reference), instrument) +
      ', asked ' +
      formatTicks(command.price, instrument)
    );
  }
}
