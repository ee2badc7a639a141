/** docs/backtesting-honestly.md: its commands run as shown, print what is shown, and support the text beside them. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasTools, lineDifference, runSteps, stepsOf, type Step } from '../../support/processes/shell-document.ts';

const ROOT = join(import.meta.dirname, '../../..');
const document = readFileSync(join(ROOT, 'docs/backtesting-honestly.md'), 'utf8');

/** The numbers after a word, line by line: "net profit  −41.05 = …" → −41.05. */
function figures(text: string, word: string): number[] {
  const found = text.matchAll(new RegExp(`^ *${word} +([+−-]?[\\d,.]+)`, 'gm'));
  return [...found].map(([, figure = '']) => Number(figure.replaceAll(',', '').replace('−', '-')));
}

describe.skipIf(!hasTools('docs/backtesting-honestly.md', 'bash', 'grep', 'sed'))('backtesting, honestly', () => {
  let folder = '';
  let steps: Step[] = [];
  let answers: string[] = [];
  /** The output of the step whose commands contain `words`. */
  const printed = (words: string): string => answers[steps.findIndex((step) => step.shell.includes(words))] ?? '';

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tickwright-honestly-'));
    const program = `'${process.execPath}' '${join(ROOT, 'src/tickwright.js')}'`;
    const here = document.replace('npm run -s tickwright --', program).replace('TAPES=var/tapes', `TAPES='${folder}'; cd '${ROOT}'`);
    steps = stepsOf(here);
    answers = await runSteps(steps);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('prints what it shows', () => {
    expect(steps.length).toBeGreaterThan(8);
    for (const [k, step] of steps.entries()) {
      const shown = typeof step.shown === 'string' ? step.shown : '';
      expect([step.shell, lineDifference(shown, answers[k] ?? '')]).toEqual([step.shell, '']);
    }
  });

  it('is right: equal inputs give equal hashes', () => {
    const hashes = printed("grep 'result hash'").match(/[0-9a-f]{32}/g) ?? [];
    expect([hashes.length, new Set(hashes).size]).toEqual([2, 1]);
  });

  it('is right: on prices without a trend a strategy loses its trading costs', () => {
    const nets = figures(printed('--param fast=$fast'), 'net profit');
    expect(nets).toHaveLength(3);
    for (const net of nets) expect(net).toBeLessThan(0);
  });

  it('is right: a hundred times the size loses a hundred times as much', () => {
    const [small = 0, , large = 0] = figures(printed('--param size=$size'), 'net profit');
    expect(large / small).toBeGreaterThan(90);
    expect(large / small).toBeLessThan(110);
  });

  it('is right: fill models rank by how often they fill', () => {
    const [touch = 0, queue = 0, through = 0] = figures(printed('simulation.fillModel=$model'), 'fills');
    expect(touch).toBeGreaterThan(queue);
    expect(queue).toBeGreaterThanOrEqual(through);
    expect(through).toBeGreaterThan(0);
  });

  it('is right: latency and visible data change the result, and a few milliseconds make a range of it', () => {
    for (const words of ['simulation.downMs=$ms', '--every-tick', 'in 17 18 19 20 21 22 23']) {
      expect(new Set(figures(printed(words), 'net profit')).size, words).toBeGreaterThan(1);
    }
  });

  it('names files and tests that exist', () => {
    const links = [...document.matchAll(/\]\(([^)#]+)\)/g)].map(([, to = '']) => join(ROOT, 'docs', to));
    const tests = [...document.matchAll(/vitest run ([^`]+)`/g)].flatMap(([, paths = '']) => paths.split(' ').map((to) => join(ROOT, to)));
    expect(links.length + tests.length).toBeGreaterThan(8);
    expect([...links, ...tests].filter((to) => !existsSync(to))).toEqual([]);
  });
});

describe('a line that differs from the page', () => {
  it('is detected, in words and in numbers', () => {
    expect(lineDifference('net  −1.5\nof 3 ', 'net  −1.5\nof 3')).toBe('');
    expect(lineDifference('one\n…', 'one\ntwo\nthree')).toBe('');
    expect(lineDifference('one', 'one\ntwo')).toContain('two');
    expect(lineDifference('one\ntwo', 'one')).toContain('nothing');
    expect(lineDifference('profit 1', 'loss 1')).toContain('loss');
    expect(lineDifference('profit 1.25', 'profit 1.26')).toContain('1.26');
  });
});
