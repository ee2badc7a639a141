/** `tape fetch`: what is asked for, joined, resumed, and refused, against a server with the layout of the vendors. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../../../src/base/failure/failure.ts';
import { ARCHIVE_SOURCES } from '../../../../src/tape/fetch/sources.ts';
import { importFiles } from '../../../../src/tape/import/import.ts';
import { klinePath } from '../../../support/tape/archive-server.ts';
import { SAMPLES } from '../../../support/tape/format-samples.ts';
import { zipOf } from '../../../support/tape/zip.ts';
import { failureOf, fetchKit } from './fetch-kit.ts';

const kit = fetchKit();
const CALL = 'binance-vision BTCUSDT 1h';
const paths = (): string[] => kit.server.requests.map((line) => line.replace('GET ', '').replace(/^.*\/BTCUSDT-1h-/, ''));
const hoursOf = (): number[] => kit.rows()['BTCUSDT bars']!.map(([time]) => Number(time) / 3_600_000);
/** True if each hour is there once and in order. */
const isGrid = (hours: readonly number[]): boolean => hours.every((hour, k) => k === 0 || hour === hours[k - 1]! + 1);

describe('what is asked for', () => {
  test('whole months come as monthly archives, other days one by one, and nothing else is requested', async () => {
    for (const date of ['2024-01', '2024-02-01', '2024-02-02']) kit.publish(date);
    const summary = await kit.fetch(`${CALL} 2024-01..2024-02-02`);
    expect(paths().toSorted()).toEqual(
      ['2024-01.zip', '2024-02-01.zip', '2024-02-02.zip'].flatMap((name) => [name, `${name}.CHECKSUM`]).toSorted(),
    );
    expect(summary).toMatchObject({ archives: 3, unsummed: 0, missing: [], rows: 33 * 24, from: '2024-01-01', to: '2024-02-02' });
    expect(hoursOf()).toHaveLength(33 * 24);
    expect(isGrid(hoursOf())).toBe(true);
    expect(kit.manifest().fetched).toEqual([
      { source: 'binance-vision', market: 'futures', symbol: 'BTCUSDT', kind: '1h', days: [['2024-01-01', '2024-02-02']], missing: [] },
    ]);
    expect(readdirSync(kit.folder)).toEqual(['tape']);
  });

  test('a month that is not published yet comes as its days', async () => {
    kit.publish('2024-02-28');
    kit.publish('2024-02-29');
    const summary = await kit.fetch(`${CALL} 2024-02`);
    expect(summary).toMatchObject({ archives: 2, missing: ['2024-02-01..2024-02-27'], rows: 48 });
    expect(kit.manifest().fetched![0]!.missing).toEqual([['2024-02-01', '2024-02-27']]);
  });

  test('the end is cut to the last day that is over', async () => {
    kit.publish('2024-03-03');
    kit.publish('2024-03-04');
    await kit.fetch(`${CALL} 2024-03-03..2024-03`);
    expect(paths().toSorted()).toEqual(['2024-03-03.zip', '2024-03-03.zip.CHECKSUM', '2024-03-04.zip', '2024-03-04.zip.CHECKSUM']);
  });

  const rows = ARCHIVE_SOURCES.flatMap((source) =>
    source.kinds.map((row) => [`${source.name} ${row.market} ${row.kind}`, source, row] as const),
  );
  const FORMATS: Readonly<Record<string, string>> = {
    'binance-vision futures bars': 'binance-klines',
    'binance-vision spot bars': 'binance-klines',
    'binance-vision futures trades': 'binance-usdm-trades',
    'binance-vision spot trades': 'binance-spot-trades',
    'binance-vision futures aggTrades': 'binance-usdm-aggTrades',
    'binance-vision spot aggTrades': 'binance-spot-aggTrades',
    'binance-vision futures bookTicker': 'binance-bookTicker',
    'binance-vision futures fundingRate': 'binance-fundingRate',
    'binance-vision futures markPriceKlines': 'binance-markPriceKlines',
    'bybit futures trades': 'bybit-trades',
    'bybit spot trades': 'bybit-spot-trades',
    'okx futures trades': 'okx-trades',
    'okx spot trades': 'okx-trades',
    'okx futures bars': 'okx-candlesticks',
    'okx spot bars': 'okx-candlesticks',
  };

  const OKX_BARS = `instrument_name,open,high,low,close,vol,vol_ccy,vol_quote,open_time,confirm
BTC-USDT,42800,42810.5,42799,42805,3.5,149800,149800,1735689600000,1
BTC-USDT,42805,42806,42800,42801,1.25,53500,53500,1735689660000,1
`;

  test.each(rows)('%s: a file as the vendor publishes it is found and imported', async (name, source, row) => {
    const { example } = source.symbol[row.market];
    const sample = SAMPLES.find(({ format, text }) => format === FORMATS[name] && typeof text === 'string')?.text ?? OKX_BARS;
    // The sample of a swap is the one of a spot market with another name.
    const text = String(sample).replaceAll(/[A-Z]+-USDT(-SWAP)?/g, example);
    const period = row.paths.monthly === undefined ? 'daily' : 'monthly';
    const timeframe = row.kind === 'bars' ? row.timeframes!.find((one) => one === '1m')! : row.timeframes?.[0];
    const words: Record<string, string> = {
      symbol: example,
      timeframe: timeframe ?? '',
      month: '2025-01',
      day: '2025-01-01',
      yyyymm: '202501',
      yyyymmdd: '20250101',
    };
    const path = row.paths[period]!.replaceAll(/\{(\w+)\}/g, (_, word: string) => words[word]!);
    const packed = path.endsWith('.gz') ? gzipSync(text) : zipOf({ [path.split('/').at(-1)!.replace('.zip', '.csv')]: text });
    if (source.sums.kind === 'none') kit.server.files.set(path, packed);
    else kit.server.add(path, packed);
    const word = row.kind === 'bars' ? timeframe! : row.kind;
    const range = period === 'monthly' ? '2025-01' : '2025-01-01';
    const summary = await kit.fetch(`${source.name} ${example} ${word} ${range}`, {
      market: row.market,
      now: () => Date.UTC(2026, 0),
      contractSize: example.endsWith('SWAP') ? '0.01' : undefined,
    });
    expect(summary).toMatchObject({ archives: 1, unsummed: source.sums.kind === 'none' ? 1 : 0 });
    expect(summary.imported!.assumed.filter((one) => one.includes('guess'))).toEqual([]);
    expect(Object.keys(kit.rows())).toEqual([`BTCUSDT ${row.tape}`]);
  });
});

