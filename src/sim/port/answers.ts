/** Answers queries from the simulator's current state, in domain types, with the same content as on the wire. */
import { formatClientId, parseClientId, type IdentitySpec } from '../../domain/orders/command.ts';
import type { AccountReport, OrderReport, PositionReport, ReportedStatus, StatsReport, TradeReport } from '../../domain/report.ts';
import { priceOf } from '../../domain/instrument.ts';
import { FILLED, WORKING } from '../../domain/orders/order.ts';
import type { Answer, Query } from '../../ports/venue.ts';
import type { VenueSim } from '../core/venue-core.ts';
import { FUTURES } from '../state/kinds.ts';
import type { SimOrder, SimPosition, SimTicker } from '../state/types.ts';
import { orderIdOf } from '../state/ids/wire-ids.ts';
import { ONE, type Lots, type Millis, type Ticks } from '../../domain/amounts/units.ts';

/** The account, the bot's client ids, and the futures instruments. */
export interface QueryOwner {
  readonly account: number;
  readonly identity: IdentitySpec;
  readonly futures: readonly number[];
}

/** Returns the answer, or the reason why there is none. */
export function answerOf(sim: VenueSim, asker: QueryOwner, query: Query): Answer | string {
  const asked = query.instrument < 0 ? asker.futures : [query.instrument];
  switch (query.kind) {
    case 'quotes': {
      const quotes = asked.flatMap((i) => sim.bookTicker(i) ?? []);
      if (quotes.length === 0) return 'no-book-yet';
      return {
        kind: 'quotes',
        quotes: quotes.map(({ instrument, bid, bidSize, ask, askSize, time }) => ({
          instrument,
          bid,
          bidSize,
          ask,
          askSize,
          venueTime: time,
        })),
      };
    }
    case 'stats': {
      const stats = asked.flatMap((i) => sim.ticker(i) ?? []);
      return stats.length === 0 ? 'no-trade-yet' : { kind: 'stats', stats: stats.map(statsOf) };
    }
    case 'trades': {
      const { instrument, limit, before, known = '' } = query;
      const request = { limit, before: idOf(before), last: idOf(known) };
      let isFalling = true;
      let last = Infinity;
      const trades = sim.tradesAs(instrument, request, (id, price, size, aggressor, time) => {
        isFalling &&= id < last;
        last = id;
        return new PastTrade(instrument, id, price, size, aggressor, time);
      });
      return { kind: 'trades', trades, isFalling };
    }
    case 'account':
      return { kind: 'account', account: accountOf(sim, asker.account, query.instrument) };
    case 'pending': {
      const orders = sim.pending(asker.account, query.instrument).filter((order) => order.kind === FUTURES);
      return { kind: 'pending', orders: orders.map((order) => reportOf(asker, order)) };
    }
    case 'history': {
      const { instrument, clientId, since } = query;
      const all = clientId === '' ? sim.history(asker.account, instrument) : sim.endedOf(asker.account, instrument, tagOf(asker, clientId));
      const orders = all.filter((order) => order.kind === FUTURES && order.createdAt >= since);
      return { kind: 'history', orders: orders.map((order) => reportOf(asker, order)) };
    }
    case 'withdrawals':
      return { kind: 'withdrawals', withdrawals: [] };
    case 'spot-symbols':
      return { kind: 'spot-symbols', symbols: [] };
    case 'positions':
      return { kind: 'positions', positions: sim.positions(asker.account, query.instrument).map((one) => positionOf(sim, one)) };
  }
}

/** A trade whose id becomes text when it is asked for: most of the many that a backtest reads never are. */
class PastTrade implements TradeReport {
  readonly instrument: number;
  readonly price: Ticks;
  readonly size: Lots;
  readonly aggressor: number;
  readonly venueTime: Millis;
  readonly #id: number;

  constructor(instrument: number, id: number, price: Ticks, size: Lots, aggressor: number, venueTime: Millis) {
    this.instrument = instrument;
    this.price = price;
    this.size = size;
    this.aggressor = aggressor;
    this.venueTime = venueTime;
    this.#id = id;
  }

  get tradeId(): string {
    return String(this.#id);
  }
}

function idOf(digits: string): number | undefined {
  return digits === '' ? undefined : Number(digits);
}

function clientIdOf(asker: QueryOwner, order: SimOrder): string {
  return order.tag > 0 ? formatClientId(asker.identity, order.tag) : '';
}

/** The order tag of this client id; −1, which no order has, if the id is not ours. */
function tagOf({ identity }: QueryOwner, clientId: string): number {
  const { seq } = parseClientId(identity.bot, clientId);
  return seq > 0 && formatClientId(identity, seq) === clientId ? seq : -1;
}

function statusOf(order: SimOrder): ReportedStatus {
  if (order.status === FILLED) return 'filled';
  if (order.status !== WORKING) return 'cancelled';
  return order.filled > 0 ? 'partial' : 'open';
}

function reportOf(asker: QueryOwner, order: SimOrder): OrderReport {
  return {
    instrument: order.instrument,
    venueId: orderIdOf(order.kind, order.no),
    clientId: clientIdOf(asker, order),
    side: order.side,
    effect: order.effect,
    type: order.type,
    price: order.price,
    size: order.size,
    status: statusOf(order),
    averagePrice: order.averagePrice / ONE,
    fee: order.fee,
    realised: order.realised,
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
  };
}

function positionOf(sim: VenueSim, position: SimPosition): PositionReport {
  return {
    instrument: position.instrument,
    side: position.side,
    total: position.total,
    available: position.available,
    locked: position.locked,
    opening: position.opening,
    entryPrice: position.entryPrice / ONE,
    margin: position.margin,
    marginMode: position.marginMode,
    leverage: position.leverage,
    realised: position.realised,
    unrealised: position.unrealised,
    funding: position.funding,
    markPrice: priceOf(position.markPrice, sim.marketOf(position.instrument).instrument),
    liquidationPrice: position.liquidationPrice / ONE,
    createdAt: position.createdAt,
    updatedAt: position.updatedAt,
  };
}

function statsOf(ticker: SimTicker): StatsReport {
  const { instrument, last, open, high, low, volume, closeTime } = ticker;
  return { instrument, last, open, high, low, volume, venueTime: closeTime };
}

function accountOf(sim: VenueSim, account: number, instrument: number): AccountReport {
  const { equity, available, locked, unrealised, marginMode, longLeverage, shortLeverage } = sim.account(account, instrument);
  return { instrument, equity, available, locked, unrealised, marginMode, longLeverage, shortLeverage };
}
