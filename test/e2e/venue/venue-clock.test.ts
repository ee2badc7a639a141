/** Answers of the venue with a wrong time: the bot is never blind for long, and opens nothing while it is. Judged by the exchange's ledger. */
import { afterEach, describe, expect, it } from 'vitest';
import { cleanUp, type Program } from '../process.ts';
import { RISK, Stage } from '../stage.ts';

afterEach(cleanUp);

const HOUR = 3_600_000;
/** A bot that took a read from the future for the newest would see no change for 20 s, until the time of that read. */
const BLIND_MS = 18_000;
const CONFIG = { external: { position: 'adopt' }, risk: { ...RISK, staleAfterMs: 2_000 } };

/** Closes the position by hand, and waits until the strategy has opened it again: the bot has seen that it is gone. Returns milliseconds. */
async function reopened(stage: Stage, bot: Program): Promise<number> {
  const before = stage.orders('OPEN').length;
  await stage.byHand('BTCUSDT', 'LONG', 'CLOSE', '0.1');
  const from = performance.now();
  await bot.until('the leg is opened again', () => stage.orders('OPEN').length > before);
  return performance.now() - from;
}

describe('the time of the venue', () => {
  it('three position reads 20 s ahead: a change after them is seen within seconds [N12]', async () => {
    const stage = new Stage({ config: CONFIG });
    const bot = await stage.startBot();
    await stage.untilHeld(1);
    await stage.faults([{ fault: 'skew', endpoints: ['E19', 'E20'], ms: 20_000, count: 3 }]);
    await bot.untilLogged('old-read');
    expect(bot.logged('old-read')[0]).toMatchObject({ level: 'warn', kind: 'positions' });
    expect(Number(bot.logged('old-read')[0]!['offByMs'])).toBeGreaterThan(19_000);
    const ms = await reopened(stage, bot);
    console.info(`seen and opened again after ${ms.toFixed(0)} ms`);
    expect(ms).toBeLessThan(BLIND_MS);
    await stage.end();
  });

  it('all answers an hour ahead for a while, and then right: opens wait both times, and nothing is missed', async () => {
    const stage = new Stage({ config: CONFIG });
    const bot = await stage.startBot();
    await stage.untilHeld(1);
    await stage.faults([{ fault: 'skew', endpoints: 'all', ms: HOUR, count: 60 }]);
    await bot.untilLogged('venue-clock-moved');
    await bot.untilLogged('clock-skew');
    const opens = stage.orders('OPEN').length;
    await stage.byHand('BTCUSDT', 'LONG', 'CLOSE', '0.1');
    await bot.untilLogged('venue-clock-moved', 2);
    // The reading by the new clock comes first, then what the strategy does about it.
    await bot.until('the leg is opened again', () => stage.orders('OPEN').length > opens);
    const [ahead, back] = bot.logged('venue-clock-moved').map((line) => Number(line['byMs']));
    expect([Math.abs(ahead! - HOUR) < 1_000, Math.abs(back! + HOUR) < 1_000]).toEqual([true, true]);
    expect(bot.logged('external').filter((line) => line['kind'] === 'transfer')).toEqual([]);
    await stage.end();
  });

  it('one server of three has a clock that is 20 s off: the bot goes on, and sees every change', async () => {
    const stage = new Stage({ config: CONFIG });
    const bot = await stage.startBot();
    await stage.untilHeld(1);
    await stage.faults([{ fault: 'skew', endpoints: 'all', ms: -20_000, every: 3 }]);
    await bot.untilLogged('old-read');
    for (let k = 0; k < 2; k++) {
      const ms = await reopened(stage, bot);
      expect(ms).toBeLessThan(BLIND_MS);
    }
    expect(bot.logged('venue-clock-moved')).toEqual([]);
    await stage.end();
  });
});
