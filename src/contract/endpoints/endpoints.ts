/** The 20 endpoints by name and in order, with look-ups. Does not load zod. */
import { assert } from '../../base/failure/assert.ts';
import type { Reason } from '../../domain/orders/outcome.ts';
import {
  API_PREFIX,
  errorRow,
  type AnswerOf,
  type Endpoint,
  type EndpointId,
  type ErrorRow,
  type ParametersOf,
  type ReplyOf,
  type RequestOf,
} from './endpoint.ts';
import { GeneralRefusal, refusalForReason, type GeneralName } from './general-refusals.ts';
import { account, setMargin, setMarginMode } from './futures-account.ts';
import { cancelOrders, cancelPlanOrders } from './futures-cancel.ts';
import { orderHistory, pendingOrders } from './futures-listing.ts';
import { bookTickers, tickers, trades } from './futures-market.ts';
import { modifyOrder, placeOrder, placePlanOrder } from './futures-orders.ts';
import { positions, symbolPositions } from './futures-positions.ts';
import { withdrawals } from './spot-account.ts';
import { coins, spotSymbols } from './spot-market.ts';
import { cancelSpotOrders, placeSpotOrders } from './spot-trade.ts';

export const ENDPOINTS = {
  placeSpotOrders,
  cancelSpotOrders,
  spotSymbols,
  coins,
  withdrawals,
  tickers,
  bookTickers,
  trades,
  account,
  setMarginMode,
  setMargin,
  placeOrder,
  placePlanOrder,
  modifyOrder,
  cancelOrders,
  cancelPlanOrders,
  orderHistory,
  pendingOrders,
  positions,
  symbolPositions,
} as const;

export type EndpointName = keyof typeof ENDPOINTS;

/** Parameters of an endpoint as the client sends them, and its data as the client reads them. */
export type RequestTo<N extends EndpointName> = RequestOf<(typeof ENDPOINTS)[N]>;
export type AnswerTo<N extends EndpointName> = AnswerOf<(typeof ENDPOINTS)[N]>;
/** Parameters of an endpoint as the server reads them, and its data as the server sends them. */
export type GivenTo<N extends EndpointName> = ParametersOf<(typeof ENDPOINTS)[N]>;
export type ReplyTo<N extends EndpointName> = ReplyOf<(typeof ENDPOINTS)[N]>;

/** E1 to E20, in order. */
export const ENDPOINT_LIST: readonly Endpoint[] = Object.values(ENDPOINTS);

const byId = new Map<string, Endpoint>(ENDPOINT_LIST.map((e) => [e.id, e]));

export function endpointById(id: EndpointId): Endpoint {
  const found = byId.get(id);
  assert(found !== undefined, `an endpoint id is E1 to E20, found ${id}`);
  return found;
}

/** Returns the path of an endpoint of an API mounted under `prefix`, which may be "". */
export function mountedPath(endpoint: Endpoint, prefix: string): string {
  return prefix + endpoint.path.slice((endpoint.prefix ?? API_PREFIX).length);
}

/** The refusal of an unauthenticated caller if the endpoint's table has no row for it (assumption A27). */
export const UNAUTHORIZED: ErrorRow = rowOf(new GeneralRefusal('unauthorized'), 'unauthorized');

/** The refusal of an endpoint for a reason: the first such row of its table, else a general one (assumptions A27, A31). */
export function row(name: EndpointName, reason: Reason): ErrorRow {
  return refusalFor(ENDPOINTS[name], reason);
}

export function refusalFor(endpoint: Endpoint, reason: Reason): ErrorRow {
  const listed = firstRow(endpoint, reason);
  if (listed !== undefined) return listed;
  return reason === 'unauthorized' ? UNAUTHORIZED : rowOf(refusalForReason(reason), reason);
}

/** The row of an endpoint's own table; undefined if it has none for the reason. */
export function listedRow(name: EndpointName, reason: Reason): ErrorRow | undefined {
  return firstRow(ENDPOINTS[name], reason);
}

function firstRow(endpoint: Endpoint, reason: Reason): ErrorRow | undefined {
  return endpoint.errors.find((candidate) => candidate.reason === reason);
}

/** A refusal of the request itself without a row in the table (assumption A31). */
export function generalRefusal(name: GeneralName, found?: string): ErrorRow {
  return rowOf(new GeneralRefusal(name, found), 'invalid-request');
}

function rowOf({ code, msg }: GeneralRefusal, reason: Reason): ErrorRow {
  return errorRow(code, msg, reason, reason === 'unauthorized' ? 'auth' : 'static');
}
