/** Commands that close everything do so in any margin mode. Real processes, judged by the exchange's ledger. */
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { cleanUp, runToEnd } from '../process.ts';
import { Stage } from '../stage.ts';

afterEach(cleanUp);

it('kill closes a position of another margin mode than the configured one, also after a restart', async () => {
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

it('kill closes what other people’s orders leave free, reports it, and does not retry ten times a second', async () => {
  const stage = new Stage({ seed: 5 });
  const state = ['--state', join(stage.folder, 'bot')];
  const bot = await stage.startBot();
  await stage.untilHeld(1);
  const close = {
    symbol: 'BTCUSDT',
    marginMode: 'CROSS',
    size: '0.06',
    side: 'LONG',
    tradeSide: 'CLOSE',
    orderType: 'LIMIT',
    price: '90000',
  };
  const resting = await stage.operator('call', { account: 'account-1', endpoint: 'E12', params: close });
  await bot.untilLogged('foreign-order');
  const killed = await runToEnd(['kill', '--wait', '4000', ...state]);
  expect([killed.code, killed.out]).toEqual([4, expect.stringContaining('BTCUSDT LONG 0.060')]);
  expect(bot.logged('flatten-held')).toMatchObject([{ symbol: 'BTCUSDT', side: 'LONG', size: '0.100', free: '0.040' }, { free: '0.000' }]);
  const refused = stage.requests('E12').filter(({ code }) => code !== '00000');
  expect(refused.length).toBeLessThan(4);
  await stage.operator('cancel', { orderId: (resting['data'] as { orderId: string }).orderId });
  await bot.until('flat', () => bot.logged('halt-lifted').some(({ code }) => code === 'flatten'));
  await stage.end();
});
