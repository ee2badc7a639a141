/** Every metric of trades, of all of them and of the long and short ones beside each other. */
import { parseScaled } from '../../../../domain/amounts/scale.ts';
import { MONEY_DECIMALS } from '../../../../domain/amounts/units.ts';
import { formatMoney } from '../../../../domain/instrument.ts';
import type { MetricKey } from '../../../metrics/metrics.ts';
import { SIDE_METRICS } from '../../../metrics/side-metrics.ts';
import type { MetricResult } from '../../../metrics/results.ts';
import type { RunReport } from '../../../run-report.ts';
import type { Cell, Row, Section } from '../../document.ts';
import { profit, shortMetricText, toneOf } from '../../figures.ts';
import { numbers, words } from '../../text-table.ts';

/** Nothing without trades, and for a stored report of an older version. */
export function sidesSection({ stats, metrics, sides, breakdowns }: RunReport): Section[] {
  if (stats.trades === 0 || sides === undefined) return [];
  const rows = SIDE_METRICS.flatMap((key): Row[] => {
    const of = [metrics[key], sides.long[key], sides.short[key]];
    const [all] = of;
    return all === undefined ? [] : [[all.name, ...of.map((result) => metricCell(key, result))]];
  });
  return [
    {
      id: 'sides',
      link: 'Long and short',
      title: 'Long and short',
      words: 'closed trades; spot trades are long; the definitions are those of the list of all metrics',
      blocks: [
        {
          kind: 'table',
          columns: [words('metric'), ...['all', 'long', 'short'].map(numbers)],
          rows: [...sumsOf(breakdowns.side), ...rows],
        },
      ],
    },
  ];
}

function metricCell(key: MetricKey, result: MetricResult | undefined): Cell {
  if (result === undefined) return '–';
  const isResult = result.unit === 'money' && key !== 'tradeDeviation';
  return {
    text: isNearZero(result) ? '≈ 0 %' : shortMetricText(result),
    value: result.value,
    tone: result.sample < result.least ? 'soft' : isResult ? toneOf(result.value ?? 0) : '',
  };
}

/** Below a millionth: its digits would take the room of three columns. */
function isNearZero({ unit, value }: MetricResult): boolean {
  return unit === 'share' && value !== null && Number(value) !== 0 && Math.abs(Number(value)) < 1e-6;
}

/** Net profit and fees, which add up. */
function sumsOf(rows: RunReport['breakdowns']['side']): Row[] {
  const sumOf = (key: 'net' | 'fees', isOne: (side: string) => boolean): string =>
    formatMoney(rows.reduce((sum, row) => (isOne(row.key) ? sum + parseScaled(row[key], MONEY_DECIMALS) : sum), 0));
  const sums = (key: 'net' | 'fees'): string[] =>
    [() => true, (side: string) => side !== 'SHORT', (side: string) => side === 'SHORT'].map((is) => sumOf(key, is));
  return [
    ['net of closed trades', ...sums('net').map(profit)],
    ['fees of closed trades', ...sums('fees').map((value): Cell => ({ ...profit(value), tone: '' }))],
  ];
}
