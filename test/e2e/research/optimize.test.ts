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

describe('an objective of the author', () => {
  const own = (file: string, text: string): string[] => {
    writeFileSync(join(folder, file), `${readFileSync(join(folder, 'cross.ts'), 'utf8')}\nexport const objective = ${text};\n`);
    return searchOf('tape', file).map((word) => (word === 'netProfit' ? 'objective' : word));
  };
  const search = ['--sampler', 'sobol', '--trials', '16'];

  it('in the strategy file and as an expression chooses the same trial, also in walk-forward and cross-validate', async () => {
    const inFile = own('own.ts', '({ metrics }) => metrics.netProfit - 2 * metrics.fees');
    const asText = common.map((word) => (word === 'netProfit' ? 'netProfit - 2*fees' : word));
    const [a, b] = [resultOf(await runToEnd([...inFile, ...search])), resultOf(await runToEnd([...asText, ...search]))];
    expect([a.objectives[0], b.objectives[0]]).toEqual([
      { figure: 'objective', direction: 'max' },
      { figure: 'netProfit - 2 * fees', direction: 'max' },
    ]);
    for (const { figures } of a.trials.filter(({ state }) => state === 'done')) {
      expect(figures['objective']).toBe(figures['netProfit']! - 2 * figures['fees']!);
    }
    expect(a.best!.number).toBe(b.best!.number);
    expect(a.best!.holdout!['objective']).toBe(b.best!.holdout!['netProfit - 2 * fees']);
    for (const [command, ...flags] of [
      ['walk-forward', '--folds', '2', '--trials', '4', '--sampler', 'sobol'],
      ['cross-validate', '--groups', '3', '--trials', '4'],
    ]) {
      const chosen = async (args: string[]): Promise<unknown> => {
        const { folds, splits } = JSON.parse((await runToEnd([command!, ...args.slice(1), ...flags])).out) as {
          readonly folds?: readonly { readonly best: { readonly params: object } }[];
          readonly splits?: readonly { readonly chosen: { readonly params: object } }[];
        };
        return (folds ?? splits)!.map((one) => ('best' in one ? one.best.params : one.chosen.params));
      };
      const found = await chosen(inFile);
      expect(found).toHaveLength(command === 'walk-forward' ? 2 : 3);
      expect(found).toEqual(await chosen(asText));
    }
  });

  it('that is missing is a fault of the file', async () => {
    const { code, err } = await runToEnd([...own('missing.ts', '0; export const goal = () => 1'), '--trials', '2']);
    expect(code).toBe(78);
    expect(err).toMatch(/a function that the file exports under this name was expected, found number\n {2}write: export const objective/);
  });

  it('that asks chance, gives no number or reads no metric fails its trial and says why', async () => {
    const runs = ['Math.random()', '"good"', 'metrics.sharp', 'Number.NaN', 'null', 'trades.length + equity.time.length * 0 + to - from'];
    const cases = runs.map((run) => `({ metrics, trades, equity, from, to }) => ${run}`).join(', ');
    const text = `((runs) => { let at = 0; return (run) => runs[at++ % runs.length](run); })([${cases}])`;
    const args = [...own('wrong.ts', text), '--trials', String(runs.length), '--workers', '1', '--sampler', 'sobol', '--holdout', '0%'];
    const { trials } = resultOf(await runToEnd(args));
    expect(trials.map(({ error }) => error)).toEqual([
      expect.stringMatching(/^objective of the strategy file: .*Math\.random/),
      'objective of the strategy file: a finite number, or null for no result, was expected, found good',
      'objective of the strategy file: there is no metric "sharp" (did you mean "sharpe"?)',
      'objective of the strategy file: a finite number, or null for no result, was expected, found NaN',
      undefined,
      undefined,
    ]);
    expect(trials.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed', 'failed', 'failed', 'done']);
    expect(trials[5]!.figures['objective']).toBeGreaterThan(60_000);
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
    const rest = resultOf(await runToEnd(['optimize', '--resume', file.replace(/\.study$/, ''), '--workers', '2', '--json']));
    expect(rest.hash).toBe(whole.hash);
    expect(rest.best).toEqual(whole.best);
    expect(rest.performance.runs).toBe(runs - counts.at(-1)!);
  });

  it('is searched by one process at a time: the second is refused, and the first is not disturbed', async () => {
    const file = join(folder, 'shared.study');
    const first = launch([...common, ...long, '--study', file]);
    await first.until('the first outcomes', () => outcomesIn(file) >= 20);
    const { code, out, err } = await runToEnd([...common, ...long, '--study', file]);
    expect([code, out]).toEqual([75, '']);
    expect(err).toMatch(/the study is in use by process \d+; stop it first or use another study[^]*study-in-use/);
    await first.kill('SIGINT');
    expect((JSON.parse(first.out) as SearchResult).isComplete).toBe(false);
    expect(resultOf(await runToEnd([...common, ...long, '--study', file])).isComplete).toBe(true);
    expect(existsSync(`${file}.lock`)).toBe(false);
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

  it('is continued by its name alone, from any folder, with more trials', async () => {
    const file = join(folder, 'named.study');
    const flags = ['--constraint', 'trades>=2', '--sampler', 'sobol', '--seed', '4'];
    resultOf(await runToEnd([...common, ...flags, '--trials', '6', '--study', file]));
    const more = resultOf(await runToEnd(['optimize', '--resume', join(folder, 'named'), '--trials', '10', '--json']));
    expect(more.performance.runs).toBe(4);
    expect(more.hash).toBe(resultOf(await runToEnd([...common, ...flags, '--trials', '10'])).hash);
    // The trials that were added count from then on.
    expect(resultOf(await runToEnd(['optimize', '--resume', file, '--json'])).performance.runs).toBe(0);
    const { code, err } = await runToEnd(['optimize', '--resume', file, '--seed', '5']);
    expect(code).toBe(2);
    expect(err).toMatch(/'--resume <name>' cannot be used with option '--seed <number>'/);
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
