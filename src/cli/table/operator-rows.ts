/** The commands that operate a bot, made of the table of control commands (src/control/commands.ts), which is also that of the bot's routes. */
import { CONTROL_COMMANDS, type ControlName } from '../../control/commands.ts';
import type { ControlCommand, ControlField } from '../../control/control-command.ts';
import type { ArgumentRow, CommandRow, OptionGroup, OptionRow } from '../shell/command-row.ts';
import { wholeNumber } from '../shell/values.ts';
import { ANY_KEY, WHICH_BOT } from './shared-options.ts';

/** The exit codes of all of them. */
export const OPERATOR_EXITS = ['done', 'failed', 'usage', 'partly', 'refused', 'notRunning', 'recorded', 'silent'] as const;

/** Commands that also take all bots at the same time. */
type ForAll = 'status' | 'kill';

const ALL = {
  flags: '--all [folders...]',
  description:
    'all bots of this user that run here or were killed: those that hold the lock of an account, those started in this folder, and those of these state folders',
  conflicts: ['state', 'config', 'set'],
} as const satisfies OptionRow;
const ALL_BOTS: Readonly<Record<ForAll, OptionGroup>> = {
  status: { title: 'Several bots:', options: [ALL] },
  kill: {
    title: 'Several bots:',
    options: [ALL, { flags: '--yes', description: 'with --all: do not ask. The list of what will be done is printed all the same' }],
  },
};

/** Computed by the process of the command, from recordings. */
const REHEARSALS: readonly OptionRow[] = [
  {
    flags: '--rehearse',
    description: 'first show what the text on disk would have done in the last three sessions, beside the text that they had',
  },
  {
    flags: '--shadow <time>',
    description: 'first wait that long, then show from its recording what both texts would have done in that time: 10m',
  },
  { flags: '--yes', description: 'after --rehearse or --shadow take the text without a question, unless it fails there' },
];

export const OPERATOR_COMMANDS: readonly CommandRow[] = CONTROL_COMMANDS.map(rowOf);

function hasAll(name: ControlName): name is ForAll {
  return Object.hasOwn(ALL_BOTS, name);
}

function rowOf(control: ControlCommand & { readonly name: ControlName }): CommandRow {
  const { name, summary, does, answers, examples } = control;
  const fields = Object.entries<ControlField>(control.fields);
  return {
    name,
    summary,
    description: does.join(' '),
    args: fields.filter(([, { isFlag }]) => isFlag !== true).map(argumentOf),
    options: [
      WHICH_BOT,
      {
        title: 'Options:',
        options: [
          ...fields.filter(([, { isFlag }]) => isFlag === true).map(optionOf),
          ...(name === 'reload' ? REHEARSALS : []),
          { flags: '--json', description: 'print the answer as JSON' },
        ],
      },
      ...(hasAll(name) ? [ALL_BOTS[name]] : []),
    ],
    examples: examples.map(([line, what]) => (what === '' ? ([line] as const) : ([line, what] as const))),
    notes: [answers, 'Without --config and --state it uses the bot that was started in this folder.'],
    variables: [ANY_KEY],
    exits: Object.fromEntries(OPERATOR_EXITS.map((exit) => [exit, ''])),
    run: async () => {
      const one = (await import('../bot/operator-commands.ts')).control(name);
      return hasAll(name) ? (await import('../hub/all-bots-commands.ts')).forAll(name, one) : one;
    },
  };
}

function argumentOf([key, field]: readonly [string, ControlField]): ArgumentRow {
  const choices = field.kind === 'word' ? { choices: field.words } : {};
  return { name: field.isOptional === true ? `[${key}]` : `<${key}>`, description: field.doc, ...choices };
}

function optionOf([key, field]: readonly [string, ControlField]): OptionRow {
  const flag = field.flag ?? `--${key}`;
  const flags = field.isSwitch === true ? flag : `${flag} <${field.kind === 'whole' ? 'number' : 'text'}>`;
  return {
    flags,
    description: field.doc,
    ...(field.kind === 'word' ? { choices: field.words } : {}),
    ...(field.kind === 'whole' ? { parse: wholeNumber(field.min, field.max) } : {}),
  };
}
