/** A backup that is older than what the venue did since: the restored bot loses nothing and doubles nothing, also after `resume`. */
import { mkdirSync, writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import type { OrderAnswer, PositionAnswer, StatusAnswer } from '../../../src/control/answers.ts';
import { readLedger } from '../../../src/edge/file/ledger/read-ledger.ts';
import { cleanUp, DEMO, launch, ROOT, runToEnd } from '../process.ts';
import { Stage } from '../stage.ts';

afterEach(cleanUp);

async function answerOf<T>(...args: string[]): Promise<T> {
  const { code, out, err } = await runToEnd([...args, '--json'], DEMO);
  expect([code, err], args.join(' ')).toEqual([0, '']);
  return JSON.parse(out) as T;
}

it('a bot from an old backup takes over orders and positions of later, and its own orders that have ended since end', async () => {
  const stage = new Stage();
  const strategy = (name: string, symbol: string, params: object = {}): object => {
    return { file: join(ROOT, `test/e2e/strategies/${name}.ts`), symbols: [symbol], params };
  };
  const strategies = [strategy('holder', 'BTCUSDT'), strategy('rests', 'ETHUSDT', { orders: 2 })];
  const recovery = { unknownOwnOrders: 'adopt' };
  await stage.startBot({ symbols: ['BTCUSDT', 'ETHUSDT'], config: { strategies, recovery } });
  await stage.untilHeld(1);
  await stage.bot.until('both rest', () => stage.orders('OPEN').length === 3);
  const here = join(stage.folder, 'bot');
  const file = join(stage.folder, 'old.gz');
  const made = await answerOf<{ positions: number; orders: number }>('backup', file, '--state', here);
  expect(made).toMatchObject({ positions: 1, orders: 2 });

  // Trades on: the position is closed and opened again, a resting order ends, another is placed.
  expect((await runToEnd(['flatten', 'BTCUSDT', '--state', here], DEMO)).code).toBe(0);
  await stage.bot.until('it is opened again', () => stage.orders('OPEN').length === 4);
  await runToEnd(['cancel-all', 'ETHUSDT', '--state', here], DEMO);
  await runToEnd(['set', 'rests', 'orders=3', '--state', here], DEMO);
  await stage.bot.until('others rest', () => stage.orders('OPEN').length === 7);
  await sleep(1_000);
  await stage.bot.kill('SIGKILL');

  const other = join(stage.folder, 'other');
  mkdirSync(other);
  const config = join(other, 'bot.yaml');
  writeFileSync(config, readFileSync(join(stage.folder, 'bot.yaml'), 'utf8').replace(here, join(other, 'bot')));
  const env = { ...DEMO, TICKWRIGHT_STATE_HOME: join(other, 'locks') };
  expect((await runToEnd(['restore', file, '--config', config], env)).code).toBe(0);
  const bot = launch(['run', '--config', config], env);
  await bot.untilLogged('armed');
  const there = join(other, 'bot');
  const status = await answerOf<StatusAnswer>('status', '--state', there);
  expect(status.halts.map(({ code }) => code)).toContain('journal-restored');
  await sleep(4_000);
  expect(stage.orders('OPEN'), 'nothing opens before a person looked').toHaveLength(7);
  expect((await runToEnd(['resume', '--why', 'looked', '--state', there], env)).code).toBe(0);
  await sleep(4_000);

  const { orders } = await answerOf<{ orders: OrderAnswer[] }>('orders', '--state', there);
  const { positions } = await answerOf<{ positions: PositionAnswer[] }>('positions', '--state', there);
  const live = readLedger(join(stage.folder, 'exchange')).orders.filter(({ ended }) => ended === null);
  expect(orders.map(({ clientId }) => clientId).sort()).toEqual(live.map(({ order }) => String(order['clientOid'])).sort());
  expect(positions).toMatchObject([{ symbol: 'BTCUSDT', side: 'LONG', size: '0.100' }]);
  const ids = [...stage.orders('OPEN'), ...stage.orders('CLOSE')].map(({ clientOid }) => clientOid);
  expect(new Set(ids).size).toBe(ids.length);
  expect(stage.orders('OPEN').length, JSON.stringify(orders)).toBe(7);
  await bot.kill('SIGTERM');
  await stage.exchange.kill('SIGTERM');
});
