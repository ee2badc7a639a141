/** What a search maximises and which conditions a trial must meet, from the texts of their flags. */
import { Failure } from '../../base/failure/failure.ts';
import { didYouMean } from '../../base/text/suggest.ts';
import { FIGURES } from '../../run/search/results/trial-figures.ts';
import { parseConstraint, type Constraint, type Objective } from '../../search/trial.ts';

/** "totalReturn,maxDrawdown:min" as objectives. @throws Failure (flag-value) */
export function objectivesOf(text: string): readonly Objective[] {
  const found = text.split(',').map((one) => objective(one.trim()));
  if (new Set(found.map(({ figure }) => figure)).size < found.length) throw wrong('--by', `expected each figure once, found ${text}`);
  return found;
}

function objective(text: string): Objective {
  const [figure = '', direction] = text.split(':');
  const { better } = figureOf(figure, '--by');
  if (direction === undefined) return { figure, direction: better };
  if (direction !== 'min' && direction !== 'max') throw wrong('--by', `expected ${figure}:min or ${figure}:max, found ${text}`);
  return { figure, direction };
}

/** "trades>=30" as a condition. @throws Failure (flag-value) */
export function constraintsOf(texts: readonly string[]): readonly Constraint[] {
  return texts.map((text) => {
    const found = parseConstraint(text);
    if (found === null) {
      throw wrong('--constraint', `expected a figure, <, <=, > or >= and a number, found ${text}`, "such as 'maxDrawdown<0.2'");
    }
    figureOf(found.figure, '--constraint');
    return found;
  });
}

function figureOf(name: string, where: string): (typeof FIGURES)[string] {
  const row = Object.hasOwn(FIGURES, name) ? FIGURES[name] : undefined;
  if (row !== undefined) return row;
  const names = Object.keys(FIGURES);
  throw wrong(where, `there is no figure "${name}"`, didYouMean(name, names) ?? `there are ${names.join(', ')}`);
}

function wrong(where: string, what: string, hint?: string): Failure {
  return new Failure('flag-value', { what, where, hint });
}
