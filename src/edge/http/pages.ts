/** All pages of a listing (E17, E18), each order once. Ids are text: they are passed back as they came. */
import type { OrderRecord } from './map-in.ts';
import type { Accepted, Called, Unknown } from './outcome.ts';

/** Records asked for per page. */
export const PAGE_LIMIT = 100;
/** A listing of more pages than this is given up: 200,000 live orders are not an account but a venue that pages for ever. */
const PAGES_MAX = 2_000;
/** A history is given out in pieces of so many pages: what failed is then a piece, not all. */
export const PIECE_PAGES = 50;
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
  /** Where the next piece begins; "" when there is no more. */
  readonly rest: string;
}

export interface PagesWanted {
  /** A short page is like any other, and one that only repeats what is known shows that the venue does not page. */
  readonly isProof?: boolean | undefined;
  /** Pages end when all of these orders were seen; null: never. */
  readonly known?: ReadonlySet<string> | null | undefined;
  /** Where to begin; "" at the newest order. */
  readonly before?: string | undefined;
  /** Most pages of one piece. Default: all pages, or none. */
  readonly piece?: number | undefined;
}

/**
 * Reads pages until one is empty, short, without an end id, or brings nothing new. Orders that come while it pages move others to later
 * pages, so each counts once. Gives the outcome of the page that failed otherwise: half a listing is no listing.
 */
export async function readPages(
  read: (before: string) => Promise<Called<Page>>,
  wanted: PagesWanted = {},
): Promise<Listing | Exclude<Called<Page>, Accepted<Page>>> {
  const { isProof = false, known = null, piece = Infinity } = wanted;
  const orders = new Map<string, OrderRecord>();
  let first: Accepted<Page> | null = null;
  let before = wanted.before ?? '';
  let fullest = isProof ? 1 : SHORTEST_CAP;
  let missing = known === null ? Infinity : known.size;
  for (let page = 0; page < PAGES_MAX; page++) {
    const called = await read(before);
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
  return { status: 'unknown', row: 'C12', cause: 'pages-repeat', detail: `a page of ${records} records repeats what came before` };
}
