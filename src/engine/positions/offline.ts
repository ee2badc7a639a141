/**
 * Symbols that the venue does not know any more. The first refusal stops opens of the symbol and asks E20; a second one makes it
 * offline, and it is asked for until two reads in a row know it again. Cancels are never stopped. Of spot symbols E3 tells: one list
 * that leaves a symbol out is a claim, and opens of the symbol wait until lists that began later agree with it, or one does not.
 */
import type { SpotStatus } from '../../domain/report.ts';
import type { Answer, Query } from '../../ports/venue.ts';
import type { External } from './external.ts';
import type { Core } from '../state/core.ts';
import type { PendingQueries } from '../polling/queries.ts';
import { Cases, type Case, type CaseOwner } from '../polling/cases.ts';

/** Between two questions for a symbol that is offline, or of which it is not known. */
const ASK_EVERY_MS = 2_000;
/** Reads in a row that know a symbol before it is online again. */
const AGAIN = 2;
/** Lists in a row that say "offline" of a spot symbol before it is, each begun after the one before was taken. */
const SAID = 2;
/** The same for lists that leave it out, which must do so for as long as a list may be late. */
const LEFT_OUT = 3;

/** By instrument. */
interface Suspect extends Case {
  readonly since: number;
  isOffline: boolean;
  /** Reads in a row that knew it. */
  seen: number;
  /** Lists in a row that did not, and when the last of them was taken. */
  claims: number;
  claimedAt: number;
}

export class Offline implements CaseOwner<Suspect> {
  readonly #core: Core;
  readonly #external: External;
  readonly #suspects: Cases<Suspect>;

  constructor(core: Core, queries: PendingQueries, external: External) {
    this.#core = core;
    this.#external = external;
    this.#suspects = new Cases(core, queries, this);
  }

  /** Symbols that are offline. */
  get symbols(): string[] {
    const found = [...this.#suspects.all()].filter((one) => one.isOffline);
    return found.map(({ key }) => this.#core.instruments[key]!.symbol);
  }

  /** A process before this one found symbols offline: they are asked for again. */
  armed(): void {
    for (const halt of this.#core.halts.all()) {
      const scope = halt.code === 'offline' ? this.#core.halts.scopeOf(halt.scope) : null;
      if (scope?.kind !== 'symbol' || this.#suspects.has(scope.instrument)) continue;
      const one = { ...suspectOf(scope.instrument, halt.since), isOffline: true };
      this.#open(one);
      if (this.#isRead(one.key)) this.turn(one);
    }
  }

  /** The venue said of a read or an order that it does not know the instrument. */
  unknown(i: number): void {
    const core = this.#core;
    if (this.#suspects.has(i) || core.tradingState.phase !== 'armed') return;
    const one = this.#suspect(i);
    if (!this.#isRead(i)) return this.#gone(one, 'the venue refused an order because of its symbol');
    this.turn(one);
  }

  /** E3, all spot symbols, in a list that was asked for at `sentAt`. */
  spot(symbols: readonly SpotStatus[], sentAt: number): void {
    const status = new Map(symbols.map(({ instrument, status: word }) => [instrument, word]));
    for (const { index, product, symbol } of this.#core.instruments) {
      if (product !== 'spot') continue;
      const word = status.get(index);
      const known = this.#suspects.get(index);
      if (word !== undefined && word !== 'offline') {
        if (known !== undefined) this.#listed(known);
        continue;
      }
      const one = known ?? this.#suspect(index);
      one.seen = 0;
      if (sentAt <= one.claimedAt) continue;
      one.claims++;
      one.claimedAt = this.#core.now;
      if (!one.isOffline && this.#isBelieved(one, word)) this.#gone(one, `E3 says of spot ${symbol}: ${word ?? 'not listed'}`);
      else if (known === undefined) this.#suspects.wait(one, ASK_EVERY_MS);
    }
  }

  #isBelieved({ claims, since }: Suspect, word: string | undefined): boolean {
    const { now, timings } = this.#core;
    return word === undefined ? claims >= LEFT_OUT && now - since >= timings.settleMs : claims >= SAID;
  }

  /** A list shows a spot symbol that was not sure, or offline. */
  #listed(one: Suspect): void {
    if (one.isOffline && ++one.seen < AGAIN) return;
    if (one.isOffline) return this.#back(one);
    this.#close(one);
    this.#hold(one.key, -1);
  }

  turn(one: Suspect): void {
    this.#suspects.ask(one, this.#isRead(one.key) ? { kind: 'positions', instrument: one.key } : { kind: 'spot-symbols', instrument: -1 });
  }

  answered(query: Query, _answer: Answer): void {
    const one = this.#suspects.asked(query);
    if (one === null) return;
    if (query.kind === 'spot-symbols') {
      // What the list says was taken already. The poll asks for those that are offline.
      if (!one.isOffline) this.#suspects.wait(one, ASK_EVERY_MS);
      return;
    }
    if (!one.isOffline) {
      this.#close(one);
      this.#hold(one.key, -1);
      return;
    }
    if (++one.seen >= AGAIN) return this.#back(one);
    this.#suspects.wait(one, ASK_EVERY_MS);
  }

  failed(query: Query, cause: string): void {
    const one = this.#suspects.asked(query);
    if (one === null) return;
    one.seen = 0;
    if (cause === 'unknown-instrument' && !one.isOffline) this.#gone(one, 'E20 answers "symbol does not exist"');
    this.#suspects.wait(one, ASK_EVERY_MS);
  }

  /** Spot symbols are read by E3 alone, all at once. */
  #isRead(i: number): boolean {
    return this.#core.instruments[i]!.product === 'futures';
  }

  #suspect(i: number): Suspect {
    const one = suspectOf(i, this.#core.now);
    this.#open(one);
    this.#hold(i, 1);
    return one;
  }

  /** From now on what lists do not show of the symbol proves nothing. */
  #open(one: Suspect): void {
    this.#suspects.open(one);
    this.#core.contexts[one.key]!.isOffline = true;
  }

  #close(one: Suspect): void {
    this.#suspects.close(one);
    this.#core.contexts[one.key]!.isOffline = false;
  }

  #gone(one: Suspect, why: string): void {
    const { halts, instruments } = this.#core;
    const i = one.key;
    one.isOffline = true;
    const { symbol } = instruments[i]!;
    const text = `${symbol} is offline: ${why}`;
    if (this.#external.actionOf('offline') !== 'ignore') {
      halts.raise({ scope: { kind: 'symbol', instrument: i }, code: 'offline', detail: text, by: 'bot' });
    }
    this.#external.happened('offline', i, -1, text);
    this.#hold(i, -1);
  }

  #back(one: Suspect): void {
    const { halts, instruments, log, now } = this.#core;
    const i = one.key;
    this.#close(one);
    const scope = { kind: 'symbol', instrument: i } as const;
    log.warn('symbol-online', { symbol: instruments[i]!.symbol, seconds: Math.round((now - one.since) / 1000) });
    halts.lift(scope, 'offline', 'the venue knows the symbol again', 'bot');
  }

  /** Opens of the symbol wait until it is known whether it is offline: a halt without a name, as long as a read. */
  #hold(i: number, by: 1 | -1): void {
    this.#core.contexts[i]!.halts += by;
    this.#core.tradingState.halted('symbol', by);
  }
}

function suspectOf(instrument: number, since: number): Suspect {
  return { key: instrument, nextAt: Infinity, since, isOffline: false, seen: 0, claims: 0, claimedAt: -Infinity };
}
