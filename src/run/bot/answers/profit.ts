/**
 * Profit, fees and funding by group, from the records of a journal. An index has the sums of each UTC day up to a position, so that only
 * later records, and days that a window cuts, are read.
 */
import type { FillAnswer, ProfitRow } from '../../../control/answers.ts';
import { DAY_MS } from '../../../base/time/time-spans.ts';
import { Decimal } from '../../../domain/amounts/decimal.ts';
import { EXTERNAL, NETTING } from '../../../domain/strategy-name.ts';
import type { StoredRecord } from '../../../ports/store.ts';
import { isWithin, recordsUpTo, type Journal, type Window } from './fill-answers.ts';
import { isMoney, MoneyReader, type Money, type MoneyPart, type SavedReader } from './money-reader.ts';

type GroupBy = 'strategy' | 'symbol' | 'day' | 'reason';
/** The day as 2026-11-28, strategy, symbol and reason. */
type Facts = Readonly<Record<GroupBy, string>>;

/** Fills, closes, wins; profit, fees, funding, volume as decimal strings. */
type SavedSum = readonly [number, number, number, string, string, string, string];

interface SavedDay {
  readonly day: string;
  /** Positions of its first and last record about money. */
  readonly first: number;
  readonly last: number;
  /** What was known of legs and funding before its first record. */
  readonly reader: SavedReader;
  readonly sums: readonly (readonly [strategy: string, symbol: string, reason: string, ...SavedSum])[];
}

/** The index as kept in the store. Plain JSON. */
interface SavedProfit {
  /** Position of the last record that is in it. */
  readonly after: number;
  readonly reader: SavedReader;
  readonly days: readonly SavedDay[];
}

/** Store key of the index. Earlier versions kept one without the holders of legs, under "profit". */
export const PROFIT_KEY = 'money';

/** Sums by day, strategy, symbol and reason of all records up to `after`. */
export class ProfitIndex {
  after = 0;
  #reader = new MoneyReader();
  readonly #days = new Map<string, { first: number; last: number; reader: SavedReader; sums: Map<string, [Facts, Sum]> }>();
  readonly #sums = new Map<string, Sum>();

  /** `text`: as `saved` gave it; null for an index of nothing. */
  static of(text: string | null): ProfitIndex {
    const index = new ProfitIndex();
    if (text === null) return index;
    const { after, days, reader } = JSON.parse(text) as SavedProfit;
    index.after = after;
    index.#reader = new MoneyReader(reader);
    for (const { day, first, last, reader: before, sums } of days) {
      const all = sums.map(([strategy, symbol, reason, ...sum]): [string, [Facts, Sum]] => {
        const facts = { day, strategy, symbol, reason };
        index.#sumOf(strategy).plus(sum);
        return [keyOf(facts), [facts, Sum.of(sum)]];
      });
      index.#days.set(day, { first, last, reader: before, sums: new Map(all) });
    }
    return index;
  }

  saved(): string {
    const days = [...this.#days].map(([day, { first, last, reader, sums }]): SavedDay => {
      const rows = [...sums.values()].map(([{ strategy, symbol, reason }, sum]) => [strategy, symbol, reason, ...sum.saved()] as const);
      return { day, first, last, reader, sums: rows };
    });
    const saved: SavedProfit = { after: this.after, reader: this.#reader.saved(), days };
    return JSON.stringify(saved);
  }

  /** Whose lots each leg has, after the last record. */
  get legs(): MoneyReader['legs'] {
    return this.#reader.legs;
  }

  /** Profit, fees and funding of each strategy, of netting and external, over all days. */
  get sums(): ReadonlyMap<string, Sum> {
    return this.#sums;
  }

