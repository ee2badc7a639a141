/** Dates, zones and numbers as vendors of charts write them: MetaTrader, HistData, Dukascopy, Stooq and spreadsheets. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { importFiles, type ImportOptions, type ImportSummary } from '../../../../src/tape/import/import.ts';
import { previewFiles } from '../../../../src/tape/import/preview.ts';
import { readManifest } from '../../../../src/tape/read.ts';
import { streamsOf } from '../../../../src/tape/streams-of.ts';
import { plainRows } from '../../../support/tape/plain-rows.ts';
import { zipOf } from '../../../support/tape/zip.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tickwright-dates-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const lines = (...all: string[]): string => `${all.join('\n')}\n`;

interface Imported {
  readonly summary: ImportSummary;
  /** Of the only stream: its times, and its values. */
  readonly times: readonly string[];
  readonly values: readonly (readonly number[])[];
  readonly symbol: string;
}

async function imported(name: string, text: string | Buffer, options: ImportOptions = {}): Promise<Imported> {
  writeFileSync(join(folder, name), text);
  const summary = await importFiles([join(folder, name)], join(folder, 'tape'), { ...options, overwrite: true });
  const [stream] = summary.manifest.streams;
  const tape = join(folder, 'tape');
  const rows = streamsOf(tape, readManifest(tape), () => true, true).flatMap((one) => plainRows(one)) as (readonly number[])[];
  const times = rows.map(([time]) => new Date(time!).toISOString().replace(':00.000Z', ''));
  return { summary, times, values: rows.map((row) => row.slice(1)), symbol: stream!.symbol };
}

async function refusal(name: string, text: string, options: ImportOptions = {}): Promise<{ what: string; where: string; hint?: string }> {
  try {
    await imported(name, text, options);
  } catch (error) {
    return (error as { problems: { what: string; where: string; hint?: string }[] }).problems[0]!;
  }
  throw new Error('a refusal was expected');
}

/** Bars whose times are as given, in a file with a header. */
const barsAt = (...times: string[]): string =>
  lines('date,open,high,low,close,volume', ...times.map((time, k) => `${time},${100 + k},${102 + k},${99 + k},${101 + k},3`));

