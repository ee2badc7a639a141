/**
 * The error shown to a user when a command cannot be carried out: what was expected and found, where, and what to do. Thrown anywhere,
 * printed only by the command line.
 */
import { FAILURES, type FailureCode, type FailureKind } from './failures.ts';

/** One thing that is wrong. */
export interface Problem {
  /** One sentence without a full stop: "expected …, found …". */
  readonly what: string;
  /** Location: a file with line and column, a flag, a variable. */
  readonly where?: string | undefined;
  /** What to do about it. */
  readonly hint?: string | undefined;
}

/** Why something cannot be carried out, with a stable code. */
export class Failure extends Error {
  override readonly name: string = 'Failure';
  /** Its code: docs/reference/failures.md has all. */
  readonly failure: FailureCode;
  /** What is wrong, one entry each. */
  readonly problems: readonly Problem[];

  constructor(failure: FailureCode, problems: Problem | readonly Problem[], options?: ErrorOptions) {
    const list = 'what' in problems ? [problems] : problems;
    super(list.map((p) => (p.where === undefined ? p.what : `${p.where}: ${p.what}`)).join('\n'), options);
    this.failure = failure;
    this.problems = list;
  }

  /** Whose fault it is: docs/reference/exit-codes.md. */
  get kind(): FailureKind {
    return FAILURES[this.failure].kind;
  }
}
