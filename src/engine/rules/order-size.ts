/** An opening order is no larger than the limit, and none is smaller or larger than its instrument allows. @hot */
import * as codes from '../../domain/codes.ts';
import type { Command } from '../../domain/command.ts';
import { formatLots, type Instrument } from '../../domain/instrument.ts';
import { perInstrument, type RiskFacts, type RiskRule } from './rule.ts';

const { CLOSE } = codes;

export class OrderSizeRule implements RiskRule {
  readonly name = 'order-size';
  readonly #max: Float64Array;

  constructor(instruments: readonly Instrument[], limits: Readonly<Record<string, string>>) {
    this.#max = perInstrument(instruments, limits, true); // hot-ok: construction
  }

  check(command: Command, facts: RiskFacts): string | null {
    const instrument = facts.instruments[command.instrument]!;
    const size = command.size;
    // What leaves is held by the position alone (close-size): a limit must not keep anybody in.
    const max = command.effect === CLOSE ? instrument.maxSize : this.#max[command.instrument]!;
    if (size > max) return 'at most ' + formatLots(max, instrument) + ' an order, asked ' + formatLots(size, instrument);
    if (size < instrument.minSize && !this.#closesAll(command, facts)) {
      return 'at least ' + formatLots(instrument.minSize, instrument) + ' an order, asked ' + formatLots(size, instrument);
    }
    const price = command.price > 0 ? command.price : facts.market[command.instrument]!.reference;
    if (command.effect !== CLOSE && price * size * instrument.unitValue < instrument.minNotional) {
      return 'the value of the order is below the least the instrument allows';
    }
    return null;
  }

  /** A rest below the minimum may be closed, when it is all there is. */
  #closesAll(command: Command, facts: RiskFacts): boolean {
    return command.effect === CLOSE && command.size === facts.portfolio.legs[2 * command.instrument + command.side]!.total;
  }
}
