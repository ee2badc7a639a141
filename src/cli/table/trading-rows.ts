/**
 * Commands that run a bot or a paper exchange.
 * size: a table
 */
import { FILL_MODELS } from '../../domain/models/fill.ts';
import { STALE_ORDERS, SYNTHETIC_MAX } from '../../run/setup/options.ts';
import { fallbackOf, flagOf, SWITCH_LIST, type Switch } from '../../contract/switches.ts';
import type { CommandRow, OptionGroup, OptionRow } from '../shell/command-row.ts';
import { duration, pair, wholeNumber } from '../shell/values.ts';
import { ANY_KEY, configuration, CREDENTIALS, JSON_OPTION, SEED, speed, strategy } from './shared-options.ts';

const port = wholeNumber(0, 65_535);

const MARKET: readonly OptionRow[] = [
  { flags: '--synth', description: 'a synthetic market, drawn from the seed' },
  { flags: '-t, --tape <folder>', description: 'a recording, made by `tape import`', conflicts: ['synth', 'marketUrl'] },
  {
    flags: '--market-url <url>',
    description: 'the live market of another venue of this interface; orders stay here',
    conflicts: ['synth'],
  },
  {
    flags: '--stale-orders <what>',
    description: 'live market that is away: refuse orders, or fill them at its last quotes',
    choices: STALE_ORDERS,
    usual: 'refuse',
  },
  { flags: '--speed <factor>', description: 'times real time', parse: speed, fallback: 1 },
  { flags: '--stretch <time>', description: 'instead of --speed: play the tape once in this time, such as 2h', parse: duration },
  { flags: '--symbols <number>', description: 'number of synthetic futures', parse: wholeNumber(1, SYNTHETIC_MAX) },
  {
    flags: '--past <time>',
    description: 'synthetic: the past that historical trades (E8) show, such as 30d; 0 for none',
    usual: '20d',
    parse: (text) => (text === '0' ? 0 : duration(text)),
  },
  { flags: '--season', description: 'synthetic: make some hours of the day busier' },
  SEED,
];

const CONFIGURATION: OptionGroup = {
  title: 'Configuration:',
  options: configuration('a configuration file: instruments, deposits, limits and more'),
};

/** A switch of the paper exchange. It has no fallback: without the option the configuration decides. */
function switchOption(one: Switch & { readonly name: (typeof SWITCH_LIST)[number]['name'] }): OptionRow {
  const flag = flagOf(one.name);
  const description = /^[A-Z]{2}/.test(one.doc) ? one.doc : `${one.doc.charAt(0).toLowerCase()}${one.doc.slice(1)}`;
  switch (one.kind) {
    case 'flag':
      return { flags: flag, description };
    case 'number':
      return {
        flags: `${flag} <${one.unit === '' ? 'number' : one.unit}>`,
        description,
        usual: fallbackOf(one),
        parse: wholeNumber(one.min, one.max),
      };
    case 'choice':
      return { flags: `${flag} <choice>`, description, usual: fallbackOf(one), choices: one.choices.map(String) };
  }
}

export const SWITCH_OPTIONS: readonly OptionRow[] = SWITCH_LIST.map(switchOption);

