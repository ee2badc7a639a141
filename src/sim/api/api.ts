/**
 * The venue's API: turns wire requests into calls of the simulator, and results into wire replies. It answers the endpoints of its dialect
 * with the interface's envelope and their error rows. It has no sockets, signatures or files. A request is checked in this order: the caller, the fields
 * against the endpoint's table, then the rules in the endpoint's own file.
 */
import { assert } from '../../base/failure/assert.ts';
import type { Endpoint, EndpointId, ErrorRow } from '../../contract/endpoints/endpoint.ts';
import { refusalFor, type EndpointName } from '../../contract/endpoints/endpoints.ts';
import { failure, success, type Handler, type Reply } from '../../contract/envelope.ts';
import { problemOfReply } from '../../contract/schema.ts';
import { isRecord } from '../../base/fields.ts';
import { SWITCH_DEFAULTS, type SwitchValues } from '../../contract/switches.ts';
import { validate } from '../../contract/validate.ts';
import { formatLots, type Instrument } from '../../domain/instrument.ts';
import type { Reason } from '../../domain/orders/outcome.ts';
import type { Clock } from '../../ports/clock.ts';
import type { VenueSim } from '../core/venue-core.ts';
import * as accounts from './account-endpoints.ts';
import { cancelOrders, cancelPlanOrders } from './cancels.ts';
import { endpointOf, type Dialect } from '../../venue/dialect.ts';
import { INTERFACE } from '../../venue/interface/dialect.ts';
import { Refused, type Call, type Operations } from '../../venue/operations.ts';
import type { Answer, CoinGiven, EndpointContext, SymbolGiven, TradesSource } from './endpoint-context.ts';
import { orderHistory, pendingOrders, pendingTriggers } from './listing.ts';
import * as market from './market-endpoints.ts';
import { modifyOrder, placeOrder, placePlanOrder } from './order-endpoints.ts';
import * as reference from './reference.ts';
import { cancelSpotOrders, placeSpotOrders } from './spot-endpoints.ts';
import { Withdrawals, type Withdrawal } from './withdrawal-records.ts';
import { withdrawals } from './withdrawals.ts';
import { Operator } from './operator.ts';
import type { SimOrder, SimSnapshot } from '../state/types.ts';
import { FUTURES, TRIGGER } from '../state/kinds.ts';
import { ClientIds, orderIdOf, orderNoOf } from '../state/ids/wire-ids.ts';

export type { Coin, CoinGiven, SpotSymbol, SymbolGiven } from './endpoint-context.ts';
export type { Withdrawal } from './withdrawal-records.ts';

export interface VenueApiOptions {
  /** What it speaks. Default: the interface. */
  readonly dialect?: Dialect | undefined;
  readonly instruments: readonly Instrument[];
  /** Venue time, used as the creation time of orders. */
  readonly clock: Clock;
  /** Source of `requestTime` in replies. Default: `clock`. */
  readonly requestClock?: Clock | undefined;
  /** API key → number of its account in the simulator. */
  readonly accounts: ReadonlyMap<string, number>;
  /** Choices where the interface is silent. Default: those of the switch table. */
  readonly switches?: Partial<SwitchValues> | undefined;
  /** Spot symbols (E3): fields that differ from those of the instruments, and additional symbols. */
  readonly symbols?: readonly SymbolGiven[] | undefined;
  /** Coins (E4): fields that differ from the generated records, and additional coins. */
  readonly coins?: readonly CoinGiven[] | undefined;
  /** Withdrawals (E5) at the start, by account. Default: none. */
  readonly withdrawals?: readonly (readonly Withdrawal[])[] | undefined;
  /**
   * Returns a reason to refuse a call before the venue acts, or null. With a ledger it must decide the same when the call is replayed.
   * Default: always null.
   */
  readonly refuseFor?: ((endpoint: Endpoint, account: number) => Reason | null) | undefined;
  /** Market trades (E8). Default: those that the simulator keeps. */
  readonly trades?: TradesSource | undefined;
  /** Check every reply against the interface's tables; a wrong reply is an AssertionError. Default false. */
  readonly checkReplies?: boolean | undefined;
}

export interface VenueApi {
  readonly handler: Handler;
  /** Commands of the venue's operator. */
  readonly operator: Operator;
  /** The order with this number, or null if it is unknown or forgotten. */
  order(orderNo: number): SimOrder | null;
  /** The wire ids of an order; `clientOid` is "" if it has none. */
  idsOf(order: SimOrder): { readonly orderId: string; readonly clientOid: string };
  /** Client ids and the operator's changes as JSON values, some of them lazy (base/lazy.ts). Without the simulator's state. */
  snapshot(): unknown;
  restore(state: unknown): void;
}

type Answers = { readonly [N in EndpointName]: Answer<N> };

