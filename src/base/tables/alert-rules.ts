/**
 * The table of alert rules: what a person is told about a bot, and how severe it is. `alerts.rules` of the configuration changes severities.
 * A rule watches halts by their codes, events of the log, the state of the bot as the monitor sees it, and requests to the venue.
 */
import type { Severity } from './alert-channels.ts';

/**
 * What the monitor itself sees. lost: the bot has ended without a clean stop, or gives no sign of life. channel-failed: an alert cannot be
 * delivered. backtest-off: the backtest of the last day earned something else than the bot. watchdog-acts: the watchdog has fenced the bot, and
 * cancels or closes. watchdog-unable: the watchdog could not do so, or not all of it.
 */
export type WatchedState = 'lost' | 'channel-failed' | 'backtest-off' | 'watchdog-acts' | 'watchdog-unable';

/** One input of alerts in one minute: a level with how long it held, or an event with its count. `at` is when it first did in that minute. */
export interface PastRow {
  readonly minute: number;
  readonly kind: 'halt' | 'trouble' | 'state' | 'event' | 'error';
  readonly name: string;
  readonly cause: string;
  readonly at: number;
  readonly ms: number;
  readonly count: number;
}

export interface AlertRule {
  /** `off`: it is not told unless the configuration says so. */
  readonly severity: Severity | 'off';
  /** A few words that begin the message. */
  readonly title: string;
  readonly doc: string;
  readonly halts?: readonly string[];
  readonly events?: readonly string[];
  readonly states?: readonly WatchedState[];
  /** True for requests to the venue that fail now. */
  readonly troubles?: true;
  /** It is told if it still holds after this time. Default: at once. */
  readonly afterMs?: number;
  /** True if it is told each time: what tells of it ends with the bot, so a count would be told by nobody. */
  readonly isLast?: true;
}

