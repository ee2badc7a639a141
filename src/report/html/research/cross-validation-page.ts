/** The result of a cross-validation as a page: the paths, and each split with its searched and its judged result. */
import { documentOf, headingOf, navigationOf, tilesMarkup, type HashOf, type PageFiles } from '../document.ts';
import { duration, moment, percent, whole } from '../../document/figures.ts';
import { figureText } from '../../research/search-figures.ts';
import { html, type Markup } from '../markup.ts';
import { dot, line, plot, ruleAt, type Place } from '../plot/plot.ts';
import { axisOf, plainTick, scaleOf } from '../plot/scale.ts';
import type { CrossValidationResult } from '../../research/cross-validation-result.ts';
import { figureScale, paramsText } from './sample.ts';
import { RESEARCH_FOOTER } from './search-page.ts';
import { tableOf } from '../table.ts';

export function crossValidationPage(result: CrossValidationResult, files: PageFiles, hashOf: HashOf): string {
  const { strategy, groups, judging, splits, paths, losingPaths, overfitting, searched, judged, trials, runs, purgeMs, embargoMs } = result;
  const name = result.objectives[0]!.figure;
  const title = `Cross-validation of ${strategy}: ${whole(splits.length)} splits`;
  const gap = [purgeMs > 0 ? `purge ${duration(purgeMs)}` : '', embargoMs > 0 ? `embargo ${duration(embargoMs)}` : ''].filter(
    (one) => one !== '',
  );
  const words = [
    `${whole(groups.length)} parts, ${whole(judging)} judge at a time`,
    ...gap,
    `${whole(trials)} sets of parameters, ${whole(runs)} runs`,
  ];
  const small = `${moment(groups[0]!.from)} to ${moment(groups.at(-1)!.to)} UTC, ${words.join(', ')}${result.isComplete ? '' : ', interrupted'}`;
  const range = (one: CrossValidationResult['judged']): string =>
    one === null ? 'in no split' : `a quarter below ${figureText(name, one[0])}, a quarter above ${figureText(name, one[2])}`;
  const tiles = [
    {
      title: `${name} where chosen`,
      key: 'searched',
      value: searched?.[1] ?? null,
      text: figureText(name, searched?.[1]),
      small: range(searched),
    },
    {
      title: `${name} where judged`,
      key: 'judged',
      value: judged?.[1] ?? null,
      text: figureText(name, judged?.[1]),
      tone: (judged?.[1] ?? 0) < 0 ? 'down' : '',
      small: range(judged),
    },
    {
      title: 'Overfitting',
      key: 'overfitting',
      value: overfitting,
      text: overfitting === null ? '–' : percent(overfitting, 0),
      small: 'of the splits: the chosen one is at most the median of all where it is judged',
    },
    {
      title: 'Paths that lose',
      key: 'losingPaths',
      value: losingPaths,
      text: percent(losingPaths, 0),
      small: `of ${whole(paths.length)} paths through the tape`,
    },
  ];
  const body = html`${headingOf(title, small)}
    ${navigationOf([
      ['overview', 'Result'],
      ['paths', 'Paths'],
      ['splits', 'Splits'],
    ])}
    <section id="overview">${tilesMarkup(tiles)}</section>
    <section id="paths" class="card"><div class="two">${pathsOf(result)} ${promisesOf(result)}</div></section>
    ${splitsOf(result)} ${RESEARCH_FOOTER}`;
  return documentOf({ title, body, files, hashOf });
}

function pathsOf({ paths, groups }: CrossValidationResult): Markup {
  const y = scaleOf([0, ...paths.flat().map((value) => value - 1)], (value, step) => `${plainTick(value * 100, step * 100)} %`);
  const at = (k: number): number => k / groups.length;
  const curves = paths.map((path) => line([[0, y.at(0)], ...path.map((value, k): Place => [at(k + 1), y.at(value - 1)])], 'fine'));
  const ticks = groups.map((_, k) => ({ at: at(k + 0.5), text: String(k + 1) }));
  const marks = [ruleAt('y', y.at(0), 'start'), ...curves];
  return html`<figure>
    <figcaption>Return along each path <span>each part is judged by a split that did not choose on it</span></figcaption>
    ${plot({ x: { ticks, title: 'part' }, y: axisOf(y), marks, label: 'return along each path' })}
  </figure>`;
}

function promisesOf({ splits, objectives }: CrossValidationResult): Markup {
  const name = objectives[0]!.figure;
  const pairs = splits.flatMap(({ chosen, groups }) => {
    const [here, there] = [chosen?.searched[name] ?? null, chosen?.judged[name] ?? null];
    return here === null || there === null ? [] : [{ here, there, groups }];
  });
  const both = figureScale(
    name,
    pairs.flatMap(({ here, there }) => [here, there]),
  );
  const dots = pairs.map(({ here, there, groups }) =>
    dot(
      [both.at(here), both.at(there)],
      there < here ? 'down' : 'up',
      `judged on ${groups.map((group) => group + 1).join(', ')}: ${figureText(name, here)} chosen, ${figureText(name, there)} judged`,
    ),
  );
  const same: Place[] = [
    [0, 0],
    [1, 1],
  ];
  return html`<figure>
    <figcaption>${name} of each split <span>below the line: less than was promised</span></figcaption>
    ${plot({ x: axisOf(both, 'where chosen'), y: axisOf(both, 'where judged'), marks: [line(same, 'hold'), ...dots], label: 'promised and kept' })}
  </figure>`;
}

function splitsOf({ splits, objectives }: CrossValidationResult): Markup {
  const name = objectives[0]!.figure;
  const rows = splits.map(
    ({ groups, chosen }) =>
      html`<tr>
        <td>${groups.map((group) => group + 1).join(', ')}</td>
        <td>${paramsText(chosen?.params ?? {})}</td>
        <td class="n">${figureText(name, chosen?.searched[name])}</td>
        <td class="n">${figureText(name, chosen?.judged[name])}</td>
        <td class="n">${chosen?.rank == null ? '–' : percent(chosen.rank, 0)}</td>
        <td class="n">${figureText('totalReturn', chosen?.judged['totalReturn'])}</td>
      </tr> `,
  );
  return html`<section id="splits" class="card">
    <div class="head">
      <h2>Each split</h2>
      <p>the best on all other parts, and how it did on those it was not chosen on</p>
    </div>
    <div class="scroll">
      ${tableOf(['judged on', 'parameters', [`${name} chosen`], ['judged'], ['better than'], ['return judged']], rows)}
    </div>
  </section>`;
}
