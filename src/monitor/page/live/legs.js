/** Legs (position sides) that are held or may be, what troubles them, and what they can lose together. */
import { grouped, money, sum } from '../../../browser/figures.js';
import { legOf, liveOrders, model } from '../parts/model.js';
import { count } from '../parts/elements.js';

const isOf = (leg) => (order) => order.symbol === leg.symbol && order.side === leg.side;
const unknownOrders = () => [...model.orders.values()].filter(({ state }) => state === 'unknown');
const decimalsOf = (text) => (text.split('.')[1] ?? '').length;

export const unknownOf = (leg) => unknownOrders().filter(isOf(leg));

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

/** "40.0", or "40.0 to 55.0" while orders of unknown outcome may have filled. */
export function sizeText(leg) {
  const unknown = unknownOf(leg);
  const sizes = unknown.length === 0 ? [leg.size] : rangeOf(leg, unknown);
  return sizes.map((size) => grouped(size)).join(' to ');
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
function allLegs() {
  const held = [...model.positions.values()];
  const maybe = unknownOrders().filter((order) => order.effect === 'OPEN' && !held.some((leg) => isOf(leg)(order)));
  return [...held, ...new Map(maybe.map((order) => [legOf(order), maybeLeg(order)])).values()];
}

/** True if a halt holds for the symbol, the leg or a strategy of it alone. Halts of the whole bot stand in the bar. */
export const isHalted = ({ symbol, side, strategies = [] }) =>
  model.halts.some(
    ({ scope }) =>
      scope === `symbol:${symbol}` || scope === `leg:${symbol}:${side}` || strategies.some((name) => scope === `strategy:${name}`),
  );

/** True if an order of unknown outcome may have opened some of it: nothing proves a stop of that. */
export const mayHaveOpened = (leg) => unknownOf(leg).some(({ effect }) => effect === 'OPEN');

/** True if the venue holds no stop-loss of this bot for a part of what is held. */
export const lacksStop = (leg) => Number(leg.unprotected ?? leg.size) > 0;

/** True if nobody here knows whether the venue holds a stop-loss for a part of what is held. */
export const mayHaveStop = (leg) => Number(leg.stopUnknown ?? 0) > 0;

/** True if that is so of all that no stop-loss of this bot closes. */
export const mayHaveAllStops = (leg) => mayHaveStop(leg) && Number(leg.stopUnknown) === Number(leg.unprotected);

/** True while no read agrees with what the bot knows of it, as after a start: size and stops are those of its store. */
export const isUnread = (leg) => leg.shown !== undefined;

/** The same, or it is not known to hold one. */
export const isBare = (leg) => mayHaveOpened(leg) || lacksStop(leg) || isUnread(leg);

/** The size that the venue's stop-losses close. */
export const stoppedSize = ({ size, unprotected = size }) => sum([size, `-${unprotected}`], decimalsOf(size));

/** The size for which there is no stop-loss: not what a closing order locks, and not what nobody here knows of. */
export const bareSize = ({ size, unprotected = size, locked = '0', stopUnknown = '0' }) =>
  sum([unprotected, `-${locked}`, `-${stopUnknown}`], decimalsOf(size));

/** What the leg can lose; "" if it has no bound, or what bounds it is not known. */
export const lossOf = (leg) => (mayHaveOpened(leg) ? '' : (leg.worstLoss ?? ''));

/** Why `lossOf` is "". */
export function unboundedBy(leg) {
  if (mayHaveOpened(leg)) return 'an order of unknown outcome may have opened more';
  if (isUnread(leg)) return 'no read confirms it yet';
  if (leg.price === '') return 'no price is known';
  return leg.side === 'SHORT' && leg.noLiquidation === true
    ? 'no bound: no stop at the venue, no liquidation price'
    : 'no liquidation price is known';
}

/** Legs in trouble first (halted, or with an order of unknown outcome), then those without a bound, then those that can lose most. */
export function legs() {
  const trouble = (leg) => Number(isHalted(leg)) + 2 * Number(unknownOf(leg).length > 0);
  const loss = (leg) => (lossOf(leg) === '' ? Infinity : Number(lossOf(leg)));
  const rows = allLegs().map((leg) => ({ leg, key: legOf(leg), trouble: trouble(leg), loss: loss(leg) }));
  rows.sort((a, b) => b.trouble - a.trouble || (a.loss === b.loss ? 0 : b.loss - a.loss) || a.key.localeCompare(b.key));
  return rows.map(({ leg }) => leg);
}

/** "before slippage, fees and 2 resting opens": what no figure of losses counts. */
function leftOut() {
  const opens = liveOrders().filter(({ effect, state }) => effect === 'OPEN' && state !== 'unknown').length;
  return `before slippage, fees${opens === 0 ? '' : `, ${count(opens, 'resting open')}`}`;
}

/**
 * What the legs can lose together until their stops at the venue or their liquidation: `text` is "" while the positions are not read or no leg has a
 * bound, and begins with "≥" while one of them has none. The venue liquidates an account before it owes: together the legs lose no more than the equity.
 */
export function worstLoss() {
  if (model.status === null || (model.status.readAt?.positions ?? 0) === 0) return { text: '', small: 'positions not read' };
  const all = legs();
  const open = all.filter((leg) => lossOf(leg) === '');
  const loss = sum(all.map(lossOf).filter((one) => one !== ''));
  const most = all.some(mayHaveStop) ? 'at most, a stop is not known; ' : '';
  const { equity } = model.status;
  if (equity !== '' && Number(loss) > Number(equity)) return { text: money(equity), small: `all of the equity (the legs: ${money(loss)})` };
  if (open.length === 0) return { text: money(loss), small: all.length === 0 ? 'no position' : `${most}${leftOut()}` };
  const names = open.length > 2 ? `${open.length} of ${all.length} legs` : open.map(({ symbol }) => grouped(symbol)).join(', ');
  return Number(loss) === 0
    ? { text: '', small: `no bound: ${names}` }
    : { text: `≥ ${money(loss)}`, small: `at least; no bound: ${names}` };
}
