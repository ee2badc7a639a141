/** The result of a search as a page: how much luck explains, how the best trial does out of sample, and what the objective depends on. */
import { dimensionText } from '../../../search/space.ts';
import { constraintText } from '../../../search/trial.ts';
import { documentOf, headingOf, navigationOf, notesMarkup, type HashOf, type PageFiles } from '../document.ts';
import { moment, toneOf, whole } from '../../document/figures.ts';
import { figureText } from '../../research/search-figures.ts';
import { html, type Markup } from '../markup.ts';
import type { Judged, SearchResult } from '../../research/search-result.ts';
import { selectionBiasCard } from '../selection-bias-card.ts';
import { landscapeOf } from './landscape.ts';
import { doneTrials, paramsText, shortValue } from './sample.ts';
import { frontOf, historyOf, importanceOf, parallelOf, slicesOf } from './trial-charts.ts';
import { tableOf, type Head } from '../table.ts';

/** Figures beside the objectives. */
const USUAL_COLUMNS: readonly string[] = ['totalReturn', 'sharpe', 'maxDrawdown', 'trades'];
const BEST = 20;

export const RESEARCH_FOOTER = html`<footer><p>Made by Tickwright. The file loads nothing from anywhere and has no script.</p></footer>`;

export function searchPage(result: SearchResult, files: PageFiles, hashOf: HashOf): string {
  const { strategy, trials, counts, sampler, seed, searched, hash, selectionBias } = result;
  const title = `Search of ${strategy}: ${whole(trials.length)} trials`;
  const early = [
    counts.pruned > 0 ? `${whole(counts.pruned)} pruned` : '',
    counts.failed > 0 ? `${whole(counts.failed)} without a result` : '',
  ];
  const small = `${moment(searched.from)} to ${moment(searched.to)} UTC, ${[`${whole(counts.done)} to the end`, ...early].filter((one) => one !== '').join(', ')}, sampler ${sampler}, seed ${seed}, hash ${hash}`;
  const card = selectionBiasCard(selectionBias);
  const parts = { front: frontOf(result), landscape: landscapeOf(result), slices: slicesOf(result), parallel: parallelOf(result) };
  const body = html`${headingOf(title, small)}
    ${navigationOf([
      ['notes', 'Read first'],
      card.text === '' ? null : ['cost', 'Cost of the search'],
      ['judged', 'Held out'],
      ['trials', 'Trials'],
      parts.front === null ? null : ['front', 'Front'],
      parts.landscape === null ? null : ['landscape', 'Heat map'],
      parts.slices === null ? null : ['slices', 'Parameters'],
      parts.parallel === null ? null : ['parallel', 'All at once'],
      ['best', 'Best trials'],
      ['settings', 'Space'],
    ])}
    ${notesOf(result)} ${card} ${judgedOf(result)}
    <section id="trials" class="card">
      <div class="two">
        <div>${historyOf(result)}</div>
        <div>${importanceOf(result)}</div>
      </div>
    </section>
    ${parts.front} ${parts.landscape} ${parts.slices} ${parts.parallel} ${bestOf(result)} ${settingsOf(result)} ${RESEARCH_FOOTER}`;
  return documentOf({ title, body, files, hashOf });
}

function notesOf({ notes, isComplete, trials }: SearchResult): Markup {
  const all = isComplete ? notes : [`the search was interrupted after ${trials.length} trials.`, ...notes];
  return notesMarkup([{ title: '', notes: all.map((note) => html`<li>${note}</li> `) }], 'on the search');
}

/** The chosen trials and the defaults: the part that was searched beside the part that took no part in it. */
function judgedOf({ front, defaults, objectives, holdout, best }: SearchResult): Markup {
  if (best === null) return html``;
  const names = columnsOf(objectives);
  const rows = [...front, defaults].flatMap((one) => judgedRows(one, names, holdout !== null));
  const span =
    holdout === null
      ? 'nothing was held out'
      : `held out: ${moment(holdout.from)} to ${moment(holdout.to)} UTC, which took no part in the search`;
  return html`<section id="judged" class="card">
    <div class="head">
      <h2>Where it was searched, and where it was not</h2>
      <p>${span}</p>
    </div>
    ${heldOutSentence(best, objectives[0]!.figure)}
    <div class="scroll">${tableOf(['', 'parameters', 'part', ...names.map((name): Head => [name])], rows)}</div>
  </section>`;
}

