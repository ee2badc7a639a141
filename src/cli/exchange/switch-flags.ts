/** The switches of the paper exchange, from the command line and the configuration. */
import type { ExchangeConfig } from '../../config/model.ts';
import { SWITCH_LIST, type Switch, type SwitchValues } from '../../contract/switches.ts';

/** Values of the command line by name of the switch; absent if not given. */
export type SwitchFlags = Readonly<Record<string, unknown>>;

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
