/** Words of `tape fetch`, days, and the table of archives. */
import { describe, expect, test } from 'vitest';
import { Failure } from '../../../../src/base/failure/failure.ts';
import { DAY_MS } from '../../../../src/base/time/time-spans.ts';
import { archivesOf } from '../../../../src/tape/fetch/archives.ts';
import { dayText, lengthOf, periodOf, rangeText, unionOf, without, type DayRange } from '../../../../src/tape/fetch/days.ts';
import { fetchRequest, type FetchWords } from '../../../../src/tape/fetch/request.ts';
import { ARCHIVE_SOURCES } from '../../../../src/tape/fetch/sources.ts';

const NOW = Date.UTC(2024, 6, 10, 0, 0, 1);
const WORDS: FetchWords = { source: 'binance-vision', symbol: 'BTCUSDT', kind: '1m', range: '2024-01', market: 'futures' };

function errorOf(words: Partial<FetchWords>): string {
  try {
    fetchRequest({ ...WORDS, ...words }, NOW);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    expect(error.kind).toBe('usage');
    const [{ where, what, hint } = { what: '' }] = error.problems;
    return `${where}: ${what} | ${hint}`;
  }
  throw new Error('an error was expected');
}

const rangeOf = (range: string): string => rangeText(fetchRequest({ ...WORDS, range }, NOW).range);

describe('ranges', () => {
  test.each([
    ['2023', '2023-01-01..2023-12-31'],
    ['2024-02', '2024-02-01..2024-02-29'],
    ['2024-02-29', '2024-02-29'],
    ['2023-12..2024-02', '2023-12-01..2024-02-29'],
    ['2023..2024-01-05', '2023-01-01..2024-01-05'],
    // What is not over yet is left out.
    ['2024-06..2024-07', '2024-06-01..2024-07-09'],
    ['2024', '2024-01-01..2024-07-09'],
    ['2024-07-09', '2024-07-09'],
  ])('%s is %s', (text, days) => expect(rangeOf(text)).toBe(days));

  test.each([
    '',
    '..',
    '2024-13',
    '2024-02-30',
    '2023-02-29',
    '24-01',
    '2024-1',
    '2024-01...2024-02',
    '2024-01..2024-02..2024-03',
    '2024-01-01 ',
    'last week',
  ])('%j is no range', (range) =>
    expect(errorOf({ range })).toMatch(/^RANGE: expected FROM\.\.TO, found .* \| FROM and TO are years, months or days/),
  );

  test.each([
    ['2024-05..2024-02', 'expected FROM before TO, found "2024-05..2024-02" | turn it round: 2024-02..2024-05'],
    ['2024-07-10', 'expected days that are over, found 2024-07-10 | the newest day that can be there is 2024-07-09'],
    ['2024-01..2024-08', 'expected days that are over, found 2024-08-01 | the newest day that can be there is 2024-07-09'],
    ['2025', 'expected days that are over, found 2025-01-01 | the newest day that can be there is 2024-07-09'],
    ['2010..2023', 'expected ten years at most, found 2010-01-01..2023-12-31 | fetch it in parts: each is joined to the tape'],
  ])('%s: %s', (range, error) => expect(errorOf({ range })).toBe(`RANGE: ${error}`));
});

test.each<[Partial<FetchWords>, RegExp]>([
  [{ source: 'binance' }, /^SOURCE: expected a source \(binance-vision, bybit, okx\), found "binance"/],
  [{ source: 'okex' }, /did you mean "okx"\?$/],
  [
    { kind: '7m' },
    /^KIND: expected a kind of binance-vision futures \(1m, 3m, .*, trades, aggTrades, bookTicker, fundingRate, markPriceKlines\), found "7m"/,
  ],
  [{ kind: 'aggtrades' }, /did you mean "aggTrades"\?$/],
  [{ kind: '1s' }, /it is there with --market spot$/],
  [{ kind: 'fundingRate', market: 'spot' }, /it is there with --market futures$/],
  [{ source: 'bybit', kind: '1m' }, /^KIND: expected a kind of bybit futures \(trades\), found "1m" \| tickwright tape fetch --list/],
  [
    { symbol: 'BTC-USDT' },
    /^SYMBOL: expected a symbol as Binance Vision writes it \(futures: BTCUSDT\), found "BTC-USDT" \| did you mean "BTCUSDT"\?/,
  ],
  [{ symbol: 'btcusdt' }, /did you mean "BTCUSDT"\?/],
  [{ symbol: 'BTCUSD_PERP' }, /inverse/],
  [{ symbol: '../../etc' }, /^SYMBOL/],
  [{ source: 'okx', symbol: 'BTC-USDT', kind: 'trades' }, /--market spot has such symbols/],
  [{ source: 'okx', symbol: 'BTCUSDT', kind: 'trades' }, /futures: BTC-USDT-SWAP/],
  [{ source: 'okx', symbol: 'BTC-USDT-SWAP', kind: 'trades' }, /^--contract-size: expected how many coins a contract is/],
])('%j is refused with what there is', (words, error) => expect(errorOf(words)).toMatch(error));