describe('files as their vendors publish them', () => {
  test('MetaTrader 4: date and time in two columns, no header, no volume in lots', async () => {
    const text = lines('2024.01.02,00:00,1.10427,1.10450,1.10400,1.10432,123', '2024.01.02,00:01,1.10432,1.10440,1.10420,1.10425,87');
    const { summary, times, values, symbol } = await imported('EURUSD1.csv', text);
    expect(summary.files[0]!.format).toBe('metatrader4-bars');
    expect(symbol).toBe('EURUSD');
    expect(times).toEqual(['2024-01-02T00:00', '2024-01-02T00:01']);
    expect(values[1]).toEqual([1.10432, 1.1044, 1.1042, 1.10425, 0]);
    expect(summary.assumed).toEqual([
      'EURUSD1.csv: the symbol EURUSD is a guess from the name of the file; --symbol says another.',
      'EURUSD1.csv: the times have no zone and are taken as UTC; --time-zone says another. MetaTrader writes the time of the server of the broker.',
      'EURUSD1.csv: there is no volume: orders on these bars fill by price alone. Columns that are not read: tick_volume.',
    ]);
  });

  test('MetaTrader 5: tabs, names in angle brackets; its volume is the real one, which is 0 where the venue has none', async () => {
    const text = lines(
      '<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>',
      '2024.01.02\t00:00:00\t1.10427\t1.10450\t1.10400\t1.10432\t123\t0\t5',
      '2024.01.02\t01:00:00\t1.10432\t1.10440\t1.10420\t1.10425\t87\t0\t5',
    );
    const { summary, times, symbol } = await imported('EURUSD_H1_202401020000_202401312300.csv', text);
    expect(summary.files[0]!.format).toBe('metatrader5-bars');
    expect(symbol).toBe('EURUSD');
    expect(times).toEqual(['2024-01-02T00:00', '2024-01-02T01:00']);
    expect(summary.assumed.at(-1)).toContain('there is no volume');
    const real = await imported('PETR4_H1_202401020000.csv', text.replaceAll('\t0\t', '\t55\t'));
    expect(real.values.map((row) => row[4])).toEqual([55, 55]);
    expect(real.summary.assumed.join()).not.toContain('volume');
  });

  test('MetaTrader 5 by day has no column of the time', async () => {
    const text = lines(
      '<DATE>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>',
      '2024.01.02\t1.1\t1.2\t1.0\t1.15\t123\t0\t5',
      '2024.01.03\t1.15\t1.2\t1.1\t1.15\t123\t0\t5',
    );
    const { summary, times } = await imported('EURUSD_Daily_202401020000_202401310000.csv', text);
    expect(times).toEqual(['2024-01-02T00:00', '2024-01-03T00:00']);
    expect(summary.manifest.streams[0]).toMatchObject({ symbol: 'EURUSD', barMs: 86_400_000 });
  });

  test('HistData is EST without daylight saving, in summer as in winter, and that is said', async () => {
    const text = lines('20240102 170000;1.104270;1.104290;1.104250;1.104290;0', '20240702 170000;1.104290;1.104310;1.104280;1.104300;0');
    const { summary, times, symbol } = await imported('DAT_ASCII_EURUSD_M1_2024.csv', text, { barMs: 60_000 });
    expect(summary.files[0]!.format).toBe('histdata-bars');
    expect(symbol).toBe('EURUSD');
    expect(times).toEqual(['2024-01-02T22:00', '2024-07-02T22:00']);
    expect(summary.assumed[1]).toBe(
      'DAT_ASCII_EURUSD_M1_2024.csv: the times are taken as UTC−05:00 in every season, as HistData writes them; --time-zone says another.',
    );
    const metatrader = await imported('DAT_MT_EURUSD_M1_2024.csv', '2024.07.02,17:00,1.1,1.2,1.0,1.1,0\n', { barMs: 60_000 });
    expect(metatrader.times).toEqual(['2024-07-02T22:00']);
  });

  test('Dukascopy: DD.MM.YYYY, whose column or cells say the zone', async () => {
    const rows = (zone: string): string[] => [
      `02.01.2024 00:00:00.000${zone},1.1,1.2,1.0,1.15,123.4`,
      `02.01.2024 00:01:00.000${zone},1.15,1.2,1.1,1.15,12.5`,
    ];
    const gmt = await imported('EURUSD_Candlestick_1_M_BID.csv', lines('Gmt time,Open,High,Low,Close,Volume', ...rows('')));
    expect(gmt.times).toEqual(['2024-01-02T00:00', '2024-01-02T00:01']);
    expect(gmt.summary.assumed.join()).not.toContain('zone');
    const local = lines('Local time,Open,High,Low,Close,Volume', ...rows(' GMT+0100'));
    expect((await imported('EURUSD_Candlestick_1_M_BID.csv', local)).times).toEqual(['2024-01-01T23:00', '2024-01-01T23:01']);
  });

  test('Stooq and Finam: YYYYMMDD and HHMMSS in two columns', async () => {
    const text = lines(
      '<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>',
      'BTCUSD,60,20240102,000000,42000.5,42100,41900,42050,12,0',
      'BTCUSD,60,20240102,010000,42050,42100,41900,42000,10,0',
    );
    const { times, symbol } = await imported('data.txt', text);
    expect([symbol, times]).toEqual(['BTCUSD', ['2024-01-02T00:00', '2024-01-02T01:00']]);
  });

  test.each([
    ['YYYYMMDD', ['20240102', '20240103']],
    ['YYYYMMDDHHMM', ['202401020000', '202401030000']],
    ['YYYY/MM/DD', ['2024/01/02', '2024/01/03 0:00']],
    ['MM/DD/YYYY', ['1/2/2024', '1/3/2024', '1/13/2024']],
    ['MM/DD/YYYY with AM and PM', ['01/02/2024 12:00 AM', '01/03/2024 12:00 AM', '01/13/2024 12:00 AM']],
    ['DD/MM/YYYY', ['02/01/2024', '03/01/2024', '13/01/2024 00:00:00']],
    ['DD-MM-YYYY', ['02-01-2024', '03-01-2024', '13-01-2024 00:00']],
    ['DD.MM.YYYY', ['02.01.2024', '03.01.2024']],
    ['DD.MM.YY', ['02.01.24', '03.01.24']],
    ['ISO 8601 with a short offset', ['2024-01-02 00:00:00+00', '2024-01-03T00:00Z']],
  ])('%s', async (_, dates) => {
    const { times } = await imported('BTCUSD.csv', barsAt(...dates), { barMs: 86_400_000 });
    expect(times.slice(0, 2)).toEqual(['2024-01-02T00:00', '2024-01-03T00:00']);
    expect(times.slice(2)).toEqual(dates.length > 2 ? ['2024-01-13T00:00'] : []);
  });

  test('an archive of HistData has a status report beside the CSV, which is no recording', async () => {
    const csv = '20240102 170000;1.104270;1.104290;1.104250;1.104290;0\n20240102 170100;1.104290;1.104310;1.104280;1.104300;0\n';
    const zip = zipOf({
      'DAT_ASCII_EURUSD_M1_202401.txt': 'HistData.com (c) 2011\nStatus Report\n',
      'DAT_ASCII_EURUSD_M1_202401.csv': csv,
    });
    const { times } = await imported('HISTDATA_COM_ASCII_EURUSD_M1_202401.zip', zip);
    expect(times).toEqual(['2024-01-02T22:00', '2024-01-02T22:01']);
  });
});

