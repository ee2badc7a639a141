/** Orders and fills of both sides in the same words, so that what differs can be read. */
import { DIRECTIONS, directionOf, EFFECTS, LIMIT, ORDER_TYPES, SIDES } from '../../../domain/codes.ts';
import { ORDER_STATES } from '../../../domain/orders/order.ts';
import { formatLots, formatTicks, type Instrument } from '../../../domain/instrument.ts';
import type { Filled, OwnOrder } from './own-orders.ts';

/** How a command that made no order ended. */
export function endText({ outcome, ended }: OwnOrder): string {
  return ended === null ? outcome : ORDER_STATES[ended]!;
}

interface OrderFacts extends Pick<OwnOrder, 'side' | 'effect' | 'type' | 'price' | 'size' | 'trigger'> {
  readonly bracket: readonly [takeProfit: number, stopLoss: number];
}

/** "BTCUSDT LONG OPEN LIMIT 0.010 at 59952.3". */
export function orderText(
  instrument: Instrument,
  { side, effect, type, price, size, trigger, bracket }: OrderFacts,
  isSpot: boolean,
): string {
  const at = (what: string, ticks: number): string[] => (ticks === 0 ? [] : [`${what} ${formatTicks(ticks, instrument)}`]);
  // A spot order at market may name an amount instead of a size.
  const lots = isSpot && type !== LIMIT ? [] : [formatLots(size, instrument)];
  return [
    instrument.symbol,
    ...(isSpot ? [DIRECTIONS[directionOf(side, effect)]!] : [SIDES[side]!, EFFECTS[effect]!]),
    ORDER_TYPES[type]!,
    ...lots,
    ...at('at', type === LIMIT ? price : 0),
    ...at('trigger', trigger),
    ...at('take-profit', bracket[0]),
    ...at('stop-loss', bracket[1]),
  ].join(' ');
}

/** "0.010 at 59952.3", "none". The price is rounded to the tick. */
export function filledText({ lots, worth }: Filled, instrument: Instrument): string {
  if (lots === 0) return 'none';
  return `${formatLots(lots, instrument)}${worth === null ? '' : ` at ${formatTicks(Math.round(worth / lots), instrument)}`}`;
}
