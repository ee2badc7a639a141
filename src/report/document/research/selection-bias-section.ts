/**
 * Says how much of a result the search itself explains: the verdict, the tests of its trials against luck, and how its best trial does out
 * of sample.
 */
import type { SearchCost } from '../../../statistics/overfitting/search-cost.ts';
import { figureText } from '../../research/search-figures.ts';
import type { SelectionBias } from '../../research/search-result.ts';
import { sentence, type Fact, type Section } from '../document.ts';
import { duration, percent, ratio, whole } from '../figures.ts';

/** Nothing if there is nothing to show, as in a study of an older version. */
export function selectionBiasSection(selectionBias: SelectionBias | null | undefined): Section[] {
  if (selectionBias == null) return [];
  const { cost, crossValidation, plateau, figure, spanMs } = selectionBias;
  const facts = [
    ...(cost === null ? [] : luckOf(cost, spanMs)),
    ...(crossValidation === null ? [] : [judgedOf(crossValidation)]),
    ...(plateau === null ? [] : [plateauOf(plateau, figure)]),
  ];
  if (facts.length === 0) return [];
  return [
    {
      id: 'cost',
      link: 'Cost of the search',
      title: 'What the search itself explains',
      words: 'the best of many trials looks good even when none has skill',
      verdict: cost?.verdict === 'skill' ? 'good' : 'doubtful',
      blocks: [sentence(cost?.sentence ?? 'The trials have too few returns in common for a test against luck.'), { kind: 'facts', facts }],
    },
  ];
}

/** A figure that is good or bad; `key` is its place in the JSON. */
function factOf(title: string, key: string, value: number, text: string, words: string, isGood: boolean | null = null): Fact {
  const tone = isGood === null ? '' : isGood ? 'up' : 'down';
  return { title, figure: { text, value, key: `selectionBias.${key}`, tone }, words };
}

function luckOf(cost: SearchCost, spanMs: number): Fact[] {
  const { trials, finished, effectiveTrials, periods, sharpe, expectedBest, deflatedSharpe, detectable, luck, overfitting, heldOut } = cost;
  const ended = finished < trials ? `${whole(finished)} to the end; ` : '';
  const facts = [
    factOf(
      'Highest Sharpe ratio',
      'cost.sharpe',
      sharpe,
      ratio(sharpe),
      `a year, of any trial, from its ${whole(periods)} returns; ${ratio(expectedBest)} is expected of the highest without skill`,
      sharpe > expectedBest,
    ),
    factOf(
      'Deflated Sharpe',
      'cost.deflatedSharpe',
      deflatedSharpe,
      percent(deflatedSharpe, 1),
      `likely above that; 95 % is wanted. A true ratio of ${ratio(detectable)} a year would be found 8 times in 10`,
      deflatedSharpe >= 0.95,
    ),
    ...(heldOut == null
      ? []
      : [
          factOf(
            'Sharpe ratio held out',
            'cost.heldOut.sharpe',
            heldOut.sharpe,
            ratio(heldOut.sharpe),
            'a year, of the chosen trial, from returns of the same length; above 0 is wanted',
            heldOut.sharpe > 0,
          ),
        ]),
    factOf(
      'SPA test',
      'cost.luck.spa',
      luck.spa,
      `p ${luck.spa.toFixed(3)}`,
      `reality check p ${luck.realityCheck.toFixed(3)}; 0.05 or less is wanted`,
      luck.spa <= 0.05,
    ),
    factOf(
      'Different trials',
      'cost.effectiveTrials',
      effectiveTrials,
      whole(trials),
      `${ended}as many as ${whole(effectiveTrials)} independent ones; ${whole(periods)} returns of ${duration(spanMs)} of each; ${whole(luck.passed.length)} pass step by step`,
    ),
  ];
  if (overfitting === null) return facts;
  const { probability, splits } = overfitting;
  const words = `of ${whole(splits)} splits: the best of one half is below the median of the other`;
  return [
    ...facts,
    factOf('Overfitting (PBO)', 'cost.overfitting.probability', probability, percent(probability, 1), words, probability < 0.5),
  ];
}

function judgedOf({ splits, paths, judged, chosen, losingPaths }: NonNullable<SelectionBias['crossValidation']>): Fact {
  const words = `yearly Sharpe ratio where it was judged, ${ratio(chosen)} where it was chosen (median of ${whole(splits)} splits); a quarter below ${ratio(judged[0])}, a quarter above ${ratio(judged[2])}; ${percent(losingPaths, 0)} of ${whole(paths)} paths lose`;
  return factOf('Cross-validation', 'crossValidation.judged', judged[1], ratio(judged[1]), words, judged[1] > 0);
}

function plateauOf({ neighbours, median, best, rank }: NonNullable<SelectionBias['plateau']>, figure: string): Fact {
  const words = `of all trials are worse than the median of ${whole(neighbours)} neighbours: ${figure} ${figureText(figure, median)} beside ${figureText(figure, best)}`;
  return factOf('Plateau', 'plateau.rank', rank, percent(rank, 0), words, rank >= 0.5);
}
