/**
 * Symbols that the venue does not know any more. The first refusal stops opens of the symbol and asks E20; a second one makes it
 * offline, and it is asked for until two reads in a row know it again. Cancels are never stopped. Of spot symbols E3 tells.
 */
import type { SpotStatus } from '../../domain/report.ts';
import type { Answer, Query } from '../../ports/venue.ts';
import type { Due } from '../agenda.ts';
import type { External } from '../belief/external.ts';
import type { Core } from '../core.ts';
import type { Asker, Asks } from '../reads/asks.ts';

/** Between two questions for a symbol that is offline, or of which it is not known. */
const ASK_EVERY_MS = 2_000;
/** Reads in a row that know a symbol before it is online again. */
const AGAIN = 2;

interface Suspect {
  readonly since: number;
  isOffline: boolean;
  /** Reads in a row that knew it. */
  seen: number;
  nextAt: number;
  query: Query | null;
}

export class Offline implements Due, Asker {
  readonly #core: Core;
  readonly #asks: Asks;
  readonly #external: External;
  readonly #alarm: number;
  readonly #suspects = new Map<number, Suspect>();

  constructor(core: Core, asks: Asks, external: External) {
    this.#core = core;
    this.#asks = asks;
    this.#external = external;
    this.#alarm = core.agenda.add(this);
  }

  /** Symbols that are offline. */
  get symbols(): string[] {
    const found = [...this.#suspects].filter(([, one]) => one.isOffline);
    return found.map(([i]) => this.#core.instruments[i]!.symbol);
  }

  /** A process before this one found symbols offline: they are asked for again. */
  armed(): void {
    for (const halt of this.#core.halts.all()) {
      const scope = halt.code === 'offline' ? this.#core.halts.scopeOf(halt.scope) : null;
      if (scope?.kind !== 'symbol' || this.#suspects.has(scope.instrument)) continue;
      this.#suspects.set(scope.instrument, { since: halt.since, isOffline: true, seen: 0, nextAt: this.#core.now, query: null });
    }
    this.due(this.#core.now);
  }

  /** The venue said of a read or an order that it does not know the instrument. */
  unknown(i: number): void {
    const core = this.#core;
    if (this.#suspects.has(i) || core.standing.phase !== 'armed') return;
    const one: Suspect = { since: core.now, isOffline: false, seen: 0, nextAt: core.now, query: null };
    this.#suspects.set(i, one);
    this.#hold(i, 1);
    if (core.instruments[i]!.product === 'spot') return this.#gone(i, one, 'the venue refused an order because of its symbol');
    this.#ask(i, one);
  }

  /** E3, all spot symbols. */
  spot(symbols: readonly SpotStatus[]): void {
    const status = new Map(symbols.map(({ instrument, status: word }) => [instrument, word]));
    for (const { index, product, symbol } of this.#core.instruments) {
      if (product !== 'spot') continue;
      const word = status.get(index) ?? 'not listed';
      const known = this.#suspects.get(index);
      if (word !== 'offline' && word !== 'not listed') {
        if (known !== undefined && ++known.seen >= AGAIN) this.#back(index, known);
      } else if (known === undefined) {
        const one: Suspect = { since: this.#core.now, isOffline: false, seen: 0, nextAt: Infinity, query: null };
        this.#suspects.set(index, one);
        this.#hold(index, 1);
        this.#gone(index, one, `E3 says of spot ${symbol}: ${word}`);
      } else known.seen = 0;
    }
  }

  due(now: number): void {
    for (const [i, one] of this.#suspects) {
      if (one.query === null && one.nextAt <= now && this.#core.instruments[i]!.product === 'futures') this.#ask(i, one);
    }
    this.#arm();
  }

  answered(query: Query, _answer: Answer): void {
    const one = this.#take(query);
    if (one === null) return;
    if (!one.isOffline) {
      this.#suspects.delete(query.instrument);
      this.#hold(query.instrument, -1);
      return;
    }
    if (++one.seen >= AGAIN) return this.#back(query.instrument, one);
    this.#wait(one);
  }

  failed(query: Query, cause: string): void {
    const one = this.#take(query);
    if (one === null) return;
    one.seen = 0;
    if (cause === 'unknown-instrument' && !one.isOffline) this.#gone(query.instrument, one, 'E20 answers "symbol does not exist"');
    this.#wait(one);
  }

  #gone(i: number, one: Suspect, why: string): void {
    const { halts, instruments, now } = this.#core;
    one.isOffline = true;
    one.nextAt = now + ASK_EVERY_MS;
    const { symbol } = instruments[i]!;
    const text = `${symbol} is offline: ${why}`;
    if (this.#external.actionOf('offline') !== 'ignore') {
      halts.raise({ scope: { kind: 'symbol', instrument: i }, code: 'offline', detail: text, by: 'bot' });
    }
    this.#external.happened('offline', i, -1, text);
    this.#hold(i, -1);
    this.#arm();
  }

  #back(i: number, one: Suspect): void {
    const { halts, instruments, log, now } = this.#core;
    this.#suspects.delete(i);
    const scope = { kind: 'symbol', instrument: i } as const;
    log.warn('symbol-online', { symbol: instruments[i]!.symbol, seconds: Math.round((now - one.since) / 1000) });
    halts.lift(scope, 'offline', 'the venue knows the symbol again', 'bot');
  }

  /** Opens of the symbol wait until it is known whether it is offline: a halt without a name, as long as a read. */
  #hold(i: number, by: 1 | -1): void {
    this.#core.desks[i]!.halts += by;
    this.#core.standing.halted('symbol', by);
  }

  #ask(i: number, one: Suspect): void {
    one.query = { kind: 'positions', instrument: i };
    this.#asks.ask(one.query, this);
  }

  #take(query: Query): Suspect | null {
    const one = this.#suspects.get(query.instrument);
    if (one === undefined || one.query !== query) return null;
    one.query = null;
    return one;
  }

  #wait(one: Suspect): void {
    one.nextAt = this.#core.now + ASK_EVERY_MS;
    this.#arm();
  }

  #arm(): void {
    let next = Infinity;
    for (const one of this.#suspects.values()) if (one.query === null) next = Math.min(next, one.nextAt);
    this.#core.agenda.set(this.#alarm, next);
  }
}
