/**
 * The table of exit codes. A process manager restarts the bot after every exit except those in `STAY_DOWN`. docs/reference/exit-codes.md is generated
 * from this table, and a test compares it with ecosystem.config.cjs.
 */
interface ExitCode {
  readonly code: number;
  /** What happened, as shown in help texts and docs. */
  readonly meaning: string;
  /** What the reader should do about it. */
  readonly action: string;
  /** True if a process manager should restart the bot. */
  readonly restart: boolean;
}

const table = {
  done: {
    code: 0,
    meaning: 'done, or stopped as asked',
    action: 'nothing. The bot ends with 0 only after a request to stop, so a restart after 0 cannot loop',
    restart: true,
  },
  failed: {
    code: 1,
    meaning: 'failed',
    action: 'the last lines of the log say why; the bot reconciles when it starts again',
    restart: true,
  },
  usage: {
    code: 2,
    meaning: 'the command line is wrong, or names something that does not exist',
    action: 'correct the command line: the error says where',
    restart: false,
  },
  ordersLeft: {
    code: 3,
    meaning: 'stopped as asked, but orders are still open at the venue, or their outcome is unknown',
    action: 'the log names them; start the bot again to manage them, or cancel them at the venue',
    restart: true,
  },
  partly: {
    code: 4,
    meaning: 'the command is in effect, but a part of it is not finished',
    action: 'the answer names the part; run `tickwright status` until it is finished',
    restart: true,
  },
  refused: {
    code: 5,
    meaning: 'the bot refused the command, and nothing was changed',
    action: 'the answer says why and what to use instead',
    restart: true,
  },
  notRunning: {
    code: 6,
    meaning: 'no running bot was found',
    action: 'start it, or name another with --state or --config',
    restart: true,
  },
  recorded: {
    code: 7,
    meaning: 'the halt is recorded, but no bot has confirmed it',
    action: 'the answer says why: the bot does not run, or is starting or stopping. It opens nothing until it has taken the halt',
    restart: true,
  },
  silent: {
    code: 8,
    meaning: 'the bot runs, but did not answer in time; a halt or kill is recorded all the same',
    action: 'the answer says which process, since when it is silent, and what to type',
    restart: true,
  },
  hung: {
    code: 70,
    meaning: 'a strategy did not return, and the process was ended',
    action: 'the log names the strategy, the handler and the line; the bot starts again without this strategy until you allow it',
    restart: true,
  },
  memory: {
    code: 71,
    meaning: 'the memory was nearly used up, and the process was ended',
    action: 'the log names the strategy that ran; give the process more memory or correct the strategy',
    restart: true,
  },
  occupied: {
    code: 75,
    meaning: 'another process has this store, this account, this ledger or this study, or the store is away or full',
    action: 'stop the other process, start Redis, or free space; a process manager tries again until that is done',
    restart: true,
  },
  configuration: {
    code: 78,
    meaning: 'the configuration, a strategy or data is wrong: starting again does not help',
    action: 'correct what the error names, then start the bot by hand',
    restart: false,
  },
} as const satisfies Readonly<Record<string, ExitCode>>;

export type ExitName = keyof typeof table;

export const EXIT_CODES: Readonly<Record<ExitName, ExitCode>> = table;

/** The numbers alone: `exitCode.configuration`. */
export const exitCode = Object.fromEntries(Object.entries(table).map(([name, { code }]) => [name, code])) as {
  readonly [N in ExitName]: (typeof table)[N]['code'];
};

/** Codes after which a process manager leaves the bot stopped. Never 0: PM2 reports a death by signal as 0. */
export const STAY_DOWN: readonly number[] = Object.values(EXIT_CODES).flatMap(({ code, restart }) => (restart ? [] : [code]));
