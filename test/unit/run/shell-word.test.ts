/** Commands that a person is told to type have words that a shell takes as they are meant: a real shell reads them back. */
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shellWord } from '../../../src/run/setup/shell-word.ts';

it('a plain path stays as it is, anything else is one word of a shell with the same text', () => {
  for (const plain of ['/var/lib/bot', 'bots/a-1', 'C:/x', '@2', 'a=b']) expect(shellWord(plain, 'linux')).toBe(plain);
  expect(shellWord('/srv/my bots/a', 'linux')).toBe("'/srv/my bots/a'");
  expect(shellWord("it's", 'linux')).toBe(String.raw`'it'\''s'`);
  expect(shellWord('', 'linux')).toBe("''");
  expect([shellWord('C:\\bots\\a', 'win32'), shellWord('C:\\my bots', 'win32')]).toEqual(['C:\\bots\\a', '"C:\\my bots"']);
  const texts = fc
    .sample(fc.string({ unit: 'grapheme', minLength: 1 }), { numRuns: 300, seed: 27 })
    .filter((text) => !/[\0\ud800-\udfff]/.test(text));
  const words = ['~', '$HOME', '*', 'a;b', '`id`', '-n', '!!', 'a\nb', ...texts];
  const { stdout } = spawnSync('sh', ['-c', `printf '%s\\0' ${words.map((one) => shellWord(one, 'linux')).join(' ')}`], {
    encoding: 'utf8',
  });
  expect(stdout.split('\0').slice(0, -1)).toEqual(words);
});
