/** External events: each is caused by the operator of a real exchange, and the exchange's ledger shows the bot's reaction. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { cleanUp, type LogLine, type Program } from '../process.ts';
import { RISK, Stage } from '../stage.ts';

afterEach(cleanUp);

const POLL = { quotes: 100, trades: 250, orders: 250, positions: 250, account: 500 };
const CLOSE_ALL = { symbol: 'BTCUSDT', marginMode: 'CROSS', size: '0.1', side: 'LONG', tradeSide: 'CLOSE', orderType: 'MARKET' };

/** Time for several reads of the bot, in which a wrong reaction would show. */
const SETTLE_MS = 2_000;

function external(bot: Program, kind: string): LogLine[] {
  return bot.logged('external').filter((line) => line['kind'] === kind);
}

/** What the strategy received, by its own log lines. */
function told(bot: Program, event: 'told-position' | 'told-external'): LogLine[] {
  return bot.logged('strategy-log').filter((line) => line['says'] === event);
}

describe('someone else trades on the account', () => {
  it('closes a position by hand: halted, reported, and not opened again, even after kill -9 [X3]', async () => {
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
      /^BTCUSDT LONG went from 0\.100 to 0\.000: no order that this bot knows did it \(the venue's order fu-\d+ of 0\.100 at [\d.]+\)$/,
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
    expect(stage.orders('OPEN').length, 'the halt survives the process').toBe(before);
    expect(again.logged('external')).toEqual([]);
    expect(bot.logged('external').length, 'the untouched position side is not affected').toBe(1);
    await stage.end();
    expect(again.logged('stopped')[0]).toMatchObject({ orders: 1, halted: ['BTCUSDT:LONG'] });
  });

  it('reduces and opens: an adopted change is reported and traded on, an ignored one is accepted', async () => {
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

  it('is liquidated: reported as such and halted [X5]', async () => {
    const stage = new Stage({ params: { size: '1' }, exchange: ['--deposit', 'USDT=4000'] });
    const bot = await stage.startBot();
    await stage.untilHeld(1);
    await sleep(500);
    // The venue checks once a second: the price stays at its low.
    await stage.operator('freeze', { symbol: 'BTCUSDT' });
    await stage.operator('spike', { symbol: 'BTCUSDT', percent: -20 });
    // The equity fell as well, and may be reported first.
    await bot.until('the liquidation is told', () => external(bot, 'liquidation').length > 0);
    expect(external(bot, 'liquidation')[0]).toMatchObject({ action: 'halt', side: 'LONG', after: '0.000' });
    await stage.end();
  });
});

describe('exits at the venue', () => {
  it('a stop-loss and a take-profit are reported as such, never as external, across kill -9 [X9]', async () => {
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
  });

  it('an exit during downtime is recognised, although positions show it late [X9]', async () => {
    const stage = new Stage({
      params: { stop: 0.02 },
      config: { orderHorizonMs: 30_000, listLagMs: 12_000 },
      exchange: ['--lag-positions', '6000'],
    });
    let bot = await stage.startBot();
    await stage.untilHeld(1);
    await sleep(7_000);
    await bot.kill('SIGKILL');
    await stage.operator('spike', { symbol: 'BTCUSDT', percent: -3 });
    bot = await stage.startBot();
    await bot.until('it is told', () => bot.logged('exit').length + bot.logged('external').length > 0);
    expect(bot.logged('external')).toEqual([]);
    expect(bot.logged('exit')).toMatchObject([{ what: 'stop-loss', strategy: 'holder', size: '0.100', position: '0.000' }]);
    await bot.until('the strategy opens again', () => stage.orders('OPEN').length === 2);
    await stage.end();
  });
});

describe('the account changes', () => {
  it('an unannounced withdrawal halts the bot, an earlier one does not [outcomes E5] [security 9]', async () => {
    const stage = new Stage({ config: { poll: { ...POLL, withdrawals: 1_000 } } });
    await stage.operator('withdrawal', { account: 'account-1', coin: 'USDT', amount: '5' });
    const bot = await stage.startBot();
    await stage.untilHeld(1);
    await sleep(2_500);
    expect(bot.logged('external'), 'it was there before the bot').toEqual([]);
    await stage.operator('withdrawal', { account: 'account-1', coin: 'USDT', amount: '12.5', status: 'failed' });
    await stage.operator('withdrawal', { account: 'account-1', coin: 'USDT', amount: '1000', status: 'pending', toAddress: 'thief' });
    await bot.untilLogged('opens-halted');
    expect(external(bot, 'withdrawal').map((line) => [line['action'], line['text']])).toEqual([
      ['halt', expect.stringMatching(/^1000 USDT leaves the account: withdrawal \d+ to thief is pending$/)],
    ]);
    expect(bot.logged('opens-halted')[0]).toMatchObject({ scope: 'bot', code: 'external-withdrawal', ends: 'tickwright resume' });
    // The halt is logged before the strategy is called.
    await bot.until('the strategy is told', () => told(bot, 'told-external').length > 0);
    expect(told(bot, 'told-external')[0]).toMatchObject({ kind: 'withdrawal', action: 'halt' });
    // Long before the next snapshot: the journal has it.
    await sleep(300);
    await bot.kill('SIGKILL');
    const again = await stage.startBot();
    await sleep(2_500);
    expect(again.logged('external'), 'told once').toEqual([]);
    await stage.end();
    expect(again.logged('stopped')[0]).toMatchObject({ halted: ['all'] });
  });

  it('money that leaves without a trade, and half the equity [security 9]', async () => {
    const stage = new Stage({ params: { target: 0.0004, stop: 0.0004 }, config: { external: { transfer: 'adopt' } } });
    const bot = await stage.startBot();
    await bot.until('it trades', () => bot.logged('fill').length >= 2);
    await stage.operator('deposit', { account: 'account-1', wallet: 'futures', coin: 'USDT', amount: '-2500' });
    await bot.until('the transfer is told', () => external(bot, 'transfer').length > 0);
    expect(external(bot, 'transfer')[0]).toMatchObject({ level: 'warn', action: 'adopt' });
    expect(Math.abs(Number(external(bot, 'transfer')[0]!['amount']) - 2_500)).toBeLessThan(300);
    await stage.operator('deposit', { account: 'account-1', wallet: 'futures', coin: 'USDT', amount: '-60000' });
    await bot.until('the fall of the equity is told', () => external(bot, 'equityDrop').length > 0);
    await bot.untilLogged('opens-halted');
    expect(
      bot.logged('external').filter(({ kind }) => kind !== 'transfer' && kind !== 'equityDrop'),
      'nothing else',
    ).toEqual([]);
    expect(external(bot, 'equityDrop')[0]).toMatchObject({
      action: 'halt',
      text: expect.stringMatching(/^the equity fell by 6\d(\.\d)? % within a day, from /),
    });
    await sleep(SETTLE_MS);
    const before = stage.orders('OPEN').length;
    await sleep(SETTLE_MS);
    expect(stage.orders('OPEN').length).toBe(before);
    await stage.end();
  });

  it('leverage and margin mode changed by hand halt only the symbol [X2]', async () => {
    const stage = new Stage({ symbols: ['BTCUSDT', 'ETHUSDT'] });
    const bot = await stage.startBot();
    await stage.untilHeld(2);
    await sleep(1_000);
    await stage.operator('leverage', { account: 'account-1', symbol: 'ETHUSDT', side: 'LONG', leverage: 5 });
    await bot.untilLogged('symbol-halted');
    expect(external(bot, 'leverage')[0]).toMatchObject({ symbol: 'ETHUSDT', side: 'LONG', before: 20, after: 5 });
    expect(bot.logged('symbol-halted').map((line) => line['scope'])).toEqual(['symbol:ETHUSDT']);
    await stage.end();
  });

  it('a margin mode changed by hand is found by reads alone, and halts the symbol [X2]', async () => {
    // Its orders are too large for its limits, so it never sends one.
    const stage = new Stage({ symbols: ['BTCUSDT', 'ETHUSDT'], config: { risk: { ...RISK, maxOrderSize: '0.01' } } });
    const bot = await stage.startBot();
    await sleep(1_500);
    await stage.operator('margin-mode', { account: 'account-1', symbol: 'BTCUSDT', marginMode: 'ISOLATED' });
    await bot.untilLogged('symbol-halted');
    expect(external(bot, 'marginMode').map((line) => [line['action'], line['text']])).toEqual([
      ['halt', 'the margin mode of BTCUSDT went from CROSS to ISOLATED: no command of this bot did it'],
    ]);
    expect(bot.logged('symbol-halted').map((line) => [line['scope'], line['code']])).toEqual([['symbol:BTCUSDT', 'external-marginMode']]);
    await stage.end();
  });

  it.each(['halt', 'adopt', 'ignore'] as const)(
    'an order refused for its margin mode: the account (E9) is read, at most two tries (%s) [X2]',
    async (action) => {
      const stage = new Stage({ params: { legs: 'SHORT' }, config: { external: { marginMode: action, position: 'ignore' } } });
      // A position in another mode exists before the bot: its first order is refused.
      await stage.operator('margin-mode', { account: 'account-1', symbol: 'BTCUSDT', marginMode: 'ISOLATED' });
      const params = { symbol: 'BTCUSDT', marginMode: 'ISOLATED', size: '0.1', side: 'LONG', tradeSide: 'OPEN', orderType: 'MARKET' };
      await stage.operator('call', { account: 'account-1', endpoint: 'E12', params });
      const bot = await stage.startBot();
      await stage.confirmStore();
      await bot.untilLogged('external');
      const refused = (): number => stage.requests('E12').filter(({ code }) => code === '40013').length;
      await bot.until('its tries', () => refused() + stage.orders('OPEN', 'SHORT').length >= (action === 'halt' ? 1 : 2));
      await sleep(SETTLE_MS);
      expect(refused()).toBe(action === 'ignore' ? 2 : 1);
      expect(external(bot, 'marginMode')[0]!['text']).toMatch(/refused \(40013\), the venue has ISOLATED$/);
      expect(stage.orders('OPEN', 'SHORT').length, 'adopted: the next order has the mode of the venue').toBe(action === 'adopt' ? 1 : 0);
      expect(bot.logged('symbol-halted').length).toBe(action === 'adopt' ? 0 : 1);
      await stage.end();
    },
  );

  it.each(['halt', 'adopt'] as const)(
    'a symbol goes offline: at most one refused open, cancels continue, %s [X1] [outcomes E3]',
    async (action) => {
      const stage = new Stage({ params: { grid: true }, config: { external: { offline: action } } });
      const bot = await stage.startBot();
      await stage.untilHeld(1);
      await bot.until('an order rests', () => stage.orders('OPEN').length === 2);
      await stage.operator('offline', { symbol: 'BTCUSDT' });
      await bot.untilLogged('external');
      if (action === 'halt') await bot.until('a cancel', () => stage.requests('E15').length > 0);
      await sleep(SETTLE_MS);
      const refused = stage.requests('E12').filter(({ code }) => code !== '00000');
      expect(refused.length).toBeLessThanOrEqual(1);
      expect(stage.requests('E15').length, action === 'halt' ? 'resting orders are cancelled' : 'resting orders stay').toBe(
        action === 'halt' ? 1 : 0,
      );
      await stage.operator('online', { symbol: 'BTCUSDT' });
      await bot.untilLogged('symbol-online');
      await stage.operator('call', { account: 'account-1', endpoint: 'E12', params: CLOSE_ALL });
      const lifted = (): number => bot.logged('halt-lifted').filter((line) => line['code'] === 'offline').length;
      await bot.until('the halt is lifted', () => lifted() > 0);
      await sleep(SETTLE_MS);
      expect(lifted()).toBe(1);
      expect(bot.logged('symbol-halted').map((line) => line['code'])).toEqual(
        action === 'halt' ? ['offline', 'external-offline'] : ['offline'],
      );
      await stage.end();
    },
  );

  it('nothing opens while positions cannot be read, and the bot logs when that starts and ends', async () => {
    const stage = new Stage({ params: { target: 0.0003, stop: 0.0003 }, config: { risk: { ...RISK, maxPositionAgeMs: 1_000 } } });
    const bot = await stage.startBot();
    await stage.untilHeld(1);
    await stage.faults([{ fault: 'status', status: 502, endpoints: ['E19', 'E20'] }]);
    await bot.untilLogged('opens-halted');
    expect(bot.logged('opens-halted')[0]).toMatchObject({ code: 'positions-unread', ends: 'by itself' });
    const before = stage.orders('OPEN').length;
    await sleep(SETTLE_MS);
    expect(stage.orders('OPEN').length).toBe(before);
    await stage.faults([]);
    await bot.untilLogged('halt-lifted');
    expect(bot.logged('halt-lifted')[0]).toMatchObject({
      code: 'positions-unread',
      why: expect.stringMatching(/^read again after [\d.]+ s$/),
    });
    await stage.end();
  });
});
