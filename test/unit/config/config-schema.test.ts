/** docs/reference/config.schema.json: it is current, has every key, accepts the shipped files and refuses what the loader refuses. */
import { createRequire } from 'node:module';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { main } from '../../../src/cli/run-command-line.ts';
import { configurationSchema } from '../../../src/config/docs/json-schema.ts';
import { leaves, settingsSchema } from '../../../src/config/schema/settings-schema.ts';

interface Validator {
  (value: unknown): boolean;
  errors?: unknown;
}
type AjvClass = new (options: object) => { compile(schema: unknown): Validator };
// It comes with the validator of OpenAPI documents.
const require = createRequire(createRequire(import.meta.url).resolve('@seriousme/openapi-schema-validator'));
const Ajv = require('ajv') as AjvClass & { default?: AjvClass };

const ROOT = join(import.meta.dirname, '../../..');
const schema = configurationSchema();
const isValid = new (Ajv.default ?? Ajv)({ strict: false, allErrors: true }).compile(schema);

test('the file is current (if not: npm run docs), and `tickwright schema` prints it', async () => {
  const file = readFileSync(join(ROOT, 'docs/reference/config.schema.json'), 'utf8');
  expect(JSON.parse(file)).toEqual(schema);
  let out = '';
  const live = { update: () => undefined, write: () => undefined, end: () => undefined };
  const stdout = { write: (text: string) => void (out += text) };
  expect(await main(['schema'], { stdout, stderr: stdout, isTty: false, live })).toBe(0);
  expect(out).toBe(file);
});

test('every key has a meaning', () => {
  for (const { path } of leaves().values()) {
    const node = path.split('.').reduce<any>((at, step) => at.properties[step], schema);
    expect(node.description, path).toMatch(/\S/);
  }
});

test.each(readdirSync(join(ROOT, 'config')).filter((name) => name.endsWith('.yaml')))('config/%s is valid', (name) => {
  expect(isValid(parse(readFileSync(join(ROOT, 'config', name), 'utf8'))), JSON.stringify(isValid.errors)).toBe(true);
});

describe('schema and loader agree', () => {
  const cases: readonly (readonly [ok: boolean, value: unknown])[] = [
    [true, {}],
    [true, { poll: { quotes: 250, trades: '1s', account: '1.5m' } }],
    [
      true,
      { risk: { maxNotionalOrder: '100 USDT', maxNotionalPosition: '2%', priceCollar: '0.5%', staleAfterMs: '2s', maxOrderSize: '0.5' } },
    ],
    [true, { simulation: { funding: { rate: '0.01%', everyMs: '8h' }, latency: { spikeChance: '5%' }, impact: { volatility: '0.03' } } }],
    [true, { simulation: { fees: { tiers: [{ from: '0', maker: '0.02%', taker: '-0.0001' }] } } }],
    [true, { risk: { maxDailyLoss: 'off', symbols: { BTCUSDT: { maxOrderSize: '1' } } } }],
    [true, { strategies: [{ file: 'a.ts', symbols: ['BTCUSDT', 'spot:BTCUSDT'], params: { fast: 3, on: true, bar: '1s' } }] }],
    [false, { pol: {} }],
    [false, { poll: { quotes: 'soon' } }],
    [false, { poll: { quotes: 5 } }],
    [false, { poll: { quotes: 1.5 } }],
    [false, { logLevel: 'loud' }],
    [false, { risk: { maxOrderSize: 1 } }],
    [false, { risk: { maxOrderSize: 'much' } }],
    [false, { risk: { symbols: { BTCUSDT: { nonsense: 1 } } } }],
    [false, { simulation: { funding: { rate: 'free' } } }],
    [false, { simulation: { latency: { spikeChance: '5 percent' } } }],
    [false, { strategies: [{ symbols: [] }] }],
    [false, { store: { kind: 'paper' } }],
    [false, { seed: -1 }],
  ];
  test.each(cases)('%s: %j', (ok, value) => {
    expect(settingsSchema.safeParse(value).success, 'loader').toBe(ok);
    expect(isValid(value), `schema ${JSON.stringify(isValid.errors)}`).toBe(ok);
  });
});

test('percentages become exact decimals', () => {
  const { simulation } = settingsSchema.parse({
    simulation: {
      funding: { rate: '-0.01%' },
      latency: { spikeChance: '12.5%' },
      fees: { tiers: [{ from: '0', maker: '0.02%', taker: '0.0005' }] },
    },
  });
  expect(simulation?.funding?.rate).toBe('-0.0001');
  expect(simulation?.latency?.spikeChance).toBe('0.125');
  expect(simulation?.fees?.tiers).toEqual([{ from: '0', maker: '0.0002', taker: '0.0005' }]);
  for (const rate of ['0.76%', '1%', '0.000000001%', '%', '0.01 %']) {
    expect(settingsSchema.safeParse({ simulation: { funding: { rate } } }).success, rate).toBe(false);
  }
});
