/** `pnl` against the exchange's ledger: profit, fees, funding and what is left of them. */
import { afterEach, expect, it } from 'vitest';
import type { ProfitRow } from '../../../src/control/answers.ts';
import { formatMoney } from '../../../src/domain/instrument.ts';
import { readLedger } from '../../../src/edge/file/ledger/read-ledger.ts';
import { addressOf, cleanUp, DEMO, freshFolder, launch, runToEnd } from '../process.ts';

afterEach(cleanUp);

const cents = (text: string): string => Number(text).toFixed(2);

it('the funding of a position that is held over kill -9, its fees and its profit are in pnl, and their sum is the net', async () => {
  const [state, ledger] = [freshFolder(), freshFolder()];
  const funding = ['simulation.funding.everyMs=4000', 'simulation.funding.rate=0.002'].flatMap((one) => ['--set', one]);
  const exchange = launch(['exchange', '--synth', '--seed', '4', '--port', '0', '--state', ledger, ...funding]);
  const url = await addressOf(exchange);
  const set = [`venue.baseUrl=${url}`, `store.folder=${state}`].flatMap((one) => ['--set', one]);
  const args = ['run', '--config', 'config/paper.yaml', '--strategy', 'test/e2e/strategies/holder.ts', ...set];
  const start = (): ReturnType<typeof launch> => launch(args, DEMO);
  const cash = (why: string): number => readLedger(ledger).cash.reduce((sum, one) => (one.why === why ? sum + one.amount : sum), 0);
  const rowsBy = async (by: string): Promise<readonly ProfitRow[]> => {
    const { out, err } = await runToEnd(['pnl', '--by', by, '--json', '--state', state]);
    expect(err).toBe('');
    return (JSON.parse(out) as { groups: ProfitRow[] }).groups;
  };
  const funded = async (): Promise<readonly [string, string]> => {
    const { funding: told } = (await rowsBy('symbol')).at(-1)!;
    return [told, cents(formatMoney(cash('funding')))];
  };
  const untilTold = async (payments: number): Promise<void> => {
    await expect
      .poll(
        async () => {
          const [told, paid] = await funded();
          const count = readLedger(ledger).cash.filter(({ why }) => why === 'funding').length;
          return count >= payments && told === paid;
        },
        { interval: 300 },
      )
      .toBe(true);
  };

  const first = start();
  await first.untilLogged('fill');
  await untilTold(2);
  await first.kill('SIGKILL');
  const second = start();
  await second.untilLogged('armed');
  await untilTold(4);
  expect(Number((await funded())[0])).toBeLessThan(-10);
  await runToEnd(['halt', '--state', state]);
  await runToEnd(['flatten', '--state', state]);

  const [total] = (await rowsBy('symbol')).slice(-1);
  expect([total!.profit, total!.fees]).toEqual([cents(formatMoney(cash('realised'))), cents(formatMoney(-cash('fee')))]);
  expect(Number(total!.net)).toBeCloseTo(Number(total!.profit) - Number(total!.fees) + Number(total!.funding), 1);
  expect((await rowsBy('reason')).map(({ key }) => key)).toContain('funding');
  const strategies = await rowsBy('strategy');
  expect(strategies.find(({ key }) => key === 'holder')!.funding).toBe(total!.funding);
  expect((await runToEnd(['pnl', '--state', state])).out).toMatch(/strategy +net +profit +fees +funding/);
});
