/** Executes queries: selects the endpoint, and converts the data to an answer. */
import { never } from '../../base/failure/assert.ts';
import { HOUR_MS } from '../../base/time/time-spans.ts';
import { ENDPOINTS } from '../../contract/endpoints/endpoints.ts';
import type { OrderReport } from '../../domain/report.ts';
import type { Query } from '../../ports/venue.ts';
import type { Called } from '../called.ts';
import { ask, unasked, whole, type Answered, type Asking, type NotAnswered, type QueryContext } from '../dialect.ts';
import { answerOrders, PAGE_LIMIT, type Page } from '../pages.ts';
import * as mapIn from './map-in.ts';

/** Withdrawals are read for the last day, plus an hour in case the venue's clock is ahead of ours. */
const DAY_MS = 24 * HOUR_MS;

/**
 * Executes one query. If a request is not accepted, its outcome is returned. @throws ScaleError if an order, position or account does not
 * fit its instrument
 */
export function* answerQuery(query: Query, options: QueryContext): Asking<Answered | NotAnswered> {
  const { symbols, drops, quotes } = options;
  const symbol = query.instrument < 0 ? undefined : options.instruments[query.instrument]?.symbol;
  const orders = (records: readonly mapIn.OrderRecord[]): OrderReport[] => mapIn.mapOrders(records, symbols, drops);
  switch (query.kind) {
    case 'quotes':
      return whole(yield* ask(ENDPOINTS.bookTickers, { symbol }), (value) => ({ kind: 'quotes', quotes: quotes.map(value) }));
    case 'stats':
      return whole(yield* ask(ENDPOINTS.tickers, { symbol }), (value) => ({
        kind: 'stats',
        stats: mapIn.mapStats(value, symbols, drops),
      }));
    case 'trades': {
      const params = { symbol: symbol ?? '', limit: query.limit, idLessThan: query.before === '' ? undefined : query.before };
      return whole(yield* ask(ENDPOINTS.trades, params), (value) => ({
        kind: 'trades',
        trades: mapIn.mapTrades(value, symbols, drops),
      }));
    }
    case 'account': {
      const instrument = options.instruments[query.instrument];
      if (instrument === undefined) return unasked('an account query has the index of an instrument');
      return whole(yield* ask(ENDPOINTS.account, { symbol: instrument.symbol }), (value) => ({
        kind: 'account',
        account: mapIn.mapAccount(value, instrument),
      }));
    }
    case 'positions': {
      const called = symbol === undefined ? yield* ask(ENDPOINTS.positions, {}) : yield* ask(ENDPOINTS.symbolPositions, { symbol });
      return whole(called, (value) => {
        const unruled = mapIn.unruledPositions(value, symbols);
        const positions = mapIn.mapPositions(value, symbols, drops);
        return { kind: 'positions', positions, ...(unruled.length === 0 ? {} : { unruled }) };
      });
    }
    case 'withdrawals': {
      const [startTime, endTime] = [options.now() - DAY_MS, options.now() + HOUR_MS].map(String) as [string, string];
      return whole(yield* ask(ENDPOINTS.withdrawals, { startTime, endTime }), (value) => ({
        kind: 'withdrawals',
        withdrawals: value.map(({ orderId, coin, size, status, toAddress }) => ({ id: orderId, coin, size, status, toAddress })),
      }));
    }
    case 'spot-symbols':
      return whole(yield* ask(ENDPOINTS.spotSymbols, {}), (value) => ({
        kind: 'spot-symbols',
        symbols: mapIn.mapSpotStatus(value, options.instruments),
      }));
    case 'pending': {
      const read = (before: string): Asking<Called<Page<mapIn.OrderRecord>>> =>
        ask(ENDPOINTS.pendingOrders, { limit: PAGE_LIMIT, symbol, idLessThan: before === '' ? undefined : before });
      return yield* answerOrders(query, read, orders);
    }
    case 'history': {
      const filter = { symbol, clientOid: query.clientId || undefined, startTime: query.since > 0 ? query.since : undefined };
      const read = function* (before: string): Asking<Called<Page<mapIn.OrderRecord>>> {
        const idLessThan = before === '' ? undefined : before;
        const called = yield* ask(ENDPOINTS.orderHistory, { limit: PAGE_LIMIT, ...filter, idLessThan });
        return called.status === 'accepted' && holds(called.value, query.clientId)
          ? { ...called, value: { ...called.value, endId: '' } }
          : called;
      };
      return yield* answerOrders(query, read, orders);
    }
    default:
      return never(query, 'query');
  }
}

/** True if the page contains the wanted order; later pages are then not needed. */
function holds(page: Page<mapIn.OrderRecord>, clientId: string): boolean {
  return clientId !== '' && page.entrustedList.some((order) => order.clientOid === clientId);
}
