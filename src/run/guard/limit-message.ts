/** The message for a strategy that exceeded its time or memory, used by the watchdog thread and the main thread. */
import { writeSync } from 'node:fs';
import { escapeHiddenInLines } from '../../base/hidden.ts';

export interface Running {
  readonly strategy: string;
  readonly handler: string;
}

interface LimitFacts {
  readonly cause: 'hung' | 'memory';
  readonly running: Running | null;
  /** The strategy that ran last, if none runs. */
  readonly last: Running | null;
  /** The strategies that may have used up the memory, if nothing shows which. */
  readonly suspects?: readonly string[] | undefined;
  /** "file:///…/mine.ts:8:3", or "". */
  readonly place: string;
  readonly bytes: number;
  /** The limit: memory in bytes, or duration of a call in milliseconds. */
  readonly limit: number;
  /** True if the strategy stays stopped after the restart. */
  readonly halt: boolean;
  readonly code: number;
}

/** The message as text or as JSON. */
export function limitMessage(
  { cause, running, last, suspects = [], place, bytes, limit, halt, code }: LimitFacts,
  isJson: boolean,
): string {
  const isOpen = running === null && suspects.length > 0;
  const unknown = `unknown which strategy: ${suspects.join(', ')}`;
  const hint = isOpen
    ? 'run them one by one in a backtest, or give the process more memory'
    : halt
      ? `it stays stopped after the restart; \`tickwright resume ${running!.strategy}\` allows it again`
      : '';
  if (isJson) {
    const figures = cause === 'memory' ? { usedMb: megabytes(bytes), limitMb: megabytes(limit) } : { limitMs: limit };
    const who = { strategy: running?.strategy ?? '', handler: running?.handler ?? '', where: place };
    const event = cause === 'hung' ? 'strategy-hung' : 'memory-full';
    return JSON.stringify({
      event,
      level: 'error',
      time: new Date().toISOString(),
      ...who,
      ...(isOpen ? { suspects } : {}),
      ...figures,
      code,
      hint,
    });
  }
  const idle = last === null ? 'no strategy ran' : `no strategy ran, the last was ${nameOf(last)}`;
  const name = isOpen ? unknown : running === null ? idle : nameOf(running);
  const what =
    cause === 'hung'
      ? `${name} did not return within ${limit / 1000} s`
      : `${name}: ${megabytes(bytes)} MB of ${megabytes(limit)} MB of memory are used up`;
  return `error: ${what}${place === '' ? '' : ` (${place})`}; the process ends with ${code}${hint === '' ? '' : `\n  ${hint}`}`;
}

export function megabytes(bytes: number): number {
  return Math.round(bytes / 1_048_576);
}

export function nameOf({ strategy, handler }: Running): string {
  return `${strategy}: ${handler}`;
}

/** Writes a line to stderr synchronously, because the process may end right after it. */
export function say(line: string): void {
  try {
    writeSync(2, `${escapeHiddenInLines(line)}\n`);
  } catch {
    // Nobody reads it any more.
  }
}
