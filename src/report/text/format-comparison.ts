/** Two reports side by side as text: what was run, what differs in the settings, and every metric with its difference. */
import { comparedMetrics } from './metric-text.ts';
import type { RunReport } from '../run-report.ts';
import { HARD, moment, money, whole } from '../document/figures.ts';
import { aligned, section, sparkline, wrapped } from './text-parts.ts';

const NAMES = ['first', 'second'] as const;
const CURVE = 24;

/** The difference is the second less the first. */
export function formatComparison(first: RunReport, second: RunReport): string {
  const runs = [first, second] as const;
  const rows = runs.map(({ tape, equity, pnl, stats, hash }, k) => [
    NAMES[k]!,
    moment(tape.from),
    moment(tape.to),
    whole(stats.trades),
    money(pnl.net),
    sparkline(equity.curve.map(([, value]) => Number(value))).padEnd(CURVE),
    hash.slice(0, 8),
  ]);
  const lines = [
    'Two runs side by side',
    ...section('Runs'),
    ...aligned(['run', 'from', 'to', 'trades', 'net', 'equity', 'hash'], rows, 1),
    ...section('Parameters'),
    ...parametersOf(first, second),
    ...comparedMetrics(first.metrics, second.metrics, NAMES),
    '',
    ...wrapped('the difference is the second less the first. A metric that neither run has enough data for is left out.', '  ', '  '),
    '',
  ];
  return lines.join('\n').replaceAll(HARD, ' ');
}

/** Parameters that are not the same in both, or a sentence. */
function parametersOf({ parameters: a }: RunReport, { parameters: b }: RunReport): string[] {
  const key = ({ strategy, name }: { strategy: string; name: string }): string => `${strategy} ${name}`;
  const [left, right] = [new Map(a.map((one) => [key(one), one.value])), new Map(b.map((one) => [key(one), one.value]))];
  const differing = [...new Set([...left.keys(), ...right.keys()])].filter((name) => left.get(name) !== right.get(name));
  if (differing.length === 0) return ['  the same in both'];
  return aligned(
    ['', ...NAMES],
    differing.map((name) => [name, left.get(name) ?? '–', right.get(name) ?? '–']),
    1,
  );
}
