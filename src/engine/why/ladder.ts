/**
 * Explains why a strategy does not trade a market, by a closed list of checks, in the order in which an order passes them. Each is computed
 * when somebody asks, from what the engine knows; the first that found something is the answer.
 * size: one function for each check
 */
import { formatLots, formatTicks, tradedName } from '../../domain/instrument.ts';
import { EFFECTS, MARKET, SIDES } from '../../domain/codes.ts';
import { settingsOf } from '../../domain/limits.ts';
import type { SavedHalt } from '../../domain/messages/saved-halt.ts';
import type { Halts } from '../state/halts.ts';
import type { Order } from '../state/records/order.ts';
import { lackText } from '../../domain/universe.ts';
import { FOLLOWS_FROM, type RuleName } from '../../domain/orders/refusals.ts';
import { UNKNOWN } from '../../domain/orders/order.ts';
import { intentWords, spanWords, timeWords } from './why-words.ts';
import type { Check, Found } from '../../domain/messages/why.ts';
import type { Subject } from './subject.ts';
import { asksSmallest } from './verdicts.ts';

const OK = (text: string, since = 0): Found => ({ state: 'ok', text, since, fix: '' });
const SKIPPED = (text: string): Found => ({ state: 'skipped', text, since: 0, fix: '' });
const NOT_KNOWN = (text: string): Found => ({ state: 'unknown', text, since: 0, fix: '' });
const finding = (text: string, since: number, fix: string): Found => ({
  state: 'finding',
  text,
  since: Number.isFinite(since) ? since : 0,
  fix,
});

/** A command that has had no answer for longer is a finding. */
const ANSWER_MS = 5_000;
/** An intent that is older than the last call by more is no part of what is happening now, for a strategy without bars. */
const RECENT_MS = 10_000;

interface CheckRow {
  readonly name: string;
  /** What is asked, for the documentation. */
  readonly asks: string;
  readonly look: (subject: Subject) => Found;
}

export const CHECKS: readonly CheckRow[] = [
  { name: 'running', asks: 'Does the bot run?', look: running },
  { name: 'armed', asks: 'Has the bot started, and read the account?', look: armed },
  { name: 'clock', asks: 'Do the clocks of venue and machine agree?', look: clock },
  { name: 'halts', asks: 'Does a halt cover this market or strategy?', look: halted },
  { name: 'strategy', asks: 'Does the strategy run, or was it stopped for errors?', look: strategy },
  { name: 'universe', asks: 'Is the market in the universe of the strategy?', look: universe },
  { name: 'reads', asks: 'Does the venue answer the polls?', look: reads },
  { name: 'quotes', asks: 'Are the prices fresh?', look: quotes },
  { name: 'prices', asks: 'Are the prices believed?', look: prices },
  { name: 'history', asks: 'Are enough bars there?', look: history },
  { name: 'handler', asks: 'Was a handler called with market data?', look: handler },
  { name: 'position', asks: 'Are the position and every outcome known?', look: position },
  { name: 'intent', asks: 'Did the strategy ask for an order?', look: intent },
  { name: 'limits', asks: 'What do the rules say, each with its number?', look: limits },
  { name: 'rate', asks: 'Does an order wait for the rate budget?', look: rate },
  { name: 'venue', asks: 'What did the venue answer?', look: venue },
  { name: 'order', asks: 'Does an order rest and wait to be filled?', look: order },
];

/** The checks of one strategy and market. */
export function checksOf(subject: Subject): Check[] {
  return CHECKS.map(({ name, look }) => ({ name, ...look(subject) }));
}

function running({ endedAt }: Subject): Found {
  if (endedAt === 0) return OK('the bot runs');
  return finding(`the bot did not run: it ended at ${timeWords(endedAt)}`, endedAt, 'start it: npm start, or tickwright run');
}

function armed({ core, endedAt }: Subject): Found {
  const { phase, phaseSince } = core.tradingState;
  if (endedAt > 0) return OK('the bot does not run');
  if (phase === 'armed') return OK('the bot is armed', phaseSince);
  const what = {
    new: 'the bot has not started',
    reconciling: 'the bot is reading orders, positions and the account; it trades after that',
    stopping: 'the bot is stopping',
    stopped: 'the bot is stopped',
  }[phase];
  return finding(what, phaseSince, phase === 'reconciling' ? 'wait; `tickwright status` shows which reads are missing' : 'start the bot');
}

