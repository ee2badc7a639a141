/**
 * Every command of the control plane, once: the routes of the daemon, the command line, docs/control.json and docs/control.md are
 * made of this table.
 */
import type { Field } from '../base/fields.ts';

/** One input of a command: a word after its name, or a flag. */
export type ControlField = Field & {
  readonly isFlag?: true;
  /** The flag, when it is not the field's own name: "--i-know". */
  readonly flag?: string;
  /** A flag that takes no value. */
  readonly isSwitch?: true;
};

export interface ControlCommand {
  readonly name: string;
  /** In a list of commands. */
  readonly summary: string;
  /** What it does, sentence by sentence. */
  readonly does: readonly string[];
  readonly answers: string;
  readonly acts: boolean;
  /** Whether a stopped bot can answer it from its files. */
  readonly whenStopped: 'read' | 'halt' | 'rotate' | 'no';
  readonly fields: Readonly<Record<string, ControlField>>;
  readonly examples: readonly (readonly [line: string, what: string])[];
}

const TEXT = { pattern: /^\P{Cc}{1,200}$/u, words: 'text of at most 200 characters' } as const;
const SCOPE: ControlField = {
  kind: 'text',
  form: TEXT,
  isOptional: true,
  doc: 'a symbol (BTCUSDT), one leg of it (BTCUSDT:LONG) or the name of a strategy; without it the whole bot',
};
const ONE_SCOPE: ControlField = { ...SCOPE, doc: 'a symbol, a leg or a strategy; without it everything' };
const WHY: ControlField = { kind: 'text', form: TEXT, isOptional: true, isFlag: true, doc: 'the reason, for the journal and the log' };
const WAIT: ControlField = {
  kind: 'whole',
  min: 0,
  max: 60_000,
  isOptional: true,
  isFlag: true,
  doc: 'milliseconds to wait for the full effect before the answer says what is open; by default 5000',
};
const FROM: ControlField = {
  kind: 'text',
  form: TEXT,
  isOptional: true,
  isFlag: true,
  doc: 'from this UTC time on, such as 2026-11-22T08:00',
};
const TO: ControlField = { kind: 'text', form: TEXT, isOptional: true, isFlag: true, doc: 'up to this UTC time' };
const IN_EFFECT = 'What was done, and what is still open. The command is in effect when the answer comes.';

