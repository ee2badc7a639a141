/** The switches of the paper exchange as command-line options, one per row of their table. */
import { Option, type Command } from 'commander';
import type { ExchangeConfig } from '../../config/model.ts';
import { fallbackOf, flagOf, SWITCH_LIST, type Switch, type SwitchValues } from '../../contract/switches.ts';
import { optionFrom } from '../shell/help.ts';
import { wholeNumber } from '../shell/values.ts';

/** Values of the command line by name of the switch; absent if not given. */
export type SwitchFlags = Readonly<Record<string, unknown>>;

/** Adds an option for each switch. None has a default: without the option the configuration decides. */
export function addSwitches(command: Command): Command {
  for (const one of SWITCH_LIST) command.addOption(optionOf(one, flagOf(one.name)));
  return command;
}

/** The value of every switch: from the command line, else from the configuration. */
export function switchesFrom(flags: SwitchFlags, config: ExchangeConfig): SwitchValues {
  return Object.fromEntries(
    SWITCH_LIST.map((one) => [one.name, said(one, flags[one.name]) ?? config[one.name]]),
  ) as unknown as SwitchValues;
}

/** Converts the text of a numeric choice to a number. */
function said(one: Switch, value: unknown): unknown {
  return one.kind === 'choice' ? one.choices.find((known) => String(known) === value) : value;
}

function optionOf(one: Switch, flag: string): Option {
  const doc = /^[A-Z]{2}/.test(one.doc) ? one.doc : `${one.doc.charAt(0).toLowerCase()}${one.doc.slice(1)}`;
  switch (one.kind) {
    case 'flag':
      return new Option(flag, doc);
    case 'number':
      return optionFrom(`${flag} <${one.unit === '' ? 'number' : one.unit}>`, doc, fallbackOf(one), wholeNumber(one.min, one.max));
    case 'choice':
      return optionFrom(`${flag} <choice>`, doc, fallbackOf(one)).choices(one.choices.map(String));
  }
}