describe('the same command again', () => {
  test('asks for nothing that the tape has', async () => {
    kit.publish('2024-01');
    await kit.fetch(`${CALL} 2024-01`);
    const [before, text] = [kit.server.requests.length, kit.tapeText()];
    const summary = await kit.fetch(`${CALL} 2024-01`);
    expect(kit.server.requests).toHaveLength(before);
    expect(summary).toMatchObject({ daysBefore: 31, archives: 0, imported: null, rows: 31 * 24 });
    expect(kit.tapeText()).toBe(text);
    expect(existsSync(`${kit.tape}.fetch`)).toBe(false);
  });

  test('brings earlier, later and missing days to their places', async () => {
    for (const date of ['2024-01-10', '2024-01-12']) kit.publish(date);
    expect((await kit.fetch(`${CALL} 2024-01-10..2024-01-12`)).missing).toEqual(['2024-01-11']);
    for (const date of ['2024-01-09', '2024-01-11', '2024-01-13']) kit.publish(date);
    kit.server.requests.length = 0;
    const summary = await kit.fetch(`${CALL} 2024-01-09..2024-01-13`);
    expect(
      paths()
        .filter((path) => path.endsWith('.zip'))
        .toSorted(),
    ).toEqual(['2024-01-09.zip', '2024-01-11.zip', '2024-01-13.zip']);
    expect(summary).toMatchObject({ daysBefore: 2, archives: 3, missing: [], rows: 5 * 24 });
    expect(isGrid(hoursOf())).toBe(true);
    expect(kit.manifest().fetched![0]).toMatchObject({ days: [['2024-01-09', '2024-01-13']], missing: [] });
    expect(kit.manifest().streams[0]!.gaps.count).toBe(0);
    expect(kit.manifest().quality![0]).toMatchObject({ barsMissing: 0, gridRows: 5 * 24 });
  });

  test('of a month that is there in part fetches the days that are not', async () => {
    for (const date of ['2024-01', '2024-01-30', '2024-01-31']) kit.publish(date);
    await kit.fetch(`${CALL} 2024-01-30..2024-01-31`);
    kit.server.requests.length = 0;
    await kit.fetch(`${CALL} 2024-01`);
    expect(paths()).not.toContain('2024-01.zip');
    expect(paths()).not.toContain('2024-01-30.zip');
  });

  test('after the tape was removed fetches all of it', async () => {
    kit.publish('2024-01');
    await kit.fetch(`${CALL} 2024-01`);
    renameSync(kit.tape, join(kit.folder, 'elsewhere'));
    expect(await kit.fetch(`${CALL} 2024-01`)).toMatchObject({ daysBefore: 0, archives: 1 });
  });

  test('--keep leaves the archives, and they are not downloaded again', async () => {
    kit.publish('2024-01');
    await kit.fetch(`${CALL} 2024-01`, { keep: true });
    renameSync(kit.tape, join(kit.folder, 'elsewhere'));
    kit.server.requests.length = 0;
    expect(await kit.fetch(`${CALL} 2024-01`)).toMatchObject({ archives: 1, bytes: 0, rows: 31 * 24 });
    expect(kit.server.requests).toEqual([]);
  });
});

