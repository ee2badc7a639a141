/** Symbols of a strategy that are chosen while it runs: the candidates, the choice in force, and how both survive a restart. */
import { type Instrument, tradedName } from '../../../domain/instrument.ts';
import type { Lack, UniverseTerms } from '../../../domain/universe.ts';

export interface SetupUniverse {
  readonly terms: UniverseTerms;
  /** Indexes of the instruments that may be chosen. */
  readonly candidates: readonly number[];
  /** Moment of the choice in force; −Infinity before the first, and if other terms made it. */
  readonly at: number;
  /** The choice, best first. */
  readonly chosen: readonly number[];
  /** Chosen before, and not flat yet. */
  readonly leaving: readonly number[];
  /** What led to the choice; absent before the first, and of older versions. */
  readonly reasons?: ChoiceReasons | undefined;
}

/** What led to a choice, by symbol. Plain JSON. */
export interface ChoiceReasons {
  /** All that could be ranked, the highest first. */
  readonly ranks: readonly (readonly [symbol: string, value: number])[];
  /** Why the others could not. */
  readonly lacking: Readonly<Record<string, Lack>>;
  /** Since when each symbol is in: the moment of its choice, in milliseconds. */
  readonly since: Readonly<Record<string, number>>;
}

/** A strategy that has a universe, or none. */
interface Chooses {
  readonly instruments: readonly number[];
  readonly universe?: SetupUniverse | undefined;
}

/** The choice in force. Plain JSON. */
export interface SavedUniverse {
  readonly at: number;
  /** The terms that it was made by, as text. */
  readonly terms: string;
  readonly symbols: readonly string[];
  readonly leaving: readonly string[];
  readonly reasons?: ChoiceReasons | undefined;
}

/** By strategy. */
export type UniversesByStrategy = Readonly<Record<string, SavedUniverse>>;

export function savedUniverse({ terms, at, chosen, leaving, reasons }: SetupUniverse, instruments: readonly Instrument[]): SavedUniverse {
  const names = (list: readonly number[]): string[] => list.map((index) => tradedName(instruments[index]!));
  return {
    at,
    terms: JSON.stringify(terms),
    symbols: names(chosen),
    leaving: names(leaving),
    ...(reasons === undefined ? {} : { reasons }),
  };
}

/** The strategy with the choice that was saved. Symbols that the file of instruments does not have any more are left out. */
export function withUniverse<S extends Chooses>(setup: S, saved: SavedUniverse | undefined, instruments: readonly Instrument[]): S {
  const { universe } = setup;
  if (universe === undefined || saved === undefined) return setup;
  const known = (names: readonly string[]): number[] =>
    names.flatMap((name) => instruments.find((one) => tradedName(one) === name)?.index ?? []);
  const [chosen, leaving] = [known(saved.symbols), known(saved.leaving)];
  const at = saved.terms === JSON.stringify(universe.terms) ? saved.at : -Infinity;
  return { ...setup, instruments: [...chosen, ...leaving], universe: { ...universe, at, chosen, leaving, reasons: saved.reasons } };
}

/** Instruments in which the strategy may ever trade. */
export function reachOf({ instruments, universe }: Chooses): readonly number[] {
  return universe === undefined ? instruments : [...new Set([...instruments, ...universe.candidates])];
}

/** Instruments in which it may open now. */
export function openIn({ instruments, universe }: Chooses): readonly number[] {
  return universe === undefined ? instruments : universe.chosen;
}