const ANSWERS: Answers = {
  placeSpotOrders,
  cancelSpotOrders,
  spotSymbols: reference.spotSymbols,
  coins: reference.coins,
  withdrawals,
  tickers: market.tickers,
  bookTickers: market.bookTickers,
  trades: market.trades,
  account: accounts.account,
  setMarginMode: accounts.setMarginMode,
  setMargin: accounts.setMargin,
  placeOrder,
  placePlanOrder,
  modifyOrder,
  cancelOrders,
  cancelPlanOrders,
  orderHistory,
  pendingOrders,
  positions: accounts.positions,
  symbolPositions: accounts.symbolPositions,
};

/** Creates the API of `sim`. */
export function createVenueApi(sim: VenueSim, options: VenueApiOptions): VenueApi {
  const ids = new ClientIds();
  const listed = listedOf(options.instruments);
  const withdrawn = withdrawalsOf(options);
  const operator = new Operator({
    sim,
    instruments: options.instruments,
    ...listed,
    withdrawals: withdrawn,
    callAs: (account, id, params) => callAs(account, id as EndpointId, params),
  });
  const context = contextOf(sim, options, { ids, ...listed, withdrawals: withdrawn });
  const requestClock = options.requestClock ?? options.clock;
  const { errorStatus, marginModeWord, spotWords } = context.switches;
  const { dialect = INTERFACE } = options;
  const served = dialect.serve(operationsOf(context));

  const refuse = (row: ErrorRow): Reply => ({ httpStatus: errorStatus, envelope: failure(row, requestClock.now()) });

  const handler: Handler = (endpoint, request) => {
    const { closure } = operator;
    if (closure !== null) return { httpStatus: closure.status, envelope: failure(closure, requestClock.now()) };
    const account = request.caller === null ? undefined : options.accounts.get(request.caller);
    if (endpoint.auth && account !== undefined && operator.isRevoked(account)) return refuse(refusalFor(endpoint, 'unauthorized'));
    return answerTo(endpoint, request);
  };

  const answerTo: Handler = (endpoint, request) => {
    const account = request.caller === null ? undefined : options.accounts.get(request.caller);
    if (endpoint.auth && account === undefined) return refuse(refusalFor(endpoint, 'unauthorized'));
    const forced = options.refuseFor?.(endpoint, account ?? -1) ?? null;
    if (forced !== null) return refuse(refusalFor(endpoint, forced));
    const spelling = marginModeWord === 'both' ? request.params : spelt(request.params, marginModeWord);
    const checked = validate(endpoint, spotWords === 'lower' && endpoint.name === 'placeSpotOrders' ? inLowerCase(spelling) : spelling);
    if (!checked.ok) return refuse(checked.row);
    const time = options.clock.now();
    if (endpoint.method === 'POST' && sim.nextDue <= time) sim.advance(time);
    const serve = served[endpoint.name] as UntypedServe;
    const result = serve(checked.value, { account: account ?? -1, time });
    if (result instanceof Refused) return refuse(refusalFor(endpoint, result.reason));
    if (options.checkReplies === true) checkReply(endpoint, checked.value, result);
    return { httpStatus: 200, envelope: success(result, requestClock.now()) };
  };

  const idsOf: VenueApi['idsOf'] = (order) => ({ orderId: orderIdOf(order.kind, order.no), clientOid: ids.idOf(order.tag) });
  /** Calls an endpoint as the owner of this account number, whose key may be revoked. */
  const callAs = (account: number, id: EndpointId, params: unknown): Reply => {
    const caller = [...options.accounts].find(([, index]) => index === account)?.[0] ?? null;
    const endpoint = endpointOf(dialect, id);
    return answerTo(endpoint, { method: endpoint.method, target: endpoint.path, body: '', params, header: () => undefined, caller });
  };

  return {
    handler,
    operator,
    order(orderNo) {
      const order = sim.order(orderNo);
      return order === null ? null : { ...order, ...idsOf(order) };
    },
    idsOf,
    snapshot: () => ({ ids: ids.snapshot(), operator: operator.snapshot() }),
    restore(state) {
      const parts = state as { readonly ids: unknown; readonly operator: unknown };
      ids.restore(parts.ids);
      operator.restore(parts.operator);
    },
  };
}

/** Simulator and API together: takes market rows, answers requests, saves and restores its state. A ledger records its inputs. */
export interface Exchange {
  quote: VenueSim['quote'];
  trade: VenueSim['trade'];
  advance: VenueSim['advance'];
  readonly nextDue: number;
  readonly handler: Handler;
  /** Runs a command of the operator; see operator.ts. */
  command(name: string, given: unknown, time: number): object;
  order(orderNo: number): SimOrder | null;
  /** The state at this moment as JSON values. Some are lazy (base/lazy.ts): read them to the end or close their iterators. */
  snapshot(): unknown;
  restore(state: unknown): void;
}

