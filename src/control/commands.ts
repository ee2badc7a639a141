/**
 * The table of all control commands. The routes of the bot, the command line, docs/reference/control.json and docs/reference/control.md are generated from it.
 * size: a table
 */
import { READY_MADE } from '../domain/ready-made.ts';
import type { ControlCommand } from './control-command.ts';
import { FLAT_WAIT, FROM, LIST, ONE_SCOPE, REHEARSE, SCOPE, SIGNAL_MOST, STRATEGY, SYMBOL, TEXT, TO, WAIT, WHY } from './control-fields.ts';

const IN_EFFECT = 'The steps that were done, and those still open. The command has taken effect when the answer arrives.';

const COMMANDS = {
  status: {
    summary: 'state of the bot: phase, halts, positions, profit',
    does: [
      'Shows phase, equity, profit, positions with their exits, orders, strategies, requests and the last error of the log. Lists each halt with the command that ends it.',
    ],
    answers:
      'One overview. For a stopped bot: the last known overview and its time; ages count back from then, and orders that were open may have filled since.',
    acts: false,
    shown: 'overview',
    whenStopped: 'read',
    fields: {},
    examples: [
      ['tickwright status', 'the bot that was started in this folder'],
      ['tickwright status --all', 'all bots of this user, with sums by account'],
    ],
  },
  why: {
    summary: 'why it does not trade, or what became of an order',
    does: [
      'Without a word, or with a symbol or a strategy: goes through 17 checks, from the halt to the last answer of the venue, for each strategy and market. The first that found something is the answer, with the setting or command that changes it.',
      'With the number or client id of an order: tells its way from the market event to the profit.',
      'With --at it answers from the recording for a moment of the past; a minute such as 10:32, or a second, means its end, and its log lines are shown.',
    ],
    answers:
      'For each strategy and market one sentence and what was found; all checks with --all, or with --json. For an order one sentence, and its steps.',
    acts: false,
    shown: 'tables',
    whenStopped: 'read',
    fields: {
      what: {
        kind: 'text',
        form: TEXT,
        isOptional: true,
        doc: 'a symbol, a strategy, or the number or client id of an order; every strategy and symbol if left out',
      },
      at: { kind: 'text', form: TEXT, isOptional: true, isFlag: true, doc: 'a moment of the past in UTC: 10:32, or 2026-11-22T10:32:05' },
      funnel: {
        kind: 'flag',
        isOptional: true,
        isFlag: true,
        isSwitch: true,
        doc: 'counts of the day instead: bars, calls, signals, intents, allowed, accepted, filled',
      },
      all: { kind: 'flag', isOptional: true, isFlag: true, isSwitch: true, doc: 'all checks and rules, also those that found nothing' },
    },
    examples: [
      ['tickwright why', 'why nothing is traded now'],
      ['tickwright why BTCUSDT --at 10:32', 'why it was not traded then'],
      ['tickwright why 17', 'what became of order 17'],
    ],
  },
  orders: {
    summary: 'own orders that are open or may be open',
    does: [
      'Lists every own order that has not ended, with its number, client id and venue id, the price that fires a trigger order, and the stop-loss and take-profit that an opening order carries. `positions` lists those of filled orders.',
    ],
    answers: 'One line per order.',
    acts: false,
    shown: 'tables',
    whenStopped: 'read',
    fields: { scope: ONE_SCOPE },
    examples: [['tickwright orders BTCUSDT', 'the orders of one symbol']],
  },
  positions: {
    summary: 'open positions',
    does: [
      'Lists each position side that is held: size, entry price, value, unrealised profit, liquidation price.',
      'Below them it lists the exits of each position with size, price and distance from the current price in percent. Exits held by the venue are the stop-loss and take-profit of own orders, and closing limit orders; they work while the bot is off. Exits held by the bot are trailing stops, stops and targets of managed trades.',
      'A size for which the venue holds no stop-loss has a line `no stop-loss`. One that no order of this bot is known to have opened, also because the store is an older backup, has a line `stop-loss not known`: no endpoint lists the stop-loss of a position.',
    ],
    answers: 'One line per position, and one per exit.',
    acts: false,
    shown: 'tables',
    whenStopped: 'read',
    fields: { scope: ONE_SCOPE },
    examples: [['tickwright positions', '']],
  },
  fills: {
    summary: 'the newest fills',
    does: ['Lists fills from the journal: price, size, fee if known, realised profit, position after the fill, strategy and reason.'],
    answers:
      'One line per fill, the newest last. As JSON each has an `id`; `next` is the --before of the page before, null if there is none.',
    acts: false,
    shown: 'tables',
    whenStopped: 'read',
    fields: {
      scope: ONE_SCOPE,
      last: { kind: 'whole', min: 1, max: 100_000, isOptional: true, isFlag: true, doc: 'number of fills; 20 by default' },
      before: {
        kind: 'whole',
        min: 1,
        max: Number.MAX_SAFE_INTEGER,
        isOptional: true,
        isFlag: true,
        doc: 'only fills before the one with this id',
      },
      from: FROM,
      to: TO,
    },
    examples: [['tickwright fills BTCUSDT --last 50', '']],
  },
  pnl: {
    summary: 'realised profit less fees and funding, by strategy, symbol, day or reason',
    does: [
      'Adds up the realised profit of the fills in the journal, their fees, and the funding of positions: `net` is profit less fees plus funding.',
      'A strategy has the profit of its own lots at their own average cost, also where several strategies share a position or a person trades beside them. The row `external` is what belongs to no strategy: trades of other parties, and lots held before the journal began. The venue books profit at one average cost of the position: `netting` is what that moves between the rows. It is 0 once the position is closed. Funding follows the lots that are held when a read shows it.',
      'Every column adds up to the row `all`, to the cent. Unrealised profit is not included; `status` shows it for each strategy.',
    ],
    answers: 'One line per group, and the sum.',
    acts: false,
    shown: 'tables',
    whenStopped: 'read',
    fields: {
      by: {
        kind: 'word',
        words: ['strategy', 'symbol', 'day', 'reason'],
        isOptional: true,
        isFlag: true,
        doc: 'the grouping; by strategy by default',
      },
      from: FROM,
      to: TO,
    },
    examples: [['tickwright pnl --by day', '']],
  },
  limits: {
    summary: 'how near each limit is, and what it does',
    does: ['Shows the nearest first. Live opening orders count as filled. Limits of single orders: see `why --all`.'],
    answers: 'One line per limit and scope that has one.',
    acts: false,
    shown: 'tables',
    whenStopped: 'no',
    fields: { scope: ONE_SCOPE },
    examples: [['tickwright limits', '']],
  },
  halt: {
    summary: 'stop opening positions',
    does: [
      'After the answer, no opening order of the scope is sent. An order that still waits for its turn or for a connection is taken back.',
      'Resting orders stay. Closing orders and cancels are still sent. The halt survives a restart, SIGKILL and the loss of the store. `resume` ends it.',
      'The halt is first written beside the store, where the bot looks before each opening order. So it holds for a bot that is stopped, starting or stuck, and without the control socket; exit code 7 or 8 then says that no bot has confirmed it.',
    ],
    answers: `${IN_EFFECT} Opening orders that were sent before are listed: they may still reach the venue.`,
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
      'Ends the halts of the scope and of everything within it: operator halts, limit halts and halts that require a person’s decision.',
      'A halt stays if the bot can still resolve its cause itself, such as an unknown outcome that it reads for.',
      'A kill, and halts for serious faults, need --i-know.',
      'It is refused if the bot took a halt, flatten or kill after it was typed; through the socket or HTTP, in the four seconds before it arrived.',
    ],
    answers: 'The halts that ended, and those that remain, each with what ends it.',
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
    does: ['Does the same as halt, and cancels resting opening orders of the scope. Positions can only shrink.', '`off` ends it.'],
    answers: IN_EFFECT,
    acts: true,
    whenStopped: 'no',
    fields: {
      scope: SCOPE,
      state: { kind: 'word', words: ['on', 'off'], isOptional: true, doc: 'off ends the reduce-only state' },
      why: WHY,
      wait: WAIT,
    },
    examples: [
      ['tickwright reduce-only BTCUSDT', ''],
      ['tickwright reduce-only BTCUSDT off', ''],
    ],
  },
  'cancel-all': {
    summary: 'cancel own orders',
    does: [
      'Cancels every own order of the scope, closing orders included. Strategies may place new ones; use `halt` first to prevent that.',
    ],
    answers: `${IN_EFFECT} Orders whose cancel has no answer yet are listed.`,
    acts: true,
    whenStopped: 'no',
    fields: { scope: SCOPE, why: WHY, wait: WAIT },
    examples: [['tickwright cancel-all BTCUSDT', '']],
  },
  flatten: {
    summary: 'cancel orders and close positions',
    does: [
      'Cancels own orders of the scope. Then closes each position with market orders; the newest read of its symbol (E20) says how much is left.',
      'It is done when a list (E19) and a single read (E20) that both began `listLagMs` after the last own order show that nothing is left. An order of unknown outcome counts for `orderHorizonMs` before.',
      'Opening orders of the scope wait meanwhile. It works while opening is halted, and continues after a restart.',
      'It closes the lots that orders of this bot opened, also where no strategy trades the symbol any more. Of a leg that is partly of others it prints both sizes and leaves theirs. Legs that it does not close are listed by name. A position in a symbol without a row in the file of instruments cannot be closed: it is named, and the exit code is 4.',
    ],
    answers:
      'Within five seconds: done, or what is left. Then each change until the positions are closed, at most three minutes. The exit code is 4 while any leg is left that was to be closed, or whose state is not proven.',
    acts: true,
    whenStopped: 'no',
    fields: { scope: SCOPE, rehearse: REHEARSE, why: WHY, wait: FLAT_WAIT },
    examples: [
      ['tickwright flatten BTCUSDT', ''],
      ['tickwright flatten', 'everything'],
      ['tickwright flatten --rehearse', 'what it would do; the flatten that follows within ten minutes is compared with it'],
    ],
  },
  kill: {
    summary: 'halt, cancel and close everything, permanently',
    does: [
      'Halts the bot, cancels its orders and closes its positions.',
      'It closes every leg (position side) of which orders of this bot opened a part, and every leg of the symbols that its strategies trade, whole. All other legs are listed by name.',
      'While the journal is known to lack orders (`journal-rollback`, `journal-lost`), it also closes every leg with the halt `external-position`, because an order that the journal lacks may have opened it.',
      'It is done when it is proven, as for `flatten`.',
      'Nothing opens again, not even after a restart, until `tickwright resume --i-know`.',
      'The kill is first written beside the store. A bot that is stopped or stuck opens nothing from then on, and carries it out when it starts or goes on; exit code 7 or 8 says that no bot has confirmed it.',
    ],
    answers:
      'Within five seconds: done, or what is left. Then each change until the positions are closed, at most three minutes. The exit code is 4 while any leg is left that was to be closed, or whose state is not proven.',
    acts: true,
    whenStopped: 'halt',
    fields: { rehearse: REHEARSE, why: WHY, wait: FLAT_WAIT },
    examples: [
      ['tickwright kill --why "wrong parameters"', ''],
      ['tickwright kill --all', 'all bots of this user, after a question'],
    ],
  },
  settle: {
    summary: 'enter the outcome of a command that the bot cannot find out',
    does: [
      'For a command whose outcome no read can show (spot orders, margin changes). Look it up at the venue and enter it here.',
      'The halt for this unknown outcome ends.',
    ],
    answers: IN_EFFECT,
    acts: true,
    whenStopped: 'no',
    fields: {
      order: { kind: 'text', form: TEXT, doc: 'its number or its client id, as shown by `status`' },
      outcome: { kind: 'word', words: ['landed', 'not-landed'], doc: 'whether the order reached the venue' },
      venueId: { kind: 'text', form: TEXT, isOptional: true, doc: 'the venue’s order id, if the order reached the venue' },
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
      'Creates the strategy again with the new parameter, as a restart would. Its orders stay; its state passes through save and restore.',
      'The value survives a restart and overrides the configuration; `status` shows both. An empty value returns to the configured one.',
      'After a restart, a strategy that does not accept its set values any more runs without them, and the log says `parameters-dropped`.',
    ],
    answers: 'What was changed, and whether the strategy’s state was carried over.',
    acts: true,
    whenStopped: 'no',
    fields: {
      strategy: { kind: 'text', form: TEXT, doc: 'its name, as shown by `status`' },
      assignment: {
        kind: 'text',
        form: { pattern: /^[A-Za-z][A-Za-z0-9_]{0,63}=.{0,200}$/u, words: 'NAME=VALUE' },
        doc: 'the parameter and its value',
      },
      why: WHY,
    },
    examples: [['tickwright set ema-cross fast=10', '']],
  },
  reload: {
    summary: 'give a running strategy its file as it stands on disk now',
    does: [
      'Loads the file, and what it imports, and creates the strategy again with it. Its orders stay; its state passes through save and restore.',
      'Nothing changes if the file does not load, does not restore the state, or needs other market data. The text is kept in the journal: a restart runs it, whatever then stands on disk, and `status` says so.',
      'In the hour after it the text before comes back by itself, with the state that it had, if the new one throws, asks for more than a size limit of its symbol allows, or is refused ten times within a minute.',
    ],
    answers: 'Which text runs and which ran before, by the first digits of their sha256.',
    acts: true,
    whenStopped: 'no',
    fields: {
      strategy: STRATEGY,
      sha256: { kind: 'text', form: TEXT, isOptional: true, isFlag: true, doc: 'refuse any other text than the one of this sha256' },
      why: WHY,
    },
    examples: [
      ['tickwright reload ema-cross', ''],
      ['tickwright reload ema-cross --rehearse', 'what it would have done in the last sessions'],
      ['tickwright reload ema-cross --shadow 10m', 'what it would have done in the next ten minutes'],
    ],
  },
  add: {
    summary: 'let a running strategy trade one symbol more',
    does: [
      'Creates the strategy again with the symbol among its markets. Its state passes through save and restore; the poll plan follows.',
      'It is refused if the venue’s rate does not allow the polls. A strategy that wants bars waits until those of the symbol are read.',
      'The symbol stays after a restart, until `remove`; `status` shows that it is not in the configuration.',
    ],
    answers: 'What was changed, and which bars the strategy waits for.',
    acts: true,
    whenStopped: 'no',
    fields: { symbol: SYMBOL, strategy: STRATEGY, why: WHY },
    examples: [['tickwright add ETHUSDT', '']],
  },
  remove: {
    summary: 'let a running strategy trade one symbol less',
    does: [
      'Cancels the orders of the strategy in the symbol and creates the strategy again without it. The poll plan follows.',
      'It is refused while a position of the symbol is open, unless --position says what becomes of it, and while the strategy manages a trade or an execution there.',
      'The symbol stays away after a restart, until `add`; `status` shows that it is in the configuration.',
    ],
    answers: 'What was changed. Orders whose cancel has no answer yet are listed, and what is left of a position that is closed.',
    acts: true,
    whenStopped: 'no',
    fields: {
      symbol: SYMBOL,
      strategy: STRATEGY,
      position: {
        kind: 'word',
        words: ['keep', 'flatten'],
        isOptional: true,
        isFlag: true,
        doc: 'what becomes of an open position: keep leaves it to you, flatten closes it',
      },
      why: WHY,
      wait: WAIT,
    },
    examples: [
      ['tickwright remove ETHUSDT', ''],
      ['tickwright remove ETHUSDT --position flatten', 'closes its position'],
    ],
  },
  'add-strategy': {
    summary: 'add a ready-made bot to the strategies of this bot',
    does: [
      'Checks a ready-made bot and adds it, without a change of the configuration. Nothing is added if it cannot run, or if the venue’s rate does not allow its polls.',
      'The bot then stops cleanly and starts again in place, within seconds: strategies cancel what rests to open, as at every stop; what closes stays at the venue. The strategy stays after a restart, until `remove-strategy`.',
    ],
    answers: 'What was added; with --rehearse what would be: parameters, limits and requests a minute.',
    acts: true,
    whenStopped: 'no',
    fields: {
      bot: { kind: 'word', words: READY_MADE, doc: 'the ready-made bot' },
      symbols: { kind: 'text', form: LIST, doc: 'futures of the file of instruments, with commas between: BTCUSDT,ETHUSDT' },
      params: {
        kind: 'text',
        form: { pattern: /^[^]+$/u, words: `JSON of at most ${SIGNAL_MOST} characters` },
        most: SIGNAL_MOST,
        isOptional: true,
        isFlag: true,
        doc: 'its parameters as JSON, such as {"range":3}; those left out have their defaults',
      },
      name: { kind: 'text', form: TEXT, isOptional: true, isFlag: true, doc: 'name of the strategy; that of the bot by default' },
      rehearse: { kind: 'flag', isOptional: true, isFlag: true, isSwitch: true, doc: 'add nothing: check it, and show what it would do' },
      why: WHY,
    },
    examples: [[`tickwright add-strategy grid BTCUSDT --params '{"range":3}' --rehearse`, 'without --rehearse it is added']],
  },
  'remove-strategy': {
    summary: 'remove a ready-made bot that was added',
    does: ['Refused while it has a position or live orders. The bot then stops cleanly and starts again in place without it.'],
    answers: IN_EFFECT,
    acts: true,
    whenStopped: 'no',
    fields: { strategy: { kind: 'text', form: TEXT, doc: 'its name, as shown by `status`' }, why: WHY },
    examples: [['tickwright remove-strategy grid', '']],
  },
  signal: {
    summary: 'say something to a strategy',
    does: [
      'Calls `onSignal` of the strategy with the text. What it does then is up to the strategy, within its limits.',
      'A strategy that cannot be called now refuses it: a signal is not kept for later. Webhooks use this command.',
    ],
    answers: 'That the strategy was called.',
    acts: true,
    whenStopped: 'no',
    fields: {
      strategy: { kind: 'text', form: TEXT, doc: 'its name, as shown by `status`' },
      text: {
        kind: 'text',
        form: { pattern: /^[^]+$/u, words: `text of at most ${SIGNAL_MOST} characters` },
        most: SIGNAL_MOST,
        doc: 'what the strategy is given',
      },
      why: WHY,
    },
    examples: [[`tickwright signal news-trader '{"action":"buy"}'`, '']],
  },
  export: {
    summary: 'fills, orders or trades as CSV or JSON',
    does: [
      'Writes data of the journal to stdout: `fills` one by one, `orders` with their final state, or `trades`: what a strategy did in a position from its first lot until it held none. Lots of no strategy make trades of `external`.',
    ],
    answers: 'CSV with a header line, or a JSON array.',
    acts: false,
    shown: 'rows',
    whenStopped: 'read',
    fields: {
      what: { kind: 'word', words: ['fills', 'orders', 'trades'], doc: 'the kind of data' },
      csv: { kind: 'flag', isOptional: true, isFlag: true, isSwitch: true, doc: 'write CSV; the default' },
      from: FROM,
      to: TO,
    },
    examples: [['tickwright export fills --csv > fills.csv', '']],
  },
  tail: {
    summary: 'log events as they happen',
    does: [
      'Prints each new line of the log until Ctrl-C. With --since also the lines from then on, which a running bot keeps in memory: the newest 8 MB, without the lines of single orders.',
    ],
    answers: 'One line per event; as JSON with --json.',
    acts: false,
    shown: 'lines',
    whenStopped: 'no',
    fields: {
      since: {
        kind: 'text',
        form: TEXT,
        isOptional: true,
        isFlag: true,
        doc: 'begin there: 10m ago, or a time in UTC such as 2026-11-22T08:00',
      },
      follow: {
        kind: 'flag',
        isOptional: true,
        isFlag: true,
        flag: '--no-follow',
        isSwitch: true,
        doc: 'end after the lines since then, instead of waiting for new ones',
      },
    },
    examples: [
      ['tickwright tail --since 10m', ''],
      ['tickwright tail --since 10m --no-follow', 'ends by itself'],
      ['tickwright tail --json', ''],
    ],
  },
  events: {
    summary: 'changes of the bot as they happen, as JSON',
    does: [
      'Prints one JSON object per change: orders, fills, positions, halts, log lines, notes, quotes, and a status each second. The first line is the whole state.',
      'Each has an id. With --after the stream goes on after that id, if the bot still has the changes since then (the newest 10,000); otherwise it begins again with the whole state.',
    ],
    answers: 'One line per change (`src/control/changes.ts`). A reader that is too slow is disconnected, and may resume.',
    acts: false,
    shown: 'lines',
    whenStopped: 'no',
    fields: { after: { kind: 'text', form: TEXT, isOptional: true, isFlag: true, doc: 'id of the last change that was read' } },
    examples: [['tickwright events', '']],
  },
  'rotate-epoch': {
    summary: 'start new client ids after a store was lost or restored',
    does: ['Begins a new series (epoch) of client ids, so that no client id is used twice. Ends the halts that wait for it.'],
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
