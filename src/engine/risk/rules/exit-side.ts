/**
 * A preset exit lies on its own side of the price at which the order would open: one that does not closes at once and costs two fees.
 * An exit at that very price is refused as well, for the fill itself sets it off. @hot
 */
import * as codes from '../../../domain/codes.ts';
import type { Command } from '../../../domain/command.ts';
import { formatTicks } from '../../../domain/instrument.ts';
import type { InstrumentContext } from '../../state/instrument-context.ts';
import type { RiskRule } from './rule.ts';

const { LONG } = codes;

export class ExitSideRule implements RiskRule {
  readonly name = 'exit-side';

  /** For a command that opens and has an exit. */
  allows(command: Command, context: InstrumentContext): boolean {
    const { takeProfit, stopLoss } = command; // hot-ok: a pattern, nothing is made
    const entry = entryPrice(command, context);
    if (entry === 0) return true;
    if (command.side === LONG) return (takeProfit === 0 || takeProfit > entry) && (stopLoss === 0 || stopLoss < entry);
    return (takeProfit === 0 || takeProfit < entry) && (stopLoss === 0 || stopLoss > entry);
  }

  why(command: Command, context: InstrumentContext): string {
    const { takeProfit, stopLoss } = command; // hot-ok: a pattern, nothing is made
    const { instrument } = context; // hot-ok: a pattern, nothing is made
    const entry = entryPrice(command, context);
    const isLong = command.side === LONG;
    const isProfit = takeProfit !== 0 && (isLong ? takeProfit <= entry : takeProfit >= entry);
    return (
      (isProfit ? 'take-profit ' : 'stop-loss ') +
      (isProfit === isLong ? 'above ' : 'below ') +
      formatTicks(entry, instrument) +
      ', where this ' +
      (isLong ? 'LONG' : 'SHORT') +
      ' would open, asked ' +
      formatTicks(isProfit ? takeProfit : stopLoss, instrument) +
      ': it would close at once'
    );
  }
}

/**
 * Where the order would open, in ticks: at its limit, or at the better price that it meets before: the opposite quote last seen (where
 * no quote is known the last trade), for a plan its trigger. 0 when nothing is known; a modify that leaves the exits alone has none.
 */
function entryPrice(command: Command, context: InstrumentContext): number {
  const { price, trigger, side } = command; // hot-ok: a pattern, nothing is made
  const { bid, ask, last } = context.market; // hot-ok: a pattern, nothing is made
  const quote = side === LONG ? ask : bid;
  const met = trigger > 0 ? trigger : quote > 0 ? quote : last;
  if (price === 0 || met === 0) return price + met;
  return side === LONG ? Math.min(price, met) : Math.max(price, met);
}