function clock({ core, haltsHere }: Subject): Found {
  const skewed = haltsHere.find(({ code }) => code === 'clock-skew');
  if (skewed !== undefined) return finding(`the clocks differ: ${skewed.detail}`, skewed.since, 'set the clock of this machine (NTP)');
  const { onHold, holdSince } = core.tradingState;
  if (onHold !== '') return finding(onHold, holdSince, 'wait: it ends with the next read of positions');
  const { ms } = core.venueOffset;
  return OK(ms === 0 ? 'the clocks agree' : `the venue's clock differs by ${ms} ms, which is taken into account`);
}

function halted({ core, haltsHere }: Subject): Found {
  const here = haltsHere.filter(({ code }) => code !== 'clock-skew');
  const [first] = here.toSorted((a, b) => a.since - b.since);
  if (first === undefined) return OK('no halt covers it');
  const more = here.length === 1 ? '' : ` (and ${here.length - 1} more)`;
  return finding(`opens are halted (${first.scope}): ${first.code}, ${first.detail}${more}`, first.since, endOf(first, core.halts));
}

function endOf(halt: SavedHalt, halts: Pick<Halts, 'endsBy'>): string {
  const ends = halts.endsBy(halt);
  return ends.startsWith('tickwright') ? ends : `it ends ${ends}`;
}

function strategy({ runner }: Subject): Found {
  const { isDisabled, disabledWhy, disabledAt, errors, name } = runner;
  if (!isDisabled) return OK(errors === 0 ? 'it runs' : `it runs; its handlers threw ${errors} errors`);
  const fix = disabledWhy.includes('resume')
    ? `tickwright resume ${name}`
    : 'correct its file and restart the bot; the log line strategy-error has the place';
  return finding(`the strategy is stopped: ${disabledWhy}, ${errors} errors`, disabledAt, fix);
}

function universe({ chooses, context }: Subject): Found {
  if (chooses === null) return SKIPPED('its symbols are configured');
  const {
    nextAt,
    reading,
    universe: { at, chosen, leaving, reasons, terms },
  } = chooses;
  const symbol = tradedName(context.instrument);
  const next = Number.isFinite(nextAt) ? `; the next choice is made for ${timeWords(nextAt)}` : '';
  const k = reasons?.ranks.findIndex(([name]) => name === symbol) ?? -1;
  const rank = k < 0 ? '' : `number ${k + 1} of ${reasons!.ranks.length} by ${terms.by}`;
  const until = reading === '' ? next : `; reading the past: ${reading}`;
  if (chosen.includes(context.index)) return OK(`it was chosen${rank === '' ? '' : ` as ${rank}`}${until}`, reasons?.since[symbol] ?? 0);
  if (at === -Infinity) return finding(`no symbol was chosen yet${until}`, 0, 'wait for the choice: candidates need their bars first');
  const lack = reasons?.lacking[symbol];
  const why =
    lack === undefined ? (rank === '' ? 'it is not in the choice' : `it was ${rank}, of which ${terms.top} are chosen`) : lackText(lack);
  const leaves = leaving.includes(context.index) ? 'it left the universe, and is not flat yet: ' : 'it is not in the universe: ';
  return finding(`${leaves}${why}${next}`, at, 'strategies: universe, of the configuration, says what is chosen');
}

function reads({ failing, core, now }: Subject): Found {
  const [first] = [...failing].toSorted(([, a], [, b]) => a.since - b.since);
  if (first === undefined) return OK(core.fills.readsOrders ? 'every kind of poll is answered' : 'the venue pushes');
  const [kind, { since, cause }] = first;
  return finding(
    `no poll of ${kind} has been answered for ${spanWords(now - since)}: ${cause}`,
    since,
    'tickwright status shows the trouble; tickwright doctor tries the venue',
  );
}

function quotes({ context, core, now }: Subject): Found {
  const { quoteSeenAt, seenAt } = context.judged;
  const isQuoted = quoteSeenAt > -Infinity;
  const newest = isQuoted ? quoteSeenAt : seenAt;
  const { symbol } = context.instrument;
  if (newest === -Infinity)
    return finding(
      `no quote or trade of ${symbol} has arrived yet`,
      core.tradingState.phaseSince,
      'wait for the first poll, or check the symbol',
    );
  const ageMs = now - newest;
  const shown = `the newest ${isQuoted ? 'quote' : 'market data'} of ${symbol} is ${spanWords(ageMs)} old`;
  if (ageMs <= context.maxAgeMs) return OK(shown, newest);
  return finding(`${shown}, at most ${spanWords(context.maxAgeMs)} is allowed`, newest, settingWords('stale-data'));
}