const COMMANDS = {
  status: {
    summary: 'state of the bot: phase, halts, positions, profit',
    does: ['Shows phase, equity, profit, positions, orders, halts with the command that ends each, strategies and requests.'],
    answers: 'One overview. For a stopped bot what was last known, and when.',
    acts: false,
    whenStopped: 'read',
    fields: {},
    examples: [['tickwright status', 'the bot that was started in this folder']],
  },
  orders: {
    summary: 'own orders that are open or may be',
    does: ['Lists every own order that has not ended, with its number, client id and venue id.'],
    answers: 'One line an order.',
    acts: false,
    whenStopped: 'read',
    fields: { scope: ONE_SCOPE },
    examples: [['tickwright orders BTCUSDT', 'those of one symbol']],
  },
  positions: {
    summary: 'open positions',
    does: ['Lists each leg that is held: size, entry price, value, unrealised profit, liquidation price.'],
    answers: 'One line a leg.',
    acts: false,
    whenStopped: 'read',
    fields: { scope: ONE_SCOPE },
    examples: [['tickwright positions', '']],
  },
  fills: {
    summary: 'the newest fills',
    does: ['Lists fills from the journal: price, size, fee where known, realised profit, position afterwards, strategy and reason.'],
    answers: 'One line a fill, the newest last.',
    acts: false,
    whenStopped: 'read',
    fields: {
      scope: ONE_SCOPE,
      last: { kind: 'whole', min: 1, max: 100_000, isOptional: true, isFlag: true, doc: 'how many; by default 20' },
      from: FROM,
      to: TO,
    },
    examples: [['tickwright fills BTCUSDT --last 50', '']],
  },
  pnl: {
    summary: 'realised profit, by strategy, symbol, day or reason',
    does: [
      'Adds up the realised profit of the fills in the journal.',
      'Unrealised profit, funding and what the venue books without a fill are in the equity that `status` shows.',
    ],
    answers: 'One line a group, and the sum.',
    acts: false,
    whenStopped: 'read',
    fields: {
      by: {
        kind: 'word',
        words: ['strategy', 'symbol', 'day', 'reason'],
        isOptional: true,
        isFlag: true,
        doc: 'how to group; by default by strategy',
      },
      from: FROM,
      to: TO,
    },
    examples: [['tickwright pnl --by day', '']],
  },
  halt: {
    summary: 'open nothing more',
    does: [
      'From the answer on, no opening order of the scope leaves. One that waits for its turn or for a socket is taken back.',
      'Resting orders stay, closing orders and cancels go on.',
      'The halt outlives a restart, SIGKILL and the loss of the store. It ends by `resume`.',
      'On a stopped bot it is written beside the store: the bot starts halted.',
    ],
    answers: `${IN_EFFECT} Opening orders that had been sent before are named: they may still arrive.`,
    acts: true,
    whenStopped: 'halt',
    fields: { scope: SCOPE, why: WHY, wait: WAIT },
    examples: [
      ['tickwright halt', 'the whole bot'],
      ['tickwright halt BTCUSDT --why "news at noon"', 'one symbol'],
    ],
  },
  resume: {
    summary: 'end halts',
    does: [
      'Ends the halts of the scope and of all within it: those of an operator, of limits and of events that a person has to look at.',
      'A halt whose cause the bot can still find out (an unknown outcome that it reads for) stays.',
      'A kill, and halts that mean that something is deeply wrong, need --i-know.',
    ],
    answers: 'The halts that ended, and those that stand, each with what ends it.',
    acts: true,
    whenStopped: 'no',
    fields: {
      scope: SCOPE,
      confirmed: {
        kind: 'flag',
        isOptional: true,
        isFlag: true,
        flag: '--i-know',
        isSwitch: true,
        doc: 'also end a kill and other halts that need confirmation',
      },
      why: WHY,
      wait: WAIT,
    },
    examples: [
      ['tickwright resume BTCUSDT', ''],
      ['tickwright resume --i-know', 'after a kill'],
    ],
  },
  'reduce-only': {
    summary: 'only closing orders; resting opening orders are cancelled',
    does: ['As halt, and resting opening orders of the scope are cancelled: positions can only shrink.', 'With `off` it ends.'],
    answers: IN_EFFECT,
    acts: true,
    whenStopped: 'no',
    fields: { scope: SCOPE, state: { kind: 'word', words: ['on', 'off'], isOptional: true, doc: 'off ends it' }, why: WHY, wait: WAIT },
    examples: [
      ['tickwright reduce-only BTCUSDT', ''],
      ['tickwright reduce-only BTCUSDT off', ''],
    ],
  },
  'cancel-all': {
    summary: 'cancel own orders',
    does: ['Cancels every own order of the scope, closing ones too. Strategies may place new ones: halt first if they must not.'],
    answers: `${IN_EFFECT} Orders whose cancel has no answer yet are named.`,
    acts: true,
    whenStopped: 'no',
    fields: { scope: SCOPE, why: WHY, wait: WAIT },
    examples: [['tickwright cancel-all BTCUSDT', '']],
  },
  flatten: {
    summary: 'cancel orders and close positions',
    does: [
      'Cancels own orders of the scope, then closes each leg by market orders of at most its size, until a read of the venue shows none.',
      'Opens of the scope wait meanwhile. It works while opens are halted, and goes on after a restart.',
      'The positions of the bot are those in symbols that its strategies trade.',
    ],
    answers: 'What was begun, and what is left to close.',
    acts: true,
    whenStopped: 'no',
    fields: { scope: SCOPE, why: WHY, wait: WAIT },
    examples: [
      ['tickwright flatten BTCUSDT', ''],
      ['tickwright flatten', 'everything'],
    ],
  },
  kill: {
    summary: 'halt, cancel and close everything, for good',
    does: [
      'Halts the bot, cancels its orders and closes its positions.',
      'Nothing opens again, not after a restart either, until `tickwright resume --i-know`.',
      'On a stopped bot it is written beside the store: the bot does all of it when it starts.',
    ],
    answers: 'What was begun, and what is left to close.',
    acts: true,
    whenStopped: 'halt',
    fields: { why: WHY, wait: WAIT },
    examples: [['tickwright kill --why "lost the plot"', '']],
  },
  settle: {
    summary: 'tell the bot the outcome of an order that it cannot find out',
    does: [
      'For a command whose outcome no read can show (spot orders, margin): you looked at the venue and tell the bot.',
      'The halt that stands because of it ends.',
    ],
    answers: IN_EFFECT,
    acts: true,
    whenStopped: 'no',
    fields: {
      order: { kind: 'text', form: TEXT, doc: 'its number or its client id, as `status` names it' },
      outcome: { kind: 'word', words: ['landed', 'not-landed'], doc: 'whether the order reached the venue' },
      venueId: { kind: 'text', form: TEXT, isOptional: true, doc: 'the order id at the venue, when it landed' },
      why: WHY,
    },
    examples: [
      ['tickwright settle 17 landed 1029384756', ''],
      ['tickwright settle 17 not-landed', ''],
    ],
  },
  set: {
    summary: 'change a parameter of a running strategy',
    does: [
      'Creates the strategy again with the parameter, as a restart would. Its orders stay; its state goes through save and restore.',
      'The value outlives a restart and stands before that of the configuration. An empty value takes the one of the configuration again.',
    ],
    answers: 'What was changed, and whether the strategy’s state was carried over.',
    acts: true,
    whenStopped: 'no',
    fields: {
      strategy: { kind: 'text', form: TEXT, doc: 'its name, as `status` shows it' },
      assignment: {
        kind: 'text',
        form: { pattern: /^[A-Za-z][A-Za-z0-9_]{0,63}=.{0,200}$/u, words: 'NAME=VALUE' },
        doc: 'the parameter and its value',
      },
      why: WHY,
    },
    examples: [['tickwright set ema-cross fast=10', '']],
  },
  export: {
    summary: 'fills, orders or trades as CSV or JSON',
    does: ['Writes what the journal has to stdout: `fills` one by one, `orders` with their end, `trades` from flat to flat of a leg.'],
    answers: 'CSV with a header line, or a JSON array.',
    acts: false,
    whenStopped: 'read',
    fields: {
      what: { kind: 'word', words: ['fills', 'orders', 'trades'], doc: 'what is written' },
      csv: { kind: 'flag', isOptional: true, isFlag: true, isSwitch: true, doc: 'as CSV: the default' },
      from: FROM,
      to: TO,
    },
    examples: [['tickwright export fills --csv > fills.csv', '']],
  },
  tail: {
    summary: 'events as they happen',
    does: ['Prints each line of the log from now on, until Ctrl-C.'],
    answers: 'One line an event, as JSON with --json.',
    acts: false,
    whenStopped: 'no',
    fields: {},
    examples: [['tickwright tail --json', '']],
  },
  'rotate-epoch': {
    summary: 'begin new client ids after a store was lost or put back',
    does: ['Draws a new epoch, so that no client id is used twice, and lifts the halts that wait for it. The bot may run or be stopped.'],
    answers: 'The old and the new epoch.',
    acts: true,
    whenStopped: 'rotate',
    fields: { why: WHY },
    examples: [['tickwright rotate-epoch', '']],
  },
} as const satisfies Readonly<Record<string, Omit<ControlCommand, 'name'>>>;

export type ControlName = keyof typeof COMMANDS;

export const CONTROL_COMMANDS: readonly (ControlCommand & { readonly name: ControlName })[] = Object.entries(COMMANDS).map(
  ([name, command]) => ({ name: name as ControlName, ...command }),
);

/** "POST /v1/halt", "GET /v1/status". */
export function routeOf({ name, acts }: Pick<ControlCommand, 'name' | 'acts'>): string {
  return `${acts ? 'POST' : 'GET'} /v1/${name}`;
}
