/** How much of a result the search itself explains: the verdict, the tests of its trials against luck, and how its best trial does out of sample. */
import { duration, percent, ratio, whole } from '../document/figures.ts';
import { figureText } from '../research/search-figures.ts';
import { tilesMarkup, type Tile } from './document.ts';
import { html, type Markup } from './markup.ts';
import type { SelectionBias } from '../research/search-result.ts';

/** Empty markup if there is nothing to show, as in a study of an older version. */
export function selectionBiasCard(selectionBias: SelectionBias | null | undefined): Markup {
  if (selectionBias == null) return html``;
  const { cost } = selectionBias;
  const tiles = tilesFor(selectionBias);
  if (tiles.length === 0) return html``;
  const sentence =
    cost === null
      ? html`<p class="sentence">The trials have too few returns in common for a test against luck.</p>`
      : html`<p class="sentence">${cost.sentence}</p>`;
  return html`<section id="cost">
    <div class="card verdict ${cost?.verdict === 'skill' ? 'skill' : ''}">
      <div class="head">
        <h2>What the search itself explains</h2>
        <p>the best of many trials looks good even when none has skill</p>
      </div>
      ${sentence}
    </div>
    ${tilesMarkup(tiles)}
  </section>`;
}

function tilesFor({ figure, spanMs, cost, crossValidation, plateau }: SelectionBias): Tile[] {
  const tiles: Tile[] = [];
  const add = (title: string, key: string, value: number, text: string, small: string, isGood: boolean | null = null): void => {
    const tone = isGood === null ? '' : isGood ? 'up' : 'down';
    tiles.push({ title, key: `selectionBias.${key}`, value, text, small, tone });
  };
  if (cost !== null) {
    const { trials, finished, effectiveTrials, periods, sharpe, expectedBest, deflatedSharpe, detectable, luck, overfitting, heldOut } =
      cost;
    add(
      'Sharpe ratio of the best',
      'cost.sharpe',
      sharpe,
      ratio(sharpe),
      `a year; ${ratio(expectedBest)} is expected of the best without skill`,
      sharpe > expectedBest,
    );
    add(
      'Deflated Sharpe',
      'cost.deflatedSharpe',
      deflatedSharpe,
      percent(deflatedSharpe, 1),
      `likely above that; 95 % is wanted. A true ratio of ${ratio(detectable)} a year would be found 8 times in 10`,
      deflatedSharpe >= 0.95,
    );
    if (heldOut != null) {
      const text = ratio(heldOut.sharpe);
      add(
        'Sharpe ratio held out',
        'cost.heldOut.sharpe',
        heldOut.sharpe,
        text,
        'a year, of the chosen trial; above 0 is wanted',
        heldOut.sharpe > 0,
      );
    }
    add(
      'SPA test',
      'cost.luck.spa',
      luck.spa,
      `p ${luck.spa.toFixed(3)}`,
      `reality check p ${luck.realityCheck.toFixed(3)}; 0.05 or less is wanted`,
      luck.spa <= 0.05,
    );
    add(
      'Different trials',
      'cost.effectiveTrials',
      effectiveTrials,
      whole(trials),
      `${finished < trials ? `${whole(finished)} to the end; ` : ''}as many as ${whole(effectiveTrials)} independent ones; ${whole(periods)} returns of ${duration(spanMs)} of each; ${whole(luck.passed.length)} pass step by step`,
    );
    if (overfitting !== null) {
      const small = `of ${whole(overfitting.splits)} splits: the best of one half is below the median of the other`;
      add(
        'Overfitting (PBO)',
        'cost.overfitting.probability',
        overfitting.probability,
        percent(overfitting.probability, 1),
        small,
        overfitting.probability < 0.5,
      );
    }
  }
  if (crossValidation !== null) {
    const { splits, paths, judged, chosen, losingPaths } = crossValidation;
    const small = `yearly Sharpe ratio where it was judged, ${ratio(chosen)} where it was chosen (median of ${whole(splits)} splits); ${percent(losingPaths, 0)} of ${whole(paths)} paths lose`;
    add('Cross-validation', 'crossValidation.judged', judged[1], ratio(judged[1]), small, judged[1] > 0);
  }
  if (plateau !== null) {
    const { neighbours, median, best, rank } = plateau;
    const small = `of all trials are worse than the median of ${whole(neighbours)} neighbours: ${figure} ${figureText(figure, median)} beside ${figureText(figure, best)}`;
    add('Plateau', 'plateau.rank', rank, percent(rank, 0), small, rank >= 0.5);
  }
  return tiles;
}
