/** docs/report-tables.md: what it says is here is a part of a real page, in words of the table. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageOf } from '../../../src/run/report/report-files.ts';
import { busyRun } from '../../support/backtest/report-runs.ts';

const text = readFileSync(join(import.meta.dirname, '../../../docs/report-tables.md'), 'utf8');
const rows = [...text.matchAll(/^\| (?!theirs|-)(.+?) \| (\S+) \| (.+?) \|$/gm)].map(([, theirs = '', ours = '', where = '']) => ({
  theirs,
  ours,
  where,
}));
const idsIn = (where: string): string[] => [...where.matchAll(/`([a-z-]+)`/g)].map(([, id = '']) => id);

let folder = '';
/** The ids of a page beside another run. */
let ids: ReadonlySet<string> = new Set();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'report-tables-'));
  const report = await busyRun(folder, 2200, 120_000);
  ids = new Set([...pageOf(report, report).matchAll(/ id="([a-z-]+)"/g)].map(([, id = '']) => id));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the page of the tables of others', () => {
  test('has a row for each, and one of three answers', () => {
    expect(rows.length).toBeGreaterThan(50);
    expect(new Set(rows.map(({ ours }) => ours))).toEqual(new Set(['here', 'better', 'refused']));
    expect(new Set(rows.map(({ theirs }) => theirs)).size).toBe(rows.length);
  });

  test('names parts that a real page has', () => {
    expect(ids.size).toBeGreaterThan(20);
    const dead = rows.flatMap(({ theirs, ours, where }) => {
      const named = idsIn(where);
      const missing = named.filter((id) => !ids.has(id));
      const isCommand = where.includes('`tickwright ') || where.includes('`backtest ');
      return missing.length > 0 || (ours === 'here' && named.length === 0) || (ours === 'better' && named.length === 0 && !isCommand)
        ? [theirs]
        : [];
    });
    expect(dead).toEqual([]);
  });

  test('names every chart of the page', () => {
    const charts = [...ids].filter((id) => id.startsWith('chart-') && id !== 'chart-price');
    expect(charts.filter((id) => !text.includes(`\`${id}\``))).toEqual([]);
    expect(charts.length).toBeGreaterThan(10);
  });
});
