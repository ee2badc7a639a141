/** `exchange`: serves a recording or a synthetic market as a venue. `start`: the same, with a bot that trades on it. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Option, type Command } from 'commander';
import { Failure } from '../../base/failure.ts';
import { didYouMean } from '../../base/suggest.ts';
import { DEPOSIT, isDeposit } from '../../config/deposit.ts';
import type { BotConfig, LedgerReads, PageAccess } from '../../config/model.ts';
import { FILL_MODELS, type FillModelName } from '../../domain/models/fill.ts';
import { demoAccount, type ExchangeOptions, SYNTHETIC_MAX } from '../../run/setup/options.ts';
import {
  configOf,
  folderToBe,
  requireTape,
  strategiesOf,
  withParams,
  type ChoiceFlags,
  type CliContext,
  type ConfigFlags,
} from '../shell/context.ts';
import { faultOptions, type FaultFlags } from './faults.ts';
import { ANY_KEY, EXITS, helpText, optionFrom, withOtherHelp, type HelpParts } from '../shell/help.ts';
import { addSwitches, switchesFrom } from './switch-options.ts';
import { duration, each, numberBetween, pair, wholeNumber } from '../shell/values.ts';

interface MarketFlags extends ConfigFlags {
  readonly tape?: string;
  readonly synth?: true;
  readonly marketUrl?: string;
  readonly symbols?: number;
  readonly season?: true;
  readonly stretch?: number;
  readonly port: number;
  readonly speed: number;
  readonly seed?: number;
  readonly state?: string;
}

interface ExchangeFlags extends MarketFlags, FaultFlags {
  readonly host: string;
  readonly loop?: true;
  readonly accounts: number;
  readonly deposit?: Readonly<Record<string, string>>;
  readonly fillModel?: FillModelName;
  readonly page?: PageAccess;
  readonly ledgerReads?: LedgerReads;
  readonly ledgerKeep?: number;
}

type StartFlags = MarketFlags & ChoiceFlags & { readonly state: string };

const PAPER = fileURLToPath(new URL('../../../config/paper.yaml', import.meta.url));

const EXCHANGE_PARTS: HelpParts = {
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
      'ledger.jsonl and its older segments ledger-0001.jsonl, …: everything that happened; state.json and inputs-N.jsonl: what it needs to continue after any end',
    ],
  ],
  exits: [
    ['0', 'stopped'],
    ['1', 'the port is not available, or the ledger can no longer be written'],
    EXITS.usage,
    EXITS.occupied,
    EXITS.configuration,
  ],
};

const START_PARTS: HelpParts = {
  examples: [
    ['tickwright start'],
    ['tickwright start --tape tapes/btc --speed 20 --strategy my.ts --param fast=10', 'your strategy on a recording, faster'],
  ],
  notes: ['Ctrl-C stops cleanly; started again, exchange and bot continue where they were. --state another/folder starts from zero.'],
  variables: [ANY_KEY],
  files: [['--state FOLDER', 'exchange/ (its ledger) and bot/ (its journal)']],
  exits: [['0', 'stopped'], EXITS.failed, EXITS.usage, EXITS.occupied, EXITS.configuration],
};

export function addExchange(program: Command, context: CliContext): void {
  const exchange = program
    .command('exchange')
    .summary('serve a paper exchange')
    .description('Serve a recording, a synthetic market or the live market of another venue as a venue over HTTP, to any client.');
  marketOptions(exchange)
    .option('--loop', 'start the tape over at its end')
    .addOption(
      optionFrom('--fill-model <name>', 'when a resting order fills', 'that of the configuration').choices(Object.keys(FILL_MODELS)),
    )
    .optionsGroup('Accounts:')
    .option('--accounts <number>', 'how many demo accounts', wholeNumber(1, 1000), 1)
    .addOption(optionFrom('--deposit <coin=amount>', 'opening balance of each; repeatable', 'that of the configuration', pair))
    .addOption(optionFrom('--state <folder>', 'keep the ledger here', 'in memory'))
    .addOption(
      optionFrom(
        '--ledger-reads <how>',
        'how reads appear in the ledger: one line each, one line of counts a second, or none',
        'counts',
      ).choices(['all', 'counts', 'none']),
    )
    .addOption(
      optionFrom('--ledger-keep <number>', 'closed segments of the ledger to keep, 64 MB each; 0 = all', '0', wholeNumber(0, 1_000_000)),
    )
    .optionsGroup('Where it listens:')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', '0 = the system chooses', wholeNumber(0, 65_535), 8420)
    .addOption(
      optionFrom('--page <who>', 'who may open the page; here = callers on this machine', 'here').choices(['here', 'everyone', 'nobody']),
    )
    .optionsGroup('Faults:')
    .option('--faults <file>', 'a fault plan (YAML or JSON): which faults, how often')
    .option('--admin-port <number>', 'open the admin interface on this port of 127.0.0.1; 0 = the system chooses', wholeNumber(0, 65_535));
  configurationOptions(exchange);
  addSwitches(exchange.optionsGroup('Where the interface is silent:'));
  withOtherHelp(exchange)
    .addHelpText('after', helpText(EXCHANGE_PARTS))
    .action(async (flags: ExchangeFlags) => {
      if (flags.tape === undefined && !flags.synth && flags.marketUrl === undefined) {
        throw new Failure('flag-missing', {
          what: 'expected --tape FOLDER or --synth or --market-url URL',
          where: 'exchange',
          hint: 'tickwright exchange --synth',
        });
      }
      const faults = await faultOptions(flags, context);
      const config = await configOf(flags, context);
      const options = { ...exchangeOptions(flags, config), ...faults };
      const { runExchange } = await import('../../run/exchange/run.ts');
      context.exit(await runExchange(options, context.io));
    });
}

/** Refuses a flag of one kind of market with another kind. @throws Failure */
function checkMarket({ tape, marketUrl, stretch, symbols, season }: MarketFlags): void {
  const isSynthetic = tape === undefined && marketUrl === undefined;
  const wrong = (flag: string, market: string): never => {
    throw new Failure('flag-conflict', { what: `${flag} works only with ${market}`, where: flag });
  };
  if (stretch !== undefined && tape === undefined) wrong('--stretch', 'a tape');
  if (symbols !== undefined && !isSynthetic) wrong('--symbols', 'a synthetic market');
  if (season === true && !isSynthetic) wrong('--season', 'a synthetic market');
}

