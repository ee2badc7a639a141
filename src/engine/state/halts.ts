/**
 * Halts: where nothing may be opened, why, since when, by whom, and what ends it. Closing orders and cancels are never halted.
 *
 * To raise one:   core.halts.raise({ scope: { kind: 'leg', instrument, side }, code: 'position-external', detail: 'size 0.5 → 0', by: 'bot' })
 * To end one:     core.halts.lift({ kind: 'leg', instrument, side }, 'position-external', 'the operator adopted it', 'bot')
 * With an end:    raise({ …, until: core.now + 60_000 }) ends by itself at that time (code rows of `end: 'bot'`).
 *
 * The code is a row of engine/state/events/halt-codes.ts, which says who may end it. One scope may have several halts of different codes; it opens
 * again when the last one has ended. Raising the same scope and code again changes nothing and logs nothing: false.
 * Each raise and each end is a record of the journal and one log line; halts that a person must end are also in the marker file
 * beside the store, so they outlive a restart, SIGKILL and the loss of the store. A halt is in effect when `raise` returns.
 * size: the halts, their scopes as text, and their line in the log
 */
import { assert, AssertionError } from '../../base/failure/assert.ts';
import { LONG, SHORT } from '../../domain/codes.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { Timer, TimerQueue } from '../../base/time/timer-queue.ts';
import { tradedName } from '../../domain/instrument.ts';
import type { Log, LogFields } from '../../ports/log.ts';
import type { InstrumentContext } from './records/instrument-context.ts';
import { askedAgain, followsFrom, haltEnd, haltRow, mayBeResumed, symbolIn } from './events/halt-codes.ts';
import type { SavedHalt } from '../../domain/messages/saved-halt.ts';
import type { CommandJournal } from './events/journal.ts';
import type { Owner } from './records/owner.ts';
import type { StrategyEvents } from './events/strategy-events.ts';
import type { TradingState } from './trading-state.ts';

/** What a halt covers. */
export type HaltScope =
  | { readonly kind: 'bot' }
  | { readonly kind: 'symbol'; readonly instrument: number }
  | { readonly kind: 'leg'; readonly instrument: number; readonly side: number }
  | { readonly kind: 'strategy'; readonly name: string };

export interface NewHalt {
  readonly scope: HaltScope;
  /** A key of HALT_CODES in engine/state/events/halt-codes.ts. */
  readonly code: string;
  /** What happened, with figures. */
  readonly detail: string;
  /** "bot", or the operator or program that asked for the halt. */
  readonly by: string;
  /** Number of the command that the halt is about; a command has at most one halt. Default 0: none. */
  readonly seq?: number | undefined;
  /** Time at which the halt ends by itself. */
  readonly until?: number | undefined;
}

/** What halts need of the shared state. */
interface HaltCore {
  readonly now: number;
  readonly instruments: readonly Instrument[];
  readonly contexts: readonly InstrumentContext[];
  readonly owners: readonly Owner[];
  readonly tradingState: TradingState;
  readonly timerQueue: TimerQueue;
  readonly strategyEvents: StrategyEvents;
  readonly journal: CommandJournal;
  readonly log: Log;
}

export class Halts implements Timer {
  readonly #core: HaltCore;
  readonly #halts = new Map<string, SavedHalt>();
  /** Times at which halts become errors of the log, by key. */
  readonly #errorsAt = new Map<string, number>();
  #alarm = -1;
  /** Called with each halt that begins; not with those of an earlier process. */
  readonly onBegin: ((halt: SavedHalt) => void)[] = [];
  /** Called with each halt that has ended, and who ended it. */
  readonly onEnd: ((halt: SavedHalt, by: string) => void)[] = [];

  constructor(core: HaltCore) {
    this.#core = core;
  }

