/**
 * Finds what ended each halt of a recording. A person who reads the command that would end it could type it at the bot that runs, so a
 * recording shows none.
 */
import type { HaltAnswer } from '../../control/answers.ts';
import type { ChangeKind } from '../../control/changes.ts';

/** A change of the recording: its time, its kind, and as JSON text what it carries. */
export type PastChange = readonly [time: number, kind: ChangeKind, payload: string];

/** The end of a halt in the recording, or in a fork of it. */
export interface Lifted {
  readonly time: number;
  readonly scope: string;
  readonly code: string;
  /** What ended it, and who: "bot" or an operator. */
  readonly why: string;
  readonly by: string;
}

/** The changes with the true end of each halt. Halts that began at `forkedAt` or later exist only in the fork; Infinity without one. */
export function withEnds(changes: readonly PastChange[], lifted: readonly Lifted[], forkedAt: number): readonly PastChange[] {
  const endsOf = ({ scope, code, since }: HaltAnswer): string => {
    const end = lifted.find((one) => one.time >= since && one.scope === scope && one.code === code);
    const place = since >= forkedAt ? 'this fork' : 'this recording';
    if (end === undefined) return since >= forkedAt ? 'nothing: it exists only in this fork' : 'nothing in this recording';
    const time = new Date(end.time).toISOString().slice(11, 19);
    return `${[end.why, end.by === 'bot' ? '' : `by ${end.by}`].filter((part) => part !== '').join(' ') || 'the bot'}, at ${time} of ${place}`;
  };
  const ended = (key: string, value: unknown): unknown => {
    const isList = (key === 'halts' || key === '') && Array.isArray(value);
    return isList ? (value as readonly HaltAnswer[]).map((halt) => ({ ...halt, ends: endsOf(halt) })) : value;
  };
  return changes.map((change) => {
    const [time, kind, payload] = change;
    const hasHalts = (kind === 'status' || kind === 'reset' || kind === 'halts') && payload.includes('"ends":"');
    return hasHalts ? [time, kind, JSON.stringify(JSON.parse(payload, ended))] : change;
  });
}
