/**
 * The rules and the text of metrics, read by promtool of Prometheus: `promtool` on PATH, or the program that PROMTOOL names. Without it these
 * tests are skipped: Debian has it in the package `prometheus`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { ReadModel } from '../../../src/monitor/model/read-model.ts';
import { expositionOf } from '../../../src/monitor/metrics/catalogue.ts';
import { PROMETHEUS_RULES, prometheusRules, type PrometheusRule } from '../../../src/monitor/metrics/prometheus-files.ts';

const PROMTOOL = process.env['PROMTOOL'] ?? 'promtool';
const isThere = spawnSync(PROMTOOL, ['--version']).error === undefined;
const folder = mkdtempSync(join(tmpdir(), 'promtool-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function promtool(args: readonly string[], input = ''): { readonly status: number | null; readonly said: string } {
  const { status, stdout, stderr } = spawnSync(PROMTOOL, args, { cwd: folder, input, encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}` };
}

/** A bot that is well for two minutes, and then is not: the rule fires once its time is over, and not before. */
function testOf([alertname, rule]: readonly [string, PrometheusRule]): object {
  const { metric, labels = {}, growsIn, op, value, forTime, severity, doc } = rule;
  const shown = Object.entries(labels).map(([name, wanted]) => `${name}="${wanted}"`);
  const bad = op === '<' ? value - 1 : op === '>' ? value + 1 : value;
  const well = growsIn === undefined && op === '==' ? value + 1 : 0;
  const lasts = Number.parseInt(forTime, 10) * (forTime.endsWith('m') ? 60 : 1);
  const fired = { exp_labels: { severity, ...labels }, exp_annotations: { summary: doc } };
  return {
    interval: '15s',
    input_series: [{ series: `${metric}{${shown.join(',')}}`, values: `${well}x8 ${bad}x40` }],
    alert_rule_test: [
      { eval_time: '2m', alertname, exp_alerts: [] },
      ...(lasts >= 30 ? [{ eval_time: '2m15s', alertname, exp_alerts: [] }] : []),
      { eval_time: `${150 + lasts}s`, alertname, exp_alerts: [fired] },
    ],
  };
}

describe.skipIf(!isThere)('promtool', () => {
  it('takes the file of rules, and each rule fires after its time', () => {
    writeFileSync(join(folder, 'rules.yml'), prometheusRules());
    const tests = Object.entries<PrometheusRule>(PROMETHEUS_RULES).map(testOf);
    writeFileSync(join(folder, 'tests.yml'), stringify({ rule_files: ['rules.yml'], evaluation_interval: '15s', tests }));
    expect(promtool(['check', 'rules', 'rules.yml'])).toMatchObject({ status: 0 });
    expect(promtool(['test', 'rules', 'tests.yml'])).toMatchObject({ status: 0 });
    writeFileSync(join(folder, 'rules.yml'), prometheusRules().replace(/ (==|<|>) -?\d+/g, ' > 1000'));
    expect(promtool(['test', 'rules', 'tests.yml']).status, 'the check can fail').not.toBe(0);
  });

  it('takes the text of metrics', () => {
    const channels = new Map([['a"\n}\\', { delivered: 1, failed: 2 }]]);
    const text = expositionOf({ model: new ReadModel(0), now: 1_000, isHeard: false, channels, alerts: [] });
    expect(promtool(['check', 'metrics'], text)).toEqual({ status: 0, said: '' });
    expect(promtool(['check', 'metrics'], 'not a metric\n').status, 'the check can fail').not.toBe(0);
  });
});