  /** All halts, oldest first. */
  all(): readonly SavedHalt[] {
    return [...this.#halts.values()];
  }

  get count(): number {
    return this.#halts.size;
  }

  /** The first halt of the whole bot, or null. */
  get ofBot(): SavedHalt | null {
    for (const halt of this.#halts.values()) if (halt.scope === BOT) return halt;
    return null;
  }

  /** The halt of this scope and code, or null. */
  find(scope: HaltScope, code: string, seq = 0): SavedHalt | null {
    return this.#halts.get(haltKey(this.text(scope), code, seq)) ?? null;
  }

  /**
   * Halts opens in `scope` ("all", "BTCUSDT", "BTCUSDT LONG", "strategy:NAME") until an operator resumes. False if the same halt exists
   * already. Short form of `raise`.
   */
  hold(scope: string, code: string, why: string): boolean {
    return this.raise({ scope: this.parse(scope), code, detail: why, by: 'bot' });
  }

  /** Stops opens in the scope at once. Returns false and does nothing if the same halt exists, or one that it follows from. */
  raise({ scope, code, detail, by, seq = 0, until }: NewHalt): boolean {
    const core = this.#core;
    assert(seq >= 0, 'a halt is about a command, or about none', seq);
    assert(until === undefined || until >= core.now, 'a halt ends after it begins', until);
    const saved: SavedHalt = { scope: this.text(scope), code, detail, since: core.now, by, seq, ...(until === undefined ? {} : { until }) };
    if (this.all().some((one) => followsFrom(code, one.code)) || !this.#add(saved)) return false;
    core.journal.halt(saved, core.now);
    core.strategyEvents.halt(saved, false);
    // A halt that only a person can end is an error at once.
    if (by !== 'bot' || haltRow(code).end === 'bot') core.log.warn(eventOf(scope), this.#fieldsOf(saved));
    else core.log.error(eventOf(scope), this.#fieldsOf(saved));
    for (const heard of this.onBegin) heard(saved);
    return true;
  }

  /** Calls `heard` with the scope of each halt that begins and that a resume may end. */
  tellOfResumable(heard: (scope: string) => void): void {
    this.onBegin.push((halt) => {
      if (mayBeResumed(halt)) heard(halt.scope);
    });
  }

  /** Somebody asks for a halt that is in force: adds name and reason, in the journal too; its start stays. */
  again(halt: SavedHalt, asked: { readonly by: string; readonly why: string }): SavedHalt {
    const { detail, by } = askedAgain(halt, asked);
    return detail === halt.detail && by === halt.by ? halt : this.restate(halt, detail, by);
  }

  /** Replaces the detail of a halt, in the journal too; its start stays. */
  restate(halt: SavedHalt, detail: string, by = halt.by): SavedHalt {
    const core = this.#core;
    assert(this.#halts.has(haltKey(halt.scope, halt.code, halt.seq)), 'a halt that gets another reason is in force', halt.code);
    const restated: SavedHalt = { ...halt, detail, by };
    this.#halts.set(haltKey(halt.scope, halt.code, halt.seq), restated);
    core.journal.halt(restated, core.now);
    return restated;
  }

  /** Restores a halt of an earlier process, without journal record or log line. A halt of an absent symbol or strategy is kept too. */
  restore(halt: SavedHalt): boolean {
    return this.#add(halt);
  }

  /** Ends one halt. Null if it does not exist. */
  lift(scope: HaltScope, code: string, why: string, by: string, seq = 0): SavedHalt | null {
    const halt = this.find(scope, code, seq);
    return halt === null ? null : this.end(halt, why, by);
  }

  /** Ends the halt about command `seq`. Null if it does not exist. */
  liftCommand(seq: number, why: string, by: string): SavedHalt | null {
    for (const halt of this.#halts.values()) if (halt.seq === seq && seq !== 0) return this.end(halt, why, by);
    return null;
  }

  /** Ends this halt, one of `all`. */
  end(halt: SavedHalt, why: string, by: string): SavedHalt {
    const core = this.#core;
    assert(this.#halts.has(haltKey(halt.scope, halt.code, halt.seq)), 'a halt that ends is in force', halt.code);
    this.#halts.delete(haltKey(halt.scope, halt.code, halt.seq));
    this.#errorsAt.delete(haltKey(halt.scope, halt.code, halt.seq));
    this.#count(halt.scope, -1);
    core.journal.lift(halt, why, by, core.now);
    core.strategyEvents.halt(halt, true);
    core.log.warn('halt-lifted', { scope: halt.scope, symbol: symbolIn(halt.scope), code: halt.code, seq: halt.seq, why, by });
    this.#arm();
    for (const heard of this.onEnd) heard(halt, by);
    return halt;
  }

  /** The command that ends the halt, or a phrase such as "by itself". */
  endsBy(halt: SavedHalt): string {
    return haltEnd(halt);
  }

  /** The scope as text: "bot", "symbol:BTCUSDT", "symbol:spot:BTCUSDT", "leg:BTCUSDT:LONG", "strategy:ema-cross". */
  text(scope: HaltScope): string {
    switch (scope.kind) {
      case 'bot':
        return BOT;
      case 'symbol':
        return `symbol:${tradedName(this.#instrument(scope.instrument))}`;
      case 'leg':
        return `leg:${tradedName(this.#instrument(scope.instrument))}:${scope.side === LONG ? 'LONG' : 'SHORT'}`;
      case 'strategy':
        return `strategy:${scope.name}`;
    }
  }

  /** Parses the text of a scope; null if its symbol or strategy is not configured. */
  scopeOf(text: string): HaltScope | null {
    if (text === BOT) return { kind: 'bot' };
    const at = text.indexOf(':');
    const [kind, name] = [text.slice(0, at), text.slice(at + 1)];
    if (kind === 'strategy') return this.#owner(name) === undefined ? null : { kind, name };
    if (kind === 'symbol') {
      const instrument = this.#find(name);
      return instrument < 0 ? null : { kind, instrument };
    }
    const colon = name.lastIndexOf(':');
    const [instrument, side] = [this.#find(name.slice(0, colon)), name.slice(colon + 1)];
    if (kind !== 'leg' || instrument < 0 || (side !== 'LONG' && side !== 'SHORT')) return null;
    return { kind, instrument, side: side === 'LONG' ? LONG : SHORT };
  }

  /** True if the scope covers orders of this instrument, side and owner. */
  covers(scope: HaltScope, context: InstrumentContext, side: number, owner: Owner): boolean {
    switch (scope.kind) {
      case 'bot':
        return true;
      case 'symbol':
        return scope.instrument === context.index;
      case 'leg':
        return scope.instrument === context.index && scope.side === side;
      case 'strategy':
        return scope.name === owner.name;
    }
  }

  /** The halt that refuses an open there; null if opens are allowed. */
  against(context: InstrumentContext, side: number, owner: Owner, code = ''): SavedHalt | null {
    for (const halt of this.#halts.values()) {
      if (code !== '' && halt.code !== code) continue;
      const scope = this.scopeOf(halt.scope);
      if (scope !== null && this.covers(scope, context, side, owner)) return halt;
    }
    return null;
  }

  /** Why an open there is refused, and how to end the halt. */
  why(context: InstrumentContext, side: number, owner: Owner): string {
    const halt = this.against(context, side, owner);
    if (halt === null) return 'opens are halted';
    const { scope, code, detail } = halt;
    const ends = this.endsBy(halt);
    return `opens are halted (${scope}): ${code}, ${detail}; ${ends.startsWith('tickwright') ? `\`${ends}\` ends it` : `it ends ${ends}`}`;
  }

  /** The halts within the scope. */
  within(scope: HaltScope): SavedHalt[] {
    const text = this.text(scope);
    return this.all().filter((one) => isWithin(one.scope, text));
  }

  /**
   * Parses a scope typed by a person: "all" or "bot", "BTCUSDT", "spot:BTCUSDT", "BTCUSDT:LONG" (or with a space), the name of a strategy,
   * or the text of a scope. @throws RangeError if it names nothing configured
   */
  parse(word: string): HaltScope {
    if (word === 'all') return { kind: 'bot' };
    const plain = word.replace(' ', ':');
    for (const text of [plain, `symbol:${plain}`, `leg:${plain}`, `strategy:${word}`]) {
      const scope = this.scopeOf(text);
      if (scope !== null) return scope;
    }
    // A strategy that is not configured any more may have left a halt: a person can still end it.
    if (this.all().some(({ scope }) => scope === `strategy:${word}`)) return { kind: 'strategy', name: word };
    throw new RangeError(`expected a symbol, a leg such as BTCUSDT:LONG, or a strategy of this bot, found "${word}"`);
  }

  due(now: number): void {
    for (const halt of this.#halts.values()) if ((halt.until ?? Infinity) <= now) this.end(halt, 'its time is over', 'bot');
    for (const [key, at] of this.#errorsAt) {
      if (at > now) continue;
      this.#errorsAt.delete(key);
      const halt = this.#halts.get(key);
      assert(halt !== undefined, 'a halt that becomes an error is in force', key);
      this.#core.log.error('still-unknown', { ...this.#fieldsOf(halt), since: halt.since });
    }
    this.#arm();
  }

  #add(halt: SavedHalt): boolean {
    const key = haltKey(halt.scope, halt.code, halt.seq);
    if (this.#halts.has(key)) return false;
    this.#halts.set(key, halt);
    this.#count(halt.scope, 1);
    const { errorAfterMs } = haltRow(halt.code);
    if (errorAfterMs !== undefined) this.#errorsAt.set(key, halt.since + errorAfterMs);
    if (halt.until !== undefined || errorAfterMs !== undefined) this.#arm();
    return true;
  }

  #fieldsOf(halt: SavedHalt): LogFields {
    const { scope, code, seq, detail: cause, by } = halt;
    return { scope, symbol: symbolIn(scope), code, seq, cause, by, ends: this.endsBy(halt) };
  }

  #count(text: string, by: 1 | -1): void {
    const { tradingState, contexts } = this.#core;
    const scope = this.scopeOf(text);
    if (scope === null) return;
    if (scope.kind === 'symbol') contexts[scope.instrument]!.halts += by;
    else if (scope.kind === 'leg') contexts[scope.instrument]!.leg(scope.side).halts += by;
    else if (scope.kind === 'strategy') {
      const owner = this.#owner(scope.name)!;
      owner.halts += by;
      assert(owner.halts >= 0, 'halts of a strategy are at least 0', owner.halts);
    }
    tradingState.halted(scope.kind, by);
  }

  #arm(): void {
    let next = Infinity;
    for (const { until } of this.#halts.values()) next = Math.min(next, until ?? Infinity);
    for (const at of this.#errorsAt.values()) next = Math.min(next, at);
    if (next === Infinity && this.#alarm < 0) return;
    if (this.#alarm < 0) this.#alarm = this.#core.timerQueue.add(this);
    this.#core.timerQueue.set(this.#alarm, next === Infinity ? next : Math.max(0, next));
  }

  #owner(name: string): Owner | undefined {
    return this.#core.owners.find((owner) => owner.name === name);
  }

  #find(name: string): number {
    return this.#core.instruments.findIndex((instrument) => tradedName(instrument) === name);
  }

  #instrument(index: number): Instrument {
    const instrument = this.#core.instruments[index];
    if (instrument === undefined) throw new AssertionError('a halt is of a known instrument');
    return instrument;
  }
}

const BOT = 'bot';

const EVENTS = { bot: 'opens-halted', symbol: 'symbol-halted', leg: 'leg-halted', strategy: 'strategy-halted' } as const;

function eventOf({ kind }: HaltScope): string {
  return EVENTS[kind];
}

/** True if one scope is within another, both as text: "bot" includes all, a symbol includes its legs. */
export function isWithin(scope: string, other: string): boolean {
  return other === BOT || scope === other || scope.startsWith(`${other.replace(/^symbol:/, 'leg:')}:`);
}

/** Key of a halt: its command, or its scope and code if it is about no command. */
export function haltKey(scope: string, code: string, seq: number): string {
  return seq === 0 ? `${scope} ${code}` : `command ${seq}`;
}
