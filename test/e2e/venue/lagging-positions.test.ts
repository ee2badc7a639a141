/** The bundled strategy on an exchange whose positions lag. The exchange's ledger shows the largest size of each position. */
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { CLOSE } from '../../../src/domain/codes.ts';
import { readLedger } from '../../../src/edge/file/ledger/read-ledger.ts';
import { cleanUp, STOPPED } from '../process.ts';
import { Stage } from '../stage.ts';

afterEach(cleanUp);

/** Sizes in lots of 0.001: of one position, and the limit of a position side. */
const SIZE = 10;

/** The largest position in lots, by the fills of the ledger. */
function largestLeg(folder: string): number {
  const legs = [0, 0];
  let largest = 0;
  for (const { side, effect, size } of readLedger(folder).fills) {
    legs[side] = legs[side]! + (effect === CLOSE ? -size : size);
    largest = Math.max(largest, legs[side]);
  }
  return largest;
}

it('positions three seconds late: no position exceeds its limit, and the bot keeps trading [fault R1]', async () => {
  const stage = new Stage({
    exchange: ['--lag-positions', '3000', '--lag-history', '500', '--speed', '8'],
    config: {
      orderHorizonMs: 60_000,
      listLagMs: 12_000,
      risk: { maxOrderSize: '0.01', maxPosition: '0.01', maxNotionalOrder: 'off', maxNotionalPosition: 'off', maxNotionalTotal: 'off' },
      strategies: [
        {
          file: join(process.cwd(), 'strategies/ema-cross.ts'),
          symbols: ['BTCUSDT'],
          params: { fast: 2, slow: 3, bar: '200ms', size: '0.01' },
        },
      ],
    },
  });
  const bot = await stage.startBot();
  await bot.untilLogged('fill', 8);
  await stage.end();
  expect(STOPPED).toContain(bot.code);
  expect(bot.logged('external')).toEqual([]);
  expect(largestLeg(join(stage.folder, 'exchange'))).toBe(SIZE);
});
