/**
 * A preset exit lies on its own side of the price at which the order would open: one that does not closes at once and costs two fees.
 * An exit at that very price is refused as well, for the fill itself sets it off. @hot
 */
import * as codes from '../../domain/codes.ts';
import type { Command } from '../../domain/command.ts';
import { formatTicks } from '../../domain/instrument.ts';
import type { RiskFacts, RiskRule } from './rule.ts';

const { LONG, OPEN } = codes;

export class ExitSideRule implements RiskRule {
  readonly name = 'exit-side';

  check(command: Command, facts: RiskFacts): string | null {
    const { takeProfit, stopLoss } = command; // hot-ok: a pattern, nothing is made
    if ((takeProfit === 0 && stopLoss === 0) || command.effect !== OPEN) return null;
    const entry = entryPrice(command, facts);
    if (entry === 0) return null;
    const isLong = command.side === LONG;
    if (takeProfit !== 0 && (isLong ? takeProfit <= entry : takeProfit >= entry))
      return why('take-profit', takeProfit, isLong, entry, command, facts);
    if (stopLoss !== 0 && (isLong ? stopLoss >= entry : stopLoss <= entry))
      return why('stop-loss', stopLoss, !isLong, entry, command, facts);
    return null;
  }
}

/**
 * Where the order would open, in ticks: at its limit, or at the better price that it meets before: the opposite quote last seen (where
 * no quote is known the last trade), for a plan its trigger. 0 when nothing is known; a modify that leaves the exits alone has none.
 */
function entryPrice(command: Command, facts: RiskFacts): number {
  const { price, trigger, side } = command; // hot-ok: a pattern, nothing is made
  const market = facts.quotes[command.instrument]!;
  const quote = side === LONG ? market.ask : market.bid;
  const met = trigger > 0 ? trigger : quote > 0 ? quote : market.last;
  if (price === 0 || met === 0) return price + met;
  return side === LONG ? Math.min(price, met) : Math.max(price, met);
}

function why(exit: string, at: number, isAbove: boolean, entry: number, command: Command, facts: RiskFacts): string {
  const instrument = facts.instruments[command.instrument]!;
  return (
    exit +
    ' ' +
    (isAbove ? 'above ' : 'below ') +
    formatTicks(entry, instrument) +
    ', where this ' +
    (command.side === LONG ? 'LONG' : 'SHORT') +
    ' would open, asked ' +
    formatTicks(at, instrument) +
    ': it would close at once'
  );
}
