/** Answers futures tickers (E6), book tickers (E7) and trades (E8). With a symbol one record, otherwise all. */
import type { GivenTo, ReplyTo } from '../../contract/endpoints/endpoints.ts';
import { BUY } from '../../domain/codes.ts';
import { formatLots, formatMoneyShort, formatTicks, type Instrument } from '../../domain/instrument.ts';
import { formatScaled } from '../../domain/amounts/scale.ts';
import type { SimBookTicker, SimTicker } from '../state/types.ts';
import type { Refused } from '../../venue/operations.ts';
import { refuse, type Answer, type EndpointContext } from './endpoint-context.ts';

type TickerRecord = Extract<ReplyTo<'tickers'>, { readonly symbol: string }>;
type BookRecord = Extract<ReplyTo<'bookTickers'>, { readonly symbol: string }>;

export const tickers: Answer<'tickers'> = (context, given) => {
  return oneOrAll(context, given, (instrument) => {
    const ticker = context.sim.ticker(instrument.index);
    return ticker === null ? null : tickerRecord(ticker, instrument);
  });
};

export const bookTickers: Answer<'bookTickers'> = (context, given) => {
  return oneOrAll(context, given, (instrument) => {
    const book = context.sim.bookTicker(instrument.index);
    return book === null ? null : bookRecord(book, instrument);
  });
};

/** An instrument without data is left out of a list. If it is asked for by name, the reply is an upstream error. */
function oneOrAll<Rec>(
  context: EndpointContext,
  given: GivenTo<'tickers'>,
  recordOf: (instrument: Instrument) => Rec | null,
): Rec | Rec[] | Refused {
  if (given.symbol !== undefined && given.symbol !== '') {
    const instrument = context.futures.get(given.symbol);
    if (instrument === undefined) return refuse('unknown-instrument');
    return recordOf(instrument) ?? refuse('upstream-invalid');
  }
  const records: Rec[] = [];
  for (const instrument of context.futures.values()) {
    const record = recordOf(instrument);
    if (record !== null) records.push(record);
  }
  return records;
}

/** A ticker record (interface §2.6). */
function tickerRecord(ticker: SimTicker, instrument: Instrument): TickerRecord {
  return {
    symbol: instrument.symbol,
    priceChange: formatTicks(ticker.change, instrument),
    priceChangePercent: formatScaled(ticker.changePercent, 3),
    weightedAvgPrice: formatMoneyShort(ticker.weightedPrice),
    lastPrice: formatTicks(ticker.last, instrument),
    lastQty: formatLots(ticker.lastSize, instrument),
    openPrice: formatTicks(ticker.open, instrument),
    highPrice: formatTicks(ticker.high, instrument),
    lowPrice: formatTicks(ticker.low, instrument),
    volume: formatLots(ticker.volume, instrument),
    quoteVolume: formatScaled(ticker.quoteVolume, 2),
    openTime: ticker.openTime,
    closeTime: ticker.closeTime,
    firstId: ticker.firstId,
    lastId: ticker.lastId,
    count: ticker.count,
  };
}

/** A book ticker record (interface §2.7). */
function bookRecord(book: SimBookTicker, instrument: Instrument): BookRecord {
  return {
    symbol: instrument.symbol,
    bidPrice: formatTicks(book.bid, instrument),
    bidQty: formatLots(book.bidSize, instrument),
    askPrice: formatTicks(book.ask, instrument),
    askQty: formatLots(book.askSize, instrument),
    ts: book.time,
  };
}

export const trades: Answer<'trades'> = (context, given) => {
  const instrument = context.futures.get(given.symbol);
  if (instrument === undefined) return refuse('unknown-instrument');
  const found = context.trades(instrument.index, {
    limit: given.limit,
    before: given.idLessThan === undefined ? undefined : Number(given.idLessThan),
    start: given.startTime,
    end: given.endTime,
  });
  return found.map((trade) => ({
    symbol: instrument.symbol,
    tradeId: String(trade.id),
    price: formatTicks(trade.price, instrument),
    size: formatLots(trade.size, instrument),
    side: trade.aggressor === BUY ? ('BUY' as const) : ('SELL' as const),
    ts: trade.time,
  }));
};
