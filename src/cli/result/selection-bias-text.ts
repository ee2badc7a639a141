/** How much of a result the search itself explains, for a terminal. */
import { span } from '../../base/figures.ts';
import { wrap } from '../../base/wrap.ts';
import { figureCell } from './figure-cell.ts';
import type { SelectionBias } from '../../report/research/search-result.ts';
import { table, WIDTH } from '../../report/document/text-table.ts';

const percent = (share: number): string => `${Math.round(share * 100)} %`;
const ratio = (value: number): string => figureCell('sharpe', value);

/** "" if there is nothing to say. */
export function selectionBiasText(selectionBias: SelectionBias | null): string {
  if (selectionBias === null) return '';
  const { figure, spanMs, cost, crossValidation, plateau } = selectionBias;
  const rows: (readonly [string, string])[] = [];
  if (cost !== null) {
    const { trials, finished, effectiveTrials, periods, sharpe, expectedBest, deflatedSharpe, detectable, overfitting, luck, heldOut } =
      cost;
    rows.push(
      [
        'different trials',
        `${trials}${finished < trials ? `, ${finished} of them to the end` : ''}, as many as ${effectiveTrials} independent ones; ${periods} returns of ${span(spanMs)} of each`,
      ],
      ['Sharpe ratio', `${ratio(sharpe)} a year for the best; ${ratio(expectedBest)} is expected of the best without skill`],
      ['deflated Sharpe', `${percent(deflatedSharpe)} likely that the true ratio is above that (95 % is wanted)`],
      ...(heldOut == null ? [] : [['held out', `${ratio(heldOut.sharpe)} a year for the chosen trial (above 0 is wanted)`] as const]),
      ['power', `a true ratio of ${ratio(detectable)} a year would be called skill 8 times in 10`],
      ['reality check', `p = ${luck.realityCheck.toFixed(3)}; SPA p = ${luck.spa.toFixed(3)} (0.05 or less is wanted)`],
      [
        'step by step',
        luck.passed.length === 0
          ? 'no trial is shown to earn anything, at 5 % for all together'
          : `${luck.passed.length} trials are shown to earn something, at 5 % for all together`,
      ],
    );
    if (overfitting !== null) {
      rows.push([
        'overfitting',
        `PBO ${percent(overfitting.probability)}: in that share of ${overfitting.splits} splits the best of one half is below the median in the other`,
      ]);
    }
  }
  if (crossValidation !== null) {
    const { splits, paths, judged, chosen, losingPaths } = crossValidation;
    rows.push([
      'cross-validation',
      `${splits} splits: Sharpe ratio of a year ${ratio(chosen)} where chosen, ${judged.map(ratio).join(' / ')} where judged; ${percent(losingPaths)} of ${paths} paths lose`,
    ]);
  }
  if (plateau !== null) {
    const { neighbours, median, best, rank } = plateau;
    rows.push([
      'plateau',
      `${neighbours} neighbours of the best: ${figure} ${figureCell(figure, median)} in the median beside ${figureCell(figure, best)}, better than ${percent(rank)} of all trials`,
    ]);
  }
  if (rows.length === 0) return '';
  const sentence = cost === null ? '' : `${wrap(cost.sentence, WIDTH).join('\n')}\n`;
  return `What the search itself explains\n${sentence}${table([{ title: '' }, { title: '', flows: true }], rows)}`;
}
