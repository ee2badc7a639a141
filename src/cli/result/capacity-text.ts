/** The result of `capacity` as text for a terminal. */
import type { CapacityResult } from '../../report/research/capacity-result.ts';
import { wrapped } from '../../report/text/text-parts.ts';
import { table } from '../../report/document/text-table.ts';

const amount = (value: number, digits = 2): string => value.toFixed(digits).replace('-', '−');

export function capacityText({ rows, sentence, impact }: CapacityResult): string {
  const right = 'right' as const;
  const titles = ['times', 'net', 'net per size', 'slippage', 'largest position', 'turnover', 'trades', 'refused'];
  const lines = rows.map(({ multiple, net, perSize, slippage, largest, turnover, trades, refused }) => [
    String(multiple),
    amount(net),
    amount(perSize, Math.abs(perSize) < 1 ? 4 : 2),
    amount(slippage),
    amount(largest, 0),
    amount(turnover, 0),
    String(trades),
    String(refused),
  ]);
  return [
    `Profit against size\n${table(
      titles.map((title) => ({ title, align: right })),
      lines,
    )}`,
    `\n${wrapped(sentence, '', '').join('\n')}\n`,
    impact === '' ? '' : `\n${wrapped(impact, '', '').join('\n')}\n`,
  ].join('');
}
