/** What `check` takes as known of a bot: no refusal is taken for a bot without a state. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { defaultConfig } from '../../../../src/config/defaults.ts';
import type { BotConfig } from '../../../../src/config/model.ts';
import { knownBot } from '../../../../src/run/change/check-change.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'known-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function configOf(kind: BotConfig['store']['kind'], at: string): BotConfig {
  const config = defaultConfig();
  return { ...config, bot: 'x', store: { ...config.store, kind, folder: at } };
}

it('only a bot without a state folder is unknown', async () => {
  const nowhere = join(folder, 'none');
  expect(await knownBot(configOf('embedded', nowhere))).toBeNull();
  expect(existsSync(nowhere)).toBe(false);
});

it('a folder without a store, and a stopped bot on Redis, are refused with what is wrong', async () => {
  await expect(knownBot(configOf('embedded', folder))).rejects.toMatchObject({
    failure: 'bot-missing',
    message: expect.stringContaining('it has no store'),
  });
  const redis = configOf('redis', join(folder, 'r'));
  const made = mkdtempSync(join(folder, 'r-'));
  const bot = made.slice(join(folder, 'r-').length);
  await expect(knownBot({ ...redis, bot })).rejects.toMatchObject({ failure: 'bot-missing', message: expect.stringContaining('in Redis') });
});
