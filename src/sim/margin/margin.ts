/** Set margin mode (E10), adjust margin (E11), leverage and deposits. */
import { LONG, MARGIN_MODES } from '../../domain/codes.ts';
import type { SimState } from '../state/state.ts';

/**
 * Sets the margin mode (E10). Refused with 'margin-mode-conflict' while the symbol has a position and the mode differs. Resting orders of
 * the symbol change with it.
 */
export function setMarginMode(s: SimState, a: number, i: number, mode: number, time: number): boolean {
  s.now = time;
  const market = s.markets[i];
  if (market === undefined || market.isSpot) return s.deny('unknown-instrument');
  const pair = s.accounts[a]!.pairs[i]!;
  const isIsolated = MARGIN_MODES[mode] === 'ISOLATED';
  if (pair.isIsolated === isIsolated) return true;
  if (pair.hasPosition()) return s.deny('margin-mode-conflict');
  pair.switchMode(isIsolated);
  return true;
}

/**
 * Sets the leverage of a leg. No endpoint does this; a human does it on the venue's site. Refused while orders wait to open the leg, while
 * it has isolated margin, if its value would be too large, or if the margin would not suffice.
 */
export function setLeverage(s: SimState, a: number, i: number, side: number, leverage: number, time: number): boolean {
  s.now = time;
  const market = s.markets[i];
  if (market === undefined || market.isSpot) return s.deny('unknown-instrument');
  const account = s.accounts[a]!;
  const pair = account.pairs[i]!;
  const leg = side === LONG ? pair.long : pair.short;
  if (leg.leverage === leverage) return true;
  if (leg.opening > 0 || (pair.isIsolated && leg.total > 0)) return s.deny('invalid-request');
  const before = leg.leverage;
  if (leverage > market.instrument.maxLeverage) return s.deny('size-too-large');
  const more = Math.ceil(leg.entryValue / leverage) - leg.margin;
  if (leg.total > 0 && more > account.movable()) return s.deny('insufficient-balance');
  leg.setLeverage(leverage);
  if (leg.value() > leg.maxValue) {
    leg.setLeverage(before);
    return s.deny('size-too-large');
  }
  if (!pair.isIsolated && leg.total > 0) leg.setCrossMargin();
  leg.updatedAt = time;
  return true;
}

/**
 * Adjusts the margin of an isolated leg (E11) by `amount` of money. An addition is at most Account.movable. A removal must leave at least
 * ceil(entryValue / leverage) − min(0, unrealised).
 */
export function adjustMargin(s: SimState, a: number, i: number, side: number, amount: number, time: number): boolean {
  s.now = time;
  const market = s.markets[i];
  if (market === undefined || market.isSpot) return s.deny('unknown-instrument');
  const account = s.accounts[a]!;
  const pair = account.pairs[i]!;
  const leg = side === LONG ? pair.long : pair.short;
  if (leg.total === 0) return s.deny('no-position');
  if (!pair.isIsolated) return s.deny('cross-margin-unsupported');
  if (amount > 0 && amount > account.movable()) return s.deny('insufficient-balance');
  if (amount < 0) {
    const needed = leg.marginOf(leg.entryValue) - Math.min(0, leg.unrealised());
    if (leg.margin + amount < needed) return s.deny('insufficient-position-margin');
  }
  leg.margin += amount;
  account.isolatedMargin += amount;
  leg.updatedAt = time;
  return true;
}

/** Half of the exact range (45 million): the limit of all deposits of a coin and of a price jump. The rest is room for profit. */
const HALF_OF_EXACT = 2 ** 52;

/** True if at this price one base coin, every leg with its opening orders, and every spot order are worth at most HALF_OF_EXACT. */
export function allows(s: SimState, i: number, price: number): boolean {
  const market = s.markets[i]!;
  const worst = price * market.unitValue;
  const { sizeScale, lotStep } = market.instrument;
  const isBorne = (lots: number): boolean => lots * worst <= HALF_OF_EXACT;
  if (!isBorne(sizeScale / lotStep)) return false;
  if (market.isSpot) return [...market.buys.list(), ...market.sells.list()].every((order) => isBorne(order.size - order.filled));
  return s.accounts.every(({ pairs }) => {
    const { long, short } = pairs[i]!;
    return isBorne(long.total + long.opening) && isBorne(short.total + short.opening);
  });
}

/**
 * Adds `amount` (10⁻⁸, signed) of `coin` to the spot account (`isSpot`) or the futures account. Refused with 'insufficient-balance' if more
 * would leave than is free, 'coin-not-found' if the account cannot hold the coin, and 'size-too-large' beyond HALF_OF_EXACT.
 */
export function deposit(s: SimState, a: number, isSpot: boolean, coin: string, amount: number): boolean {
  const account = s.accounts[a]!;
  const number = s.coins.indexOf(coin);
  if (isSpot ? number < 0 : coin !== s.coin) return s.deny('coin-not-found');
  const after = amount + (isSpot ? account.free[number]! : account.movable());
  if (amount < 0 && after < 0) return s.deny('insufficient-balance');
  const all = amount + (isSpot ? account.spotDeposits[number]! : account.deposits);
  if (amount > 0 && all > HALF_OF_EXACT) return s.deny('size-too-large');
  if (!Number.isSafeInteger(all) || !Number.isSafeInteger(after)) return s.deny('size-too-large');
  if (isSpot) {
    account.free[number] = after;
    account.spotDeposits[number]! += amount;
  } else account.deposits += amount;
  if (amount !== 0) s.ledger?.cash(a, coin, amount, 'deposit', 0, isSpot ? 'spot' : 'futures');
  return true;
}