describe('days', () => {
  const days = (...texts: string[]): DayRange[] =>
    texts.map((text) => ({ from: periodOf(text.split('..')[0]!)!.from, to: periodOf(text.split('..').at(-1)!)!.to }));
  const texts = (ranges: readonly DayRange[]): string[] => ranges.map(rangeText);

  test('a union puts together what touches or overlaps', () => {
    expect(texts(unionOf(days('2024-01-05..2024-01-07', '2024-01-01', '2024-01-02..2024-01-03', '2024-01-06')))).toEqual([
      '2024-01-01..2024-01-03',
      '2024-01-05..2024-01-07',
    ]);
  });

  test('without: what is between, before and after', () => {
    const taken = days('2023-12-30..2024-01-02', '2024-01-05', '2024-01-31..2024-03-01', '2025-01-01');
    expect(texts(without(periodOf('2024-01')!, taken))).toEqual(['2024-01-03..2024-01-04', '2024-01-06..2024-01-30']);
    expect(texts(without(periodOf('2024-02')!, taken))).toEqual([]);
    expect(texts(without(periodOf('2024-05')!, []))).toEqual(['2024-05-01..2024-05-31']);
  });

  test('every day of ten years is written and read', () => {
    const from = Date.UTC(2019, 0) / DAY_MS;
    for (let day = from; day < from + 3653; day++) expect(periodOf(dayText(day))).toEqual({ from: day, to: day });
  });

  test('archives cover the missing days of any range once', () => {
    for (let seed = 0; seed < 500; seed++) {
      const at = (k: number): number => Math.floor((((seed * 7919 + k * 104_729) % 997) / 997) * 200);
      const start = Date.UTC(2024, 0) / DAY_MS;
      const request = fetchRequest({ ...WORDS, range: '2023' }, NOW);
      const range = { from: start + at(1), to: start + at(1) + at(2) };
      const taken = unionOf([3, 5].map((k) => ({ from: start + at(k), to: start + at(k) + (at(k + 1) >> 2) })));
      const archives = archivesOf({ ...request, range }, taken);
      const missing = without(range, taken);
      expect(lengthOf(archives.map(({ days: one }) => one))).toBe(lengthOf(missing));
      expect(unionOf(archives.map(({ days: one }) => one))).toEqual(missing);
    }
  });
});

/** Addresses as the vendors publish them. */
test.each([
  [
    'binance-vision futures BTCUSDT 1m 2024-01',
    'https://data.binance.vision/data/futures/um/monthly/klines/BTCUSDT/1m/BTCUSDT-1m-2024-01.zip',
  ],
  [
    'binance-vision futures BTCUSDT 15m 2024-01-02',
    'https://data.binance.vision/data/futures/um/daily/klines/BTCUSDT/15m/BTCUSDT-15m-2024-01-02.zip',
  ],
  ['binance-vision spot BTCUSDT 1s 2024-01', 'https://data.binance.vision/data/spot/monthly/klines/BTCUSDT/1s/BTCUSDT-1s-2024-01.zip'],
  [
    'binance-vision spot BTCUSDT aggTrades 2024-01-02',
    'https://data.binance.vision/data/spot/daily/aggTrades/BTCUSDT/BTCUSDT-aggTrades-2024-01-02.zip',
  ],
  [
    'binance-vision futures BTCUSDT trades 2024-01-02',
    'https://data.binance.vision/data/futures/um/daily/trades/BTCUSDT/BTCUSDT-trades-2024-01-02.zip',
  ],
  [
    'binance-vision futures BTCUSDT bookTicker 2024-01',
    'https://data.binance.vision/data/futures/um/monthly/bookTicker/BTCUSDT/BTCUSDT-bookTicker-2024-01.zip',
  ],
  [
    'binance-vision futures BTCUSDT fundingRate 2024-01-05',
    'https://data.binance.vision/data/futures/um/monthly/fundingRate/BTCUSDT/BTCUSDT-fundingRate-2024-01.zip',
  ],
  [
    'binance-vision futures BTCUSDT 1w 2024-01-05',
    'https://data.binance.vision/data/futures/um/monthly/klines/BTCUSDT/1w/BTCUSDT-1w-2024-01.zip',
  ],
  [
    'binance-vision futures BTCUSDT markPriceKlines 2024-01',
    'https://data.binance.vision/data/futures/um/monthly/markPriceKlines/BTCUSDT/1m/BTCUSDT-1m-2024-01.zip',
  ],
  ['bybit futures BTCUSDT trades 2021-05-03', 'https://public.bybit.com/trading/BTCUSDT/BTCUSDT2021-05-03.csv.gz'],
  ['bybit spot BNBUSDT trades 2024-03-01', 'https://public.bybit.com/spot/BNBUSDT/BNBUSDT_2024-03-01.csv.gz'],
  [
    'okx futures BTC-USDT-SWAP trades 2024-01-02',
    'https://static.okx.com/cdn/okex/traderecords/trades/daily/20240102/BTC-USDT-SWAP-trades-2024-01-02.zip',
  ],
  [
    'okx spot BTC-USDT 1m 2024-05',
    'https://static.okx.com/cdn/okex/traderecords/candlesticks/monthly/202405/BTC-USDT-candlesticks-2024-05.zip',
  ],
])('%s is %s', (line, url) => {
  const [source = '', market = '', symbol = '', kind = '', range = ''] = line.split(' ');
  const request = fetchRequest({ source, symbol, kind, range, market: market as 'futures', contractSize: '0.01' }, NOW);
  expect(archivesOf(request).map(({ path }) => request.source.address + path)).toEqual([url]);
});

test('each kind of a source and market is one row, and its paths name what changes', () => {
  for (const { name, kinds } of ARCHIVE_SOURCES) {
    expect(new Set(kinds.map(({ market, kind }) => `${market} ${kind}`)).size, name).toBe(kinds.length);
    for (const { paths, kind, timeframes } of kinds) {
      for (const [period, path] of Object.entries(paths)) {
        expect(path).toContain('{symbol}');
        expect(path).toContain(period === 'monthly' ? '{month}' : '{day}');
        if (kind === 'bars' && timeframes!.length > 1) expect(path).toContain('{timeframe}');
      }
    }
  }
});
