/** Keeps what recorded answers have shown so far: the market, and the account with which a simulated venue begins. */
import type { AccountReport, PositionReport } from '../../domain/report.ts';
import type { Answer, Query } from '../../ports/venue.ts';
import { ANSWERED } from '../../ports/venue-event.ts';
import { ASK, type Entry } from '../session/entries.ts';

export class KnownVenue {
  /** The newest answer to each question, by `keyOf`. */
  readonly #answers = new Map<string, Answer>();
  readonly #accounts = new Map<number, AccountReport>();
  readonly #positions = new Map<string, PositionReport>();
  /** True once positions were read. */
  hasPositions = false;

  /** Questions by number, until they are answered. */
  readonly #asked = new Map<number, Query>();
  #questions = 0;

  /** The next entry of the recording. */
  follow(entry: Entry): void {
    if (entry.kind === ASK) this.#asked.set(++this.#questions, (entry as { readonly body: unknown }).body as Query);
    if (entry.kind !== ANSWERED) return;
    const { query: number = 0, answer } = entry;
    const query = this.#asked.get(number);
    this.#asked.delete(number);
    if (query !== undefined && answer) this.#answered(query, answer);
  }

  #answered(query: Query, answer: Answer): void {
    if (isOfMarket(answer.kind)) this.#answers.set(keyOf(query), answer);
    else if (answer.kind === 'account') this.#accounts.set(answer.account.instrument, answer.account);
    else if (answer.kind === 'positions') this.#positionsRead(query.instrument, answer.positions);
  }

  /** The newest recorded answer to an equal question about the market; null when there is none. */
  answerTo(query: Query): Answer | null {
    return this.#answers.get(keyOf(query)) ?? null;
  }

  get accounts(): readonly AccountReport[] {
    return [...this.#accounts.values()];
  }

  get positions(): readonly PositionReport[] {
    return [...this.#positions.values()];
  }

  /** True if enough of the account is known to continue with a simulated venue. */
  get isWhole(): boolean {
    return this.#accounts.size > 0 && this.hasPositions;
  }

  /** A leg that is not listed is flat. */
  #positionsRead(instrument: number, positions: readonly PositionReport[]): void {
    this.hasPositions = true;
    for (const [key, one] of this.#positions) if (instrument < 0 || one.instrument === instrument) this.#positions.delete(key);
    for (const one of positions) if (one.total > 0) this.#positions.set(`${one.instrument} ${one.side}`, one);
  }
}

/** True for answers that no command of the bot changes. */
export function isOfMarket(kind: Answer['kind']): boolean {
  return kind === 'quotes' || kind === 'stats' || kind === 'trades' || kind === 'withdrawals' || kind === 'spot-symbols';
}

/** Questions about the market with the same key have the same answer at one time. */
export function keyOf(query: Query): string {
  return `${query.kind} ${query.instrument} ${query.kind === 'trades' ? query.before : ''}`;
}
