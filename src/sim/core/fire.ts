/**
 * Prices reach triggers. A plan order becomes an OPEN order of the venue's making with the same tag; if the account cannot
 * carry it then, the plan ends CANCELLED. A protection closes its lots of the leg, as far as other CLOSE orders leave them
 * available, at market or at its execute price; the other trigger of the pair goes with it.
 */
import { CLOSE, LIMIT, MARKET, OPEN } from '../../domain/codes.ts';
import type { Command } from '../../domain/command.ts';
import { CANCELLED, FILLED } from '../../domain/order.ts';
import { finish, wake } from './fills.ts';
import { watch } from './match.ts';
import { BY_MARK_BIT, BY_VENUE_BIT, EXITS_BIT, ISOLATED_BIT, MARKET_BIT, PLAN_BIT, SELL_BIT, SIDE_BIT, UPWARD_BIT } from './orders.ts';
import { admit, create, introduce, refuse, setExits } from './place.ts';
import type { SimState } from './state.ts';
import { lowerTrigger, upperTrigger, type Protection } from './triggers.ts';

/** E13. The trigger is upward when it lies above the watched price now; without a market, for LONG. */
export function placeTrigger(s: SimState, a: number, c: Command, tag: number, time: number): number {
  s.now = time;
  const i = c.instrument;
  if (!(i >= 0 && i < s.count) || s.isSpot[i] === 1) return refuse(s, 'unknown-instrument');
  const leg = (a * s.count + i) * 2 + c.side;
  if (c.trigger <= 0) return refuse(s, 'trigger-required');
  const isSale = c.side === 1;
  const reckoned = c.price > 0 ? c.price : c.trigger;
  if (!admit(s, a, i, leg, OPEN, LIMIT, reckoned, c.size, c.marginMode, isSale)) return 0;
  const watched = c.triggerBy === 1 ? s.market.mark(i) : s.market.lastOrMark(i);
  let traits = PLAN_BIT | c.side | (isSale ? SELL_BIT : 0) | (c.price > 0 ? 0 : MARKET_BIT);
  if (c.marginMode === 1) traits |= ISOLATED_BIT;
  if (c.triggerBy === 1) traits |= BY_MARK_BIT;
  if (c.takeProfit > 0 || c.stopLoss > 0) traits |= EXITS_BIT;
  if (watched === 0 ? c.side === 0 : c.trigger > watched) traits |= UPWARD_BIT;
  const slot = create(s, a, i, leg, traits, c.price, c.size, tag, 0);
  s.orders.trigger[slot] = c.trigger;
  setExits(s, slot, c.takeProfit, c.takeProfitLimit, c.stopLoss, c.stopLossLimit);
  s.triggers.addPlan(s.orders, i, slot);
  if (c.triggerBy === 1) wake(s);
  watch(s, i);
  s.sink?.order(s.orders.no[slot]!);
  return s.orders.no[slot]!;
}

/** Fires all triggers of the instrument that the prices of now have reached, plans first, each kind in order of arrival. */
export function fireTriggers(s: SimState, i: number): void {
  const last = s.market.lastOrMark(i);
  const mark = s.market.mark(i);
  if (last === 0) return;
  for (const slot of s.triggers.plans[i]!.slice()) {
    const traits = s.orders.traits[slot]!;
    const watched = (traits & BY_MARK_BIT) !== 0 ? mark : last;
    const trigger = s.orders.trigger[slot]!;
    if ((traits & UPWARD_BIT) !== 0 ? watched >= trigger : watched <= trigger) firePlan(s, i, slot);
  }
  for (const protection of s.triggers.protections[i]!.slice()) {
    const up = last >= upperTrigger(protection);
    if (!up && last > lowerTrigger(protection)) continue;
    const at = s.triggers.protections[i]!.indexOf(protection);
    if (at >= 0) fireProtection(s, i, at, protection, up);
  }
  watch(s, i);
}

function firePlan(s: SimState, i: number, slot: number): void {
  const o = s.orders;
  const a = o.account[slot]!;
  const leg = o.leg[slot]!;
  const tag = o.tag[slot]!;
  const no = o.no[slot]!;
  const size = o.size[slot]!;
  const price = o.price[slot]!;
  const was = o.traits[slot]!;
  const exits = [o.takeProfit[slot]!, o.takeProfitLimit[slot]!, o.stopLoss[slot]!, o.stopLossLimit[slot]!] as const;
  s.triggers.removePlan(o, i, slot);
  const type = (was & MARKET_BIT) !== 0 ? MARKET : LIMIT;
  const isSale = (was & SELL_BIT) !== 0;
  const isFit = admit(s, a, i, leg, OPEN, type, price, size, (was & ISOLATED_BIT) !== 0 ? 1 : 0, isSale);
  finish(s, slot, isFit ? FILLED : CANCELLED);
  if (!isFit) return;
  const kept = SIDE_BIT | SELL_BIT | MARKET_BIT | ISOLATED_BIT | EXITS_BIT;
  const child = create(s, a, i, leg, (was & kept) | BY_VENUE_BIT, price, size, tag, no);
  setExits(s, child, ...exits);
  introduce(s, child);
}

function fireProtection(s: SimState, i: number, at: number, p: Protection, isUp: boolean): void {
  const l = s.ledger;
  s.triggers.protections[i]!.splice(at, 1);
  s.triggers.rescan(s.orders, i);
  const size = Math.min(p.size, l.total[p.leg]! - l.locked[p.leg]!);
  if (size <= 0) return;
  const side = p.leg & 1;
  const isProfit = isUp === (side === 0);
  const limit = isProfit ? p.takeProfitLimit : p.stopLossLimit;
  const isSale = (side ^ CLOSE) === 1;
  let traits = side | (CLOSE << 1) | (isSale ? SELL_BIT : 0) | BY_VENUE_BIT;
  if (limit === 0) traits |= MARKET_BIT;
  if (l.isIsolated(p.leg)) traits |= ISOLATED_BIT;
  introduce(s, create(s, l.accountOf(p.leg), i, p.leg, traits, limit, size, 0, p.orderNo));
}
