/** Commands that make tapes and inspect them. */
import { DATE_FORMS, SYNTHETIC_MAX } from '../../run/setup/options.ts';
import type { CommandRow, OptionGroup, OptionRow } from '../shell/command-row.ts';
import { duration, each, moment, wholeNumber } from '../shell/values.ts';
import { configuration, JSON_OPTION } from './shared-options.ts';

const TAPE = { name: '<folder>', description: 'the tape' };
const FORCE: OptionRow = { flags: '--force', description: 'replace a tape that is there' };
const NEW_TAPE: OptionRow = {
  flags: '-o, --out <folder>',
  description: 'where the new tape goes; must not hold one yet',
  isNeeded: true,
};
const WRITTEN = [NEW_TAPE, FORCE, JSON_OPTION];
const options = (...rows: readonly OptionRow[]): readonly OptionGroup[] => [{ title: 'Options:', options: rows }];

const EDITED: Pick<CommandRow, 'files' | 'exits'> = {
  files: [['--out FOLDER', 'the new tape; the old ones stay as they are']],
  exits: { done: '', usage: '', configuration: 'a tape is damaged, or the tapes do not fit' },
};

export const TAPE_COMMANDS: readonly CommandRow[] = [
  {
    name: 'tape',
    summary: 'make and inspect tapes',
    description: 'Make tapes from recordings or a seed, and inspect them.',
    examples: [
      ['tickwright tape import recordings/*.csv.gz --out tapes/mine', 'from trades and book tickers'],
      ['tickwright tape synth --out tapes/made --duration 12h', 'a synthetic market, from a seed'],
      ['tickwright tape info tapes/mine', 'what is in it, and where it has gaps'],
    ],
    notes: ['A tape is a folder that backtest and exchange read. `tickwright tape COMMAND --help` describes each command.'],
  },
  {
    name: 'tape import',
    summary: 'make a tape from recordings',
    description: 'Turn recorded trades, quotes, bars, mark prices and funding rates into a tape.',
    args: [{ name: '<files...>', description: 'CSV, JSON, Parquet or feather files, plain or packed' }],
    options: options(
      { flags: '-o, --out <folder>', description: 'where the tape goes; must not hold one yet (needed, unless --preview is given)' },
      { flags: '--preview', description: 'show the first rows as they are understood, and write nothing' },
      { flags: '--columns <list>', description: 'which column is which: time=ts,price=px or, in order, time,price,size,_' },
      { flags: '--time-column <name>', description: 'the column that holds the time' },
      {
        flags: '--time-unit <unit>',
        description: 'what times count: seconds, milli-, micro- or nanoseconds',
        choices: ['auto', 's', 'ms', 'us', 'ns'],
        fallback: 'auto',
        usual: 'auto, by their size',
      },
      {
        flags: '--time-format <form>',
        description: 'the form of dates; "-", "." and "/" are the same, and a time of the day may follow',
        choices: DATE_FORMS,
        usual: 'from the rows',
      },
      {
        flags: '--time-zone <zone>',
        description: 'zone of dates that have none: UTC, an offset such as +02:00, or a name such as Europe/Athens',
        usual: "the vendor's, else UTC",
      },
      { flags: '--symbol <symbol>', description: 'the symbol of rows that have none', usual: 'from the name of the file' },
      { flags: '--timeframe <time>', description: 'length of the bars, such as 1m or 4h', usual: 'from the rows', parse: duration },
      { flags: '--shift <kind=ms>', description: 'add to the times of a kind, such as trades=-1270; repeatable', parse: each },
      { flags: '--contract-size <coins>', description: 'coins in a contract, where sizes count contracts' },
      {
        flags: '--clean',
        description: 'leave outliers out and correct the skew between trades and book; the tape says what was done',
      },
      FORCE,
      JSON_OPTION,
    ),
    examples: [
      ['tickwright tape import recordings/*.csv.gz --out tapes/mine', 'trades and book tickers'],
      ['tickwright tape import BTCUSDT-1m-2024-*.zip --out tapes/bars', 'a year of one-minute bars'],
      ['tickwright tape import data.csv --preview', 'the first rows as they are understood; nothing is written'],
      ['tickwright tape import data.csv --columns time=ts,price=px,size=qty --symbol BTCUSDT --out tapes/mine', 'columns of other names'],
    ],
    notes: [
      'CSV, JSON, Parquet and feather, plain or in gzip, zip or zstd. A file is recognised by its columns: Binance, Bybit, OKX, Bitget, Tardis, CryptoDataDownload, MetaTrader, HistData, freqtrade, ccxt. docs/reference/tape-formats.md lists them.',
      'Trades, quotes and bars are a market; mark prices and funding rates belong beside one. Bars of two lengths belong on two tapes.',
    ],
    files: [['--out FOLDER', 'the tape: tape.json and columns of blocks, a few bytes a row']],
    exits: { done: '', usage: '', configuration: 'a file is not a recording: the error names the line' },
    run: async () => (await import('../tapes/tape-import-command.ts')).runImport,
  },
  {
    name: 'tape info',
    summary: 'show the contents of a tape',
    description: 'Show rows, symbols, time span, gaps and size of a tape, and whether it is undamaged.',
    args: [TAPE],
    options: options(
      {
        flags: '--instruments <file>',
        description: 'also write a file of instruments with a row for each symbol; an existing file is not replaced',
      },
      JSON_OPTION,
    ),
    examples: [
      ['tickwright tape info tapes/btc'],
      ['tickwright tape info tapes/btc --json', 'for other programs'],
      ['tickwright tape info tapes/wide --instruments config/instruments.json', 'the rules that a universe needs'],
    ],
    notes: [
      'A row of --instruments has the tick and lot that the tape moves in. Symbols that come with the program have their rules, the others typical fees: correct them.',
    ],
    files: [['--instruments FILE', 'JSON; `instruments: FILE` in the configuration uses it']],
    exits: { done: '', usage: '', configuration: 'the tape is damaged: the error names file and block' },
    run: async () => (await import('../tapes/tape-commands.ts')).runInfo,
  },
  {
    name: 'tape export',
    summary: 'write a tape as CSV, Parquet or Arrow',
    description: 'Write the rows of a tape as CSV, Parquet or Arrow, a file for each symbol and kind.',
    args: [{ name: '[folder]', description: 'the tape' }],
    options: options(
      {
        flags: '--session <folder>',
        description: 'instead of a tape, the market that the recorded sessions of a bot saw: one of them, or the state folder of the bot',
      },
      { flags: '-o, --out <folder>', description: 'where the files go', isNeeded: true },
      { flags: '--format <name>', description: 'form of the files', choices: ['csv', 'parquet', 'arrow'], fallback: 'csv' },
      {
        flags: '--numbers <form>',
        description: 'prices and sizes in Parquet and Arrow',
        choices: ['double', 'decimal'],
        fallback: 'double',
      },
      JSON_OPTION,
    ),
    examples: [
      ['tickwright tape export tapes/btc --out csv/btc', 'a file for each symbol and kind'],
      ['tickwright tape export tapes/btc --out parquet/btc --format parquet', 'for DuckDB, pandas, Polars'],
      ['tickwright tape export --session var/bot --out csv/bot', 'the market that a bot saw'],
    ],
    notes: [
      '`tape import` makes the same tape of these files again.',
      'Numbers are floating point: each is the double nearest to the recorded decimal. `--numbers decimal` writes decimals of 18 digits.',
    ],
    files: [['--out FOLDER', 'SYMBOL.KIND.csv, .parquet or .arrow; files of these names are replaced']],
    exits: { done: '', usage: '', configuration: 'the tape is damaged' },
    run: async () => (await import('../tapes/tape-export-command.ts')).runExport,
  },
  {
    name: 'tape record',
    summary: 'record the market of a venue',
    description: 'Record quotes and trades of a venue as a tape, until it is stopped.',
    options: options(
      ...configuration('the configuration file, which names the venue', { isNeeded: true }),
      { flags: '-o, --out <folder>', description: 'where the tape goes, or a recording to go on with', isNeeded: true },
      { flags: '--symbol <symbol>', description: 'a futures symbol; repeatable', usual: 'all of the configuration', parse: each },
      { flags: '--for <time>', description: 'how long, such as 90m, 12h or 7d', parse: duration },
      JSON_OPTION,
    ),
    examples: [
      ['tickwright tape record --config config/paper.yaml --out tapes/live', 'until Ctrl-C'],
      ['tickwright tape record --config live.yaml --out tapes/live --symbol BTCUSDT --for 1h'],
    ],
    notes: [
      'Polls best quotes (E7) and trades (E8): no keys are needed. A bot records what it polls with `run --record FOLDER`.',
      'Started again with the same folder, it continues, also after a kill. The folder is a tape at every moment.',
    ],
    files: [['--out FOLDER', 'the tape']],
    exits: { done: '', failed: '', usage: '', configuration: '' },
    run: async () => (await import('../tapes/tape-record-command.ts')).runRecord,
  },
  {
    name: 'tape cut',
    summary: 'write a part of a tape as a new tape',
    description: 'Write the rows between two moments of a tape as another tape.',
    args: [TAPE],
    options: options(
      { flags: '--from <time>', description: 'first moment: milliseconds since 1970, or a UTC time', parse: moment },
      { flags: '--to <time>', description: 'moment to stop before', parse: moment },
      ...WRITTEN,
    ),
    examples: [
      ['tickwright tape cut tapes/btc --from 2024-08-08T12:00 --to 2024-08-08T13:00 --out tapes/noon', 'an hour'],
      ['tickwright tape cut tapes/btc --to 2024-09-01 --out tapes/august', 'all that is before September'],
    ],
    notes: ['A bar is kept if it has ended by --to.'],
    ...EDITED,
    run: async () => (await import('../tapes/edit-commands.ts')).runCut,
  },
  {
    name: 'tape join',
    summary: 'write two tapes, one after the other, as one',
    description: 'Write the rows of a tape, then those of a later one, as another tape.',
    args: [
      { name: '<first>', description: 'the earlier tape' },
      { name: '<second>', description: 'the later tape' },
    ],
    options: options(...WRITTEN),
    examples: [['tickwright tape join tapes/monday tapes/tuesday --out tapes/both', 'the later tape after the earlier one']],
    notes: [
      'Both have the same symbols and kinds of rows. Where they overlap the first one counts; trades of its last millisecond are told apart by their ids.',
    ],
    ...EDITED,
    run: async () => (await import('../tapes/edit-commands.ts')).runJoin,
  },
  {
    name: 'tape resample',
    summary: 'make longer bars of trades or bars',
    description: 'Write bars made of the trades of a tape, or of its shorter bars, as another tape.',
    args: [TAPE],
    options: options(
      { flags: '--timeframe <time>', description: 'length of the bars, such as 5m or 4h', parse: duration, isNeeded: true },
      ...WRITTEN,
    ),
    examples: [
      ['tickwright tape resample tapes/btc --timeframe 5m --out tapes/btc-5m', 'bars of five minutes, of trades or shorter bars'],
      ['tickwright tape resample tapes/btc --timeframe 1d --out tapes/btc-1d', 'from midnight to midnight UTC'],
    ],
    notes: [
      'Bars begin at whole multiples of the timeframe, UTC. The first and the last bar hold what the tape has of them. A time without rows has no bar.',
      'Mark prices and funding rates are copied; quotes are left out.',
    ],
    ...EDITED,
    run: async () => (await import('../tapes/edit-commands.ts')).runResample,
  },
  {
    name: 'tape stats',
    summary: 'show statistics of a market',
    description: 'Show statistics of a tape: rates, spreads, sizes, volatility. With two tapes, side by side.',
    args: [TAPE, { name: '[other]', description: 'a second tape to compare, by symbol' }],
    options: options({ flags: '--json', description: 'print one JSON object a tape' }),
    examples: [
      ['tickwright tape stats tapes/btc'],
      ['tickwright tape stats tapes/btc tapes/made', 'a recording beside a synthetic market'],
    ],
    exits: { done: '', usage: '', configuration: 'a tape is damaged' },
    run: async () => (await import('../tapes/tape-commands.ts')).runStats,
  },
  {
    name: 'tape synth',
    summary: 'make a tape of a synthetic market',
    description: 'Draw a market from a seed and write it as a tape. Same seed, same tape.',
    options: options(
      { flags: '-o, --out <folder>', description: 'where the tape goes; must not hold one yet', isNeeded: true },
      {
        flags: '--symbol <symbol>',
        description: 'a futures symbol of the instruments; repeatable',
        usual: 'all',
        parse: each,
        conflicts: ['symbols'],
      },
      {
        flags: '--symbols <number>',
        description: 'number of symbols: those of the instruments first, then synthetic ones',
        parse: wholeNumber(1, SYNTHETIC_MAX),
      },
      {
        flags: '--duration <time>',
        description: 'how long the market lasts, such as 90m, 12h or 7d',
        parse: duration,
        fallback: 3_600_000,
        usual: '1h',
      },
      {
        flags: '--from <time>',
        description: 'its first moment: milliseconds since 1970 or a UTC time',
        parse: moment,
        fallback: Date.UTC(2024, 0, 1),
        usual: '2024-01-01',
      },
      { flags: '--bars <time>', description: 'bars of this length instead of trades and quotes, such as 1m', parse: duration },
      { flags: '--seed <number>', description: 'seed of all randomness', parse: wholeNumber(0, Number.MAX_SAFE_INTEGER), fallback: 1 },
      { flags: '--season', description: 'make some hours of the day busier' },
      { flags: '-c, --config <file>', description: 'a configuration file, for its instruments' },
      FORCE,
      JSON_OPTION,
    ),
    examples: [
      ['tickwright tape synth --out tapes/made --duration 1d', 'a day of the configured futures'],
      ['tickwright tape synth --out tapes/year --bars 1m --duration 365d --symbol BTCUSDT', 'a year of one-minute bars, within seconds'],
      ['tickwright tape synth --out tapes/wide --symbols 50 --duration 12h --seed 7 --season', 'fifty symbols, busier at some hours'],
    ],
    notes: ['`tape stats` compares it with a recording. Its prices are random: a profit on it proves nothing.'],
    files: [['--out FOLDER', 'the tape']],
    exits: { done: '', usage: '', configuration: '' },
    run: async () => (await import('../tapes/tape-commands.ts')).runSynth,
  },
];
