/** The first lines of a log: what runs, and how the last process ended. */
import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { addressOf, cleanUp } from '../process.ts';
import { Scene } from '../scene.ts';

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
