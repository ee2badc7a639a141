/** The first lines of a log: what runs, and how the last process ended. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { addressOf, cleanUp, DEMO, runToEnd } from '../process.ts';
import { Scene } from '../scene.ts';
import { Stage } from '../stage.ts';

afterEach(cleanUp);

it('the log begins with program, configuration, venue and limits, then says how the last process ended', async () => {
  const scene = new Scene(7);
  const url = await addressOf(scene.exchange());
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

  const first = scene.run(url, ['risk.maxDailyLoss=3%']);
  await first.untilLogged('armed');
  const [line] = first.logged('starting');
  expect(first.out.split('\n')[0]).toContain('"event":"starting"');
  expect(line).toMatchObject({ version, bot: 'paper', venue: url, store: 'embedded', state: scene.botFolder });
  expect(line!['limits']).toMatchObject({ maxDailyLoss: '3%' });
  expect(line!['config']).toMatch(/^[0-9a-f]{12}$/);
  expect(first.out + first.err).not.toContain('demo-secret');
  expect(first.logged('recovered')).toMatchObject([{ lastEnd: 'none' }]);
  await first.kill('SIGKILL');

  const second = scene.run(url, ['risk.maxDailyLoss=4%']);
  await second.untilLogged('armed');
  expect(second.logged('recovered')).toMatchObject([{ lastEnd: 'without a stop' }]);
  expect(second.logged('starting')[0]!['config']).not.toBe(line!['config']);
  await second.kill('SIGTERM');

  const third = scene.run(url, ['risk.maxDailyLoss=3%']);
  await third.untilLogged('armed');
  expect(third.logged('recovered')[0]!['lastEnd']).toBe('clean');
  expect(third.logged('starting')[0]!['config']).toBe(line!['config']);
});

it('a strategy that was added while the bot ran is in the first lines, and `run --check` examines it too', async () => {
  const stage = new Stage();
  const file = join(stage.folder, 'bot.yaml');
  const first = await stage.startBot();
  const folder = join(stage.folder, 'bot');
  const added = await runToEnd(['add-strategy', 'grid', 'ETHUSDT', '--name', 'late', '--state', folder]);
  expect(added.code, added.err).toBe(0);
  await first.until('it is opened again', () => first.logged('armed').length === 2);
  const line = 'late (grid) on ETHUSDT';
  expect(first.logged('recovered').map((one) => one['added'])).toEqual([undefined, [line]]);
  const check = (): ReturnType<typeof runToEnd> => runToEnd(['run', '--config', file, '--check'], DEMO);
  expect((await check()).out).toMatch(/^ok +strategy +late on ETHUSDT: added while the bot ran; it trades$/m);
  await first.kill('SIGTERM');
  expect((await check()).out).toMatch(/^ok +strategy +late \(grid\) on ETHUSDT: added while the bot ran$/m);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('strategies:\n  - ', 'strategies:\n  - name: late\n    '));
  const twice = await check();
  expect(twice.code, twice.out).toBe(78);
  expect(twice.out).toMatch(/^bad +strategy +.*expected another name than "late"/m);
  writeFileSync(file, text);
  stage.launchBot();
  await stage.bot.untilLogged('armed');
  expect(stage.bot.logged('recovered')[0]!['added']).toEqual([line]);
  await stage.end();
});
