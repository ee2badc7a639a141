/**
 * The table of all halt reasons: what each means and who may end it. Log, `status`, journal and docs use these names. Add a new reason as a
 * new row here.
 */
import type { SavedHalt } from '../../../domain/messages/saved-halt.ts';

/**
 * Who ends a halt. `bot`: the part that raised it, when the cause is gone. `operator`: a person, by `tickwright resume`. `confirmed`: a
 * person, by `tickwright resume --i-know`. `settle`: a person who says what happened to an order. `rotate`: a person, by `tickwright
 * rotate-epoch`, which starts new client ids.
 */
export type HaltEnd = 'bot' | 'operator' | 'confirmed' | 'settle' | 'rotate';

export interface HaltRow {
  readonly end: HaltEnd;
  /** A halt that lasts as long is an error of the log. Default: it is no error if the bot ends it, and an error at once if not. */
  readonly errorAfterMs?: number;
  readonly doc: string;
}

export const HALT_CODES = {
  'outcome-unknown': {
    end: 'bot',
    errorAfterMs: 5_000,
    doc: 'The outcome of a command is unknown. The bot reads the venue until it is known.',
  },
  'outcome-unreadable': { end: 'settle', doc: 'The outcome of a command is unknown, and no read of the venue can show it.' },
  'outcome-offline': {
    end: 'settle',
    doc: 'The outcome of an order is unknown, and the venue does not know its symbol any more. It ends by itself if the order history shows the order, or the symbol comes back.',
  },
  'order-quarantined': { end: 'settle', doc: 'The client id of an order is already used at the venue, and no read shows the order.' },
  'cancel-unresolved': { end: 'settle', doc: 'A cancel has no outcome after all its tries. The order may still be open.' },
  'margin-mode-unverified': { end: 'operator', doc: 'The account does not show the margin mode that was set.' },
  'reads-failing': { end: 'bot', doc: 'The outcome of a command is unknown, and order reads have failed for five minutes.' },
  'duplicate-order': {
    end: 'confirmed',
    doc: 'The venue holds two orders where there should be one: with one client id, or before and after a modify. One is cancelled.',
  },
  'clock-skew': {
    end: 'bot',
    doc: 'The clock of the venue and that of this machine are more than a second apart. Opens wait until they agree.',
  },
  operator: { end: 'operator', doc: 'An operator halted opens.' },
  'reduce-only': { end: 'operator', doc: 'An operator allowed only closing orders. Resting opening orders were cancelled.' },
  flatten: { end: 'bot', doc: 'An operator or a limit requested to close positions. Opens wait until that is done.' },
  kill: {
    end: 'confirmed',
    doc: 'An operator used the kill switch: all orders are cancelled, all positions closed, and nothing opens again.',
  },
  'strategy-hung': { end: 'operator', doc: 'A handler of the strategy did not return. No handler is called until an operator resumes.' },
  unauthorized: {
    end: 'bot',
    doc: 'The venue refused a command, or three signed requests in a row, for the key. One request at a time asks whether it works again.',
  },
  'id-reused': { end: 'confirmed', doc: 'The venue says that it has seen the client id of a new order before.' },
  'response-mixup': { end: 'confirmed', doc: 'The venue answered a command with the answer to another one.' },
  'id-collision': { end: 'confirmed', doc: 'The venue holds another order under a client id of this bot.' },
  'late-landing': {
    end: 'operator',
    doc: 'An order that no read had shown within `orderHorizonMs` landed after all. It is cancelled, and its fills are counted; during a kill the position is closed again.',
  },
  'external-position': { end: 'operator', doc: 'Another party changed a position.' },
  'external-liquidation': { end: 'operator', doc: 'The venue liquidated a position.' },
  'external-withdrawal': { end: 'operator', doc: 'The venue lists a withdrawal that was not there before.' },
  'external-transfer': { end: 'operator', doc: 'Money left the futures account and no trade explains it.' },
  'external-equityDrop': { end: 'operator', doc: 'The equity fell by more than the configured share within a day.' },
  'external-leverage': { end: 'operator', doc: 'Another party changed the leverage of the symbol.' },
  'external-marginMode': { end: 'operator', doc: 'Another party changed the margin mode of the symbol.' },
  'external-offline': { end: 'operator', doc: 'The venue no longer knew the symbol.' },
  offline: { end: 'bot', doc: 'The venue does not know the symbol. The bot keeps asking until it does.' },
  'positions-unread': { end: 'bot', doc: 'Positions could not be read for longer than risk.maxPositionAgeMs.' },
  'account-unread': { end: 'bot', doc: 'The account could not be read for longer than risk.maxAccountAgeMs.' },
  'marker-damaged': { end: 'confirmed', doc: 'The file that keeps halts beside the store is damaged.' },
  'assertion-failed': {
    end: 'confirmed',
    doc: 'A check of the bot’s own state failed: a bug. The bot was restarted, and opens nothing; closes, cancels and reads go on. Report it with the log line `bot-failed`.',
  },
  'journal-rollback': {
    end: 'rotate',
    doc: 'The journal was lost or put back to an older copy: the venue shows an id that it never issued, or a Redis that took over lacks records.',
  },
  'journal-lost': {
    end: 'confirmed',
    doc: 'The journal is new, and the account has a position or the venue shows orders of this bot: its store was lost, or it is another one.',
  },
  'journal-restored': {
    end: 'operator',
    doc: 'The store was restored from a backup. What happened after the backup is known to the venue alone: a person compares first.',
  },
  'history-gap': {
    end: 'operator',
    doc: 'The bot knew the venue last more than seven days ago, and reads no older order history: fills, fees and profit of that time are missing.',
  },
  'venue-restored': {
    end: 'confirmed',
    doc: 'The venue was put back to an earlier state: it lacks an order that it had shown, or gives a known order id to another order.',
  },
  'split-brain': {
    end: 'rotate',
    doc: 'Orders appear under the name of this bot that it did not place: another bot trades on the account.',
  },
  'unknown-own-orders': { end: 'operator', doc: 'Orders of this bot rest at the venue that its journal does not know.' },
  'journal-away': {
    end: 'bot',
    doc: 'The journal cannot be written at the moment: Redis is away or full, or its lease was just taken again. Reads and cancels go on.',
  },
  'journal-unsafe': {
    end: 'bot',
    doc: 'What the journal holds may be lost: no replica of Redis confirms it, or a setting was changed. Closes and cancels go on.',
  },
  'daily-loss': { end: 'operator', doc: 'The loss of the day reached risk.maxDailyLoss. The halt ends with the day, 0:00 UTC.' },
  drawdown: { end: 'operator', doc: 'The equity fell from its high by risk.maxDrawdown. A resume counts from the equity then.' },
  'min-equity': { end: 'operator', doc: 'The equity fell below risk.minEquity.' },
  'consecutive-losses': {
    end: 'operator',
    doc: 'As many positions in a row as risk.maxConsecutiveLosses were closed at a loss. With risk.haltFor it ends by itself.',
  },
  'stoploss-guard': {
    end: 'operator',
    doc: 'As many stop-losses as risk.stoplossGuard fired within risk.stoplossGuardWindow. With risk.haltFor it ends by itself.',
  },
  slippage: {
    end: 'operator',
    doc: 'As many orders as risk.maxSlippageFills filled worse than risk.maxSlippage within risk.maxSlippageWindow. With risk.haltFor it ends by itself.',
  },
  'max-spread': {
    end: 'bot',
    doc: 'The spread of the symbol is wider than risk.maxSpread. Without risk.maxSpreadAction opens are refused one by one instead.',
  },
  'trading-hours': { end: 'bot', doc: 'The time is outside risk.tradingHours.' },
  leverage: {
    end: 'bot',
    doc: 'The account has another leverage than risk.leverage, or it could not be read. A person sets it at the venue: no endpoint does.',
  },
  'liquidation-buffer': { end: 'bot', doc: 'The mark price of a leg is nearer to its liquidation price than risk.liquidationBuffer.' },
} as const satisfies Readonly<Record<string, HaltRow>>;

