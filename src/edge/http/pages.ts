/** All pages of a listing (E17, E18), each order once. Ids are text: they are passed back as they came. */
import type { OrderRecord } from './map-in.ts';
import type { Accepted, Called } from './outcome.ts';

/** Records asked for per page, and the most pages that are read. */
export const PAGE_LIMIT = 100;
export const PAGES_MAX = 200;
/** No venue is known to cap a page below ten records: a page shorter than that, or than one before it, is the last one. */
const SHORTEST_CAP = 10;

export interface Page {
  readonly entrustedList: readonly OrderRecord[];
  readonly endId: string;
}

export interface Listing {
  readonly orders: readonly OrderRecord[];
  /** The answer to the first page: nothing in the listing is older than its question. */
  readonly first: Accepted<Page>;
}

/**
 * Reads pages until one is empty, short, without an end id, or brings nothing new. Gives the outcome of the page that failed
 * otherwise: half a listing is no listing.
 */
export async function readPages(read: (before: string) => Promise<Called<Page>>): Promise<Listing | Exclude<Called<Page>, Accepted<Page>>> {
  const orders = new Map<string, OrderRecord>();
  let first: Accepted<Page> | null = null;
  let before = '';
  let fullest = SHORTEST_CAP;
  for (let page = 0; page < PAGES_MAX; page++) {
    const called = await read(before);
    if (called.status !== 'accepted') return called;
    first ??= called;
    const { entrustedList, endId } = called.value;
    const known = orders.size;
    for (const order of entrustedList) if (!orders.has(order.orderId)) orders.set(order.orderId, order);
    const isLast = entrustedList.length < fullest || endId === '' || orders.size === known;
    if (isLast) return { orders: [...orders.values()], first };
    fullest = Math.max(fullest, entrustedList.length);
    before = endId;
  }
  return { status: 'unknown', row: 'C12', cause: 'too-many-pages', detail: `more than ${PAGES_MAX} pages` };
}
