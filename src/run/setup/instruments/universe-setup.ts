/** The universe of a strategy from its configuration: which instruments may be chosen. */
import { Failure } from '../../../base/failure/failure.ts';
import type { StrategyChoice } from '../../../config/model.ts';
import type { Instrument } from '../../../domain/instrument.ts';
import { nameOf, type StrategySetup } from '../../../engine/strategy/definition/setup.ts';
import { reachOf, type SetupUniverse } from '../../../engine/strategy/definition/universe.ts';

/**
 * Candidates of a choice: futures whose rules are known. `guessed`: symbols of a tape without rules, which are none. Undefined without a
 * universe. @throws Failure if nothing can be chosen
 */
export function universeFor(
  { universe: terms, file }: StrategyChoice,
  instruments: readonly Instrument[],
  guessed: readonly string[],
): SetupUniverse | undefined {
  if (terms === undefined) return undefined;
  const wanted = instruments.filter(({ symbol, product }) => {
    return product === 'futures' && (terms.from.length === 0 || terms.from.includes(symbol)) && !terms.exclude.includes(symbol);
  });
  const candidates = wanted.filter(({ symbol }) => !guessed.includes(symbol)).map(({ index }) => index);
  if (candidates.length > 0) return { terms, candidates, at: -Infinity, chosen: [], leaving: [] };
  const without = wanted.filter(({ symbol }) => guessed.includes(symbol)).map(({ symbol }) => symbol);
  throw new Failure('config-invalid', {
    what:
      without.length === 0
        ? 'universe: no futures symbol of this market may be chosen'
        : `universe: no symbol has rules (tick, lot, fees); without rules are ${without.join(', ')}`,
    where: file,
    hint:
      without.length === 0
        ? 'look at universe.from and universe.exclude'
        : '`tickwright tape info TAPE --instruments FILE` writes a row for each; name the file as `instruments` in the configuration',
  });
}

/** A position does not say which part of it is whose, so what a universe may close must be its own. @throws Failure */
export function checkUniverses(setups: readonly StrategySetup[], instruments: readonly Instrument[]): void {
  for (const setup of setups) {
    if (setup.universe === undefined) continue;
    const { candidates } = setup.universe;
    for (const other of setups) {
      if (other === setup) continue;
      const shared = reachOf(other).filter((index) => candidates.includes(index));
      if (shared.length === 0) continue;
      const symbols = shared.map((index) => instruments[index]!.symbol);
      throw new Failure('config-invalid', {
        what: `the universe of ${nameOf(setup)} has symbols that ${nameOf(other)} trades too: ${symbols.join(', ')}`,
        where: setup.file,
        hint: `a position does not say which part is whose: name them in universe.exclude of ${nameOf(setup)}`,
      });
    }
  }
}