describe('day and month', () => {
  const minutes = Array.from(
    { length: 500 },
    (_, k) => `01/02/2024 ${String(Math.floor(k / 60)).padStart(2, '0')}:${String(k % 60).padStart(2, '0')}`,
  );

  test('that the file does not decide are refused with the choices', async () => {
    expect(await refusal('BTCUSD.csv', barsAt(...minutes))).toEqual({
      what: 'date: dates that tell day and month apart were expected, found only such as "01/02/2024 00:00", which is DD/MM/YYYY and MM/DD/YYYY',
      where: `${join(folder, 'BTCUSD.csv')}:2`,
      hint: 'say which: --time-format DD/MM/YYYY or --time-format MM/DD/YYYY',
    });
    const day = async (timeFormat: ImportOptions['timeFormat']): Promise<string> =>
      (await imported('BTCUSD.csv', barsAt(...minutes), { timeFormat })).times[0]!;
    expect(await day('DD/MM/YYYY')).toBe('2024-02-01T00:00');
    expect(await day('MM/DD/YYYY')).toBe('2024-01-02T00:00');
  });

  test.each([
    ['13/02/2024 00:00', '2024-02-01T00:00'],
    ['02/13/2024 00:00', '2024-01-02T00:00'],
  ])('are told apart by %s far below the first rows, also in a packed file', async (late, first) => {
    const text = barsAt(...minutes, late);
    expect((await imported('BTCUSD.csv', text, { barMs: 60_000 })).times[0]).toBe(first);
    expect((await imported('BTCUSD.csv.gz', gzipSync(text), { barMs: 60_000 })).times[0]).toBe(first);
  });
});

