/** What can still happen at the venue: orders that may fill and positions that stay. Beside STOP, and when the bot is gone. */
import { h } from 'preact';
import { grouped } from '../../../browser/figures.js';
import { isBotGone, liveOrders, model } from '../parts/model.js';
import { age, baseOf, Card, count, readText } from '../parts/elements.js';
import { isBare, isUnread, lacksStop, legs, mayHaveAllStops, mayHaveOpened, mayHaveStop, sizeText } from './legs.js';

const MOST = 6;
/** Lines of a list; of a long one the first. */
export const Lines = ({ lines, label }) =>
  h(
    'ul',
    { class: 'sends', 'aria-label': label },
    (lines.length > MOST ? [...lines.slice(0, MOST), `and ${lines.length - MOST} more`] : lines).map((line, k) =>
      h('li', { key: k }, line),
    ),
  );

export const orderText = ({ symbol, side, effect, size, price, trigger, state }) =>
  `– ${symbol} ${side} ${effect.toLowerCase()} ${grouped(size)}${trigger || price ? ` at ${grouped(trigger || price)}` : ''}${state === 'unknown' ? ', outcome unknown' : ''}`;

export const openingOrders = () => liveOrders().filter(({ effect }) => effect === 'OPEN');

/** "orders read 1 s ago"; of orders or positions. */
export const whenRead = (what) => `${what} ${readText(model.status?.readAt?.[what] ?? 0) || 'not read yet'}`;

/** Whether anything ends the loss of a leg. */
function stopText(leg) {
  const exits = leg.exits ?? [];
  if (isUnread(leg)) return 'no read confirms it and its stop yet';
  if (!lacksStop(leg)) return mayHaveOpened(leg) ? 'whether all of it has a stop is not known' : 'the venue holds its stop';
  const part = exits.some(({ by, what }) => by === 'venue' && what === 'stop-loss') ? ` for ${grouped(leg.unprotected)} of it` : '';
  if (mayHaveAllStops(leg)) return part === '' ? 'whether it has a stop is not known' : 'whether all of it has a stop is not known';
  const watched = exits.some(({ by }) => by === 'bot');
  if (watched)
    return isBotGone()
      ? `no stop at the venue${part}; the bot that watched it is gone`
      : `no stop at the venue${part}; this process watches it`;
  return leg.exits === undefined ? 'whether it has a stop is not known' : `no stop at the venue${part}`;
}

export const legLines = () =>
  legs().map((leg) => `– ${leg.symbol} ${leg.side} ${sizeText(leg)} ${baseOf(leg.symbol)}: ${stopText(leg)}`.replace(' :', ':'));

/** "2 without a stop at the venue", of the legs. */
export function stopsText(all) {
  const bare = all.filter(isBare).length;
  return `${bare === 0 ? (all.length === 1 ? 'with' : 'each with') : `${bare} without`} a stop at the venue${all.some((leg) => mayHaveStop(leg) || isUnread(leg)) ? ' that this bot knows' : ''}`;
}

/** "3 positions stay open, 2 without a stop at the venue:". */
export function positionsText() {
  const all = legs();
  if (all.length === 0)
    return `No position is ${(model.status?.readAt?.positions ?? 0) === 0 ? 'known' : 'open'} (${whenRead('positions')}).`;
  return `${count(all.length, 'position')} ${all.length === 1 ? 'stays' : 'stay'} open, ${stopsText(all)}:`;
}

export const ordersText = (orders, what) =>
  orders.length === 0 ? `No ${what} is known (${whenRead('orders')}).` : `${count(orders.length, what)} can still fill:`;

/** What the bot held when it was last heard, and what a person can do now. */
export function Remains() {
  const { connection, status } = model;
  const orders = liveOrders();
  const isStopped = connection?.state === 'stopped';
  const acted = model.lines.find(({ event, time }) => event === 'watchdog-done' && Date.parse(time) > (status?.time ?? 0));
  return h(
    Card,
    {
      id: 'remains',
      title: isStopped ? '■ The bot has stopped. What remains at the venue' : '■ The bot gives no answer. What remains at the venue',
      small: `as last heard ${age(status?.time ?? 0)}`,
    },
    h('p', null, h('b', null, positionsText())),
    h(Lines, { label: 'Positions', lines: legLines() }),
    acted && h('p', null, h('b', null, `The watchdog acted by ${acted.time.slice(11, 19)} UTC. ${String(acted.says)}`)),
    h('p', null, h('b', null, acted ? `${count(orders.length, 'order')} before that:` : ordersText(orders, 'order'))),
    h(Lines, { label: 'Orders', lines: orders.map(orderText) }),
    h(
      'ul',
      { class: 'said', 'aria-label': 'What you can do' },
      h(
        'li',
        null,
        'Start the bot again as it was started: by its unit, PM2, or the command that was typed. It reads the account before it trades.',
      ),
      h('li', null, 'Or close the positions and cancel the orders at the venue itself.'),
      h(
        'li',
        null,
        'STOP is recorded for the next start: the bot then opens nothing. It closes nothing now. Kill is recorded too, and closes everything when the bot starts. The other steps need a bot that runs.',
      ),
    ),
  );
}
