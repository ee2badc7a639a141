/** Commander, made of the table of commands. Unknown commands and options are errors. */
import { Argument, Command, Option } from 'commander';
import { EXIT_CODES } from '../base/failure/exit-codes.ts';
import { Failure } from '../base/failure/failure.ts';
import { didYouMean } from '../base/text/suggest.ts';
import { programVersion } from '../run/setup/version.ts';
import type { ArgumentRow, CommandRow, HelpParts, OptionRow } from './shell/command-row.ts';
import type { CliContext } from './shell/cli-context.ts';
import { quietIo } from './shell/quiet.ts';
import { HELP, helpText, helpWidth, notesOf } from './shell/help.ts';
import { COMMAND_FAMILIES, COMMANDS } from './table/command-rows.ts';
import { ANY_KEY, CREDENTIALS } from './table/shared-options.ts';
import { wantsColours } from './terminal/terminal.ts';

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
  exits: Object.fromEntries(Object.keys(EXIT_CODES).map((name) => [name, ''])),
};

/** The program. The command that `args` name is made in full, the others for the list alone. */
export async function buildProgram(args: readonly string[], context: CliContext): Promise<Command> {
  const program = new Command('tickwright');
  program
    .description('A trading bot whose backtest is the same program. It never takes a missing answer for a yes or a no.')
    .version(programVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
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
  program.addHelpText('after', helpText(PARTS, await notesOf(PARTS)));
  const word = (args[0] === 'help' ? args[1] : args[0]) ?? '';
  if (args[0] === 'help' && args[1] !== undefined) checkCommand(word);
  for (const [heading, family] of Object.entries(COMMAND_FAMILIES)) {
    program.commandsGroup(heading);
    for (const row of family) {
      const [top = '', below] = row.name.split(' ');
      if (top === word) await define(row, below === undefined ? program : program.commands.find((one) => one.name() === top)!, context);
      else if (below === undefined) program.command(top).summary(row.summary);
    }
  }
  program.commandsGroup('Set up and look up:').helpCommand('help [command]', 'show the help of a command');
  return program;
}

async function define(row: CommandRow, parent: Command, context: CliContext): Promise<void> {
  const { args = [], options = [], run } = row;
  const command = parent.command(row.name.split(' ').at(-1)!).summary(row.summary).description(row.description);
  if (row.usage !== undefined) command.usage(row.usage);
  for (const argument of args) command.addArgument(argumentOf(argument));
  for (const { title, options: rows } of options) {
    command.optionsGroup(title);
    for (const option of rows) command.addOption(optionOf(option));
  }
  const isGrouped = options.length > 0 && options.every(({ title }) => title !== 'Options:');
  command.addHelpOption(new Option('-h, --help', 'show this help').helpGroup(isGrouped ? 'Other:' : 'Options:'));
  command.addHelpText('after', helpText(row, await notesOf(row)));
  if (run === undefined) return;
  command.action(async () => {
    const flags = command.opts();
    const quiet = flags['quiet'] === true ? { ...context, io: quietIo(context.io) } : context;
    for (const option of options.flatMap(({ options: rows }) => rows)) requireOption(option, flags);
    if (row.isPrivate === true) process.umask(0o077);
    await (
      await run()
    )(flags as never, quiet, ...(command.processedArgs as never[]));
  });
}

function argumentOf({ name, description, choices, fallback }: ArgumentRow): Argument {
  const argument = new Argument(name, description);
  if (fallback !== undefined) argument.default(fallback);
  return choices === undefined ? argument : argument.choices(choices);
}

export function optionOf({ flags, description, parse, choices, fallback, usual, isNeeded, conflicts }: OptionRow): Option {
  const option = new Option(flags, isNeeded === true ? `${description} (needed)` : description).default(fallback, usual);
  if (parse !== undefined) option.argParser(parse as (text: string, so: unknown) => unknown);
  if (choices !== undefined) option.choices(choices);
  return conflicts === undefined ? option : option.conflicts([...conflicts]);
}

/** Called after unknown flags were refused, so that a misspelt one gets its suggestion. @throws Failure (flag-missing) */
function requireOption(row: OptionRow, flags: Readonly<Record<string, unknown>>): void {
  if (row.isNeeded !== true || flags[new Option(row.flags).attributeName()] !== undefined) return;
  if (row.unless !== undefined && flags[row.unless] !== undefined) return;
  const usage = row.flags.replace(/^-\w, /, '').replace(/<(.*)>/, (_, name: string) => name.toUpperCase());
  throw new Failure('flag-missing', { what: `${usage} is missing`, hint: 'the same command with --help shows its flags' });
}

/** Refuses `help WORD` if WORD is not a command. @throws Failure (usage) */
function checkCommand(word: string): void {
  const known = [...new Set(COMMANDS.map(({ name }) => name.split(' ')[0]!))];
  if (known.includes(word) || word === 'help') return;
  const hint = didYouMean(word, known) ?? `there are ${known.join(', ')}`;
  throw new Failure('command-line', { what: `unknown command '${word}'`, hint });
}
