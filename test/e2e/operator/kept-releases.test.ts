/**
 * A bot of this version takes over from a bot of each earlier release that was killed: its position, exits, resting order and halt are there, nothing is
 * opened twice, and the session is replayed. A store of a newer version is refused with code 78, and not a byte beside or in it changes.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { OrderAnswer, PositionAnswer, StatusAnswer } from '../../../src/control/answers.ts';
import { openEmbeddedStore } from '../../../src/edge/embedded/embedded-store.ts';
import { bytesBelow, keptReleases, layOut, type KeptRelease } from '../../support/stores/golden-release.ts';
import { cleanUp, freshFolder, launch, ROOT, runToEnd, STOPPED, type Program } from '../process.ts';

const STRATEGY = join(ROOT, 'test/e2e/strategies/holder.ts');

afterEach(cleanUp);

const stateOf = (release: KeptRelease): string => {
  const folder = join(freshFolder(), 'state');
  layOut(release, folder);
  return folder;
};

function start(state: string, { params }: KeptRelease): Program {
  const given = Object.entries(params).flatMap(([name, value]) => ['--param', `${name}=${value}`]);
  return launch(['start', '--state', state, '--strategy', STRATEGY, '--symbol', 'BTCUSDT', ...given]);
}

async function answerOf<T>(...args: string[]): Promise<T> {
  const { code, out, err } = await runToEnd([...args, '--json']);
  expect([code, err], args.join(' ')).toEqual([0, '']);
  return JSON.parse(out) as T;
}

it.each(keptReleases())('a bot takes over the open position and order of a bot of $version', async (release) => {
  const state = stateOf(release);
  const sessions = join(state, 'bot/sessions');
  const replayed = await answerOf<{ commands: number; divergence: unknown }>('replay', sessions, '--with', STRATEGY);
  expect(replayed).toMatchObject({ divergence: null });
  expect(replayed.commands).toBeGreaterThan(0);

  const bot = start(state, release);
  await bot.untilLogged('armed');
  const at = ['--state', join(state, 'bot')];
  const [status, { orders }, { positions }] = await Promise.all([
    answerOf<StatusAnswer>('status', ...at),
    answerOf<{ orders: OrderAnswer[] }>('orders', ...at),
    answerOf<{ positions: PositionAnswer[] }>('positions', ...at),
  ]);
  const { size, entry, order, price } = release.holds;
  expect(status.halts).toMatchObject([{ scope: 'strategy:holder', code: 'operator', by: expect.any(String) as string }]);
  expect(orders).toMatchObject([{ clientId: order, price, state: 'working', strategy: 'holder' }]);
  expect(positions).toMatchObject([{ symbol: 'BTCUSDT', side: 'LONG', size, own: size, entryPrice: entry }]);
  expect((positions[0]?.exits ?? []).map(({ what, by }) => [what, by])).toEqual([
    ['stop-loss', 'venue'],
    ['take-profit', 'venue'],
  ]);
  await bot.kill('SIGTERM');
  expect(STOPPED).toContain(bot.code);
  expect([...bot.logged('leg-halted'), ...bot.logged('fill'), ...bot.logged('order-placed')]).toEqual([]);
  expect(readdirSync(sessions)).toHaveLength(2);
});

it('a store of a newer version is refused with code 78, and nothing is written', async () => {
  const release = keptReleases().at(-1)!;
  const state = stateOf(release);
  const store = openEmbeddedStore({ folder: join(state, 'bot') });
  store.put('format', '2');
  await store.commit();
  await store.close();
  const contents = (): [string, string][] =>
    // The lock of its folder and the exchange are those of the process that was started; each start writes the settings of its monitor.
    [...bytesBelow(state)].filter(([path]) => !/\/exchange\/|\/(bot\.(lock|lock-journal|halts\.spare.*)|monitor\.json)$/.test(path));
  const before = contents();
  const bot = start(state, release);
  await bot.ended;
  expect([bot.code, bot.err]).toEqual([78, expect.stringContaining('written by a newer version of Tickwright')]);
  expect(contents().map(([path]) => path)).toEqual(before.map(([path]) => path));
  expect(contents()).toEqual(before);
});
