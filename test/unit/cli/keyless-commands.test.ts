/** Commands that send nothing to the venue work without the file of credentials that the configuration names. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmbeddedStore } from '../../../src/edge/embedded/embedded-store.ts';
import { runToEnd } from '../../e2e/process.ts';

const folder = mkdtempSync(join(tmpdir(), 'keyless-'));
const config = join(folder, 'bot.yaml');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(async () => {
  writeFileSync(config, `bot: keyless\nvenue:\n  credentials: ${join(folder, 'gone.yaml')}\nstore:\n  folder: ${join(folder, 'state')}\n`);
  const store = openEmbeddedStore({ folder: join(folder, 'state') });
  store.put('epoch', '7');
  await store.commit();
  await store.close();
});

test.each([
  ['status', [], 0],
  ['why', [], 0],
  ['halt', [], 7],
  ['backup', [join(folder, 'copy.gz')], 0],
  // No monitor has watched it yet.
  ['alert list', [], 78],
])('%s', async (name, args, code) => {
  const ran = await runToEnd([...name.split(' '), ...args, '--config', config]);
  expect(ran.out + ran.err).not.toContain('credentials file');
  expect(ran.code, ran.err).toBe(code);
});

test('one that asks the venue names the missing file', async () => {
  const ran = await runToEnd(['doctor', '--config', config]);
  expect(ran.out + ran.err).toContain('gone.yaml');
});
