/**
 * Detects symbols that the venue no longer knows. The first refusal stops opens of the symbol and reads its position (E20). A second
 * refusal makes it offline, and it is read until two reads in a row succeed. Cancels are never stopped. Spot symbols are checked by the
 * spot symbol list (E3): opens wait until later lists agree that a symbol is missing, or one shows it.
 */
import { assert } from '../../base/failure/assert.ts';
import type { SpotStatus } from '../../domain/report.ts';
import type { Answer, Query } from '../../ports/venue.ts';
import type { External } from './external.ts';
import type { Core } from '../state/core.ts';
import type { InstrumentContext } from '../state/records/instrument-context.ts';
import type { Halts } from '../state/halts.ts';
import type { TradingState } from '../state/trading-state.ts';
import type { PendingQueries } from '../polling/queries.ts';
import { Cases, type Case, type CaseOwner } from '../polling/cases.ts';

/** The shared state that this file uses. */
export interface OfflineCore extends Core {
  readonly contexts: readonly InstrumentContext[];
  readonly halts: Halts;
  readonly tradingState: TradingState;
}

/** Time between two reads of a symbol that is offline or suspected, in milliseconds. */
const ASK_EVERY_MS = 2_000;
/** Successful reads in a row before a symbol is online again. */
const AGAIN = 2;
/** Lists in a row that must say "offline" of a spot symbol; each must begin after the one before was processed. */
const SAID = 2;
/** The same for lists that omit the symbol; they must also span the longest lag of a list. */
const LEFT_OUT = 3;

/** A symbol that is offline or suspected, by instrument. */
interface Suspect extends Case {
  readonly since: number;
  isOffline: boolean;
  /** Consecutive reads that knew it. */
  seen: number;
  /** Consecutive lists without it, and when the last of them was processed. */
  claims: number;
  claimedAt: number;
}

export class Offline implements CaseOwner<Suspect> {
  readonly #core: OfflineCore;
  readonly #external: External;
  readonly #suspects: Cases<Suspect>;

  constructor(core: OfflineCore, queries: PendingQueries, external: External) {
    this.#core = core;
    this.#external = external;
    this.#suspects = new Cases(core, queries, this);
  }

