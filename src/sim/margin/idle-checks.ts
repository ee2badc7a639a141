/**
 * Processes many checks at once when they only move the slow mids. While all prices stay within known bounds, so does the mark. No check
 * liquidates if the account is covered at the worst marks within the bounds. None fires if no trigger watches the mark. None pays before
 * the next funding time. @hot
 */
import { maintenanceAtMost } from '../../domain/tiers.ts';
import type { Account } from '../state/account.ts';
import * as lines from '../state/market-state.ts';
import type { MarketState } from '../state/market-state.ts';
import type { SimState } from '../state/state.ts';
import * as fills from '../matching/fills.ts';
import * as mark from './mark.ts';

const { TICK_MS } = fills;
const { SLOW_UNITS } = lines;
const { slowAfter, SLOW_MS } = mark;

/** A check moves the slow mid by this part of its distance from the mid. */
const SECONDS = SLOW_MS / TICK_MS;

/** Sets the bounds of a market to those of its last trade and mid, which bound the mark. */
export function boundNow(market: MarketState): void {
  const last = market.last;
  const mid = market.mid();
  market.quietLow = last === 0 || (mid > 0 && mid < last) ? mid : last;
  market.quietHigh = mid > last ? mid : last;
}

/** True if checks before `until` only move the slow mids, while every market stays within its bounds. */
export function isQuiet(s: SimState, until: number): boolean {
  if (s.funding !== null && s.nextFunding < until) return false;
  if (s.markPlans > 0) return false;
  let isHeld = false;
  for (let k = 0; k < s.accounts.length; k++) {
    const account = s.accounts[k]!;
    if (account.active.length > 0) isHeld = true;
    if (!isCovered(account)) return false;
  }
  // Without a leg, the next check ends the checks.
  if (!isHeld) return false;
  for (let k = 0; k < s.markets.length; k++) {
    const market = s.markets[k]!;
    // Recorded marks move by themselves.
    if (market.marks !== null) return false;
    if (market.brackets.length > 0 && (market.bracketsByMark || market.last === 0)) return false;
    if (market.triggerOrders.length > 0 && market.last === 0) return false;
  }
  return true;
}

/** True if the account is covered, and each of its isolated legs is, at any marks within the bounds. */
function isCovered(account: Account): boolean {
  const active = account.active;
  let equity = account.wallet() - account.isolatedMargin;
  let maintenance = 0;
  for (let k = 0; k < active.length; k++) {
    const leg = active[k]!;
    const market = leg.market;
    const worst = leg.unrealisedAt(leg.side === 0 ? market.quietLow : market.quietHigh);
    // It grows with the value of the leg.
    const needed = maintenanceAtMost(market.tiers, market.quietHigh * leg.total * market.unitValue);
    if (leg.pair.isIsolated) {
      if (leg.margin + worst <= needed) return false;
    } else {
      equity += worst;
      maintenance += needed;
    }
  }
  return equity > maintenance;
}

/** Takes the checks before `until`, while prices do not change. Only after `isQuiet`. */
export function skipChecks(s: SimState, until: number): void {
  if (!(s.nextDue < until)) return;
  for (let k = 0; k < s.markets.length; k++) {
    const market = s.markets[k]!;
    if (market.hasSlowMid && !market.isHalted) followMids(market, s.lookedAt, s.nextDue, until);
  }
  looked(s, until);
}

/** The checks from the next one up to `until` are done. */
function looked(s: SimState, until: number): void {
  const first = s.nextDue;
  if (!(first < until)) return;
  const last = first + Math.floor((until - 1 - first) / TICK_MS) * TICK_MS;
  s.now = last;
  s.lookedAt = last;
  s.nextDue = last + TICK_MS;
}

/** Gaps below this are counted in 32-bit integers. */
const WIDE = 2 ** 31;

/**
 * Moves the slow mid of a market as checks do at `first` and every second after it before `until`, while its book does not change. `since` is
 * the time of the check before.
 */
function followMids(market: MarketState, since: number, first: number, until: number): void {
  const target = market.mid() * SLOW_UNITS;
  if (target === 0) return;
  let at = first;
  if (market.slowMid === 0 || first - since !== TICK_MS) {
    market.slowMid = slowAfter(market.slowMid, target, first - since);
    at += TICK_MS;
  }
  // As slowAfter does it a second after the check before.
  const gap = target - market.slowMid;
  if (!(gap > -WIDE && gap < WIDE)) return followFar(market, target, at, until);
  let left = gap | 0;
  for (; at < until; at += TICK_MS) {
    const step = (left / SECONDS) | 0;
    // A check that moves nothing is followed by others that move nothing.
    if (step === 0) break;
    left = (left - step) | 0;
  }
  market.slowMid = target - left;
}

/** The same for gaps beyond 32-bit integers. */
function followFar(market: MarketState, target: number, first: number, until: number): void {
  for (let at = first; at < until; at += TICK_MS) market.slowMid = slowAfter(market.slowMid, target, TICK_MS);
}
