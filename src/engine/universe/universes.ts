/**
 * Chooses the symbols of strategies at fixed moments, and sees to those that leave. A choice is one record of the journal, written before
 * anything follows from it; what the record says of symbols that leave is done until it is done, also after a restart.
 */
import { assert } from '../../base/failure/assert.ts';
import type { Timer } from '../../base/time/timer-queue.ts';
import { tradedName } from '../../domain/instrument.ts';
import { periodStart, timeframeOf } from '../../domain/time/timeframe.ts';
import { barsOfWindow, type Lack, lackText, rankOf, topOf, type UniverseTerms } from '../../domain/universe.ts';
import { Bars } from '../market/bars.ts';
import type { Halts } from '../state/halts.ts';
import type { BarFeed } from '../strategy/bars/bar-feed.ts';
import { barNeedsOf } from '../strategy/definition/needs-bars.ts';
import { nameOf } from '../strategy/definition/setup.ts';
import { savedUniverse, type SetupUniverse, type UniversesByStrategy } from '../strategy/definition/universe.ts';
import type { Running } from '../strategy/make-strategies.ts';
import { feedOf } from '../strategy/subscribe.ts';
import { Leaving, type LeavingDeps } from './leaving.ts';
import { Membership, type MembershipDeps } from './membership.ts';

/** Wait until a choice is tried again that could not be made, and between two looks at symbols that leave. Milliseconds. */
const AGAIN_MS = 1_000;
/** Shortest wait for bars that were not read yet, in milliseconds; longer if candidates are read rarely. */
const PATIENCE_MS = 60_000;
/** Time between two lines of the log that say how far reading the past is, in milliseconds. */
const TELL_MS = 10_000;
/** What to do about candidates that lack bars. */
const ADVICE = 'choose a shorter window or minAge, or raise historyPages if `history-cut` was logged; `tickwright status` says why of each';

interface UniversesCore {
  readonly halts: Halts;
}

export interface UniversesDeps extends MembershipDeps, LeavingDeps {
  readonly core: UniversesCore & MembershipDeps['core'] & LeavingDeps['core'];
  readonly running: readonly Running[];
  /** Instruments whose past is being read, and the share of it that was read; null if no past is read. */
  readonly historyReads: { readonly reading: readonly { readonly instrument: number; readonly share: number }[] } | null;
}

/** A strategy with a universe, and when its next choice is due. */
interface Chooser {
  readonly one: Running;
  nextAt: number;
  /** What was read of the past since the start, for which its choices wait: "7 of 24 symbols, 41 %"; "" once all was. */
  reading: string;
  /** When the log said so last; Infinity once all was read. */
  toldAt: number;
}

export class Universes implements Timer {
  readonly #deps: UniversesDeps;
  readonly #membership: Membership;
  readonly #leaving: Leaving;
  readonly #choosers: readonly Chooser[];
  readonly #timer: number;
  #begunAt = Infinity;
  /** Of strategies that do not run now. */
  #others: UniversesByStrategy = {};

  constructor(deps: UniversesDeps) {
    this.#deps = deps;
    this.#membership = new Membership(deps);
    this.#leaving = new Leaving(deps);
    this.#choosers = deps.running
      .filter(({ setup }) => setup.universe !== undefined)
      .map((one) => {
        return { one, nextAt: Infinity, reading: '', toldAt: -Infinity };
      });
    // Without a universe, timers keep their numbers.
    this.#timer = this.#choosers.length === 0 ? -1 : deps.core.timerQueue.add(this);
  }

