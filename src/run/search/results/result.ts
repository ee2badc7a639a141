/** The parts of the result of a search: which trials are chosen, how they are shown, what the objective depends on. */
import { importanceOf } from '../../../search/importance.ts';
import { bestOf, paretoFront } from '../../../search/ranking.ts';
import { placesOf, type Dimension } from '../../../search/space.ts';
import type { ImportanceRow, Judged, ParamTexts, SearchedTrial } from '../../../report/research/search-result.ts';
import type { Objective, Outcome, Trial } from '../../../search/trial.ts';

const FRONT_MAX = 20;

/** The trials that are run again on the last part: the best, or the front of several objectives. */
export function chosenTrials(trials: readonly Trial[], objectives: readonly Objective[]): Trial[] {
  const best = bestOf(trials);
  if (best === null) return [];
  if (objectives.length === 1) return [best];
  const front = [...paretoFront(trials)].sort((a, b) => a.costs[0]! - b.costs[0]! || a.number - b.number);
  const distinct = front.filter(
    ({ point }, at) => front.findIndex((other) => JSON.stringify(other.point) === JSON.stringify(point)) === at,
  );
  if (distinct.length === 0) return [best];
  if (distinct.length <= FRONT_MAX) return distinct;
  // Evenly along the front, its ends included.
  return Array.from({ length: FRONT_MAX }, (_, k) => distinct[Math.round((k * (distinct.length - 1)) / (FRONT_MAX - 1))]!);
}

export function searchedTrial({ number, point, state, rungs, outcome, violation }: Trial, params: ParamTexts): SearchedTrial {
  const { figures = {}, hash = '', error, returns = [] } = outcome ?? {};
  const row = { number, params, point, state, runs: rungs, figures, meetsConstraints: violation === 0, returns, hash };
  return error === undefined ? row : { ...row, error };
}

export function judged(number: number | null, params: ParamTexts, searched: Outcome, holdout: Outcome | null): Judged {
  const error = searched.error ?? holdout?.error;
  const row = { number, params, searched: searched.figures, holdout: holdout?.figures ?? null };
  return error === undefined ? row : { ...row, error };
}

/** Importance of parameters and of pairs for each objective, the largest first. */
export function importanceRows(
  trials: readonly Trial[],
  space: readonly Dimension[],
  objectives: readonly Objective[],
  seed: number,
): Record<string, ImportanceRow[] | null> {
  const done = trials.filter(({ state }) => state === 'done');
  const places = done.map(({ point }) => placesOf(space, point));
  return Object.fromEntries(
    objectives.map(({ figure }, k) => {
      const values = done.map(({ costs }) => costs[k]!);
      const found = values.every(Number.isFinite) ? importanceOf(places, values, seed) : null;
      if (found === null) return [figure, null];
      const rows = [
        ...found.single.map((share, i) => ({ params: [space[i]!.name], share })),
        ...found.pairs.map(({ first, second, share }) => ({ params: [space[first]!.name, space[second]!.name], share })),
      ];
      return [figure, rows.sort((a, b) => b.share - a.share)];
    }),
  );
}
