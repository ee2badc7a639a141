/** What the bot did not do: each thing is done by the operator of a real exchange, and the exchange's ledger says what the bot made of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { cleanUp, type LogLine, type Program } from './process.ts';
import { Stage } from './stage.ts';

afterEach(cleanUp);

/** Several of the bot's reads: what it would do wrong, it has done by then. */
const SETTLE_MS = 2_000;

function external(bot: Program, kind: string): LogLine[] {
  return bot.logged('external').filter((line) => line['kind'] === kind);
}

/** What the strategy was told, by its own log lines. */
function told(bot: Program, event: 'told-position' | 'told-external'): LogLine[] {
  return bot.logged('strategy-log').filter((line) => line['says'] === event);
}

describe('somebody else trades on the account', () => {
  it('closes a leg by hand: it is halted, told, and not opened again, also after kill -9 [X3]', { timeout: 60_000 }, async () => {
    const stage = new Stage({ params: { legs: 'LONG,SHORT', grid: true } });
    const bot = await stage.startBot();
    await stage.untilHeld(2);
    await sleep(SETTLE_MS);
    await stage.byHand('BTCUSDT', 'LONG', 'CLOSE', '0.1');
    await bot.untilLogged('external');
    await bot.untilLogged('leg-halted');
    const line = external(bot, 'position')[0]!;
    expect(line).toMatchObject({ level: 'warn', action: 'halt', symbol: 'BTCUSDT', side: 'LONG', before: '0.100', after: '0.000' });
    expect(line['text']).toMatch(
      /^BTCUSDT LONG went from 0\.100 to 0\.000: no order of this bot did it \(the venue's order fu-\d+ of 0\.100 at [\d.]+\)$/,
    );
    expect(bot.logged('leg-halted')[0]).toMatchObject({
      scope: 'leg:BTCUSDT:LONG',
      code: 'external-position',
      ends: 'tickwright resume BTCUSDT:LONG',
    });
    const before = stage.orders('OPEN').length;
    await sleep(SETTLE_MS);
    expect(stage.orders('OPEN').length).toBe(before);
    await bot.kill('SIGKILL');
    const again = await stage.startBot();
    await sleep(SETTLE_MS);
    expect(stage.orders('OPEN').length, 'the halt outlives the process').toBe(before);
    expect(again.logged('external')).toEqual([]);
    expect(bot.logged('external').length, 'the leg that nobody touched is not concerned').toBe(1);
    await stage.end();
    expect(again.logged('stopped')[0]).toMatchObject({ orders: 1, halted: ['BTCUSDT:LONG'] });
  });

  it('reduces and opens: what is adopted is told and traded on, what is ignored is believed', { timeout: 60_000 }, async () => {
    const stage = new Stage({ config: { external: { position: 'adopt' } } });
    const bot = await stage.startBot();
    await stage.untilHeld(1);
    await sleep(500);
    await stage.byHand('BTCUSDT', 'LONG', 'CLOSE', '0.04');
    await bot.untilLogged('external', 1);
    await stage.byHand('BTCUSDT', 'SHORT', 'OPEN', '0.03');
    await bot.untilLogged('external', 2);
    await stage.byHand('BTCUSDT', 'LONG', 'CLOSE', '0.06');
    await bot.untilLogged('external', 3);
    await bot.until('the leg is opened again', () => stage.orders('OPEN').length === 2);
    expect(external(bot, 'position').map((line) => [line['action'], line['side'], line['before'], line['after']])).toEqual([
      ['adopt', 'LONG', '0.100', '0.060'],
      ['adopt', 'SHORT', '0.000', '0.030'],
      ['adopt', 'LONG', '0.060', '0.000'],
    ]);
    expect(told(bot, 'told-external').length).toBe(3);
    expect(
      told(bot, 'told-position')
        .filter((line) => line['external'] === true)
        .map((line) => line['change']),
    ).toEqual([-0.04, 0.03, -0.06]);
    expect(bot.logged('leg-halted')).toEqual([]);
    await stage.end();
  });

  it('is liquidated: told as such and halted [X5]', { timeout: 60_000 }, async () => {
    const stage = new Stage({ params: { size: '1' }, exchange: ['--deposit', 'USDT=4000'] });
    const bot = await stage.startBot();
    await stage.untilHeld(1);
    await sleep(500);
    // The venue looks once a second: the price stays where it fell to.
    await stage.operator('freeze', { symbol: 'BTCUSDT' });
    await stage.operator('spike', { symbol: 'BTCUSDT', percent: -20 });
    await bot.untilLogged('external', 1, 10_000);
    expect(external(bot, 'liquidation')[0]).toMatchObject({ action: 'halt', side: 'LONG', after: '0.000' });
    await stage.end();
  });
});

describe('exits at the venue', () => {
  it(
    'a stop-loss and a take-profit are told as what they are, and never as external, over a kill -9 [X9]',
    { timeout: 60_000 },
    async () => {
      const stage = new Stage({ params: { stop: 0.02, target: 0.02 } });
      let bot = await stage.startBot();
      await stage.untilHeld(1);
      await sleep(500);
      await stage.operator('spike', { symbol: 'BTCUSDT', percent: -3 });
      await bot.untilLogged('exit');
      expect(bot.logged('exit')[0]).toMatchObject({
        what: 'stop-loss',
        strategy: 'holder',
        reason: 'hold LONG',
        size: '0.100',
        position: '0.000',
      });
      expect(Number(bot.logged('exit')[0]!['profit'])).toBeLessThan(-100);
      await bot.until('the strategy opens again', () => stage.orders('OPEN').length === 2);
      await stage.untilHeld(2);
      await sleep(500);
      await bot.kill('SIGKILL');
      const [first] = [bot];
      bot = await stage.startBot();
      await sleep(1_000);
      await stage.operator('spike', { symbol: 'BTCUSDT', percent: 3 });
      await bot.untilLogged('exit');
      expect(bot.logged('exit')[0]).toMatchObject({
        what: 'take-profit',
        strategy: 'holder',
        reason: 'hold LONG',
        size: '0.100',
        position: '0.000',
      });
      expect(Number(bot.logged('exit')[0]!['profit'])).toBeGreaterThan(100);
      await bot.until('the strategy opens again', () => stage.orders('OPEN').length === 3);
      for (const one of [first, bot]) {
        expect(one.logged('external')).toEqual([]);
        expect(one.logged('foreign-order')).toEqual([]);
      }
      const causes = [...told(first, 'told-position'), ...told(bot, 'told-position')].map((line) => line['cause']);
      expect(causes).toContain('stop-loss');
      expect(causes).toContain('take-profit');
      await stage.end();
    },
  );
});
