/** What closes everything closes it whatever the mode of the position is. Real processes; the exchange's ledger judges. */
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { cleanUp, runToEnd } from './process.ts';
import { Stage } from './stage.ts';

afterEach(cleanUp);

it('kill closes a position of another margin mode than the configured one, also after a restart', { timeout: 60_000 }, async () => {
  const stage = new Stage({ seed: 5, params: { mode: 'ISOLATED' } });
  const state = ['--state', join(stage.folder, 'bot')];
  const bot = await stage.startBot();
  await stage.untilHeld(1);
  await runToEnd(['halt', ...state]);
  await bot.kill('SIGKILL');
  await stage.startBot();
  const killed = await runToEnd(['kill', '--wait', '10000', ...state]);
  expect([killed.code, killed.out]).toEqual([0, expect.stringContaining('done')]);
  const sent = stage.requests('E12').map(({ code, body }) => [code, (JSON.parse(body) as { marginMode: string }).marginMode]);
  expect(sent).toEqual([
    ['00000', 'ISOLATED'],
    ['00000', 'ISOLATED'],
  ]);
  await stage.end();
});
