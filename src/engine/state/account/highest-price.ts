/** The price at which an order is valued before it is sent. @hot */
import * as codes from '../../../domain/codes.ts';
import type { Command } from '../../../domain/orders/command.ts';
import type { InstrumentContext } from '../records/instrument-context.ts';

const { BUY, directionOf } = codes;

/**
 * The highest price in ticks at which the order is expected to fill: a buy at its limit, a sell at the best bid if that is above its limit.
 * 0 if unknown.
 */
export function highestPrice(command: Command, context: InstrumentContext): number {
  const price = command.price;
  const trigger = command.trigger;
  if (trigger > 0) return price > trigger ? price : trigger;
  const isBuy = directionOf(command.side, command.effect) === BUY;
  if (isBuy && price > 0) return price;
  const touch = isBuy ? context.judged.ask : context.judged.bid;
  const met = touch > 0 ? touch : context.judged.reference;
  return price > met ? price : met;
}
