/**
 * Rule: a limit price does not cross the opposite best price by more than the collar. This catches a mistyped price. Resting prices are
 * checked by max-distance. An opening market order needs an opposite price within the collar of the mid price. @hot
 */
import * as codes from '../../../domain/codes.ts';
import type { Command } from '../../../domain/command.ts';
import { formatTicks } from '../../../domain/instrument.ts';
import type { InstrumentContext } from '../../state/instrument-context.ts';
import type { RiskRule } from './rule.ts';

const { BUY, CLOSE, directionOf, PLACE_SPOT, PLACE_TRIGGER } = codes;

export class PriceCollarRule implements RiskRule {
  readonly name = 'price-collar';

  allows(command: Command, context: InstrumentContext): boolean {
    const price = command.price;
    if (price === 0) return command.effect === CLOSE || this.#allowsMarket(command, context);
    const met = opposite(command, context);
    if (directionOf(command.side, command.effect) === BUY) return met > 0 && price <= met * (1 + context.collar);
    return met > 0 && price >= met * (1 - context.collar);
  }

  /** If only trades are known there is no price to compare with; stale-data checks that a price is known at all. */
  #allowsMarket(command: Command, context: InstrumentContext): boolean {
    if (command.kind === PLACE_TRIGGER || command.kind === PLACE_SPOT) return true;
    const reference = context.judged.reference;
    return Math.abs(opposite(command, context) - reference) <= reference * context.collar;
  }

  why(command: Command, context: InstrumentContext): string {
    const met = opposite(command, context);
    if (command.price === 0) return this.#whyMarket(met, context);
    if (met <= 0) return 'no quote or trade has been seen yet, so there is no price to compare with';
    const { instrument, collar } = context; // hot-ok: a pattern, nothing is made
    const isBuy = directionOf(command.side, command.effect) === BUY;
    return (
      'at most ' +
      collar * 100 +
      (isBuy ? ' % above ' : ' % below ') +
      formatTicks(Math.round(met), instrument) +
      ', asked ' +
      formatTicks(command.price, instrument)
    );
  }

  #whyMarket(met: number, context: InstrumentContext): string {
    const instrument = context.instrument;
    const mid = formatTicks(Math.round(context.judged.reference), instrument);
    return 'a market order would meet ' + formatTicks(Math.round(met), instrument) + ', at most ' + context.collar * 100 + ' % from ' + mid;
  }
}

/** The price in ticks that the order would meet: the opposite best price, else the reference price; for a trigger order its trigger. */
function opposite(command: Command, context: InstrumentContext): number {
  if (command.kind === PLACE_TRIGGER) return command.trigger;
  const judged = context.judged;
  const touch = directionOf(command.side, command.effect) === BUY ? judged.ask : judged.bid;
  return touch > 0 ? touch : judged.reference;
}
