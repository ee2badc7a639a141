/** Texts of a recording name no command, whoever wrote them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { jsonWithoutCommands, withoutCommands } from '../../../../src/run/past/without-commands.ts';

it('cuts each clause that names a command, and nothing else', () => {
  expect(withoutCommands('12 orders at 60150.5; `tickwright flatten` closes all that is of this bot')).toBe('12 orders at 60150.5');
  expect(withoutCommands('wait; `tickwright status` shows which reads are missing. Then wait again')).toBe('wait. Then wait again');
  expect(withoutCommands('first: tickwright halt x; tickwright flatten x')).toBe('');
  expect(withoutCommands({ n: 1, deep: [{ hint: 'tickwright resume' }, null], ends: '', s: 'fine' })).toEqual({
    n: 1,
    deep: [{ hint: '' }, null],
    ends: '',
    s: 'fine',
  });
  expect(jsonWithoutCommands('{"a":"x. Type tickwright kill"}')).toBe('{"a":"x"}');
});

it('leaves no command of any text in the engine', () => {
  const folder = 'src/engine';
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter((file) => file.endsWith('.ts'));
  const texts = files.flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(/'(?:[^'\n\\]|\\.)*'|`(?:[^`\n\\]|\\.)*`/g)]);
  const naming = texts.map(([text]) => text.slice(1, -1)).filter((text) => text.includes('tickwright '));
  expect(naming.length).toBeGreaterThan(20);
  for (const text of naming) expect(withoutCommands(text)).not.toContain('tickwright ');
});
