/** What is at risk: each leg with its proof, its stop and who holds it. */
import { h } from 'preact';
import { grouped, money, percent, signed, sum, trend } from '../../../browser/figures.js';
import { legOf, model } from '../parts/model.js';
import { age, Card, count, known, Side, Table } from '../parts/elements.js';

/** The sum of what the legs can lose until their stops or their liquidation; "" while one of them is unknown. */
export function worstLoss() {
  const all = legs();
  if (model.status === null || (model.status.readAt?.positions ?? 0) === 0) return { text: '', small: 'positions not read' };
  const unknown = unknownOrders();
  // What an order of unknown outcome opened has no stop that is proven.
  const losses = all.map((leg) => (unknown.some((order) => order.effect === 'OPEN' && isOf(leg)(order)) ? '' : (leg.worstLoss ?? '')));
  const open = losses.filter((one) => one === '').length;
  if (open > 0) return { text: '', small: `${open} of ${all.length} legs without a bound` };
  const loss = sum(losses);
  const equity = model.status.equity;
  // The venue liquidates an account before it owes: together the legs lose no more than the equity.
  if (equity !== '' && Number(loss) > Number(equity)) return { text: equity, small: 'all of the equity' };
  return { text: loss, small: all.length === 0 ? 'no position' : 'if every stop or liquidation is hit' };
}

const isOf = (leg) => (order) => order.symbol === leg.symbol && order.side === leg.side;
const unknownOrders = () => [...model.orders.values()].filter(({ state }) => state === 'unknown');
const decimalsOf = (text) => (text.split('.')[1] ?? '').length;

/** What an order of unknown outcome may still fill. */
const remaining = ({ size, filled }) => sum([size, `-${filled}`], decimalsOf(size));

/** The least and the most that the leg can be, if orders of unknown outcome filled. */
function rangeOf(leg, orders) {
  const decimals = Math.max(decimalsOf(leg.size), ...orders.map(({ size }) => decimalsOf(size)));
  const opening = orders.filter(({ effect }) => effect === 'OPEN').map(remaining);
  const closing = orders.filter(({ effect }) => effect === 'CLOSE').map((order) => `-${remaining(order)}`);
  const least = sum([leg.size, ...closing], decimals);
  return [least.startsWith('-') ? sum([], decimals) : least, sum([leg.size, ...opening], decimals)];
}

/**
 * A leg that the last read did not show, though an order of unknown outcome may have opened it.
 * @returns {any} a PositionRow without what only a read shows
 */
const maybeLeg = ({ symbol, side, strategy }) => ({
  symbol,
  side,
  size: '0',
  strategies: [strategy],
  entryPrice: '',
  price: model.quotes.get(symbol)?.last ?? '',
  unrealised: '',
  liquidationPrice: '',
});

/** Every leg that is held or may be. */
function legs() {
  const held = [...model.positions.values()];
  const maybe = unknownOrders().filter((order) => order.effect === 'OPEN' && !held.some((leg) => isOf(leg)(order)));
  return [...held, ...new Map(maybe.map((order) => [legOf(order), maybeLeg(order)])).values()];
}

/** Size that is proven, and what it becomes if orders of unknown outcome filled. */
function Size({ leg }) {
  const unknown = unknownOrders().filter(isOf(leg));
  return [
    h('b', null, grouped(leg.size)),
    leg.own !== undefined && leg.own !== leg.size ? h('small', null, `${grouped(leg.own)} of it by this bot`) : null,
    unknown.length === 0
      ? null
      : h(
          'small',
          { class: 'warn' },
          `${rangeOf(leg, unknown)
            .map((size) => grouped(size))
            .join(' to ')}: ${count(unknown.length, 'unknown order')}; a read of the order history settles it`,
        ),
  ];
}

const HELD_BY = { venue: '● held by the venue', bot: '○ watched by this process only' };
const STOPS = ['stop-loss', 'stop', 'trailing-stop'];

/** The nearest stop, and who holds it. */
function StopPrice({ leg }) {
  if (leg.exits === undefined) return known('');
  const stop = leg.exits.find(({ what }) => STOPS.includes(what));
  if (stop === undefined) return h('b', { class: 'warn' }, '✕ no stop');
  const bare = Number(leg.unprotected ?? 0) > 0 && stop.by === 'venue' ? `${grouped(leg.unprotected)} without` : '';
  return [
    h('b', null, grouped(stop.price) || 'not begun'),
    h('small', null, stop.distance === '' ? '' : `${percent(stop.distance)} %`),
    h('small', { class: stop.by === 'bot' ? 'warn' : '' }, HELD_BY[stop.by]),
    bare === '' ? null : h('small', { class: 'warn' }, bare),
  ];
}

/** From the mark to the liquidation in percent: the ratio of two prices, not money. */
function Liquidation({ leg }) {
  if (leg.liquidationPrice === '') return known('');
  const away =
    Number(leg.price) > 0 ? `${percent(((Number(leg.liquidationPrice) / Number(leg.price) - 1) * 100).toFixed(1))} %` : 'distance unknown';
  return [h('b', null, grouped(leg.liquidationPrice)), h('small', null, away)];
}

const COLUMNS = (ask) => [
  {
    title: 'Leg',
    kind: 'wide',
    cell: (leg) => [
      h('button', { class: 'quiet ask', onClick: () => ask({ symbol: leg.symbol }), 'aria-label': `Why ${leg.symbol} ${leg.side}` }, 'Why'),
      h('b', null, leg.symbol),
      ' ',
      h(Side, leg),
      h('small', null, (leg.strategies ?? []).join(', ') || 'no strategy here'),
    ],
  },
  { title: 'Size, proven', kind: 'n', cell: (leg) => h(Size, { leg }) },
  { title: 'Entry', kind: 'n', cell: (leg) => known(leg.entryPrice, grouped(leg.entryPrice)) },
  { title: 'Mark', kind: 'n', cell: (leg) => known(leg.price, grouped(leg.price)) },
  {
    title: 'Unrealised',
    kind: 'n',
    cell: (leg) => known(leg.unrealised, h('span', { class: trend(leg.unrealised) }, signed(leg.unrealised))),
  },
  { title: 'Stop', kind: 'n', cell: (leg) => h(StopPrice, { leg }) },
  { title: 'Liquidation', kind: 'n', cell: (leg) => h(Liquidation, { leg }) },
  { title: 'Can lose', kind: 'n', cell: (leg) => known(leg.worstLoss ?? '', money(leg.worstLoss ?? '')) },
  { title: 'Proven', kind: 'n', cell: (leg) => age(leg.provenAt ?? model.status?.readAt?.positions ?? 0) },
];

/** Legs whose loss has no bound first, then those that can lose most. */
const byLoss = (a, b) =>
  (b.worstLoss === undefined || b.worstLoss === '' ? Infinity : Number(b.worstLoss)) -
    (a.worstLoss === undefined || a.worstLoss === '' ? Infinity : Number(a.worstLoss)) || legOf(a).localeCompare(legOf(b));

export function AtRisk({ ask }) {
  const read = model.status?.readAt?.positions ?? 0;
  return h(
    Card,
    { id: 'at-risk', title: 'At risk', small: `positions read ${age(read)} from the venue` },
    h(Table, {
      label: 'Legs at risk',
      columns: COLUMNS(ask),
      rows: legs().sort(byLoss),
      keyOf: legOf,
      empty: read === 0 ? 'The positions have not been read yet: they are unknown.' : 'No open position, as the last read proves.',
    }),
  );
}
