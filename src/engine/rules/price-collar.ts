/** A limit price stays within a share of the reference price: a slipped digit does not reach the venue. @hot */
import * as codes from '../../domain/codes.ts';
import type { Command } from '../../domain/command.ts';
import { formatTicks } from '../../domain/instrument.ts';
import type { RiskFacts, RiskRule } from './rule.ts';

const { PLACE_TRIGGER } = codes;

export class PriceCollarRule implements RiskRule {
  readonly name = 'price-collar';
  readonly #share: number;

  constructor(share: number) {
    this.#share = share;
  }

  check(command: Command, facts: RiskFacts): string | null {
    const price = command.price;
    if (price === 0) return null;
    const reference = command.kind === PLACE_TRIGGER ? command.trigger : facts.market[command.instrument]!.reference;
    if (reference <= 0) return 'no quote or trade has been seen yet, so there is no price to compare with';
    if (Math.abs(price - reference) <= reference * this.#share) return null;
    const instrument = facts.instruments[command.instrument]!;
    return (
      'within ' +
      this.#share * 100 +
      ' % of ' +
      formatTicks(Math.round(reference), instrument) +
      ', asked ' +
      formatTicks(price, instrument)
    );
  }
}
