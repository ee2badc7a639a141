/** Halts and kills where the state folder, its name, its socket or the place beside it is odd: the answer says what is true. */
import { mkdirSync, readFileSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { readLedger } from '../../../src/edge/file/ledger/read-ledger.ts';
import { opensIn } from '../../support/latency/halt-states.ts';
import { addressOf, cleanUp, runToEnd, type Program } from '../process.ts';
import { Scene } from '../scene.ts';
import { Stage } from '../stage.ts';

afterEach(cleanUp);

async function trading(scene: Scene, settings: readonly string[] = []): Promise<Program> {
  const bot = scene.run(await addressOf(scene.exchange()), settings);
  await bot.untilLogged('ready');
  await bot.until('opens', () => opensIn(scene).length >= 3);
  return bot;
}

const lineOf = ({ out, err }: Program): string => `${out} ${err}`.replaceAll(/\s+/g, ' ');

it('a kill that the bot has taken, but did not answer, is in progress and not done', async () => {
  const stage = new Stage();
  const bot = await stage.startBot();
  await stage.untilHeld(1);
  const socket = join(stage.folder, 'bot', 'control.sock');
  rmSync(socket);
  // The bot cannot make its socket again.
  mkdirSync(socket);
  const killed = await runToEnd(['kill', '--state', join(stage.folder, 'bot')]);
  expect([killed.code, lineOf(killed)]).toEqual([
    4,
    expect.stringMatching(
      /the bot has taken the kill, .* its control socket gave no answer .* in effect, still open: its orders and positions/,
    ),
  ]);
  await bot.until('the position is closed', () => readLedger(join(stage.folder, 'exchange')).fills.some(({ effect }) => effect === 1));
  rmdirSync(socket);
  await bot.untilLogged('control-ready', 2);
  const again = await runToEnd(['kill', '--state', join(stage.folder, 'bot')]);
  expect([again.code, again.out]).toEqual([0, expect.stringContaining('flat')]);
  await stage.end();
});

it('a halt under another name of the state folder holds for a suspended bot', async () => {
  const scene = new Scene(56);
  const bot = await trading(scene);
  const link = join(scene.folder, 'link');
  symlinkSync(scene.botFolder, link);
  bot.send('SIGSTOP');
  await sleep(500);
  const halted = await runToEnd(['halt', '--state', link]);
  const answeredAt = Date.now();
  expect([halted.code, halted.out]).toEqual([8, expect.stringContaining('recorded')]);
  bot.send('SIGCONT');
  await bot.untilLogged('halt-request');
  await sleep(1_500);
  expect(opensIn(scene).filter((time) => time > answeredAt)).toEqual([]);
});

it('a halt in a folder without a bot is refused, and names the bot that runs below; the folder of start names its bot', async () => {
  const scene = new Scene(57);
  const started = join(scene.folder, 'started');
  await trading(scene, [`store.folder=${join(started, 'bot')}`]);
  const refused = await runToEnd(['halt', '--state', scene.folder]);
  expect([refused.code, lineOf(refused)]).toEqual([
    6,
    expect.stringMatching(/no bot has run in \S+ a bot runs in \S+bot: name it with --state/),
  ]);
  expect((await runToEnd(['resume', '--state', scene.folder])).err).toContain('a bot runs in');

  const halted = await runToEnd(['halt', '--state', started]);
  const answeredAt = Date.now();
  expect([halted.code, halted.out]).toEqual([0, expect.stringContaining('opens of the bot are halted')]);
  await sleep(1_500);
  expect(opensIn(scene).filter((time) => time > answeredAt)).toEqual([]);
});

it('a halt that cannot be written beside the store says so, and names a silent bot that it does not stop', async () => {
  const scene = new Scene(58);
  const bot = await trading(scene);
  const at = ['--state', scene.botFolder];
  mkdirSync(`${scene.botFolder}.halts.json.new`);
  const halted = await runToEnd(['halt', ...at]);
  expect([halted.code, lineOf(halted)]).toEqual([
    0,
    expect.stringMatching(/it is not in the file beside the store \(.*EISDIR.*\): the loss of the store/),
  ]);
  const shown = (await runToEnd(['status', ...at])).out;
  expect(shown).toContain('halts-marker-failed');
  expect(shown, 'an error without its stack').not.toContain('    at ');
  rmdirSync(`${scene.botFolder}.halts.json.new`);
  bot.send('SIGSTOP');
  await sleep(500);
  writeFileSync(`${scene.botFolder}.halt-requests`, '');
  const silent = await runToEnd(['halt', ...at]);
  expect([silent.code, lineOf(silent)]).toEqual([
    1,
    expect.stringMatching(/\(process \d+\) gives no answer; .* could not be written to .*EEXIST.*: it may open positions .*kill -CONT \d+/),
  ]);
  bot.send('SIGCONT');
  expect(readFileSync(`${scene.botFolder}.halt-requests`, 'utf8')).toBe('');
});
