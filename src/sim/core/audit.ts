/** Everything the simulator keeps twice, reckoned anew from the other side and compared to the last digit. */
import { assert } from '../../base/assert.ts';
import { WORKING } from '../../domain/order.ts';
import { marginOf } from './fills.ts';
import { EFFECT_BIT, MARKET_BIT, PLAN_BIT, SELL_BIT, SPOT_BIT, TAKING_BIT } from './orders.ts';
import { spotCost } from './spot-settle.ts';
import type { SimState } from './state.ts';

/** @throws AssertionError at the first thing that does not agree */
export function audit(s: SimState): void {
  const claims = auditOrders(s);
  auditLegs(s, claims.locked, claims.opening, claims.working);
  for (let a = 0; a < s.accounts.length; a++) auditAccount(s, a, claims.holds[a]!);
  for (let k = 0; k < claims.spotLocked.length; k++) {
    assert(s.spot.locked[k] === claims.spotLocked[k], 'locked coins = what resting spot orders hold');
    assert(s.spot.free[k]! >= 0, 'a free balance is not negative');
  }
}

interface Claims {
  locked: Float64Array;
  opening: Float64Array;
  working: Int32Array;
  holds: Float64Array;
  spotLocked: Float64Array;
}

function auditOrders(s: SimState): Claims {
  const o = s.orders;
  const l = s.ledger;
  const claims: Claims = {
    locked: new Float64Array(l.total.length),
    opening: new Float64Array(l.total.length),
    working: new Int32Array(l.openOrders.length),
    holds: new Float64Array(l.accounts),
    spotLocked: new Float64Array(s.spot.free.length),
  };
  let resting = 0;
  for (let i = 0; i < s.count; i++) {
    let taking = 0;
    for (const book of [s.books[i * 2]!, s.books[i * 2 + 1]!]) {
      resting += book.count;
      for (let k = 0; k < book.count; k++) {
        const slot = book.slots[k]!;
        assert(o.instrument[slot] === i && ((o.traits[slot]! & SELL_BIT) === 0) === book.sign > 0, 'an order rests in its own book');
        if (k > 0) assertRank(s, book.slots[k - 1]!, slot, book.sign);
        if ((o.traits[slot]! & TAKING_BIT) !== 0) taking++;
        claim(s, claims, slot);
      }
    }
    assert(taking === s.taking[i], 'resting takers are counted');
    for (const slot of s.triggers.plans[i]!) claims.working[o.leg[slot]! >> 1]!++;
    resting += s.triggers.plans[i]!.length;
  }
  let working = 0;
  for (let slot = 0; slot < o.capacity; slot++) {
    if (o.no[slot] === 0) continue;
    assert(o.find(o.no[slot]!) === slot, 'a number finds its order');
    if (o.status[slot] === WORKING) working++;
  }
  assert(working === resting, 'every working order rests in a book or waits for a trigger');
  return claims;
}

function assertRank(s: SimState, worse: number, better: number, sign: number): void {
  const o = s.orders;
  const ahead = (o.key[better]! - o.key[worse]!) * sign;
  assert(ahead > 0 || (ahead === 0 && o.no[better]! < o.no[worse]!), 'a book is in price-time order');
}

