/** Rule: nothing is opened while the spread is wider than the limit or unknown. Off by default. @hot */
import type { Command } from '../../../domain/command.ts';
import { formatTicks } from '../../../domain/instrument.ts';
import type { InstrumentContext } from '../../state/instrument-context.ts';
import type { RiskRule } from './rule.ts';

export class MaxSpreadRule implements RiskRule {
  readonly name = 'max-spread';

  /** For an opening command. */
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

/** True if the spread is wider than the limit of the instrument, or unknown. */
export function isWide(context: InstrumentContext): boolean {
  const judged = context.judged;
  const bid = judged.bid;
  const ask = judged.ask;
  return !(bid > 0 && ask > 0) || ask - bid > context.maxSpread * ((ask + bid) / 2);
}
