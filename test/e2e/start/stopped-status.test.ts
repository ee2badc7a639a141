/** What the commands say about the orders of a bot that has stopped or died. */
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { cleanUp, runToEnd } from '../process.ts';
import { Stage } from '../stage.ts';

const QUOTER = join(process.cwd(), 'strategies/quoter.ts');

afterEach(cleanUp);

it('lists no order after a clean stop, and says of a dead bot that its orders may have filled since', async () => {
  const stage = new Stage({ config: { strategies: [{ file: QUOTER, symbols: ['BTCUSDT'] }] } });
  const ask = async (name: string, ...more: string[]): Promise<string> =>
    (await runToEnd([name, ...more, '--state', join(stage.folder, 'bot')])).out;

  const first = await stage.startBot();
  await first.untilLogged('order-placed', 4);
  await first.kill('SIGTERM');
  expect([first.code, first.logged('stopped')[0]!['ordersLeft']]).toEqual([0, 0]);
  expect(await ask('status')).toMatch(/\n *orders +0 open, /);
  expect(JSON.parse(await ask('orders', '--json'))).toMatchObject({ orders: [] });
  expect(await ask('orders')).toMatch(/^no open order/);

  const second = await stage.startBot();
  await second.untilLogged('order-cancelled', 2);
  await second.until('two orders rest', () => second.logged('order-placed').length >= second.logged('order-cancelled').length + 2);
  await second.kill('SIGKILL');
  const { orders, lastSeenAt } = JSON.parse(await ask('orders', '--json')) as { orders: { state: string }[]; lastSeenAt: number };
  expect(orders.length).toBeGreaterThan(0);
  expect(orders.filter(({ state }) => ['filled', 'cancelled', 'rejected', 'replaced', 'refused'].includes(state))).toEqual([]);
  const time = new Date(lastSeenAt).toISOString().slice(11, 19);
  expect(await ask('status')).toMatch(
    new RegExp(`\\n *orders +${orders.length} open when last seen ${time}, may\\s+have\\s+filled\\s+since`),
  );
  expect(await ask('orders')).toContain(`last seen at ${new Date(lastSeenAt).toISOString().slice(0, 10)} ${time} UTC`);
  expect(await ask('positions')).toMatch(/positions\s+may\s+have\s+changed\s+since/);
});
