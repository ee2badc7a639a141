/** Why trades were closed: what the orders of each reason closed of each trade. */
import { formatLots, formatMoney, type Instrument } from '../domain/instrument.ts';
import type { FillLog } from './fill-log.ts';
import { RowPages } from './row-pages.ts';

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

/** Exits of all trades, one after the other. */
export class TripExits {
  readonly #rows: RowPages;
  readonly #labels: FillLog['labels'];

  constructor(labels: FillLog['labels'], openStore: FillLog['openStore']) {
    this.#labels = labels;
    this.#rows = new RowPages(STRIDE, openStore);
  }

  /** Exits of a trade by label. Each has the share of the fees of the entry that its size is of the whole; `fees` are those of the trade. */
  add(exits: ReadonlyMap<number, ExitSums>, fees: number): void {
    let entryFees = fees;
    let whole = 0;
    for (const exit of exits.values()) {
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
  }

  /** Reads the exits of each trade in turn, of which there are `count`. Orders of several strategies may have had one reason. */
  reader(): (count: number, instrument: Instrument) => TripExit[] {
    const rows = this.#rows.reader();
    return (count, instrument) => {
      const byReason = new Map<string, ExitSums>();
      for (let left = count; left > 0 && rows.next(); left--) {
        const { page, at } = rows;
        const { reason } = this.#labels.all[page[at + LABEL]!]!;
        const { size, pnl, fees } = byReason.get(reason) ?? { size: 0, pnl: 0, fees: 0 };
        byReason.set(reason, { size: size + page[at + SIZE]!, pnl: pnl + page[at + PNL]!, fees: fees + page[at + FEES]! });
      }
      return [...byReason].map(([reason, { size, pnl, fees }]) => {
        return { reason, size: formatLots(size, instrument), net: formatMoney(pnl - fees), fees: formatMoney(fees) };
      });
    };
  }
}

/** Why a trade was closed: its reason, or of a trade that was closed in parts each reason with its size. */
export function exitWords({ reason, exits = [] }: { readonly reason: string; readonly exits?: readonly TripExit[] }): string {
  if (exits.length < 2) return reason;
  return exits.map((exit) => `${exit.reason || '(no reason given)'} ${exit.size}`).join(', ');
}
