/** A bot meets the exchange's limit of open orders: the order beyond it is refused, and nothing else happens. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { addressOf, cleanUp, DEMO, freshFolder, launch, STOPPED } from '../process.ts';

afterEach(cleanUp);

it('a third order on an exchange with --open-orders 2 is refused, and the bot goes on', async () => {
  const folder = freshFolder();
  const state = join(folder, 'exchange');
  const exchange = launch(['exchange', '--synth', '--seed', '3', '--port', '0', '--state', state, '--open-orders', '2']);
  const url = await addressOf(exchange);
  const set = [`venue.baseUrl=${url}`, 'venue.timeoutMs=60000', `store.folder=${join(folder, 'bot')}`].flatMap((one) => ['--set', one]);
  const three = ['--strategy', 'test/e2e/strategies/rests.ts', '--param', 'orders=3'];
  const bot = launch(['run', '--config', 'config/paper.yaml', ...three, ...set], DEMO);
  await bot.untilLogged('command-rejected');
  await bot.kill('SIGINT');
  expect(STOPPED).toContain(bot.code);
  await exchange.kill('SIGINT');
  const ledger = readFileSync(join(state, 'ledger.jsonl'), 'utf8').trim().split('\n');
  const lines = ledger.map((line) => JSON.parse(line) as { readonly kind: string; readonly endpoint?: string; readonly code?: string });
  const placed = lines.filter(({ kind, endpoint }) => kind === 'request' && endpoint === 'E12');
  // The exchange takes them one after the other.
  expect(placed.map(({ code }) => code)).toEqual(['00000', '00000', '40014']);
  expect(lines.filter(({ kind }) => kind === 'order')).toHaveLength(2);
  expect(bot.logged('command-rejected')).toHaveLength(1);
  for (const event of ['outcome-unknown', 'symbol-halted']) expect(bot.logged(event), event).toEqual([]);
});