export const ALERT_RULES = {
  'bot-lost': {
    severity: 'critical',
    title: 'the bot is gone or stands still',
    doc: 'The process of the bot has ended without a clean stop, or says nothing for 3.5 seconds. Its orders rest at the venue, and nothing manages them.',
    states: ['lost'],
  },
  watchdog: {
    severity: 'critical',
    title: 'the watchdog acts for the bot',
    doc: 'The watchdog has fenced the silent bot, and cancels its opening orders; with `watchdog.flattenAfterMs` it closes the positions too. It is told when it begins, and again with each order, size and price when it is done. It is resolved when the bot answers for its orders again.',
    events: ['watchdog-done'],
    states: ['watchdog-acts'],
  },
  'watchdog-unable': {
    severity: 'critical',
    title: 'the watchdog cannot act',
    doc: 'For ten seconds the venue refuses the key of the watchdog or does not answer it, or no watchdog listens to the bot: nothing would cancel its orders. It is resolved when a watchdog listens and can act.',
    states: ['watchdog-unable'],
  },
  stopped: { severity: 'info', title: 'the bot stops', doc: 'The bot was asked to stop.', events: ['stopping'], isLast: true },
  'orders-left': {
    severity: 'warning',
    title: 'orders stay at the venue',
    doc: 'The bot has stopped and orders are still at the venue: they can fill, and nothing manages them.',
    events: ['orders-left'],
    isLast: true,
  },
  kill: { severity: 'critical', title: 'kill switch', doc: 'The kill switch was used.', halts: ['kill'] },
  operator: {
    severity: 'info',
    title: 'halted by an operator',
    doc: 'An operator, the watchdog or the bot itself halted opens, allowed only closing orders, or closes positions. The title says who.',
    halts: ['operator', 'reduce-only', 'flatten'],
  },
  'loss-limit': {
    severity: 'critical',
    title: 'loss limit',
    doc: 'A limit of losses was reached.',
    halts: ['daily-loss', 'drawdown', 'min-equity', 'consecutive-losses', 'stoploss-guard', 'slippage'],
  },
  liquidation: {
    severity: 'critical',
    title: 'near liquidation',
    doc: 'A position is near its liquidation price, or was liquidated.',
    halts: ['liquidation-buffer', 'external-liquidation'],
  },
  store: {
    severity: 'critical',
    title: 'the store is lost',
    doc: 'The journal is lost, lacks days of the venue, cannot be written, or is not safe.',
    halts: ['journal-lost', 'journal-rollback', 'journal-away', 'journal-unsafe', 'history-gap', 'marker-damaged'],
    events: ['journal-failed'],
  },
  'store-restored': {
    severity: 'warning',
    title: 'the store was restored from a backup',
    doc: 'The bot has started on a store that `tickwright restore` made of a backup. It opens nothing until a person has compared and resumes.',
    halts: ['journal-restored'],
  },
  'two-bots': {
    severity: 'critical',
    title: 'orders that are not ours alone',
    doc: 'Another bot trades under this name, or an id exists twice.',
    halts: ['split-brain', 'id-reused', 'id-collision', 'duplicate-order', 'response-mixup', 'unknown-own-orders', 'venue-restored'],
  },
  'order-unknown': {
    severity: 'critical',
    title: 'unknown outcome',
    doc: 'The outcome of a command is unknown and reads do not show it.',
    halts: ['outcome-unreadable', 'order-quarantined', 'cancel-unresolved', 'reads-failing', 'late-landing'],
  },
  'order-unresolved': {
    severity: 'warning',
    title: 'unknown outcome for three seconds',
    doc: 'The outcome of a command is unknown for three seconds. The bot goes on reading.',
    halts: ['outcome-unknown', 'outcome-offline'],
    afterMs: 3_000,
  },
  position: {
    severity: 'critical',
    title: 'the position differs',
    doc: 'The venue shows another position than the fills of the bot explain.',
    halts: ['external-position'],
    events: ['position-doubted'],
  },
  theft: {
    severity: 'critical',
    title: 'money left the account',
    doc: 'A withdrawal, a transfer or a fall of the equity that the bot did not cause.',
    halts: ['external-withdrawal', 'external-transfer', 'external-equityDrop'],
  },
  account: {
    severity: 'warning',
    title: 'the account was changed',
    doc: 'Leverage, margin mode or a symbol changed without the bot, or the leverage is not the configured one.',
    halts: ['leverage', 'external-leverage', 'external-marginMode', 'external-offline', 'offline', 'margin-mode-unverified'],
  },
  key: { severity: 'critical', title: 'the venue refuses the key', doc: 'The venue refuses the key.', halts: ['unauthorized'] },
  blind: {
    severity: 'critical',
    title: 'positions or the account cannot be read',
    doc: 'Positions or the account could not be read for longer than the limits allow.',
    halts: ['positions-unread', 'account-unread'],
  },
  venue: {
    severity: 'warning',
    title: 'the venue is away',
    doc: 'Requests to the venue fail, or have no answer.',
    troubles: true,
    afterMs: 2_000,
  },
  'market-data': {
    severity: 'warning',
    title: 'trades of the market are missing',
    doc: 'More trades happened between two reads than a page holds: strategies, bars and indicators that count trades have not seen all of them.',
    events: ['trades-lost'],
  },
  clock: {
    severity: 'warning',
    title: 'a clock is wrong',
    doc: 'The clocks of this machine and the venue are apart, or one of them was set.',
    halts: ['clock-skew'],
    events: ['clock-stepped', 'venue-clock-moved', 'clocks-apart'],
  },
  bug: {
    severity: 'critical',
    title: 'an error in the program',
    doc: 'A check of the bot’s own state failed, or the program ended because of an error.',
    halts: ['assertion-failed'],
    events: ['bot-failed'],
  },
  strategy: {
    severity: 'critical',
    title: 'a strategy was stopped',
    doc: 'A strategy hung or threw too often.',
    halts: ['strategy-hung'],
    events: ['strategy-disabled'],
  },
  reload: {
    severity: 'critical',
    title: 'a reloaded strategy failed',
    doc: 'A reloaded strategy failed and the text before runs again, or a start could not run the reloaded text.',
    events: ['reload-returned', 'reload-dropped'],
  },
  'strategy-error': { severity: 'warning', title: 'a strategy threw', doc: 'A handler of a strategy threw.', events: ['strategy-error'] },
  unwatched: {
    severity: 'warning',
    title: 'nothing watches a position',
    doc: 'A position, trade or execution belongs to no strategy that runs, or cannot be closed.',
    events: ['position-without-strategy', 'trade-without-strategy', 'execution-without-strategy', 'flatten-held', 'flatten-refused'],
  },
  disk: {
    severity: 'warning',
    title: 'files cannot be written',
    doc: 'The log, a recording or the archive cannot be written.',
    events: ['log-not-written', 'recording-stopped', 'why-not-kept', 'tape-recording-stopped', 'journal-not-archived'],
  },
  market: {
    severity: 'off',
    title: 'the market is closed to opens',
    doc: 'The spread is too wide, or the hours of trading are over.',
    halts: ['max-spread', 'trading-hours'],
  },
  intruder: {
    severity: 'critical',
    title: 'somebody else may be at the dashboard',
    doc: 'A one-time token of `tickwright open` was used twice: somebody else may have had it. The session that it gave, and its view links, have ended. Or five wrong passphrases were given within ten minutes.',
    events: ['token-used-twice', 'passphrase-locked'],
  },
  divergence: {
    severity: 'warning',
    title: 'the backtest did not predict the day',
    doc: 'The backtest of the last day in UTC and the trading of that day differ by more than `alerts.divergenceBp`. It is resolved by a day that does not.',
    states: ['backtest-off'],
  },
  day: { severity: 'info', title: 'the day in UTC', doc: 'The summary of a day in UTC.', events: ['daily-summary'] },
  fill: { severity: 'off', title: 'a fill', doc: 'A fill, or an exit at the venue.', events: ['fill', 'exit'] },
  channel: {
    severity: 'warning',
    title: 'a channel does not deliver',
    doc: 'Alerts cannot be delivered by a channel. The other channels are told.',
    states: ['channel-failed'],
    afterMs: 30_000,
  },
  error: { severity: 'warning', title: 'an error in the log', doc: 'A line of level error that no other rule watches.' },
} as const satisfies Readonly<Record<string, AlertRule>>;

export type AlertRuleName = keyof typeof ALERT_RULES;
