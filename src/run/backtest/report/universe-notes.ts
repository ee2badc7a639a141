/**
 * Writes the notes of a report about symbols that were chosen while the run went on: which the data lacked, and which nobody could choose.
 */
import { counted, firstOf } from '../../../base/text/figures.ts';
import { barsWantedBy, type Lack } from '../../../domain/universe.ts';
import { formatDuration } from '../../../base/time/duration.ts';
import { nameOf, type StrategySetup } from '../../../engine/strategy/definition/setup.ts';
import type { UniverseChoice } from '../counts/universe-log.ts';
import type { RunFacts } from './run-facts.ts';

/** Symbols that a note names, at most. */
const NAMED = 20;

export function universeNotes(facts: Pick<RunFacts, 'strategies' | 'counters' | 'guessed' | 'options' | 'manifest'>): string[] {
  const { strategies, counters } = facts;
  return strategies.flatMap((setup) => {
    const choices = counters.universes.choices.filter(({ strategy }) => strategy === nameOf(setup));
    return setup.universe === undefined ? [] : notesOf(setup, choices, facts);
  });
}

function notesOf(
  { universe, ...setup }: StrategySetup,
  choices: readonly UniverseChoice[],
  { guessed, options, manifest }: Pick<RunFacts, 'guessed' | 'options' | 'manifest'>,
): string[] {
  const { terms, candidates } = universe!;
  const name = nameOf(setup);
  const made = choices.filter(({ symbols }) => symbols.length > 0);
  const [first] = made;
  const wanted = barsWantedBy(terms);
  const needed =
    made.length === choices.length
      ? ''
      : ` A choice needs ${counted(wanted, 'bar')} of ${formatDuration(terms.bars)} before it; the first bar of a tape is none of them, for its beginning is not known.`;
  const few = candidates.length < terms.top ? `, fewer than its top ${terms.top}` : '';
  const most = Math.min(terms.top, candidates.length);
  const ranked = `${most} of ${candidates.length} candidates by ${terms.by} over ${formatDuration(terms.window)}${few}`;
  const notes =
    first === undefined
      ? [`${name} never chose a symbol (${ranked}): no candidate had its bars.${needed} Use a longer tape, or --from.`]
      : [`${name} chose ${ranked}, ${counted(made.length, 'time')}, first for ${shown(first.at)}.${needed}`];
  const gone = lackingOf(choices, ['gone'], ({ symbol, last }) => `${symbol} (no trade since ${'since' in last ? shown(last.since) : ''})`);
  if (gone.length > 0)
    notes.push(`${name}: delisted, or silent at a choice: ${firstOf(gone, NAMED)}; what was still held there found no price to close at.`);
  const young = lackingOf(
    choices,
    ['no-bars', 'young', 'strategy-bars', 'no-number', 'unread'],
    ({ symbol, count: n }) => `${symbol} (${n})`,
  );
  if (young.length > 0)
    notes.push(`${name}: without enough bars, by how many of ${counted(choices.length, 'choice')}: ${firstOf(young, NAMED)}.`);
  const isWanted = (symbol: string): boolean => !terms.exclude.includes(symbol) && (terms.from.length === 0 || terms.from.includes(symbol));
  const without = guessed.filter(isWanted);
  if (without.length > 0)
    notes.unshift(
      `${name} cannot choose symbols whose rules are not known: ${firstOf(without, NAMED)}. \`tickwright tape info TAPE --instruments FILE\` writes a row for each; name the file as \`instruments\` in the configuration.`,
    );
  const onTape = new Set(manifest.symbols.map(({ symbol }) => symbol));
  const stated = options.config.instruments.flatMap(({ product, symbol }) => (product === 'futures' ? [symbol] : []));
  const absent = stated.filter((symbol) => isWanted(symbol) && !onTape.has(symbol));
  if (absent.length > 0) notes.push(`${name} could never choose what this tape does not have: ${firstOf(absent, NAMED)}.`);
  notes.push(`${name} chose among symbols that somebody recorded: what was delisted before, and is not on the tape, is missing from it.`);
  return notes;
}

interface Lacking {
  readonly symbol: string;
  /** Number of choices. */
  readonly count: number;
  readonly last: Lack;
}

/** Symbols that could not be chosen for one of these reasons, in words. */
function lackingOf(choices: readonly UniverseChoice[], reasons: readonly Lack['why'][], words: (lacking: Lacking) => string): string[] {
  const found = new Map<string, Lacking>();
  for (const { lacking } of choices) {
    for (const [symbol, last] of Object.entries(lacking)) {
      const before = found.get(symbol);
      // The bars of a symbol that is gone are kept for a while: the first time says since when.
      if (reasons.includes(last.why)) found.set(symbol, { symbol, count: (before?.count ?? 0) + 1, last: before?.last ?? last });
    }
  }
  return [...found.values()].sort((a, b) => (a.symbol < b.symbol ? -1 : 1)).map(words);
}

function shown(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ');
}
