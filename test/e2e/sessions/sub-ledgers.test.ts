/** Two strategies on one leg and a person beside them, over kill -9: `pnl` and `status` give each its part, and all add up to the ledger. */
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { PartAnswer, ProfitRow, StatusAnswer } from '../../../src/control/answers.ts';
import { formatMoney } from '../../../src/domain/instrument.ts';
import { readLedger } from '../../../src/edge/file/ledger/read-ledger.ts';
import { cleanUp, runToEnd } from '../process.ts';
import { Stage } from '../stage.ts';

afterEach(cleanUp);

const TURNS = join(process.cwd(), 'test/e2e/strategies/turns.ts');
const cents = (money: string): number => Math.round(100 * Number(money));

it('the rows of strategies that share a leg with a person add up to the ledger of the exchange', async () => {
  const strategies = ['one', 'two'].map((name) => ({
    file: TURNS,
    name,
    symbols: ['BTCUSDT'],
    params: { size: name === 'one' ? '0.1' : '0.2' },
  }));
  const funding = ['simulation.funding.everyMs=4000', 'simulation.funding.rate=0.002'].flatMap((one) => ['--set', one]);
  const stage = new Stage({ config: { strategies, external: { position: 'adopt' } }, exchange: funding });
  const state = join(stage.folder, 'bot');
  const ask = async (...words: string[]): Promise<string> => {
    const { out, err } = await runToEnd([...words, '--json', '--state', state]);
    expect(err).toBe('');
    return out;
  };
  const rows = async (): Promise<readonly ProfitRow[]> => (JSON.parse(await ask('pnl')) as { groups: ProfitRow[] }).groups;
  const ledger = (): Record<'profit' | 'fees' | 'funding', string> => {
    const { cash } = readLedger(join(stage.folder, 'exchange'));
    const sum = (why: string): number => cash.reduce((total, one) => (one.why === why ? total + one.amount : total), 0);
    const [profit, fees, funding_] = [sum('realised'), -sum('fee'), sum('funding')].map((money) => Number(formatMoney(money)).toFixed(2));
    return { profit: profit!, fees: fees!, funding: funding_! };
  };
  const filled = (name: string): number => stage.bot.logged('fill').filter(({ strategy }) => strategy === name).length;
  const bothTrade = async (): Promise<void> => {
    for (const name of ['one', 'two']) await stage.bot.until(`${name} trades`, () => filled(name) >= 4);
  };

  await stage.startBot();
  await bothTrade();
  await stage.byHand('BTCUSDT', 'LONG', 'OPEN', '0.3');
  await stage.bot.untilLogged('external');
  await stage.bot.kill('SIGKILL');
  await stage.startBot();
  await bothTrade();
  await stage.byHand('BTCUSDT', 'LONG', 'CLOSE', '0.2');
  await stage.bot.untilLogged('external');
  await stage.bot.kill('SIGKILL');
  await stage.startBot();
  await bothTrade();
  expect((await runToEnd(['halt', '--state', state])).code).toBe(0);
  const flattened = await runToEnd(['flatten', '--wait', '20000', '--state', state]);
  expect(flattened.code, flattened.err + flattened.out).toBe(0);

  // What the flattening left is the person's.
  const status = async (): Promise<StatusAnswer> => JSON.parse(await ask('status')) as StatusAnswer;
  for (const { size } of (await status()).positions) await stage.byHand('BTCUSDT', 'LONG', 'CLOSE', size);
  // The bot reads the last fills and payments a moment later.
  const isKnown = async (): Promise<boolean> => {
    const { profit, fees, funding: paid } = (await rows()).at(-1)!;
    return JSON.stringify({ profit, fees, funding: paid }) === JSON.stringify(ledger());
  };
  await expect.poll(isKnown, { interval: 500, timeout: 100_000 }).toBe(true);

  const final = await rows();
  expect(final.map(({ key }) => key).sort()).toEqual(['all', 'external', 'one', 'two']);
  const all = final.at(-1)!;
  expect(all).toMatchObject(ledger());
  for (const key of ['profit', 'fees', 'funding', 'net', 'volume'] as const) {
    expect(
      final.slice(0, -1).reduce((sum, row) => sum + cents(row[key]), 0),
      key,
    ).toBe(cents(all[key]));
  }
  expect(final.every((row) => row.fills > 0 && Number(row.fees) > 0 && Number(row.funding) !== 0)).toBe(true);
  // The status counts what the journal had a second ago.
  const shownNow = async (): Promise<readonly PartAnswer[]> => (await status()).parts ?? [];
  const isShown = async (): Promise<boolean> => (await shownNow()).at(-1)?.net === all.net;
  await expect.poll(isShown, { interval: 500, timeout: 100_000 }).toBe(true);
  const shown = await shownNow();
  for (const key of ['profit', 'fees', 'funding', 'net', 'unrealised', 'value', 'worstLoss'] as const) {
    expect(
      shown.slice(0, -1).reduce((sum, row) => sum + cents(row[key]), 0),
      key,
    ).toBe(cents(shown.at(-1)![key]));
  }
  // The rows stand in another order than those of `pnl`, and are rounded so that each list adds up.
  for (const row of final) {
    const part = shown.find(({ name }) => name === row.key)!;
    for (const key of ['profit', 'fees', 'funding'] as const)
      expect(Math.abs(cents(part[key]) - cents(row[key])), `${row.key}: ${key}`).toBeLessThanOrEqual(1);
  }
  await stage.end();
});
