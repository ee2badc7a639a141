/** Which symbols a strategy of `start --strategy` trades when no `--symbol` names them, and which values of its configuration somebody chose. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fileOfProject, forUniverses, withSymbols } from '../../../src/cli/exchange/exchange-command.ts';
import { statedConfigOf, withNamedSymbols, type ChoiceFlags, type CliContext } from '../../../src/cli/shell/cli-context.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { universeTerms } from '../../../src/config/schema/universe-section.ts';

const FILE = join(import.meta.dirname, '../../../config/paper.yaml');
const { config: paper } = loadConfig({ file: FILE, env: {}, set: [] });
const flags = { speed: 1, port: 0, state: 'st', strategy: ['my.ts'] };
const symbolsOf = (given: object, config = paper): readonly string[] | undefined => withSymbols({ ...flags, ...given }, config).symbol;

test('without --config `start` takes the file of the project in the folder, and in the package that of the package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'project-'));
  try {
    expect(fileOfProject({}, folder)).toEqual({});
    mkdirSync(join(folder, 'config'));
    const own = join(folder, 'config/paper.yaml');
    writeFileSync(own, 'bot: mine\n');
    expect(fileOfProject({}, folder)).toEqual({ config: own });
    expect(fileOfProject({ config: 'other.yaml' }, folder)).toEqual({});
  } finally {
    rmSync(folder, { recursive: true });
  }
  expect(fileOfProject({}, join(import.meta.dirname, '../../..'))).toEqual({});
});

test.each([
  ['what the file of the package says', {}, {}, []],
  ['what a file of the user says', { config: FILE }, {}, ['poll.trades', 'limits']],
  ['a flag', { set: ['poll.trades=500'] }, {}, ['poll.trades']],
  ['a variable', {}, { TICKWRIGHT_POLL_TRADES: '500' }, ['poll.trades']],
])('%s: %j with %j is chosen: %j', async (_what, given, env, chosen) => {
  const { config, isStated } = await statedConfigOf(given, { env } as unknown as CliContext, { packaged: FILE });
  expect(['poll.trades', 'limits', 'instruments'].filter(isStated)).toEqual(chosen);
  expect([config.poll.quotes, config.limits]).toEqual([paper.poll.quotes, paper.limits]);
});

test.each([{}, { config: FILE }, { config: FILE, tape: ['tapes/btc'] }])('with %j it trades the symbols of the configuration', (given) => {
  expect(symbolsOf(given)).toEqual(['BTCUSDT']);
});

test.each([{}, { config: FILE }])('with %j and a configuration that names no symbol it trades BTCUSDT alone', (given) => {
  expect(symbolsOf(given, { ...paper, strategies: [] })).toEqual(['BTCUSDT']);
});

test('without BTCUSDT among the instruments it trades the first of them', () => {
  const instruments = paper.instruments.filter(({ symbol }) => symbol !== 'BTCUSDT');
  expect(symbolsOf({ config: FILE }, { ...paper, strategies: [], instruments })).toEqual([instruments[0]!.symbol]);
});

test('a symbol that strategies share is named once', () => {
  expect(symbolsOf({ config: FILE }, { ...paper, strategies: [...paper.strategies, ...paper.strategies] })).toEqual(['BTCUSDT']);
});

test('a market without configuration decides by itself, and --symbol comes before all', () => {
  expect(symbolsOf({ tape: ['tapes/btc'] })).toBeUndefined();
  expect(symbolsOf({ symbols: 5 })).toBeUndefined();
  expect(symbolsOf({ config: FILE, symbol: ['ETHUSDT'] })).toEqual(['ETHUSDT']);
});

test('so does one of `run`; a configuration that names none leaves it to the strategy', () => {
  const symbolsOfRun = (given: ChoiceFlags, config = paper): readonly string[] | undefined => withNamedSymbols(given, config).symbol;
  expect(symbolsOfRun({ strategy: ['my.ts'] })).toEqual(['BTCUSDT']);
  expect(symbolsOfRun({ strategy: ['my.ts'], symbol: ['ETHUSDT'] })).toEqual(['ETHUSDT']);
  expect(symbolsOfRun({ strategy: ['my.ts'] }, { ...paper, strategies: [] })).toBeUndefined();
  expect(symbolsOfRun({})).toBeUndefined();
});

describe('the market of `start` for a universe', () => {
  const DAY = 86_400_000;
  const given = { top: 20, by: 'momentum', every: DAY } as const;
  const marketOf = (terms: object, asked: object = {}): object => {
    const universe = universeTerms({ ...given, ...terms });
    return forUniverses({ speed: 1, port: 0, ...asked }, { ...paper, strategies: [{ file: 'my.ts', symbols: [], params: {}, universe }] });
  };

  test('has a fifth more futures than it takes, and the usual past', () => {
    expect(marketOf({})).toMatchObject({ symbols: 24, past: 20 * DAY });
    expect(marketOf({ exclude: ['ETHUSDT'] })).toMatchObject({ symbols: 25 });
  });

  test('has a longer past if the window, or an age, is longer', () => {
    expect(marketOf({ minAge: 30 * DAY })).toMatchObject({ symbols: 24, past: 32 * DAY });
  });

  test('is what flags say, and has the candidates that are named', () => {
    expect(marketOf({}, { symbols: 3, past: DAY })).toMatchObject({ symbols: 3, past: DAY });
    expect(marketOf({ from: ['BTCUSDT'] })).not.toHaveProperty('symbols');
    const onTape = { speed: 1, port: 0, tape: 'tapes/x' };
    expect(marketOf({}, onTape)).toEqual(onTape);
  });
});
