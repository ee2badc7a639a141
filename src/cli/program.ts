/** The command line as a whole: its commands, its help, and strictness about what is not known. */
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import type { CliContext } from './context.ts';

type AddCommand = (program: Command, context: CliContext) => void;

/** By name, in the order of the help. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  start: async () => (await import('./exchange.ts')).addStart,
  run: async () => (await import('./run.ts')).addRun,
  backtest: async () => (await import('./backtest.ts')).addBacktest,
  exchange: async () => (await import('./exchange.ts')).addExchange,
  tape: async () => (await import('./tape.ts')).addTape,
  config: async () => (await import('./inspect.ts')).addConfig,
  doctor: async () => (await import('./inspect.ts')).addDoctor,
  assumptions: async () => (await import('./inspect.ts')).addRegister,
};

const EXAMPLES = `
Examples:
  tickwright start                                                a paper exchange and a bot on it, here, now
  tickwright tape import trades.csv.gz book.csv.gz --out tapes/btc
  tickwright backtest --strategy strategies/ema-cross.ts --tape tapes/btc --param fast=10
  tickwright exchange --tape tapes/btc --port 8420 --speed 20     a venue made of a recording
  tickwright run --config config/paper.yaml                       the bot on the venue the file names

Exit codes: 0 done · 1 failed · 2 wrong command line, or it names what is not there or no such thing
            78 wrong configuration, strategy or data: starting again does not help
Data goes to stdout, logs and the live line to stderr. TICKWRIGHT_DEBUG=1 shows stack traces, NO_COLOR=1 no colours.`;

/** The program with the command that `args` begin with; with all of them where it takes more than one to answer. */
export async function buildProgram(args: readonly string[], context: CliContext): Promise<Command> {
  const program = new Command('tickwright');
  program
    .description('A trading bot whose backtest is the same program. It never takes silence for an answer.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .configureHelp({ sortOptions: false, showGlobalOptions: false })
    .configureOutput({
      writeOut: (text) => void context.io.stdout.write(text),
      writeErr: (text) => void context.io.stderr.write(text),
      outputError: () => undefined,
    })
    .exitOverride()
    .showSuggestionAfterError(true)
    .allowExcessArguments(false)
    .addHelpText('after', EXAMPLES);
  const name = args[0] ?? '';
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  for (const one of load === undefined ? Object.values(COMMANDS) : [load]) (await one())(program, context);
  return program;
}

function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
  return manifest.version;
}