  /** By strategy; undefined if none was chosen. */
  save(): UniversesByStrategy | undefined {
    const { instruments } = this.#deps.core;
    const own = this.#choosers.flatMap(({ one: { setup } }) => {
      const universe = setup.universe!;
      return universe.chosen.length + universe.leaving.length === 0 && universe.at === -Infinity
        ? []
        : [[nameOf(setup), savedUniverse(universe, instruments)] as const];
    });
    const all = [...Object.entries(this.#others), ...own];
    return all.length === 0 ? undefined : Object.fromEntries(all);
  }

  /** Restores what concerns strategies that do not run; those that run were created with theirs. */
  restore(saved: UniversesByStrategy): void {
    const names = new Set(this.#choosers.map(({ one }) => one.runner.name));
    this.#others = Object.fromEntries(Object.entries(saved).filter(([name]) => !names.has(name)));
  }

  /** What the strategy chooses by, when its next choice is due, and how far its past was read; null if it has no universe. */
  of(name: string): { readonly universe: SetupUniverse; readonly nextAt: number; readonly reading: string } | null {
    const chooser = this.#choosers.find(({ one }) => one.runner.name === name);
    return chooser === undefined ? null : { universe: universeOf(chooser.one), nextAt: chooser.nextAt, reading: chooser.reading };
  }

  /** The bot may trade. A choice whose moment passed while it was away is made now, with what was known at that moment. */
  begin(): void {
    if (this.#choosers.length === 0) return;
    const { now } = this.#deps.core;
    this.#begunAt = now;
    for (const chooser of this.#choosers) {
      const universe = universeOf(chooser.one);
      const { everyMs } = this.#lengths(universe.terms);
      chooser.nextAt = periodStart(now, everyMs) > universe.at ? now : universe.at + everyMs;
    }
    this.due(now);
  }

  due(now: number): void {
    const { timerQueue, tradingState } = this.#deps.core;
    if (tradingState.phase !== 'armed') return;
    timerQueue.each(
      this.#choosers,
      (chooser) => {
        this.#sweep(chooser.one);
        if (chooser.nextAt <= now) this.#choose(chooser, now);
        else if (chooser.toldAt !== Infinity) this.#waits(chooser, now);
      },
      (chooser) => void (chooser.nextAt = now + AGAIN_MS),
    );
    let next = Infinity;
    for (const { one, nextAt, toldAt } of this.#choosers) {
      const isWatched = universeOf(one).leaving.length > 0 || toldAt !== Infinity;
      next = Math.min(next, nextAt, isWatched ? now + AGAIN_MS : Infinity);
    }
    timerQueue.set(this.#timer, next);
  }

  #choose(chooser: Chooser, now: number): void {
    const { core } = this.#deps;
    const { one } = chooser;
    const universe = universeOf(one);
    const { terms, candidates } = universe;
    const { everyMs, sizeMs } = this.#lengths(terms);
    const at = periodStart(now, everyMs);
    chooser.nextAt = at + everyMs;
    if (one.runner.isDisabled) return;
    // A choice that the journal cannot keep would be another one after a restart.
    if (this.#waits(chooser, now) || core.halts.find({ kind: 'bot' }, 'journal-away') !== null) {
      chooser.nextAt = now + AGAIN_MS;
      return;
    }
    const scaled = { by: terms.by, bars: sizeMs, window: barsOfWindow(terms) * sizeMs, minAge: (terms.minAge / terms.bars) * sizeMs };
    const values: Record<string, number> = {};
    const lacking: Record<string, Lack> = {};
    const unread: number[] = [];
    for (const i of candidates) {
      const symbol = tradedName(core.instruments[i]!);
      const ranked = rankOf(this.#feed(i, terms).series, scaled, at);
      const lacks = 'lacks' in ranked ? ranked.lacks : this.#barsLacking(one, i);
      if (lacks !== null) lacking[symbol] = lacks;
      else if ('value' in ranked) values[symbol] = ranked.value;
      // What is not known is no reason to leave.
      if (lacks?.why === 'unread' && universe.chosen.includes(i)) unread.push(i);
    }
    const order = topOf(values, candidates.length);
    const best = order.slice(0, Math.max(0, terms.top - unread.length));
    const chosen = [...unread, ...best.map((symbol) => core.instruments.findIndex((instrument) => tradedName(instrument) === symbol))];
    // Without any data nobody left: a market that is away closes no positions.
    const stays = chosen.length === 0 ? universe.chosen : chosen;
    const leaving = [...universe.leaving, ...universe.chosen].filter((i) => !stays.includes(i));
    assert(new Set(stays).size === stays.length, 'a symbol is chosen once', stays.length, 'strategy', one.runner.name);
    const since = Object.fromEntries(
      stays.map((i) => tradedName(core.instruments[i]!)).map((symbol) => [symbol, universe.reasons?.since[symbol] ?? at]),
    );
    const ranks = order.map((symbol) => [symbol, values[symbol]!] as const);
    const next: SetupUniverse = { ...universe, at, chosen: stays, leaving, reasons: { ranks, lacking, since } };
    const facts = { strategy: one.runner.name, universe: savedUniverse(next, core.instruments) };
    core.journal.note('universe', facts, now);
    const lacks = Object.keys(lacking).length;
    const detail = shortage(terms.top, stays.length, candidates.length, lacking);
    const told = { strategy: one.runner.name, at, symbols: facts.universe.symbols, lacks, ...(detail === '' ? {} : { detail }) };
    if (order.length > 0 && (detail === '' || lacks === 0)) core.log.info('universe-chosen', told);
    else core.log.warn('universe-chosen', told);
    this.#membership.change(one, next, true);
    this.#sweep(one);
  }

  /** True while the past of candidates up to the last moment of choice is read. Until that was so since the start, it is told how far it is. */
  #waits(chooser: Chooser, now: number): boolean {
    const { core, historyReads } = this.#deps;
    const { terms, candidates } = universeOf(chooser.one);
    const at = periodStart(now, this.#lengths(terms).everyMs);
    const patience = Math.max(PATIENCE_MS, 3 * terms.poll);
    const isUnread = (i: number): boolean => !isKnownTo(this.#feed(i, terms), at);
    const past = historyReads?.reading ?? [];
    const waits = past.length > 0 || (now < Math.max(at, this.#begunAt) + patience && candidates.some(isUnread));
    if (chooser.toldAt === Infinity) return waits;
    chooser.reading = waits ? readOf(candidates, past, isUnread) : '';
    if (!waits) chooser.toldAt = Infinity;
    else if (now >= chooser.toldAt + TELL_MS) {
      chooser.toldAt = now;
      core.log.info('universe-reading', { strategy: chooser.one.runner.name, read: chooser.reading });
    }
    return waits;
  }

  /** Works on symbols that leave, and lets go of those that are flat. */
  #sweep(one: Running): void {
    const universe = universeOf(one);
    if (universe.leaving.length === 0) return;
    const leaving = universe.leaving.filter((i) => !this.#leaving.isOver(one, i, universe.terms.leave));
    if (leaving.length === universe.leaving.length) return;
    const { core } = this.#deps;
    const next = { ...universe, leaving };
    core.journal.note('universe', { strategy: one.runner.name, universe: savedUniverse(next, core.instruments) }, core.now);
    this.#membership.change(one, next, false);
  }

  /** Bars of the strategy itself that the candidate does not have yet; null if it has all. */
  #barsLacking({ runner }: Running, i: number): Lack | null {
    const { bars, isFilling } = barNeedsOf(runner.handlers);
    for (const { timeframe, count } of bars) {
      const length = feedOf(this.#deps.dispatch, i, timeframe.name, isFilling)?.series.length ?? 0;
      if (length < count) return { why: 'strategy-bars', has: length, of: count };
    }
    return null;
  }

  /** The bars by which a candidate is ranked. */
  #feed(i: number, { bars }: UniverseTerms): BarFeed {
    const feed = feedOf(this.#deps.dispatch, i, timeframeOf(bars), true);
    assert(feed !== undefined, 'bars of each candidate are built', i);
    return feed;
  }

  /** Lengths by our clock: the market may move faster than real time. */
  #lengths({ bars, every }: UniverseTerms): { readonly everyMs: number; readonly sizeMs: number } {
    const sizeMs = Math.max(1, Math.round(bars / this.#deps.core.timings.barSpeed));
    return { everyMs: Math.round(every / bars) * sizeMs, sizeMs };
  }
}

/** Why fewer symbols were chosen than are wanted, and what to do; "" if as many were. */
function shortage(top: number, chosen: number, candidates: number, lacking: Readonly<Record<string, Lack>>): string {
  if (chosen >= top) return '';
  const places = `${chosen} of ${top} places are taken, of ${candidates} candidates`;
  const alike = new Map<Lack['why'], string[]>();
  for (const [symbol, { why }] of Object.entries(lacking)) alike.set(why, [...(alike.get(why) ?? []), symbol]);
  const reasons = [...alike.values()].map(([first, ...others]) => {
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    return `${first}: ${lackText(lacking[first!]!)}${more}`;
  });
  return reasons.length === 0 ? places : `${places}. ${reasons.join('; ')}. ${ADVICE}`;
}

/** How much of the past of candidates was read, in words. They are read side by side, so the share says more than the number. */
function readOf(
  candidates: readonly number[],
  past: readonly { readonly instrument: number; readonly share: number }[],
  isUnread: (i: number) => boolean,
): string {
  const shares = candidates.map((i) => past.find(({ instrument }) => instrument === i)?.share ?? (isUnread(i) ? 0 : 1));
  const whole = shares.filter((share) => share === 1).length;
  const percent = Math.floor((100 * shares.reduce((sum, share) => sum + share, 0)) / shares.length);
  return `${whole} of ${shares.length} symbols, ${percent} %`;
}

function universeOf({ setup }: Running): SetupUniverse {
  assert(setup.universe !== undefined, 'a strategy that chooses has a universe', 0, 'strategy', nameOf(setup));
  return setup.universe;
}

function isKnownTo({ builder }: BarFeed, time: number): boolean {
  return !(builder instanceof Bars) || builder.isKnownTo(time);
}
