/** Reads all pages of pending orders (E18) or order history (E17), with each order once. Page ids are passed back exactly as received. */
import type { OrderReport } from '../domain/report.ts';
import type { Query } from '../ports/venue.ts';
import type { Accepted, Called, Unknown } from './called.ts';
import type { Answered, Asking, NotAnswered } from './dialect.ts';

/** Records requested per page. */
export const PAGE_LIMIT = 100;
/** Most pages of one listing. An account does not have 200,000 orders; the venue would be repeating pages without end. */
const PAGES_MAX = 2_000;
/** Pages per piece of a history, so that a failure loses one piece and not the whole history. */
const PIECE_PAGES = 50;
/**
 * The venue's own page cap is unknown. Ordinary polls assume that it is at least ten. A page shorter than that, or shorter than an earlier
 * one, is then the last. Reads that prove absence assume nothing.
 */
const SHORTEST_CAP = 10;

interface Listed {
  readonly orderId: string;
}

export interface Page<R extends Listed> {
  readonly entrustedList: readonly R[];
  readonly endId: string;
}

export interface Listing<R extends Listed> {
  readonly orders: readonly R[];
  /** The answer to the first page. Its send time is valid for the whole listing. */
  readonly first: Accepted<Page<R>>;
  /** Page id at which the next piece starts; "" if there are no more pages. */
  readonly rest: string;
}

export interface PagesWanted {
  /** Absence is used as proof: a short page does not end the listing, and a page that only repeats earlier orders is an error. */
  readonly isProof?: boolean | undefined;
  /** Stop once all of these orders were listed; null reads all pages. */
  readonly known?: ReadonlySet<string> | null | undefined;
  /** Page id to start at; "" starts at the newest order. */
  readonly before?: string | undefined;
  /** Most pages per piece. Default: no limit. */
  readonly piece?: number | undefined;
}

/** The answer to a query for orders: all pages of those that are pending, or the next piece of a history. */
export function* answerOrders<R extends Listed>(
  query: Extract<Query, { readonly kind: 'pending' | 'history' }>,
  read: (before: string) => Asking<Called<Page<R>>>,
  map: (records: readonly R[]) => OrderReport[],
): Asking<Answered | NotAnswered> {
  if (query.kind === 'pending') {
    const pages = yield* readPages(read, { isProof: query.isProof, known: query.known?.() });
    return 'status' in pages ? pages : { answer: { kind: 'pending', orders: map(pages.orders) }, from: pages.first };
  }
  const isOne = query.clientId !== '';
  const pages = yield* readPages(read, { isProof: isOne, before: query.before, piece: isOne ? undefined : PIECE_PAGES });
  if ('status' in pages) return pages;
  const orders = map(pages.orders);
  return { answer: { kind: 'history', orders, ...(pages.rest === '' ? {} : { rest: pages.rest }) }, from: pages.first };
}

/**
 * Reads pages until one is empty, short, without an end id, or without new orders. New orders shift others to later pages, so duplicates
 * are removed. If a page fails, its outcome is returned, because an incomplete listing must not be used.
 */
export function* readPages<R extends Listed>(
  read: (before: string) => Asking<Called<Page<R>>>,
  wanted: PagesWanted = {},
): Asking<Listing<R> | Exclude<Called<Page<R>>, Accepted<Page<R>>>> {
  const { isProof = false, known = null, piece = Infinity } = wanted;
  const orders = new Map<string, R>();
  let first: Accepted<Page<R>> | null = null;
  let before = wanted.before ?? '';
  let fullest = isProof ? 1 : SHORTEST_CAP;
  let missing = known === null ? Infinity : known.size;
  for (let page = 0; page < PAGES_MAX; page++) {
    const called = yield* read(before);
    if (called.status !== 'accepted') return called;
    first ??= called;
    const { entrustedList, endId } = called.value;
    const count = orders.size;
    for (const order of entrustedList) {
      if (orders.has(order.orderId)) continue;
      orders.set(order.orderId, order);
      if (known !== null && known.has(order.orderId)) missing--;
    }
    const isShort = entrustedList.length < fullest;
    const isOld = orders.size === count;
    if (isProof && isOld && entrustedList.length > 1) return repeated(entrustedList.length);
    if (isShort || isOld || endId === '' || missing === 0) return { orders: [...orders.values()], first, rest: '' };
    if (page + 1 >= piece) return { orders: [...orders.values()], first, rest: endId };
    if (!isProof) fullest = Math.max(fullest, entrustedList.length);
    before = endId;
  }
  return { status: 'unknown', row: 'C12', cause: 'too-many-pages', detail: `more than ${PAGES_MAX} pages` };
}

function repeated(records: number): Unknown {
  return {
    status: 'unknown',
    row: 'C12',
    cause: 'pages-repeat',
    detail: `expected older records, found a page that repeats ${records} earlier ones`,
  };
}
