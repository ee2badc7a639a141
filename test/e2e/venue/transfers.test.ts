/** Money that leaves or comes in at chosen moments of a bot that trades, also within the first seconds of a start: always told. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { cleanUp, type Program } from '../process.ts';
import { Stage } from '../stage.ts';

afterEach(cleanUp);

/** What the log tells of money: above zero for what came in. */
function told(bot: Program): number[] {
  const left = bot.logged('external').filter((line) => line['kind'] === 'transfer');
  const amounts = left.map((line) =>
    String(line['text']).includes('left') ? -Math.abs(Number(line['amount'])) : Math.abs(Number(line['amount'])),
  );
  return [...amounts, ...bot.logged('money-in').map((line) => Number(line['amount']))];
}

const move = (stage: Stage, amount: number): Promise<unknown> =>
  stage.operator('deposit', { account: 'account-1', wallet: 'futures', coin: 'USDT', amount: String(amount) });

it.each([
  ['a first start', 200, -400],
  ['a first start', 3_000, 400],
  ['a restart', 0, -400],
  ['a restart', 1_500, -400],
  ['a restart', 6_000, 400],
] as const)('%s: after %i ms, %i of 10,000 are told', async (start, afterMs, amount) => {
  // Positions of a full account that close for a few hundredths of a per cent: profit and fees move the balance all the time.
  const stage = new Stage({
    params: { size: '0.5', target: 0.0003, stop: 0.0003, legs: 'LONG,SHORT' },
    config: { external: { transfer: 'adopt' } },
    exchange: ['--deposit', 'USDT=10000', '--speed', '4'],
  });
  let bot = await stage.startBot();
  if (start === 'a restart') {
    await bot.until('it trades', () => bot.logged('fill').length >= 3);
    await bot.kill('SIGKILL');
    bot = await stage.startBot();
  }
  await sleep(afterMs);
  const orders = stage.orders('OPEN').length;
  await move(stage, amount);
  const from = performance.now();
  await bot.until('it is told', () => told(bot).length > 0);
  const sum = told(bot).reduce((all, one) => all + one, 0);
  console.info(
    `told after ${((performance.now() - from) / 1_000).toFixed(1)} s: ${told(bot).join(', ')}; orders ${stage.orders('OPEN').length - orders}`,
  );
  expect(Math.abs(sum - amount)).toBeLessThan(60);
  await stage.end();
});
