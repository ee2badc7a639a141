/**
 * What a person is told when a command cannot do what was asked: what was expected and found, where, and what to do.
 * Thrown by any room, printed by the command line and nowhere else.
 */
import { FAILURES, type FailureCode, type FailureKind } from './failures.ts';

export interface Problem {
  /** One sentence without a full stop: "expected …, found …". */
  readonly what: string;
  /** A file with line and column, a flag, a variable. */
  readonly where?: string | undefined;
  /** What to do about it. */
  readonly hint?: string | undefined;
}

export class Failure extends Error {
  override readonly name: string = 'Failure';
  readonly failure: FailureCode;
  readonly problems: readonly Problem[];

  constructor(failure: FailureCode, problems: Problem | readonly Problem[], options?: ErrorOptions) {
    const list = 'what' in problems ? [problems] : problems;
    super(list.map((p) => (p.where === undefined ? p.what : `${p.where}: ${p.what}`)).join('\n'), options);
    this.failure = failure;
    this.problems = list;
  }

  get kind(): FailureKind {
    return FAILURES[this.failure].kind;
  }
}