export function addStart(program: Command, context: CliContext): void {
  const start = program
    .command('start')
    .summary('a paper exchange and a bot on it')
    .description('Start the paper exchange on this machine and the bot on it, over real HTTP. Needs no key and no network.')
    .optionsGroup('Strategy:')
    .addOption(optionFrom('-s, --strategy <file>', 'a strategy file; repeatable', 'those of the configuration', each))
    .option('-p, --param <name=value>', 'a parameter of the strategy; repeatable', pair)
    .addOption(optionFrom('--symbol <symbol>', 'a symbol to trade; repeatable', 'those of the configuration', each));
  marketOptions(start)
    .optionsGroup('Exchange:')
    .option('--port <number>', 'port to listen on; 0 = the system chooses', wholeNumber(0, 65_535), 0)
    .option('--state <folder>', 'keep ledger and journal here', 'var/start');
  configurationOptions(start);
  withOtherHelp(start)
    .addHelpText('after', helpText(START_PARTS))
    .action(async (flags: StartFlags) => {
      const loaded = await configOf({ ...flags, config: flags.config ?? PAPER }, context);
      // The journal belongs to the account on this exchange. The folder that a file names has the journal of another account.
      const isSet = flags.set?.some((one) => one.startsWith('store.folder=')) === true;
      const store = isSet ? loaded.store : { ...loaded.store, folder: resolve(folderToBe(flags.state, '--state'), 'bot') };
      const config: BotConfig = { ...loaded, store, strategies: strategiesOf(flags, loaded) };
      const exchange = exchangeOptions({ ...flags, state: resolve(flags.state, 'exchange'), loop: true }, config);
      const { runStart } = await import('../../run/start.ts');
      context.exit(await withParams(flags, () => runStart({ exchange, config }, context.io)));
    });
}

function marketOptions(command: Command): Command {
  return command
    .optionsGroup('Market:')
    .option('--synth', 'a synthetic market, drawn from the seed')
    .addOption(new Option('-t, --tape <folder>', 'a recording, made by `tape import`').conflicts(['synth', 'marketUrl']))
    .addOption(new Option('--market-url <url>', 'the live market of another venue of this interface; orders stay here').conflicts('synth'))
    .option('--speed <factor>', 'times real time', numberBetween(0.001, 10_000), 1)
    .addOption(new Option('--stretch <time>', 'instead of --speed: play the tape once in this time, such as 2h').argParser(duration))
    .addOption(new Option('--symbols <number>', 'number of synthetic futures').argParser(wholeNumber(1, SYNTHETIC_MAX)))
    .option('--season', 'synthetic: make some hours of the day busier')
    .addOption(
      optionFrom('--seed <number>', 'seed of all randomness', 'that of the configuration', wholeNumber(0, Number.MAX_SAFE_INTEGER)),
    );
}

function configurationOptions(command: Command): Command {
  return command
    .optionsGroup('Configuration:')
    .option('-c, --config <file>', 'a configuration file: instruments, deposits, limits and more')
    .option('--set <key=value>', 'one key of it; repeatable', each);
}

function exchangeOptions(flags: MarketFlags & Partial<ExchangeFlags>, config: BotConfig): ExchangeOptions {
  checkMarket(flags);
  const deposits = flags.deposit ?? config.simulation.deposits;
  const coins = new Set(config.instruments.flatMap(({ baseCoin, quoteCoin }) => [baseCoin, quoteCoin]));
  for (const coin of Object.keys(flags.deposit ?? {})) {
    if (coins.has(coin)) continue;
    const hint = didYouMean(coin, coins) ?? `its coins are ${[...coins].join(', ')}`;
    throw new Failure('flag-value', { what: `expected a coin of this market, found "${coin}"`, where: '--deposit', hint });
  }
  for (const [coin, amount] of Object.entries(deposits)) {
    if (!isDeposit(amount)) {
      const hint = `such as ${coin}=1000.5`;
      throw new Failure('flag-value', { what: `expected ${DEPOSIT}, found "${amount}"`, where: '--deposit', hint });
    }
  }
  return {
    tape: flags.tape === undefined ? null : requireTape(flags.tape),
    host: flags.host ?? '127.0.0.1',
    port: flags.port,
    speed: flags.speed,
    loop: flags.loop === true,
    stretchMs: flags.stretch,
    symbols: flags.symbols,
    season: flags.season === true,
    marketUrl: flags.marketUrl,
    seed: flags.seed ?? config.seed,
    state: flags.state === undefined ? null : folderToBe(flags.state, '--state'),
    accounts: Array.from({ length: flags.accounts ?? 1 }, (_, i) => demoAccount(i, deposits)),
    switches: switchesFrom({ ...flags }, config.exchange),
    reference: config.exchange.reference,
    page: flags.page ?? config.exchange.page,
    ledgerReads: flags.ledgerReads ?? config.exchange.ledgerReads,
    ledgerKeep: flags.ledgerKeep ?? config.exchange.ledgerKeep,
    fillModel: flags.fillModel ?? config.simulation.fillModel,
    config,
  };
}
