/** docs/migrate: the code of the other side is the one that `npm run migrate` runs, and our figures are those that the commands print. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { heredocOf, resultOf } from '../../../bench/peers/migrate/pages.ts';
import { MIGRATED } from '../../../bench/peers/migrate/peers.ts';

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const SCRIPTS = 'bench/peers/migrate';
const common = read('docs/migrate/README.md');
/** What the commands of README.md print, which research-page.test.ts runs: of a fixed size, and of a value. */
const [ofSize, ofValue] = [...common.matchAll(/"net":"([\d.]+)"/g)].map(([, net]) => Number(net));
const pages = Object.entries(MIGRATED).map(([name, { page, packages }]) => [name, read(`docs/migrate/${page}`), packages] as const);

describe.each(pages)('the page of %s', (name, page, packages) => {
  test('shows the code that runs, whole', () => {
    const code = [...page.matchAll(/```python\n([^]*?)\n```/g)].map(([, text = '']) => text);
    expect(code).toHaveLength(1);
    const scripts = readdirSync(join(ROOT, SCRIPTS)).filter((file) => file.endsWith('_cross.py'));
    expect(scripts.filter((file) => read(`${SCRIPTS}/${file}`).includes(`\n${code[0]!}\n`))).toHaveLength(1);
  });

  test('has our figure as the commands print it, and the version that is installed', () => {
    const { ours, theirs, trades } = resultOf(page);
    expect(ours.toFixed(4)).toBe((name === 'freqtrade' ? ofValue : ofSize)!.toFixed(4));
    // A tick at each of two stops, and its fee.
    expect(Math.abs(ours - theirs)).toBeLessThan(0.021);
    expect(trades).toBe(12);
    expect(page).toContain(` ${packages[0]!.split('==')[1]!}`);
  });

  test('is short', () => {
    const words = page.replaceAll(/^```[\s\S]*?^```/gm, '').split(/\s+/).length;
    expect(words).toBeGreaterThan(200);
    expect(words).toBeLessThanOrEqual(600);
  });
});

test('the market and the strategy of the page are whole files', () => {
  expect(heredocOf(common, 'market.mjs')).toMatch(/^let seed = 11;\n/);
  expect(heredocOf(common, 'cross.ts')).toMatch(/^import \{ defineStrategy[^]*\}\);\n$/);
});
