/** Forecasts what a flatten or a kill would do now: which cancels and closes, at about which price, and what it leaves. */
import { EFFECTS, LONG, PLACE_SPOT, SIDES } from '../../../domain/codes.ts';
import type { Forecast, ForecastCancel, ForecastClose } from '../../../domain/messages/forecast.ts';
import { feeOf, formatLots, formatTicks, tradedName } from '../../../domain/instrument.ts';
import { ORDER_STATES } from '../../../domain/orders/order.ts';
import type { Core } from '../../state/core.ts';
import type { Order } from '../../state/orders/orders.ts';
import type { InstrumentContext } from '../../state/records/instrument-context.ts';
import type { Leg } from '../../state/records/leg.ts';
import { type NextClose, sizeOfClose } from './flat-closes.ts';
import { moneyText, slippageOf, sumText } from './flat-money.ts';

/** How long a forecast is kept for the command that follows it. */
export const KEPT_MS = 600_000;

/** A leg of which `lots` are to be closed, and the close that would leave now. */
interface Closing {
  readonly context: InstrumentContext;
  readonly leg: Leg;
  readonly lots: number;
  readonly next: NextClose;
}

interface Planned extends Pick<Forecast, 'command' | 'scope' | 'stays'> {
  readonly core: Core;
  /** Orders that would be cancelled. */
  readonly cancels: readonly Order[];
  readonly closes: readonly Closing[];
}

export function forecastOf({ core, command, scope, cancels, closes: closing, stays }: Planned): Forecast {
  const { now, timings } = core;
  const wanted = new Set(cancels);
  const closes = closing.map((one) => closeOf(one, wanted, now));
  return {
    command,
    scope,
    time: now,
    until: now + KEPT_MS,
    cancels: cancels.map(cancelOf),
    closes,
    stays: [...stays, ...closing.flatMap((one) => heldText(one, wanted))],
    fee: sumText(closes.map(({ fee }) => fee)),
    slippage: sumText(closes.map(({ slippage }) => slippage)),
    proofMs: timings.settleMs,
  };
}

function cancelOf({ context: { instrument }, effect, kind, seq, side, size, state }: Order): ForecastCancel {
  const what = kind === PLACE_SPOT ? (side === LONG ? 'BUY' : 'SELL') : `${SIDES[side]!} ${EFFECTS[effect]!}`;
  return { number: seq, symbol: tradedName(instrument), what, size: formatLots(size, instrument), state: ORDER_STATES[state]! };
}

function closeOf({ context, leg, lots, next }: Closing, cancels: ReadonlySet<Order>, now: number): ForecastClose {
  const { instrument, market, closeCircuit } = context;
  const isLong = (leg.index & 1) === LONG;
  const touch = isLong ? market.bid : market.ask;
  const isQuoted = touch > 0 && market.quoteSeenAt > -Infinity;
  const mark = leg.mark > 0 ? Math.round((leg.mark * instrument.priceScale) / instrument.tickStep) : 0;
  const price = isQuoted ? touch : mark;
  const readAt = isQuoted ? market.quoteSeenAt : Math.max(leg.listedAt, leg.aloneAt);
  const shown = isLong ? market.bidSize : market.askSize;
  const fee = price > 0 ? feeOf(price * lots * instrument.unitValue, instrument.takerFeeRate) : Number.NaN;
  // Closes of strategies that are cancelled do not delay it.
  const moving = next.moving.filter((order) => !cancels.has(order));
  const waits =
    moving.length > 0
      ? `a close of it is on its way: order ${moving.map(({ seq }) => seq).join(', ')}`
      : next.isLater
        ? `the last close had no effect; the next follows in ${Math.ceil(Math.max(0, closeCircuit.probeAt - now) / 1_000)} s, or after a read`
        : '';
  return {
    symbol: tradedName(instrument),
    side: SIDES[leg.index & 1]!,
    size: formatLots(lots, instrument),
    orders: sizesOf(context, leg, lots, next.isHeld),
    price: price > 0 ? formatTicks(price, instrument) : '',
    priceOf: isQuoted ? 'book ticker' : price > 0 ? 'mark price' : '',
    ageMs: price > 0 ? now - readAt : null,
    shown: isQuoted ? formatLots(shown, instrument) : '',
    fee: moneyText(fee),
    slippage: moneyText(slippageOf(context, leg, price * lots, lots)),
    mayGrow: formatLots(leg.opening, instrument),
    waits,
  };
}

/** Sizes of the orders that close so many lots, as they follow each other. */
function sizesOf(context: InstrumentContext, leg: Leg, lots: number, isHeld: boolean): string[] {
  const sizes: string[] = [];
  const most = isHeld ? Math.min(lots, leg.available) : lots;
  for (let left = most; left > 0; left -= sizeOfClose(context, leg, left, isHeld))
    sizes.push(formatLots(sizeOfClose(context, leg, left, isHeld), context.instrument));
  return sizes;
}

/** Of a leg of which orders of others hold a part: a close of more than the free part is refused. */
function heldText({ context, leg, lots }: Closing, cancels: ReadonlySet<Order>): string[] {
  const { instrument, orders } = context;
  const own = orders.known().filter((order) => order.leg === leg && cancels.has(order) && order.isAlive);
  const free = leg.available + own.reduce((sum, order) => sum + order.reserved, 0);
  if (free >= lots) return [];
  const size = formatLots(lots - free, instrument);
  return [`${tradedName(instrument)} ${SIDES[leg.index & 1]!}: orders of others hold ${size}, which can be closed once they are cancelled`];
}
