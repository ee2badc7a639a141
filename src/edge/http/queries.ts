/** Executes queries: selects the endpoint and priority, and converts the data to an answer. */
import { never } from '../../base/assert.ts';
import type { AnswerOf, Endpoint, RequestOf } from '../../contract/endpoints/endpoint.ts';
import { ENDPOINTS } from '../../contract/endpoints/endpoints.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { QUERY_PRIORITY } from '../../ports/limiter.ts';
import type { Answer, Query } from '../../ports/venue.ts';
import * as mapIn from './map-in.ts';
import type { Accepted, Called } from './outcome.ts';
import { PAGE_LIMIT, PIECE_PAGES, readPages, type Page } from './pages.ts';
import type { QuoteDiff } from './quote-diff.ts';

/** Calls an endpoint in its rate-limit lane, with retries. */
export type Ask = <E extends Endpoint>(endpoint: E, params: RequestOf<E>, priority: number) => Promise<Called<AnswerOf<E>>>;

export interface QueryContext {
  readonly instruments: readonly Instrument[];
  readonly symbols: mapIn.SymbolTable;
  readonly drops: mapIn.DropCounts;
  readonly quotes: QuoteDiff;
  /** This machine's time in milliseconds since 1970. */
  readonly now: () => number;
}

const HOUR_MS = 3_600_000;
/** Withdrawals are read for the last day, plus an hour in case the venue's clock is ahead of ours. */
const DAY_MS = 24 * HOUR_MS;

/** A complete answer, and the result of its first request. */
export interface Answered {
  readonly answer: Answer;
  readonly from: Accepted<unknown>;
}

/**
 * Executes one query through `ask`. If a request is not accepted, its outcome is returned. @throws ScaleError if an order, position or
 * account does not fit its instrument
 */
export async function answerQuery(
  query: Query,
  ask: Ask,
  options: QueryContext,
): Promise<Answered | Exclude<Called<unknown>, Accepted<unknown>>> {
  const { symbols, drops, quotes } = options;
  const priority = QUERY_PRIORITY[query.kind];
  const symbol = query.instrument < 0 ? undefined : options.instruments[query.instrument]?.symbol;
  switch (query.kind) {
    case 'quotes':
      return whole(await ask(ENDPOINTS.bookTickers, { symbol }, priority), (value) => ({ kind: 'quotes', quotes: quotes.map(value) }));
    case 'stats':
      return whole(await ask(ENDPOINTS.tickers, { symbol }, priority), (value) => ({
        kind: 'stats',
        stats: mapIn.mapStats(value, symbols, drops),
      }));
    case 'trades': {
      const params = { symbol: symbol ?? '', limit: query.limit, idLessThan: query.before === '' ? undefined : query.before };
      return whole(await ask(ENDPOINTS.trades, params, priority), (value) => ({
        kind: 'trades',
        trades: mapIn.mapTrades(value, symbols, drops),
      }));
    }
    case 'account': {
      const instrument = options.instruments[query.instrument];
      if (instrument === undefined) return unasked('an account query has the index of an instrument');
      return whole(await ask(ENDPOINTS.account, { symbol: instrument.symbol }, priority), (value) => ({
        kind: 'account',
        account: mapIn.mapAccount(value, instrument),
      }));
    }
    case 'positions': {
      const called =
        symbol === undefined ? await ask(ENDPOINTS.positions, {}, priority) : await ask(ENDPOINTS.symbolPositions, { symbol }, priority);
      return whole(called, (value) => {
        const unruled = mapIn.unruledPositions(value, symbols);
        const positions = mapIn.mapPositions(value, symbols, drops);
        return { kind: 'positions', positions, ...(unruled.length === 0 ? {} : { unruled }) };
      });
    }
    case 'withdrawals': {
      const [startTime, endTime] = [options.now() - DAY_MS, options.now() + HOUR_MS].map(String) as [string, string];
      return whole(await ask(ENDPOINTS.withdrawals, { startTime, endTime }, priority), (value) => ({
        kind: 'withdrawals',
        withdrawals: value.map(({ orderId, coin, size, status, toAddress }) => ({ id: orderId, coin, size, status, toAddress })),
      }));
    }
    case 'spot-symbols':
      return whole(await ask(ENDPOINTS.spotSymbols, {}, priority), (value) => ({
        kind: 'spot-symbols',
        symbols: mapIn.mapSpotStatus(value, options.instruments),
      }));
    case 'pending': {
      const read = (before: string): Promise<Called<Page>> =>
        ask(ENDPOINTS.pendingOrders, { limit: PAGE_LIMIT, symbol, idLessThan: before === '' ? undefined : before }, priority);
      const pages = await readPages(read, { isProof: query.isProof, known: query.known?.() });
      if ('status' in pages) return pages;
      return { answer: { kind: 'pending', orders: mapIn.mapOrders(pages.orders, options.symbols, options.drops) }, from: pages.first };
    }
    case 'history': {
      const filter = { symbol, clientOid: query.clientId || undefined, startTime: query.since > 0 ? query.since : undefined };
      const read = async (before: string): Promise<Called<Page>> => {
        const idLessThan = before === '' ? undefined : before;
        const called = await ask(ENDPOINTS.orderHistory, { limit: PAGE_LIMIT, ...filter, idLessThan }, priority);
        return called.status === 'accepted' && holds(called.value, query.clientId)
          ? { ...called, value: { ...called.value, endId: '' } }
          : called;
      };
      const isOne = query.clientId !== '';
      const pages = await readPages(read, { isProof: isOne, before: query.before, piece: isOne ? undefined : PIECE_PAGES });
      if ('status' in pages) return pages;
      const orders = mapIn.mapOrders(pages.orders, options.symbols, options.drops);
      return { answer: { kind: 'history', orders, ...(pages.rest === '' ? {} : { rest: pages.rest }) }, from: pages.first };
    }
    default:
      return never(query, 'query');
  }
}

function whole<T>(called: Called<T>, map: (value: T) => Answer): Answered | Exclude<Called<T>, Accepted<T>> {
  return called.status === 'accepted' ? { answer: map(called.value), from: called } : called;
}

/** True if the page contains the wanted order; later pages are then not needed. */
function holds(page: Page, clientId: string): boolean {
  return clientId !== '' && page.entrustedList.some((order) => order.clientOid === clientId);
}

function unasked(detail: string): Called<never> & { status: 'unsent' } {
  return { status: 'unsent', row: 'C1', cause: 'invalid-query', detail };
}
