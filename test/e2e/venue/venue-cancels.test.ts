/** The venue itself cancels an order of the bot. The bot finds that by reads, and the strategy places another. */
import { afterEach, expect, it } from 'vitest';
import { readLedger } from '../../../src/edge/file/ledger/read-ledger.ts';
import { join } from 'node:path';
import { cleanUp } from '../process.ts';
import { Stage } from '../stage.ts';

afterEach(cleanUp);

it('an order cancelled by the venue is known to have ended, and can be replaced [X6]', async () => {
  const stage = new Stage({ params: { grid: true } });
  const bot = await stage.startBot();
  await stage.untilHeld(1);
  await bot.until('an order rests', () => stage.orders('OPEN').length === 2);
  const resting = stage.orders('OPEN').at(-1)!;
  await stage.operator('cancel', { orderId: `fu-${resting.no}` });
  await bot.until('the strategy places another', () => stage.orders('OPEN').length === 3);
  expect(bot.logged('external')).toEqual([]);
  expect(bot.logged('symbol-halted')).toEqual([]);
  const { orders } = readLedger(join(stage.folder, 'exchange'));
  expect(
    orders.filter(({ ended }) => ended === null),
    'one order rests',
  ).toHaveLength(1);
  await stage.end();
});