describe('rows that the tape has from elsewhere', () => {
  const trades = (rows: readonly string[]): string =>
    ['id,price,qty,quote_qty,time,is_buyer_maker', ...rows].map((row) => `${row}\n`).join('');
  const T = Date.UTC(2024, 0, 5);
  const path = '/data/futures/um/daily/trades/BTCUSDT/BTCUSDT-trades-2024-01-05.zip';

  test('trades are told apart by their ids, also in one millisecond and at other decimals', async () => {
    const file = join(kit.folder, 'BTCUSDT-trades-mine.csv');
    writeFileSync(file, trades([`7,42000,1,42000,${T + 5},true`, `8,42000,1,42000,${T + 5},true`, `11,42001,2,84002,${T + 9},false`]));
    await importFiles([file], kit.tape);
    const text = trades([
      `7,42000.0,1,42000,${T + 5},true`,
      `8,42000.0,1,42000,${T + 5},true`,
      `9,42000.0,1,42000,${T + 5},true`,
      `10,42000.5,1.5,63000.75,${T + 6},false`,
      `11,42001.0,2,84002,${T + 9},false`,
      `12,42001.0,2,84002,${T + 9},false`,
    ]);
    kit.server.add(path, zipOf({ 'BTCUSDT-trades-2024-01-05.csv': text }));
    await kit.fetch('binance-vision BTCUSDT trades 2024-01-05');
    expect(kit.rows()['BTCUSDT trades']).toEqual([
      [T + 5, 7, 42000, 1, 'SELL'],
      [T + 5, 8, 42000, 1, 'SELL'],
      [T + 5, 9, 42000, 1, 'SELL'],
      [T + 6, 10, 42000.5, 1.5, 'BUY'],
      [T + 9, 11, 42001, 2, 'BUY'],
      [T + 9, 12, 42001, 2, 'BUY'],
    ]);
  });

  test('trades without ids of the vendor are numbered through', async () => {
    const header = 'timestamp,symbol,side,size,price,tickDirection,trdMatchID,grossValue,homeNotional,foreignNotional';
    const row = (ms: number, size: number): string =>
      `${(T + ms) / 1000},BTCUSDT,Buy,${size},42000,PlusTick,a-${ms}-${size},1,${size},${size * 42000}`;
    for (const [day, at] of [
      ['06', 86_400_000],
      ['05', 0],
    ] as const) {
      const rows = [row(at + 10, 1), row(at + 10, 1), row(at + 20, 2)];
      kit.server.files.set(`/trading/BTCUSDT/BTCUSDT2024-01-${day}.csv.gz`, gzipSync(`${[header, ...rows].join('\n')}\n`));
      await kit.fetch(`bybit BTCUSDT trades 2024-01-${day}`);
    }
    expect(kit.rows()['BTCUSDT trades']!.map(([time, id, , size]) => [Number(time) - T, id, size])).toEqual([
      [10, 0, 1],
      [10, 1, 1],
      [20, 2, 2],
      [86_400_010, 3, 1],
      [86_400_010, 4, 1],
      [86_400_020, 5, 2],
    ]);
  });

  test('bars and funding rates of the same time are taken once', async () => {
    kit.publish('2024-01-05');
    const file = join(kit.folder, 'mine.csv');
    writeFileSync(file, `symbol,ts,open,high,low,close,volume\nBTCUSDT,${T + 3_600_000},1,2,1,2,3\nBTCUSDT,${T + 86_400_000},1,2,1,2,3\n`);
    await importFiles([file], kit.tape, { barMs: 3_600_000 });
    await kit.fetch(`${CALL} 2024-01-05`);
    expect(hoursOf()).toHaveLength(25);
    expect(isGrid(hoursOf())).toBe(true);
    expect(kit.rows()['BTCUSDT bars']![1]).toEqual([T + 3_600_000, 1, 2, 1, 2, 3]);
  });

  test('other symbols stay, and a second kind of the same market is put beside the first', async () => {
    kit.publish('2024-01-05');
    kit.publish('2024-01-05', 'ETHUSDT');
    await kit.fetch(`${CALL} 2024-01-05`);
    await kit.fetch('binance-vision ETHUSDT 1h 2024-01-05');
    const funding = `/data/futures/um/monthly/fundingRate/BTCUSDT/BTCUSDT-fundingRate-2024-01.zip`;
    const text = `calc_time,funding_interval_hours,last_funding_rate\n${T},8,0.0001\n`;
    kit.server.add(funding, zipOf({ 'BTCUSDT-fundingRate-2024-01.csv': text }));
    await kit.fetch('binance-vision BTCUSDT fundingRate 2024-01-05');
    expect(Object.entries(kit.rows()).map(([name, rows]) => [name, rows.length])).toEqual([
      ['BTCUSDT bars', 24],
      ['BTCUSDT funding', 1],
      ['ETHUSDT bars', 24],
    ]);
    // There are only whole months of funding rates.
    expect(kit.manifest().fetched!.map(({ kind, days }) => [kind, days])).toContainEqual(['fundingRate', [['2024-01-01', '2024-01-31']]]);
  });

  test('another market, another length of bars, aggregated beside single trades, and a recording are refused before a download', async () => {
    kit.publish('2024-01-05');
    await kit.fetch(`${CALL} 2024-01-05`);
    kit.server.requests.length = 0;
    const before = kit.tapeText();
    expect(await failureOf(kit.fetch(`${CALL} 2024-01-05`, { market: 'spot' }))).toMatch(
      /^tape-unsupported: .* found 1h of binance-vision futures \| name another/,
    );
    expect(await failureOf(kit.fetch('bybit BTCUSDT trades 2024-01-05'))).toMatch(/^tape-unsupported/);
    expect(await failureOf(kit.fetch('binance-vision BTCUSDT 5m 2024-01-05'))).toMatch(/^tape-unsupported/);
    expect(kit.server.requests).toEqual([]);
    expect(kit.tapeText()).toBe(before);
    expect(readdirSync(kit.folder)).toEqual(['tape']);
  });
});

