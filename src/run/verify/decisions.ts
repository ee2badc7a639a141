/** What a bot decided in a backtest: each command with its time, its values and its reason, as comparable lines. */
import * as codes from '../../domain/codes.ts';
import { emptyCommand, type Command } from '../../domain/command.ts';
import type { CommandJournal } from '../../engine/state/journal.ts';

export interface Decision {
  /** Time of the decision in milliseconds of the tape. */
  readonly time: number;
  /** Kind, instrument, side, prices in ticks, sizes in lots, and the reason that the strategy gave. */
  readonly text: string;
}

/** Fields that differ between runs although the decision is the same: numbers of commands depend on where a run began. */
const LEFT_OUT: ReadonlySet<string> = new Set(['kind', 'seq', 'target', 'targetVenueId', 'time', 'validMs']);
const FIELDS = (Object.keys(emptyCommand()) as (keyof Command)[]).filter((name) => !LEFT_OUT.has(name));

export class Decisions {
  readonly all: Decision[] = [];

  /** A journal that does what `journal` does, and keeps each command. */
  readonly journal = (journal: CommandJournal): CommandJournal =>
    Object.assign(Object.create(journal) as CommandJournal, {
      command: (...[command, strategy, reason]: Parameters<CommandJournal['command']>): void => {
        this.all.push({ time: command.time, text: textOf(command, strategy, reason) });
        journal.command(command, strategy, reason);
      },
    });
}

function textOf(command: Command, strategy: string, reason: string): string {
  const parts = [codes.COMMANDS[command.kind] ?? String(command.kind)];
  for (const name of FIELDS) if (command[name] !== 0 || name === 'instrument') parts.push(`${name}=${command[name]}`);
  return `${parts.join(' ')} (${strategy}${reason === '' ? '' : `: ${reason}`})`;
}

/** The first place where two lists differ. */
export interface Difference {
  readonly at: number;
  readonly expected: Decision | null;
  readonly found: Decision | null;
}

/** Null if both lists are equal. */
export function differenceOf(expected: readonly Decision[], found: readonly Decision[]): Difference | null {
  for (let at = 0; at < Math.max(expected.length, found.length); at++) {
    const [a, b] = [expected[at] ?? null, found[at] ?? null];
    if (a?.time !== b?.time || a?.text !== b?.text) return { at, expected: a, found: b };
  }
  return null;
}

/** One sentence; `whole` and `other` name the two runs. */
export function differenceText({ expected, found }: Difference, whole: string, other: string): string {
  const said = (decision: Decision | null): string =>
    decision === null ? 'nothing more' : `at ${new Date(decision.time).toISOString()} ${decision.text}`;
  return `${whole} decided ${said(expected)}; ${other} decided ${said(found)}`;
}
