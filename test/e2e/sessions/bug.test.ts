/** A check of the bot's own state that fails again and again: the bot ends once, then opens nothing, its exits live, and no restart loops. */
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { StatusAnswer } from '../../../src/control/answers.ts';
import { readLedger } from '../../../src/edge/file/ledger/read-ledger.ts';
import { cleanUp, ROOT, runToEnd, STOPPED } from '../process.ts';
import { Stage } from '../stage.ts';

afterEach(cleanUp);

const EXPECTED = 'the lots of a leg are at least 0: found -1';

it(
  'a failed check ends the bot, which then opens nothing and goes on, also after kill -9; a kill closes all',
  { timeout: 120_000 },
  async () => {
    const strategies = [{ file: join(ROOT, 'test/e2e/strategies/buggy.ts'), symbols: ['BTCUSDT'] }];
    const stage = new Stage({ config: { strategies } });
    const at = ['--state', join(stage.folder, 'bot')];
    const status = async (): Promise<StatusAnswer> => JSON.parse((await runToEnd(['status', '--json', ...at])).out) as StatusAnswer;
    const times = async (): Promise<number> => (await status()).counts[`assertion-failed ${EXPECTED.split(':')[0]!}`] ?? 0;
    /** The bug comes back at each quote, and the bot goes on: one line of the log, one halt. */
    const goesOn = async (): Promise<void> => {
      await stage.bot.untilLogged('assertion-failed');
      const before = await times();
      for (let now = before; now < before + 5; now = await times());
      expect((await status()).halts).toMatchObject([{ scope: 'bot', code: 'assertion-failed', detail: EXPECTED }]);
      expect(stage.bot.logged('assertion-failed')).toHaveLength(1);
      expect(stage.bot.isRunning).toBe(true);
    };
    await stage.startBot();
    await stage.bot.ended;
    expect([stage.bot.code, stage.bot.logged('bot-failed').length]).toEqual([1, 1]);
    await stage.startBot();
    await goesOn();
    await stage.bot.kill('SIGKILL');
    await stage.startBot();
    await goesOn();
    // Only a person who confirms ends the halt.
    expect((await runToEnd(['resume', ...at])).code).not.toBe(0);
    const killed = await runToEnd(['kill', ...at]);
    expect([killed.code, killed.out]).toEqual([0, expect.stringContaining('flat')]);
    const lots = readLedger(join(stage.folder, 'exchange')).fills.reduce((sum, { effect, size }) => sum + (effect === 0 ? size : -size), 0);
    expect([lots, stage.orders('OPEN').length]).toEqual([0, 1]);
    await stage.bot.kill('SIGTERM');
    expect(STOPPED).toContain(stage.bot.code);
    await stage.end();
  },
);
