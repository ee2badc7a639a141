/** The commands that operate a bot, made of the table of control commands (src/control/commands.ts), which is also that of the bot's routes. */
import { CONTROL_COMMANDS, type ControlName } from '../../control/commands.ts';
import type { ControlCommand, ControlField } from '../../control/control-command.ts';
import type { ArgumentRow, CommandRow, OptionRow } from '../shell/command-row.ts';
import { wholeNumber } from '../shell/values.ts';
import { ANY_KEY, WHICH_BOT } from './shared-options.ts';

/** The exit codes of all of them. */
export const OPERATOR_EXITS = ['done', 'failed', 'usage', 'partly', 'refused', 'notRunning', 'recorded', 'silent'] as const;

export const OPERATOR_COMMANDS: readonly CommandRow[] = CONTROL_COMMANDS.map(rowOf);

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
          { flags: '--json', description: 'print the answer as JSON' },
        ],
      },
    ],
    examples: examples.map(([line, what]) => (what === '' ? ([line] as const) : ([line, what] as const))),
    notes: [answers, 'Without --config and --state it uses the bot that was started in this folder.'],
    variables: [ANY_KEY],
    exits: Object.fromEntries(OPERATOR_EXITS.map((exit) => [exit, ''])),
    run: async () => (await import('../bot/operator-commands.ts')).control(name),
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