/** Joins a simulator and its API. */
export function createExchange(sim: VenueSim, venueApi: VenueApi): Exchange {
  const { operator } = venueApi;
  return {
    quote(i, bid, bidSize, ask, askSize, time) {
      if (!operator.isStill(i)) sim.quote(i, bid, bidSize, ask, askSize, time);
    },
    trade(i, price, size, aggressor, time, id) {
      if (!operator.isStill(i)) sim.trade(i, price, size, aggressor, time, id === 0 ? 0 : id + operator.extraIds);
    },
    command: (name, given, time) => operator.run(name, given, time),
    advance: (time) => sim.advance(time),
    get nextDue() {
      return sim.nextDue;
    },
    handler: venueApi.handler,
    order: (orderNo) => venueApi.order(orderNo),
    snapshot: () => ({ sim: sim.capture(), venueApi: venueApi.snapshot() }),
    restore: (state) => {
      const parts = state as { readonly sim: SimSnapshot; readonly venueApi: unknown };
      sim.restore(parts.sim);
      venueApi.restore(parts.venueApi);
    },
  };
}

/** An answer function without its parameter type. `validate` has checked the parameters. */
type UntypedServe = (parameters: unknown, call: Call) => unknown;
type UntypedAnswer = (context: EndpointContext, parameters: unknown, call: Call) => unknown;

/** The answers of all endpoints for one exchange. */
function operationsOf(context: EndpointContext): Operations {
  const bound = Object.entries(ANSWERS).map(([name, answer]): [string, UntypedServe] => {
    const untyped = answer as UntypedAnswer;
    return [name, (given, call) => untyped(context, given, call)];
  });
  const filled: Operations['filled'] = (orderId, { account }) => {
    const order = context.sim.order(orderNoOf(FUTURES, orderId) || orderNoOf(TRIGGER, orderId));
    assert(order !== null && order.account === account, `${orderId} is an order that was just listed`);
    return formatLots(order.filled, context.instruments[order.instrument]!);
  };
  const triggers: Operations['triggers'] = (given, { account }) => pendingTriggers(context, given, account);
  const futures: Operations['futures'] = () => context.instruments.filter(({ product }) => product === 'futures');
  return { ...(Object.fromEntries(bound) as unknown as Operations), filled, triggers, futures };
}

/** All instruments by symbol: at the start nothing is offline. */
function listedOf(instruments: readonly Instrument[]): { futures: Map<string, Instrument>; spot: Map<string, Instrument> } {
  const bySymbol = (product: 'futures' | 'spot'): Map<string, Instrument> =>
    new Map(instruments.filter((one) => one.product === product).map((one) => [one.symbol, one]));
  return { futures: bySymbol('futures'), spot: bySymbol('spot') };
}

function withdrawalsOf({ withdrawals: given = [] }: VenueApiOptions): Withdrawals {
  const book = new Withdrawals();
  for (const [account, records] of given.entries()) for (const one of records) book.put(account, one);
  return book;
}

function contextOf(
  sim: VenueSim,
  options: VenueApiOptions,
  parts: Pick<EndpointContext, 'ids' | 'futures' | 'spot' | 'withdrawals'>,
): EndpointContext {
  return {
    sim,
    trades: options.trades ?? ((instrument, request) => sim.trades(instrument, request)),
    ...parts,
    switches: { ...SWITCH_DEFAULTS, ...options.switches },
    instruments: options.instruments,
    reference: {
      symbols: reference.symbolRecords(options.instruments, options.symbols ?? []),
      coins: reference.coinRecords(options.instruments, options.coins ?? []),
    },
  };
}

/** Makes the margin mode invalid if the request uses the word for cross margin that is switched off. */
function spelt(params: unknown, word: 'CROSS' | 'CROSSED'): unknown {
  const other = word === 'CROSS' ? 'CROSSED' : 'CROSS';
  return isRecord(params) && params['marginMode'] === other ? { ...params, marginMode: `not ${word}` } : params;
}

/** Makes words of a spot batch invalid unless they are in lower case. */
function inLowerCase(params: unknown): unknown {
  if (!isRecord(params) || !Array.isArray(params['orderList'])) return params;
  const lower = (word: unknown): unknown => (typeof word === 'string' && word !== word.toLowerCase() ? `not ${word}` : word);
  const orderList = params['orderList'].map((item: unknown) =>
    isRecord(item) ? { ...item, side: lower(item['side']), orderType: lower(item['orderType']) } : item,
  );
  return { ...params, orderList };
}

function checkReply(endpoint: Endpoint, params: Readonly<Record<string, unknown>>, data: unknown): void {
  const problem = problemOfReply(endpoint, data, params);
  assert(problem === null, `a reply fits the contract: ${problem}`);
}
