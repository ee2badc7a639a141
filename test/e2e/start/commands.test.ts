/** Commands that do their work and end: a script can rely on their exact output. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { addressOf, cleanUp, DEMO, freshFolder, launch, ROOT, runToEnd } from '../process.ts';
import { signedCall } from '../signed-call.ts';

const DATA = join(ROOT, '../shared/data');
const TRADES = join(DATA, 'BTCUSDT-perp-2024-08-08.trades.csv.gz');
const BOOK = join(DATA, 'BTCUSDT-perp-2024-08-08.book.csv.gz');

afterEach(cleanUp);

/** Parses the only JSON value in `text`, which ends in one line break. */
function only(text: string): Record<string, any> {
  expect(text.endsWith('\n')).toBe(true);
  return JSON.parse(text) as Record<string, any>;
}

if (!existsSync(TRADES)) console.warn(`SKIPPED: no recordings in ${DATA}: tape and backtest commands on real data`);

describe.skipIf(!existsSync(TRADES))('on a recording', () => {
  it('import, info and backtest: one JSON object on stdout, nothing on stderr, the same bytes every time', async () => {
    const tape = join(freshFolder(), 'btc');
    const imported = await runToEnd(['tape', 'import', TRADES, BOOK, '--out', tape]);
    expect([imported.code, imported.err]).toEqual([0, expect.any(String)]);

    const info = await runToEnd(['tape', 'info', tape, '--json']);
    expect([info.code, info.err]).toEqual([0, '']);
    const about = only(info.out);
    expect(JSON.stringify(about)).toContain('BTCUSDT');

    const args = ['backtest', '--no-bracket', '--strategy', 'strategies/ema-cross.ts', '--tape', tape, '--param', 'fast=10', '--json'];
    const first = await runToEnd(args);
    const second = await runToEnd(args);
    for (const run of [first, second]) expect([run.code, run.err]).toEqual([0, '']);
    const [one, two] = [only(first.out), only(second.out)];
    const keys = ['tape', 'config', 'orders', 'fills', 'trades', 'pnl', 'equity', 'hash', 'performance'];
    for (const key of keys) expect(one).toHaveProperty(key);
    expect(one['fills'].length).toBeGreaterThan(0);
    delete one['performance'];
    delete two['performance'];
    expect(JSON.stringify(two)).toBe(JSON.stringify(one));
  });
});

describe('doctor', () => {
  it('checks the credentials at the venue', async () => {
    const exchange = launch(['exchange', '--synth', '--port', '0']);
    const url = await addressOf(exchange);
    const args = ['doctor', '--config', 'config/paper.yaml', '--set', `venue.baseUrl=${url}`, '--json'];
    const right = await runToEnd(args, DEMO);
    expect([right.code, only(right.out)['ok']]).toEqual([0, true]);
    const wrong = await runToEnd(args, { ...DEMO, TICKWRIGHT_SECRET: 'another' });
    expect([wrong.code, only(wrong.out)['ok']]).toEqual([1, false]);
    expect(only(wrong.out)['findings']).toContainEqual({
      subject: 'credentials',
      status: 'bad',
      finding: expect.stringContaining('40002 Unauthorized'),
    });
  });
});

describe('tape', () => {
  it('an unreadable line: 78, with file and line, and no tape is left', async () => {
    const folder = freshFolder();
    const csv = join(folder, 'XUSDT.trades.csv');
    writeFileSync(csv, 'symbol,tradeId,price,size,side,ts\nXUSDT,1,100.1,0.5,buy,1700000000000\nXUSDT,2,abc,0.5,buy,1700000000001\n');
    const run = await runToEnd(['tape', 'import', csv, '--out', join(folder, 'tape')]);
    expect(run.code).toBe(78);
    expect(run.err).toMatch(/:3\b/);
    expect(run.err).not.toContain('    at ');
    expect(existsSync(join(folder, 'tape'))).toBe(false);
  });
});

describe('exchange', () => {
  it('prints its address and accounts that any signing client can use', async () => {
    const exchange = launch(['exchange', '--synth', '--port', '0', '--accounts', '2', '--deposit', 'USDT=5000']);
    const url = await addressOf(exchange);
    const accounts = [...exchange.out.matchAll(/key=(\S+) secret=(\S+) passphrase=(\S+)/g)];
    expect(accounts).toHaveLength(2);
    for (const [, key = '', secret = '', passphrase = ''] of accounts) {
      const reply = await signedCall(url, { key, secret, passphrase }, '/api/v1/future/account?symbol=BTCUSDT');
      expect(reply).toMatchObject({ code: '00000', data: { accountEquity: expect.stringMatching(/^5000(\.0*)?$/) } });
    }
    const wrong = await signedCall(url, { key: 'demo-key', secret: 'x', passphrase: 'demo-pass' }, '/api/v1/future/account?symbol=BTCUSDT');
    expect(wrong.code).not.toBe('00000');
    await exchange.kill('SIGTERM');
    expect(exchange.code).toBe(0);
  });
});
