/**
 * The face of the venue: wire requests to the simulator and back. It answers all twenty endpoints with the envelope, the error
 * rows and the spelling of the interface; it knows nothing of sockets, signatures or files. What was asked is checked in this
 * order: the caller, the request against the contract's table, then what each endpoint says in its own file.
 */
import { assert } from '../../base/assert.ts';
import type { Endpoint, EndpointId, ErrorRow } from '../../contract/endpoints/endpoint.ts';
import { endpointById, refusalFor, type EndpointName } from '../../contract/endpoints/endpoints.ts';
import { failure, success, type Handler, type Reply } from '../../contract/envelope.ts';
import { problemOfReply } from '../../contract/schema.ts';
import { isRecord } from '../../base/fields.ts';
import { SWITCH_DEFAULTS, type SwitchValues } from '../../contract/switches.ts';
import { validate } from '../../contract/validate.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { Reason } from '../../domain/outcome.ts';
import type { Clock } from '../../ports/clock.ts';
import type { VenueSim } from '../core/venue-core.ts';
import * as accounts from './account.ts';
import { cancelOrders, cancelPlanOrders } from './cancels.ts';
import {
  Refused,
  type Answer,
  type Call,
  type CoinGiven,
  type EndpointContext,
  type SymbolGiven,
  type Withdrawal,
} from './endpoint-context.ts';
import { orderHistory, pendingOrders } from './listing.ts';
import * as market from './market.ts';
import { modifyOrder, placeOrder, placePlanOrder } from './orders.ts';
import * as reference from './reference.ts';
import { cancelSpotOrders, placeSpotOrders } from './spot.ts';
import { withdrawals, Withdrawals } from './withdrawals.ts';
import { Operator } from './operator.ts';
import type { SimOrder, SimSnapshot } from '../state/types.ts';
import { ClientIds, orderIdOf } from '../state/wire-ids.ts';

export type { Coin, CoinGiven, SpotSymbol, SymbolGiven, Withdrawal } from './endpoint-context.ts';

export interface FaceOptions {
  readonly instruments: readonly Instrument[];
  /** Venue time: what orders are stamped with. */
  readonly clock: Clock;
  /** Whose `now` becomes `requestTime`. Default: `clock`. */
  readonly requestClock?: Clock | undefined;
  /** API key → number of its account in the simulator. */
  readonly accounts: ReadonlyMap<string, number>;
  /** How the face reads what the interface leaves open. Default: as the table says. */
  readonly switches?: Partial<SwitchValues> | undefined;
  /** E3: what differs from what the spot instruments say, and symbols beside them. */
  readonly symbols?: readonly SymbolGiven[] | undefined;
  /** E4: what differs from the synthetic records of the instruments' coins, and coins beside them. */
  readonly coins?: readonly CoinGiven[] | undefined;
  /** E5 before anything is put in, by account. Default: none. */
  readonly withdrawals?: readonly (readonly Withdrawal[])[] | undefined;
  /**
   * Refuses a call before the venue acts, for a reason of the operator's choice; null lets it pass. Under a ledger it has to
   * decide the same when the call is replayed. Default: never.
   */
  readonly refuseFor?: ((endpoint: Endpoint, account: number) => Reason | null) | undefined;
  /** Check every reply against the contract before it is sent; a bad one is an assertion. Default false. */
  readonly checkReplies?: boolean | undefined;
}

