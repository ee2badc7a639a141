/** The configuration: every error is reported with its place and a remedy; later sources override earlier ones. */
import { chmodSync, fstatSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Failure, type Problem } from '../../../src/base/failure/failure.ts';
import { checkBaseUrl, maskAddress, normaliseBaseUrl } from '../../../src/config/schema/base-url.ts';
import { LIMIT_NAMES, readInstruments, readLimits } from '../../../src/config/files/data-files.ts';
import { DEFAULTS, defaultConfig } from '../../../src/config/defaults.ts';
import { loadConfig, type LoadedConfig } from '../../../src/config/load.ts';
import { limitFor } from '../../../src/config/model.ts';
import { BUCKETS } from '../../../src/contract/endpoints/costs.ts';
import { leaves, settingsSchema, variableOf } from '../../../src/config/schema/settings-schema.ts';
import { effectiveKeys } from '../../../src/config/docs/show.ts';
import { timings } from '../../../src/run/setup/bot-parts.ts';

let folder = '';
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'tickwright-config-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string, mode = 0o600): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

function load(yaml: string, env: Record<string, string | undefined> = {}, set: readonly string[] = []): LoadedConfig {
  return loadConfig({ file: file('bot.yaml', yaml), env, set });
}

function failureOf(work: () => unknown): Failure {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('a Failure was expected, nothing was thrown');
}

/** The problems without the folder, so that places read "bot.yaml:2:1". */
function problems(yaml: string, env: Record<string, string | undefined> = {}): Problem[] {
  const { kind, problems: found } = failureOf(() => load(yaml, env));
  expect(kind).toBe('configuration');
  return found.map((p) => ({ ...p, where: p.where?.replace(`${folder}/`, '') }));
}

