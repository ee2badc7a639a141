/** Margin mode and isolated margin of a symbol (E10, E11). */
import { LONG, MARGIN_MODES } from '../../domain/codes.ts';
import type { SimState } from '../state/state.ts';

/**
 * E10. Refused with 'margin-mode-conflict' while the symbol has a position; the mode it has already is no change. Orders of the
 * symbol that wait come along: what they fill is of the new mode.
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
 * The leverage of a leg, which no endpoint sets: a human does it elsewhere. Refused while orders wait to open the leg, while isolated
 * margin is in it, and where the position would be worth too much or ask for more margin than there is.
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
 * E11: moves `amount` of money between the account and an isolated leg's margin. What is put in is at most what may leave the cross
 * pool (Account.movable); what is taken out leaves at least ceil(entryValue / leverage) − min(0, unrealised).
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

/** Half of what is exact, 45 million: what may be deposited of a coin in all, so that there is room for what is won, and where a jump may lead. */
const HALF_OF_EXACT = 2 ** 52;

/** Whether one base coin, every leg with the orders that open it, and every spot order would be worth at most HALF_OF_EXACT at this price. */
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
 * `amount` (10^-8, signed) of `coin` comes to or leaves the spot account (`isSpot`) or the futures account. Refused with
 * 'insufficient-balance' when more would leave than is free, with 'coin-not-found' when the account cannot hold the coin, and with
 * 'size-too-large' beyond HALF_OF_EXACT.
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
