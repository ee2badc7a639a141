/** The pages and charts of docs/reference/indicators are those of the table. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { indicatorPages } from '../../../src/cli/pages/indicator-pages.ts';
import { INDICATORS } from '../../../src/indicators/table.ts';

const docs = fileURLToPath(new URL('../../../docs/reference/', import.meta.url));
const pages = indicatorPages();

describe('the pages of indicators', () => {
  it('are fresh (if not: npm run docs)', () => {
    const stale = Object.entries(pages).filter(([name, text]) => readFileSync(docs + name, 'utf8') !== text);
    expect(stale.map(([name]) => name)).toEqual([]);
  });

  it('are all of what is there', () => {
    const there = readdirSync(`${docs}indicators`, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(there.length).toBe(Object.keys(pages).length);
  });

  it('have a part for every indicator', () => {
    const text = Object.values(pages).join('\n');
    expect(INDICATORS.filter(({ row }) => !text.includes(`\n## ${row.name}\n`)).map(({ row }) => row.name)).toEqual([]);
  });
});
