/** Problems of the list of strategies that only the whole configuration shows: names, symbols and universes. */
import type { Problem } from '../base/failure/failure.ts';
import type { Settings } from './defaults.ts';
import { universeProblems } from './schema/universe-section.ts';

/** The place of a key in the configuration file, or its source. */
type Place = (path: readonly (string | number)[]) => string | undefined;

/** @param unknown the problem of a symbol that is no instrument; null for one that is */
export function strategyProblems(
  { strategies }: Settings,
  place: Place,
  unknown: (symbol: string, key: string, where: string | undefined) => Problem | null,
): Problem[] {
  const problems: (Problem | null)[] = [];
  for (const [k, { name, symbols, universe }] of strategies.entries()) {
    const first = strategies.findIndex((one) => one.name !== undefined && one.name === name);
    if (first >= 0 && first !== k) {
      problems.push({
        what: `strategies.${k}.name: "${name}" is the name of strategies.${first} already`,
        where: place(['strategies', k, 'name']),
        hint: 'give each strategy a name of its own: its state is kept under it',
      });
    }
    for (const [at, symbol] of symbols.entries()) {
      const where = place(['strategies', k, 'symbols', at]);
      problems.push(unknown(symbol, 'strategies', where));
      if (symbols.indexOf(symbol) === at) continue;
      problems.push({ what: `strategies.${k}.symbols: ${symbol} is listed twice`, where, hint: 'list each symbol once' });
    }
    if (universe === undefined) continue;
    const key = `strategies.${k}.universe`;
    const where = place(['strategies', k, 'universe']);
    for (const list of ['from', 'exclude'] as const)
      for (const [at, symbol] of universe[list].entries())
        problems.push(unknown(symbol, key, place(['strategies', k, 'universe', list, at])));
    problems.push(...universeProblems(universe, key, where));
    if (symbols.length > 0)
      problems.push({ what: `strategies.${k}: symbols and universe are both given`, where, hint: 'name candidates in universe.from' });
  }
  return problems.filter((problem) => problem !== null);
}
