/** The result of `monte-carlo` for people: what else could have happened, and a fan of curves for each way to redraw the run. */
import type { Fan, Spread } from '../../../statistics/monte-carlo.ts';
import { html } from '../../html/markup.ts';
import { band, line, plot, ruleAt, type Place } from '../../html/plot/plot.ts';
import { axisOf, plainTick, scaleOf, type Scale } from '../../html/plot/scale.ts';
import type { MonteCarloResult } from '../../research/monte-carlo-result.ts';
import type { Cell, Chart, Document, Table } from '../document.ts';
import { numbers, words } from '../text-table.ts';
import { duration, percent, profit, signedMoney, whole } from '../figures.ts';

/** A way to draw the run again. */
interface Drawn {
  readonly fan: Fan | null;
  readonly title: string;
  readonly words: string;
  /** What the curves go along. */
  readonly across: string;
}

export function monteCarloDocument(result: MonteCarloResult): Document {
  const { strategy, trades, net, maxDrawdown, start } = result;
  const drawn = drawnOf(result);
  return {
    title: `Other possible results of ${strategy}`,
    words: `the run: net ${signedMoney(net)}, ${whole(trades)} trades, largest drawdown ${percent(maxDrawdown)}`,
    sections: [
      {
        id: 'overview',
        link: 'Result',
        title: 'What else could have happened',
        words: 'net: the first and the last column hold nine of ten results; missed: so many entries, drawn at random, never leave',
        blocks: [netsOf(result, drawn)],
      },
      {
        id: 'fans',
        link: 'Fans',
        title: 'How it could have come',
        words: 'equity: the line is the median, half of the curves lie in the dark band and nine of ten in the light one',
        blocks: [{ kind: 'beside', look: 'two', blocks: drawn.map((one) => fanOf(one, start)) }],
      },
      { id: 'late', link: 'Late entries', title: 'Entries that are late', words: 'backtests on the same tape', blocks: [lateOf(result)] },
    ],
  };
}

function drawnOf({ shuffled, redrawn, blocks, periodMs, markets }: MonteCarloResult): Drawn[] {
  const returns = `returns of ${duration(periodMs)} each, in blocks that keep their dependence`;
  return [
    {
      fan: shuffled,
      title: 'trade order',
      words: 'the same trades: the end is fixed, the drawdown is not',
      across: 'trade',
    },
    { fan: redrawn, title: 'trades', words: 'as many trades, each drawn from all of them', across: 'trade' },
    { fan: blocks, title: 'returns', words: returns, across: 'period' },
    ...(markets === null ? [] : [{ fan: markets.fan, title: 'markets', words: markets.words, across: 'share of the time' }]),
  ];
}

const QUANTILES = { p5: '5 %', p25: '25 %', p50: 'median', p75: '75 %', p95: '95 %' } as const satisfies Record<keyof Spread, string>;
const KEYS = Object.keys(QUANTILES) as (keyof Spread)[];

function netsOf({ start, missed }: MonteCarloResult, drawn: readonly Drawn[]): Table {
  const fans = drawn.map(({ fan, title }): Cell[] => {
    if (fan === null) return [title, '–', '–', 'too few', '–', '–', '', ''];
    const nets = KEYS.map((key) => profit(fan.final[key] - start));
    return [title, ...nets, percent(fan.maxDrawdown.p95), percent(fan.lossProbability, 1)];
  });
  const misses = missed.map(({ share, net }): Cell[] => [`${percent(share, 0)} missed`, ...KEYS.map((key) => profit(net[key])), '', '']);
  return {
    kind: 'table',
    columns: [words('drawn again'), ...Object.values(QUANTILES).map(numbers), numbers('drawdown 95 %'), numbers('ends in loss')],
    rows: [...fans, ...misses],
  };
}

function fanOf({ fan, title, words: small, across }: Drawn, start: number): Chart {
  const draw: Chart['draw'] = () => {
    if (fan === null) return html`<p class="soft">There are too few trades or returns.</p>`;
    const y: Scale = scaleOf([start, ...fan.lines.flatMap((one) => [...one])], plainTick);
    const last = Math.max(1, (fan.lines[0]?.length ?? 2) - 1);
    const places = fan.lines.map((values) => Array.from(values, (value, k): Place => [k / last, y.at(value)]));
    const [p5 = [], p25 = [], p50 = [], p75 = [], p95 = []] = places;
    const marks = [ruleAt('y', y.at(start), 'start'), band(p5, p95, 'outer'), band(p25, p75, ''), line(p50, '')];
    const quarter = (k: number): { at: number; text: string } => ({ at: k / 4, text: `${25 * k} %` });
    return plot({
      x: { title: across, ticks: [0, 1, 2, 3, 4].map(quarter) },
      y: axisOf(y, 'equity'),
      marks,
      label: `${title} drawn again`,
    });
  };
  const count = fan === null ? '' : `; ${whole(fan.runs)} curves`;
  return { kind: 'chart', title: `${title.charAt(0).toUpperCase()}${title.slice(1)} drawn again`, words: `${small}${count}`, draw };
}

function lateOf({ delays, net, trades }: MonteCarloResult): Table {
  const late = [{ title: 'as it was', net, trades }, ...delays.map((one) => ({ title: `entries ${duration(one.delayMs)} late`, ...one }))];
  return {
    kind: 'table',
    columns: [{ title: '' }, numbers('net'), numbers('trades')],
    rows: late.map((one): Cell[] => [one.title, profit(one.net), whole(one.trades)]),
  };
}
