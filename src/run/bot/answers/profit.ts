/**
 * Profit, fees and funding by group, from the records of a journal. An index has the sums of each UTC day up to a position, so that only
 * later records, and days that a window cuts, are read.
 */
import type { FillAnswer, ProfitRow } from '../../../control/answers.ts';
import { DAY_MS } from '../../../base/time/time-spans.ts';
import { Decimal } from '../../../domain/amounts/decimal.ts';
import { ONE } from '../../../domain/amounts/units.ts';
import type { JournalRecord, StoredRecord } from '../../../ports/store.ts';
import { bookedIn, fillOf, isFill, isWithin, recordsUpTo, type Journal, type Window } from './fills.ts';
import { FundingTotals, type SavedTotals } from './funding-totals.ts';

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
  /** What was known of funding before its first record. */
  readonly funded: SavedFunded;
  readonly sums: readonly (readonly [strategy: string, symbol: string, reason: string, ...SavedSum])[];
}

/** The index as kept in the store. Plain JSON. */
interface SavedProfit {
  /** Position of the last record that is in it. */
  readonly after: number;
  readonly funded: SavedFunded;
  readonly days: readonly SavedDay[];
}

/** Store key of the index. */
export const PROFIT_KEY = 'profit';

/** Sums by day, strategy, symbol and reason of all records up to `after`. */
export class ProfitIndex {
  after = 0;
  #funded = new Funded();
  readonly #days = new Map<string, { first: number; last: number; funded: SavedFunded; sums: Map<string, [Facts, Sum]> }>();

  /** `text`: as `saved` gave it; null for an index of nothing. */
  static of(text: string | null): ProfitIndex {
    const index = new ProfitIndex();
    if (text === null) return index;
    const { after, days, funded } = JSON.parse(text) as SavedProfit;
    index.after = after;
    index.#funded = new Funded(funded);
    for (const { day, first, last, funded: before, sums } of days) {
      const all = sums.map(([strategy, symbol, reason, ...sum]): [string, [Facts, Sum]] => {
        const facts = { day, strategy, symbol, reason };
        return [keyOf(facts), [facts, Sum.of(sum)]];
      });
      index.#days.set(day, { first, last, funded: before, sums: new Map(all) });
    }
    return index;
  }

  saved(): string {
    const days = [...this.#days].map(([day, { first, last, funded, sums }]): SavedDay => {
      const rows = [...sums.values()].map(([{ strategy, symbol, reason }, sum]) => [strategy, symbol, reason, ...sum.saved()] as const);
      return { day, first, last, funded, sums: rows };
    });
    const saved: SavedProfit = { after: this.after, funded: this.#funded.saved(), days };
    return JSON.stringify(saved);
  }

  /** Takes the next record of the journal. */
  add(record: StoredRecord): void {
    this.after = record.position;
    if (!isMoney(record)) return;
    const before = this.#days.has(dayOf(record.time)) ? null : this.#funded.saved();
    const money = this.#funded.read(record);
    let day = this.#days.get(money.facts.day);
    if (day === undefined) this.#days.set(money.facts.day, (day = { first: record.position, last: 0, funded: before!, sums: new Map() }));
    day.last = record.position;
    const key = keyOf(money.facts);
    let own = day.sums.get(key);
    if (own === undefined) day.sums.set(key, (own = [money.facts, new Sum()]));
    count(money, own[1]);
  }

