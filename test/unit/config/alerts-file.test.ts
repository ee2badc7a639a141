/** The private file of alerts: what it takes, what it refuses, and that no error shows a value of it. */
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Failure } from '../../../src/base/failure/failure.ts';
import { ALERT_RULES } from '../../../src/base/tables/alert-rules.ts';
import { LOG_EVENTS } from '../../../src/base/tables/log-events.ts';
import { readAlertsFile } from '../../../src/config/files/alerts-file.ts';
import { HALT_CODES } from '../../../src/engine/state/events/halt-codes.ts';

const folder = mkdtempSync(join(tmpdir(), 'alerts-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function written(text: string, mode = 0o600): string {
  const file = join(folder, `alerts-${++files}.yaml`);
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

const EVERY = `
channels:
  - { name: phone, kind: telegram, token: "123:abc", chat: "-42", users: "11, 22", from: warning }
  - { name: room, kind: discord, url: "https://discord.com/api/webhooks/1/x" }
  - { name: team, kind: slack, url: "https://hooks.slack.com/services/T/B/x" }
  - { name: push, kind: ntfy, topic: my-bot_1, token: tk_x }
  - { name: pager, kind: webhook, url: "http://127.0.0.1:9/x", secret: s3cret, escalation: true }
  - { name: mail, kind: email, url: "smtps://me:pass@mail.example.com", sender: bot@example.com, to: me@example.com }
ping: "https://hc-ping.com/x"
`;

test('one channel of every kind, with its defaults; everything but name and kind is a secret', () => {
  const { channels, ping } = readAlertsFile(written(EVERY));
  expect(channels.map(({ name, kind, from, isEscalation }) => [name, kind, from, isEscalation])).toEqual([
    ['phone', 'telegram', 'warning', false],
    ['room', 'discord', 'info', false],
    ['team', 'slack', 'info', false],
    ['push', 'ntfy', 'info', false],
    ['pager', 'webhook', 'info', true],
    ['mail', 'email', 'info', false],
  ]);
  expect(channels[0]!.values['token']!.reveal()).toBe('123:abc');
  expect(ping!.reveal()).toBe('https://hc-ping.com/x');
  expect(JSON.stringify({ channels, ping })).not.toMatch(/123:abc|hooks|tk_x|s3cret|pass|hc-ping/);
});

test('"" is no file', () => {
  expect(readAlertsFile('')).toEqual({ channels: [], ping: null });
});

test.each([
  ['channels:\n - { name: a, kind: fax }', '"kind": expected one of telegram, discord'],
  ['channels:\n - { name: a, kind: slack }', '"url" is missing'],
  ['channels:\n - { name: a, kind: slack, url: "http://SECRET.example.com/x" }', '"url": expected an address that begins with https://'],
  ['channels:\n - { name: a, kind: discord, url: "https://SECRET.example.com/x", topic: SECRET }', '"topic" is not a key of a channel'],
  ['channels:\n - { name: a, kind: telegram, token: "SECRET", chat: SECRET }', '"chat": expected the number of a chat'],
  ['channels:\n - { name: a, kind: ntfy, topic: x }\n - { name: a, kind: ntfy, topic: y }', '"a" is the name of another channel'],
  ['channels:\n - { name: a, kind: email, url: "https://SECRET", sender: a@b.c, to: SECRET }', '"to": expected an e-mail address'],
  ['ping: "ftp://SECRET"', '"ping": expected an address'],
  ['channels:', '"channels": expected a list with at least one entry, found none'],
  ['channels: []', '"channels": expected a list with at least one entry, found none'],
  ['channels: SECRET', '"channels": expected a list with at least one entry, found something else'],
  ['chanels: []', '"chanels" is not a key of the file of alerts'],
])('%s is refused without showing a value', (text, expected) => {
  let message = '';
  try {
    readAlertsFile(written(text));
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message).toContain(expected);
  expect(message).not.toContain('SECRET');
});

test.skipIf(process.platform === 'win32')('a file that others can read is refused', () => {
  expect(() => readAlertsFile(written(EVERY, 0o644))).toThrow(/only its owner can read/);
});

test.skipIf(process.platform === 'win32')('of the file of another user it says whose it has to be, and how', () => {
  const uid = process.getuid!();
  // Of root, which may give files away, and of any other user, who sees those of root.
  const others = written(EVERY, 0o644);
  if (uid === 0) chownSync(others, 65_534, 65_534);
  const file = uid === 0 ? others : '/etc/passwd';
  const hintOf = (): unknown => {
    try {
      return readAlertsFile(file);
    } catch (error) {
      return (error as Failure).problems[0]!.hint;
    }
  };
  expect(hintOf()).toBe(`chown ${uid} ${file} && chmod 600 ${file}`);
  if (uid !== 0) return;
  chmodSync(file, 0o600);
  expect(hintOf()).toBe(`chown 0 ${file}`);
});

test('every halt code is watched by one rule, and every event that a rule names exists', () => {
  const rules = Object.values(ALERT_RULES);
  const codes = rules.flatMap((rule) => ('halts' in rule ? rule.halts : []));
  expect([...codes].sort()).toEqual(Object.keys(HALT_CODES).sort());
  const events = rules.flatMap((rule) => ('events' in rule ? rule.events : []));
  expect(events.filter((event) => LOG_EVENTS[event] === undefined)).toEqual([]);
  expect(new Set(events).size).toBe(events.length);
});
