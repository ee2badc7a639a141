/** Mistakes in YAML: the place, what was expected and found, and the right form. */
import { expect, test } from 'vitest';
import { Failure } from '../../../src/base/failure/failure.ts';
import { parseYaml } from '../../../src/config/files/yaml.ts';

test.each([
  ['a tab', 'poll:\n\tquotes: 1s\n', '2:1', /expected blanks .* found a tab/, /two blanks/],
  ['no blank after the colon', 'seed:1\nbot: a\n', '1:1', /found a key without a colon/, /"key: value"/],
  ['two keys in a line', 'bot: a: b\n', '1:6', /found a second one/, /quotes/],
  ['open quotes', 'bot: "a\n', '2:1', /[Mm]issing closing "quote/, /close quotes/],
  ['a list that is not closed', 'strategies: [1\nbot: x\n', '2:1', /found another indentation/, /close a \[ with \]/],
  ['a key twice', 'bot: a\nbot: b\n', '2:1', /each key once, found the duplicate key "bot"/, /remove one/],
  [
    'a line that is indented too far',
    'risk:\n  maxOpenOrders: 4\n   maxLeverage: 2\nbot: a\n',
    '2:18',
    /found a second one/,
    /indent the next as this one/,
  ],
  ['a section that is not closed', 'risk: {maxOpenOrders: 4\nbot: a\nbot: b\n', '2:1', /found another indentation/, /close a \[ with \]/],
])('%s', (_name, text, place, what, hint) => {
  let found: unknown = null;
  try {
    parseYaml(text, 'bot.yaml');
  } catch (error) {
    found = error;
  }
  expect(found).toBeInstanceOf(Failure);
  const [problem, ...more] = (found as Failure).problems;
  expect(more, 'one mistake is one error').toEqual([]);
  expect(problem?.where).toBe(`bot.yaml:${place}`);
  expect(problem?.what).toMatch(what);
  expect(problem?.hint).toMatch(hint);
});

test('each key that stands twice is told, because each is a mistake of its own', () => {
  expect(() => parseYaml('bot: a\nbot: b\nseed: 1\nseed: 2\n', 'bot.yaml')).toThrow(
    expect.objectContaining({
      problems: [expect.objectContaining({ where: 'bot.yaml:2:1' }), expect.objectContaining({ where: 'bot.yaml:4:1' })],
    }),
  );
});
