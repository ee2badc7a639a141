/** The switches of the paper exchange as options of a command: one for each line of their table, and the values they leave. */
import { Option, type Command } from 'commander';
import type { ExchangeConfig } from '../config/model.ts';
import { fallbackOf, flagOf, SWITCH_LIST, type Switch, type SwitchValues } from '../contract/switches.ts';
import { optionFrom } from './help.ts';
import { wholeNumber } from './values.ts';

/** What the command line said: a value by name of the switch, nothing where it was silent. */
export type SwitchFlags = Readonly<Record<string, unknown>>;

/** Adds an option for each switch. None has a default: where the command line is silent, the configuration speaks. */
export function addSwitches(command: Command): Command {
  for (const one of SWITCH_LIST) command.addOption(optionOf(one, flagOf(one.name)));
  return command;
}

/** The setting of every switch: as the command line says, else as the configuration does. */
export function switchesFrom(flags: SwitchFlags, config: ExchangeConfig): SwitchValues {
  return Object.fromEntries(
    SWITCH_LIST.map((one) => [one.name, said(one, flags[one.name]) ?? config[one.name]]),
  ) as unknown as SwitchValues;
}

/** A choice that is a figure was said as text. */
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