/** Halts that only follow from another one: they are not raised while it exists, because a person ends it first. */
const FOLLOWING: Readonly<Record<string, readonly string[]>> = {
  'venue-restored': ['external-position', 'external-liquidation', 'external-transfer', 'duplicate-order', 'id-collision'],
};

/** True if halts of `code` only follow from one of the code `cause`. */
export function followsFrom(code: string, cause: string): boolean {
  return FOLLOWING[cause]?.includes(code) ?? false;
}

/** The row of `code`. A code that this version does not know is ended by an operator. */
export function haltRow(code: string): HaltRow {
  const rows: Readonly<Record<string, HaltRow>> = HALT_CODES;
  return Object.hasOwn(HALT_CODES, code) ? rows[code]! : { end: 'operator', doc: 'Not known to this version.' };
}

/** True if a resume may end the halt: no part of the bot does it when a cause is gone. */
export function mayBeResumed({ code, until }: Pick<SavedHalt, 'code' | 'until'>): boolean {
  return haltRow(code).end !== 'bot' || code === 'flatten' || until !== undefined;
}

/** Detail of a halt for which no reason was given. */
export const NO_REASON = 'no reason given';
const REASONS_MAX = 600;
/** Between the names of those who asked for one halt; a longer list of names gets no further one. */
const AND = ' and ';
const SIGNERS_MAX = 200;

