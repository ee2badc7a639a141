/** The tree keeps its own rules. Each rule is a function that tidy-checks.test.ts shows to find what it should. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { coolings, freedLines, isHot } from './hot.ts';
import { unusedExports } from './exports.ts';
import { deadFiles, oversized } from './reach.ts';
import { deadPaths, machinePaths, strayFiles, strayResolutions, textOf } from './repository.ts';
import { headerOf, ROOT, sourcesIn, trackedFiles } from './source.ts';
import { crossings, strayOwners } from './walls.ts';
import { impurities, looseEnds, modeWords } from './words.ts';

const program = sourcesIn('src', 'strategies');
const starts = sourcesIn('bench', 'scripts', 'examples');
const tests = sourcesIn('test');

/** At most this many lines of hot files may carry a reason to allocate. */
const FREED_MAX = 160;

describe('the rooms', () => {
  it('import only downwards, and strategies only the public door', () => {
    expect(program.flatMap(crossings)).toEqual([]);
  });

  it('keep each ageing or sharp package behind one file', () => {
    expect(strayOwners([...program, ...starts])).toEqual([]);
  });

  it('have no clock, chance, input, output or waiting in the core', () => {
    expect(program.flatMap(impurities)).toEqual([]);
  });

  it('ask for the mode only in the wiring', () => {
    expect(program.flatMap(modeWords)).toEqual([]);
  });
});

describe('the files', () => {
  it('say what they are for, are named alike and are finished', () => {
    expect([...program, ...starts].flatMap(looseEnds)).toEqual([]);
  });

  it('are of a size that one can read', () => {
    expect([...program, ...tests].flatMap((source) => oversized(source, headerOf(source)))).toEqual([]);
  });

  it('are all in use', () => {
    const named = ['package.json', 'ecosystem.config.cjs'].flatMap(
      (path) => readFileSync(join(ROOT, path), 'utf8').match(/\bsrc\/[\w/.-]+\.[tj]s\b/g) ?? [],
    );
    expect(named).toContain('src/index.ts');
    const roots = [
      ...named,
      ...starts.map((source) => source.path),
      ...program.filter((source) => source.path.startsWith('strategies/')).map((source) => source.path),
    ];
    expect(deadFiles([...program, ...starts], roots)).toEqual([]);
  });

  it('export only what another file takes', () => {
    const all = [...program, ...starts, ...tests];
    const offered = all.filter(({ path }) => path !== 'src/index.ts' && !path.endsWith('.test.ts'));
    expect(unusedExports(offered, all)).toEqual([]);
  });
});

describe('the hot files', () => {
  it('neither allocate nor wait', () => {
    expect(program.flatMap(coolings)).toEqual([]);
  });

  it('give a reason for each exception, and few of them', () => {
    const freed = program.reduce((sum, source) => sum + freedLines(source), 0);
    console.info(`${program.filter(isHot).length} hot files, ${freed} lines with a reason`);
    expect(freed).toBeLessThanOrEqual(FREED_MAX);
  });
});

describe('the repository', () => {
  it('holds files of known kinds alone', () => {
    expect(strayFiles(trackedFiles())).toEqual([]);
  });

  it('names no path of anybody’s machine', () => {
    const texts = trackedFiles().flatMap((path) => textOf(path) ?? []);
    expect(texts.length).toBeGreaterThan(10);
    expect(texts.filter((source) => !source.path.startsWith('test/tidy/')).flatMap(machinePaths)).toEqual([]);
  });

  it('speaks in its pages of files that are there', () => {
    const pages = trackedFiles().filter((path) => path.endsWith('.md'));
    const isThere = (path: string): boolean => existsSync(join(ROOT, path));
    expect(pages.flatMap((path) => deadPaths(textOf(path)!, isThere))).toEqual([]);
  });

  it('takes packages from the public registry alone', () => {
    expect(strayResolutions(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')))).toEqual([]);
  });
});
