/** All pages of a listing (E17, E18), each order once. Ids are text: they are passed back as they came. */
import type { OrderRecord } from './map-in.ts';
import type { Accepted, Called, Unknown } from './outcome.ts';

/** Records asked for per page, and the most pages that are read. */
export const PAGE_LIMIT = 100;
const PAGES_MAX = 200;
/**
 * How many records a venue gives a page at most is not known. A poll takes it that none caps below ten, so that a page shorter than
 * that, or than one before it, is the last one; where absence is to prove something, nothing is taken for granted.
 */
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
 * Reads pages until one is empty, short, without an end id, or brings nothing new. Where the listing `isProof` a short page is like
 * any other, and one that only repeats what is known shows that the venue does not page. Gives the outcome of the page that
 * failed otherwise: half a listing is no listing.
 */
export async function readPages(
  read: (before: string) => Promise<Called<Page>>,
  isProof = false,
): Promise<Listing | Exclude<Called<Page>, Accepted<Page>>> {
  const orders = new Map<string, OrderRecord>();
  let first: Accepted<Page> | null = null;
  let before = '';
  let fullest = isProof ? 1 : SHORTEST_CAP;
  for (let page = 0; page < PAGES_MAX; page++) {
    const called = await read(before);
    if (called.status !== 'accepted') return called;
    first ??= called;
    const { entrustedList, endId } = called.value;
    const known = orders.size;
    for (const order of entrustedList) if (!orders.has(order.orderId)) orders.set(order.orderId, order);
    const isShort = entrustedList.length < fullest;
    const isOld = orders.size === known;
    if (isProof && isOld && entrustedList.length > 1) return repeated(entrustedList.length);
    if (isShort || isOld || endId === '') return { orders: [...orders.values()], first };
    if (!isProof) fullest = Math.max(fullest, entrustedList.length);
    before = endId;
  }
  return { status: 'unknown', row: 'C12', cause: 'too-many-pages', detail: `more than ${PAGES_MAX} pages` };
}

function repeated(records: number): Unknown {
  return { status: 'unknown', row: 'C12', cause: 'pages-repeat', detail: `a page of ${records} records repeats what came before` };
}
