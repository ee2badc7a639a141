/** Describes an error that a strategy threw: its text, and the stack frames in the strategy's own files. */

/** Path of this program in stack frames. */
const PROGRAM = new URL('../../../', import.meta.url).pathname;

export interface Thrown {
  /** "RangeError: no such thing". */
  readonly what: string;
  /** "\n    at helper (file:///…/mine.ts:4:11)" and so on up to the handler; "" if unknown. */
  readonly frames: string;
}

/** Accepts any thrown value, including one that is no Error or throws when it is inspected. */
export function thrown(error: unknown): Thrown {
  return { what: wordsOf(error), frames: framesOf(error) };
}

function wordsOf(error: unknown): string {
  try {
    return String(error);
  } catch {
    return 'an object that cannot be shown as text';
  }
}

function framesOf(error: unknown): string {
  const frames = stackOf(error)
    .split('\n')
    .filter((line) => /^ {4}at /.test(line));
  const isOurs = (frame: string): boolean => frame.includes(PROGRAM) || frame.includes('node:');
  // The frames above are our functions that it called; those below are its callers.
  const first = frames.findIndex((frame) => !isOurs(frame));
  const own = first < 0 ? [] : frames.slice(first);
  const end = own.findIndex(isOurs);
  return (end < 0 ? own : own.slice(0, end)).map((frame) => `\n${frame}`).join('');
}

function stackOf(error: unknown): string {
  try {
    return error instanceof Error && typeof error.stack === 'string' ? error.stack : '';
  } catch {
    return '';
  }
}