/** The halt once another has asked for it too: it names each who did, and each reason. */
export function askedAgain(halt: SavedHalt, { by, why }: { readonly by: string; readonly why: string }): SavedHalt {
  const detail = withReason(halt.detail, why);
  const isSigned = halt.by.split(AND).includes(by) || halt.by.length > SIGNERS_MAX;
  return { ...halt, detail, by: isSigned ? halt.by : `${halt.by}${AND}${by}` };
}

/** Appends a new reason to the detail of a halt that is requested again. */
function withReason(before: string, why: string): string {
  if (why === '' || why === NO_REASON || before.split('; ').includes(why)) return before;
  if (before === NO_REASON) return why;
  const joined = `${before}; ${why}`;
  return joined.length <= REASONS_MAX ? joined : `…${joined.slice(joined.length - REASONS_MAX + 1)}`;
}

/** The scope of a halt as a command line argument; "" for the whole bot. */
export function wordOf(scope: string): string {
  return scope === 'bot' ? '' : scope.slice(scope.indexOf(':') + 1);
}

/** A scope for a sentence: "the bot", "BTCUSDT", "BTCUSDT:LONG", "strategy ema-cross". */
export function scopeInWords(scope: string): string {
  return scope === 'bot' ? 'the bot' : scope.startsWith('strategy:') ? `strategy ${wordOf(scope)}` : wordOf(scope);
}

/** The command that ends a halt, or a phrase such as "by itself". */
export function haltEnd({ scope, code, seq, until }: Pick<SavedHalt, 'scope' | 'code' | 'seq' | 'until'>): string {
  const { end } = haltRow(code);
  if (until !== undefined && end === 'bot') return 'by itself, when its time is over';
  const word = wordOf(scope);
  switch (end) {
    case 'bot':
      return 'by itself';
    case 'operator':
      return code === 'reduce-only' ? command('reduce-only', word, 'off') : command('resume', word);
    case 'confirmed':
      return command('resume', word, '--i-know');
    case 'rotate':
      return 'tickwright rotate-epoch';
    case 'settle':
      return `tickwright settle ${seq} landed VENUE-ID (or: not-landed)`;
  }
}

function command(name: string, word: string, flag = ''): string {
  return ['tickwright', name, word, flag].filter((part) => part !== '').join(' ');
}

/** The symbol of a scope, or "". */
export function symbolIn(scope: string): string {
  if (!scope.startsWith('symbol:') && !scope.startsWith('leg:')) return '';
  return wordOf(scope)
    .replace(/^spot:/, '')
    .replace(/:(LONG|SHORT)$/, '');
}
