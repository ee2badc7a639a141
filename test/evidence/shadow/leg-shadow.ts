/** What was heard of one leg, and the same as facts for the solver. */
import type { PositionReport } from '../../../src/domain/report.ts';
import { Absences, LEAST, OVER_MS } from './absences.ts';
import { isEnded, isFilled, NEVER, recordOf, sizesOf, type Chain } from './chain.ts';
import { CLOSE, OPEN, type Choice, type Fact, type Flat, type LegFacts, type OwnOrder, type PositionRecord } from '../solver/facts.ts';
import type { MarketTrades, Triggers } from './market.ts';
import type { Solution } from '../solver/solve-leg.ts';

/** Reads of a position that are kept, at most. */
const KEPT_READS = 6;
const KEPT_TIMES = 100;
/** The bot counts from the decision to the arrival of the last list; this is about the way there and back. */
const WAY_MS = 250;
/**
 * What is assumed, while it fits. `whole`: what the bot did not send are its brackets and trigger orders, and a record shows all changes of
 * its millisecond. `own`: it may show a part of them. `others`: what lists show that the bot did not send is of another
 * party. `late`: an order that was presumed not to have come to be may have. `unlisted`: another party may have traded whatever lists cannot have shown yet. `records`: the reads of the position are
 * left out, so nobody's orders matter.
 */
export const LEVELS = ['whole', 'own', 'others', 'late', 'unlisted', 'records'] as const;
/** Those at which everything is the bot's, and those at which what is presumed not to have come to be has not. */
const OWN: readonly Level[] = ['whole', 'own'];
const PRESUMED: readonly Level[] = [...OWN, 'others'];
export type Level = (typeof LEVELS)[number];

/** An order with a bracket. */
interface Guarded {
  readonly from: number;
  readonly triggers: readonly Triggers[];
}

/** More lots than anybody has. */
const MANY = 100_000;

export class LegShadow {
  chains: Chain[] = [];
  /** Venue ids of decided orders that the bot did not send. */
  readonly forgotten = new Set<string>();
  /** Times of complete lists, and the time before which every order that had traded is in one of them. */
  #pendingTimes: number[] = [];
  #historyTimes: number[] = [];
  #allListedBefore: number;
  /** What had ended by then is a part of the start, whoever's it was. */
  adoptedAt = -Infinity;
  /** The last that reads showed of the leg over some time. */
  readonly steady = { total: 0, updatedAt: -Infinity, first: Infinity, answered: -Infinity };
  readonly #lag: number;
  readonly #horizon: number;
  readonly #market: MarketTrades;
  readonly #side: number;
  #reads: (PositionRecord | Flat)[] = [];
  readonly #absent = new Absences();
  #start = 0;
  #begun = -Infinity;
  /** Decided orders with a bracket, and the lots that no decided exit has closed. */
  #guarded: (Guarded & { lots: number })[] = [];
  #choices: { record: Chain; triggers: Chain[] }[] = [];

  /** `horizon`: an order that the venue accepts is there so many milliseconds after its bytes left. `begun`: there were no orders before. */
  constructor(lag: number, horizon: number, market: MarketTrades, side: number, begun: number) {
    this.#lag = lag;
    this.#horizon = horizon;
    this.#market = market;
    this.#side = side;
    this.#allListedBefore = begun;
  }

