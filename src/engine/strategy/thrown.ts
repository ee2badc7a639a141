/** What a strategy threw, for its author: the words of it, and the places in the strategy's own files. */

/** Where this program lies, as the frames of a stack name it. */
const PROGRAM = new URL('../../', import.meta.url).pathname;

export interface Thrown {
  /** "RangeError: no such thing". */
  readonly what: string;
  /** "\n    at helper (file:///…/mine.ts:4:11)" and so on up to the handler, as a stack has them; "" where none is known. */
  readonly frames: string;
}

export function thrown(error: unknown): Thrown {
  if (!(error instanceof Error)) return { what: String(error), frames: '' };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line));
  const isOurs = (frame: string): boolean => frame.includes(PROGRAM) || frame.includes('node:');
  // Above are those of what it called of ours, below those of who called it.
  const first = frames.findIndex((frame) => !isOurs(frame));
  const own = first < 0 ? [] : frames.slice(first);
  const end = own.findIndex(isOurs);
  return { what: String(error), frames: (end < 0 ? own : own.slice(0, end)).map((frame) => `\n${frame}`).join('') };
}
