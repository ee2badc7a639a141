/** Answers the aliases of the dialect mix-v2 by its endpoints. */
import type { Endpoint, ParametersOf, ReplyOf } from '../../contract/endpoints/endpoint.ts';
import type { GivenTo, ReplyTo } from '../../contract/endpoints/endpoints.ts';
import { formatLots, type Instrument } from '../../domain/instrument.ts';
import { formatScaled } from '../../domain/amounts/scale.ts';
import { RATE_DECIMALS, type DecimalString } from '../../domain/amounts/units.ts';
import { Refused, type Call, type Operations, type Serve } from '../operations.ts';
import type * as aliases from './aliases.ts';
import type * as v2 from './endpoints.ts';

type Given<E extends Endpoint> = ParametersOf<E>;
type Answered<E extends Endpoint> = (given: Given<E>, call: Call) => ReplyOf<E> | Refused;

/** The answers of the dialect's endpoints that the aliases are made of. */
interface Own {
  readonly bookTickers: Answered<typeof v2.bookTickers>;
  readonly trades: Answered<typeof v2.trades>;
  readonly account: Answered<typeof v2.account>;
  readonly orderHistory: Answered<typeof v2.orderHistory>;
  readonly pendingOrders: Answered<typeof v2.pendingOrders>;
  readonly cancelOrders: Answered<typeof v2.cancelOrders>;
}

type OrderRecord = ReplyOf<typeof aliases.orderDetail>;

/** How listings of the interface become those of the dialect. */
interface Listings {
  readonly filterOf: (given: Given<typeof v2.pendingOrders>) => GivenTo<'pendingOrders'>;
  readonly page: (result: ReplyTo<'pendingOrders'>, call: Call) => ReplyOf<typeof v2.pendingOrders> | Refused;
}

export function serveAliases({ triggers, futures }: Operations, own: Own, listings: Listings): Readonly<Record<string, Serve>> {
  const tickerOf = ({ symbol, productType }: Given<typeof aliases.ticker>, call: Call): ReplyOf<typeof v2.bookTickers> | Refused => {
    const all = own.bookTickers({ productType }, call);
    if (all instanceof Refused) return all;
    const found = all.filter((one) => one.symbol === symbol);
    return found.length === 0 ? new Refused('unknown-instrument') : found;
  };
  return {
    serverTime: (_: unknown, { time }: Call): ReplyOf<typeof aliases.serverTime> => ({ serverTime: String(time) }),
    // Clients ask for every product; the exchange has one.
    contracts: ({ productType, symbol = '' }: Given<typeof aliases.contracts>): ReplyOf<typeof aliases.contracts> =>
      productType.toUpperCase() !== 'USDT-FUTURES'
        ? []
        : futures()
            .filter((one) => symbol === '' || one.symbol === symbol)
            .map(contractOf),
    ticker: tickerOf,
    mergeDepth: (given: Given<typeof aliases.mergeDepth>, call: Call): ReplyOf<typeof aliases.mergeDepth> | Refused => {
      const found = tickerOf(given, call);
      if (found instanceof Refused) return found;
      const [{ askPr, askSz, bidPr, bidSz, ts }] = found as [ReplyOf<typeof v2.bookTickers>[number]];
      return { asks: [[askPr, askSz]], bids: [[bidPr, bidSz]], ts };
    },
    fills: (given: Given<typeof aliases.fills>, call: Call) => own.trades({ ...given, idLessThan: undefined }, call),
    accounts: ({ productType }: Given<typeof aliases.accounts>, call: Call): ReplyOf<typeof aliases.accounts> | Refused => {
      const [{ symbol, quoteCoin }] = futures() as [Instrument];
      const one = own.account({ symbol, productType, marginCoin: quoteCoin }, call);
      return one instanceof Refused ? one : [one];
    },
    orderDetail: ({ orderId = '', clientOid = '', ...given }: Given<typeof aliases.orderDetail>, call: Call): OrderRecord | Refused => {
      if (orderId === '' && clientOid === '') return new Refused('order-not-found');
      for (const listing of [own.pendingOrders, own.orderHistory]) {
        const page = listing({ ...given, orderId, clientOid, limit: 1 }, call);
        if (page instanceof Refused) return page;
        const [found] = page.entrustedList ?? [];
        if (found !== undefined) return found;
      }
      return new Refused('order-not-found');
    },
    pendingPlans: (
      { planType, ...given }: Given<typeof aliases.pendingPlans>,
      call: Call,
    ): ReplyOf<typeof aliases.pendingPlans> | Refused => {
      const { waits, ...found } = triggers(listings.filterOf(given), call);
      const page = listings.page(found, call);
      if (page instanceof Refused) return page;
      const entrustedList = (page.entrustedList ?? []).map((one, k) => {
        const { triggerPrice, triggerPriceType } = waits[k]!;
        const triggerType = triggerPriceType === 'MARK' ? ('mark_price' as const) : ('fill_price' as const);
        return { ...one, planType, planStatus: 'live' as const, triggerPrice, triggerType };
      });
      return { entrustedList, endId: page.endId };
    },
    cancelOrder: (given: Given<typeof aliases.cancelOrder>, call: Call): ReplyOf<typeof aliases.cancelOrder> | Refused => {
      const { symbol, productType, orderId, clientOid } = given;
      const result = own.cancelOrders({ symbol, productType, orderIdList: [{ orderId, clientOid }] }, call);
      if (result instanceof Refused) return result;
      return result.successList[0] ?? new Refused('order-not-found');
    },
  };
}

function contractOf(one: Instrument): ReplyOf<typeof aliases.contracts>[number] {
  const rate = (value: number): DecimalString => formatScaled(value, RATE_DECIMALS);
  return {
    symbol: one.symbol,
    baseCoin: one.baseCoin,
    quoteCoin: one.quoteCoin,
    supportMarginCoins: [one.quoteCoin],
    makerFeeRate: rate(one.makerFeeRate),
    takerFeeRate: rate(one.takerFeeRate),
    minTradeNum: formatLots(one.minSize, one),
    maxMarketOrderQty: formatLots(one.maxSize, one),
    maxOrderQty: formatLots(one.maxSize, one),
    sizeMultiplier: one.lotSize,
    volumePlace: String(one.sizeDecimals),
    pricePlace: String(one.priceDecimals),
    priceEndStep: formatScaled(one.tickStep, 0),
    maxLever: String(one.maxLeverage),
    minLever: '1',
    symbolType: 'perpetual',
    symbolStatus: 'normal',
  };
}
