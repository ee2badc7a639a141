/** A universe of 24 candidates on the paper exchange: a kill -9 between a choice and its first order, and positions that leave with their symbol. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { StatusAnswer, WhyAnswer } from '../../../src/control/answers.ts';
import { OPEN } from '../../../src/domain/codes.ts';
import { readLedger } from '../../../src/edge/file/ledger/read-ledger.ts';
import { cleanUp, freshFolder, ROOT, runToEnd } from '../process.ts';
import { Stage } from '../stage.ts';
import { expectEqualReplays } from './equal-replays.ts';

afterEach(cleanUp);

const SPEED = 20;
const SYMBOLS = Array.from({ length: 24 }, (_, k) => `S${String(k).padStart(2, '0')}USDT`);

/** Lots that the account holds of each symbol, by the ledger. */
function held({ folder }: Stage): Map<string, number> {
  const lots = new Map<string, number>();
  const { fills } = readLedger(join(folder, 'exchange'));
  for (const { effect, instrument, size } of fills) {
    const symbol = SYMBOLS[instrument]!;
    lots.set(symbol, (lots.get(symbol) ?? 0) + (effect === OPEN ? size : -size));
  }
  return lots;
}

it('the same is chosen after a kill -9 before the first order, and what leaves is closed', async () => {
  const [first] = JSON.parse(readFileSync(join(ROOT, 'config/instruments.json'), 'utf8')) as [object];
  const rules = join(freshFolder(), 'instruments.json');
  writeFileSync(
    rules,
    JSON.stringify(SYMBOLS.map((symbol) => ({ ...first, symbol, baseCoin: symbol.slice(0, 3), tickSize: '0.0001', priceDecimals: 4 }))),
  );
  const stage = new Stage({ exchange: ['--set', `instruments=${rules}`, '--speed', String(SPEED), '--past', '1h'] });
  const universe = { top: 5, by: 'momentum', every: '1m', window: '1m', bars: '20s', poll: '1s' };
  await stage.startBot({
    config: {
      instruments: rules,
      barSpeed: SPEED,
      poll: { quotes: 200, trades: 1_000, orders: 500, positions: 500, account: 1_000 },
      strategies: [{ file: join(ROOT, 'test/e2e/strategies/rotating.ts'), universe }],
    },
  });
  await stage.bot.untilLogged('universe-chosen');
  const killed = stage.bot;
  await killed.kill('SIGKILL');
  const next = stage.launchBot();
  await next.untilLogged('armed');
  const choices = (): { at: number; symbols: string[] }[] =>
    [...killed.logged('universe-chosen'), ...next.logged('universe-chosen')].map(({ at, symbols }) => ({
      at: Number(at),
      symbols: symbols as string[],
    }));
  // A symbol that was held has left, and is flat.
  const gone = (): string[] => {
    const now = choices().at(-1)!.symbols;
    return [...held(stage)].filter(([symbol, lots]) => lots === 0 && !now.includes(symbol)).map(([symbol]) => symbol);
  };
  await next.until('a symbol left, and was closed', () => gone().length > 0);
  for (const { at, symbols } of choices()) {
    expect(symbols).toHaveLength(5);
    for (const other of choices()) if (other.at === at) expect(other.symbols).toEqual(symbols);
  }
  const config = join(stage.folder, 'bot.yaml');
  const status = JSON.parse((await runToEnd(['status', '--json', '--config', config])).out) as StatusAnswer;
  const answer = status.strategies[0]!.universe!;
  expect([answer.candidates, answer.chosen.length, answer.chosen.length + answer.out.length]).toEqual([24, 5, 24]);
  expect(answer.requestsPerMinute).toBeGreaterThan(0);
  const out = answer.out.at(-1)!.symbol;
  const why = JSON.parse((await runToEnd(['why', out, '--json', '--config', config])).out) as WhyAnswer;
  expect(why.ladders.map(({ symbol }) => symbol)).toEqual([out]);
  await next.kill('SIGTERM');
  await stage.exchange.kill('SIGTERM');
  await expectEqualReplays(join(stage.folder, 'bot'));
});
