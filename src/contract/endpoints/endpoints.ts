/** The 20 endpoints by name and in order, with look-ups. Does not load zod. */
import { assert } from '../../base/assert.ts';
import type { Reason } from '../../domain/outcome.ts';
import { API_PREFIX, errorRow, type Endpoint, type EndpointId, type ErrorRow } from './endpoint.ts';
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

/** E1 to E20, in order. */
export const ENDPOINT_LIST: readonly Endpoint[] = Object.values(ENDPOINTS);

const byRoute = new Map<string, Endpoint>(ENDPOINT_LIST.map((e) => [`${e.method} ${e.path}`, e]));
const byId = new Map<string, Endpoint>(ENDPOINT_LIST.map((e) => [e.id, e]));

export function endpointById(id: EndpointId): Endpoint {
  const found = byId.get(id);
  assert(found !== undefined, `an endpoint id is E1 to E20, found ${id}`);
  return found;
}

/** Returns the endpoint for a method and a path (without query) of an API mounted under `prefix`, or undefined. */
export function findEndpoint(method: string, path: string, prefix: string = API_PREFIX): Endpoint | undefined {
  if (!path.startsWith(prefix)) return undefined;
  return byRoute.get(`${method} ${API_PREFIX}${path.slice(prefix.length)}`);
}

/** Returns the path of an endpoint of an API mounted under `prefix`, which may be "". */
export function mountedPath(endpoint: Endpoint, prefix: string): string {
  return prefix + endpoint.path.slice(API_PREFIX.length);
}

/** The refusal of an unauthenticated caller if the endpoint's table has no row for it (assumption A27). */
export const UNAUTHORIZED: ErrorRow = errorRow('40002', 'Unauthorized', 'unauthorized', 'auth');

/** The refusal of an endpoint for a reason: the first such row of its table, else a general one (assumptions A27, A31). */
export function row(name: EndpointName, reason: Reason): ErrorRow {
  return refusalFor(ENDPOINTS[name], reason);
}

export function refusalFor(endpoint: Endpoint, reason: Reason): ErrorRow {
  const listed = endpoint.errors.find((candidate) => candidate.reason === reason);
  if (listed !== undefined) return listed;
  if (reason === 'unauthorized') return UNAUTHORIZED;
  return generalRefusal(reason === 'invalid-request' ? 'Parameter is invalid' : sentence(reason), reason);
}

/** A refusal without a row in the table: 40001 with our own message (assumption A31). */
export function generalRefusal(msg: string, reason: Reason = 'invalid-request'): ErrorRow {
  return errorRow('40001', msg, reason, 'static');
}

function sentence(reason: Reason): string {
  const words = reason.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