function heldOutSentence({ searched, holdout }: Judged, figure: string): Markup | null {
  const [here, there] = [searched[figure] ?? null, holdout?.[figure] ?? null];
  if (here === null || there === null) return null;
  return html`<p class="sentence">
    The best has ${figure} ${figureText(figure, here)} where it was searched, and ${figureText(figure, there)} where it was not.
  </p>`;
}

function judgedRows({ number, params, searched, holdout, error }: Judged, names: readonly string[], hasHoldout: boolean): Markup[] {
  const cells = (figures: Judged['searched'], key: string): Markup[] =>
    names.map((name) => {
      const value = figures[name] ?? null;
      const tone = name === 'totalReturn' ? toneOf(value ?? 0) : '';
      return html`<td class="n ${tone}" data-key="${key}.${name}" data-value="${String(value)}">${figureText(name, value)}</td>`;
    });
  const title = number === null ? 'defaults' : `trial ${number}`;
  const first = html`<tr class="${number === null ? '' : 'chosen'}">
    <td>${title}</td>
    <td>${number === null ? '' : paramsText(params)}</td>
    <td>searched</td>
    ${cells(searched, 'searched')}
  </tr> `;
  if (!hasHoldout) return [first];
  return [
    first,
    html`<tr>
      <td></td>
      <td class="down">${error ?? ''}</td>
      <td>held out</td>
      ${cells(holdout ?? {}, 'holdout')}
    </tr> `,
  ];
}

export function columnsOf(objectives: SearchResult['objectives']): readonly string[] {
  return [...new Set([...objectives.map(({ figure }) => figure), ...USUAL_COLUMNS])];
}

function bestOf(result: SearchResult): Markup {
  const { objectives, space } = result;
  const [objective] = objectives;
  if (objective === undefined) return html``;
  const sign = objective.direction === 'max' ? -1 : 1;
  const best = doneTrials(result)
    .filter(({ trial }) => trial.meetsConstraints)
    .toSorted((a, b) => sign * (a.values[0]! - b.values[0]!))
    .slice(0, BEST);
  const names = columnsOf(objectives);
  const rows = best.map(
    ({ trial }) =>
      html`<tr>
        <td class="n">${trial.number}</td>
        ${space.map(({ name }) => html`<td class="n">${shortValue(trial.params[name] ?? '')}</td>`)}
        ${names.map((name) => html`<td class="n">${figureText(name, trial.figures[name])}</td>`)}
      </tr> `,
  );
  return html`<section id="best" class="card">
    <div class="head">
      <h2>The best on the searched part</h2>
      <p>chosen for being large: the first of them are lucky as well as good</p>
    </div>
    <div class="scroll">${tableOf([['trial'], ...[...space.map(({ name }) => name), ...names].map((name): Head => [name])], rows)}</div>
  </section>`;
}

function settingsOf({ space, fixed, objectives, constraints, performance }: SearchResult): Markup {
  const rows: (readonly [string, string])[] = [
    ...space.map((dimension): [string, string] => ['searched', dimensionText(dimension)]),
    ...Object.entries(fixed).map(([name, value]): [string, string] => ['fixed', `${name} = ${value}`]),
    ...objectives.map(({ figure, direction }): [string, string] => ['by', `${direction === 'max' ? 'largest' : 'smallest'} ${figure}`]),
    ...constraints.map((one): [string, string] => ['constraint', constraintText(one)]),
    ['time', `${(performance.wallMs / 1000).toFixed(1)} s, ${whole(performance.runs)} runs by ${performance.workers} workers`],
  ];
  return html`<section id="settings" class="card">
    <div class="head"><h2>What was searched</h2></div>
    <table>
      <tbody>
        ${rows.map(
          ([title, value]) =>
            html`<tr>
              <td class="soft">${title}</td>
              <td>${value}</td>
            </tr> `,
        )}
      </tbody>
    </table>
  </section>`;
}