function prices({ context }: Subject): Found {
  const { filter } = context.market;
  if (!context.judged.isDoubtful) return OK('the prices are believed');
  const held =
    filter.heldTicks > 0
      ? `the price ${formatTicks(Math.round(filter.heldTicks), context.instrument)} is far from ${formatTicks(Math.round(filter.accepted), context.instrument)}`
      : 'the first price is not confirmed by a second';
  return finding(`${held}: opens wait until other evidence decides`, filter.heldAt, settingWords('price-unconfirmed'));
}

function history({ runner, warmingUp, core }: Subject): Found {
  if (!runner.isWarming) return OK('enough bars are there');
  return finding(
    `it is warming up: ${warmingUp}`,
    core.tradingState.phaseSince,
    'wait, or give it a past: `data` and `record` of the configuration, or fewer bars in its `needs`',
  );
}

/** Names of its handlers of market data. */
function handlersOf({ runner }: Subject): string[] {
  const { handlers } = runner;
  return (['onQuote', 'onTrade', 'onBar', 'onBars'] as const).filter((name) => handlers[name] !== undefined);
}

function handler(subject: Subject): Found {
  const { activity, core, runner } = subject;
  const names = handlersOf(subject);
  if (names.length === 0) return SKIPPED('it has no handler of market data: it acts on timers, schedules or its orders');
  if (activity.calledAt > -Infinity) {
    return OK(
      `${names.join(', ')} was last called at ${timeWords(activity.calledAt)}, ${callsToday(subject)} times today`,
      activity.calledAt,
    );
  }
  if (runner.isWarming || core.tradingState.phase !== 'armed') return SKIPPED('it has not started');
  const waits = names.every((name) => name.startsWith('onBar'))
    ? 'no bar of it has ended since the start'
    : 'nothing has changed in this market since the start';
  return finding(
    `${names.join(', ')} was never called: ${waits}`,
    core.tradingState.phaseSince,
    hasBars(names) ? 'wait for the end of its first bar, or choose a shorter period' : 'check that the symbol trades',
  );
}

/** Calls of the UTC day, which may have begun without one. */
function callsToday({ activity, now }: Subject): number {
  return now >= activity.dayEndsAt ? 0 : activity.today.calls;
}

function hasBars(names: readonly string[]): boolean {
  return names.includes('onBar') || names.includes('onBars');
}

function position({ context, core, now, unknownHere }: Subject): Found {
  const [oldest] = unknownHere;
  if (oldest !== undefined) {
    const since = oldest.createdAt;
    return finding(
      `the outcome of order ${oldest.seq} is unknown for ${spanWords(now - since)}; the venue is read until it is known`,
      since,
      `wait, or say what happened: tickwright settle ${oldest.seq} landed|not-landed`,
    );
  }
  const { instrument } = context;
  const legs = [context.long, context.short].filter(({ isDoubted }) => isDoubted);
  const [leg] = legs;
  if (leg === undefined) return OK('the position and every outcome are known');
  if (!core.fills.readsPositions) return OK('the venue pushes');
  const range = `${formatLots(leg.minLots, instrument)} to ${formatLots(leg.maxLots, instrument)}`;
  return finding(
    `the ${SIDES[leg.index & 1]} position is not certain (${range})`,
    leg.doubtedSince,
    'wait: opens go on when two reads of it agree',
  );
}

/** True if the last intent is a part of what is happening now: the strategy was not called again since, or only for a moment. */
function isRecent(subject: Subject): boolean {
  const { activity } = subject;
  if (activity.askedAt === -Infinity) return false;
  return activity.calledAt - activity.askedAt <= (hasBars(handlersOf(subject)) ? 0 : RECENT_MS);
}

function intent(subject: Subject): Found {
  const { activity, core, lastNote } = subject;
  const said = lastNote === '' ? '' : `; its last note: ${lastNote}`;
  const fix = 'the condition is in its own code: ctx.note(text) says what it waits for';
  if (activity.askedAt === -Infinity) {
    if (activity.calledAt === -Infinity) return SKIPPED('it was never called');
    return finding(
      `its handlers were called ${activity.before.calls + activity.today.calls} times and asked for no order${said}`,
      core.tradingState.phaseSince,
      fix,
    );
  }
  const asked = `it last asked for an order at ${timeWords(activity.askedAt)}: ${intentWords(activity, subject.context.instrument)}`;
  const isWaiting = subject.ordersHere.length > 0 || subject.unknownHere.length > 0;
  if (isRecent(subject) || isWaiting) return OK(asked, activity.askedAt);
  const fate = activity.rule === '' ? '' : `, which ${activity.rule} refused`;
  return finding(`its last call, at ${timeWords(activity.calledAt)}, asked for no order; ${asked}${fate}${said}`, activity.askedAt, fix);
}

