/** A chat with the bot: only users on the list, two steps for what acts, each nonce once, of its own user, within a minute. */
import { expect, test } from 'vitest';
import { Chat, type Said } from '../../../../src/monitor/alerts/chat.ts';
import { ReadModel } from '../../../../src/monitor/model/read-model.ts';

const NOW = 1_000_000_000;
const MODEL = new ReadModel(NOW);

function chatting(users = ['11', '22']) {
  let nonces = 0;
  const chat = new Chat(users, () => `nonce-${++nonces}`);
  const say = (text: string, given: Partial<Said> = {}, now = NOW) =>
    chat.take({ user: '11', text, isPress: false, time: now, ...given }, MODEL, now);
  const press = (data: string, user = '11', now = NOW) => say(data, { user, isPress: true }, now);
  return { say, press };
}

test('a question is asked of the bot at once', () => {
  const { say } = chatting();
  expect(say('/status')).toMatchObject({ kind: 'command', name: 'status', given: {} });
  expect(say('/orders@my_bot BTCUSDT')).toMatchObject({ kind: 'command', name: 'orders', given: { scope: 'BTCUSDT' } });
});

test('what acts lists its effect, and the press of the same user does it once', () => {
  const { say, press } = chatting();
  expect(say('/flatten BTCUSDT')).toMatchObject({
    kind: 'text',
    text: expect.stringContaining('Positions now: none'),
    button: { data: 'yes:nonce-1' },
  });
  expect(press('yes:nonce-1')).toEqual({
    kind: 'command',
    name: 'flatten',
    given: { scope: 'BTCUSDT', why: 'by telegram 11' },
    by: 'telegram 11',
  });
  expect(press('yes:nonce-1'), 'a second press').toBeNull();
});

test('a forged user, another user on the list, an old nonce and a guessed one do nothing', () => {
  const { say, press } = chatting();
  expect(say('/status', { user: '33' })).toBeNull();
  expect(say('/halt', { user: '33' })).toBeNull();
  say('/halt');
  expect(press('yes:nonce-1', '33')).toBeNull();
  expect(press('yes:nonce-1', '22')).toBeNull();
  expect(press('yes:nonce-2')).toBeNull();
  expect(press('yes:'), 'no nonce').toBeNull();
  expect(press('yes:nonce-1', '11', NOW + 60_001)).toEqual({ kind: 'text', text: 'Too late: say it again.' });
  expect(press('yes:nonce-1')).toBeNull();
});

test('what was said before a restart is old, and a text that claims to be a press is none', () => {
  const { say } = chatting();
  say('/halt');
  expect(say('/status', { time: NOW - 60_001 })).toBeNull();
  expect(say('yes:nonce-1')).toMatchObject({ kind: 'text', text: expect.stringContaining('/status') });
});

test('no word of a chat confirms the end of a kill, and kill is no word', () => {
  const { say, press } = chatting();
  say('/resume --i-know');
  expect(press('yes:nonce-1')).toMatchObject({ name: 'resume', given: { scope: '--i-know' } });
  for (const text of ['/kill', '/settle', '/constructor', '/__proto__', 'halt', ''])
    expect(say(text)).toMatchObject({ kind: 'text', text: expect.stringContaining('/halt') });
});

test('a press acknowledges an alert', () => {
  const { press } = chatting();
  expect(press('ack:7')).toEqual({ kind: 'acknowledge', alert: 7, by: 'telegram 11' });
  expect(press('ack:7', '33')).toBeNull();
  expect(press('ack:x')).toBeNull();
});
