/** The source tree follows its own rules. Each rule is a function tested in tidy-checks.test.ts. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { coldDeclares, hotViolations, exemptionCount, isHot, uselessMarks } from './hot.ts';
import { unusedExports, unusedMembers } from './exports.ts';
import { deadFiles, oversized } from './dead-files.ts';
import {
  deadAnchors,
  deadDocs,
  deadPaths,
  dottedKeys,
  machinePaths,
  strayFiles,
  strayResolutions,
  textOf,
  wordsByHand,
} from './repository.ts';
import { headerOf, ROOT, sourcesIn, trackedFiles } from './source.ts';
import { assertsNothing, crossings, strayOwners, uselessExcuses } from './walls.ts';
import { impurities, modeWords, oldestOfMap, unfinishedWork } from './forbidden-words.ts';

const program = sourcesIn('src', 'strategies');
const starts = sourcesIn('bench', 'scripts', 'examples');
const tests = sourcesIn('test');

// The first check that asks for it parses the whole program.
vi.setConfig({ testTimeout: 180_000 });

/** Most lines of hot files with a reason to allocate. */
const FREED_MAX = 75;

describe('the rooms', () => {
  // The first test reads and parses every file.
  it('import only downwards, and strategies import only the public API', () => {
    expect(program.flatMap(crossings)).toEqual([]);
  });

  it('import each restricted package in one file only', () => {
    expect(strayOwners([...program, ...starts])).toEqual([]);
  });

  it('have no clock, randomness, input, output or waiting in the core', () => {
    expect(program.flatMap(impurities)).toEqual([]);
  });

  it('assert what must hold of the state of the engine', () => {
    expect(program.filter(assertsNothing).map(({ path }) => path)).toEqual([]);
    expect(uselessExcuses(program)).toEqual([]);
  });

  it('check the mode only in the wiring', () => {
    expect(program.flatMap(modeWords)).toEqual([]);
  });
});

describe('the files', () => {
  it('have a header, consistent names and no unfinished work', () => {
    expect([...program, ...starts].flatMap(unfinishedWork)).toEqual([]);
  });

  it('do not take the oldest entry of a map', () => {
    expect(program.flatMap(oldestOfMap)).toEqual([]);
  });

  it('are short enough to read', () => {
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

  it('export only what another file imports', () => {
    const all = [...program, ...starts, ...tests];
    const offered = all.filter(({ path }) => path !== 'src/index.ts' && !path.endsWith('.test.ts'));
    expect(unusedExports(offered, all)).toEqual([]);
  });

  it('have no class with a member that nothing names', () => {
    expect(unusedMembers(program)).toEqual([]);
  });
});

describe('the hot files', () => {
  it('neither allocate nor wait', () => {
    expect(program.flatMap(hotViolations)).toEqual([]);
  });

  it('alone have fields with declare', () => {
    expect(program.flatMap(coldDeclares)).toEqual([]);
  });

  it('have no mark that excuses nothing', () => {
    expect(program.flatMap(uselessMarks)).toEqual([]);
  });

  it('give a reason for each exception, and few of them', () => {
    const freed = program.reduce((sum, source) => sum + exemptionCount(source), 0);
    console.info(`${program.filter(isHot).length} hot files, ${freed} lines with a reason`);
    expect(freed).toBeLessThanOrEqual(FREED_MAX);
  });
});

describe('the repository', () => {
  it('contains only files of known kinds', () => {
    expect(strayFiles(trackedFiles())).toEqual([]);
  });

  it('contains no path of a developer’s machine', () => {
    const texts = trackedFiles().flatMap((path) => textOf(path) ?? []);
    expect(texts.length).toBeGreaterThan(10);
    expect(texts.filter((source) => !source.path.startsWith('test/tidy/')).flatMap(machinePaths)).toEqual([]);
  });

  it('names only existing files in its pages', () => {
    const pages = trackedFiles().filter((path) => path.endsWith('.md'));
    const isThere = (path: string): boolean => existsSync(join(ROOT, path));
    expect(pages.flatMap((path) => deadPaths(textOf(path)!, isThere))).toEqual([]);
  });

  it('has pages that can be read: at most 50,000 words by hand in docs/', () => {
    const pages = trackedFiles().filter((path) => /^docs\/(?!reference\/).*\.md$/.test(path));
    const words = pages.map((path) => wordsByHand(textOf(path)!)).reduce((sum, one) => sum + one, 0);
    console.info(`${pages.length} pages by hand, ${words} words`);
    expect(words).toBeGreaterThan(10_000);
    expect(words).toBeLessThanOrEqual(50_000);
  });

  it('writes keys of the configuration as YAML that can be copied', () => {
    const pages = trackedFiles().filter((path) => /^(?!docs\/reference\/).*\.md$/.test(path));
    expect(pages.flatMap((path) => dottedKeys(textOf(path)!))).toEqual([]);
  });

  it('links only to existing headings', () => {
    const pages = trackedFiles().filter((path) => path.endsWith('.md'));
    const textAt = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
    expect(pages.flatMap((path) => deadAnchors(textOf(path)!, textAt))).toEqual([]);
  });

  it('names only existing pages in code, messages and configuration', () => {
    const others = trackedFiles().filter((path) => !path.endsWith('.md') && !path.startsWith('test/tidy/'));
    const isThere = (path: string): boolean => existsSync(join(ROOT, path));
    expect(others.flatMap((path) => deadDocs(textOf(path) ?? { path, text: '' }, isThere))).toEqual([]);
  });

  it('takes packages only from the public registry', () => {
    expect(strayResolutions(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')))).toEqual([]);
  });
});
