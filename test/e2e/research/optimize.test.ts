/** `optimize` as a user runs it: the same study with any number of workers, after kill -9 and Ctrl-C; files of other studies are refused. */
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchResult } from '../../../src/report/research/search-result.ts';
import { writeRandomTape } from '../../support/backtest/reference-strategy.ts';
import { cleanUp, freshFolder, launch, ROOT, runToEnd, type Program } from '../process.ts';

let folder = '';
let common: string[] = [];

beforeAll(() => {
  folder = freshFolder();
  writeRandomTape(join(folder, 'tape'), { seed: 5, rows: 4_000, symbols: 1, stepMs: 300 });
  writeRandomTape(join(folder, 'other'), { seed: 6, rows: 1_000, symbols: 1, stepMs: 300 });
  copyFileSync(join(ROOT, 'strategies/ema-cross.ts'), join(folder, 'cross.ts'));
  common = searchOf('tape', 'cross.ts');
});
afterAll(cleanUp);

function searchOf(tape: string, strategy: string): string[] {
  const files = ['--tape', join(folder, tape), '--strategy', join(folder, strategy)];
  return [
    'optimize',
    ...files,
    '--param',
    'fast=2..30',
    '--param',
    'slow=31..120',
    '--param',
    'bar=1s',
    '--every-tick',
    '--by',
    'netProfit',
    '--json',
  ];
}

function resultOf({ code, out, err }: Program): SearchResult {
  expect(err).toBe('');
  expect(code).toBe(0);
  return JSON.parse(out) as SearchResult;
}

function outcomesIn(file: string): number {
  if (!existsSync(file)) return 0;
  try {
    const db = new DatabaseSync(file, { readOnly: true });
    const { count } = db.prepare('SELECT count(*) AS count FROM outcome').get() as { count: number };
    db.close();
    return count;
  } catch {
    return 0;
  }
}

describe('a search', () => {
  it.each([['tpe'], ['nsga2', '--by', 'netProfit,maxDrawdown'], ['cma-es'], ['sobol', '--prune']])(
    'by %s has the same hash and the same report with 1, 2 and 3 workers',
    async (sampler, ...flags) => {
      const results: SearchResult[] = [];
      for (const workers of ['1', '2', '3']) {
        const args = [...common, '--sampler', sampler, '--trials', '48', '--workers', workers, ...flags];
        results.push(resultOf(await runToEnd(args)));
      }
      const [one, two, three] = results.map(({ performance: _performance, ...rest }) => rest);
      expect(one!.trials.length).toBe(48);
      expect(two).toEqual(one);
      expect(three).toEqual(one);
    },
  );

  it('tries the best on a last part that took no part in the search', async () => {
    const args = [...common, '--sampler', 'random', '--trials', '20'];
    const { searched, holdout, best, defaults, trials } = resultOf(await runToEnd(args));
    expect(holdout!.from).toBe(searched.to);
    expect((holdout!.to - holdout!.from) / (holdout!.to - searched.from)).toBeCloseTo(0.3, 3);
    const top = trials.find(({ number }) => number === best!.number)!;
    expect(best!.searched).toEqual(top.figures);
    expect(Math.max(...trials.map(({ figures }) => figures['netProfit'] ?? -Infinity))).toBe(top.figures['netProfit']);
    // The last part as a backtest of its own gives the same profit.
    const param = Object.entries(best!.params).flatMap(([name, value]) => ['--param', `${name}=${value}`]);
    const files = ['--tape', join(folder, 'tape'), '--strategy', join(folder, 'cross.ts')];
    const from = String(holdout!.from);
    const alone = await runToEnd([
      'backtest',
      '--no-bracket',
      ...files,
      '--every-tick',
      '--json',
      '--param',
      'bar=1s',
      ...param,
      '--from',
      from,
    ]);
    const report = JSON.parse(alone.out) as { readonly pnl: { readonly net: string } };
    expect(best!.holdout!['netProfit']).toBe(Number(report.pnl.net));
    expect(defaults.number).toBeNull();
    expect(defaults.holdout!['netProfit']).not.toBe(best!.holdout!['netProfit']);
  });

  it('puts the trials that meet a constraint first', async () => {
    const args = [...common, '--sampler', 'random', '--trials', '30'];
    const free = resultOf(await runToEnd(args)).trials.map(({ figures }) => figures['maxDrawdown']!);
    const bound = Number(free.toSorted((x, y) => x - y)[15]!.toFixed(12));
    const { best, trials } = resultOf(await runToEnd([...args, '--constraint', `maxDrawdown<${bound.toFixed(12)}`]));
    const within = trials.filter(({ figures }) => figures['maxDrawdown']! < bound);
    expect(within.length).toBeGreaterThan(0);
    expect(within.length).toBeLessThan(30);
    expect(trials.map(({ meetsConstraints }) => meetsConstraints)).toEqual(trials.map((trial) => within.includes(trial)));
    expect(best!.searched['maxDrawdown']).toBeLessThan(bound);
    expect(best!.searched['netProfit']).toBe(Math.max(...within.map(({ figures }) => figures['netProfit']!)));
  });
});

