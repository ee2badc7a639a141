/**
 * Fill models: when a resting order of ours trades. A model is a row of rules that the matcher asks (sim/matching/match.ts); to add one, add
 * a row. Better prices fill first, then older orders; one trade's size is shared.
 */
export interface FillModel {
  readonly doc: string;
  /** The note of the report on the model: when a resting order fills, and how far that is from a real venue. */
  readonly note: string;
  /** A trade at the order's price fills it. Otherwise only a trade beyond the price does, or one that its queue lets through. */
  readonly fillsAtTouch: boolean;
  /** The opposite quote must pass the price. Otherwise it is enough that it reaches it. */
  readonly needsBeyond: boolean;
  /** Orders wait behind the size that was displayed at their price when they joined it. */
  readonly hasQueue: boolean;
  /**
   * Lots ahead of an order that `gone` cancelled lots of its level take away, where the level had `total` lots, `ahead` of them before the
   * order. null: cancelled lots stood behind the order, until the level is smaller than what was ahead.
   */
  readonly cancelledAhead: ((gone: number, ahead: number, total: number) => number) | null;
}

export const FILL_MODELS = {
  touch: {
    doc: 'at its price',
    note: 'fills as soon as its price trades, as if nobody stood before it: more often than live would.',
    fillsAtTouch: true,
    needsBeyond: false,
    hasQueue: false,
    cancelledAhead: null,
  },
  through: {
    doc: 'beyond its price',
    note: 'fills only when the market trades beyond its price: less often than live would.',
    fillsAtTouch: false,
    needsBeyond: true,
    hasQueue: false,
    cancelledAhead: null,
  },
  queue: {
    doc: 'after the size ahead of it',
    note: 'waits behind the size that was displayed when it joined the best price; deeper levels are not on the tape.',
    fillsAtTouch: false,
    needsBeyond: false,
    hasQueue: true,
    cancelledAhead: null,
  },
  /**
   * The expected place in a queue whose cancelled lots are spread evenly: ahead −= floor(gone · ahead / total). This is ProbQueueModel of
   * hftbacktest with f(x) = x, so P(behind) = behind / (ahead + behind), in whole lots.
   */
  'prob-queue': {
    doc: 'after the size ahead of it, of which cancellations take their share',
    note: 'waits behind the size that was displayed when it joined the best price; what is cancelled there is taken evenly from before and behind it.',
    fillsAtTouch: false,
    needsBeyond: false,
    hasQueue: true,
    cancelledAhead: (gone, ahead, total) => Math.floor((gone * ahead) / total),
  },
} as const satisfies Readonly<Record<string, FillModel>>;

export type FillModelName = keyof typeof FILL_MODELS;
