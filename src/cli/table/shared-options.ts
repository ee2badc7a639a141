/** Options and rows of help texts that several commands have. */
import type { OptionGroup, OptionRow, Row } from '../shell/command-row.ts';
import { each, moment, numberBetween, pair, spread, wholeNumber } from '../shell/values.ts';

export const CREDENTIALS: Row = [
  'TICKWRIGHT_KEY',
  'with TICKWRIGHT_SECRET and TICKWRIGHT_PASSPHRASE: the credentials of the venue. Or a file of mode 0600 that the configuration names. There is no flag for them',
];
export const ANY_KEY: Row = ['TICKWRIGHT_…', 'any key of the configuration; `tickwright config --keys` lists their names'];

export const JSON_OPTION: OptionRow = { flags: '--json', description: 'print one JSON object' };

const SET: OptionRow = { flags: '--set <key=value>', description: 'one key of the configuration; repeatable', parse: each };

/** `--config` and `--set`. */
export function configuration(description: string, more: Partial<OptionRow> = {}): readonly OptionRow[] {
  return [{ flags: '-c, --config <file>', description, ...more }, SET];
}

/** Which bot a command is about that runs, or ran. */
export const WHICH_BOT: OptionGroup = {
  title: 'Which bot:',
  options: [
    ...configuration('the configuration file that the bot was started with'),
    { flags: '--state <folder>', description: "the folder of the bot's store, or the one of start" },
  ],
};

const PARAM: OptionRow = { flags: '-p, --param <name=value>', description: 'a parameter of the strategy; repeatable', parse: pair };

/** What to trade with. `symbols`: which symbols it trades without `--symbol`. */
export function strategy(symbols: string): readonly OptionRow[] {
  return [
    { flags: '-s, --strategy <file>', description: 'a strategy file; repeatable', usual: 'those of the configuration', parse: each },
    PARAM,
    { flags: '--symbol <symbol>', description: 'a symbol to trade; repeatable', usual: symbols, parse: each },
  ];
}

export const FROM: OptionRow = {
  flags: '--from <time>',
  description: 'first moment: milliseconds since 1970, or a UTC time such as 2024-08-08T23:55',
  parse: moment,
};
export const TO: OptionRow = { flags: '--to <time>', description: 'moment to stop before', parse: moment };
export const SEED: OptionRow = {
  flags: '--seed <number>',
  description: 'seed of all randomness',
  usual: 'that of the configuration',
  parse: wholeNumber(0, Number.MAX_SAFE_INTEGER),
};
export const EVERY_TICK: OptionRow = { flags: '--every-tick', description: 'show the strategy every row of the tape' };
export const SPREAD: OptionRow = {
  flags: '--spread <amount>',
  description: 'bid to ask on a tape of bars: a price, a share such as 0.02%, or 0.1atr',
  usual: '0.01%',
  parse: spread,
};
export const DETAIL: OptionRow = {
  flags: '--detail <folder>',
  description: 'a finer tape, used inside the bars of a tape of bars where it has all of them',
};

export const SIGNALS: OptionRow = {
  flags: '--signals <file>',
  description: 'CSV or JSON lines of time, strategy and text: calls of onSignal, as a webhook makes them',
};

/** Most and least times real time that a tape is played. */
export const speed = numberBetween(0.001, 10_000);

export const RESULT_FILES: readonly OptionRow[] = [
  { flags: '-o, --out <file>', description: 'also write it as JSON to this file' },
  { flags: '--html <file>', description: 'also write it as a page for a browser, with charts' },
];

/** The tables of a result as files. */
export const TABLE_FILES: readonly OptionRow[] = [
  { flags: '--tables <folder>', description: 'also write its tables as files for pandas, polars, DuckDB or R (docs/reference/tables.md)' },
  { flags: '--table-format <name>', description: 'form of these files', choices: ['parquet', 'arrow'], usual: 'parquet' },
  {
    flags: '--table-numbers <form>',
    description: 'amounts, prices and sizes in them: double, or decimal, digit by digit',
    choices: ['double', 'decimal'],
    usual: 'double',
  },
];
export const RESULT: OptionGroup = { title: 'The result:', options: [...RESULT_FILES, ...TABLE_FILES, JSON_OPTION] };
/** As a row of help. */
export const TABLES_WRITTEN: Row = ['--tables FOLDER', 'a file for each table'];

/** A recorded tape as the market of a session. */
export const MARKET_TAPE: readonly OptionRow[] = [
  { flags: '-t, --tape <folder>', description: 'the market of the same time, from `tape record`, instead of what the polls returned' },
  { flags: '--speed <factor>', description: 'of a tape that the paper exchange served: its speed', parse: speed },
  { flags: '--start <time>', description: 'of a tape that the paper exchange served: when it served the first row', parse: moment },
];

export const SESSION: OptionRow = {
  flags: '--session <folder>',
  description: "a recorded session, all sessions of a bot, or the bot's state folder",
  isNeeded: true,
};
