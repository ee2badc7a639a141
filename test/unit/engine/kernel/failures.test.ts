/** One table of failure codes: the program, the page and the output agree with it. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../../../src/base/failure/failure.ts';
import { FAILURES, type FailureCode } from '../../../../src/base/failure/failures.ts';
import { failuresPage } from '../../../../src/cli/pages/failures-page.ts';
import { exitCodeOf, printError } from '../../../../src/cli/shell/print-error.ts';
import { ParamError } from '../../../../src/engine/strategy/definition/params.ts';
import { StrategyError } from '../../../../src/engine/strategy/definition/define.ts';
import { PollPlanError } from '../../../../src/engine/polling/schedule.ts';
import { sourcesIn } from '../../../tidy/source.ts';

const CODES = Object.keys(FAILURES) as FailureCode[];

/** Every quoted word that could be a code, outside the table itself. */
function wordsOf(): ReadonlySet<string> {
  const sources = sourcesIn('src').filter(
    ({ path }) =>
      !path.endsWith('base/failure/failures.ts') && !path.endsWith('base/failure/tape-failures.ts') && !path.endsWith('tape/file/error.ts'),
  );
  return new Set(sources.flatMap(({ text }) => [...text.matchAll(/'([a-z]+(?:-[a-z]+)*)'/g)].map(([, word]) => word!)));
}

test('every row of the table is used; rows of tapes by the second half of their name', () => {
  const words = wordsOf();
  expect(CODES.filter((code) => !words.has(code) && !(code.startsWith('tape-') && words.has(code.slice(5))))).toEqual([]);
});

test('every failure in the program has a code of the table', () => {
  const made = sourcesIn('src').flatMap(({ text }) =>
    [...text.matchAll(/new (?:Failure|SymbolError)\(\s*'([^']+)'/g)].map(([, code]) => code!),
  );
  expect(made.length).toBeGreaterThan(50);
  expect(made.filter((code) => !Object.hasOwn(FAILURES, code))).toEqual([]);
});

test('docs/reference/failures.md is up to date, with the exit code of each row (if not: npm run docs)', () => {
  const page = readFileSync(new URL('../../../../docs/reference/failures.md', import.meta.url), 'utf8');
  expect(page === failuresPage()).toBe(true);
  for (const code of CODES) expect(page).toContain(`| \`${code}\` | ${exitCodeOf(new Failure(code, { what: 'this' }))} |`);
});

test('codes are plain words, and meaning and advice are sentences', () => {
  expect(CODES.filter((code) => !/^[a-z]+(-[a-z]+)*$/.test(code))).toEqual([]);
  for (const code of CODES) for (const text of [FAILURES[code].meaning, FAILURES[code].action]) expect(text, code).toMatch(/^[A-Z`].*\.$/);
});

test('an error ends with its code, once, however many problems it has', () => {
  let text = '';
  const out = { write: (more: string) => void (text += more) };
  printError(
    new Failure('config-invalid', [
      { what: 'one', hint: 'help' },
      { what: 'two', where: 'bot.yaml:1:1' },
    ]),
    out,
    {},
  );
  expect(text).toBe('error: one\n  help\nerror: bot.yaml:1:1: two\n  code: config-invalid\n');
});

describe('errors by kind', () => {
  const printed = (error: unknown): string => {
    let text = '';
    printError(error, { write: (more) => void (text += more) }, {});
    return text;
  };
  test.each([
    [new ParamError('fast must be above 0'), 78, 'error: fast must be above 0\n  code: parameter-value\n'],
    [new StrategyError('x: create must be a function'), 78, 'error: x: create must be a function\n  code: strategy-invalid\n'],
    [new PollPlanError('order: 9 of 5 a second'), 78, 'error: order: 9 of 5 a second\n  code: poll-plan\n'],
    [new Failure('port-unusable', { what: 'a\u001b[2J', where: 'b' }), 1, 'error: b: a\n  code: port-unusable\n'],
    [
      new TypeError('x is not a function'),
      1,
      'error: internal error of tickwright: x is not a function\n  TICKWRIGHT_DEBUG=1 shows the stack trace\n  code: program-fault\n',
    ],
    ['text', 1, 'error: text\n  code: unexpected\n'],
  ])('%s', (error, code, text) => {
    expect([exitCodeOf(error), printed(error)]).toEqual([code, text]);
  });
});