export const TRADING_COMMANDS: readonly CommandRow[] = [
  {
    name: 'start',
    summary: 'a paper exchange and a bot on it',
    description: 'Start the paper exchange on this machine and the bot on it, over real HTTP. Needs no key and no network.',
    options: [
      { title: 'Strategy:', options: strategy('those of the configuration') },
      { title: 'Market:', options: MARKET },
      {
        title: 'Exchange:',
        options: [
          { flags: '--port <number>', description: 'port to listen on; 0 = the system chooses', parse: port, fallback: 0 },
          { flags: '--state <folder>', description: 'keep ledger and journal here', fallback: 'var/start' },
        ],
      },
      CONFIGURATION,
    ],
    examples: [
      ['tickwright start'],
      ['tickwright start --tape tapes/btc --speed 20 --strategy my.ts --param fast=10', 'your strategy on a recording, faster'],
    ],
    notes: [
      'Ctrl-C stops cleanly; started again, exchange and bot continue where they were. --state another/folder starts from zero.',
      'Without --config it uses config/paper.yaml of this folder, else that of the package: limits (risk.*) there are wider than those of `backtest` without one.',
      'A strategy of --strategy trades the symbols of the strategies in the configuration, else BTCUSDT, unless --symbol names others. On a tape or another market without --config it trades what that market has.',
      'If nobody set poll.trades, trades of many symbols are polled as slowly as the limits ask for; without `limits` they are those of config/limits.paper.json. For a universe a synthetic market has a fifth more futures than it takes, and a past as long as it reads.',
    ],
    variables: [ANY_KEY],
    files: [['--state FOLDER', 'exchange/ (its ledger) and bot/ (its journal)']],
    exits: { done: 'stopped', failed: '', usage: '', occupied: '', configuration: '' },
    isPrivate: true,
    run: async () => (await import('../exchange/exchange-command.ts')).startBoth,
  },
  {
    name: 'run',
    summary: 'run the bot on a venue',
    description: 'Run the bot on the venue that the configuration names, until it is stopped.',
    options: [
      {
        title: 'Where:',
        options: [
          ...configuration('the configuration file, which names the venue', { isNeeded: true }),
          { flags: '--live', description: 'allow trading on a remote venue' },
          { flags: '--check', description: 'make all checks of a start, and end' },
          { flags: '--record <folder>', description: 'record what the polls show as a tape; an earlier recording goes on' },
        ],
      },
      { title: 'What:', options: strategy('those of the configuration') },
    ],
    examples: [
      ['tickwright run --config config/paper.yaml'],
      ['tickwright run --config config/paper.yaml --strategy my.ts --param fast=10', 'another strategy than the file names'],
      ['tickwright run --config live.yaml --live', 'a remote venue'],
      ['tickwright run --config live.yaml --live --check', 'only whether it would start: code 0 or 78'],
    ],
    notes: ['Ctrl-C stops the bot cleanly. Started again it continues from its state, also after a kill.'],
    variables: [CREDENTIALS, ANY_KEY],
    files: [
      ['store.folder', "the bot's journal and state, by default var/bot; with store.kind redis they are in Redis"],
      ['venue.credentials', 'a file of mode 0600 with the credentials, used if the variables are not set'],
    ],
    exits: { done: '', failed: '', usage: '', ordersLeft: '', hung: '', memory: '', occupied: '', configuration: '' },
    isPrivate: true,
    run: async () => (await import('../bot/start/run-command.ts')).runOnVenue,
  },
  {
    name: 'watchdog',
    summary: 'cancel the opening orders of a bot that hangs or is gone',
    description: 'Watch a bot from another process: if it does not advance any more, halt it and cancel its opening orders.',
    options: [
      {
        title: 'Which bot:',
        options: [
          ...configuration('the configuration file that the bot is started with'),
          { flags: '--given', description: 'read what to watch from standard input, as from the bot that starts it' },
          { flags: '--end', description: 'end the watchdog that runs, as of a bot that was killed' },
          { flags: '--state <folder>', description: "with --end: the folder of the bot's store, or the one of start" },
        ],
      },
    ],
    examples: [
      ['tickwright watchdog --config live.yaml', 'beside the bot, for a process manager'],
      ['tickwright watchdog --end --config live.yaml', 'before a move: a killed bot leaves one'],
    ],
    notes: [
      'Closing orders, take-profits and stop-losses stay, unless watchdog.flattenAfterMs is set: then it closes the positions too. The bot opens nothing until a person types `tickwright resume`, or with watchdog.resume: restart until it is started again.',
      'It waits for a bot that does not run. A clean stop and a restart within watchdog.silenceMs are no reason to act. docs/monitor.md has the rest.',
    ],
    variables: [CREDENTIALS, ANY_KEY],
    files: [['FOLDER.watchdog.json', 'beside the folder of the store: what it does, for other programs']],
    exits: {
      done: 'stopped; with --end, none runs',
      failed: '',
      usage: '',
      notRunning: 'with --end: no bot has run there',
      occupied: '',
      configuration: '',
    },
    isPrivate: true,
    run: async () => (await import('../bot/watchdog-command.ts')).runWatchdogOf,
  },
  {
    name: 'check',
    summary: 'what a new configuration means for open positions, orders, limits and strategies',
    description: 'Compare a new configuration with a bot that has the old one, running or stopped. Nothing is changed.',
    args: [
      { name: '<old>', description: 'the configuration file that the bot has' },
      { name: '<new>', description: 'the one that it is to get' },
    ],
    options: [{ title: 'Options:', options: [JSON_OPTION] }],
    examples: [['tickwright check live.yaml next.yaml']],
    notes: [
      'Lines that begin with MONEY concern a position or an order: one that nobody works on any more, that is above a new limit, or that another store, venue or key would not know.',
      'What an operator changed while the bot ran (`set`, `add`, `remove`) stays as it is, and is named. The new file must be one with which a bot can start.',
    ],
    exits: {
      done: 'nothing concerns a position or an order',
      failed: '',
      usage: '',
      partly: 'a line concerns a position or an order',
      notRunning: 'the bot runs, but does not answer',
      configuration: 'no bot can be started with the new configuration',
    },
    run: async () => (await import('../bot/start/check-command.ts')).runCheck,
  },
  {
    name: 'restart',
    summary: 'check a changed configuration, and let PM2 start the bot with it',
    description: 'Check the configuration of a bot under PM2, and if it is right let PM2 start the bot again.',
    args: [{ name: '[what]', description: 'the name of the program in PM2, or the file of PM2', fallback: 'tickwright' }],
    examples: [
      ['tickwright restart', 'the program "tickwright" of PM2'],
      ['tickwright restart ecosystem.config.cjs', 'after a change of this file'],
    ],
    notes: [
      'First it makes the checks of `run --check` with the command line of the bot. If one fails, the bot that runs is left alone.',
      'Orders stay at the venue, and the bot adopts them.',
    ],
    exits: { done: '', failed: '', usage: '', configuration: 'a check failed: the bot that runs was left alone' },
    run: async () => (await import('../bot/start/restart-command.ts')).runRestart,
  },
  {
    name: 'exchange',
    summary: 'serve a paper exchange',
    description: 'Serve a recording, a synthetic market or the live market of another venue as a venue over HTTP, to any client.',
    options: [
      {
        title: 'Market:',
        options: [
          ...MARKET,
          { flags: '--loop', description: 'start the tape over at its end' },
          {
            flags: '--fill-model <name>',
            description: 'when a resting order fills',
            usual: 'that of the configuration',
            choices: Object.keys(FILL_MODELS),
          },
        ],
      },
      {
        title: 'Accounts:',
        options: [
          { flags: '--accounts <number>', description: 'how many demo accounts', parse: wholeNumber(1, 1000), fallback: 1 },
          {
            flags: '--deposit <coin=amount>',
            description: 'opening balance of each; repeatable',
            usual: 'that of the configuration',
            parse: pair,
          },
          { flags: '--state <folder>', description: 'keep the ledger here', usual: 'in memory' },
          {
            flags: '--ledger-reads <how>',
            description: 'how reads appear in the ledger: one line each, one line of counts a second, or none',
            usual: 'counts',
            choices: ['all', 'counts', 'none'],
          },
          {
            flags: '--ledger-keep <number>',
            description: 'closed segments of the ledger to keep, 64 MB each; 0 = all',
            usual: '0',
            parse: wholeNumber(0, 1_000_000),
          },
        ],
      },
      {
        title: 'Where it listens:',
        options: [
          { flags: '--host <address>', description: 'address to listen on', fallback: '127.0.0.1' },
          { flags: '--port <number>', description: '0 = the system chooses', parse: port, fallback: 8420 },
          {
            flags: '--page <who>',
            description: 'who may open the page; here = callers on this machine',
            usual: 'here',
            choices: ['here', 'everyone', 'nobody'],
          },
        ],
      },
      {
        title: 'Faults:',
        options: [
          { flags: '--faults <file>', description: 'a fault plan (YAML or JSON): which faults, how often' },
          {
            flags: '--admin-port <number>',
            description: 'open the admin interface on this port of 127.0.0.1; 0 = the system chooses',
            parse: port,
          },
        ],
      },
      CONFIGURATION,
      { title: 'Where the interface is silent:', options: SWITCH_OPTIONS },
    ],
    examples: [
      ['tickwright exchange --synth', 'a synthetic market on port 8420'],
      ['tickwright exchange --synth --symbols 50 --season', 'fifty symbols, busier at some hours'],
      ['tickwright exchange --tape tapes/btc --speed 20 --loop', 'a recording at twenty times its speed, in a loop'],
      ['tickwright exchange --market-url https://api.example.com --state var/paper', 'live prices of another venue; orders stay here'],
      ['tickwright exchange --synth --state var/exchange --accounts 2 --deposit USDT=5000', 'two accounts, kept on disk'],
      ['tickwright exchange --synth --state var/exchange --faults faults.yaml --admin-port 8421', 'a venue with faults'],
    ],
    notes: [
      'It prints its address and demo accounts (key, secret, passphrase) for any client, and serves a web page at that address. docs/curl-walk.md shows every endpoint with curl.',
      'The switches choose how the exchange behaves where the interface is silent (docs/reference/assumptions.md). A configuration file can set them in its section `exchange`, and name a file of spot symbols, coins and withdrawals (exchange.reference).',
    ],
    variables: [['TICKWRIGHT_ADMIN_TOKEN', 'the token of the admin interface; if not set, one is generated and printed'], ANY_KEY],
    files: [
      [
        '--state FOLDER',
        'ledger.jsonl and its older segments ledger-0001.jsonl, …: everything that happened; state.json and inputs-N.jsonl: what it needs to continue after any end; minutes.jsonl: market trades by the minute',
      ],
    ],
    exits: {
      done: 'stopped',
      failed: 'the port is not available, or the ledger can no longer be written',
      usage: '',
      occupied: '',
      configuration: '',
    },
    run: async () => (await import('../exchange/exchange-command.ts')).serveExchange,
  },
  {
    name: 'ledger',
    summary: "show a paper exchange's ledger",
    description: 'Show what happened on a paper exchange, from its ledger on disk.',
    // The kinds of --lines take all words that follow them.
    usage: '<folder> [options]',
    args: [{ name: '<folder>', description: 'the folder of --state; that of start has it in "exchange"' }],
    options: [
      {
        title: 'Options:',
        options: [
          {
            flags: '--lines <kinds...>',
            description: 'print the lines of these kinds: request, command, order, end, fill, cash, step, fault, read, counts, refusal',
            conflicts: ['json'],
          },
          JSON_OPTION,
        ],
      },
    ],
    examples: [
      ['tickwright ledger var/exchange', 'requests, orders, fills, faults and money, counted'],
      ['tickwright ledger var/exchange --lines fill fault', 'the lines of these kinds, one JSON object each'],
      ['tickwright ledger var/exchange --json', 'for other programs'],
    ],
    notes: ['It may be read while the exchange runs. Numbers are those of the simulator: ticks, lots, and 10^-8 of a coin.'],
    exits: { done: '', failed: '', usage: '' },
    run: async () => (await import('../exchange/ledger-command.ts')).runLedger,
  },
];
