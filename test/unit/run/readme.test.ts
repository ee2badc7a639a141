/** The README's strategy and backtest are run as shown, and every file and command that it names exists. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { defaultConfig } from '../../../src/config/defaults.ts';
import { runBacktest } from '../../../src/run/backtest/backtest.ts';
import { instrumentsOf } from '../../../src/run/setup/instruments/instruments.ts';
import { synthSymbols } from '../../../src/run/market/synthetic.ts';
import { synthTape } from '../../../src/tape/synth/synth.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'readme-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the README', () => {
  it('shows a strategy that runs and trades', async () => {
    const code = /```ts\n([^]*?)```/.exec(readme)?.[1] ?? '';
    expect(code).toContain('defineStrategy');
    expect(code.trim().split('\n').length).toBeLessThanOrEqual(25);
    const file = join(folder, 'breakaway.ts');
    writeFileSync(file, code);
    const tape = join(folder, 'tape');
    const config = defaultConfig();
    const symbols = synthSymbols(instrumentsOf(config.instruments)).slice(0, 1);
    synthTape(tape, { symbols, seconds: 900, seed: 7, start: 1_700_000_000_000 });
    const strategies = [{ file, params: {}, symbols: [] }];
    const report = await runBacktest({ strategies, tape, config, everyTick: false, speed: 1, seed: 1 });
    expect(report.trades.length).toBeGreaterThan(0);
    expect(report.orders.rejected).toBe(0);
    expect(report.orders.refused).toEqual({});
  });

  it('shows the report of its backtest, line for line', () => {
    const commands = [
      ...readme.matchAll(
        /npm run -s tickwright -- (tape synth --out var\/made|backtest --strategy \S+ --tape var\/made)(.*?)(?:\s+#.*)?$/gm,
      ),
    ];
    expect(commands).toHaveLength(2);
    const outputs = commands.map(([, command = '', rest = '']) => {
      const words = `${command}${rest}`
        .trim()
        .split(/\s+/)
        .map((word) => (word.startsWith('strategies/') ? join(root, word) : word));
      const { status, stdout } = spawnSync(process.execPath, [join(root, 'src/tickwright.js'), ...words], {
        cwd: folder,
        encoding: 'utf8',
      });
      expect(status).toBe(0);
      return stdout;
    });
    const shown = /```text\n([^]*?)```/.exec(readme)?.[1] ?? '';
    expect(shown.split('\n').length).toBeGreaterThan(15);
    expect(outputs[1]?.startsWith(shown)).toBe(true);
  });

  it('links to existing places', () => {
    const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map((match) => match[1] ?? '');
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter((link) => !link.startsWith('http') && !existsSync(join(root, link)))).toEqual([]);
  });

  it.each(['README.md', 'docs/promises.md'])('%s names tests and scripts that exist', (page) => {
    const text = readFileSync(join(root, page), 'utf8');
    const scripts = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }).scripts;
    for (const [, name] of text.matchAll(/npm run(?: -s)? ([a-z:]*[a-z])/g)) expect(Object.keys(scripts)).toContain(name);
    const named = [...text.matchAll(/npx vitest run ([^`]+)`/g)].flatMap((match) => (match[1] ?? '').split(' '));
    expect(named.some((path) => path.startsWith('test/'))).toBe(true);
    expect(named.filter((path) => path.startsWith('test/') && !existsSync(join(root, path)))).toEqual([]);
  });
});

describe('docs/README.md', () => {
  it('has one line for every page, and no others', () => {
    const index = readFileSync(join(root, 'docs/README.md'), 'utf8');
    const listed = [...index.matchAll(/^\| \[[^\]]+\]\(([^)]+)\)/gm)].map((match) => match[1]!);
    const pagesIn = (place: string): string[] => readdirSync(join(root, 'docs', place)).filter((name) => name.endsWith('.md'));
    const pages = pagesIn('.').filter((name) => name !== 'README.md');
    const reference = pagesIn('reference').map((name) => `reference/${name}`);
    const own = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'].map((name) => `../${name}`);
    // The pages of these folders are listed by the README of the folder.
    const folders = ['guide/README.md', 'migrate/README.md', 'reference/indicators/README.md'];
    expect(listed.toSorted()).toEqual([...pages, ...reference, ...own, ...folders].toSorted());
  });
});