describe('files that are not as published', () => {
  test('a wrong sum is downloaded once more', async () => {
    const path = kit.publish('2024-01');
    kit.server.faults.set(path, [{ instead: Buffer.from('something else') }]);
    expect(await kit.fetch(`${CALL} 2024-01`)).toMatchObject({ archives: 1, rows: 31 * 24 });
    expect(kit.server.requests.filter((line) => line.endsWith('2024-01.zip'))).toHaveLength(2);
  });

  test('wrong twice: an error, nothing imported, and the whole archives stay for the next time', async () => {
    kit.publish('2024-01');
    const path = kit.publish('2024-02');
    const right = kit.server.files.get(path)!;
    kit.server.files.set(path, Buffer.concat([right, Buffer.from('x')]));
    expect(await failureOf(kit.fetch(`${CALL} 2024-01..2024-02`))).toMatch(
      /^fetch-checksum: http:.*BTCUSDT-1h-2024-02\.zip \| expected the SHA-256 [0-9a-f]{64}, found [0-9a-f]{64} \| it was downloaded twice; nothing was imported$/,
    );
    expect(kit.server.requests.filter((line) => line.endsWith('2024-02.zip'))).toHaveLength(2);
    expect(existsSync(kit.tape)).toBe(false);
    kit.server.files.set(path, right);
    kit.server.requests.length = 0;
    expect(await kit.fetch(`${CALL} 2024-01..2024-02`)).toMatchObject({ archives: 2, rows: 60 * 24 });
    expect(paths().filter((one) => one === '2024-01.zip')).toEqual([]);
  });

  test('without a published sum the one in the packed file counts', async () => {
    const path = '/trading/BTCUSDT/BTCUSDT2024-01-05.csv.gz';
    const whole = gzipSync('x'.repeat(1000));
    kit.server.files.set(path, whole.subarray(0, whole.length - 4));
    expect(await failureOf(kit.fetch('bybit BTCUSDT trades 2024-01-05'))).toMatch(/^fetch-checksum: .* expected a whole packed file/);
    kit.server.files.set(path, Buffer.from('<html>please log in</html>'));
    expect(await failureOf(kit.fetch('bybit BTCUSDT trades 2024-01-05'))).toMatch(
      /^fetch-checksum: .* expected a packed file, found another/,
    );
  });

  test('a file with rows of another kind or symbol is refused', async () => {
    const path = klinePath('BTCUSDT', '2024-01', '1h');
    kit.server.add(
      path,
      zipOf({ 'ETHUSDT-trades-2024-01.csv': 'id,price,qty,quote_qty,time,is_buyer_maker\n1,2,3,6,1704067200000,true\n' }),
    );
    expect(await failureOf(kit.fetch(`${CALL} 2024-01`))).toMatch(
      /^tape-unsupported: .*BTCUSDT bars were expected in the archives, found ETHUSDT trades/,
    );
    expect(existsSync(kit.tape)).toBe(false);
  });

  test('bars in which nothing traded are no mark prices', async () => {
    const path = klinePath('BTCUSDT', '2024-01-05', '1h');
    const row = (hour: number): string => {
      const time = Date.UTC(2024, 0, 5, hour);
      return `${time},5,5,5,5,0,${time + 3_599_999},0,0,0,0,0`;
    };
    kit.server.add(path, zipOf({ 'BTCUSDT-1h-2024-01-05.csv': `${[row(0), row(1)].join('\n')}\n` }));
    await kit.fetch(`${CALL} 2024-01-05`);
    expect(Object.keys(kit.rows())).toEqual(['BTCUSDT bars']);
  });
});

