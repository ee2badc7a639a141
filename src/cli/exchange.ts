/** `exchange`: a recording or a made-up market served as a venue. `start`: that, and a bot on it. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Option, type Command } from 'commander';
import { Failure } from '../base/failure.ts';
import type { BotConfig, FillModelName, PageAccess } from '../config/model.ts';
import type { DemoAccount, ExchangeOptions } from '../run/options.ts';
import {
  configOf,
  folderToBe,
  requireTape,
  strategiesOf,
  withParams,
  type ChoiceFlags,
  type CliContext,
  type ConfigFlags,
} from './context.ts';
import { faultOptions, type FaultFlags } from './faults.ts';
import { addSwitches, switchesFrom } from './switch-options.ts';
import { each, numberFrom, pair, wholeNumber } from './values.ts';

interface MarketFlags extends ConfigFlags {
  readonly tape?: string;
  readonly synth?: true;
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
}

type StartFlags = MarketFlags & ChoiceFlags & { readonly state: string };

const PAPER = fileURLToPath(new URL('../../config/paper.yaml', import.meta.url));
const EXCHANGE_EXAMPLES = `
Examples:
  tickwright exchange --synth                              a made-up market on port 8420
  tickwright exchange --tape tapes/btc --port 0 --speed 20 --loop
  tickwright exchange --tape tapes/btc --state var/exchange --accounts 2 --deposit USDT=5000
  tickwright exchange --synth --state var/exchange --faults faults.yaml --admin-port 8421

It prints its address and a demo account (key, secret, passphrase) that any client can use. The switches answer what the
interface leaves open; try a client against each of them. A configuration file can keep them (section exchange), and a file of
reference data for E3, E4 and E5 (exchange.reference). docs/assumptions.md says more.`;

const START_EXAMPLES = `
Examples:
  tickwright start
  tickwright start --tape tapes/btc --speed 20 --strategy my.ts --param fast=10

Stop with Ctrl-C; started again, exchange and bot carry on from --state.`;

export function addExchange(program: Command, context: CliContext): void {
  const exchange = marketOptions(program.command('exchange'), '8420')
    .summary('serve a paper exchange')
    .description('Serve a recording or a made-up market as a venue over HTTP.')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--loop', 'start the tape over at its end')
    .option('--state <folder>', 'keep the ledger here (default: in memory)')
    .option('--accounts <number>', 'how many demo accounts', wholeNumber(1, 1000), 1)
    .option('--deposit <coin=amount>', 'opening balance of each account; repeatable (default: that of the configuration)', pair)
    .addOption(
      new Option('--fill-model <name>', 'when a resting order fills (default: that of the configuration)').choices([
        'touch',
        'through',
        'queue',
      ]),
    )
    .addOption(new Option('--page <who>', 'who may open the page (default: here)').choices(['here', 'everyone', 'nobody']))
    .option('--faults <file>', 'a fault plan, YAML or JSON: what goes wrong, how often')
    .option('--admin-port <number>', 'open the admin interface on this port of 127.0.0.1; 0 = the system chooses', wholeNumber(0, 65_535));
  addSwitches(exchange)
    .addHelpText('after', EXCHANGE_EXAMPLES)
    .action(async (flags: ExchangeFlags) => {
      if (flags.tape === undefined && !flags.synth) {
        throw new Failure('usage', { what: 'expected --tape FOLDER or --synth', where: 'exchange' });
      }
      const faults = await faultOptions(flags, context);
      const config = await configOf(flags, context);
      const options = { ...exchangeOptions(flags, config), ...faults };
      const { runExchange } = await import('../run/exchange.ts');
      context.exit(await runExchange(options, context.io));
    });
}

export function addStart(program: Command, context: CliContext): void {
  marketOptions(program.command('start'), '0')
    .summary('a paper exchange and a bot on it')
    .description('Start the paper exchange on this machine and the bot on it, over real HTTP. Needs no key and no network.')
    .option('-s, --strategy <file>', 'a strategy file; repeatable (default: those of the configuration)', each)
    .option('-p, --param <name=value>', 'a parameter of the strategy; repeatable', pair)
    .option('--symbol <symbol>', 'a symbol to trade; repeatable', each)
    .option('--state <folder>', 'keep ledger and journal here', 'var/start')
    .addHelpText('after', START_EXAMPLES)
    .action(async (flags: StartFlags) => {
      const loaded = await configOf({ ...flags, config: flags.config ?? PAPER }, context);
      const store =
        flags.config === undefined ? { ...loaded.store, folder: resolve(folderToBe(flags.state, '--state'), 'bot') } : loaded.store;
      const config: BotConfig = { ...loaded, store, strategies: strategiesOf(flags, loaded) };
      const exchange = exchangeOptions({ ...flags, state: resolve(flags.state, 'exchange'), loop: true }, config);
      const { runStart } = await import('../run/start.ts');
      context.exit(await withParams(flags, () => runStart({ exchange, config }, context.io)));
    });
}

function marketOptions(command: Command, port: string): Command {
  return command
    .addOption(new Option('-t, --tape <folder>', 'serve this tape').conflicts('synth'))
    .option('--synth', 'serve a made-up market, drawn from the seed')
    .option('--port <number>', '0 = the system chooses', wholeNumber(0, 65_535), Number(port))
    .option('--speed <factor>', 'times real time', numberFrom(0.001), 1)
    .option('--seed <number>', 'seed of all randomness (default: that of the configuration)', wholeNumber(0, Number.MAX_SAFE_INTEGER))
    .option('-c, --config <file>', 'a configuration file')
    .option('--set <key=value>', 'one key of the configuration; repeatable', each);
}

function exchangeOptions(flags: MarketFlags & Partial<ExchangeFlags>, config: BotConfig): ExchangeOptions {
  const deposits = flags.deposit ?? config.simulation.deposits;
  for (const [coin, amount] of Object.entries(deposits)) {
    if (!/^\d+(\.\d{1,8})?$/.test(amount))
      throw new Failure('usage', { what: `expected an amount such as ${coin}=1000.5, found "${amount}"`, where: '--deposit' });
  }
  return {
    tape: flags.tape === undefined ? null : requireTape(flags.tape),
    host: flags.host ?? '127.0.0.1',
    port: flags.port,
    speed: flags.speed,
    loop: flags.loop === true,
    seed: flags.seed ?? config.seed,
    state: flags.state === undefined ? null : folderToBe(flags.state, '--state'),
    accounts: Array.from({ length: flags.accounts ?? 1 }, (_, i) => demoAccount(i, deposits)),
    switches: switchesFrom({ ...flags }, config.exchange),
    reference: config.exchange.reference,
    page: flags.page ?? config.exchange.page,
    fillModel: flags.fillModel ?? config.simulation.fillModel,
    config,
  };
}

/** The same keys every time: they guard a simulation, and a restarted exchange must know its accounts. */
function demoAccount(index: number, deposits: Readonly<Record<string, string>>): DemoAccount {
  const suffix = index === 0 ? '' : `-${index + 1}`;
  return { key: `demo-key${suffix}`, secret: `demo-secret${suffix}`, passphrase: `demo-pass${suffix}`, deposits };
}
