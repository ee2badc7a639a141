/** Compares the simulator with the model: every ledger line, and everything that readers can see. */
import { CANCELLED, FILLED, REPLACED } from '../../src/domain/orders/order.ts';
import type { VenueSim } from '../../src/sim/core/venue-core.ts';
import type { LiquidationStep } from '../../src/sim/state/terms.ts';
import type { LedgerSink, SimFill } from '../../src/sim/state/types.ts';
import { markOf } from './venue/market.ts';
import { units } from './venue/money.ts';
import { accountFigures } from './venue/figures.ts';
import * as show from './venue/views.ts';
import type { ModelVenue } from './venue/venue.ts';

/** Describes a difference between simulator and model. */
class Divergence extends Error {
  override readonly name = 'Divergence';
}

const HOW: Record<number, string> = { [FILLED]: 'filled', [CANCELLED]: 'cancelled', [REPLACED]: 'replaced' };

/** Converts the simulator's ledger events to the model's text. */
export class LedgerText implements LedgerSink {
  readonly told: string[] = [];

  order(orderNo: number): void {
    this.told.push(`order ${orderNo}`);
  }

  ended(orderNo: number, how: number): void {
    this.told.push(`ended ${orderNo} ${HOW[how]}`);
  }

  fill(f: SimFill): void {
    this.told.push(
      `fill ${f.fillNo} ${f.time} ${f.account} ${f.orderNo} ${f.tag} ${f.instrument} ${f.side} ${f.effect} ${f.price} ${f.size} ${f.fee} ` +
        `${f.liquidity === 1 ? 'taker' : 'maker'} ${f.realised}`,
    );
  }

  step({ time, account, step, instrument, side, size, mark, backing, maintenance }: LiquidationStep): void {
    this.told.push(`step ${time} ${account} ${step} ${instrument} ${side} ${size} ${mark} ${backing} ${maintenance}`);
  }

  cash(account: number, coin: string, amount: number, why: string, orderNo: number): void {
    this.told.push(`cash ${account} ${coin} ${amount} ${why} ${orderNo}`);
  }
}

export function same(what: string, ours: unknown, theirs: unknown): void {
  if (ours !== theirs) throw new Divergence(`${what}: the simulator says ${String(ours)}, the model ${String(theirs)}`);
}

function sameRecord(what: string, ours: object, theirs: show.Shown): void {
  for (const name of Object.keys(theirs)) {
    const found = (ours as show.Shown)[name];
    if (found !== theirs[name]) {
      throw new Divergence(
        `${what}.${name}: the simulator says ${String(found)}, the model ${String(theirs[name])}\n${JSON.stringify([ours, theirs])}`,
      );
    }
  }
  same(`fields of ${what}`, Object.keys(ours).length, Object.keys(theirs).length);
}

function sameList(what: string, ours: readonly object[], theirs: readonly show.Shown[]): void {
  same(`number of ${what}`, ours.length, theirs.length);
  for (const [k, one] of ours.entries()) sameRecord(what, one, theirs[k]!);
}

/** Compares ledger lines from number `from` on. Returns their number. @throws Divergence */
export function compareLedgerLines(ours: readonly string[], { world: { told } }: ModelVenue, from: number): number {
  const count = Math.max(ours.length, told.length);
  for (let k = from; k < count; k++) same(`ledger line ${k}`, ours[k], told[k]);
  return count;
}

/** @throws Divergence, or AssertionError if the simulator is inconsistent with itself */
export function compareVenues(sim: VenueSim, model: ModelVenue): void {
  const w = model.world;
  sim.audit();
  same('next look', sim.nextDue, w.nextLook);
  for (const account of w.spec.accounts.keys()) {
    const figures = accountFigures(w, account);
    same('equity', sim.equity(account), units(figures.equity));
    sameRecord('totals', sim.totals(account), show.showTotals(w, account, figures));
    sameList('positions', sim.positions(account, -1), show.showPositions(w, account, figures));
    sameList(
      'pending',
      sim.pending(account, -1),
      show.pending(w, account).map((o) => show.showOrder(w, o)),
    );
    sameList(
      'history',
      sim.history(account, -1),
      show.history(w, account).map((o) => show.showOrder(w, o)),
    );
    sameList('balances', sim.balances(account), show.showBalances(w, account));
    for (const { index, product } of w.instruments) {
      if (product === 'futures') sameRecord('account', sim.account(account, index), show.showAccount(w, account, index, figures));
    }
  }
  for (const { index } of w.instruments) {
    same('mark', sim.markPrice(index), markOf(w, index));
    sameRecord('book', sim.bookTicker(index) ?? {}, show.showBook(w, index) ?? {});
    sameList('trades', sim.trades(index, { limit: 100 }), show.showTrades(w, index));
  }
}