describe('a study file', () => {
  const long = ['--trials', '240', '--workers', '2', '--prune'];

  it.each(['SIGKILL', 'SIGINT'] as const)('after %s in the middle goes on to the result of an undisturbed search', async (signal) => {
    const whole = resultOf(await runToEnd([...common, ...long]));
    const file = join(folder, `${signal}.study`);
    const counts: number[] = [];
    for (let round = 1; round <= 3; round++) {
      const program = launch([...common, ...long, '--study', file]);
      await program.until('more outcomes', () => outcomesIn(file) >= (counts.at(-1) ?? 0) + 20);
      await program.kill(signal);
      if (signal === 'SIGKILL') expect(program.signal).toBe('SIGKILL');
      else expect((JSON.parse(program.out) as SearchResult).isComplete).toBe(false);
      counts.push(outcomesIn(file));
    }
    const runs = whole.performance.runs;
    expect(counts.at(-1)).toBeLessThan(runs);
    const rest = resultOf(await runToEnd([...common, ...long, '--study', file]));
    expect(rest.hash).toBe(whole.hash);
    expect(rest.best).toEqual(whole.best);
    expect(rest.performance.runs).toBe(runs - counts.at(-1)!);
  });

  it('that is complete needs no run, and more trials are added to it', async () => {
    const file = join(folder, 'more.study');
    const short = resultOf(await runToEnd([...common, '--trials', '20', '--study', file]));
    const again = resultOf(await runToEnd([...common, '--trials', '20', '--study', file]));
    expect(again.performance.runs).toBe(0);
    expect(again.hash).toBe(short.hash);
    const more = resultOf(await runToEnd([...common, '--trials', '40', '--study', file]));
    expect(more.performance.runs).toBe(20);
    expect(more.hash).toBe(resultOf(await runToEnd([...common, '--trials', '40'])).hash);
  });

  it('of another strategy, tape, space or seed is refused with what differs', async () => {
    const file = join(folder, 'mine.study');
    resultOf(await runToEnd([...common, '--trials', '8', '--study', file]));
    const before = readFileSync(file);
    writeFileSync(join(folder, 'changed.ts'), `${readFileSync(join(folder, 'cross.ts'), 'utf8')}// changed\n`);
    const cases: [string[], RegExp[]][] = [
      [searchOf('tape', 'changed.ts'), [/strategy: the study has [0-9a-f]{32}, found [0-9a-f]{32}/]],
      [searchOf('other', 'cross.ts'), [/tape: the study has/, /searched: the study has/]],
      [[...common, '--param', 'stop=0..0.1'], [/parameters: the study has fast 2\.\.30 .*, found .*stop 0\.\.0\.1/]],
      [[...common, '--seed', '9'], [/seed: the study has 1, found 9/]],
      [[...common, '--prune'], [/pruning: the study has false, found true/]],
    ];
    for (const [args, expected] of cases) {
      const { code, out, err } = await runToEnd([...args, '--trials', '8', '--study', file]);
      expect(code).toBe(2);
      expect(out).toBe('');
      for (const pattern of expected) expect(err).toMatch(pattern);
      expect(err).toMatch(/code: study-different/);
    }
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('that is something else is refused and left as it is', async () => {
    const file = join(folder, 'notes.txt');
    writeFileSync(file, 'shopping list');
    const { code, err } = await runToEnd([...common, '--trials', '8', '--study', file]);
    expect(code).toBe(78);
    expect(err).toMatch(/code: study-unusable/);
    expect(readFileSync(file, 'utf8')).toBe('shopping list');
  });
});

describe('a wrong search', () => {
  it.each([
    [['--param', 'fsat=1..5'], /unknown parameter "fsat" \(did you mean "fast"\?\)[^]*there are: fast \(an integer from 1 to 1000\), slow/],
    [['--param', 'size=1..5'], /a size above zero .* was expected, found the range 1\.\.5[^]*list its values: size=A,B/],
    [['--param', 'stop=0..0.9'], /parameter "stop": a number from 0 to 0\.5 was expected, found "0\.9"/],
    [['--param', 'stop=0.1..0.5:0'], /a step above zero was expected after the colon, found 0/],
    [['--by', 'sharpp'], /^error: --by: there is no figure "sharpp"\n  did you mean "sharpe"\?/],
    [['--constraint', 'trades'], /^error: --constraint: expected a figure, <, <=, > or >= and a number, found trades\n/],
    [['--sampler', 'cmaes'], /^error: --sampler: expected one of tpe, .*, found 'cmaes'\n  did you mean "cma-es"\?/],
    [['--sampler', 'cma-es', '--by', 'netProfit,trades'], /cma-es needs one objective, found 2/],
    [['--holdout', '95%'], /Expected a share from 0% to 90%/],
  ])('%j is refused with what exists', async (flags, expected) => {
    const { code, out, err } = await runToEnd([...common, ...flags]);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toMatch(expected);
  });

  it('whose strategy does not return for some parameters goes on without those trials', async () => {
    const source = readFileSync(join(folder, 'cross.ts'), 'utf8');
    const hanging = source.replace('onBar(done, market, ctx) {', 'onBar(done, market, ctx) {\n        while (fast === 3) {}');
    expect(hanging).not.toBe(source);
    writeFileSync(join(folder, 'hanging.ts'), hanging);
    const files = ['--tape', join(folder, 'tape'), '--strategy', join(folder, 'hanging.ts')];
    const search = ['--param', 'fast=2..5', '--sampler', 'grid', '--by', 'netProfit', '--every-tick', '--json'];
    const { trials } = resultOf(await runToEnd(['optimize', ...files, ...search, '--workers', '2', '--set', 'handlerLimitMs=200']));
    expect(trials.map(({ params, state, error }) => [params['fast'], state, error])).toEqual([
      ['2', 'done', undefined],
      ['3', 'failed', 'onBar did not return within 1000 ms'],
      ['4', 'done', undefined],
      ['5', 'done', undefined],
    ]);
  });

  it('in which every trial fails says why and ends with 1', async () => {
    const others = common.filter((word, at) => ![word, common[at + 1] ?? ''].some((one) => one.startsWith('slow=')));
    const program = await runToEnd([...others, '--param', 'slow=2', '--trials', '10']);
    expect(program.code).toBe(1);
    const { best, counts, notes } = JSON.parse(program.out) as SearchResult;
    expect(best).toBeNull();
    expect(counts).toEqual({ done: 0, pruned: 0, failed: 10 });
    expect(notes.join()).toMatch(/10 of 10 trials gave no result; the first: .*fast must be below slow/);
  });
});
