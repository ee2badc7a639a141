/** Telegram as a hand on the bot, over a server made from the protocol of its Bot API: real sockets, and no bot behind it. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Secret } from '../../../../src/base/secret.ts';
import { startControl } from '../../../../src/edge/control/control-server.ts';
import { ReadModel } from '../../../../src/monitor/model/read-model.ts';
import { Chats } from '../../../../src/run/monitor/alerts/chats.ts';
import { MemoryLog } from '../../../support/engine/engine-kit.ts';
import { telegramService, type TelegramService } from '../../../support/monitor/alert-services.ts';

const TOKEN = '123:CANARY';
let service: TelegramService;
let folder = '';
let chats: Chats;
const log = new MemoryLog();
const acknowledged: unknown[] = [];

beforeEach(async () => {
  service = await telegramService(TOKEN);
  const above = mkdtempSync(join(tmpdir(), 'chats-'));
  folder = join(above, 'bot');
  mkdirSync(folder);
  const values = { token: TOKEN, chat: '11', users: '11, 22', url: service.url };
  const secrets = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, new Secret(value)]));
  const channel = { kind: 'telegram', name: 'phone', from: 'info', isEscalation: false, values: secrets } as const;
  const acknowledge = (...given: unknown[]): boolean => acknowledged.push(given) > 0;
  chats = new Chats([channel], { folder, model: new ReadModel(Date.now()), now: () => Date.now(), log, acknowledge });
});
afterEach(async () => {
  await chats.close();
  await service.close();
  rmSync(join(folder, '..'), { recursive: true, force: true });
});

const buttonOf = (k: number): string => {
  const shown = service.taken.filter(({ reply_markup: markup }) => markup !== undefined)[k];
  return (shown!['reply_markup'] as { inline_keyboard: [[{ callback_data: string }]] }).inline_keyboard[0][0].callback_data;
};

test('a halt takes two steps of one user; a forged user gets no answer and does nothing', async () => {
  service.say(33, '/halt', 11);
  service.say(11, '/halt');
  await expect.poll(() => service.texts().length).toBe(1);
  expect(service.texts()[0]).toContain('No opening order leaves after it');
  const data = buttonOf(0);
  service.press(22, data);
  service.press(33, data);
  service.say(11, '/nonsense');
  await expect.poll(() => service.texts().length).toBe(2);
  expect(log.events(), 'nobody who may has pressed').not.toContain('chat-command');
  service.press(11, data);
  await expect.poll(() => service.texts().length).toBe(3);
  expect(log.events()).toContain('chat-command');
  service.press(11, data);
  service.press(11, 'ack:7');
  await expect.poll(() => service.texts().at(-1)).toBe('Acknowledged.');
  expect(service.texts()).toHaveLength(4);
  expect(acknowledged).toEqual([[7, 'telegram 11']]);
  expect(log.events().filter((event) => event === 'chat-command')).toHaveLength(1);
  expect(log.events()).toContain('chat-refused');
  expect(JSON.stringify(log)).not.toContain('CANARY');
});

test('/why gives the first finding of each strategy, and what changes it', async () => {
  const found = { name: 'halts', state: 'finding', text: 'the whole bot is halted', since: 0, fix: 'tickwright resume' };
  const ladders = [
    {
      strategy: 'ema',
      symbol: 'BTCUSDT',
      headline: 'halts',
      checks: [{ ...found, name: 'armed', state: 'ok', text: 'armed', fix: '' }, found],
    },
    { strategy: 'grid', symbol: 'ETHUSDT', headline: '', checks: [] },
  ];
  const asked: unknown[] = [];
  const bot = await startControl({
    folder,
    port: null,
    handler: (_method, name, given) => {
      asked.push([name, given]);
      return Promise.resolve({ status: 200, body: { time: 1, isReplayed: false, lines: [], ladders } });
    },
    now: () => performance.now(),
    onError: () => undefined,
  });
  try {
    service.say(11, '/why BTCUSDT');
    await expect
      .poll(() => service.texts().at(-1))
      .toBe('ema on BTCUSDT: the whole bot is halted. To change it: tickwright resume\ngrid on ETHUSDT: nothing stops it');
    expect(asked).toEqual([['why', { what: 'BTCUSDT' }]]);
  } finally {
    await bot.close();
  }
});
