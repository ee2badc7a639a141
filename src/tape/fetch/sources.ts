/**
 * The table of public archives that `tape fetch` reads: where a vendor puts the files of a kind of data, and how they are checked. The command,
 * its list, the table in docs/data.md and the tests are made of it. Another source is a row here.
 */
import type { TapeKind } from '../file/manifest.ts';

/** futures: contracts settled in USDT. */
export type ArchiveMarket = 'futures' | 'spot';

/**
 * Paths below the address of a source. `{symbol}` and `{timeframe}` are as the vendor writes them, `{month}` is 2024-01, `{day}` is 2024-01-05;
 * `{yyyymm}` and `{yyyymmdd}` are the same without hyphens. At least one of both is there.
 */
export interface ArchivePaths {
  readonly monthly?: string;
  readonly daily?: string;
}

/** Data of one kind in one market of a source: a row of the table. */
export interface ArchiveKind {
  readonly market: ArchiveMarket;
  /** The word of the command line; bars have the timeframe there. */
  readonly kind: string;
  /** What it becomes. */
  readonly tape: TapeKind;
  /** Bars, and mark prices that are read from bars: the timeframes that there are. The first is the one of a kind with a word of its own. */
  readonly timeframes?: readonly string[];
  /** Timeframes that only the monthly archives have. */
  readonly monthlyTimeframes?: readonly string[];
  readonly paths: ArchivePaths;
  /** What times in the files count. */
  readonly timeUnit: string;
  /** Sizes count contracts: how many coins one is must be said. */
  readonly sizeInContracts?: boolean;
}

export interface ArchiveSource {
  readonly name: string;
  readonly title: string;
  /** Address of the archive: `--mirror` names another with the same paths. */
  readonly address: string;
  /** Beside each archive: its SHA-256 in a file of the same name and this ending. "none": only the packed file's own sum is checked. */
  readonly sums: { readonly kind: 'sha256'; readonly ending: string } | { readonly kind: 'none' };
  readonly kinds: readonly ArchiveKind[];
  readonly symbol: Readonly<Record<ArchiveMarket, { readonly form: RegExp; readonly example: string }>>;
  /** True once this program has downloaded from the vendor itself. */
  readonly isTried: boolean;
  /** For people: what is special. */
  readonly notes: string;
}