function limits(subject: Subject): Found {
  const { activity, context, now, verdicts } = subject;
  if (activity.rule !== '' && isRecent(subject)) {
    const often = activity.refusals === 1 ? '' : ` (${activity.refusals} times in a row)`;
    return finding(`${activity.rule} refused it${often}: ${activity.detail}`, activity.refusedSince, settingWords(activity.rule));
  }
  if (isRecent(subject)) return OK('every rule allowed it');
  const against = verdicts.find(({ isAllowed, rule }) => !isAllowed && FOLLOWS_FROM[rule as RuleName] !== 'bot');
  const what = asksSmallest(subject) ? 'the smallest order' : 'its last intent';
  if (against === undefined) return OK(`all ${verdicts.length} rules would allow ${what} now`);
  const since = against.rule === 'cooldown' ? context.coolUntil - context.cooldownMs : now;
  return finding(`${against.rule} would refuse ${what} now: ${against.text}`, since, settingWords(against.rule));
}

function rate({ outside, now }: Subject): Found {
  if (outside === null) return NOT_KNOWN('what waits to be sent is known only while the bot runs');
  const { waiting, since, nextDue } = outside.throttle;
  if (waiting === 0) return OK('no order waits for the rate budget');
  return finding(
    `${waiting} ${waiting === 1 ? 'command waits' : 'commands wait'} for the rate budget; the next may leave in ${spanWords(Math.max(0, nextDue - now))}`,
    since,
    'ask for fewer orders, or raise the rate: venue.rates of the configuration',
  );
}

function venue({ activity, now, ordersHere, outside }: Subject): Found {
  const silent = ordersHere.find((one) => one.isInFlight && now - one.createdAt > ANSWER_MS);
  if (silent !== undefined)
    return finding(
      `order ${silent.seq} has had no answer for ${spanWords(now - silent.createdAt)}`,
      silent.createdAt,
      'wait: after the timeout its outcome is read',
    );
  const trouble = outside?.troubles.find(({ of }) => of === 'signed');
  if (trouble !== undefined) {
    return finding(
      `the last ${trouble.failures} signed requests failed: ${trouble.cause}${trouble.status === 0 ? '' : ` (${trouble.status})`}`,
      trouble.since,
      'tickwright doctor tries the key and the venue',
    );
  }
  if (activity.rejections > 0) {
    const often = activity.rejections === 1 ? '' : ` (${activity.rejections} in a row)`;
    const who =
      activity.rejection === 'unsent' ? 'the order was not sent' : `the venue rejected the last order${often}: ${activity.rejection}`;
    const detail = activity.rejectionDetail === '' ? '' : `, ${activity.rejectionDetail}`;
    return finding(`${who}${detail}`, activity.rejectedSince, 'docs/reference/errors.md says what each answer means');
  }
  if (activity.answeredAt === -Infinity) return SKIPPED('no order has been sent to the venue');
  return OK(`the venue accepted the last order at ${timeWords(activity.answeredAt)}`, activity.answeredAt);
}

function order({ context, ordersHere }: Subject): Found {
  const [oldest] = ordersHere.filter(({ state }) => state !== UNKNOWN);
  if (oldest === undefined) return OK('no order of it rests');
  const more = ordersHere.length === 1 ? '' : `, and ${ordersHere.length - 1} more`;
  return finding(
    `${orderWords(oldest)} waits to be filled${more}`,
    oldest.createdAt,
    `tickwright cancel-all ${tradedName(context.instrument)} takes it back`,
  );
}

function orderWords({ context: { instrument }, seq, side, effect, type, price, trigger, remaining }: Order): string {
  const at = type === MARKET && trigger === 0 ? '' : ` at ${formatTicks(trigger > 0 ? trigger : price, instrument)}`;
  return `order ${seq} (${SIDES[side]} ${EFFECTS[effect]} ${formatLots(remaining, instrument)}${at})`;
}

/** The settings of a rule, as what changes it. */
function settingWords(rule: string): string {
  const keys = settingsOf(rule);
  return keys.length === 0 ? 'docs/reference/limits.md explains the rule' : `${keys.join(', ')} of the configuration`;
}