describe('days that are not there', () => {
  test('all of them: an error that names the address, and nothing is left behind', async () => {
    expect(await failureOf(kit.fetch('binance-vision BTCUSTD 1h 2024-01-05'))).toBe(
      `fetch-missing: ${kit.server.address}/data/futures/um/daily/klines/BTCUSTD/1h/BTCUSTD-1h-2024-01-05.zip | expected 1h of binance-vision futures for BTCUSTD, 2024-01-05, found nothing published | check the symbol as Binance Vision writes it (futures: BTCUSDT), and whether it was traded then`,
    );
    expect(readdirSync(kit.folder)).toEqual([]);
  });

  test('those that the tape lacks, beside others: a gap that is said and asked for again', async () => {
    kit.publish('2024-01-05');
    await kit.fetch(`${CALL} 2024-01-05`);
    expect(await kit.fetch(`${CALL} 2024-01-05..2024-01-06`)).toMatchObject({ missing: ['2024-01-06'], imported: null, rows: 24 });
    kit.publish('2024-01-06');
    expect(await kit.fetch(`${CALL} 2024-01-05..2024-01-06`)).toMatchObject({ missing: [], rows: 48 });
  });
});

describe('interruptions', () => {
  test('a stop leaves what was downloaded, and the next run goes on from there', async () => {
    const path = kit.publish('2024-01');
    const stop = new AbortController();
    const reason = new Failure('fetch-stopped', { what: 'stopped' });
    kit.server.faults.set(path, [{ stallAfter: 5000 }]);
    const fetched = kit.fetch(`${CALL} 2024-01`, { stop: stop.signal, progress: () => stop.abort(reason) });
    await expect(fetched).rejects.toBe(reason);
    expect(existsSync(kit.tape)).toBe(false);
    expect(await kit.fetch(`${CALL} 2024-01`)).toMatchObject({ archives: 1, rows: 31 * 24 });
    expect(kit.server.requests.find((line) => line.includes('bytes='))).toMatch(/zip bytes=[1-9]\d*-$/);
  });

  test('a stop during the import leaves the archives and no tape', async () => {
    kit.publish('2024-01');
    const stop = new AbortController();
    const reason = new Failure('fetch-stopped', { what: 'stopped' });
    const progress = ({ phase }: { readonly phase: string }): void => void (phase === 'import' && stop.abort(reason));
    await expect(kit.fetch(`${CALL} 2024-01..2024-02-01`, { stop: stop.signal, progress })).rejects.toBe(reason);
    expect(readdirSync(kit.folder)).toEqual(['tape.fetch']);
    kit.server.requests.length = 0;
    await kit.fetch(`${CALL} 2024-01`);
    expect(kit.server.requests).toEqual([]);
    expect(hoursOf()).toHaveLength(31 * 24);
  });

  test.each([
    ['before the new tape is there', false],
    ['after it', true],
  ])('a kill while the tapes change places, %s, loses neither', async (_, hasNew) => {
    kit.publish('2024-01-05');
    kit.publish('2024-01-06');
    await kit.fetch(`${CALL} 2024-01-05..2024-01-06`);
    const work = `${kit.tape}.fetch`;
    mkdirSync(work);
    writeFileSync(join(work, 'lock'), '999999999');
    if (hasNew) renameSync(kit.tape, join(work, 'new'));
    else rmSync(kit.tape, { recursive: true });
    await kit.fetch(`${CALL} 2024-01-05`, { folder: join(work, 'old') });
    kit.server.requests.length = 0;
    expect(await kit.fetch(`${CALL} 2024-01-05..2024-01-06`)).toMatchObject({ daysBefore: hasNew ? 2 : 1, rows: 48 });
    expect(paths().filter((path) => path.endsWith('.zip'))).toEqual(hasNew ? [] : ['2024-01-06.zip']);
    expect(readdirSync(kit.folder)).toEqual(['tape']);
  });

  test('two at once for one tape: the second is refused', async () => {
    kit.publish('2024-01-05');
    const first = kit.fetch(`${CALL} 2024-01-05`);
    expect(await failureOf(kit.fetch(`${CALL} 2024-01-05`))).toMatch(/^fetch-occupied/);
    expect((await first).rows).toBe(24);
  });

  test('the progress names archives, bytes and then rows', async () => {
    kit.publish('2024-01');
    kit.publish('2024-02');
    const seen: string[] = [];
    await kit.fetch(`${CALL} 2024-01..2024-02`, {
      progress: (now) =>
        void seen.push(now.phase === 'download' ? `${now.of} ${now.share <= 1}` : now.phase === 'import' ? `${now.rows}` : now.why),
    });
    expect(seen[0]).toBe('2 true');
    expect(Number(seen.at(-1))).toBe(60 * 24);
  });
});

