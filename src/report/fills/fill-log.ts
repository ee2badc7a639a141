/** The fills of a run, from which reports and comparisons are made. All values are integers: ticks, lots, money in 10⁻⁸, codes of domain/codes.ts. */
import { Digest } from '../../base/digest.ts';
import { FillLabels } from './fill-labels.ts';
import { RowPages, type PageStore } from './row-pages.ts';

/**
 * Numbers per fill: time, instrument · 8 + side · 4 + effect · 2 + liquidity, price, size, fee, realised, and the order number (without an
 * order: minus its label).
 */
const STRIDE = 7;

/** One fill; overwritten by the next. */
export class LoggedFill {
  time = 0;
  instrument = 0;
  side = 0;
  effect = 0;
  liquidity = 0;
  price = 0;
  size = 0;
  fee = 0;
  realised = 0;
  /** The bot's order number; 0 without one. */
  order = 0;
  /** Number in `labels`. */
  label = 0;
}

export class FillLog {
  /** The labels that the fills refer to. */
  readonly labels: FillLabels;
  /** Where the rows of long runs go; null if they stay in memory. */
  readonly openStore: (() => PageStore) | null;
  private readonly rows: RowPages;

  constructor(openStore: (() => PageStore) | null = null) {
    this.openStore = openStore;
    this.labels = new FillLabels(openStore);
    this.rows = new RowPages(STRIDE, openStore);
  }

  get length(): number {
    return this.rows.length;
  }

  /** Adds a fill. `order` is the bot's order number; without one, minus the number of its label. */
  add(
    time: number,
    instrument: number,
    side: number,
    effect: number,
    price: number,
    size: number,
    fee: number,
    realised: number,
    liquidity: number,
    order: number,
  ): void {
    const rows = this.rows;
    const { page, at } = rows;
    page[at] = time;
    page[at + 1] = (instrument << 3) | (side << 2) | (effect << 1) | liquidity;
    page[at + 2] = price;
    page[at + 3] = size;
    page[at + 4] = fee;
    page[at + 5] = realised;
    page[at + 6] = order;
    rows.added();
  }

  /** Calls `see` with each fill in order. */
  each(see: (fill: LoggedFill) => void): void {
    const { labels } = this;
    const fill = new LoggedFill();

    this.rows.each((page, end) => {
      for (let at = 0; at < end; at += STRIDE) {
        const code = page[at + 1]!;
        const order = page[at + 6]!;
        fill.time = page[at]!;
        fill.instrument = code >> 3;
        fill.side = (code >> 2) & 1;
        fill.effect = (code >> 1) & 1;
        fill.liquidity = code & 1;
        fill.price = page[at + 2]!;
        fill.size = page[at + 3]!;
        fill.fee = page[at + 4]!;
        fill.realised = page[at + 5]!;
        fill.order = order > 0 ? order : 0;
        fill.label = order > 0 ? labels.of(order) : -order;
        see(fill);
      }
    });
  }

  /** Digest over all fills in order: time, instrument, side, effect, price, size, fee, liquidity. */
  digest(): string {
    const digest = new Digest();
    this.each((fill) => note(digest, fill));
    return digest.hex();
  }
}

/** Adds a fill to the digest of a log. */
export function note(digest: Digest, { time, instrument, side, effect, liquidity, price, size, fee }: LoggedFill): void {
  digest.integer(time);
  digest.integer(instrument);
  digest.integer(side * 4 + effect * 2 + liquidity);
  digest.integer(price);
  digest.integer(size);
  digest.integer(fee);
}
