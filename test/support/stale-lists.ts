/**
 * The venue's four lists (E17, E18, E19, E20) as a careless venue shows them: each late by a time of its own, sometimes empty, in part, in
 * another order, with entries twice, or as an answer that was given before.
 */
import type { Random } from '../../src/base/random.ts';
import type { Answer, Query } from '../../src/ports/venue.ts';

type Lists = Extract<Answer, { kind: 'pending' | 'history' | 'positions' }>;
type ListKind = Lists['kind'];

export interface ListFaults {
  /** Longest lag of each list in ms; `isSteady` keeps it, otherwise each answer draws its own. */
  readonly lagMs: Readonly<Record<ListKind, number>>;
  readonly isSteady: boolean;
  /** Share of answers that are damaged, from 0 to 1. */
  readonly damage: number;
}

const DAMAGES = ['empty', 'partial', 'shuffled', 'doubled', 'again'] as const;
/** How exact a lag is. */
const GRAIN_MS = 50;
const KEPT_MS = 12_000;

interface Sample {
  readonly time: number;
  readonly pending: Extract<Answer, { kind: 'pending' }>;
  readonly positions: Extract<Answer, { kind: 'positions' }>;
}

/** Answers of the venue as it was, from samples that `note` takes. */
export class StaleLists {
  readonly #faults: ListFaults;
  readonly #random: Random;
  readonly #read: () => Omit<Sample, 'time'>;
  readonly #samples: Sample[] = [];
  /** The last answer to the same question, and the venue's time of it. */
  readonly #before = new Map<string, { readonly answer: Answer; readonly venueTime: number }>();

  constructor(faults: ListFaults, random: Random, read: () => Omit<Sample, 'time'>) {
    this.#faults = faults;
    this.#random = random;
    this.#read = read;
  }

  /** Keeps what the venue would show at `now`. */
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

  /** What is answered instead of `answer`, which the venue gave at `venueTime`. */
  answer(query: Query, answer: Answer, venueTime: number): { readonly answer: Answer; readonly venueTime: number } {
    if (answer.kind !== 'pending' && answer.kind !== 'history' && answer.kind !== 'positions') return { answer, venueTime };
    const late = this.#late(query, answer, venueTime);
    const key = `${query.kind} ${query.instrument} ${query.kind === 'history' ? query.clientId : ''}`;
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
