/** The metrics of a bot as Prometheus reads them, and the files for Prometheus and Grafana. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { expositionOf, METRICS, type MetricRow } from '../../../src/monitor/metrics/catalogue.ts';
import { grafanaBoard, prometheusRules } from '../../../src/monitor/metrics/prometheus-files.ts';
import type { StatusRow } from '../../../src/control/changes.ts';
import { ReadModel } from '../../../src/monitor/model/read-model.ts';
import { readExposition } from '../../support/monitor/exposition.ts';
import { alertsPage, prometheusPage } from '../../../src/cli/pages/watch-pages.ts';

const STATUS = {
  phase: 'armed',
  time: 1,
  startedAt: 1,
  equity: '100.5',
  orders: 0,
  fills: 3,
  unknownOutcomes: 0,
  halts: [],
  strategies: [],
  health: {
    turns: 7,
    lateMs: 1,
    clockOffsetMs: null,
    requests: 9,
    rateLimited: 0,
    endpoints: {},
    pollsSkipped: 0,
    commandsInFlight: 0,
    journal: { made: 4, durable: 4 },
    lines: { warn: 0, error: 0 },
  },
} as unknown as StatusRow;
const NOTHING = { model: new ReadModel(0), now: 1000, isHeard: false, channels: new Map(), alerts: [] };

test('names, types and labels are as Prometheus wants them', () => {
  for (const [name, row] of Object.entries<MetricRow>(METRICS)) {
    expect(name).toMatch(/^tickwright_[a-z_]+$/);
    expect(name.endsWith('_total'), name).toBe(row.type === 'counter');
    expect(name, 'base units').not.toMatch(/_(ms|millis|mb|megabytes)(_|$)/);
    for (const label of row.labels ?? []) expect(label).toMatch(/^[a-z][a-z_]*$/);
    expect(
      [row.read, row.readOwn].filter((one) => one !== undefined),
      name,
    ).toHaveLength(1);
  }
});

test('a bot that was not heard yet, or is lost, has no samples: 0 and the last value would be claims', () => {
  const model = new ReadModel(0);
  const namesIn = (view: typeof NOTHING): string[] => [...expositionOf(view).matchAll(/^(tickwright_\w+)[{ ]/gm)].map(([, name]) => name!);
  const own = Object.entries<MetricRow>(METRICS).flatMap(([name, { readOwn }]) => (readOwn === undefined ? [] : [name]));
  const view = { ...NOTHING, model, channels: new Map([['phone', { delivered: 1, failed: 0 }]]) };
  expect([...new Set(namesIn(view))]).toEqual(own);
  model.take({ id: 'b-1', kind: 'status', time: 1, status: STATUS });
  expect([...new Set(namesIn(view))]).toEqual(own);
  const heard = namesIn({ ...view, isHeard: true });
  for (const name of ['tickwright_fills_total', 'tickwright_equity', 'tickwright_loop_turns_total', 'tickwright_log_lines_total'])
    expect(heard).toContain(name);
  expect(expositionOf({ ...view, isHeard: true })).toMatch(/^tickwright_fills_total 3$/m);
});

test('the text is as the format wants it, and a hostile label cannot break out of it', () => {
  const hostile = 'a"\n} 1\\';
  const text = expositionOf({ ...NOTHING, channels: new Map([[hostile, { delivered: 1, failed: 2 }]]) });
  const all = readExposition(text);
  expect(all).toContainEqual({ name: 'tickwright_alerts_delivered_total', labels: { channel: hostile }, value: 1 });
  expect(all).toContainEqual({ name: 'tickwright_up', labels: {}, value: 0 });
});

test.each([
  ['no end of the last line', family('a 1').slice(0, -1)],
  ['a sample without a family', 'a 1\n'],
  ['a series twice', family('a 1\na 2')],
  ['a family in two pieces', family('a 1') + family('a{x="1"} 1')],
  ['a label that is not closed', family('a{x="1} 1')],
  ['a label twice', family('a{x="1",x="2"} 1')],
  ['a counter below 0', family('a -1')],
  ['a value that is no number', family('a one')],
])('the reader of the format refuses %s', (_, bad) => {
  expect(() => readExposition(bad)).toThrow(/./);
});

test('rules and board name only metrics and labels that exist', () => {
  const text = prometheusRules() + grafanaBoard();
  expect(unknownNames(text)).toEqual([]);
  expect(unknownNames('expr: tickwright_no_such_thing > 1'), 'the check can fail').toEqual(['tickwright_no_such_thing']);
  for (const [, name, label] of prometheusRules().matchAll(/(tickwright_\w+)\{(\w+)=/g)) {
    expect((METRICS as Record<string, MetricRow>)[name!]?.labels, name).toContain(label);
  }
  const { groups } = parse(prometheusRules()) as { groups: { rules: { alert: string; expr: string; for: string }[] }[] };
  for (const { alert, expr, for: time } of groups.flatMap(({ rules }) => rules)) {
    expect(alert).toMatch(/^Tickwright[A-Za-z]+$/);
    expect(expr).toMatch(/^(increase\()?tickwright_\w+(\{[a-z]+="[a-z]+"\})?(\[\d+m\]\))? (>|<|==) -?\d+$/);
    expect(time).toMatch(/^\d+[sm]$/);
  }
});

test('the generated files are current (if not: npm run docs)', () => {
  const read = (name: string): string => readFileSync(new URL(`../../../docs/reference/${name}`, import.meta.url), 'utf8');
  expect(read('prometheus-rules.yml')).toBe(prometheusRules());
  expect(read('grafana-board.json')).toBe(grafanaBoard());
  expect(read('prometheus.md')).toBe(prometheusPage());
  expect(read('alerts.md')).toBe(alertsPage());
});

/** A family of the name `a`, with these lines of samples. */
function family(samples: string): string {
  return `# HELP a doc\n# TYPE a counter\n${samples}\n`;
}

/** Names of metrics in the text that are not in the table. */
function unknownNames(text: string): string[] {
  return [...new Set([...text.matchAll(/\btickwright_\w+/g)].map(([name]) => name))].filter((name) => !Object.hasOwn(METRICS, name));
}