export interface Face {
  readonly handler: Handler;
  /** What the venue's operator does from outside. */
  readonly operator: Operator;
  /** An order as the ledger keeps it: the simulator's, with its ids on the wire. */
  order(orderNo: number): SimOrder | null;
  /** The ids of an order on the wire; its client id is "" when it has none. */
  idsOf(order: SimOrder): { readonly orderId: string; readonly clientOid: string };
  /** The client ids and what the operator did, as JSON values, of which some are late. The simulator's state is not in it. */
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

/** Puts the wire's face on `sim`. */
export function createFace(sim: VenueSim, options: FaceOptions): Face {
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

  const refuse = (row: ErrorRow): Reply => ({ httpStatus: errorStatus, envelope: failure(row, requestClock.now()) });

  const handler: Handler = (endpoint, request) => {
    const account = request.caller === null ? undefined : options.accounts.get(request.caller);
    if (endpoint.auth && account === undefined) return refuse(refusalFor(endpoint, 'unauthorized'));
    const forced = options.refuseFor?.(endpoint, account ?? -1) ?? null;
    if (forced !== null) return refuse(refusalFor(endpoint, forced));
    const spelling = marginModeWord === 'both' ? request.params : spelt(request.params, marginModeWord);
    const checked = validate(endpoint, spotWords === 'lower' && endpoint.name === 'placeSpotOrders' ? inLowerCase(spelling) : spelling);
    if (!checked.ok) return refuse(checked.row);
    const time = options.clock.now();
    if (endpoint.method === 'POST' && sim.nextDue <= time) sim.advance(time);
    const answer = ANSWERS[endpoint.name as EndpointName] as UntypedAnswer;
    const result = answer(context, checked.value, { account: account ?? -1, time });
    if (result instanceof Refused) return refuse(result.row);
    if (options.checkReplies === true) checkReply(endpoint, checked.value, result);
    return { httpStatus: 200, envelope: success(result, requestClock.now()) };
  };

  const idsOf: Face['idsOf'] = (order) => ({ orderId: orderIdOf(order.kind, order.no), clientOid: ids.idOf(order.tag) });
  /** The owner of an account by its number, whoever it is. */
  const callAs = (account: number, id: EndpointId, params: unknown): Reply => {
    const caller = [...options.accounts].find(([, index]) => index === account)?.[0] ?? null;
    const endpoint = endpointById(id);
    return handler(endpoint, { method: endpoint.method, target: endpoint.path, body: '', params, header: () => undefined, caller });
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

/** The whole exchange as one thing: market rows in, requests answered, state out and in. A ledger stands under it as it is. */
export interface Exchange {
  quote: VenueSim['quote'];
  trade: VenueSim['trade'];
  advance: VenueSim['advance'];
  readonly nextDue: number;
  readonly handler: Handler;
  /** Carries out a command of the operator; see operator.ts. */
  command(name: string, given: unknown, time: number): object;
  order(orderNo: number): SimOrder | null;
  /** The state at this moment, as JSON values, of which some are late (base/lazy.ts): to be read to the end, or given up. */
  snapshot(): unknown;
  restore(state: unknown): void;
}

/** Joins a simulator and its face. */
export function createExchange(sim: VenueSim, face: Face): Exchange {
  const { operator } = face;
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
    handler: face.handler,
    order: (orderNo) => face.order(orderNo),
    snapshot: () => ({ sim: sim.capture(), face: face.snapshot() }),
    restore: (state) => {
      const parts = state as { readonly sim: SimSnapshot; readonly face: unknown };
      sim.restore(parts.sim);
      face.restore(parts.face);
    },
  };
}

/** The table pairs each name with its own parameters; here, where any name may come, they are what `validate` made of them. */
type UntypedAnswer = (context: EndpointContext, parameters: unknown, call: Call) => unknown;

/** What is listed at first: everything. */
function listedOf(instruments: readonly Instrument[]): { futures: Map<string, Instrument>; spot: Map<string, Instrument> } {
  const bySymbol = (product: 'futures' | 'spot'): Map<string, Instrument> =>
    new Map(instruments.filter((one) => one.product === product).map((one) => [one.symbol, one]));
  return { futures: bySymbol('futures'), spot: bySymbol('spot') };
}

function withdrawalsOf({ withdrawals: given = [] }: FaceOptions): Withdrawals {
  const book = new Withdrawals();
  for (const [account, records] of given.entries()) for (const one of records) book.put(account, one);
  return book;
}

function contextOf(
  sim: VenueSim,
  options: FaceOptions,
  parts: Pick<EndpointContext, 'ids' | 'futures' | 'spot' | 'withdrawals'>,
): EndpointContext {
  return {
    sim,
    ...parts,
    switches: { ...SWITCH_DEFAULTS, ...options.switches },
    instruments: options.instruments,
    reference: {
      symbols: reference.symbolRecords(options.instruments, options.symbols ?? []),
      coins: reference.coinRecords(options.instruments, options.coins ?? []),
    },
  };
}

/** The request with a margin mode that nobody knows where it uses the word for cross margin that is not taken. */
function spelt(params: unknown, word: 'CROSS' | 'CROSSED'): unknown {
  const other = word === 'CROSS' ? 'CROSSED' : 'CROSS';
  return isRecord(params) && params['marginMode'] === other ? { ...params, marginMode: `not ${word}` } : params;
}

/** The batch of spot orders with words that nobody knows where its words are not in lower case. */
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
