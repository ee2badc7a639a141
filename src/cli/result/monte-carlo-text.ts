/** The result of `monte-carlo` as text for a terminal. */
import type { MonteCarloResult } from '../../report/research/monte-carlo-result.ts';
import { unitText } from '../../report/document/figures.ts';
import { table } from '../../report/document/text-table.ts';

const amount = (value: number): string => value.toFixed(2).replace('-', '−');
const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;
const fall = (share: number): string => unitText('share', share);

export function monteCarloText({
  start,
  net,
  trades,
  maxDrawdown,
  shuffled,
  redrawn,
  blocks,
  periodMs,
  delays,
  missed,
  markets,
}: MonteCarloResult): string {
  const right = 'right' as const;
  const columns = [
    { title: '', flows: true as const },
    ...['5 %', '25 %', 'median', '75 %', '95 %'].map((title) => ({ title, align: right })),
    { title: 'drawdown 95 %', align: right },
    { title: 'ends in loss', align: right },
  ];
  const fan = (name: string, one: MonteCarloResult['shuffled']): string[] => {
    if (one === null) return [name, 'too few'];
    const { final, maxDrawdown: falls, lossProbability } = one;
    const finals = [final.p5, final.p25, final.p50, final.p75, final.p95].map((value) => amount(value - start));
    return [name, ...finals, fall(falls.p95), percent(lossProbability)];
  };
  const spread = missed.map(({ share, net: { p5, p25, p50, p75, p95 } }) => [
    `${percent(share)} missed`,
    ...[p5, p25, p50, p75, p95].map(amount),
    '',
    '',
  ]);
  const rows = [
    fan('trades reordered', shuffled),
    fan('trades redrawn', redrawn),
    fan(`blocks of ${periodMs / 1000} s`, blocks),
    ...(markets === null || markets.fan === null ? [] : [fan('markets redrawn', markets.fan)]),
    ...spread,
  ];
  const late = delays.map(({ delayMs, net: other, trades: count }) => [`entries ${delayMs} ms late`, amount(other), String(count)]);
  const undrawn = markets !== null && markets.fan === null ? `\nNo markets were drawn: ${markets.words}.\n` : '';
  return [
    `The run: net ${amount(net)}, ${trades} trades, largest drawdown ${fall(maxDrawdown)}\n`,
    `\nWhat else could have happened: net\n${table(columns, rows)}`,
    `\n${table([{ title: '' }, { title: 'net', align: right }, { title: 'trades', align: right }], [['as it was', amount(net), String(trades)], ...late])}`,
    undrawn,
  ].join('');
}
