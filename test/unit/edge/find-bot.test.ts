/** Commands of another process find the bot of the folder, and wait for one that is starting. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startControl, type ControlReply, type RunningControl } from '../../../src/edge/control/control-server.ts';
import { takePresence, type Presence } from '../../../src/edge/file/beside/presence.ts';
import { botFolder, theBot } from '../../../src/run/bot/outside/find-bot.ts';
import { operate } from '../../../src/run/bot/outside/operate.ts';

let cwd: string;
const running: RunningControl[] = [];
const present: Presence[] = [];
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'bots-'));
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.close()));
  for (const one of present.splice(0)) one.release();
  rmSync(cwd, { recursive: true, force: true });
});

function stopped(name: string, changedAt: number): string {
  const folder = join(cwd, 'var', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'store.sqlite'), '');
  utimesSync(join(folder, 'store.sqlite'), changedAt, changedAt);
  return folder;
}

async function started(name: string, answer: () => ControlReply = () => ({ status: 200, body: {} })): Promise<string> {
  const folder = stopped(name, 1);
  const presence = takePresence(folder)!;
  present.push(presence);
  const handler = () => Promise.resolve(answer());
  running.push(await startControl({ folder, port: null, handler, now: () => 0, onError: (error) => expect.unreachable(String(error)) }));
  return folder;
}

function refusal(acts: boolean): unknown {
  try {
    return theBot(cwd, acts);
  } catch (error) {
    return error;
  }
}

test('without any store there is no bot', async () => {
  mkdirSync(join(cwd, 'var', 'tape'), { recursive: true });
  expect(refusal(false)).toMatchObject({ failure: 'bot-missing' });
});

test('the folder of start names the bot inside it', () => {
  const bot = stopped('start/bot', 1);
  const place = join(cwd, 'var', 'start');
  expect([botFolder(place), botFolder(bot), botFolder(join(place, 'exchange'))]).toEqual([bot, bot, join(place, 'exchange')]);
});

test('of stopped bots the one that ran last is read, and none is acted on', async () => {
  stopped('a', 100);
  const newest = stopped('inner/b', 300);
  stopped('c', 200);
  expect(theBot(cwd, false)).toBe(newest);
  expect(refusal(true)).toMatchObject({ failure: 'bot-ambiguous', message: expect.stringContaining('has a store in this folder') });
});

test('a running bot is meant before all that are stopped, and two have to be named', async () => {
  stopped('a', 100);
  const one = await started('b');
  expect([theBot(cwd, false), theBot(cwd, true)]).toEqual([one, one]);
  await started('c');
  expect(refusal(false)).toMatchObject({ failure: 'bot-ambiguous', message: expect.stringContaining('more than one bot runs') });
});

test('a bot that is starting is asked again until it answers', async () => {
  let asked = 0;
  const folder = await started('a', () => (++asked < 3 ? { status: 503, body: {} } : { status: 200, body: { phase: 'armed' } }));
  expect(await operate(folder, 'status', {})).toMatchObject({ by: 'running', body: { phase: 'armed' }, isRefused: false });
  expect(asked).toBe(3);
});

test('a halt is not called recorded where the bot that has the folder looks elsewhere', async () => {
  const folder = stopped('mounted', 1);
  present.push(takePresence(folder)!);
  const pulse = join(folder, 'bot.pulse');
  const said = JSON.parse(readFileSync(pulse, 'utf8')) as object;
  // As a bot in a container writes it: beside its folder is another one.
  writeFileSync(pulse, JSON.stringify({ ...said, place: '7 1' }));
  await expect(operate(folder, 'halt', {})).rejects.toMatchObject({
    failure: 'halt-not-recorded',
    message: expect.stringContaining('container'),
  });
  expect(existsSync(`${folder}.halt-requests`)).toBe(false);
  writeFileSync(pulse, JSON.stringify(said));
  expect(await operate(folder, 'halt', {})).toMatchObject({ by: 'silent', body: { recorded: true } });
});

test('a folder that cannot be looked at is an error that says so', () => {
  // Root may look at every folder; a name that is too long fails in the same place.
  const folder = join(tmpdir(), 'x'.repeat(300));
  expect(() => botFolder(folder)).toThrow(/cannot be read by this user \(ENAMETOOLONG\)/);
});
