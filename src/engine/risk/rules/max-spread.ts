/** Nothing is opened while the best prices are further apart than the limit, or are not both known. Off unless it is stated. @hot */
import type { Command } from '../../../domain/command.ts';
import { formatTicks } from '../../../domain/instrument.ts';
import type { InstrumentContext } from '../../state/instrument-context.ts';
import type { RiskRule } from './rule.ts';

export class MaxSpreadRule implements RiskRule {
  readonly name = 'max-spread';

  /** For a command that opens. */
  allows(context: InstrumentContext): boolean {
    return context.maxSpread === Infinity || !isWide(context);
  }

  why(_command: Command, context: InstrumentContext): string {
    const { judged, instrument, maxSpread } = context; // hot-ok: a pattern, nothing is made
    const most = 'a spread of at most ' + maxSpread * 100 + ' % is allowed, ';
    if (judged.bid <= 0 || judged.ask <= 0) return most + 'and the best bid and ask are not both known';
    return most + 'the best prices are ' + formatTicks(judged.bid, instrument) + ' and ' + formatTicks(judged.ask, instrument);
  }
}

/** Whether the spread is wider than the limit of the desk, or not known. */
export function isWide(context: InstrumentContext): boolean {
  const judged = context.judged;
  const bid = judged.bid;
  const ask = judged.ask;
  return !(bid > 0 && ask > 0) || ask - bid > context.maxSpread * ((ask + bid) / 2);
}
