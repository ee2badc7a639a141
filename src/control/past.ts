/** The shape of what the monitor tells of a recorded session: its timeline, and the forks of it. Times are milliseconds since 1970. */

/** A moment that a person may want to see. */
export interface PastMark {
  readonly time: number;
  readonly kind: 'order' | 'fill' | 'halt' | 'fault' | 'operator' | 'bot';
  readonly text: string;
}

/** How the bot took the answer to a command. */
export type CommandOutcome = 'accepted' | 'rejected' | 'unsent' | 'unknown';

/** What differs in a fork of a session, from a moment on. */
export type ForkSpec =
  /** Opens are halted at this time. */
  | { readonly how: 'halt'; readonly at: number }
  /** A parameter of a strategy has another value from this time on. */
  | { readonly how: 'set'; readonly at: number; readonly strategy: string; readonly param: string; readonly value: string }
  /** The venue executes the command of this number, or never receives it. */
  | { readonly how: 'landed' | 'not-landed'; readonly order: number };

/** A session as the recordings list it. */
export interface SessionRow {
  readonly name: string;
  readonly startedAt: number;
  /** Time when its file was last written. */
  readonly endedAt: number;
  readonly bytes: number;
}

/** A session that was replayed. */
export interface PastAnswer {
  readonly name: string;
  readonly bot: string;
  readonly from: number;
  readonly to: number;
  /** `stopped`: cleanly. `failed`: a step threw an error. `open`: the recording breaks off, as after a kill, or the bot runs. */
  readonly end: 'stopped' | 'failed' | 'open';
  /** The first difference between the recording and its replay; "" if they are equal. Nothing is shown after it. */
  readonly differs: string;
  /** Oldest first. */
  readonly marks: readonly PastMark[];
  /** By number: how the bot took the answer to its orders. An order that is absent had no answer. */
  readonly outcomes: Readonly<Record<number, CommandOutcome>>;
  readonly strategies: readonly { readonly name: string; readonly params: Readonly<Record<string, string>> }[];
  /** The newest, at most `forksKept`. */
  readonly forks: readonly ForkAnswer[];
  readonly forksKept: number;
}

/** A fork: up to `at` it is the session; from there on a simulated venue answers, with the market of the recording. */
export interface ForkAnswer {
  readonly id: string;
  readonly text: string;
  readonly at: number;
  readonly to: number;
  /** Those of the session before the fork, and those of the fork. */
  readonly marks: readonly PastMark[];
  /** Equity at the end in the quote coin: of the fork, and as the venue said it in the recording. */
  readonly equity: string;
  readonly recordedEquity: string;
  readonly fills: number;
  /** Numbers of commands from the fork on. */
  readonly commands: number;
  readonly recordedCommands: number;
  /** The first command that is not the same, as sentences of both sides; "" for none. */
  readonly firstDifference: string;
  /** Open trigger and spot orders that the simulated venue could not take over. */
  readonly leftOut: number;
}
