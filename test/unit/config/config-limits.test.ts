/** Invalid limits in the configuration, and limits that do not fit their symbols: reported with place and remedy. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Failure, type Problem } from '../../../src/base/failure/failure.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { LIMIT_KEYS, LIMITS } from '../../../src/domain/limits.ts';

const folder = mkdtempSync(join(tmpdir(), 'config-limits-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The problems of a file, without its folder. */
function problems(yaml: string, env: Record<string, string> = {}, set: readonly string[] = []): Problem[] {
  const file = join(folder, 'bot.yaml');
  writeFileSync(file, yaml);
  try {
    loadConfig({ file, env, set });
  } catch (error) {
    if (error instanceof Failure) return error.problems.map((p) => ({ ...p, where: p.where?.replace(`${folder}/`, '') }));
    throw error;
  }
  return [];
}

const cases: { name: string; given: string; where: string; what: RegExp; hint?: RegExp }[] = [
  {
    name: 'a limit in a coin of no symbol',
    given: 'risk:\n  maxNotionalTotal: "20000 USD"\n',
    where: 'bot.yaml:2:21',
    what: /^risk\.maxNotionalTotal: expected an amount in USDT, found "20000 USD"$/,
    hint: /write "20000 USDT"/,
  },
  {
    name: 'a size of all symbols in the coin of one',
    given: 'risk: { maxPosition: "2 BTC" }\n',
    where: 'bot.yaml:1:22',
    what: /maxPosition: expected a size in \w+ or a value in USDT for \w+, found "2 BTC"/,
    hint: /state it there, under risk\.symbols/,
  },
  {
    name: 'a limit of a symbol in the coin of another',
    given: 'risk:\n  symbols:\n    ETHUSDT: { maxOrderSize: "1 BTC" }\n',
    where: 'bot.yaml:3:30',
    what: /^risk\.symbols\.ETHUSDT\.maxOrderSize: expected a size in ETH or a value in USDT for ETHUSDT, found "1 BTC"$/,
  },
  {
    name: 'a limit of a strategy in a wrong coin',
    given: 'strategies:\n  - file: a.ts\n    risk: { maxDailyLoss: "50 EUR" }\n',
    where: 'bot.yaml:3:27',
    what: /^strategies\.0\.risk\.maxDailyLoss: expected an amount in USDT, found "50 EUR"$/,
  },
  {
    name: 'a value in the base coin',
    given: 'risk: { symbols: { BTCUSDT: { maxNotionalOrder: "1 BTC" } } }\n',
    where: 'bot.yaml:1:49',
    what: /maxNotionalOrder: expected an amount in USDT, found "1 BTC"/,
  },
  {
    name: 'a size below one lot',
    given: 'risk: { symbols: { BTCUSDT: { maxOrderSize: "0.0005" } } }\n',
    where: 'bot.yaml:1:45',
    what: /expected "0" or a size that can be traded, at least 0\.001 \(BTCUSDT\), found "0\.0005"/,
  },
  {
    name: 'a share above one',
    given: 'risk: { symbols: { BTCUSDT: { priceCollar: "5" } } }\n',
    where: 'bot.yaml:1:44',
    what: /expected a share from 0 to 1 in quotes.*found "5"/,
  },
  {
    name: 'a loss above 100 %',
    given: 'risk: { maxDailyLoss: "101%" }\n',
    where: 'bot.yaml:1:23',
    what: /expected an amount in quotes such as "1000 USDT" or "5%", at most "100%"(, or off)?, found "101%"/,
  },
];

test.each(cases)('$name', ({ given, where, what, hint }) => {
  const [first] = problems(given);
  expect(first?.where).toBe(where);
  expect(first?.what).toMatch(what);
  if (hint !== undefined) expect(first?.hint).toMatch(hint);
});

test('a limit in a variable or a flag is checked like one in a file', () => {
  expect(problems('', { TICKWRIGHT_RISK_MIN_EQUITY: '100 USD' })).toMatchObject([
    { where: 'TICKWRIGHT_RISK_MIN_EQUITY', what: expect.stringMatching(/found "100 USD"$/) },
  ]);
  expect(problems('', {}, ['risk.maxDrawdown=100 USDC'])).toMatchObject([
    { where: '--set', what: expect.stringMatching(/found "100 USDC"$/) },
  ]);
});

test('every limit of an amount or a share is checked', () => {
  for (const key of LIMIT_KEYS) {
    const { unit } = LIMITS[key];
    const wrong = unit === 'share' ? '101%' : ['size', 'value', 'money'].includes(unit) ? '20000 USD' : null;
    if (wrong !== null) expect(problems(`risk: { ${key}: "${wrong}" }\n`), key).toMatchObject([{ where: `bot.yaml:1:${key.length + 11}` }]);
  }
});
