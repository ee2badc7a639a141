/**
 * Rule: a take-profit or stop-loss must lie on its own side of the expected entry price. Otherwise it would close at once and cost two
 * fees. A trigger equal to the entry price is refused too, because the fill itself fires it. @hot
 */
import * as codes from '../../../domain/codes.ts';
import type { Command } from '../../../domain/command.ts';
import { formatTicks } from '../../../domain/instrument.ts';
import type { InstrumentContext } from '../../state/instrument-context.ts';
import type { RiskRule } from './rule.ts';

const { LONG } = codes;

export class BracketSideRule implements RiskRule {
  readonly name = 'exit-side';

  /** For an opening command with a bracket. */
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
 * Expected entry price in ticks: the limit, or the better opposite quote (else the last trade); for a trigger order its trigger. 0 if
 * unknown. A modify that keeps its bracket is not checked.
 */
function entryPrice(command: Command, context: InstrumentContext): number {
  const { price, trigger, side } = command; // hot-ok: a pattern, nothing is made
  const { bid, ask, last } = context.market; // hot-ok: a pattern, nothing is made
  const quote = side === LONG ? ask : bid;
  const met = trigger > 0 ? trigger : quote > 0 ? quote : last;
  if (price === 0 || met === 0) return price + met;
  return side === LONG ? Math.min(price, met) : Math.max(price, met);
}
