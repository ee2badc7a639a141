/** A run with the best parameters of a complete search. Its report says how much of the result the search itself explains. */
import { Failure } from '../../base/failure/failure.ts';
import type { StrategyChoice } from '../../config/model.ts';
import type { SearchResult } from '../../report/research/search-result.ts';
import type { RunReport } from '../../report/run-report.ts';
import { loadStrategy } from '../setup/strategy/load-strategy.ts';
import { tapeText } from './study/identity.ts';
import { storedResult } from './study/study-store.ts';

const OTHER_TAPE =
  'the parameters are those of a study on another tape than that of this run: the part that the search explains is about the other tape.';

export interface StudiedRun {
  readonly strategies: readonly StrategyChoice[];
  /** The report with the search that chose the parameters. */
  readonly reported: <T extends RunReport>(report: T) => T;
}

/** Parameters that are given already stay. @throws Failure if the study has no best trial or is of another strategy, or there are several */
export async function fromStudy(
  file: string,
  {
    strategies,
    tape,
    detail,
  }: { readonly strategies: readonly StrategyChoice[]; readonly tape: string; readonly detail?: string | undefined },
): Promise<StudiedRun> {
  const stored = storedResult(file);
  const { strategy, best, fixed, counts, searched, selectionBias } = JSON.parse(stored.json) as SearchResult;
  const isOtherTape = stored.tape !== tapeText(tape, detail);
  const [chosen, ...others] = strategies;
  const wrong = (what: string): Failure => new Failure('flag-value', { what, where: '--study' });
  if (chosen === undefined || others.length > 0) throw wrong(`a study is of one strategy, found ${strategies.length}`);
  const { name } = await loadStrategy(chosen.file);
  if (name !== strategy) throw wrong(`the study is of ${strategy}, the run of ${name}`);
  if (best === null || best.number === null) throw wrong('the study has no trial with a result');
  const origin = { trial: best.number, trials: counts.done, searched, selectionBias };
  return {
    strategies: [{ ...chosen, params: { ...fixed, ...best.params, ...chosen.params } }],
    reported(report) {
      // Getters of the report stay unread until somebody asks for them.
      return Object.defineProperties(
        {},
        {
          ...Object.getOwnPropertyDescriptors(report),
          search: { value: origin, enumerable: true },
          ...(isOtherTape ? { notes: { value: [...report.notes, OTHER_TAPE], enumerable: true } } : {}),
        },
      ) as typeof report;
    },
  };
}
