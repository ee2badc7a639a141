/** Where a file sets a parameter of a strategy that is out of range. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paramPlace } from '../../../src/config/files/param-place.ts';

let file = '';
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tickwright-place-'));
  file = join(folder, 'bot.yaml');
  writeFileSync(
    file,
    'strategies:\n  - file: a.ts\n    params: { fast: 5000, slow: 9 }\n  - file: b.ts\n    params:\n      slow: 7000\n  - file: c.ts\n',
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['of the only strategy that sets it', 'fast', 'found "5000"', ':3:21'],
  ['of two that set it, of that with the value in the message', 'slow', 'found "7000"', ':6:13'],
  ['of two without that value: the file alone', 'slow', 'found "1"', ''],
  ['of none: the file alone', 'size', 'found "1"', ''],
])('the place %s', (_name, param, message, place) => {
  expect(paramPlace(file, param, message)).toBe(`${file}${place}`);
});
