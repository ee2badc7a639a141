/** `check OLD NEW` with a real bot and exchange: while it runs, from its files after a stop or a kill, and then the new configuration is started. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import type { StatusAnswer } from '../../../src/control/answers.ts';
import type { CheckedChange } from '../../../src/run/change/check-change.ts';
import { cleanUp, DEMO, runToEnd } from '../process.ts';
import { RISK, Stage } from '../stage.ts';

afterEach(cleanUp);

it('says what becomes of positions, orders, limits and strategies, before and after a stop, and the start does as it says', async () => {
  const stage = new Stage({ symbols: ['BTCUSDT', 'ETHUSDT'], params: { size: '0.1', grid: true } });
  await stage.startBot();
  await stage.untilHeld(2);
  await stage.bot.until('orders that rest', () => stage.orders('OPEN').length >= 4);
  const [old, next] = [join(stage.folder, 'bot.yaml'), join(stage.folder, 'next.yaml')];
  const write = (changes: (config: any) => void): void => {
    const config: unknown = parse(readFileSync(old, 'utf8'));
    changes(config);
    writeFileSync(next, stringify(config));
  };
  const checked = async (): Promise<{ code: number | null; result: CheckedChange; lines: string[]; err: string }> => {
    const { code, out, err } = await runToEnd(['check', old, next, '--json'], DEMO);
    const result = (out === '' ? { effects: [] } : JSON.parse(out)) as CheckedChange;
    return { code, result, lines: result.effects.map(({ kind, what }) => `${kind}: ${what}`), err };
  };

  write(() => undefined);
  expect(await checked()).toMatchObject({ code: 0, lines: [], result: { bot: 'running' } });

  expect((await runToEnd(['set', 'holder', 'stop=0.2', '--state', join(stage.folder, 'bot')])).code).toBe(0);
  write((config) => {
    config.risk = { ...RISK, maxPosition: '0.05' };
    config.strategies[0].symbols = ['BTCUSDT'];
    config.strategies[0].params = { size: '0.02', stop: 0.3 };
    config.poll.quotes = 200;
  });
  const expected = [
    expect.stringMatching(/^money: BTCUSDT LONG 0\.1\d* is above the new maxPosition 0\.05 .*: nothing is closed/),
    expect.stringMatching(/^money: ETHUSDT LONG 0\.1\d* stays open, and no strategy watches it/),
    expect.stringMatching(/^money: order \d+ ETHUSDT LONG OPEN 0\.1\d* is cancelled at the start: holder does not work on it any more/),
    'change: holder: does not trade ETHUSDT any more',
    'change: holder: size: 0.1 → 0.02',
    'change: holder: stop stays 0.2, which an operator set; the configuration says 0.3',
    'change: holder: grid: true → false',
    'change: poll.quotes: 100 → 200',
    'change: risk.maxPosition: 4 → 0.05',
  ];
  const running = await checked();
  expect([running.code, running.result.bot], running.err).toEqual([4, 'running']);
  expect(running.lines).toEqual(expect.arrayContaining(expected));
  const text = await runToEnd(['check', old, next], DEMO);
  expect(text.out).toMatch(/^compared with the bot that runs; .*\nMONEY /);
  await stage.bot.kill('SIGTERM');
  const stopped = await checked();
  expect([stopped.code, stopped.result.bot]).toEqual([4, 'stopped']);
  expect(stopped.lines).toEqual(expect.arrayContaining(expected));

  write((config) => void (config.store.folder = join(stage.folder, 'other')));
  expect((await checked()).lines).toEqual([
    expect.stringMatching(/^money: store\.folder: .* knows nothing of the 2 open positions and \d+ open orders/),
  ]);
  write((config) => void (config.strategies[0].params = { size: 'much' }));
  expect(await checked()).toMatchObject({ code: 78, err: expect.stringContaining('found "much"') });

  // The start does what was said.
  await stage.startBot({ symbols: ['BTCUSDT'], params: { size: '0.02', stop: 0.3 } });
  const at = ['--json', '--state', join(stage.folder, 'bot')];
  for (let open = 1; open > 0;) open = (JSON.parse((await runToEnd(['orders', 'ETHUSDT', ...at])).out) as { orders: [] }).orders.length;
  expect(stage.bot.logged('position-without-strategy')).toMatchObject([{ symbol: 'ETHUSDT' }]);
  const status = JSON.parse((await runToEnd(['status', ...at])).out) as StatusAnswer;
  expect(status.strategies).toMatchObject([{ symbols: ['BTCUSDT'], params: { size: '0.02', stop: '0.2' } }]);
  await stage.bot.kill('SIGKILL');
  write(() => undefined);
  expect(await checked()).toMatchObject({ result: { bot: 'ended' } });
});
