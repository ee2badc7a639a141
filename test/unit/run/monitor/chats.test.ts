/** Telegram as a hand on the bot, over a server made from the protocol of its Bot API: real sockets, and no bot behind it. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Secret } from '../../../../src/base/secret.ts';
import { ReadModel } from '../../../../src/monitor/model/read-model.ts';
import { Chats } from '../../../../src/run/monitor/alerts/chats.ts';
import { MemoryLog } from '../../../support/engine-kit.ts';
import { telegramService, type TelegramService } from '../../../support/alert-services.ts';

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