  /** Symbols that are offline. */
  get symbols(): string[] {
    const found = [...this.#suspects.all()].filter((one) => one.isOffline);
    return found.map(({ key }) => this.#core.instruments[key]!.symbol);
  }

  /** Before the first reads: they prove nothing of the symbols that an earlier process found offline. */
  begin(): void {
    for (const { instrument } of this.#halted()) this.#core.contexts[instrument]!.isOffline = true;
  }

  /** Continues with those symbols. */
  armed(): void {
    for (const { instrument, since } of this.#halted()) {
      if (this.#suspects.has(instrument)) continue;
      const one = { ...suspectOf(instrument, since), isOffline: true };
      this.#open(one);
      if (this.#isRead(one.key)) this.turn(one);
    }
  }

  /** The symbols that are halted because the venue does not know them. */
  #halted(): { instrument: number; since: number }[] {
    const { halts } = this.#core;
    return halts.all().flatMap(({ code, scope: text, since }) => {
      const scope = code === 'offline' ? halts.scopeOf(text) : null;
      return scope?.kind === 'symbol' ? [{ instrument: scope.instrument, since }] : [];
    });
  }

  /** The venue answered a read or an order with "unknown instrument". */
  unknown(i: number): void {
    const core = this.#core;
    if (this.#suspects.has(i) || core.tradingState.phase !== 'armed') return;
    const one = this.#suspect(i);
    if (!this.#isRead(i)) return this.#markOffline(one, 'the venue refused an order because of its symbol');
    this.turn(one);
  }

  /** Takes a list of all spot symbols (E3), requested at `sentAt`. */
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
      if (!one.isOffline && this.#isBelieved(one, word)) this.#markOffline(one, `E3 says of spot ${symbol}: ${word ?? 'not listed'}`);
      else if (known === undefined) this.#suspects.wait(one, ASK_EVERY_MS);
    }
  }

  #isBelieved({ claims, since }: Suspect, word: string | undefined): boolean {
    const { now, timings } = this.#core;
    return word === undefined ? claims >= LEFT_OUT && now - since >= timings.settleMs : claims >= SAID;
  }

  /** A list shows a spot symbol that was suspected or offline. */
  #listed(one: Suspect): void {
    if (one.isOffline && ++one.seen < AGAIN) return;
    if (one.isOffline) return this.#markOnline(one);
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
      // `spot` has already processed the list. The regular poll re-reads offline symbols.
      if (!one.isOffline) this.#suspects.wait(one, ASK_EVERY_MS);
      return;
    }
    if (!one.isOffline) {
      this.#close(one);
      this.#hold(one.key, -1);
      return;
    }
    if (++one.seen >= AGAIN) return this.#markOnline(one);
    this.#suspects.wait(one, ASK_EVERY_MS);
  }

  failed(query: Query, cause: string): void {
    const one = this.#suspects.asked(query);
    if (one === null) return;
    one.seen = 0;
    if (cause === 'unknown-instrument' && !one.isOffline) this.#markOffline(one, 'E20 answers "symbol does not exist"');
    this.#suspects.wait(one, ASK_EVERY_MS);
  }

  /** True for futures. Spot symbols are read only by the list (E3), all at once. */
  #isRead(i: number): boolean {
    return this.#core.instruments[i]!.product === 'futures';
  }

  #suspect(i: number): Suspect {
    const one = suspectOf(i, this.#core.now);
    this.#open(one);
    this.#hold(i, 1);
    return one;
  }

  /** From now on the absence of the symbol from lists proves nothing. */
  #open(one: Suspect): void {
    assert(!this.#suspects.has(one.key), 'a symbol is suspected once', one.key);
    this.#suspects.open(one);
    this.#core.contexts[one.key]!.isOffline = true;
  }

  #close(one: Suspect): void {
    assert(this.#suspects.get(one.key) === one, 'a symbol that comes back was suspected', one.key);
    this.#suspects.close(one);
    this.#core.contexts[one.key]!.isOffline = false;
  }

  #markOffline(one: Suspect, why: string): void {
    const { halts, instruments } = this.#core;
    const i = one.key;
    assert(!one.isOffline, 'a symbol goes offline once', i);
    one.isOffline = true;
    const { symbol } = instruments[i]!;
    const text = `${symbol} is offline: ${why}`;
    if (this.#external.actionOf('offline') !== 'ignore') {
      halts.raise({ scope: { kind: 'symbol', instrument: i }, code: 'offline', detail: text, by: 'bot' });
    }
    this.#external.happened('offline', i, -1, text);
    this.#hold(i, -1);
  }

  #markOnline(one: Suspect): void {
    const { halts, instruments, log, now } = this.#core;
    const i = one.key;
    assert(one.isOffline, 'a symbol that comes online was offline', i);
    this.#close(one);
    this.#core.contexts[i]!.closeCircuit.accepted();
    const scope = { kind: 'symbol', instrument: i } as const;
    log.warn('symbol-online', { symbol: instruments[i]!.symbol, seconds: Math.round((now - one.since) / 1000) });
    halts.lift(scope, 'offline', 'the venue knows the symbol again', 'bot');
  }

  /** Stops opens of the symbol until its state is known: a short halt without journal record. */
  #hold(i: number, by: 1 | -1): void {
    this.#core.contexts[i]!.halts += by;
    this.#core.tradingState.halted('symbol', by);
  }
}

function suspectOf(instrument: number, since: number): Suspect {
  return { key: instrument, nextAt: Infinity, since, isOffline: false, seen: 0, claims: 0, claimedAt: -Infinity };
}
