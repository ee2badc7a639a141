/** What is meant by a word that does not exist. */
import { expect, it } from 'vitest';
import { didYouMean, suggest } from '../../../src/base/text/suggest.ts';

const FIGURES = ['beta', 'netProfit', 'largestWin', 'mar'];

it.each([
  ['netprofit', FIGURES, 'netProfit'],
  ['largetsWin', FIGURES, 'largestWin'],
  ['net', FIGURES, 'netProfit'],
  ['larg', FIGURES, 'largestWin'],
  ['foo', FIGURES, null],
  ['strategeis', ['store', 'strategyGuard', 'strategies'], 'strategies'],
  ['strategy', ['store', 'strategyGuard', 'strategies'], null],
  ['reduceonlymode', ['reduceOnly', 'reduceOnlyBars'], null],
  ['onBr', ['onBar', 'onFill'], 'onBar'],
])('%s', (word, known, meant) => {
  expect(suggest(word, known)).toBe(meant);
  expect(didYouMean(word, known)).toBe(meant === null ? undefined : `did you mean "${meant}"?`);
});
