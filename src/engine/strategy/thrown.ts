/** What a strategy threw, for its author: the words of it, and the places in the strategy's own files. */

/** Where this program lies, as the frames of a stack name it. */
const PROGRAM = new URL('../../', import.meta.url).pathname;

export interface Thrown {
  /** "RangeError: no such thing". */
  readonly what: string;
  /** "\n    at helper (file:///…/mine.ts:4:11)" and so on up to the handler, as a stack has them; "" where none is known. */
  readonly frames: string;
}

/** Of anything: also what is no error, and what throws when it is looked at. */
export function thrown(error: unknown): Thrown {
  return { what: wordsOf(error), frames: framesOf(error) };
}

function wordsOf(error: unknown): string {
  try {
    return String(error);
  } catch {
    return 'an object that has no words';
  }
}

function framesOf(error: unknown): string {
  const frames = stackOf(error)
    .split('\n')
    .filter((line) => /^ {4}at /.test(line));
  const isOurs = (frame: string): boolean => frame.includes(PROGRAM) || frame.includes('node:');
  // Above are those of what it called of ours, below those of who called it.
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
