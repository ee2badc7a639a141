/** Reads from the texts of flags what a search maximises, and which conditions a trial must meet. */
import { Failure } from '../../base/failure/failure.ts';
import { didYouMean } from '../../base/text/suggest.ts';
import { FIGURES, OWN } from '../../run/search/results/trial-figures.ts';
import { ExpressionError, parseExpression, type Expression } from '../../search/expression.ts';
import { parseConstraint, type Constraint, type Objective } from '../../search/trial.ts';

/** "totalReturn,maxDrawdown:min" or "sharpe - 0.1 * averageDrawdown" as objectives. @throws Failure (flag-value) */
export function objectivesOf(text: string): readonly Objective[] {
  const found = parts(text).map((one) => objective(one.trim()));
  if (new Set(found.map(({ figure }) => figure)).size < found.length) throw wrong('--by', `expected each figure once, found ${text}`);
  return found;
}

/** The parts between commas that are in no parentheses: those belong to a function. */
function parts(text: string): string[] {
  const found = [''];
  let depth = 0;
  for (const letter of text) {
    if (letter === '(') depth++;
    if (letter === ')') depth--;
    if (letter === ',' && depth <= 0) found.push('');
    else found[found.length - 1] += letter;
  }
  return found;
}

function objective(text: string): Objective {
  const [figures = '', direction] = text.split(':');
  const { text: figure } = expressionOf(figures, '--by');
  // More is better of what the author made himself.
  if (direction === undefined) return { figure, direction: FIGURES[figure]?.better ?? 'max' };
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
    return { ...found, figure: expressionOf(found.figure, '--constraint').text };
  });
}

/** @throws Failure (flag-value) naming the figures that exist, or the place where the text stops being an expression */
function expressionOf(text: string, where: string): Expression {
  let expression: Expression;
  try {
    expression = parseExpression(text);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const hint = "such as sharpe, or 'sharpe - 0.1 * averageDrawdown'; docs/reference/metrics.md has the metrics";
    throw wrong(where, `"${text}" at character ${error.at}: ${error.message}`, hint);
  }
  const names = [...Object.keys(FIGURES), OWN];
  for (const name of expression.names) {
    if (name === OWN || Object.hasOwn(FIGURES, name)) continue;
    const hint = didYouMean(name, names) ?? `there are ${names.join(', ')}; "${OWN}" is the function that the strategy file exports`;
    throw wrong(where, `there is no figure "${name}"`, hint);
  }
  if (expression.names.length > 0) return expression;
  throw wrong(where, `expected at least one figure, found "${text}"`, "such as 'sharpe - 0.1 * averageDrawdown'");
}

function wrong(where: string, what: string, hint?: string): Failure {
  return new Failure('flag-value', { what, where, hint });
}
