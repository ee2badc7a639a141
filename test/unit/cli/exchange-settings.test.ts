/** How an exchange gets its switches and reference data (options, configuration, file), and how errors are reported. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '../../../src/base/failure/failure.ts';
import { switchesFrom } from '../../../src/cli/exchange/switch-flags.ts';
import { optionOf } from '../../../src/cli/program.ts';
import { SWITCH_OPTIONS } from '../../../src/cli/table/trading-rows.ts';
import { DEFAULTS, defaultConfig } from '../../../src/config/defaults.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { NO_REFERENCE, readReference } from '../../../src/config/files/reference-file.ts';
import { flagOf, SWITCH_DEFAULTS, SWITCH_LIST } from '../../../src/contract/switches.ts';
import { Served, SECOND } from '../../support/exchange/switch-kit.ts';
import { START } from '../../support/exchange/exchange-kit.ts';

let folder = '';
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'settings-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function file(text: string, name = `file-${++files}.json`): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function problemsOf(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    expect(error.kind).toBe('configuration');
    return error.problems.map(
      ({ where, what, hint }) => `${where?.replace(/^.*\//, '')}: ${what}${hint === undefined ? '' : ` (${hint})`}`,
    );
  }
  throw new Error('a Failure was expected');
}

describe('switches on the command line', () => {
  const withSwitches = (command: Command): Command => SWITCH_OPTIONS.reduce((all, row) => all.addOption(optionOf(row)), command);
  const parsed = (...args: string[]): Record<string, unknown> => {
    const command = withSwitches(new Command().exitOverride().configureOutput({ writeErr: () => undefined }));
    command.parse(args, { from: 'user' });
    return command.opts();
  };

  test('are one option each, which lists its choices', () => {
    const help = withSwitches(new Command()).helpInformation().replace(/\s+/g, ' ');
    for (const one of SWITCH_LIST) {
      expect(help).toContain(flagOf(one.name));
      if (one.kind === 'choice') expect(help).toContain(`(choices: ${one.choices.map((value) => `"${value}"`).join(', ')})`);
    }
  });

  test('override the configuration, which overrides the defaults', () => {
    expect(switchesFrom(parsed(), DEFAULTS.exchange)).toEqual(SWITCH_DEFAULTS);
    const config = { ...DEFAULTS.exchange, errorStatus: 200 as const, pageLimit: 7, rootMount: true };
    expect(switchesFrom(parsed(), config)).toEqual({ ...SWITCH_DEFAULTS, errorStatus: 200, pageLimit: 7, rootMount: true });
    const flags = parsed('--error-status', '400', '--page-limit', '9', '--lag-pending', '250', '--crossing', '--modify', 'cancel-first');
    expect(switchesFrom(flags, config)).toEqual({
      ...SWITCH_DEFAULTS,
      errorStatus: 400,
      pageLimit: 9,
      rootMount: true,
      lagPending: 250,
      crossing: true,
      modify: 'cancel-first',
    });
  });

  test.each([
    ['--error-status', '404'],
    ['--page-limit', '0'],
    ['--page-limit', '1001'],
    ['--lag-history', '-1'],
    ['--skew-window', '1.5'],
    ['--margin-mode-word', 'cross'],
  ])('%s %s is refused', (...args) => expect(() => parsed(...args)).toThrow(/Expected|Allowed choices/));
});

describe('switches in a configuration', () => {
  const loaded = (yaml: string, set: string[] = [], env = {}) =>
    loadConfig({ file: file(yaml, `c-${++files}.yaml`), env, set }).config.exchange;

  test('are keys of the section exchange, variables and --set keys', () => {
    const settings = loaded(
      'exchange:\n  errorStatus: 200\n  rootMount: true\n  lagHistory: 100\n  marginModeWord: CROSSED\n',
      ['exchange.crossing=true', 'exchange.lagPending=5', 'exchange.rootMount=false'],
      { TICKWRIGHT_EXCHANGE_PAGE_LIMIT: '3' },
    );
    expect(settings).toEqual({
      ...DEFAULTS.exchange,
      errorStatus: 200,
      lagHistory: 100,
      marginModeWord: 'CROSSED',
      crossing: true,
      lagPending: 5,
      pageLimit: 3,
    });
  });

  test.each([
    ['errorStatus: 404', /exchange\.errorStatus: expected one of 400, 200, found 404/],
    ['rootMount: 1', /exchange\.rootMount: expected true or false, found 1/],
    ['lagHistory: 60001', /exchange\.lagHistory: expected milliseconds, a whole number from 0 to 60000/],
    ['modify: maybe', /exchange\.modify: expected one of atomic, cancel-first, found "maybe"/],
    ['lagPendin: 1', /exchange\.lagPendin is not a key of the configuration \(did you mean "lagPending"\?\)/],
  ])('%s is reported with its place', (line, expected) => {
    const [problem, ...others] = problemsOf(() => loaded(`exchange:\n  ${line}\n`));
    expect(others).toEqual([]);
    expect(problem).toMatch(expected);
    expect(problem).toMatch(/\.yaml:2:/);
  });

  test('reach the exchange that is started with it', async () => {
    const config = { ...defaultConfig(), exchange: { ...DEFAULTS.exchange, pageLimit: 1 } };
    const x = await Served.open(switchesFrom({}, config.exchange), { config });
    try {
      await x.rest('a');
      await x.rest('b');
      expect(await x.listed('pendingOrders')).toHaveLength(1);
    } finally {
      await x.close();
    }
  });
});

describe('the file of reference data', () => {
  const { instruments } = defaultConfig();
  const read = (value: unknown, accounts = 2) =>
    readReference(file(typeof value === 'string' ? value : JSON.stringify(value)), instruments, accounts);

  test('overrides generated data', () => {
    expect(readReference('', instruments, 1)).toBe(NO_REFERENCE);
    expect(read({})).toEqual({ symbols: [], coins: [], withdrawals: [[], []] });
    const withdrawal = { orderId: '5', coin: 'BTC', size: '1.5', cTime: '1700000000000' };
    expect(
      read({
        symbols: [
          { symbol: 'BTCUSDT', status: 'offline' },
          { symbol: 'OLDUSDT', baseCoin: 'OLD' },
        ],
        coins: [{ coin: 'BTC', chains: [{ chain: 'BTC', needTag: 'true' }] }],
        withdrawals: [withdrawal, { ...withdrawal, account: 2, orderId: '6', status: 'pending', uTime: '1700000000001' }],
      }),
    ).toEqual({
      symbols: [
        { symbol: 'BTCUSDT', status: 'offline' },
        { symbol: 'OLDUSDT', baseCoin: 'OLD' },
      ],
      coins: [{ coin: 'BTC', chains: [{ chain: 'BTC', needTag: 'true' }] }],
      withdrawals: [
        [
          expect.objectContaining({
            orderId: '5',
            tradeId: '5',
            status: 'completed',
            fee: '0',
            chain: 'BTC-PAPER',
            uTime: '1700000000000',
          }),
        ],
        [expect.objectContaining({ orderId: '6', status: 'pending', uTime: '1700000000001' })],
      ],
    });
  });

  test.each<[string, unknown, string[]]>([
    ['no JSON', '{', [expect.stringMatching(/^file-\d+\.json: expected JSON: /) as string]],
    ['no object', '[]', [expect.stringContaining('expected an object with symbols, coins or withdrawals') as string]],
    [
      'another list',
      { coin: [] },
      [expect.stringContaining('coin is not a list of this file (the lists are symbols, coins, withdrawals)') as string],
    ],
    ['no list', { coins: {} }, [expect.stringContaining('coins: expected a list') as string]],
    ['no entry', { coins: ['BTC'] }, [expect.stringContaining('coins[0]: expected an object') as string]],
    ['no name', { coins: [{ transfer: 'true' }] }, [expect.stringContaining('coins[0]: coin is missing') as string]],
    [
      'an unknown field',
      { symbols: [{ symbol: 'A1USDT', statu: 'online' }] },
      [expect.stringContaining('symbols[0]: statu is not a field of this record (did you mean "status"?)') as string],
    ],
    [
      'a number for a decimal',
      { symbols: [{ symbol: 'A1USDT', minTradeAmount: 1 }] },
      [expect.stringContaining('symbols[0]: minTradeAmount: ') as string],
    ],
    [
      'a wrong field of a chain',
      { coins: [{ coin: 'BTC', chains: [{ needTag: true }] }] },
      [expect.stringContaining('coins[0].chains[0]: needTag: ') as string],
    ],
    [
      'a rule that the instruments decide',
      { symbols: [{ symbol: 'BTCUSDT', minTradeAmount: '1', status: 'offline' }] },
      [expect.stringContaining('symbols[0]: minTradeAmount of BTCUSDT is decided by the file of instruments') as string],
    ],
    [
      'an account that is not there',
      { withdrawals: [{ orderId: '1', coin: 'BTC', size: '1', cTime: '1', account: 3 }] },
      [expect.stringContaining('withdrawals[0]: account: expected the number of an account, 1 to 2, found 3') as string],
    ],
    [
      'everything that is wrong at once',
      { withdrawals: [{ orderId: '1', coin: 'BTC', size: 'much', cTime: 5 }] },
      [expect.stringContaining('size: ') as string, expect.stringContaining('cTime: ') as string],
    ],
  ])('%s is reported with its place', (_what, value, expected) => {
    expect(problemsOf(() => read(value))).toEqual(expected);
  });

  test('a missing file is reported', () => {
    expect(problemsOf(() => readReference(join(folder, 'none.json'), instruments, 1))).toEqual([
      'none.json: the file of reference data cannot be read: it does not exist',
    ]);
  });

  test('is served by the exchange', async () => {
    const withdrawal = { orderId: '5', coin: 'BTC', size: '1.5', cTime: String(START) };
    const reference = file(
      JSON.stringify({
        symbols: [{ symbol: 'ETHUSDT', status: 'offline' }],
        coins: [{ coin: 'BTC', chains: [{ chain: 'BTC', withdrawFee: '0.0005', congestion: 'high' }] }],
        withdrawals: [withdrawal, { ...withdrawal, account: 2, orderId: '6' }],
      }),
    );
    const x = await Served.open({}, { reference });
    try {
      expect(await x.data('spotSymbols', { symbol: 'ETHUSDT' })).toMatchObject({ status: 'offline', minTradeAmount: '0.00100' });
      expect(await x.data('spotSymbols', { symbol: 'BTCUSDT' })).toMatchObject({ status: 'online' });
      const { chains } = await x.data('coins', { coin: 'BTC' });
      expect(chains).toEqual([expect.objectContaining({ chain: 'BTC', withdrawFee: '0.0005', congestion: 'high', needTag: 'false' })]);
      const span = { startTime: '0', endTime: String(START) };
      const ids = async (options = {}): Promise<string[]> =>
        (await x.data('withdrawals', span, options)).map((one: { orderId: string }) => one.orderId);
      expect([await ids(), await ids({ as: SECOND })]).toEqual([['5'], ['6']]);
    } finally {
      await x.close();
    }
  });
});

describe('the other readings in docs/paper-exchange.md', () => {
  const page = readFileSync(new URL('../../../docs/paper-exchange.md', import.meta.url), 'utf8');
  const text = page.slice(page.indexOf('## Other readings'));
  const block = (language: string): string => new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(text)?.[1] ?? '';

  test('shows a configuration and a file that can be read', () => {
    const config = file(block('yaml'), `c-${++files}.yaml`);
    const { exchange } = loadConfig({ file: config, env: {}, set: [] }).config;
    expect(exchange).toMatchObject({ errorStatus: 200, modify: 'cancel-first', lagPending: 400, plansInPending: true, crossing: true });
    expect(exchange.reference).toBe(join(folder, 'reference.json'));
    const { symbols, coins, withdrawals } = readReference(file(block('json'), 'reference.json'), defaultConfig().instruments, 2);
    expect([symbols.length, coins.length, withdrawals.map((one) => one.length)]).toEqual([2, 1, [1, 1]]);
  });
});
