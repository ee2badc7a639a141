/** Prints the result of a command as `--json` has it. */
import { shownJson } from '../../base/hidden.ts';
import type { Io } from '../../run/setup/options.ts';
import type { Outputs } from '../outputs/outputs.ts';

/** Prints the result of a command as one line of JSON, which is as `tickwright schema COMMAND` says. */
export function printJson<C extends keyof Outputs>({ stdout }: Pick<Io, 'stdout'>, _command: C, value: Outputs[C]): void {
  stdout.write(`${shownJson(value)}\n`);
}
