/** The metrics of a bot as Prometheus reads them, and the files for Prometheus and Grafana. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { expositionOf, METRICS, type MetricRow } from '../../../src/monitor/metrics/catalogue.ts';
import { grafanaBoard, prometheusRules } from '../../../src/monitor/metrics/prometheus-files.ts';
import { ReadModel } from '../../../src/monitor/model/read-model.ts';
import { alertsPage, prometheusPage } from '../../../src/cli/pages/watch-pages.ts';

const NOTHING = { model: new ReadModel(0), now: 1000, isHeard: false, channels: new Map(), alerts: [] };

test('names, types and labels are as Prometheus wants them; counters are born at 0', () => {
  for (const [name, row] of Object.entries<MetricRow>(METRICS)) {
    expect(name).toMatch(/^tickwright_[a-z_]+$/);
    expect(name.endsWith('_total'), name).toBe(row.type === 'counter');
    expect(name, 'base units').not.toMatch(/_(ms|millis|mb|megabytes)(_|$)/);
    for (const label of row.labels ?? []) expect(label).toMatch(/^[a-z][a-z_]*$/);
    const samples = [...row.read(NOTHING)];
    if (row.type === 'counter' && row.labels === undefined) expect(samples, name).toEqual([[0]]);
    for (const [value, ...labels] of samples) {
      expect(Number.isFinite(value)).toBe(true);
      expect(labels).toHaveLength(row.labels?.length ?? 0);
    }
  }
});

test('each line of the text is one that the format allows, and a hostile label cannot break out of it', () => {
  const channels = new Map([['a"\n} 1\\', { delivered: 1, failed: 2 }]]);
  const text = expositionOf({ ...NOTHING, channels });
  const label = '[a-z_]+="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
  const line = new RegExp(
    `^(# HELP tickwright_[a-z_]+ .+|# TYPE tickwright_[a-z_]+ (gauge|counter)|tickwright_[a-z_]+(\\{${label}(,${label})*\\})? -?[0-9.e+-]+)$`,
  );
  expect(text.split('\n').filter((one) => one !== '' && !line.test(one))).toEqual([]);
  expect(text).toContain('tickwright_alerts_delivered_total{channel="a\\"\\n} 1\\\\"} 1');
  expect(text).toContain('tickwright_up 0\n');
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

/** Names of metrics in the text that are not in the table. */
function unknownNames(text: string): string[] {
  return [...new Set([...text.matchAll(/\btickwright_\w+/g)].map(([name]) => name))].filter((name) => !Object.hasOwn(METRICS, name));
}