  /** Takes the next record of the journal. */
  add(record: StoredRecord): void {
    this.after = record.position;
    if (!isMoney(record)) return;
    const name = dayOf(record.time);
    let day = this.#days.get(name);
    const before = day === undefined ? this.#reader.saved() : null;
    const money = this.#reader.read(record);
    if (money === null) return;
    if (day === undefined) this.#days.set(name, (day = { first: record.position, last: 0, reader: before!, sums: new Map() }));
    day.last = record.position;
    const { sums } = day;
    count(money, ({ strategy }) => {
      const facts = { day: name, strategy, symbol: money.symbol, reason: money.reason };
      const key = keyOf(facts);
      let own = sums.get(key);
      if (own === undefined) sums.set(key, (own = [facts, new Sum()]));
      return [own[1], this.#sumOf(strategy)];
    });
  }

  #sumOf(strategy: string): Sum {
    let sum = this.#sums.get(strategy);
    if (sum === undefined) this.#sums.set(strategy, (sum = new Sum()));
    return sum;
  }

  /** Adds the days that the window has as a whole, and returns what is to be read besides: days that it cuts, and all later records. */
  sumInto(groups: Groups, window: Window): readonly Rest[] {
    const rest: Rest[] = [];
    for (const [day, { first, last, reader, sums }] of this.#days) {
      const begin = Date.parse(day);
      if (isWithin(begin, window) && (window.to ?? Infinity) >= begin + DAY_MS) {
        for (const [facts, sum] of sums.values()) for (const one of groups.of(facts)) one.plus(sum.saved());
      } else if (overlaps(window, begin)) rest.push({ first, last, reader: new MoneyReader(reader), day });
    }
    return [...rest, { first: this.after + 1, last: Infinity, reader: new MoneyReader(this.#reader.saved()), day: '' }];
  }
}

/** Records that the sums lack: those of one day between two positions, or of any day (""). */
interface Rest {
  readonly first: number;
  readonly last: number;
  readonly reader: MoneyReader;
  readonly day: string;
}

/**
 * Realised profit, fees and funding by group, the lowest net first; netting and external after the strategies. The last row, "all", is the
 * sum, and the cents of each column add up to it.
 */
export async function profitIn(
  journal: Pick<Journal, 'records'>,
  by: GroupBy,
  window: Window,
  index = new ProfitIndex(),
): Promise<ProfitRow[]> {
  const groups = new Groups(by);
  // The index goes on while records are read: all of it is taken at once.
  for (const { day, first, reader, last } of index.sumInto(groups, window)) {
    for await (const record of recordsUpTo(journal.records(first), last)) {
      if (!isMoney(record)) continue;
      const money = reader.read(record);
      const name = dayOf(record.time);
      if (money === null || (day !== '' && day !== name) || !isWithin(record.time, window)) continue;
      count(money, ({ strategy }) => groups.of({ day: name, strategy, symbol: money.symbol, reason: money.reason }));
    }
  }
  return groups.rows();
}

class Groups {
  readonly #by: GroupBy;
  readonly #sums = new Map<string, Sum>();
  readonly #all = new Sum();

  constructor(by: GroupBy) {
    this.#by = by;
  }

  /** The sums that money with these facts counts in. */
  of(facts: Facts): readonly Sum[] {
    const key = facts[this.#by];
    let sum = this.#sums.get(key);
    if (sum === undefined) this.#sums.set(key, (sum = new Sum()));
    return [sum, this.#all];
  }

  rows(): ProfitRow[] {
    const place = (key: string): number => (this.#by === 'strategy' ? REST.indexOf(key) : 0);
    const some = [...this.#sums].filter(([key, sum]) => key !== NETTING || !sum.isZero);
    const order = (a: readonly [string, Sum], b: readonly [string, Sum]): number =>
      place(a[0]) - place(b[0]) || (this.#by === 'day' ? 0 : a[1].net.comparedTo(b[1].net)) || (a[0] < b[0] ? -1 : 1);
    some.sort(order);
    const figures = [...AMOUNTS, 'net' as const].map((name) => [name, centsOf(some.map(([, sum]) => sum[name]))] as const);
    const rows = some.map(([key, sum], k): ProfitRow => {
      const money = Object.fromEntries(figures.map(([name, cents]) => [name, cents[k]!])) as Record<Amount | 'net', string>;
      return { key: key === '' ? '(none)' : key, ...sum.counts, ...money };
    });
    const all = this.#all;
    const [profit, fees, funding, net, volume] = [all.profit, all.fees, all.funding, all.net, all.volume].map((one) => one.toFixed(2));
    return [...rows, { key: 'all', ...all.counts, profit: profit!, fees: fees!, funding: funding!, net: net!, volume: volume! }];
  }
}

/** What stands below the strategies. */
export const REST: readonly string[] = [NETTING, EXTERNAL];

const AMOUNTS = ['profit', 'fees', 'funding', 'volume'] as const;
type Amount = (typeof AMOUNTS)[number];

/** Amounts as cents that add up to those of the sum: each is what the rounded sum up to it grows by. */
export function centsOf(amounts: readonly Decimal[]): string[] {
  let until = new Decimal(0);
  let given = new Decimal(0);
  return amounts.map((amount) => {
    until = until.plus(amount);
    const next = until.toDecimalPlaces(2);
    const cents = next.minus(given);
    given = next;
    return cents.toFixed(2);
  });
}

/** Adds money to the sums that `of` names for each part, and its fill to those of its strategy. */
function count({ fill, parts }: Money, of: (part: { readonly strategy: string }) => readonly Sum[]): void {
  for (const part of parts) for (const sum of of(part)) sum.money(part);
  if (fill !== null) for (const sum of of(fill)) sum.fill(fill);
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function keyOf({ strategy, symbol, reason }: Facts): string {
  return JSON.stringify([strategy, symbol, reason]);
}

function overlaps({ from = -Infinity, to = Infinity }: Window, begin: number): boolean {
  return from < begin + DAY_MS && to > begin;
}

class Sum {
  /** Continues a saved sum. */
  static of(saved: SavedSum): Sum {
    const sum = new Sum();
    sum.plus(saved);
    return sum;
  }

  #fills = 0;
  #closed = 0;
  #wins = 0;
  profit = new Decimal(0);
  fees = new Decimal(0);
  funding = new Decimal(0);
  volume = new Decimal(0);

  get net(): Decimal {
    return this.profit.minus(this.fees).plus(this.funding);
  }

  get isZero(): boolean {
    return this.#fills === 0 && [this.profit, this.fees, this.funding].every((one) => one.isZero());
  }

  get counts(): Pick<ProfitRow, 'fills' | 'closed' | 'wins'> {
    return { fills: this.#fills, closed: this.#closed, wins: this.#wins };
  }

  plus([fills, closed, wins, profit, fees, funding, volume]: SavedSum): void {
    this.#fills += fills;
    this.#closed += closed;
    this.#wins += wins;
    this.money({ profit: new Decimal(profit), fee: new Decimal(fees), funding: new Decimal(funding) });
    this.volume = this.volume.plus(volume);
  }

  saved(): SavedSum {
    const [profit, fees, funding, volume] = [this.profit, this.fees, this.funding, this.volume].map((one) => one.toFixed());
    return [this.#fills, this.#closed, this.#wins, profit!, fees!, funding!, volume!];
  }

  money({ profit, fee, funding }: Omit<MoneyPart, 'strategy'>): void {
    this.profit = this.profit.plus(profit);
    this.fees = this.fees.plus(fee);
    this.funding = this.funding.plus(funding);
  }

  fill({ effect, profit, value }: FillAnswer): void {
    this.#fills++;
    if (value !== '') this.volume = this.volume.plus(value);
    if (effect !== 'CLOSE' || profit === '') return;
    this.#closed++;
    if (!profit.startsWith('-') && Number(profit) !== 0) this.#wins++;
  }
}
