/** The shape of a control command: a row of the table in commands.ts. */
import type { Field } from '../base/fields.ts';

/** One input of a command: a word after the command's name, or a flag. */
export type ControlField = Field & {
  readonly isFlag?: true;
  /** The flag, if it differs from the field's own name: "--i-know". */
  readonly flag?: string;
  /** True for a flag without a value. */
  readonly isSwitch?: true;
};

export interface ControlCommand {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What the command does, one sentence per entry. */
  readonly does: readonly string[];
  readonly answers: string;
  readonly acts: boolean;
  /** What the command line prints of a command that only reads: an overview that names the bot, tables, rows for programs, or lines as they come. */
  readonly shown?: 'overview' | 'tables' | 'rows' | 'lines';
  /** What the command does for a stopped bot: it reads the bot's files, writes a halt, rotates the epoch, or is refused. */
  readonly whenStopped: 'read' | 'halt' | 'rotate' | 'no';
  readonly fields: Readonly<Record<string, ControlField>>;
  readonly examples: readonly (readonly [line: string, what: string])[];
}
