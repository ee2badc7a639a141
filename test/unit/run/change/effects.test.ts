/** What `check` says of symbols that an operator added and removed while the bot ran. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OrderAnswer, PositionAnswer, StatusAnswer } from '../../../../src/control/answers.ts';
import { defaultConfig } from '../../../../src/config/defaults.ts';
import { nameOf } from '../../../../src/engine/strategy/definition/setup.ts';
import { preflightOf } from '../../../../src/run/bot/preflight.ts';
import { effectsOf } from '../../../../src/run/change/effects.ts';
import { strategyFile } from '../../../support/backtest/reference-backtest.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'effects-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('an added symbol is watched and its orders stay; a removed one is watched by nobody', async () => {
  const file = strategyFile(folder, 'return {};');
  const config = { ...defaultConfig(), strategies: [{ file, params: {}, symbols: ['BTCUSDT'] }] };
  const after = { ...(await preflightOf(config)), config };
  const name = nameOf(after.strategies[0]!);
  const money = (changed: Record<string, string>): string[] => {
    const positions = ['BTCUSDT', 'ETHUSDT'].map((symbol) => ({ symbol, side: 'LONG', size: '1', own: '1', value: '' }) as PositionAnswer);
    const orders = ['BTCUSDT', 'ETHUSDT'].map(
      (symbol, at) => ({ number: at + 1, symbol, side: 'LONG', effect: 'OPEN', size: '1', strategy: name }) as unknown as OrderAnswer,
    );
    const strategies = [{ name, symbols: ['BTCUSDT'], changed, params: {}, set: [] }];
    const status = { positions, strategies, equity: '1000' } as unknown as StatusAnswer;
    return effectsOf(config, after, { status, orders })
      .filter(({ kind }) => kind === 'money')
      .map(({ what }) => /^(position |order \d+ )?\w+USDT/.exec(what)![0]);
  };
  expect(money({})).toEqual(['ETHUSDT', 'order 2 ETHUSDT']);
  expect(money({ ETHUSDT: 'added' })).toEqual([]);
  expect(money({ BTCUSDT: 'removed', ETHUSDT: 'added' })).toEqual(['BTCUSDT', 'order 1 BTCUSDT']);
});

it('a symbol that was added by hand, and that no start can have any more, is said not to be traded', async () => {
  const file = strategyFile(folder, 'return {};');
  const config = { ...defaultConfig(), strategies: [{ file, params: {}, symbols: ['BTCUSDT', 'ETHUSDT'] }] };
  const after = { ...(await preflightOf(config)), config };
  const name = nameOf(after.strategies[0]!);
  const changes = (changed: Record<string, string>): string[] => {
    const strategies = [{ name, symbols: ['BTCUSDT', 'ETHUSDT', 'GONEUSDT'], changed, params: {}, set: [] }];
    const status = { positions: [], strategies, equity: '1000' } as unknown as StatusAnswer;
    return effectsOf(config, after, { status, orders: [] }).map(({ what }) => what);
  };
  expect(changes({ GONEUSDT: 'added' })).toEqual([`${name}: does not trade GONEUSDT any more`]);
  expect(changes({ ETHUSDT: 'removed', GONEUSDT: 'added' })).toEqual([
    `${name}: does not trade ETHUSDT any more`,
    `${name}: does not trade GONEUSDT any more`,
    `${name}: ETHUSDT stays removed, as an operator said; add it with \`tickwright add\``,
  ]);
});
