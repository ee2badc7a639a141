/** Commands that read recorded sessions and stored results. */
import type { CommandRow } from '../shell/command-row.ts';
import { pair, wholeNumber } from '../shell/values.ts';
import { configuration, JSON_OPTION, MARKET_TAPE, SESSION, TABLE_FILES, TABLES_WRITTEN } from './shared-options.ts';

export const SESSION_COMMANDS: readonly CommandRow[] = [
  {
    name: 'report',
    summary: 'show the report of a session, or a stored report',
    description:
      'Show the report of a live session, a result written as JSON, or a study: as text, as Markdown, or as a page for a browser. --compare shows two runs side by side.',
    args: [{ name: '[file]', description: 'the JSON of a result, or a study' }],
    options: [
      {
        title: 'Options:',
        options: [
          {
            flags: '--session <folder>',
            description: "a recorded session, all sessions of a bot, or the bot's state folder, instead of a file",
          },
          { flags: '--html <file>', description: 'write a page for a browser, with charts' },
          { flags: '--out <file>', description: 'write the report as JSON' },
          { flags: '--trades <file>', description: 'write all closed trades of a run as CSV' },
          ...TABLE_FILES,
          { flags: '--json', description: 'print the report as JSON' },
          { flags: '--markdown', description: 'print it as Markdown' },
          { flags: '--compare <file>', description: 'the JSON of another report, to show beside this one' },
          { flags: '--all', description: 'print all that the page says: costs, trades, every metric (docs/reference/metrics.md)' },
        ],
      },
    ],
    examples: [
      ['tickwright report report.json', 'the report as text'],
      ['tickwright report report.json --html report.html', 'the same as a page with charts'],
      ['tickwright report report.json --all', 'the same with costs, trades and every metric'],
      ['tickwright report my.study --html search.html', 'a search that is complete, as a page'],
      ['tickwright report old.json --compare new.json', 'the metrics of two runs side by side'],
      ['tickwright report new.json --compare old.json --html both.html', 'two runs side by side, as a page'],
      ['tickwright report --session var/bot', 'all recorded sessions of a bot, as one run'],
      ['tickwright report --session var/bot --compare backtest.json', 'a live session beside a backtest'],
    ],
    notes: [
      'FILE is what `backtest`, `optimize`, `walk-forward` or `monte-carlo` wrote with `--out FILE`, or the file of a complete study. The page is one file that loads nothing; it can be sent and kept.',
      'A session is read from its recording (docs/sessions.md), which must replay equal: with the recorded version of the strategy.',
    ],
    files: [
      ['--html FILE', 'the page'],
      ['--out FILE', 'the report as JSON'],
      ['--trades FILE', 'a row for each closed trade'],
      TABLES_WRITTEN,
    ],
    exits: { done: 'the report was shown', usage: '', configuration: '' },
    run: async () => (await import('../sessions/report-command.ts')).runReport,
  },
  {
    name: 'report divergence',
    summary: 'why a session earned something else than its backtest',
    description: 'Run a recorded session again as a backtest, and attribute the difference of the profit to named causes.',
    options: [
      {
        title: 'Options:',
        options: [
          SESSION,
          { flags: '--daily', description: 'day by day: how well the backtest of each day predicted its trading' },
          { flags: '--days <number>', description: 'with --daily: only the last days', parse: wholeNumber(1, 3_650) },
          { flags: '--html <file>', description: 'with --daily: write a page for a browser' },
          ...configuration('a configuration file: its simulation is that of the backtest'),
          JSON_OPTION,
          ...MARKET_TAPE,
        ],
      },
    ],
    examples: [
      ['tickwright report divergence --session var/bot', 'every cause of the difference, the largest first'],
      ['tickwright report divergence --session var/bot --daily', 'one number a day, with its largest causes'],
      ['tickwright report divergence --session var/bot --tape tapes/recorded', 'on all that the market did, not only what was polled'],
      ['tickwright report divergence --session var/bot --config calibrated.yaml', 'with another simulation, such as that of `calibrate`'],
    ],
    notes: [
      'The session is run again as a backtest on what its polls saw. Each further run takes one more thing from the recording; the change of the profit is the amount of that cause. The amounts add up to the difference exactly. See docs/sessions.md.',
      'Of a configuration only the section `simulation` counts: everything else is that of the session.',
    ],
    exits: { done: 'the difference was explained', usage: '', configuration: '' },
    run: async () => (await import('../sessions/divergence-command.ts')).runDivergence,
  },
  {
    name: 'report audit',
    summary: 'compare a session with the ledger of the exchange',
    description:
      'Compare what a bot recorded with the ledger of the paper exchange that it traded on: every order, its fills, fee, profit and end, positions and balances.',
    options: [
      {
        title: 'Options:',
        options: [
          SESSION,
          { flags: '--ledger <folder>', description: 'the --state folder of the exchange, or of `start`', isNeeded: true },
          { flags: '--all', description: 'print every line, not only those that differ' },
          { flags: '--json', description: 'print every line as JSON' },
        ],
      },
    ],
    examples: [
      ['tickwright report audit --session var/bot --ledger var/exchange', 'whether both agree, and where they differ first'],
      ['tickwright report audit --session var/bot --ledger var/exchange --all', 'every order, fill, fee and balance'],
    ],
    notes: [
      'The session is replayed, and what the bot took from it is compared with the ledger. Neither is computed from the other. A price is compared to half a tick, because the venue names averages; everything else exactly.',
      'Of a session that was killed, the next ones are read too: they booked what it had not read. What no recording has is counted apart: orders of the last second before a `kill -9`, and what happened after the last read.',
    ],
    exits: {
      done: 'nothing that was recorded differs',
      failed: 'something differs: the first line is named',
      usage: '',
      configuration: '',
    },
    run: async () => (await import('../sessions/audit-command.ts')).runAudit,
  },
  {
    name: 'replay',
    summary: 'repeat a recorded session and compare',
    description: 'Repeat recorded sessions of a bot and compare everything the bot did with the recording.',
    args: [{ name: '<session>', description: 'the folder of a session, a folder of sessions, or a black box' }],
    options: [
      {
        title: 'Options:',
        options: [
          { flags: '--until <when>', description: 'number of the first event to leave out, or a time such as 2026-01-31T10:00:00Z' },
          { flags: '-p, --param <name=value>', description: 'a parameter instead of the recorded one; repeatable', parse: pair },
          { flags: '--with <file>', description: 'a strategy file instead of the recorded one: what would it have done?' },
          {
            flags: '--from-snapshot <when>',
            description: 'restart the bot at the first saved state from there on; written as for --until',
          },
          { flags: '--html <file>', description: 'write a page that shows the session on a time axis' },
          { flags: '--answers', description: 'print the recorded bodies of answers, a JSON object each, instead of a replay' },
          { flags: '--json', description: 'print one JSON object a session' },
        ],
      },
    ],
    examples: [
      ['tickwright replay var/bot/sessions', 'all recorded sessions of a bot, the oldest first'],
      ['tickwright replay var/bot/sessions/2026-01-31T09-30-00-000Z', 'one session, from a start of the bot to its end'],
      ['tickwright replay SESSION --until 2026-01-31T10:00:00Z', 'only what came before that'],
      ['tickwright replay SESSION --param fast=10', 'where another parameter would have decided otherwise'],
      ['tickwright replay SESSION --html session.html', 'the session on a time axis, for a browser'],
      ['tickwright replay SESSION --with changed.ts', 'what a changed strategy would have done'],
      ['tickwright replay SESSION --with changed.ts --from-snapshot 2026-01-31T10:00:00Z', 'the same from the saved state of that time'],
    ],
    notes: [
      'From the first different decision of --with, or from --from-snapshot on, a simulated venue answers. It has the recorded market and begins with the recorded account. What it says is an estimate.',
      'A fresh kernel with the recorded strategies, parameters and limits gets the recorded events. Commands, questions, journal records and saved states must be the same. The strategy files are those on disk now; the output names those that were changed. It needs no venue and no store. See docs/sessions.md.',
    ],
    exits: { done: 'all sessions are as recorded', failed: 'one is not: the first difference is named', usage: '', configuration: '' },
    run: async () => (await import('../sessions/replay-command.ts')).runReplay,
  },
  {
    name: 'blackbox',
    summary: 'a session as one file that may be sent to others',
    description:
      'Make one file of a recorded session: an allow-list of fields, ids under other names, times shifted by weeks, texts of venues and people left out. It is replayed before it says that it replays.',
    args: [{ name: '<session>', description: 'the folder of a session' }],
    options: [
      {
        title: 'Options:',
        options: [
          { flags: '-o, --out <file>', description: 'the file, which must not exist; one that ends in .zst is compressed', isNeeded: true },
          { flags: '--intents', description: 'put what the strategies asked for in the place of their texts' },
          JSON_OPTION,
        ],
      },
    ],
    examples: [
      ['tickwright blackbox var/bot/sessions/2026-01-31T09-30-00-000Z --out box.jsonl'],
      ['tickwright blackbox SESSION --out box.jsonl.zst --intents', 'without the text of the strategy'],
      ['tickwright replay box.jsonl', 'as a session'],
    ],
    notes: [
      'Read it before you send it: it is one JSON object a line, and the first line says what it holds. docs/sessions.md says what stays as it was.',
    ],
    files: [['--out FILE', 'mode 0600']],
    exits: { done: 'it replays', failed: 'it was written, and does not replay', usage: '', configuration: '' },
    run: async () => (await import('../sessions/blackbox-command.ts')).runBlackbox,
  },
  {
    name: 'shrink',
    summary: 'the fewest events of a session that show a fault, as a test',
    description:
      'Leave out events of a session, or of a black box, as long as a fault still shows, and write the rest as a test with its fixture. The test fails until the fault is mended.',
    args: [{ name: '<session>', description: 'the folder of a session, or a black box' }],
    options: [
      {
        title: 'Options:',
        options: [
          {
            flags: '-o, --out <file>',
            description: 'the test, such as fault.test.ts; its fixture fault.json stands beside it',
            isNeeded: true,
          },
          {
            flags: '--fault <words>',
            description: 'an event of the log and fields of it, "error" or "command": "opens-halted code=daily-loss"',
            usual: 'the first that the replay shows: a difference, an error, a warning',
          },
          JSON_OPTION,
        ],
      },
    ],
    examples: [
      ['tickwright shrink SESSION --out fault.test.ts'],
      ['tickwright shrink box.jsonl --out fault.test.ts --fault "opens-halted code=daily-loss"'],
      ['node --test fault.test.ts', 'fails until the fault is mended'],
    ],
    notes: [
      'Strategies are the files on disk; those of a black box are written beside the test. The fixture of a session that is no black box has its ids and texts.',
    ],
    exits: { done: '', usage: 'no such session, or the fault does not show', configuration: '' },
    run: async () => (await import('../sessions/blackbox-command.ts')).runShrink,
  },
  {
    name: 'calibrate',
    summary: 'fit the models of backtests to a session',
    description:
      'Fit the latency model and the fill model of backtests to recorded sessions, and score them on the part that was not used for the fit.',
    options: [
      {
        title: 'Options:',
        options: [
          SESSION,
          { flags: '--out <file>', description: 'write a configuration for `backtest --config`' },
          JSON_OPTION,
          ...MARKET_TAPE,
        ],
      },
    ],
    examples: [
      ['tickwright calibrate --session var/bot', 'how well each model forecasts what happened'],
      ['tickwright calibrate --session var/bot --out calibrated.yaml', 'and a configuration with the best ones'],
      ['tickwright backtest --config calibrated.yaml --strategy my.ts --tape tapes/btc', 'a backtest with them'],
    ],
    notes: [
      'Models are fitted to the first two thirds of the messages and orders and scored on the rest. A model that does not beat the default, or has too little data, is not used. See docs/sessions.md.',
    ],
    files: [['--out FILE', 'the section `simulation` of a configuration; measured delays are written beside it']],
    exits: { done: 'the models were judged', usage: '', configuration: '' },
    run: async () => (await import('../sessions/calibrate-command.ts')).runCalibrate,
  },
];
