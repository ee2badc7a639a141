/** What is at risk: each leg with its read, its stop and who holds it. */
import { h } from 'preact';
import { grouped, money, percent, signed, trend } from '../../../browser/figures.js';
import { isBotGone, legOf, model } from '../parts/model.js';
import { age, baseOf, Card, count, inCoin, known, Side, Table } from '../parts/elements.js';
import {
  bareSize,
  isHalted,
  isUnread,
  legs,
  lossOf,
  mayHaveAllStops,
  mayHaveStop,
  sizeText,
  stoppedSize,
  unboundedBy,
  unknownOf,
  worstLoss,
} from './legs.js';
import { stopsText } from './remains.js';

/** The size that the last read showed, or the range of sizes if orders of unknown outcome filled, and what settles it. */
function Size({ leg }) {
  const unknown = unknownOf(leg);
  return [
    h('b', { class: unknown.length === 0 ? '' : 'warn' }, sizeText(leg)),
    h('span', { class: 'soft' }, ` ${baseOf(leg.symbol)}`),
    isUnread(leg) ? h('small', { class: 'warn' }, unreadText(leg)) : null,
    leg.own !== undefined && leg.own !== leg.size ? h('small', null, `${grouped(leg.own)} of it by this bot`) : null,
    unknown.length === 0
      ? null
      : h('small', { class: 'warn' }, `${count(unknown.length, 'unknown order')}; a read of the order history settles it`),
  ];
}

/** Of a leg that no read confirms: whether its size is that of the store or of a read. */
function unreadText({ shown, size, own }) {
  if (shown === '') return 'as the store has it, not read yet';
  if (shown === size && Number(own) === 0) return 'as read; the store has none';
  return `as the store has it; read: ${grouped(shown)}`;
}

const heldBy = (by) =>
  by === 'venue' ? '● held by the venue' : isBotGone() ? '✕ the bot that watched it is gone' : '○ watched by this process only';
const STOPS = ['stop-loss', 'stop', 'trailing-stop'];

/** The nearest stop, and who holds it. */
function StopPrice({ leg }) {
  if (leg.exits === undefined) return known('', '', 'not read yet');
  const stop = leg.exits.find(({ what }) => STOPS.includes(what));
  const unknown = mayHaveStop(leg) ? h('small', { class: 'warn' }, `not known for ${grouped(leg.stopUnknown)}`) : null;
  if (stop === undefined) {
    if (mayHaveAllStops(leg)) return known('', '', 'the bot did not open it');
    return [h('b', { class: 'warn' }, '✕ no stop'), unknown];
  }
  const isPart = Number(leg.unprotected ?? 0) > 0 && stop.by === 'venue';
  const held = isUnread(leg) ? 'as the store has it' : `${heldBy(stop.by)}${isPart ? ` for ${grouped(stoppedSize(leg))}` : ''}`;
  const bare = isPart && Number(bareSize(leg)) > 0 ? `${grouped(bareSize(leg))} without` : '';
  const locked = isPart && Number(leg.locked ?? 0) > 0 ? `${grouped(leg.locked)} locked by a closing order` : '';
  return [
    h('b', null, grouped(stop.price) || 'not begun'),
    h('small', null, stop.distance === '' ? '' : `${percent(stop.distance)} %`),
    h('small', { class: stop.by === 'bot' || isUnread(leg) ? 'warn' : '' }, held),
    [bare, locked].filter(Boolean).map((text) => h('small', { key: text, class: 'warn' }, text)),
    unknown,
  ];
}

/** From the mark to the liquidation in percent: the ratio of two prices, not money. */
function Liquidation({ leg }) {
  if (leg.noLiquidation === true) return ['none', h('small', null, 'the venue names none')];
  if (leg.liquidationPrice === '') return known('', '', 'not read yet');
  const away =
    Number(leg.price) > 0 ? `${percent(((Number(leg.liquidationPrice) / Number(leg.price) - 1) * 100).toFixed(1))} %` : 'distance unknown';
  return [h('b', null, grouped(leg.liquidationPrice)), h('small', null, away)];
}

/** The price now, and when prices were last read. */
const Mark = ({ leg }) =>
  leg.price === ''
    ? known('', '', 'no price read yet')
    : [grouped(leg.price), h('small', { key: 'read' }, `read ${age(model.status?.readAt?.prices ?? 0)}`)];

/** What is wrong with the leg, in a word each, by shape and colour. */
const Badges = ({ leg }) =>
  h(
    'span',
    { class: 'word' },
    isHalted(leg) ? [h('b', { key: 'halted', class: 'badge' }, '■ halted'), ' '] : null,
    unknownOf(leg).length > 0 ? h('b', { key: 'unknown', class: 'badge' }, '? unknown order') : null,
  );

const COLUMNS = (ask) => [
  {
    title: 'Leg',
    kind: 'wide',
    cell: (leg) => [
      h('button', { class: 'quiet ask', onClick: () => ask({ symbol: leg.symbol }), 'aria-label': `Why ${leg.symbol} ${leg.side}` }, 'Why'),
      h('b', null, leg.symbol),
      ' ',
      h(Side, leg),
      ' ',
      h(Badges, { leg }),
      h('small', null, (leg.strategies ?? []).join(', ') || 'no strategy here'),
    ],
  },
  { title: 'Size', kind: 'n', cell: (leg) => h(Size, { leg }) },
  { title: 'Entry', kind: 'n', cell: (leg) => known(leg.entryPrice, grouped(leg.entryPrice), 'not read yet') },
  { title: 'Mark', kind: 'n', cell: (leg) => h(Mark, { leg }) },
  {
    title: inCoin('Unrealised'),
    kind: 'n',
    cell: (leg) => known(leg.unrealised, h('span', { class: trend(leg.unrealised) }, signed(leg.unrealised)), 'needs entry and mark'),
  },
  { title: 'Stop', kind: 'n', cell: (leg) => h(StopPrice, { leg }) },
  { title: 'Liquidation', kind: 'n', cell: (leg) => h(Liquidation, { leg }) },
  {
    title: inCoin('Can lose'),
    kind: 'n',
    cell: (leg) => [
      known(lossOf(leg), money(lossOf(leg)), unboundedBy(leg)),
      mayHaveStop(leg) && lossOf(leg) !== '' ? h('small', { key: 'most' }, 'at most') : null,
    ],
  },
];

export function AtRisk({ ask }) {
  const read = model.status?.readAt?.positions ?? 0;
  const rows = legs();
  return h(
    Card,
    { id: 'at-risk', title: 'At risk', small: `positions read ${age(read)} from the venue` },
    rows.length === 0 ? null : h('p', null, h('b', null, `${count(rows.length, 'position')}, ${stopsText(rows)}`)),
    h(Table, {
      label: 'Legs at risk',
      columns: COLUMNS(ask),
      rows,
      keyOf: legOf,
      empty: read === 0 ? 'The positions have not been read yet: they are unknown.' : 'No open position, as the last read shows.',
    }),
    h(
      'p',
      { class: 'soft' },
      'Can lose: from the price now to the stop-losses that the venue holds, or to liquidation without one; before slippage and fees. Stops that only this process watches, and orders that rest, are not counted.',
    ),
  );
}

/** What all legs can lose together, in one way wherever it is shown. */
export function CanLose() {
  const { text, small } = worstLoss();
  return [known(text), h('small', { key: 'small' }, small)];
}