describe('a time that cannot be read', () => {
  test.each([
    ['2024-01-01 00:00', '2024-13-01 00:01'],
    ['2024-02-28 23:59', '2024-02-30 00:00'],
    ['28.02.2023', '29.02.2023'],
    ['20240101', '20241301'],
    ['2024-01-01 00:00', '1704067260'],
    ['2024-01-01 00:00', '2024-01-01 25:00'],
  ])('after %s: %s is named with file, line, cell and the form of the file', async (good, bad) => {
    const { what, where, hint } = await refusal('BTCUSD.csv', barsAt(good, bad));
    expect(what).toMatch(new RegExp(`^date: a date in the form .* was expected, found "${bad.replaceAll('.', '\\.')}"$`));
    expect(where).toMatch(/BTCUSD\.csv:3(:1)?$/);
    expect(hint).toContain('--time-format');
  });

  test('a form that is not known is named with the accepted ones, not as too few rows', async () => {
    const { what, where } = await refusal('BTCUSD.csv', barsAt('"Jan 2, 2024"', '"Jan 3, 2024"'));
    expect(what).toBe(
      'date: a time was expected (seconds, milliseconds, microseconds or nanoseconds since 1970, or a date in the form YYYY-MM-DD, DD/MM/YYYY, MM/DD/YYYY, DD/MM/YY, MM/DD/YY or YYYYMMDD), found "Jan 2, 2024"',
    );
    expect(where).toMatch(/BTCUSD\.csv:2$/);
  });

  test('deep in the file it is found with its line', async () => {
    const many = Array.from({ length: 600 }, (_, k) => new Date(Date.UTC(2024, 0, 1, 0, k)).toISOString().slice(0, 16));
    const { what, where } = await refusal('BTCUSD.csv', barsAt(...many.slice(0, 550), '2024-01-01T99:00'));
    expect(where).toMatch(/BTCUSD\.csv:552:1$/);
    expect(what).toContain('found "2024-01-01T99:00"');
  });
});

describe('--time-zone', () => {
  const at = async (zone: string, ...times: string[]): Promise<readonly string[]> =>
    (await imported('BTCUSD.csv', barsAt(...times), { timeZone: zone, barMs: 1_800_000 })).times;

  test('is an offset or a zone with daylight saving', async () => {
    expect(await at('+02:00', '2024-07-01 12:00')).toEqual(['2024-07-01T10:00']);
    expect(await at('Europe/Athens', '2024-01-02 12:00', '2024-07-02 12:00')).toEqual(['2024-01-02T10:00', '2024-07-02T09:00']);
    expect(await at('UTC', '2024-07-01 12:00')).toEqual(['2024-07-01T12:00']);
  });

  test('the hour that comes twice in autumn is an hour and then another', async () => {
    const local = ['00:30', '01:00', '01:30', '01:00', '01:30', '02:00'].map((time) => `2024-11-03 ${time}`);
    const utc = ['04:30', '05:00', '05:30', '06:00', '06:30', '07:00'].map((time) => `2024-11-03T${time}`);
    expect(await at('America/New_York', ...local)).toEqual(utc);
    expect(await at('America/New_York', ...local.toReversed())).toEqual(utc);
  });

  test('a zone in the cell stands; a zone that does not exist is refused, and one for times that count since 1970', async () => {
    expect(await at('Europe/Athens', '2024-07-01T12:00Z')).toEqual(['2024-07-01T12:00']);
    expect(await refusal('BTCUSD.csv', barsAt('2024-07-01 12:00'), { timeZone: 'Athens' })).toMatchObject({
      what: 'a time zone was expected, found "Athens"',
      where: '--time-zone',
      hint: 'a name such as Europe/Athens, an offset such as +02:00, or UTC',
    });
    expect(await refusal('BTCUSD.csv', barsAt('1704067200', '1704067260'), { timeZone: '+02:00' })).toMatchObject({
      what: 'date: dates without a zone were expected, found "1704067200", which counts since 1970 in UTC',
    });
  });

  test('the preview says form and zone', async () => {
    writeFileSync(join(folder, 'BTCUSD.csv'), barsAt('13/01/2024 00:00', '13/01/2024 00:01'));
    const [preview] = await previewFiles([join(folder, 'BTCUSD.csv')], { timeZone: '-03:00' });
    expect(preview).toMatchObject({ timeUnit: 'date', timeFormat: 'DD/MM/YYYY', timeZone: '-03:00' });
    expect(preview!.rows[0]![0]).toBe('2024-01-13T03:00:00.000Z');
  });
});

