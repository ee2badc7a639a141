/**
 * The venue's four lists (order history E17, pending orders E18, positions E19 and E20) as an unreliable venue shows them. Each has its own
 * lag. Sometimes they are empty, incomplete, in another order, with duplicates, or repeat an earlier answer.
 */
import type { Random } from '../../../src/base/random.ts';
import type { Answer, Query } from '../../../src/ports/venue.ts';

type Lists = Extract<Answer, { kind: 'pending' | 'history' | 'positions' }>;
type ListKind = Lists['kind'];

export interface ListFaults {
  /** Longest lag of each list in ms. With `isSteady` it is constant, otherwise each answer draws its own. */
  readonly lagMs: Readonly<Record<ListKind, number>>;
  readonly isSteady: boolean;
  /** Share of answers that are damaged, from 0 to 1. */
  readonly damage: number;
  /** After a start of the bot, answers of all kinds repeat what was answered so many ms before, for COPIES_MS; default they do not. */
  readonly copiesMs?: number | undefined;
}

interface Given {
  readonly answer: Answer;
  readonly venueTime: number;
}

/** How long after a start answers are copies. */
const COPIES_MS = 500;
const DAMAGES = ['empty', 'partial', 'shuffled', 'doubled', 'again'] as const;
/** Precision of a lag. */
const GRAIN_MS = 50;
const KEPT_MS = 12_000;

interface Sample {
  readonly time: number;
  readonly pending: Extract<Answer, { kind: 'pending' }>;
  readonly positions: Extract<Answer, { kind: 'positions' }>;
}

/** Answers with earlier states of the venue, from samples that `note` takes. */
export class StaleLists {
  readonly #faults: ListFaults;
  readonly #random: Random;
  readonly #read: () => Omit<Sample, 'time'>;
  readonly #samples: Sample[] = [];
  /** The last answer to the same query, and its venue time. */
  readonly #before = new Map<string, Given>();
  /** The same of all answers, oldest first, if there are copies; and up to when answers are copies. */
  readonly #all = new Map<string, Given[]>();
  #copiesUntil = -Infinity;

  constructor(faults: ListFaults, random: Random, read: () => Omit<Sample, 'time'>) {
    this.#faults = faults;
    this.#random = random;
    this.#read = read;
  }

  /** Stores what the venue would show at `now`. */
  note(now: number): void {
    const { pending, positions } = this.#faults.lagMs;
    if (pending + positions === 0) return;
    const last = this.#samples.at(-1);
    if (last !== undefined && now - last.time < GRAIN_MS) return;
    this.#samples.push({ time: now, ...this.#read() });
    if (this.#samples.length > 1000)
      this.#samples.splice(
        0,
        this.#samples.findIndex((one) => one.time >= now - KEPT_MS),
      );
  }

  /** The bot starts at `time`. */
  started(time: number): void {
    this.#copiesUntil = time + COPIES_MS;
  }

  /** Returns the answer in place of `answer`, which the venue gave at `venueTime`. */
  answer(query: Query, answer: Answer, venueTime: number): Given {
    const given = this.#given(query, answer, venueTime);
    const { copiesMs } = this.#faults;
    if (copiesMs === undefined) return given;
    const key = keyOf(query);
    const all = this.#all.get(key) ?? [];
    this.#all.set(key, all);
    all.push(given);
    const copy = venueTime < this.#copiesUntil ? all.findLast((one) => one.venueTime <= venueTime - copiesMs) : undefined;
    return copy ?? given;
  }

  #given(query: Query, answer: Answer, venueTime: number): Given {
    if (answer.kind !== 'pending' && answer.kind !== 'history' && answer.kind !== 'positions') return { answer, venueTime };
    const late = this.#late(query, answer, venueTime);
    const key = keyOf(query);
    const before = this.#before.get(key);
    const random = this.#random;
    const damage = random.uniform() < this.#faults.damage ? DAMAGES[random.below(DAMAGES.length)]! : 'none';
    if (damage === 'again' && before !== undefined) return before;
    const given = { answer: this.#damaged(late, damage), venueTime };
    this.#before.set(key, given);
    return given;
  }

  #late(query: Query, answer: Lists, venueTime: number): Lists {
    const most = this.#faults.lagMs[answer.kind];
    if (most === 0) return answer;
    const until = venueTime - (this.#faults.isSteady ? most : this.#random.below(most + 1));
    if (answer.kind === 'history') return { kind: 'history', orders: answer.orders.filter((order) => order.updatedAt <= until) };
    const sample = this.#samples.findLast((one) => one.time <= until);
    const { instrument } = query;
    const isAsked = (one: { readonly instrument: number }): boolean => instrument < 0 || one.instrument === instrument;
    if (answer.kind === 'pending') return { kind: 'pending', orders: (sample?.pending.orders ?? []).filter(isAsked) };
    return { kind: 'positions', positions: (sample?.positions.positions ?? []).filter(isAsked) };
  }

  #damaged(answer: Lists, damage: (typeof DAMAGES)[number] | 'none'): Lists {
    if (answer.kind === 'positions') return { kind: 'positions', positions: this.#damagedList(answer.positions, damage) };
    return { kind: answer.kind, orders: this.#damagedList(answer.orders, damage) };
  }

  #damagedList<T>(list: readonly T[], damage: (typeof DAMAGES)[number] | 'none'): readonly T[] {
    const random = this.#random;
    switch (damage) {
      case 'empty':
        return [];
      case 'partial':
        return list.filter(() => random.below(2) === 0);
      case 'shuffled':
        return list
          .map((one) => ({ one, key: random.uniform() }))
          .sort((a, b) => a.key - b.key)
          .map(({ one }) => one);
      case 'doubled':
        return [...list, ...list];
      default:
        return list;
    }
  }
}

/** Queries of the same are answered by the same copy. */
function keyOf(query: Query): string {
  return `${query.kind} ${query.instrument} ${query.kind === 'history' ? query.clientId : ''}`;
}
