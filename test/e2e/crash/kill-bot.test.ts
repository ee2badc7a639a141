/** kill -9 of the bot at any moment: afterwards the exchange's ledger and the bot's journal agree. */
import { afterEach, expect, it } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { CLEAN } from '../audit.ts';
import { addressOf, cleanUp, STOPPED } from '../process.ts';
import { alarms, reopened, Scene } from '../scene.ts';

const KILLS = Number(process.env['TICKWRIGHT_KILLS'] ?? 20);

/** The strategy states a reason for each order. */
const SAID: unknown = expect.stringMatching(/\w/);

afterEach(cleanUp);

it(
  `${KILLS} kills of the bot, half of them with a command in flight [P1] [outcomes 3.5]`,
  { timeout: 300_000 + KILLS * 5_000 },
  async () => {
    const scene = new Scene(7);
    const random = new Random(20_240_808);
    const exchange = scene.exchange();
    const url = await addressOf(exchange);
    let bot = scene.run(url);
    let open = 0;
    const alarmed: string[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      await bot.untilLogged('armed');
      // Sometimes it is killed again while it still resolves the commands of the last kill.
      if (random.uniform() < 0.75) await scene.untilFree(bot);
      await scene.killAtMoment(bot, random);
      open += reopened(bot);
      alarmed.push(...alarms(bot));
      for (const fill of bot.logged('fill')) expect(fill, 'also of orders from before').toMatchObject({ strategy: 'busy', reason: SAID });
      bot = scene.run(url);
    }
    await bot.untilLogged('armed');
    await scene.calmDown(bot);
    await bot.kill('SIGINT');
    expect(STOPPED).toContain(bot.code);
    await exchange.kill('SIGTERM');
    expect(exchange.code).toBe(0);
    console.info(`orders whose fate was open at a restart: ${open}`);
    const result = await scene.compare('bot', KILLS, bot);
    expect(result).toMatchObject(CLEAN);
    expect(alarmed).toEqual([]);
    expect(result.orders).toBeGreaterThan(KILLS);
    expect(open).toBeGreaterThan(KILLS / 5);
  },
);
