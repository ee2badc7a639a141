/** Two reports side by side: what was run, what differs in the settings, and every metric with its difference. */
import type { RunReport } from '../../run-report.ts';
import { sentence, type Block, type Document } from '../document.ts';
import { numbers, words } from '../text-table.ts';
import { moment, profit, whole } from '../figures.ts';
import { comparedMetrics } from './metric-sections.ts';
import { sparkline } from '../sparkline.ts';

const NAMES = ['first', 'second'] as const;

/** The difference is the second less the first. */
export function comparisonDocument(first: RunReport, second: RunReport): Document {
  const rows = [first, second].map(({ tape, equity, pnl, stats, hash }, k) => [
    NAMES[k]!,
    moment(tape.from),
    moment(tape.to),
    whole(stats.trades),
    profit(pnl.net),
    hash.slice(0, 8),
    sparkline(equity.curve.map(([, value]) => Number(value))),
  ]);
  const columns = [
    ...['run', 'from', 'to'].map((title) => ({ title })),
    numbers('trades'),
    numbers('net'),
    { title: 'hash' },
    words('equity'),
  ];
  return {
    title: 'Two runs side by side',
    words: 'the difference is the second less the first. A metric that neither run has enough data for is left out.',
    sections: [
      { id: 'runs', title: 'Runs', words: '', blocks: [{ kind: 'table', columns, rows }] },
      { id: 'parameters', title: 'Parameters', words: '', blocks: [parametersOf(first, second)] },
      ...comparedMetrics(first.metrics, second.metrics, NAMES),
    ],
  };
}

/** Parameters that are not the same in both, or a sentence. */
function parametersOf({ parameters: a }: RunReport, { parameters: b }: RunReport): Block {
  const key = ({ strategy, name }: { strategy: string; name: string }): string => `${strategy} ${name}`;
  const [left, right] = [new Map(a.map((one) => [key(one), one.value])), new Map(b.map((one) => [key(one), one.value]))];
  const differing = [...new Set([...left.keys(), ...right.keys()])].filter((name) => left.get(name) !== right.get(name));
  if (differing.length === 0) return sentence('the same in both');
  return {
    kind: 'table',
    columns: [{ title: '' }, ...NAMES.map(numbers)],
    rows: differing.map((name) => [name, left.get(name) ?? '–', right.get(name) ?? '–']),
  };
}
