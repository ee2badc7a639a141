/**
 * The clock of the venue in worlds of the simulation: it is set, or one server of several has another one. And what follows for the bot: after
 * an answer of another clock nothing opens until positions are read.
 */
import { Random } from '../../../src/base/random.ts';
import type { Answer, Query } from '../../../src/ports/venue.ts';
import { READS, type Incident, type Plan } from '../plan.ts';

export type ClockIncident = Extract<Incident, { kind: 'venue-clock' | 'server' }>;

const OFFS = [-3_600_000, -20_000, -5_500, 5_500, 20_000, 3_600_000];
/** A copy of an answer that was older than this when it was asked for has to be dropped. */
const COPY_MS = 4_000;
/**
 * An answer whose time may differ from a clock by no more than this is like a new answer of that clock: servers may differ by a second, and
 * the way takes some time.
 */
const LIKE_NEW_MS = 1_500;

/** The plan with clocks that are set, servers with other clocks, and a cache that repeats all answers, each in a share of the seeds. */
export function withClocks(plan: Plan): Plan {
  const random = new Random(Math.imul(plan.seed, 0x27d4eb2f));
  const chance = (share: number): boolean => random.uniform() < share;
  const span = plan.steps * 150;
  const off = (): number => OFFS[random.below(OFFS.length)]!;
  const clocks: ClockIncident[] = [];
  if (chance(0.15))
    for (let k = 1 + random.below(2); k > 0; k--)
      clocks.push({ kind: 'venue-clock', at: random.below(span), byMs: off(), forMs: 300 + random.below(8_000) });
  if (chance(0.15))
    clocks.push({ kind: 'server', at: random.below(span), byMs: off(), forMs: 1_000 + random.below(15_000), every: 2 + random.below(4) });
  const copies: Incident[] = [];
  if (chance(0.1)) {
    const [at, forMs] = [random.below(span), 6_000 + random.below(10_000)];
    for (const what of READS) copies.push({ kind: 'frozen', what, at, forMs, isNew: false });
  }
  const more = [...clocks, ...copies];
  return more.length === 0 ? plan : { ...plan, incidents: [...plan.incidents, ...more] };
}

/** True if the venue's answers do not always show which of our clocks is right. */
export function hasOtherClocks({ incidents }: Plan): boolean {
  return incidents.some(({ kind }) => kind === 'venue-clock' || kind === 'server');
}

/** What is added to the time of each answer. */
export class VenueTimes {
  readonly #clocks: readonly ClockIncident[];
  #answers = 0;

  constructor(incidents: readonly Incident[]) {
    this.#clocks = incidents.filter((one) => one.kind === 'venue-clock' || one.kind === 'server');
  }

  /** Of the next answer, `now` milliseconds after the beginning. */
  next(now: number): number {
    if (this.#clocks.length === 0) return 0;
    const nth = ++this.#answers;
    let off = 0;
    for (const one of this.#clocks) {
      if (now < one.at || now >= one.at + one.forMs) continue;
      if (one.kind === 'venue-clock' || nth % one.every === 0) off += one.byMs;
    }
    return off;
  }
}

const PRIVATE: ReadonlySet<string> = new Set(['account', 'history', 'pending', 'positions']);

/** A clock of the venue by its milliseconds ahead of ours, or what a cache repeats. */
type Clock = number | 'copy';

/**
 * What one process has heard of the account. Which clock it takes for the venue's is its own affair. But whichever it is, after a private
 * answer of another one it opens nothing until a list of positions comes by that clock. A copy that is like a new answer of a clock shows
 * no other clock, and may be the list that the process waits for. So is an answer of a clock ahead that the process, which stood still, takes
 * late: it may have been made at any time since it was asked for.
 */
export class HeardClocks {
  /** By clock: the numbers of the newest private answer, and of the newest list of positions. */
  readonly #answered = new Map<Clock, number>();
  readonly #listed = new Map<Clock, number>();
  #count = 0;

  /** An answer of a server whose clock is `off`. It was `ageMs` old when it was asked for, and is taken `tookMs` after that. */
  heard(query: Query, answer: Answer, off: number, ageMs: number, tookMs: number): void {
    if (!PRIVATE.has(answer.kind)) return;
    this.#count++;
    const isCopy = ageMs > COPY_MS;
    const like = this.#clockLike(off - ageMs - tookMs, off - ageMs, off) ?? (isCopy ? undefined : off);
    if (like === undefined) this.#answered.set('copy', this.#count);
    else if (like === off) this.#answered.set(off, this.#count);
    if (like !== undefined && answer.kind === 'positions' && query.instrument < 0) this.#listed.set(like, this.#count);
  }

  /** A clock other than `off` that may give a new answer a time from `least` to `most` ahead of ours; undefined if none has been heard. */
  #clockLike(least: number, most: number, off: number): number | undefined {
    const isLike = (clock: Clock): boolean =>
      clock !== 'copy' && clock !== off && clock >= least - LIKE_NEW_MS && clock <= most + LIKE_NEW_MS;
    return [...this.#answered.keys()].find(isLike) as number | undefined;
  }

  /** True if an order may open: some clock has listed positions after the last answer of any other. */
  get mayOpen(): boolean {
    if (this.#answered.size < 2) return true;
    for (const [clock, listed] of this.#listed) {
      if ([...this.#answered].every(([other, at]) => other === clock || at < listed)) return true;
    }
    return false;
  }
}
