/** The result of a walk-forward as a page: the searched and the judged result of each fold. */
import { documentOf, headingOf, navigationOf, tilesMarkup, type HashOf, type PageFiles } from '../document.ts';
import { moment, percent, signedPercent, toneOf, whole } from '../../document/figures.ts';
import { figureText } from '../../research/search-figures.ts';
import { html, type Markup } from '../markup.ts';
import { box, line, plot, ruleAt, type Place } from '../plot/plot.ts';
import { axisOf, plainTick, scaleOf, timeScale } from '../plot/scale.ts';
import type { Judged } from '../../research/search-result.ts';
import type { WalkForwardFold, WalkForwardResult } from '../../research/walk-forward-result.ts';
import { paramsText } from './sample.ts';
import { columnsOf, RESEARCH_FOOTER } from './search-page.ts';
import { tableOf, type Head } from '../table.ts';

export function walkForwardPage(result: WalkForwardResult, files: PageFiles, hashOf: HashOf): string {
  const { strategy, folds, totalReturn, defaultsReturn, efficiency, profitable, isComplete } = result;
  const title = `Walk-forward of ${strategy}: ${whole(folds.length)} windows`;
  const [first, last] = [folds[0], folds.at(-1)];
  const small =
    first === undefined || last === undefined
      ? 'no window'
      : `${moment(first.searched.from)} to ${moment(last.judged.to)} UTC${isComplete ? '' : ', interrupted'}`;
  const tiles = [
    {
      title: 'Return of all judged parts',
      key: 'totalReturn',
      value: totalReturn,
      text: signedPercent(totalReturn),
      tone: toneOf(totalReturn),
      small: 'of somebody who searched again at each window',
    },
    {
      title: 'The defaults on the same parts',
      key: 'defaultsReturn',
      value: defaultsReturn,
      text: signedPercent(defaultsReturn),
      tone: toneOf(defaultsReturn),
      small: 'what the search is worth is the difference',
    },
    {
      title: 'Efficiency',
      key: 'efficiency',
      value: efficiency,
      text: efficiency === null ? '–' : percent(efficiency, 0),
      small: efficiency === null ? 'nothing was earned where it was searched' : 'of the yearly return where searched was left where judged',
    },
    {
      title: 'Windows with a profit',
      key: 'profitable',
      value: profitable,
      text: percent(profitable, 0),
      small: `of ${whole(folds.length)}`,
    },
  ];
  const body = html`${headingOf(title, small)}
    ${navigationOf([
      ['overview', 'Result'],
      ['windows', 'Windows'],
      ['table', 'Table'],
    ])}
    <section id="overview">${tilesMarkup(tiles)}</section>
    ${folds.length === 0 ? null : chartsOf(result)} ${windowsOf(result)} ${RESEARCH_FOOTER}`;
  return documentOf({ title, body, files, hashOf });
}

const returnOf = (judged: Judged | null, part: 'searched' | 'holdout'): number => judged?.[part]?.['totalReturn'] ?? 0;

function chartsOf({ folds }: WalkForwardResult): Markup {
  const time = timeScale(Math.min(...folds.map(({ searched }) => searched.from)), folds.at(-1)!.judged.to);
  const height = 1 / folds.length;
  const bars = folds.flatMap(({ searched, judged, best }, k) => {
    const [low, high] = [1 - (k + 0.8) * height, 1 - (k + 0.2) * height];
    const gain = returnOf(best, 'holdout');
    return [
      box(
        [time.at(searched.from), low],
        [time.at(searched.to), high],
        'q2',
        `searched: return ${signedPercent(returnOf(best, 'searched'))}`,
      ),
      box(
        [time.at(judged.from), low],
        [time.at(judged.to), high],
        `judged-${gain < 0 ? 'down' : 'up'}`,
        `judged: return ${signedPercent(gain)}`,
      ),
    ];
  });
  const rows = folds.map((_, k) => ({ at: 1 - (k + 0.5) * height, text: String(k + 1) }));
  const curve = (of: (fold: WalkForwardFold) => number): readonly (readonly [number, number])[] => {
    let value = 1;
    return [[folds[0]!.judged.from, 0], ...folds.map((fold): [number, number] => [fold.judged.to, (value *= 1 + of(fold)) - 1])];
  };
  const chosen = curve(({ best }) => returnOf(best, 'holdout'));
  const defaults = curve((fold) => returnOf(fold.defaults, 'holdout'));
  const y = scaleOf([0, ...[...chosen, ...defaults].map(([, value]) => value)], (value, step) => `${plainTick(value * 100, step * 100)} %`);
  const judgedTime = timeScale(folds[0]!.judged.from, folds.at(-1)!.judged.to);
  const places = (points: readonly (readonly [number, number])[]): Place[] => points.map(([at, value]) => [judgedTime.at(at), y.at(value)]);
  const marks = [ruleAt('y', y.at(0), 'start'), line(places(defaults), 'hold'), line(places(chosen), '')];
  return html`<section id="windows" class="card">
    <div class="two">
      <figure>
        <figcaption>The windows <span>searched in blue, judged in green or red by its return</span></figcaption>
        ${plot({ x: axisOf(time), y: { ticks: rows }, marks: bars, label: 'the windows over time' })}
      </figure>
      <figure>
        <figcaption>Return of the judged parts, one after the other <span>dashed: the defaults</span></figcaption>
        ${plot({ x: axisOf(judgedTime), y: axisOf(y), marks, label: 'compounded return of the judged parts' })}
      </figure>
    </div>
  </section>`;
}

function windowsOf({ folds, objectives }: WalkForwardResult): Markup {
  const names = columnsOf(objectives);
  const rows = folds.flatMap(({ searched, judged, best, defaults }, k) => {
    const rowOf = (title: string, span: string, part: string, figures: Judged['searched'], params: string): Markup =>
      html`<tr>
        <td class="n">${title}</td>
        <td>${span}</td>
        <td>${part}</td>
        ${names.map((name) => html`<td class="n ${name === 'totalReturn' ? toneOf(figures[name] ?? 0) : ''}">${figureText(name, figures[name])}</td>`)}
        <td>${params}</td>
      </tr> `;
    const of = ({ from, to }: typeof searched): string => `${moment(from)} to ${moment(to)}`;
    return [
      rowOf(String(k + 1), of(searched), 'searched', best?.searched ?? {}, paramsText(best?.params ?? {})),
      rowOf('', of(judged), 'judged', best?.holdout ?? {}, ''),
      rowOf('', '', 'defaults, judged', defaults.holdout ?? {}, ''),
    ];
  });
  return html`<section id="table" class="card">
    <div class="head">
      <h2>Each window</h2>
      <p>the best where it was searched, and the same parameters on what followed; UTC</p>
    </div>
    <div class="scroll">${tableOf([['window'], 'time', 'part', ...names.map((name): Head => [name]), 'parameters'], rows)}</div>
  </section>`;
}