describe('numbers', () => {
  test('decimal commas between semicolons, tabs or quotes', async () => {
    const rows = [
      ['02.01.2024 00:00', '1,10427', '1,1045', '1,104', '1,10432', '1250,5'],
      ['02.01.2024 00:01', '1,10432', '1,1044', '1,1042', '1,10425', '3'],
    ];
    const expected = [
      [1.10427, 1.1045, 1.104, 1.10432, 1250.5],
      [1.10432, 1.1044, 1.1042, 1.10425, 3],
    ];
    const header = ['Date', 'Open', 'High', 'Low', 'Close', 'Volume'];
    const quoted = (row: string[]): string => row.map((cell) => (cell.includes(',') ? `"${cell}"` : cell)).join(',');
    const files = [
      lines(header.join(';'), ...rows.map((row) => row.join(';'))),
      lines(...rows.map((row) => row.join(';'))),
      lines(header.join('\t'), ...rows.map((row) => row.join('\t'))),
      lines(header.join(','), ...rows.map(quoted)),
    ];
    for (const text of files) expect((await imported('EURUSD.csv', text)).values, text).toEqual(expected);
  });

  test('commas that may be between thousands are refused', async () => {
    const text = lines(
      'date;open;high;low;close;volume',
      '2024-01-01 00:00;42,100;42,200;42,000;42,150;3',
      '2024-01-01 00:01;42,100;42,200;42,000;42,150;3',
    );
    expect((await refusal('BTCUSD.csv', text)).what).toContain('without thousands separators');
  });

  test.each(['NaN', 'nan', 'null', 'NULL', 'None', 'N/A', 'n/a', 'NA', '<NA>'])(
    'a cell of %s has no value: its row is left out, and counted',
    async (cell) => {
      const text = barsAt('2024-01-01', '2024-01-02', '2024-01-03').replace('101,103,100,102,3', `101,${cell},100,102,3`);
      const { summary, times } = await imported('BTCUSD.csv', text);
      expect(times).toEqual(['2024-01-01T00:00', '2024-01-03T00:00']);
      expect(summary.dropped).toEqual({ 'empty-cell': 1 });
    },
  );

  test.each([
    ['0.30000000000000004', 0.3],
    ['8.100000000000001', 8.1],
    ['2.9999999999999996', 3],
    ['1234.5600000000002', 1234.56],
  ])('noise of floating point in %s is rounded, and that is said', async (written, value) => {
    const text = barsAt('2024-01-01', '2024-01-02').replace('101,103,100,102,3', `101,103,100,102,${written}`);
    const { summary, values } = await imported('BTCUSD.csv', text);
    expect(values[1]![4]).toBe(value);
    expect(summary.files[0]!.numbersRounded).toBe(1);
    expect(summary.assumed.at(-1)).toBe(
      'BTCUSD.csv: a number with rounding errors of floating point, such as 0.30000000000000004, was rounded to 15 digits.',
    );
    expect(summary.manifest.symbols[0]!.sizeDecimals).toBeLessThan(3);
  });

  test('a number of 16 digits that are no noise is kept as it is', async () => {
    const text = barsAt('2024-01-01', '2024-01-02').replace('101,103,100,102,3', '101,103,100,102,12345678.12345678');
    const { summary, values } = await imported('BTCUSD.csv', text);
    expect(values[1]![4]).toBe(12345678.12345678);
    expect(summary.files[0]!.numbersRounded).toBe(0);
  });

  test.each(['', 'null', 'NaN'])('trades whose id is "%s" overlap by their time, as those without an id', async (id) => {
    const file = (name: string, ...trades: string[]): string => {
      writeFileSync(join(folder, name), lines('id,timestamp,price,amount,side', ...trades));
      return join(folder, name);
    };
    const one = file('BTCUSDT-1.csv', '7,1704067200000,100,1,buy', `${id},1704067201000,101,2,sell`, `${id},1704067202000,102,3,buy`);
    const two = file('BTCUSDT-2.csv', '7,1704067200000,100,1,buy', `${id},1704067202000,102,3,buy`, `${id},1704067203000,103,4,sell`);
    const { dropped, manifest } = await importFiles([one, two], join(folder, 'tape'), { symbol: 'BTCUSDT' });
    expect(dropped).toEqual({ 'duplicate-id': 1, overlap: 1 });
    expect(manifest.streams[0]!.rows).toBe(4);
  });
});