describe('a wrong configuration file', () => {
  const cases: { name: string; given: string; where: string; what: RegExp; hint?: RegExp }[] = [
    { name: 'unknown key', given: 'bot: a\nsed: 3\n', where: 'bot.yaml:2:1', what: /^sed is not a key/, hint: /did you mean "seed"\?/ },
    { name: 'dotted', given: 'alerts.file: a\n', where: 'bot.yaml:1:1', what: /^alerts\.file is/, hint: /: alerts: \{ file: … \}$/ },
    {
      name: 'unknown nested key',
      given: 'risk:\n  maxOrderSizes: "1"\n',
      where: 'bot.yaml:2:3',
      what: /risk\.maxOrderSizes/,
      hint: /"maxOrderSize"/,
    },
    {
      name: 'unknown key of a symbol',
      given: 'risk:\n  symbols:\n    BTCUSDT: { maxOpenOrder: 3 }\n',
      where: 'bot.yaml:3:16',
      what: /BTCUSDT\.maxOpenOrder/,
      hint: /"maxOpenOrders"/,
    },
    {
      name: 'unknown key of a strategy',
      given: 'strategies:\n  - file: a.ts\n    param: {}\n',
      where: 'bot.yaml:3:5',
      what: /strategies\.0\.param/,
      hint: /"params"/,
    },
    {
      name: 'a strategy with a name that no store could keep',
      given: 'strategies:\n  - { file: a.ts, name: "My Strategy" }\n',
      where: 'bot.yaml:2:25',
      what: /strategies\.0\.name.*lower-case letters, digits and dashes/,
    },
    {
      name: 'a strategy called like a part of the report',
      given: 'strategies:\n  - { file: a.ts, name: wallet }\n',
      where: 'bot.yaml:2:25',
      what: /strategies\.0\.name: expected a name other than all, bot, wallet, .*found "wallet"/,
    },
    {
      name: 'a name that another strategy has',
      given: 'strategies:\n  - { file: a.ts, name: one }\n  - { file: b.ts, name: two }\n  - { file: c.ts, name: one }\n',
      where: 'bot.yaml:4:25',
      what: /^strategies\.2\.name: "one" is the name of strategies\.0 already$/,
      hint: /a name of its own/,
    },
    {
      name: 'a share of a strategy without quotes',
      given: 'allocation:\n  by: { a: 0.1, b: "0.2" }\n',
      where: 'bot.yaml:2:12',
      what: /^allocation\.by\.a: expected a share from 0 to 1 in quotes.*found the bare number 0\.1/,
      hint: /put it in quotes.*a: "0\.1"/,
    },
    {
      name: 'a list where a word or shares are expected',
      given: 'allocation:\n  by: [a]\n',
      where: 'bot.yaml:2:7',
      what: /^allocation\.by: expected one of off,.*or shares by strategy.*found a list/,
    },
    {
      name: 'a key unlike any other',
      given: 'poll: { xyzzyx: 1 }\n',
      where: 'bot.yaml:1:9',
      what: /poll\.xyzzyx/,
      hint: /the keys here are quotes, trades/,
    },
    {
      name: 'bare number for money',
      given: 'risk:\n  priceCollar: 0.020\n',
      where: 'bot.yaml:2:16',
      what: /found the bare number 0\.020$/,
      hint: /priceCollar: "0\.020"/,
    },
    {
      name: 'bare number in a table of money',
      given: 'simulation:\n  deposits: { USDT: 1e5 }\n',
      where: 'bot.yaml:2:21',
      what: /found the bare number 1e5$/,
      hint: /USDT: "1e5"/,
    },
    {
      name: 'a deposit above the maximum',
      given: 'simulation:\n  deposits: { USDT: "45000000.00000001" }\n',
      where: 'bot.yaml:2:21',
      what: /expected an amount of at most 8 decimals, up to 45000000, in quotes.*found "45000000.00000001"/,
    },
    {
      name: 'a deposit of too many decimals',
      given: 'simulation:\n  deposits: { USDT: "0.000000001" }\n',
      where: 'bot.yaml:2:21',
      what: /expected an amount of at most 8 decimals/,
    },
    {
      name: 'exponent in quotes',
      given: 'risk: { maxOrderSize: "1e3" }\n',
      where: 'bot.yaml:1:23',
      what: /expected an amount in quotes.*found "1e3"/,
    },
    { name: 'negative money', given: 'risk: { maxOrderSize: "-1" }\n', where: 'bot.yaml:1:23', what: /found "-1"/ },
    { name: 'duplicate key', given: 'seed: 1\nbot: a\nseed: 2\n', where: 'bot.yaml:3:1', what: /duplicate key "seed"/ },
    {
      name: 'text for a number',
      given: 'poll:\n  quotes: fast\n',
      where: 'bot.yaml:2:11',
      what: /milliseconds, a whole number from 10 to 3600000, or a duration such as "5s", found "fast"/,
    },
    { name: 'just below a range', given: 'poll: { quotes: 9 }\n', where: 'bot.yaml:1:17', what: /found 9$/ },
    { name: 'a fraction for a whole number', given: 'seed: 1.5\n', where: 'bot.yaml:1:7', what: /found 1\.5$/ },
    {
      name: 'beyond the safe integers',
      given: 'seed: 9007199254740993\n',
      where: 'bot.yaml:1:7',
      what: /whole number from 0 to 9007199254740991/,
    },
    { name: 'bot name of 9 letters', given: 'bot: abcdefghi\n', where: 'bot.yaml:1:6', what: /1 to 8 letters or digits/ },
    {
      name: 'word outside a list',
      given: 'store: { kind: sqlite }\n',
      where: 'bot.yaml:1:16',
      what: /one of embedded, redis, memory, found "sqlite"/,
    },
    { name: 'value for a section', given: 'venue: x\n', where: 'bot.yaml:1:8', what: /venue: expected a section of keys, found "x"/ },
    {
      name: 'http to another machine',
      given: 'venue:\n  baseUrl: http://10.0.0.1\n',
      where: 'bot.yaml:2:12',
      what: /https \(http is for loopback/,
    },
    {
      name: 'strategy without a file',
      given: 'strategies:\n  - symbols: [BTCUSDT]\n',
      where: 'bot.yaml:2:5',
      what: /strategies\.0: expected a strategy: file, or strategy with one of grid, dca/,
    },
    {
      name: 'unknown symbol',
      given: 'strategies:\n  - { file: a.ts, symbols: [BTCUSD] }\n',
      where: 'bot.yaml:2:29',
      what: /BTCUSD is not an instrument/,
      hint: /"BTCUSDT"/,
    },
    { name: 'a symbol twice', given: 'strategies: [{ file: a.ts, symbols: [BTCUSDT, BTCUSDT] }]', where: 'bot.yaml:1:47', what: /twice$/ },
    {
      name: 'limits for an unknown symbol',
      given: 'risk:\n  symbols: { XRPUSDT: {} }\n',
      where: 'bot.yaml:2:14',
      what: /XRPUSDT is not an instrument/,
    },
    {
      name: 'redis without an address',
      given: 'store:\n  kind: redis\n',
      where: 'bot.yaml:2:9',
      what: /store\.url/,
      hint: /redis:\/\/127\.0\.0\.1:6379/,
    },
    { name: 'not YAML', given: 'a: [1\nb', where: 'bot.yaml:2:1', what: /./ },
    { name: 'a list instead of keys', given: '- 1\n', where: 'bot.yaml:1:1', what: /a section of keys, found a list/ },
  ];
  test.each(cases)('$name', ({ given, where, what, hint }) => {
    const first = problems(given)[0];
    expect(first?.where).toBe(where);
    expect(first?.what).toMatch(what);
    if (hint) expect(first?.hint).toMatch(hint);
  });

  test('reports all errors at once, in the order of the lines', () => {
    const found = problems('sed: 1\npoll:\n  quotes: x\nbot: toolongname\n');
    expect(found.map((p) => p.where)).toEqual(['bot.yaml:1:1', 'bot.yaml:3:11', 'bot.yaml:4:6']);
  });

  test('of a file that is not YAML reports only the first error, from which the others follow', () => {
    const found = problems(`seed: 1\npoll\n${'  quotes: 250\n'.repeat(20)}`);
    expect(found).toHaveLength(1);
    expect(found[0]?.where).toMatch(/^bot\.yaml:2:/);
  });

  test('an alias bomb is refused', () => {
    const bomb = [
      'a: &a [x, x, x, x, x, x, x, x, x]',
      ...'bcdefg'.split('').map((c, i) => `${c}: &${c} [${Array(9).fill(`*${'abcdef'[i]}`).join(', ')}]`),
    ].join('\n');
    expect(problems(bomb)[0]?.what).toMatch(/alias/);
  });

  test('a missing file', () => {
    const { problems: found } = failureOf(() => loadConfig({ file: join(folder, 'none.yaml'), env: {}, set: [] }));
    expect(found[0]?.what).toMatch(/it does not exist/);
  });

  test('a password in an address is not repeated', () => {
    const [first] = problems('venue:\n  baseUrl: https://me:hunter2@example.com\n');
    expect(first?.what).toMatch(/without user name or password/);
    expect(first?.what).not.toMatch(/hunter2/);
  });
});

describe('layers', () => {
  test('defaults, then file, then variables, then --set; each key has its source', () => {
    const yaml = 'seed: 2\nlogLevel: warn\npoll: { quotes: 300, trades: 400 }\n';
    const { config, sources } = load(yaml, { TICKWRIGHT_LOG_LEVEL: 'error', TICKWRIGHT_POLL_TRADES: '500' }, ['poll.trades=600']);
    expect(config).toMatchObject({ seed: 2, logLevel: 'error', poll: { quotes: 300, trades: 600, orders: 500 } });
    expect(sources.get('seed')).toBe(`${join(folder, 'bot.yaml')}:1:7`);
    expect(sources.get('logLevel')).toBe('TICKWRIGHT_LOG_LEVEL');
    expect(sources.get('poll.trades')).toBe('--set');
    expect(sources.get('poll.orders')).toBe('default');
  });

  test('an empty file gives the defaults', () => {
    expect(load('').config).toEqual(defaultConfig());
  });

  test('loading does not change the defaults', () => {
    load('poll: { quotes: 300 }\n');
    expect(DEFAULTS.poll.quotes).toBe(250);
  });

  test('an order is not presumed lost before lists can show it: a horizon below the lag is refused', () => {
    expect(problems('orderHorizonMs: 11999\n')).toEqual([
      {
        what: 'orderHorizonMs is 11999 ms, less than listLagMs, 12000 ms: an order would count as lost before the lists can show it',
        where: expect.stringMatching(/:1:\d+$/),
        hint: expect.stringContaining('a shorter listLagMs'),
      },
    ]);
    expect(problems('listLagMs: 60001\n')[0]?.what).toMatch(/^orderHorizonMs is 60000 ms, less than listLagMs, 60001 ms/);
    const { config } = load('orderHorizonMs: 2000\nlistLagMs: 2000\n');
    expect(timings(config)).toMatchObject({ settleMs: 2000, horizonMs: 2000 });
    expect(timings(load('orderHorizonMs: 12000\n').config)).toMatchObject({ settleMs: 12_000, horizonMs: 12_000 });
  });

  test('a misspelt variable is refused; a reserved one and those of other programs are not', () => {
    const found = problems('', { TICKWRIGHT_VENUE_BASEURL: 'x', TICKWRIGHT_DEBUG: '1', PATH: '/bin' });
    expect(found).toEqual([
      {
        what: expect.stringContaining('TICKWRIGHT_VENUE_BASEURL'),
        where: 'environment',
        hint: 'did you mean "TICKWRIGHT_VENUE_BASE_URL"?',
      },
    ]);
  });

  test.each([
    ['seed', /expected key=value/],
    ['sede=1', /sede is not a key/],
    ['seed=x', /whole number.*found "x"/],
    ['seed=', /whole number.*found ""/],
    ['strategies=[]', /list or a table/],
    ['risk.priceCollar=1e2', /a share from 0 to 1 in quotes/],
    ['risk.maxOpenOrders=many', /a whole number from 0 to 10000, or off, found "many"/],
    ['poll.quotes=5ms', /milliseconds, a whole number from 10 to/],
  ])('--set %s is a usage error', (pair, what) => {
    const failure = failureOf(() => loadConfig({ file: null, env: {}, set: [pair] }));
    expect(failure.kind).toBe('usage');
    expect(failure.problems[0]?.what).toMatch(what);
  });

  test('money given by --set keeps every digit', () => {
    expect(loadConfig({ file: null, env: {}, set: ['risk.priceCollar=0.010'] }).config.risk.priceCollar).toBe('0.010');
  });

  test('paths in a file are relative to the file, and parameters are text', () => {
    const { config } = load('strategies:\n  - { file: s/a.ts, params: { fast: 10, on: true, name: x } }\nstore: { folder: ../var }\n');
    expect(config.strategies).toEqual([{ file: join(folder, 's/a.ts'), symbols: [], params: { fast: '10', on: 'true', name: 'x' } }]);
    expect(config.store.folder).toBe(join(folder, '../var'));
  });

  test('limits of a symbol override the common ones', () => {
    const { risk } = load('risk:\n  maxOpenOrders: 3\n  symbols: { ETHUSDT: { maxOrderSize: "10" } }\n').config;
    expect(risk).toEqual({ ...DEFAULTS.risk, maxOpenOrders: 3, symbols: { ETHUSDT: { maxOrderSize: '10' } } });
  });
});

describe('secrets', () => {
  const env = (): Record<string, string | undefined> => ({
    TICKWRIGHT_KEY: 'k-canary',
    TICKWRIGHT_SECRET: 's-canary',
    TICKWRIGHT_PASSPHRASE: 'p-canary',
  });

  test('come from the environment and are removed from it', () => {
    const variables = env();
    const { credentials } = load('', variables).config;
    expect([credentials?.key.reveal(), credentials?.secret.reveal(), credentials?.passphrase.reveal()]).toEqual([
      'k-canary',
      's-canary',
      'p-canary',
    ]);
    expect(variables).toEqual({});
  });

  test('appear in no printable form of the configuration', () => {
    const loaded = load('store: { kind: redis, url: "redis://u:r-canary@127.0.0.1" }\n', env());
    const { store: _store, ...rest } = loaded.config;
    const printed = [
      JSON.stringify(rest),
      inspect(rest, { depth: 9, showHidden: true }),
      `${String(rest.credentials?.secret)}`,
      JSON.stringify(effectiveKeys(loaded)),
    ];
    for (const text of printed) expect(text).not.toMatch(/canary/);
  });

  test('two of three are refused', () => {
    expect(problems('', { ...env(), TICKWRIGHT_SECRET: '' })[0]?.what).toMatch(/found no TICKWRIGHT_SECRET$/);
  });

  const lines = 'key: "k"\nsecret: "s"\npassphrase: "p"\n';
  test('a private file is read', () => {
    file('c.yaml', lines);
    expect(load('venue: { credentials: c.yaml }\n').config.credentials?.passphrase.reveal()).toBe('p');
    const descriptor = openSync(join(folder, 'c.yaml'), 'r');
    expect(load(`venue: { credentials: "fd:${descriptor}" }\n`).config.credentials?.passphrase.reveal()).toBe('p');
    expect(() => fstatSync(descriptor), 'it is closed').toThrow('EBADF');
  });

  test.each([0o644, 0o640, 0o604, 0o660])('a file of mode %o is refused', (mode) => {
    file('open.yaml', lines, mode);
    const [first] = problems('venue: { credentials: open.yaml }\n');
    expect(first?.what).toMatch(/mode 0600/);
    expect(first?.hint).toMatch(/^chmod 600 /);
  });

  test('a file with a number, or with more than three keys, is refused without showing its content', () => {
    file('n.yaml', 'key: 12345678\nsecret: "s"\npassphrase: "p"\nother: "o-canary"\n');
    const found = problems('venue: { credentials: n.yaml }\n');
    expect(found.map((p) => p.where)).toEqual(['n.yaml:1:6', 'n.yaml:4:1']);
    expect(JSON.stringify(found)).not.toMatch(/12345678|canary/);
  });
});

describe('the base URL', () => {
  test.each(['https://api.example.com', 'https://api.example.com/mount', 'http://127.0.0.1:8420', 'http://localhost', 'http://[::1]:1'])(
    '%s is accepted',
    (url) => {
      expect(checkBaseUrl(url)).toBeNull();
    },
  );
  test.each([
    'http://example.com',
    'http://127.0.0.1.example.com',
    'ftp://x',
    'https://u@x.com',
    'https://x.com?a',
    'https://x.com#',
    'x.com',
    '',
    'http://localhost.example.com',
  ])('%s is refused', (url) => {
    expect(checkBaseUrl(url)).not.toBeNull();
  });
  test('has its trailing slash removed and keeps its mount path', () => {
    expect(normaliseBaseUrl('https://x.com/')).toBe('https://x.com');
    expect(normaliseBaseUrl('https://x.com/a/b//')).toBe('https://x.com/a/b');
  });
  test('is shown without user name and password', () => {
    expect(maskAddress('redis://:pw@host:1/2')).toBe('redis://[secret]@host:1/2');
  });
});

describe('schema and defaults', () => {
  test('have the same keys in the same order, at most 91 besides exchange and limits', () => {
    const paths: string[] = [];
    const walk = (value: object, prefix: string): void => {
      for (const [key, entry] of Object.entries(value)) {
        const path = prefix + key;
        if (typeof entry === 'object' && !Array.isArray(entry) && !leaves().has(path)) walk(entry as object, `${path}.`);
        else paths.push(path);
      }
    };
    walk(DEFAULTS, '');
    expect(paths).toEqual([...leaves().keys()]);
    expect(paths.filter((path) => !/^(exchange|risk)\./.test(path)).length).toBeLessThanOrEqual(91);
  });

  test('the defaults pass the schema', () => {
    expect(settingsSchema.safeParse(DEFAULTS).error?.issues ?? []).toEqual([]);
  });

  test('every key has a line of documentation and its own variable', () => {
    const all = [...leaves().values()];
    for (const leaf of all) expect(leaf.doc, leaf.path).toMatch(/^[A-Z].{10,}$/);
    expect(new Set(all.map((leaf) => variableOf(leaf.path))).size).toBe(all.length);
  });

  test.each(['paper.yaml', 'backtest.yaml', 'live.example.yaml'])('config/%s is valid except for a missing credentials file', (name) => {
    const env = { TICKWRIGHT_KEY: 'k', TICKWRIGHT_SECRET: 's', TICKWRIGHT_PASSPHRASE: 'p' };
    expect(loadConfig({ file: join(import.meta.dirname, '../../../config', name), env, set: [] }).config.bot).toMatch(/^[a-z0-9]+$/);
  });
});

describe('the data files', () => {
  const instrument = {
    symbol: 'AUSDT',
    product: 'futures',
    baseCoin: 'A',
    quoteCoin: 'USDT',
    tickSize: '0.1',
    lotSize: '0.001',
    minSize: '0.001',
    maxSize: '10',
    makerFeeRate: '0.0002',
    takerFeeRate: '0.0006',
  };
  const fault = (...entries: unknown[]): string | undefined =>
    failureOf(() => readInstruments(file('i.json', JSON.stringify(entries)))).message;

  test('the shipped instruments and limits are valid', () => {
    const { instruments, limits } = defaultConfig();
    expect(instruments.map((i) => `${i.product} ${i.symbol} ${i.tickSize} ${i.lotSize}`)).toEqual([
      'futures BTCUSDT 0.1 0.001',
      'futures ETHUSDT 0.01 0.001',
      'spot BTCUSDT 0.01 0.000001',
      'spot ETHUSDT 0.01 0.00001',
    ]);
    expect(limits).toMatchObject({ public: 10, private: 5 });
    expect(Object.keys(limits).toSorted()).toEqual([...BUCKETS, 'private'].toSorted());
    expect(LIMIT_NAMES.toSorted()).toEqual([...BUCKETS, 'private'].toSorted());
    expect([limitFor(limits, 'order'), limitFor({ public: 10, private: 3 }, 'order')]).toEqual([5, 3]);
  });

  test('an invalid instrument is reported with entry and key', () => {
    expect(fault({ ...instrument, tickSize: 0.1 })).toMatch(
      /entry 1 \(AUSDT\): "tickSize": expected a plain decimal in quotes, such as "0\.1", found 0\.1/,
    );
    expect(fault({ ...instrument, tickSizes: '1' })).toMatch(/"tickSizes" is not a key of an instrument/);
    expect(fault({ ...instrument, product: 'options' })).toMatch(/"product": expected one of futures, spot, found "options"/);
    expect(fault({ ...instrument, tickSize: '1e-1' })).toMatch(/plain decimal/);
    expect(fault({ ...instrument, tickSize: '0.00001', lotSize: '0.00001' })).toMatch(/together are at most 8/);
    expect(fault(instrument, instrument)).toMatch(/entry 2 \(AUSDT\): futures AUSDT is listed twice/);
    const { minSize: _minSize, ...without } = instrument;
    expect(fault(without)).toMatch(/"minSize" is missing/);
    expect(fault()).toMatch(/expected a list of instruments/);
  });

  test('files that cannot be read or parsed', () => {
    expect(failureOf(() => readInstruments(join(folder, 'none.json'))).message).toMatch(/it does not exist/);
    mkdirSync(join(folder, 'dir.json'), { recursive: true });
    expect(failureOf(() => readLimits(join(folder, 'dir.json'))).message).toMatch(/it is a folder/);
    expect(failureOf(() => readLimits(file('l.json', '{'))).message).toMatch(/expected JSON/);
  });

  test('limits are above zero and have the two common buckets', () => {
    expect(failureOf(() => readLimits(file('l.json', '{"public":0,"private":5}'))).message).toMatch(
      /"public": expected a number from 0\.001 to 100000, found 0/,
    );
    expect(failureOf(() => readLimits(file('l.json', '{"public":1}'))).message).toMatch(/"private"/);
    expect(failureOf(() => readLimits(file('l.json', '{"public":1,"private":1,"oder":1}'))).problems[0]?.hint).toBe(
      'did you mean "order"?',
    );
  });
});
