/** The choices of a run for its report: what came and went, and what was left out and why. */
import { lackText } from '../../../domain/universe.ts';
import { nameOf, type StrategySetup } from '../../../engine/strategy/definition/setup.ts';
import type { ExcludedSymbol, ReportedChoice, ReportedUniverse } from '../../../report/universe-choices.ts';
import type { UniverseChoice } from '../counts/universe-log.ts';

/** `guessed`: symbols of the tape without rules. Undefined if no strategy chooses its symbols. */
export function universeReport(
  strategies: readonly StrategySetup[],
  choices: readonly UniverseChoice[],
  guessed: readonly string[],
): readonly ReportedUniverse[] | undefined {
  const found = strategies.flatMap((setup): ReportedUniverse[] => {
    if (setup.universe === undefined) return [];
    const { exclude, from } = setup.universe.terms;
    const own = choices.filter(({ strategy }) => strategy === nameOf(setup));
    const without = guessed.filter((symbol) => !exclude.includes(symbol) && (from.length === 0 || from.includes(symbol)));
    const ruleless = without.map((symbol): ExcludedSymbol => ({
      symbol,
      choices: null,
      why: 'its rules (tick, lot, fees) are not known',
      lack: 'rules',
    }));
    return [{ strategy: nameOf(setup), choices: own.map(reported), excluded: [...leftOut(own), ...ruleless] }];
  });
  return found.length === 0 ? undefined : found;
}

function reported({ at, lacking, symbols }: UniverseChoice, k: number, all: readonly UniverseChoice[]): ReportedChoice {
  const before = all[k - 1]?.symbols ?? [];
  return {
    at,
    symbols,
    joined: symbols.filter((symbol) => !before.includes(symbol)),
    left: before.filter((symbol) => !symbols.includes(symbol)),
    excluded: Object.keys(lacking).length,
  };
}

function leftOut(choices: readonly UniverseChoice[]): ExcludedSymbol[] {
  const found = new Map<string, ExcludedSymbol & { readonly choices: number }>();
  for (const { lacking } of choices)
    for (const [symbol, lack] of Object.entries(lacking)) {
      const key = `${symbol} ${lack.why}`;
      const before = found.get(key);
      found.set(key, { symbol, choices: (before?.choices ?? 0) + 1, why: before?.why ?? lackText(lack), lack: lack.why });
    }
  return [...found.values()].sort((a, b) => (a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : b.choices - a.choices));
}
