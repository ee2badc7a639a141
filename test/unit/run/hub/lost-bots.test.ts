/** Bots that have the lock of an account and whose state folder is not known: they are never left out of an overview or a kill of all. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { takePresence } from '../../../../src/edge/file/beside/presence.ts';
import { holdFile } from '../../../../src/edge/file/exclusive-file.ts';
import { findAllBots } from '../../../../src/run/bot/outside/find-bot.ts';
import { BotWatch, lookAtAll, type WhichBots } from '../../../../src/run/hub/all-bots.ts';
import { effectOfKill, killAll } from '../../../../src/run/hub/kill-all.ts';
import { nameOfBot } from '../../../../src/run/hub/look.ts';

let home = '';
let which: WhichBots;
const open: (() => void)[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'lost-'));
  which = { cwd: home, env: { TICKWRIGHT_STATE_HOME: home }, named: [] };
  mkdirSync(join(home, 'locks'));
});
afterEach(() => {
  for (const close of open.splice(0)) close();
  rmSync(home, { recursive: true });
});

/** A note beside a lock, which a process holds unless it was killed. */
function note(account: string, text: string, isHeld = true): void {
  writeFileSync(join(home, 'locks', `${account}.json`), text);
  const lock = holdFile(join(home, 'locks', `${account}.lock`))!;
  if (isHeld) open.push(() => lock.close());
  else lock.close();
}

it('a bot whose note names no folder, a folder that is not here, or is damaged, is an alarm, and its kill fails', async () => {
  note('a', JSON.stringify({ pid: 17, bot: 'older', store: 'redis' }));
  note('b', JSON.stringify({ pid: 1, bot: 'inside', store: 'redis', folder: join(home, 'of-a-container') }));
  note('c', '{"pid":17,"bo');
  note('d', JSON.stringify({ pid: 18, bot: 'gone', store: 'redis' }), false);
  const looks = await lookAtAll(which);
  expect(looks.map((look) => [nameOfBot(look), look.state, look.says])).toEqual([
    ['older', 'unknown', expect.stringMatching(/^process 17 .* not known; name the folder/)],
    ['inside', 'unknown', expect.stringMatching(/^process 1 .* not here: .*of-a-container; name the folder/)],
    ['c.json', 'unknown', expect.stringMatching(/^a process .* not known; name the folder/)],
  ]);
  expect(effectOfKill(looks[0]!)).toMatch(/^cannot be killed from here: process 17/);
  expect((await killAll(looks, {})).map(({ bot, outcome, did }) => [bot, outcome, did])).toEqual(
    looks.map((look) => [nameOfBot(look), 'failed', [look.says]]),
  );
});

it('once its folder is named it is found there; of two processes with one number only one is', () => {
  const folder = join(home, 'bot');
  const presence = takePresence(folder)!;
  open.push(() => presence.release());
  const older = JSON.stringify({ pid: process.pid, bot: 'older', store: 'redis' });
  note('a', older);
  const rows = (named: readonly string[]): unknown => {
    const { found, lost } = findAllBots(which.cwd, which.env, named);
    return [found.map((one) => one.folder), lost.map(({ bot }) => bot)];
  };
  expect(rows([])).toEqual([[], ['older']]);
  expect(rows([folder])).toEqual([[folder], []]);
  note('b', older);
  expect(rows([folder])).toEqual([[folder], ['older']]);
});

it('a hub shows it as long as it runs', async () => {
  note('a', JSON.stringify({ pid: 17, bot: 'older', store: 'redis' }));
  const stop = new AbortController();
  const watch = new BotWatch(which, stop.signal);
  const ended = watch.run();
  expect(watch.looks.map(nameOfBot)).toEqual(['older']);
  stop.abort();
  await ended;
});