test('the file of the tape says nothing of fetched days where none were fetched', async () => {
  const file = join(kit.folder, 'mine.csv');
  writeFileSync(file, 'symbol,ts,open,high,low,close,volume\nBTCUSDT,1704067200000,1,2,1,2,3\n');
  await importFiles([file], kit.tape, { barMs: 3_600_000 });
  expect(readFileSync(join(kit.tape, 'tape.json'), 'utf8')).not.toContain('fetched');
});

describe('archives without rows', () => {
  const HEADER = 'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore\n';

  test.each([
    ['a header alone', HEADER],
    ['nothing', ''],
  ])('%s: the day is there, and had no trades', async (_, text) => {
    kit.publish('2024-01-05');
    const path = klinePath('BTCUSDT', '2024-01-06', '1h');
    kit.server.add(path, zipOf({ 'BTCUSDT-1h-2024-01-06.csv': text }));
    expect(await kit.fetch(`${CALL} 2024-01-05..2024-01-06`)).toMatchObject({ archives: 2, missing: [], rows: 24 });
    kit.server.requests.length = 0;
    await kit.fetch(`${CALL} 2024-01-05..2024-01-06`);
    expect(kit.server.requests).toEqual([]);
  });

  test('all of them: an error that says so', async () => {
    const path = klinePath('BTCUSDT', '2024-01-06', '1h');
    kit.server.add(path, zipOf({ 'BTCUSDT-1h-2024-01-06.csv': HEADER }));
    expect(await failureOf(kit.fetch(`${CALL} 2024-01-06`))).toMatch(/^fetch-missing: .* found archives without rows/);
  });
});
