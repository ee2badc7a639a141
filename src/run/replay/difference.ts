/** What a kernel gave out, in words. */
import { COMMANDS } from '../../domain/codes.ts';
import type { Command } from '../../domain/command.ts';
import { tradedName, type Instrument } from '../../domain/instrument.ts';
import { ASK, COMMAND, ROWS, SAVED, type Output } from '../session/entries.ts';

/** What it is; with `other` of the same kind, the fields that differ. */
export function textOf(output: Output, instruments: readonly Instrument[], other: Output | null = null): string {
  switch (output.kind) {
    case COMMAND: {
      const { body } = output;
      return `${commandText(body, instruments)}${fieldsText(body, other?.kind === COMMAND ? other.body : null)}`;
    }
    case ASK:
      return `question ${JSON.stringify(output.body)}`;
    case ROWS:
      return `${output.count} records of the journal (sum ${output.sum.toString(16)})`;
    case SAVED:
      return `a snapshot of its state (sum ${output.sum.toString(16)})`;
  }
}

function commandText({ kind, seq, target, instrument }: Command, instruments: readonly Instrument[]): string {
  const about = target === 0 ? '' : ` of order ${target}`;
  const found = instruments[instrument];
  return `command ${seq} (${COMMANDS[kind] ?? kind}${about}${found === undefined ? '' : `, ${tradedName(found)}`})`;
}

/** The fields that differ from `other`; all that are set where there is no other. */
function fieldsText(command: Command, other: Command | null): string {
  const shown = Object.entries(command).filter(([key, value]) => {
    if (key === 'kind' || key === 'seq' || key === 'instrument' || key === 'target') return false;
    return other === null ? value !== 0 && value !== '' : !Object.is(value, other[key as keyof Command]);
  });
  return shown.length === 0 ? '' : `: ${shown.map(([key, value]) => `${key} ${value}`).join(', ')}`;
}
