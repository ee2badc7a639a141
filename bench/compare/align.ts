/** Puts the orders of a live run beside those of a backtest and says of each difference what the recording proves about it. */
import { MARKET } from '../../src/domain/codes.ts';
import type { Book } from './book.ts';
import { positionAt, type Run, type RunFill, type RunOrder } from './runs.ts';

export const CAUSES = {
  same: 'the same order and the same fills, price for price',
  'book-moved': 'the same decision, but the order arrived some milliseconds apart, and the book moved in between',
  'other-poll': 'what decided it came between the two polls: one run saw it a poll later',
  'other-quote': 'the bot saw another quote, because its poll reached the venue at another millisecond',
  'queue-time': 'the same order, but its arrival or its cancel fell on another millisecond, so other trades reached it',
  'own-state': 'position or own orders differed by then: it follows from a difference before it',
  'turned-away': 'the live order was refused because it would have crossed the book by the time it arrived',
  alone: 'none within reach, though positions agreed: the other run had an order standing or on its way at that moment',
} as const;

export type Cause = keyof typeof CAUSES;

export interface Pair {
  readonly live: RunOrder | null;
  readonly backtest: RunOrder | null;
  readonly cause: Cause;
  /** Milliseconds by which the live order was made later and arrived later; 0 for one alone. */
  readonly madeLater: number;
  readonly arrivedLater: number;
}

export interface AlignOptions {
  /** Orders further apart than this are not the same decision. */
  readonly withinMs: number;
  /** Placements of the live run that the venue turned away. */
  readonly refused: readonly Pick<RunOrder, 'symbol' | 'side' | 'effect' | 'type' | 'arrivedAt'>[];
  /** The quickest poll of the market. */
  readonly pollMs: number;
  readonly book: Book;
  /** When the quote was taken that a live order made at `time` was decided on; and the same for the backtest. */
  readonly liveQuoteAt: (time: number) => number;
  readonly backtestQuoteAt: (time: number) => number;
}

/** Pairs in order of time. Nearest orders of the same kind, side and symbol belong together. */
export function align(live: Run, backtest: Run, options: AlignOptions): Pair[] {
  const near: (readonly [number, RunOrder, RunOrder])[] = [];
  for (const a of live.orders) {
    for (const b of backtest.orders) {
      const apart = Math.abs(a.arrivedAt - b.arrivedAt);
      if (apart <= options.withinMs && isAlike(a, b)) near.push([apart, a, b]);
    }
  }
  near.sort(([x, a, c], [y, b, d]) => x - y || a.seq - b.seq || c.seq - d.seq);
  const partner = new Map<RunOrder, RunOrder>();
  for (const [, a, b] of near) {
    if (partner.has(a) || partner.has(b)) continue;
    partner.set(a, b);
    partner.set(b, a);
  }
  const isTurnedAway = (b: RunOrder): boolean =>
    options.refused.some((a) => isAlike(a, b) && Math.abs(a.arrivedAt - b.arrivedAt) < options.pollMs / 2);
  const causeAlone = (order: RunOrder): Cause => {
    const { symbol, madeAt } = order;
    if (positionAt(live, symbol, madeAt) !== positionAt(backtest, symbol, madeAt)) return 'own-state';
    return isTurnedAway(order) ? 'turned-away' : 'alone';
  };
  const pairOf = (a: RunOrder | null, b: RunOrder | null): Pair => {
    if (a === null) return { live: a, backtest: b, cause: b === null ? 'alone' : causeAlone(b), madeLater: 0, arrivedLater: 0 };
    if (b === null) return { live: a, backtest: b, cause: causeAlone(a), madeLater: 0, arrivedLater: 0 };
    const cause = causeOf(a, b, live, backtest, options);
    return { live: a, backtest: b, cause, madeLater: a.madeAt - b.madeAt, arrivedLater: a.arrivedAt - b.arrivedAt };
  };
  const pairs = live.orders.map((order) => pairOf(order, partner.get(order) ?? null));
  for (const order of backtest.orders) if (!partner.has(order)) pairs.push(pairOf(null, order));
  return pairs.sort((a, b) => timeOf(a) - timeOf(b));
}

type Kind = Pick<RunOrder, 'symbol' | 'side' | 'effect' | 'type'>;

function isAlike(a: Kind, b: Kind): boolean {
  return a.symbol === b.symbol && a.side === b.side && a.effect === b.effect && a.type === b.type;
}

function timeOf({ live, backtest }: Pair): number {
  return (live ?? backtest)?.arrivedAt ?? 0;
}

function sameFills(a: readonly RunFill[], b: readonly RunFill[]): boolean {
  if (a.length !== b.length) return false;
  return a.every((fill, k) => fill.price === b[k]!.price && fill.size === b[k]!.size && fill.liquidity === b[k]!.liquidity);
}

function causeOf(a: RunOrder, b: RunOrder, live: Run, backtest: Run, { book, pollMs, liveQuoteAt, backtestQuoteAt }: AlignOptions): Cause {
  const { symbol } = a;
  const isSameOrder = a.price === b.price && a.size === b.size;
  if (isSameOrder && sameFills(a.fills, b.fills)) return 'same';
  if (positionAt(live, symbol, a.madeAt) !== positionAt(backtest, symbol, b.madeAt)) return 'own-state';
  if (Math.abs(a.madeAt - b.madeAt) >= pollMs / 2) return 'other-poll';
  if (!isSameOrder) return book.isSame(symbol, liveQuoteAt(a.madeAt), backtestQuoteAt(b.madeAt)) ? 'own-state' : 'other-quote';
  if (a.type !== MARKET) return 'queue-time';
  return book.isSame(symbol, a.arrivedAt, b.arrivedAt) ? 'own-state' : 'book-moved';
}