const DAILY_TIMEFRAMES = ['1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '6h', '8h', '12h', '1d'] as const;
const MONTHLY_TIMEFRAMES = ['3d', '1w'] as const;
const SPOT_UNIT = 'milliseconds; microseconds since 2025';

/** Both periods of a kind of Binance Vision. */
function binance(market: 'spot' | 'futures/um', kind: string, file = kind): ArchivePaths {
  const part = kind === 'klines' || kind === 'markPriceKlines' ? '{timeframe}/' : '';
  const at = (period: string, date: string): string =>
    `/data/${market}/${period}/${kind}/{symbol}/${part}{symbol}-${part === '' ? file : '{timeframe}'}-${date}.zip`;
  return { monthly: at('monthly', '{month}'), daily: at('daily', '{day}') };
}

/** A kind of Binance Vision that both markets have. */
function both(kind: string, row: Omit<ArchiveKind, 'market' | 'paths' | 'timeUnit'>, ofSpot: Partial<ArchiveKind> = {}): ArchiveKind[] {
  return [
    { ...row, market: 'futures', paths: binance('futures/um', kind), timeUnit: 'milliseconds' },
    { ...row, market: 'spot', paths: binance('spot', kind), timeUnit: SPOT_UNIT, ...ofSpot },
  ];
}

const OKX = '/cdn/okex/traderecords';
const PLAIN = { form: /^[A-Z0-9]{4,30}$/, example: 'BTCUSDT' };

export const ARCHIVE_SOURCES: readonly ArchiveSource[] = [
  {
    name: 'binance-vision',
    title: 'Binance Vision',
    address: 'https://data.binance.vision',
    sums: { kind: 'sha256', ending: '.CHECKSUM' },
    symbol: { futures: { form: /^[A-Z0-9]{4,30}(_\d{6})?$/, example: 'BTCUSDT' }, spot: PLAIN },
    isTried: false,
    notes:
      'A month is published some days after its end: until then its days are fetched. Coin-margined contracts are inverse and left out.',
    kinds: [
      ...both(
        'klines',
        { kind: 'bars', tape: 'bars', timeframes: [...DAILY_TIMEFRAMES, ...MONTHLY_TIMEFRAMES], monthlyTimeframes: MONTHLY_TIMEFRAMES },
        { timeframes: ['1s', ...DAILY_TIMEFRAMES, ...MONTHLY_TIMEFRAMES] },
      ),
      ...both('trades', { kind: 'trades', tape: 'trades' }),
      ...both('aggTrades', { kind: 'aggTrades', tape: 'trades' }),
      { market: 'futures', kind: 'bookTicker', tape: 'quotes', paths: binance('futures/um', 'bookTicker'), timeUnit: 'milliseconds' },
      {
        market: 'futures',
        kind: 'fundingRate',
        tape: 'funding',
        paths: { monthly: binance('futures/um', 'fundingRate').monthly! },
        timeUnit: 'milliseconds',
      },
      {
        market: 'futures',
        kind: 'markPriceKlines',
        tape: 'marks',
        timeframes: ['1m'],
        paths: binance('futures/um', 'markPriceKlines'),
        timeUnit: 'milliseconds',
      },
    ],
  },
  {
    name: 'bybit',
    title: 'Bybit public trades',
    address: 'https://public.bybit.com',
    sums: { kind: 'none' },
    symbol: { futures: PLAIN, spot: PLAIN },
    isTried: false,
    notes: 'No sums are published: the one inside each gzip file is checked.',
    kinds: [
      {
        market: 'futures',
        kind: 'trades',
        tape: 'trades',
        paths: { daily: '/trading/{symbol}/{symbol}{day}.csv.gz' },
        timeUnit: 'seconds with decimals',
      },
      {
        market: 'spot',
        kind: 'trades',
        tape: 'trades',
        paths: { monthly: '/spot/{symbol}/{symbol}-{month}.csv.gz', daily: '/spot/{symbol}/{symbol}_{day}.csv.gz' },
        timeUnit: 'milliseconds',
      },
    ],
  },
  {
    name: 'okx',
    title: 'OKX historical data',
    address: 'https://static.okx.com',
    sums: { kind: 'none' },
    symbol: {
      futures: { form: /^[A-Z0-9]+-[A-Z0-9]+-(SWAP|\d{6})$/, example: 'BTC-USDT-SWAP' },
      spot: { form: /^[A-Z0-9]+-[A-Z0-9]+$/, example: 'BTC-USDT' },
    },
    isTried: false,
    notes:
      'A day is one of Hong Kong: it begins at 16:00 UTC of the day before. Sizes of swaps and futures count contracts: `--contract-size` is needed.',
    kinds: (['futures', 'spot'] as const).flatMap((market): ArchiveKind[] => [
      {
        market,
        sizeInContracts: market === 'futures',
        kind: 'trades',
        tape: 'trades',
        paths: { daily: `${OKX}/trades/daily/{yyyymmdd}/{symbol}-trades-{day}.zip` },
        timeUnit: 'milliseconds',
      },
      {
        market,
        sizeInContracts: market === 'futures',
        kind: 'bars',
        tape: 'bars',
        timeframes: ['1m'],
        paths: {
          monthly: `${OKX}/candlesticks/monthly/{yyyymm}/{symbol}-candlesticks-{month}.zip`,
          daily: `${OKX}/candlesticks/daily/{yyyymmdd}/{symbol}-candlesticks-{day}.zip`,
        },
        timeUnit: 'milliseconds',
      },
    ]),
  },
];

/** What can be asked of a source and market, as words of the command line: "1m", "trades". */
export function kindWords(source: ArchiveSource, market?: ArchiveMarket): string[] {
  const rows = source.kinds.filter((one) => market === undefined || one.market === market);
  return [...new Set(rows.flatMap((row) => (row.kind === 'bars' ? row.timeframes! : [row.kind])))];
}

/** The row of a word of the command line; undefined if the source has none in this market. */
export function rowOf(source: ArchiveSource, market: ArchiveMarket, word: string): ArchiveKind | undefined {
  return source.kinds.find((row) => row.market === market && (row.kind === 'bars' ? row.timeframes!.includes(word) : row.kind === word));
}

export const ARCHIVE_NAMES: readonly string[] = ARCHIVE_SOURCES.map(({ name }) => name);
