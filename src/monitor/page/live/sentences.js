/** The story of the bot: each order, fill, halt, note and line of the log as one sentence. */
import { grouped, signed } from '../../../browser/figures.js';
import { laterModule } from '../parts/library.js';
import { changed, model } from '../parts/model.js';
import { coin, haltSays } from '../parts/elements.js';

const MARKS = { order: '→', fill: '●', refused: '✕', halt: '■', note: '✎', warn: '▲', error: '✕' };
const STATE_SAYS = {
  submitting: 'is being sent',
  working: 'rests at the venue',
  modifying: 'is being changed',
  cancelling: 'is being cancelled',
  unknown: 'has an unknown outcome: reads of the venue decide',
  filled: 'filled',
  cancelled: 'was cancelled',
  ended: 'has ended; how is not known',
  rejected: 'was rejected by the venue',
  replaced: 'was replaced by a changed order',
  refused: 'was refused by a limit of this bot, and not sent',
};

const because = (reason) => (reason === '' || reason === undefined ? '' : ` (${reason})`);
// A person only closes: an opening order without a strategy is tracked from the venue, of a journal that is gone.
const whoOf = ({ strategy, effect }) => strategy || (effect === 'OPEN' ? 'This bot, in what its journal lacks,' : 'A person');
const VERBS = { OPEN: 'opens', CLOSE: 'closes' };

function ofOrder(row) {
  const { number, effect, side, size, symbol, price, trigger, filled, state, reason, updatedAt, createdAt } = row;
  const at = trigger !== '' ? ` when the price reaches ${grouped(trigger)}` : price === '' ? ' at the market' : ` at ${grouped(price)}`;
  const part = Number(filled) > 0 && state !== 'filled' ? `, ${grouped(filled)} of it filled` : '';
  const isBad = state === 'refused' || state === 'rejected';
  return {
    key: `order ${number} ${state} ${filled}`,
    time: updatedAt || createdAt,
    kind: isBad ? 'refused' : state === 'unknown' ? 'warn' : 'order',
    text: `${whoOf(row)} ${VERBS[effect] ?? ''} ${symbol} ${side} ${grouped(size)}${at}: order ${number} ${STATE_SAYS[state]}${part}${because(reason)}.`,
    of: { order: String(number) },
  };
}

function ofFill(row) {
  const { id, time, number, symbol, side, effect, size, price, profit, positionAfter, reason } = row;
  const gain = Number(profit || 0) === 0 ? '' : `, profit ${signed(profit)} ${coin()}`.trimEnd();
  return {
    key: `fill ${id}`,
    time,
    kind: 'fill',
    text: `${whoOf(row)} ${effect === 'OPEN' ? 'opened' : 'closed'} ${symbol} ${side} ${grouped(size)} at ${grouped(price) || 'an unknown price'}${gain}; the position is ${grouped(positionAfter)} now${because(reason)}.`,
    of: { order: String(number) },
  };
}

const ofHalt = ({ scope, code, detail, since, by }) => ({
  key: `halt ${scope} ${code} ${since}`,
  time: since,
  kind: 'halt',
  text: `Opens of ${scope === 'bot' ? 'the whole bot' : scope.replace(/^\w+:/, '')} were halted by ${by}: ${haltSays({ detail, code })}.`,
  of: scope.startsWith('symbol:') ? { symbol: scope.slice(7) } : null,
});

const ofNote = ({ time, strategy, symbol, text }) => ({
  key: `note ${time} ${strategy} ${text}`,
  time,
  kind: 'note',
  text: `${strategy}${symbol === '' ? '' : ` on ${symbol}`} notes: ${text}`,
  of: { strategy },
});

/** Fields of a line of the log that say nothing more in a sentence. */
const DULL = ['event', 'level', 'time', 'id', 'pid', 'bot', 'hostname', 'msg'];

export const fieldsText = (row) =>
  Object.entries(row)
    .filter(([name, value]) => !DULL.includes(name) && value !== '' && value !== null)
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ');

/** What each event means, once it is there. */
let meanings = {};
laterModule('events').then(
  ({ EVENTS }) => {
    meanings = EVENTS;
    changed();
  },
  () => undefined,
);

/** A line in words: what the event means, or what the line itself says. */
const saidBy = ({ event, msg, says }) =>
  event === 'watchdog-done' ? `The watchdog has acted for the bot. ${says}` : `${meanings[event] ?? msg ?? event.replaceAll('-', ' ')}.`;

const ofLine = (row) => ({
  key: `line ${row.time} ${row.event} ${row.id ?? ''}`,
  time: Date.parse(row.time),
  kind: row.level,
  text: saidBy(row),
  small: row.event === 'watchdog-done' ? '' : fieldsText(row),
  of: typeof row.symbol === 'string' ? { symbol: row.symbol } : null,
});

/** Lines that say a halt: one that stands is said already, one that has ended in the same words. */
const HALTED = ['opens-halted', 'symbol-halted', 'leg-halted', 'strategy-halted'];
/** @param {any} row */
const isSaid = ({ scope, code, time }) =>
  model.halts.some((halt) => halt.scope === scope && halt.code === code && Math.abs(halt.since - Date.parse(time)) < 1000);

const ofHaltedLine = (row) => ofHalt({ ...row, detail: row.cause, since: Date.parse(row.time) });

/** The newest sentences first. */
export function sentences(most) {
  const all = [
    ...[...model.orders.values()].map(ofOrder),
    ...model.fills.slice(0, most).map(ofFill),
    ...model.halts.map(ofHalt),
    ...model.notes.slice(0, most).map(ofNote),
    ...model.lines.slice(0, most).flatMap((row) => (!HALTED.includes(row.event) ? [ofLine(row)] : isSaid(row) ? [] : [ofHaltedLine(row)])),
  ];
  all.sort((a, b) => b.time - a.time || (a.key < b.key ? 1 : -1));
  return all.slice(0, most).map((one) => ({ ...one, mark: MARKS[one.kind] }));
}