function claim(s: SimState, claims: Claims, slot: number): void {
  const o = s.orders;
  const i = o.instrument[slot]!;
  const left = o.size[slot]! - o.filled[slot]!;
  const traits = o.traits[slot]!;
  assert(o.status[slot] === WORKING && left > 0, 'what rests has something left');
  assert((traits & PLAN_BIT) === 0, 'a plan order is in no book');
  if ((traits & SPOT_BIT) !== 0) {
    const isSale = (traits & SELL_BIT) !== 0;
    const coin = isSale ? s.spot.baseCoin[i]! : s.spot.quoteCoin[i]!;
    const buying = (traits & MARKET_BIT) !== 0 ? 0 : spotCost(s, i, o.price[slot]!, left);
    assert(o.hold[slot] === (isSale ? left * s.spot.coinUnit[i]! : buying), 'a spot order locks what it may need');
    claims.spotLocked[s.spot.at(o.account[slot]!, coin)]! += o.hold[slot]!;
    return;
  }
  const leg = o.leg[slot]!;
  claims.working[leg >> 1]!++;
  if ((traits & EFFECT_BIT) !== 0) {
    claims.locked[leg]! += left;
    return;
  }
  claims.opening[leg]! += left;
  assert(o.hold[slot] === marginOf(left * o.holdPrice[slot]! * s.unitValue[i]!, s.leverage[i]!), 'a hold fits what is unfilled');
  claims.holds[o.account[slot]!]! += o.hold[slot]!;
}

function auditLegs(s: SimState, locked: Float64Array, opening: Float64Array, working: Int32Array): void {
  const l = s.ledger;
  for (let leg = 0; leg < l.total.length; leg++) {
    const total = l.total[leg]!;
    assert(Number.isSafeInteger(total) && total >= 0, 'a leg holds a whole number of lots');
    assert(Number.isSafeInteger(l.entryValue[leg]!) && l.entryValue[leg]! >= 0, 'an entry value is exact');
    assert(total > 0 || l.entryValue[leg] === 0, 'a flat leg has no entry value');
    assert(l.locked[leg] === locked[leg], 'locked = what CLOSE orders want');
    assert(l.opening[leg] === opening[leg], 'opening = what OPEN orders want');
    assert(locked[leg]! <= total, 'no more is locked than there is');
    assert(total > 0 || l.margin[leg] === 0, 'a flat leg has no margin');
    const i = l.instrumentOf(leg);
    if (!l.isIsolated(leg)) assert(l.margin[leg] === marginOf(l.entryValue[leg]!, s.leverage[i]!), 'cross margin = value / leverage');
    for (const p of total === 0 ? s.triggers.protections[i]! : []) assert(p.leg !== leg, 'a flat leg has no protection');
  }
  for (let pair = 0; pair < working.length; pair++) assert(l.openOrders[pair] === working[pair], 'working orders are counted');
}

/** Two roads to equity: by what was realised, and by what was bought and sold. */
function auditAccount(s: SimState, a: number, holds: number): void {
  const l = s.ledger;
  let realised = 0;
  let unrealised = 0;
  let worth = 0;
  let cross = 0;
  let isolated = 0;
  let active = 0;
  const from = a * s.count * 2;
  for (let leg = from; leg < from + s.count * 2; leg++) {
    const i = l.instrumentOf(leg);
    const value = s.market.mark(i) * l.total[leg]! * s.unitValue[i]!;
    realised += l.everRealised[leg]!;
    worth += (leg & 1) === 0 ? value : -value;
    if (l.isIsolated(leg)) isolated += l.margin[leg]!;
    else cross += l.margin[leg]!;
    if (l.total[leg] === 0) continue;
    unrealised += l.unrealised(leg);
    active++;
    assert(l.active[l.activeAt[leg]!] === leg, 'a leg that is not flat is listed');
  }
  assert(active === l.activeCount[a], 'the list of legs is whole');
  assert(realised === l.realised[a], 'realised = sum over legs');
  assert(holds === l.holds[a], 'holds = sum over OPEN orders');
  assert(cross === l.crossMargin[a] && isolated === l.isolatedMargin[a], 'margins = sums over legs');
  const equity = l.deposits[a]! + realised + unrealised - l.fees[a]! + l.funding[a]!;
  assert(Number.isSafeInteger(equity), 'equity is an exact integer');
  assert(l.equity(a) === equity, 'equity = deposits + realised + unrealised − fees + funding');
  assert(l.deposits[a]! + l.flow[a]! + worth === equity, 'equity = deposits + sold − bought − fees + worth of legs');
}
