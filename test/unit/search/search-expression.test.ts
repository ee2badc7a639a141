/** Expressions of figures: what they are worth, how they are spelt, and what is said of a wrong one. */
import { describe, expect, it } from 'vitest';
import { constraintsOf, objectivesOf } from '../../../src/cli/search/objectives.ts';
import { parseExpression } from '../../../src/search/expression.ts';
import { parseConstraint, violationOf } from '../../../src/search/trial.ts';

const figures: Readonly<Record<string, number | null>> = { a: 6, b: 2, zero: 0, none: null };
const valueOf = (text: string): number | null => parseExpression(text).value((name) => figures[name] ?? null);

describe('an expression', () => {
  it.each([
    ['a', 6],
    ['a - b - 1', 3],
    ['a / b / 3', 1],
    ['a - 0.5 * b ^ 2', 4],
    ['2 ^ b ^ 3', 256],
    ['-b ^ 2', -4],
    ['-(a + b) * -1', 8],
    ['a*-b', -12],
    ['2 ^ -1', 0.5],
    ['1.5e1 + .5', 15.5],
    ['min(a, b, 3) + max(a, b)', 8],
    ['abs(b - a) + sqrt(4) + log(1)', 6],
    ['((a))', 6],
  ])('%s is %s', (text, value) => expect(valueOf(text)).toBe(value));

  it.each([
    'none',
    'a + none',
    'min(a, none)',
    'a / zero',
    '-a / zero',
    'zero / zero',
    'sqrt(-a)',
    'log(-1)',
    'unknown',
    'zero ^ -1',
    '1 / zero ^ -1',
    'log(zero)',
    '9 ^ 999',
    '-(9 ^ 999)',
  ])('%s does not exist', (text) => expect(valueOf(text)).toBeNull());

  it('has one spelling, which means the same, and the names that it reads', () => {
    for (const [text, spelling, names] of [
      [' a -b*( -a+2 )', 'a - b * (-a + 2)', ['a', 'b']],
      ['max(b,-a)^2', 'max(b, -a) ^ 2', ['b', 'a']],
      ['2--a', '2 - -a', ['a']],
    ] as const) {
      const found = parseExpression(text);
      expect([found.text, found.names]).toEqual([spelling, names]);
      expect(parseExpression(found.text).text).toBe(spelling);
      expect(valueOf(found.text)).toBe(valueOf(text));
    }
  });

  it.each([
    ['', 1, 'found the end'],
    ['a +', 4, 'expected a number or the name of a metric, found the end'],
    ['a b', 3, 'expected + - * / ^ or the end, found "b"'],
    ['(a', 3, 'expected ), found the end'],
    ['a)', 2, 'expected + - * / ^ or the end, found ")"'],
    ['a + $', 5, 'found "$"'],
    ['a * * b', 5, 'found "*"'],
    ['power(a, 2)', 1, 'there is no function "power"; there are abs, sqrt, log, min, max'],
    ['toString(a)', 1, 'there is no function "toString"'],
    ['abs(a, b)', 1, 'abs takes 1 values, found 2'],
    ['min(a)', 1, 'min takes 2 to 9 values, found 1'],
    [`${'('.repeat(200)}a`, 102, 'more than 100 levels'],
  ])('%j is refused at character %i', (text, at, message) => {
    expect(() => parseExpression(text)).toThrow(expect.objectContaining({ at, message: expect.stringContaining(message) as string }));
  });
});

describe('the objectives of a command', () => {
  it('are metrics, expressions or the function of the file, with a direction', () => {
    expect(objectivesOf('sharpe,maxDrawdown')).toEqual([
      { figure: 'sharpe', direction: 'max' },
      { figure: 'maxDrawdown', direction: 'min' },
    ]);
    expect(objectivesOf('min(sharpe,calmar)-fees/ 2, objective , 2*maxDrawdown:min')).toEqual([
      { figure: 'min(sharpe, calmar) - fees / 2', direction: 'max' },
      { figure: 'objective', direction: 'max' },
      { figure: '2 * maxDrawdown', direction: 'min' },
    ]);
  });
  it.each([
    ['sharpe + maxDrawdonw', 'there is no figure "maxDrawdonw"'],
    ['sharpe,', 'found the end'],
    ['sharpe - fees, sharpe-fees', 'expected each figure once'],
    ['2 + 2', 'expected at least one figure'],
    ['sharpe:up', 'expected sharpe:min or sharpe:max'],
    ['constructor', 'there is no figure "constructor"'],
  ])('%s is refused', (text, message) => expect(() => objectivesOf(text)).toThrow(message));
});

describe('a constraint', () => {
  it('may be on an expression', () => {
    const [found] = constraintsOf(['totalReturn/maxDrawdown >= 2']);
    expect(found).toEqual({ figure: 'totalReturn / maxDrawdown', operator: '>=', bound: 2 });
    expect(violationOf({ 'totalReturn / maxDrawdown': 1.5 }, [found!])).toBe(0.5);
    expect(violationOf({ 'totalReturn / maxDrawdown': null }, [found!])).toBe(Infinity);
  });
  it.each(['trades > 1 > 2', '> 2', 'trades', 'trades >= x'])('%s is none', (text) => expect(parseConstraint(text)).toBeNull());
  it('names a figure that does not exist', () => expect(() => constraintsOf(['trade>2'])).toThrow('there is no figure "trade"'));
});
