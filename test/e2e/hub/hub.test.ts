/** `tickwright hub` over real bots: they appear, hang, are killed and go on while it runs. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import type { BotState, HubAnswer } from '../../../src/control/hub.ts';
import { WebUser } from '../../support/monitor/monitor-client.ts';
import { cleanUp, launch, runToEnd } from '../process.ts';
import { Fleet } from './fleet.ts';

afterEach(cleanUp);

it('shows bots that appear, hang, are killed or stopped while it runs, and links to their dashboards', async () => {
  const hub = launch(['hub', '--print']);
  await hub.until('the file that opens the page', () => hub.out.includes('.html\n'));
  await hub.untilLogged('hub-ready');
  const url = String(hub.logged('hub-ready')[0]?.['url']);
  const user = await WebUser.login(url, tokenIn(hub.out));
  const overview = async (): Promise<HubAnswer> => (await user.call('GET', '/api/overview')).body as HubAnswer;
  const until = async (name: string, state: BotState): Promise<HubAnswer> => {
    for (;;) {
      const answer = await overview();
      if (answer.bots.find(({ bot }) => bot === name)?.state === state) return answer;
      await sleep(100);
    }
  };
  expect((await overview()).bots).toEqual([]);

  const fleet = new Fleet(2);
  const one = await fleet.start({ name: 'one', account: 1, symbol: 'BTCUSDT', env: { TICKWRIGHT_MONITOR_ENABLED: 'always' } });
  const two = await fleet.start({ name: 'two', account: 2, symbol: 'BTCUSDT' });
  await one.untilLogged('dashboard');
  await until('one', 'running');
  const both = await until('two', 'running');
  expect(both.totals).toMatchObject([{ account: 'local', accounts: 2 }]);
  for (let answer = both; answer.bots[0]!.dashboard !== one.logged('dashboard')[0]?.['url']; answer = await overview()) await sleep(100);

  two.send('SIGSTOP');
  const hung = await until('two', 'silent');
  // Its last figures stay, with their age.
  expect(hung.bots[1]).toMatchObject({ bot: 'two', says: expect.stringContaining(`process ${two.pid}`) as string });
  expect(hung.accounts.map(({ bots, isCurrent }) => [bots, isCurrent])).toEqual([
    [['one'], true],
    [['two'], false],
  ]);
  two.send('SIGCONT');
  await until('two', 'running');
  await two.kill('SIGKILL');
  await until('two', 'killed');
  await one.kill('SIGTERM');
  await until('one', 'stopped');

  const again = await runToEnd(['hub', '--print']);
  expect([again.code, tokenIn(again.out)]).toEqual([0, expect.stringMatching(/^[\w-]{43}$/)]);
  await hub.kill('SIGTERM');
  expect(hub.code).toBe(0);
});

/** The one-time token in the file that the hub printed. */
function tokenIn(out: string): string {
  const file = /^(\S+\.html)$/m.exec(out)?.[1] ?? '';
  return /name="token" value="([^"]+)"/.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
}
