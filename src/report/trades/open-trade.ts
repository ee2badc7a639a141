/** The trade that is open on a leg, from its fills. */
import { SIDES } from '../../domain/codes.ts';
import { SPOT } from '../../domain/attribution.ts';
import { formatLots, priceOf, type Instrument } from '../../domain/instrument.ts';
import type { FillLog } from '../fills/fill-log.ts';
import type { OrderBrackets } from '../fills/order-brackets.ts';
import type { OpenTrade, RoundTrip } from './trade.ts';
import { LegExits } from './trip-exits.ts';

/** Side code of a spot holding, besides LONG and SHORT. A leg has the key instrument × SIDE_CODES + side code. */
export const SIDE_CODES = 3;

/** One leg, with the trade that is open on it. Trades follow one another in the same object. */
export class Leg {
  openedAt = 0;
  size = 0;
  largest = 0;
  entryLots = 0;
  entryTicks = 0;
  exitLots = 0;
  exitTicks = 0;
  pnl = 0;
  fees = 0;
  /** Label number of its first fill, and the number of its order (0 if the bot did not place it). */
  label = 0;
  order = 0;
  readonly exits = new LegExits();

  begin(openedAt: number, label: number, order: number): void {
    this.openedAt = openedAt;
    this.size = 0;
    this.largest = 0;
    this.entryLots = 0;
    this.entryTicks = 0;
    this.exitLots = 0;
    this.exitTicks = 0;
    this.pnl = 0;
    this.fees = 0;
    this.label = label;
    this.order = order;
    this.exits.reset();
  }
}

/** The names and prices of what a leg holds. */
export function openTradeOf(
  key: number,
  leg: Pick<Leg, 'openedAt' | 'size' | 'entryLots' | 'entryTicks' | 'label' | 'order'>,
  instrument: Instrument,
  labels: FillLog['labels'],
  brackets: OrderBrackets | undefined,
): OpenTrade {
  const { strategy, reason } = labels.all[leg.label]!;
  return {
    symbol: instrument.symbol,
    positionSide: sideOf(key),
    openedAt: leg.openedAt,
    size: formatLots(leg.size, instrument),
    entryPrice: average(leg.entryTicks, leg.entryLots, instrument),
    strategy,
    entryReason: reason,
    ...bracketOf(leg.order, brackets, instrument),
  };
}

export function sideOf(key: number): string {
  const side = key % SIDE_CODES;
  return side === SPOT ? 'SPOT' : (SIDES[side] ?? 'LONG');
}

/** Prices of the bracket that this order was placed with; null for none. */
export function bracketOf(
  order: number,
  brackets: OrderBrackets | undefined,
  instrument: Instrument,
): Pick<RoundTrip, 'stopLoss' | 'takeProfit'> {
  const price = (ticks: number | undefined): number | null => (ticks === undefined || ticks === 0 ? null : priceOf(ticks, instrument));
  return { stopLoss: price(brackets?.stopLoss(order)), takeProfit: price(brackets?.takeProfit(order)) };
}

export function average(ticks: number, lots: number, instrument: Instrument): number {
  return lots === 0 ? 0 : priceOf(ticks / lots, instrument);
}
