/** A leg never exceeds its limit, not even when every live opening order fills. @hot */
import * as codes from '../../domain/codes.ts';
import type { Command } from '../../domain/command.ts';
import { formatLots, type Instrument } from '../../domain/instrument.ts';
import { addedLots, perInstrument, type RiskFacts, type RiskRule } from './rule.ts';

const { OPEN, PLACE_SPOT } = codes;

export class MaxPositionRule implements RiskRule {
  readonly name = 'max-position';
  readonly #max: Float64Array;

  constructor(instruments: readonly Instrument[], limits: Readonly<Record<string, string>>) {
    this.#max = perInstrument(instruments, limits, false);
  }

  check(command: Command, facts: RiskFacts): string | null {
    if (command.effect !== OPEN || command.kind === PLACE_SPOT) return null;
    const leg = facts.portfolio.legs[2 * command.instrument + command.side]!;
    const most = leg.total + leg.opening + addedLots(command, facts);
    const max = this.#max[command.instrument]!;
    if (most <= max) return null;
    const instrument = facts.instruments[command.instrument]!;
    return 'at most ' + formatLots(max, instrument) + ' a leg, ' + formatLots(most, instrument) + ' if every live order fills';
  }
}
