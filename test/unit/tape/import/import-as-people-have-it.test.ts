/** Files as people have them: bars without a volume, charts of TradingView, and mark prices and funding rates that freqtrade keeps as bars. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isInverseSymbol } from '../../../../src/tape/formats/symbols.ts';
import { importFiles, type ImportSummary } from '../../../../src/tape/import/import.ts';

const T = 1_700_006_400;
const HOUR = 3_600;
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tickwright-import-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Imports files by name and text. */
function imported(files: Readonly<Record<string, string>>): Promise<ImportSummary> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return importFiles(
    Object.keys(files).map((name) => join(folder, name)),
    join(folder, 'tape'),
  );
}

const rows = (count: number, row: (k: number) => string): string => Array.from({ length: count }, (_, k) => row(k)).join('\n');
const chart = (header: string, more = ''): string =>
  `${header}\n${rows(5, (k) => `${T + k * HOUR},${100 + k},${102 + k},${99 + k},${101 + k}${more}`)}\n`;
const kinds = ({ manifest }: ImportSummary): unknown => manifest.streams.map(({ symbol, kind, rows: count }) => [symbol, kind, count]);

describe('bars without a volume', () => {
  test('a chart of TradingView is bars, and the import says that orders fill by price alone', async () => {
    const summary = await imported({ 'BINANCE_BTCUSDT, 60.csv': chart('time,open,high,low,close,Plot', ',7') });
    expect(kinds(summary)).toEqual([['BTCUSDT', 'bars', 5]]);
    expect(summary.assumed).toEqual([
      'BINANCE_BTCUSDT, 60.csv: the symbol BTCUSDT is a guess from the name of the file; --symbol says another.',
      'BINANCE_BTCUSDT, 60.csv: there is no volume: orders on these bars fill by price alone. Columns that are not read: Plot.',
    ]);
  });

  test('with its volume it is not said', async () => {
    const summary = await imported({ 'BINANCE_BTCUSDT, 60.csv': chart('time,open,high,low,close,Volume', ',7.5') });
    expect(summary.assumed.filter((one) => one.includes('volume'))).toEqual([]);
  });

  test('a perpetual contract of TradingView is known by its plain name', async () => {
    const summary = await imported({ 'BITGET_BTCUSDT.P, 60_a1b2c.csv': chart('time,open,high,low,close,Volume,MA', ',7.5,NaN') });
    expect(kinds(summary)).toEqual([['BTCUSDT', 'bars', 5]]);
  });

  test('dates without a zone are taken as UTC, and that is said', async () => {
    const bar = (k: number, zone: string): string => `2024-01-01 0${k}:00:00${zone},100,102,99,101,3`;
    const at = async (zone: string): Promise<readonly string[]> => {
      const { assumed } = await imported({ 'a.csv': `date,open,high,low,close,volume\n${rows(5, (k) => bar(k, zone))}\n` });
      rmSync(join(folder, 'tape'), { recursive: true });
      return assumed.filter((one) => one.includes('zone'));
    };
    expect(await at('')).toEqual(['a.csv: the times have no zone and are taken as UTC; --time-zone says another.']);
    for (const zone of ['Z', ' UTC', '+00:00', '-0500']) expect(await at(zone), zone).toEqual([]);
  });
});

describe('freqtrade', () => {
  const bars = (count: number, row: (k: number) => readonly number[], step = 8): string =>
    JSON.stringify(Array.from({ length: count }, (_, k) => [(T + k * step * HOUR) * 1000, ...row(k)]));
  const market = bars(48, (k) => [100 + k, 102 + k, 99 + k, 101 + k, 5], 1);
  const mark = bars(6, (k) => [100.5 + k, 102 + k, 99 + k, 101 + k, 0]);
  const funding = bars(6, (k) => [k % 2 === 0 ? 0.0001 : -0.0002, 0, 0, 0, 0]);

  test('keeps mark prices and funding rates beside the market, never in it', async () => {
    const summary = await imported({
      'BTC_USDT_USDT-1h-futures.json': market,
      'BTC_USDT_USDT-8h-mark.json': mark,
      'BTC_USDT_USDT-8h-funding_rate.json': funding,
    });
    expect(kinds(summary)).toEqual([
      ['BTCUSDT', 'bars', 48],
      ['BTCUSDT', 'marks', 6],
      ['BTCUSDT', 'funding', 6],
    ]);
    expect(summary.dropped).toEqual({});
  });

  test('a file whose rows are not what its name says is refused', async () => {
    await expect(imported({ 'BTC_USDT_USDT-8h-mark.json': market })).rejects.toThrow(
      /mark prices, which have no volume.*found a volume of 5/,
    );
    await expect(imported({ 'BTC_USDT_USDT-8h-funding_rate.json': mark })).rejects.toThrow(/funding rates.*found a rate of 100.5/);
  });
});

test('contracts of Deribit that are settled in the coin are inverse, as Tardis names them', () => {
  for (const symbol of ['BTC-PERPETUAL', 'ETH-27DEC24', 'BTC-27DEC24-50000-C'])
    expect(isInverseSymbol(symbol, 'deribit'), symbol).toBe(true);
  for (const symbol of ['SOL_USDC-PERPETUAL', 'BTC_USDT-PERPETUAL', 'BTC_USDC'])
    expect(isInverseSymbol(symbol, 'deribit'), symbol).toBe(false);
});
