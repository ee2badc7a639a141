/**
 * What a person is told when a command cannot do what was asked: what was expected and found, where, and what to do.
 * Thrown by any room, printed by the command line and nowhere else.
 */
export interface Problem {
  /** One sentence without a full stop: "expected …, found …". */
  readonly what: string;
  /** A file with line and column, a flag, a variable. */
  readonly where?: string | undefined;
  /** What to do about it. */
  readonly hint?: string | undefined;
}

/**
 * usage: the command line itself is wrong. configuration: a file it names is, and a restart would not help. occupied: another bot has
 * the store or the account, or Redis is away. absent: no bot is there that could answer. failure: the rest.
 */
export type FailureKind = 'failure' | 'usage' | 'configuration' | 'occupied' | 'absent';

export class Failure extends Error {
  override readonly name: string = 'Failure';
  readonly kind: FailureKind;
  readonly problems: readonly Problem[];

  constructor(kind: FailureKind, problems: Problem | readonly Problem[], options?: ErrorOptions) {
    const list = 'what' in problems ? [problems] : problems;
    super(list.map((p) => (p.where === undefined ? p.what : `${p.where}: ${p.what}`)).join('\n'), options);
    this.kind = kind;
    this.problems = list;
  }
}
