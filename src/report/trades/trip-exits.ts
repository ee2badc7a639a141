/** Finds why trades were closed: what the orders of each reason closed of each trade. */
import { formatLots, formatMoney, type Instrument } from '../../domain/instrument.ts';
import type { FillLog } from '../fills/fill-log.ts';
import { RowPages } from '../fills/row-pages.ts';

/** Places of the numbers of an exit in its row. */
const LABEL = 0;
const SIZE = 1;
const PNL = 2;
const FEES = 3;
const STRIDE = 4;

/** What the orders of one reason closed of a trade. `fees` has its share of the fees of the entry, so all `net` add up to that of the trade. */
export interface TripExit {
  readonly reason: string;
  readonly size: string;
  readonly net: string;
  readonly fees: string;
}

/** Lots, and money in 10⁻⁸. */
export interface ExitSums {
  size: number;
  pnl: number;
  fees: number;
}

/** Exits of one trade by reason, in the order of their first fills. */
export type Exits = readonly (readonly [reason: string, sums: Readonly<ExitSums>])[];

/** What the orders of each label closed of a trade so far, in the order of their first fills. Nearly always it is one label. */
export class LegExits {
  /** Of the first fill; meaningless until `add`. */
  label = 0;
  readonly first: ExitSums = { size: 0, pnl: 0, fees: 0 };
  /** Of the other labels; null until there is one. */
  more: Map<number, ExitSums> | null = null;

  add(label: number, size: number, pnl: number, fees: number): void {
    if (this.first.size === 0) this.label = label;
    const exit = this.label === label ? this.first : this.#other(label);
    exit.size += size;
    exit.pnl += pnl;
    exit.fees += fees;
  }

  /** Forgets all, for the next trade of the leg. */
  reset(): void {
    this.first.size = 0;
    this.first.pnl = 0;
    this.first.fees = 0;
    this.more = null;
  }

  #other(label: number): ExitSums {
    this.more ??= new Map<number, ExitSums>();
    const known = this.more.get(label);
    if (known !== undefined) return known;
    const sums = { size: 0, pnl: 0, fees: 0 };
    this.more.set(label, sums);
    return sums;
  }
}

/** Exits of the trades that orders of several labels closed, one after the other. */
export class TripExits {
  readonly #rows: RowPages;
  readonly #labels: FillLog['labels'];

  constructor(labels: FillLog['labels'], openStore: FillLog['openStore']) {
    this.#labels = labels;
    this.#rows = new RowPages(STRIDE, openStore);
  }

  /**
   * Exits of a trade, unless it has a single one, which its own row tells. Each has the share of the fees of the entry that its size is of the
   * whole; `fees` are those of the trade. Gives the number of exits that were added.
   */
  add({ label: first, first: sums, more }: LegExits, fees: number): number {
    if (more === null) return 0;
    const exits = [[first, sums] as const, ...more];
    let entryFees = fees;
    let whole = 0;
    for (const [, exit] of exits) {
      entryFees -= exit.fees;
      whole += exit.size;
    }
    let lots = 0;
    let paid = 0;
    for (const [label, exit] of exits) {
      lots += exit.size;
      const until = Math.round(entryFees * (lots / whole));
      const { page, at } = this.#rows;
      page[at + LABEL] = label;
      page[at + SIZE] = exit.size;
      page[at + PNL] = exit.pnl;
      page[at + FEES] = exit.fees + until - paid;
      paid = until;
      this.#rows.added();
    }
    return exits.length;
  }

  get count(): number {
    return this.#rows.length;
  }

  /**
   * Reads the last `rows` exits: those of each trade in turn, of which there are `count`; null for a trade without. Orders of several
   * strategies may have had one reason.
   */
  reader(rows: number): (count: number) => Exits | null {
    const reader = this.#rows.reader(this.#rows.length - rows);
    return (count) => {
      if (count === 0) return null;
      const byReason = new Map<string, ExitSums>();
      for (let left = count; left > 0 && reader.next(); left--) {
        const { page, at } = reader;
        const { reason } = this.#labels.all[page[at + LABEL]!]!;
        const { size, pnl, fees } = byReason.get(reason) ?? { size: 0, pnl: 0, fees: 0 };
        byReason.set(reason, { size: size + page[at + SIZE]!, pnl: pnl + page[at + PNL]!, fees: fees + page[at + FEES]! });
      }
      return [...byReason];
    };
  }
}

/** The exit in words; `fees` are all that count for it. */
export function exitOf(reason: string, { size, pnl, fees }: Readonly<ExitSums>, instrument: Instrument): TripExit {
  return { reason, size: formatLots(size, instrument), net: formatMoney(pnl - fees), fees: formatMoney(fees) };
}

/** Why a trade was closed: its reason, or of a trade that was closed in parts each reason with its size. */
export function exitWords({ reason, exits = [] }: { readonly reason: string; readonly exits?: readonly TripExit[] }): string {
  if (exits.length < 2) return reason;
  return exits.map((exit) => `${exit.reason || '(no reason given)'} ${exit.size}`).join(', ');
}
