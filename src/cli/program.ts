/** The command line: its commands and its help. Unknown commands and options are errors. */
import { Command } from 'commander';
import { Failure } from '../base/failure.ts';
import { CONTROL_COMMANDS } from '../control/commands.ts';
import { didYouMean } from '../base/suggest.ts';
import { programVersion } from '../run/setup/version.ts';
import type { CliContext } from './shell/context.ts';
import { ANY_KEY, CREDENTIALS, EXITS, HELP, helpWidth, helpText, type HelpParts } from './shell/help.ts';
import { wantsColours } from './terminal/terminal.ts';

type AddCommand = (program: Command, context: CliContext) => void;

/** Loaders of the commands by name, in the order of the help. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  start: async () => (await import('./exchange/exchange.ts')).addStart,
  run: async () => (await import('./bot/run.ts')).addRun,
  reload: async () => (await import('./bot/reload.ts')).addReload,
  backtest: async () => (await import('./backtest/backtest-help.ts')).addBacktest,
  report: async () => (await import('./sessions/report.ts')).addReport,
  optimize: async () => (await import('./search/optimize.ts')).addOptimize,
  'walk-forward': async () => (await import('./search/walk-forward.ts')).addWalkForward,
  'cross-validate': async () => (await import('./search/cross-validate.ts')).addCrossValidate,
  'monte-carlo': async () => (await import('./backtest/monte-carlo.ts')).addMonteCarlo,
  capacity: async () => (await import('./backtest/capacity.ts')).addCapacity,
  verify: async () => (await import('./backtest/verify.ts')).addVerify,
  worker: async () => (await import('./search/worker.ts')).addWorker,
  calibrate: async () => (await import('./sessions/calibrate.ts')).addCalibrate,
  replay: async () => (await import('./sessions/replay.ts')).addReplay,
  exchange: async () => (await import('./exchange/exchange.ts')).addExchange,
  crashtest: async () => (await import('./backtest/crashtest.ts')).addCrashtest,
  ledger: async () => (await import('./exchange/ledger.ts')).addLedger,
  tape: async () => (await import('./tapes/tape.ts')).addTape,
  indicators: async () => (await import('./setup/indicators.ts')).addIndicators,
  init: async () => (await import('./setup/init.ts')).addInit,
  new: async () => (await import('./setup/init.ts')).addNew,
  config: async () => (await import('./setup/inspect.ts')).addConfig,
  schema: async () => (await import('./setup/inspect.ts')).addSchema,
  doctor: async () => (await import('./setup/inspect.ts')).addDoctor,
  assumptions: async () => (await import('./setup/inspect.ts')).addRegister,
  ...Object.fromEntries(CONTROL_COMMANDS.map(({ name }) => [name, async () => (await import('./bot/control.ts')).addControl(name)])),
};

const PARTS: HelpParts = {
  examples: [
    ['tickwright init my-bot', 'a project: a strategy, its test, a configuration'],
    ['tickwright start', 'a paper exchange and a bot on it'],
    ['tickwright exchange --synth', 'a venue to try any client on'],
    ['tickwright tape import trades.csv.gz book.csv.gz --out tapes/btc', 'make a tape out of recordings'],
    ['tickwright backtest --strategy strategies/ema-cross.ts --tape tapes/btc --param fast=10', 'test a strategy on it'],
    ['tickwright optimize --strategy strategies/ema-cross.ts --tape tapes/btc --param fast=2..20', 'search its parameters'],
    ['tickwright run --config config/paper.yaml', 'the bot on the venue the file names'],
    ['tickwright status', 'the state of the bot that runs here; `halt`, `flatten` and others control it'],
  ],
  notes: [
    '`tickwright COMMAND --help` describes a command in full. In a clone: `npm run -s tickwright -- COMMAND`. Data and the log go to stdout, errors and the status line to stderr.',
  ],
  variables: [CREDENTIALS, ANY_KEY, ['TICKWRIGHT_DEBUG=1', 'errors with their stack traces'], ['NO_COLOR=1', 'no colours']],
  files: [['var/', 'state of `start` and `run`, in the folder where they are started, unless set otherwise']],
  exits: Object.values(EXITS),
};

/** The program with the command that `args` begin with, or with all commands if the help needs them. */
export async function buildProgram(args: readonly string[], context: CliContext): Promise<Command> {
  const program = new Command('tickwright');
  program
    .description('A trading bot whose backtest is the same program. It never takes a missing answer for a yes or a no.')
    .version(programVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .configureHelp(HELP)
    .configureOutput({
      writeOut: (text) => void context.io.stdout.write(text),
      writeErr: (text) => void context.io.stderr.write(text),
      outputError: () => undefined,
      getOutHasColors: () => context.io.stdout.columns !== undefined && wantsColours(context.env),
      getOutHelpWidth: () => helpWidth(context.io.stdout.columns, context.env),
    })
    .exitOverride()
    // `report --session` and `report divergence --session` are two flags.
    .enablePositionalOptions()
    .showSuggestionAfterError(true)
    .allowExcessArguments(false);
  program.addHelpText('after', helpText(PARTS));
  const name = args[0] ?? '';
  if (name === 'help' && args[1] !== undefined) checkCommand(args[1]);
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  for (const one of load === undefined ? Object.values(COMMANDS) : [load]) (await one())(program, context);
  return program;
}

/** Refuses `help WORD` if WORD is not a command. @throws Failure (usage) */
function checkCommand(word: string): void {
  const known = Object.keys(COMMANDS);
  if (known.includes(word) || word === 'help') return;
  const hint = didYouMean(word, known) ?? `there are ${known.join(', ')}`;
  throw new Failure('command-line', { what: `unknown command '${word}'`, hint });
}