  positions(report: PositionReport | undefined, answered: number): void {
    const isFlat = report === undefined;
    const isCounted = this.#absent.listed(!isFlat, answered);
    if (isCounted) this.#read({ kind: 'flat', ...this.#absent.counted! });
    if (isCounted) Object.assign(this.steady, { total: 0, updatedAt: -Infinity, ...this.#absent.counted! });
    if (isFlat) return;
    const { total, createdAt, updatedAt } = report;
    const { steady } = this;
    if (steady.total === total && steady.updatedAt === updatedAt) steady.answered = Math.max(steady.answered, answered);
    else if (answered > steady.answered) Object.assign(steady, { total, updatedAt, first: answered, answered });
    this.#read({ kind: 'position', answered, total, createdAt, updatedAt, locked: -1, opening: -1 });
  }

  /** A newest read takes the place of one that shows the same. */
  #read(read: PositionRecord | Flat): void {
    const last = this.#reads.at(-1);
    const isSame =
      last?.kind === read.kind &&
      (last.kind === 'flat' || (read.kind === 'position' && last.total === read.total && last.updatedAt === read.updatedAt));
    if (isSame && last.answered > read.answered) return;
    if (isSame) this.#reads.pop();
    this.#reads.push(read);
    if (this.#reads.length > KEPT_READS) this.#reads.shift();
  }

  /** True if the chain may have become an order that no trigger order has alone. */
  isAmbiguous(chain: Chain): boolean {
    return this.#choices.some(({ triggers }) => triggers.includes(chain));
  }

  /** Finds which trigger order became an order without a name; `bound` for each that is found. */
  bind(bound: (venueId: string, chain: Chain) => void): void {
    this.#choices = [];
    const open = this.chains.filter((one) => one.isOther && one.effect === OPEN);
    const waiting = this.chains.filter((one) => one.isTrigger && one.records.size === 0 && one.from !== NEVER);
    const seen = new Set<Chain>();
    for (const record of open) {
      if (seen.has(record)) continue;
      const isLike = (one: Chain): boolean => one.sizes[0] === record.sizes[0] && one.price === record.price;
      const alike = open.filter(isLike);
      for (const one of alike) seen.add(one);
      const triggers = waiting.filter((one) => isLike(one) && one.from <= Math.max(...alike.map(({ from }) => from)));
      const isPaired = alike.length === triggers.length && (alike.length === 1 || alike.every(isFilled));
      if (isPaired) {
        const older = (a: Chain, b: Chain): number => a.from - b.from;
        alike.sort(older);
        triggers.sort(older);
        for (const [i, chain] of triggers.entries()) {
          const [id, heard] = [...alike[i]!.records][0]!;
          chain.records.set(chain.ids[0]!, heard);
          chain.alias = id;
          bound(id, chain);
        }
        this.chains = this.chains.filter((one) => !alike.includes(one));
      } else if (triggers.length > 0) for (const one of alike) this.#choices.push({ record: one, triggers });
    }
  }

  /**
   * True if the order is presumed not to have come to be, as the bot presumes it: no list shows it after the horizon, or of a trigger order
   * a cancel found nothing. This is no conclusion: it is assumed that the last of these lists is right.
   */
  #isPresumed(chain: Chain, now: number): boolean {
    const { by, from, isTrigger, notEnded, notFoundAt, notPending, records } = chain;
    if (by < Infinity || records.size > 0) return false;
    if (isTrigger) return now >= notFoundAt + this.#horizon;
    const until = from + this.#horizon;
    return Math.min(notEnded.counted?.answered ?? 0, notPending.counted?.answered ?? 0) >= until - WAY_MS;
  }

  /** Everything that is known of the leg, for the solver, and for each chain its place there. */
  facts(now: number, level: Level): LegFacts {
    // What shows the leg before what was forgotten does not fit what is left.
    const isLater = (read: PositionRecord | Flat): boolean =>
      (read.kind === 'flat' ? read.first - this.#lag : Math.max(read.updatedAt, read.answered - this.#lag)) > this.#begun;
    const facts: Fact[] = level === 'records' ? [] : this.#reads.filter(isLater);
    for (const [order, chain] of this.chains.entries()) {
      for (const [id, heard] of chain.records) facts.push(recordOf(chain, order, id, heard));
      if (chain.cancelledBy < Infinity) facts.push({ kind: 'cancelled', answered: chain.cancelledBy, order });
      if (chain.ids.length > 1) continue;
      const { notEnded, notPending } = chain;
      if (notPending.counted !== null) facts.push({ kind: 'not-pending', ...notPending.counted, order });
      if (notEnded.counted !== null) facts.push({ kind: 'not-ended', ...notEnded.counted, order });
    }
    const orders: OwnOrder[] = this.chains.map((chain) => {
      const { by, effect, from, isTrigger, records } = chain;
      return {
        effect,
        ...sizesOf(chain),
        from: PRESUMED.includes(level) && this.#isPresumed(chain, now) ? NEVER : from,
        mayFail: by === Infinity && records.size === 0,
        by: isTrigger || !PRESUMED.includes(level) || records.size > 0 ? by : Math.min(by, from + this.#horizon),
      };
    });
    const isWhole = level === 'whole';
    const common = { orders, facts, start: this.#start, begun: this.#begun, lag: this.#lag, now, isWhole };
    const at = (chain: Chain): number => this.chains.indexOf(chain);
    const choices: Choice[] = [];
    for (const { record, triggers } of OWN.includes(level) ? this.#choices : []) {
      const left = triggers.map(at).filter((place) => place >= 0);
      if (left.length > 0) choices.push({ order: at(record), triggers: left });
    }
    // Whatever the position is.
    if (level === 'records') return { ...common, start: this.chains.reduce((sum, { sizes }) => sum + Math.max(...sizes), 0) };
    if (level === 'unlisted') {
      for (const effect of [OPEN, CLOSE] as const) {
        facts.push({ kind: 'untouched', order: orders.length, answered: this.#allListedBefore });
        orders.push({ effect, size: MANY, from: this.#allListedBefore, by: Infinity });
      }
      return { ...common, choices };
    }
    const outer = this.chains.filter((one) => one.triggers.length > 0 && one.from !== NEVER);
    const guarded = this.#guarded.reduce((sum, { lots }) => sum + lots, 0);
    const most = outer.reduce((sum, { sizes }) => sum + Math.max(...sizes), guarded);
    const others = this.chains.filter((one) => one.isOther && one.effect === CLOSE);
    const inner = OWN.includes(level) ? others.map(at) : [];
    if (most > 0) {
      // The exits that no record has shown.
      const order = orders.length;
      inner.push(order);
      orders.push({ effect: CLOSE, size: most, from: this.#exitsFrom, by: Infinity });
      facts.push({ kind: 'untouched', order, answered: this.#allListedBefore });
    }
    return inner.length === 0 ? { ...common, choices } : { ...common, choices, within: { inner, outer: outer.map(at), more: guarded } };
  }

  /** No exit of a bracket that no record has shown can have come to be before. */
  get #exitsFrom(): number {
    const all: readonly Guarded[] = [...this.#guarded, ...this.chains.filter(({ triggers }) => triggers.length > 0)];
    return Math.min(...all.map(({ from, triggers }) => this.#market.reached(this.#side, triggers, Math.max(from, this.#allListedBefore))));
  }

  /** A complete list of pending orders, or an order history of all orders made since then, was answered. */
  wholeList(since: number | null, answered: number): void {
    const times = since === null ? this.#pendingTimes : this.#historyTimes;
    if (times.includes(answered) || (since !== null && since > this.#allListedBefore)) return;
    times.push(answered);
    times.sort((a, b) => a - b);
    if (times.length > KEPT_TIMES) times.shift();
    // What was pending neither then nor ended at one of three histories a lag later had not come to be.
    const until = (this.#historyTimes.at(-LEAST) ?? -Infinity) - this.#lag;
    const last = this.#pendingTimes.findLastIndex((time) => time <= until);
    const from = this.#pendingTimes.findLastIndex((time, k) => last - k >= LEAST - 1 && this.#pendingTimes[last]! - time >= OVER_MS);
    if (from >= 0) this.#allListedBefore = Math.max(this.#allListedBefore, this.#pendingTimes[from]! - this.#lag);
  }

  /**
   * Takes the leg as reads show it for longer than lists may lag, whatever explains it, while no order may have filled what these reads do
   * not show. Returns what is forgotten.
   */
  adopt(solution: Solution): Chain[] {
    const { answered, first, total, updatedAt } = this.steady;
    if (answered - first < this.#lag) return [];
    const isShown = (chain: Chain, k: number): boolean => {
      const { lo, hi } = solution.fills[k]!;
      const at = Math.max(...[...chain.records.values()].map(({ report }) => report.updatedAt));
      return hi === 0 || (lo === hi && at <= Math.max(updatedAt, first - this.#lag));
    };
    const isUntraded = ({ records }: Chain): boolean => [...records.values()].every(({ report }) => report.averagePrice === 0);
    if (!this.chains.every((chain, k) => isShown(chain, k) || isUntraded(chain))) return [];
    const folded = this.chains.filter(isShown);
    this.chains = this.chains.filter((one) => !folded.includes(one));
    this.#start = total;
    this.#begun = Math.max(updatedAt, first - this.#lag);
    this.adoptedAt = this.#begun;
    this.#reads = [];
    for (const { alias, ids } of folded) for (const id of [alias, ...ids]) this.forgotten.add(id);
    return folded;
  }

  /** Places of the chains that are decided and older than every kept read. */
  foldable(solution: Solution, now: number): number[] {
    // A read that is on its way may be older than those that are kept.
    const oldest = Math.min(
      now - this.#lag - WAY_MS,
      ...this.#reads.map((read) => (read.kind === 'flat' ? read.first - this.#lag : Math.max(read.updatedAt, read.answered - this.#lag))),
    );
    const isFoldable = (chain: Chain, k: number): boolean => {
      if (chain.from === NEVER) return true;
      const { lo, hi } = solution.fills[k]!;
      const last = chain.records.get(chain.lastId);
      if (last === undefined || !isEnded(last.report) || lo !== hi || (lo > 0 && last.report.updatedAt >= oldest)) return false;
      return !this.#choices.some(({ record, triggers }) => record === chain || triggers.includes(chain));
    };
    return [...this.chains.keys()].filter((k) => isFoldable(this.chains[k]!, k));
  }

  /** An exit closed so many lots: it is not known of which order. */
  #exited(lots: number): void {
    let left = lots;
    for (const one of this.#guarded) {
      const closed = Math.min(one.lots, left);
      one.lots -= closed;
      left -= closed;
    }
    this.#guarded = this.#guarded.filter((one) => one.lots > 0);
  }

  /** Forgets what is decided and older than every kept read. Returns it. */
  fold(solution: Solution, now: number): Chain[] {
    const folded: Chain[] = [];
    for (const k of this.foldable(solution, now)) {
      const chain = this.chains[k]!;
      folded.push(chain);
      if (chain.from === NEVER) continue;
      const { lo } = solution.fills[k]!;
      const last = chain.records.get(chain.lastId)!;
      this.#start += chain.effect * lo;
      if (chain.triggers.length > 0 && lo > 0) this.#guarded.push({ lots: lo, from: chain.from, triggers: chain.triggers });
      if (chain.isOther && chain.effect === CLOSE) this.#exited(lo);
      if (lo > 0) this.#begun = Math.max(this.#begun, last.report.updatedAt);
    }
    this.chains = this.chains.filter((one) => !folded.includes(one));
    // A leg that was flat has no brackets.
    if (this.#start === 0 && this.chains.every(({ from }) => from > this.#begun)) this.#guarded = [];
    for (const { alias, ids } of folded) for (const id of [alias, ...ids]) this.forgotten.add(id);
    return folded;
  }
}
