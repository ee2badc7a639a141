/** Describes the output of a kernel in words. */
import { COMMANDS } from '../../domain/codes.ts';
import type { Command } from '../../domain/orders/command.ts';
import { tradedName, type Instrument } from '../../domain/instrument.ts';
import { ASK, COMMAND, ROWS, SAVED, type Output } from '../session/entries.ts';

/** What it is; with `other` of the same kind, the fields that differ. */
export function textOf(output: Output, instruments: readonly Instrument[], other: Output | null = null): string {
  switch (output.kind) {
    case COMMAND: {
      const { body } = output;
      return commandText(body, instruments, other?.kind === COMMAND ? other.body : null);
    }
    case ASK:
      return `question ${JSON.stringify(output.body)}`;
    case ROWS:
      return `${output.count} records of the journal (sum ${output.sum.toString(16)})`;
    case SAVED:
      return `a snapshot of its state (sum ${output.sum.toString(16)})`;
  }
}

const NAMED: ReadonlySet<string> = new Set(['kind', 'seq', 'instrument', 'target']);
const TIMES: ReadonlySet<string> = new Set(['time', 'validMs']);

/** A command; with `other`, the fields that differ. */
export function commandText(command: Command, instruments: readonly Instrument[], other: Command | null = null): string {
  const { kind, seq, target, instrument } = command;
  const about = target === 0 ? '' : ` of order ${target}`;
  const found = instruments[instrument];
  return `command ${seq} (${COMMANDS[kind] ?? kind}${about}${found === undefined ? '' : `, ${tradedName(found)}`})${fieldsText(command, other)}`;
}

/** The fields that differ from `other`; all that are set where there is no other. */
function fieldsText(command: Command, other: Command | null): string {
  const shown = Object.entries(command).filter(([key, value]) => {
    if (NAMED.has(key)) return false;
    return other === null ? !TIMES.has(key) && value !== 0 && value !== '' : !Object.is(value, other[key as keyof Command]);
  });
  return shown.length === 0 ? '' : `: ${shown.map(([key, value]) => `${key} ${value}`).join(', ')}`;
}