  /** Adds the days that the window has as a whole, and returns what is to be read besides: days that it cuts, and all later records. */
  sumInto(groups: Groups, window: Window): readonly Rest[] {
    const rest: Rest[] = [];
    for (const [day, { first, last, funded, sums }] of this.#days) {
      const begin = Date.parse(day);
      if (isWithin(begin, window) && (window.to ?? Infinity) >= begin + DAY_MS) {
        for (const [facts, sum] of sums.values()) for (const one of groups.of(facts)) one.plus(sum.saved());
      } else if (overlaps(window, begin)) rest.push({ first, last, funded: new Funded(funded), day });
    }
    return [...rest, { first: this.after + 1, last: Infinity, funded: new Funded(this.#funded.saved()), day: '' }];
  }
}

/** Records that the sums lack: those of one day between two positions, or of any day (""). */
interface Rest {
  readonly first: number;
  readonly last: number;
  readonly funded: Funded;
  readonly day: string;
}

/** Realised profit, fees and funding by group, the lowest net first. The last row, "all", is the sum. */
export async function profitIn(
  journal: Pick<Journal, 'records'>,
  by: GroupBy,
  window: Window,
  index = new ProfitIndex(),
): Promise<ProfitRow[]> {
  const groups = new Groups(by);
  // The index goes on while records are read: all of it is taken at once.
  for (const { day, first, funded, last } of index.sumInto(groups, window)) {
    for await (const record of recordsUpTo(journal.records(first), last)) {
      if (!isMoney(record)) continue;
      const money = funded.read(record);
      const isOfDay = day === '' || money.facts.day === day;
      if (isOfDay && isWithin(record.time, window)) for (const one of groups.of(money.facts)) count(money, one);
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

  /** The sums that a record with these facts counts in. */
  of(facts: Facts): readonly Sum[] {
    const key = facts[this.#by];
    let sum = this.#sums.get(key);
    if (sum === undefined) this.#sums.set(key, (sum = new Sum()));
    return [sum, this.#all];
  }

  rows(): ProfitRow[] {
    const rows = [...this.#sums].map(([key, sum]) => sum.row(key === '' ? '(none)' : key));
    const byKey = (a: ProfitRow, b: ProfitRow): number => (a.key < b.key ? -1 : 1);
    rows.sort((a, b) => (this.#by === 'day' ? 0 : Number(a.net) - Number(b.net)) || byKey(a, b));
    return [...rows, this.#all.row('all')];
  }
}

/** A record about money, read. */
interface Money {
  readonly record: JournalRecord;
  readonly facts: Facts;
  readonly fill: FillAnswer;
  /** Funding that came in, in units of 10⁻⁸; below 0 if it was paid. */
  readonly paid: number;
}

function isMoney(record: JournalRecord): boolean {
  return record.kind === 'funding' || record.kind === 'fee' || isFill(record);
}

function count({ record, fill, paid }: Money, sum: Sum): void {
  if (record.kind === 'funding') return sum.funding(paid);
  const { fee, profit } = bookedIn(record);
  sum.fee(fee);
  sum.profit(profit);
  if (record.kind !== 'fee') sum.add(fill);
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

interface SavedFunded {
  readonly totals: SavedTotals;
  /** Strategy of the newest fill by leg. */
  readonly strategies: readonly (readonly [leg: string, strategy: string])[];
}

/** Reads records about money. Funding counts for the strategy of the leg's newest fill. */
class Funded {
  readonly #totals: FundingTotals;
  readonly #strategies: Map<string, string>;

  constructor({ totals, strategies }: SavedFunded = { totals: [], strategies: [] }) {
    this.#totals = new FundingTotals(totals);
    this.#strategies = new Map(strategies);
  }

  saved(): SavedFunded {
    return { totals: this.#totals.saved(), strategies: [...this.#strategies] };
  }

  /** Takes the next record about money. */
  read(record: JournalRecord): Money {
    const { kind, time } = record;
    const fill = fillOf(record);
    const leg = `${fill.symbol} ${fill.side}`;
    if (isFill(record) && fill.strategy !== '') this.#strategies.set(leg, fill.strategy);
    const { symbol } = fill;
    const facts = { day: dayOf(time), strategy: fill.strategy, symbol, reason: fill.reason };
    if (kind !== 'funding') return { record, facts, fill, paid: 0 };
    const paid = this.#totals.paid(record);
    return { record, facts: { ...facts, strategy: this.#strategies.get(leg) ?? '', reason: 'funding' }, fill, paid };
  }
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
  #profit = new Decimal(0);
  #fees = new Decimal(0);
  #funding = new Decimal(0);
  #volume = new Decimal(0);

  plus([fills, closed, wins, profit, fees, funding, volume]: SavedSum): void {
    this.#fills += fills;
    this.#closed += closed;
    this.#wins += wins;
    this.#profit = this.#profit.plus(profit);
    this.#fees = this.#fees.plus(fees);
    this.#funding = this.#funding.plus(funding);
    this.#volume = this.#volume.plus(volume);
  }

  saved(): SavedSum {
    return [
      this.#fills,
      this.#closed,
      this.#wins,
      this.#profit.toFixed(),
      this.#fees.toFixed(),
      this.#funding.toFixed(),
      this.#volume.toFixed(),
    ];
  }

  fee(fee: string): void {
    if (fee !== '') this.#fees = this.#fees.plus(fee);
  }

  /** `amount` in units of 10⁻⁸. */
  funding(amount: number): void {
    this.#funding = this.#funding.plus(new Decimal(amount).dividedBy(ONE));
  }

  profit(profit: string): void {
    if (profit !== '') this.#profit = this.#profit.plus(profit);
  }

  add({ effect, profit, value }: FillAnswer): void {
    this.#fills++;
    if (value !== '') this.#volume = this.#volume.plus(value);
    if (effect !== 'CLOSE' || profit === '') return;
    this.#closed++;
    if (!profit.startsWith('-') && Number(profit) !== 0) this.#wins++;
  }

  row(key: string): ProfitRow {
    const net = this.#profit.minus(this.#fees).plus(this.#funding);
    const [profit, fees, funding, volume] = [this.#profit, this.#fees, this.#funding, this.#volume].map((sum) => sum.toFixed(2));
    const counts = { fills: this.#fills, closed: this.#closed, wins: this.#wins };
    return { key, ...counts, profit: profit!, fees: fees!, funding: funding!, net: net.toFixed(2), volume: volume! };
  }
}
