/** A random trader: each call performs one action that an account can do, by its seed. */
import type { Random } from '../../../src/base/random.ts';
import { CROSS, ISOLATED } from '../../../src/domain/codes.ts';
import { emptyCommand, type Command } from '../../../src/domain/orders/command.ts';
import type { VenueSim } from '../../../src/sim/core/venue-core.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';

export interface TraderSpec {
  readonly account: number;
  readonly random: Random;
  /** The instruments that it trades. */
  readonly instruments: readonly Instrument[];
  /** Value of an ordinary order in money, 10^-8. */
  readonly orderValue: number;
  /** True if it holds one side of each symbol without a stop-loss. */
  readonly isBold: boolean;
  /** Largest distance of its prices from the market, in ten thousandths. */
  readonly reach: number;
}

/** Number of its latest orders that it remembers. */
const REMEMBERED = 12;

export class SoakTrader {
  accepted = 0;
  readonly refusals = new Map<string, number>();
  readonly #spec: TraderSpec;
  readonly #orders: number[] = [];
  readonly #command = emptyCommand();
  #tag = 0;

  constructor(spec: TraderSpec) {
    this.#spec = spec;
  }

  act(sim: VenueSim, time: number): void {
    const { random: r, instruments, isBold } = this.#spec;
    const x = instruments[r.below(instruments.length)]!;
    const price = sim.markPrice(x.index);
    if (price === 0) return;
    const what = r.below(100);
    if (what < 30) this.#cancel(sim, time);
    else if (x.product === 'spot') this.#spot(sim, x, price, time);
    else if (what < (isBold ? 70 : 62)) this.#place(sim, x, price, time);
    else if (what < 70) this.#closeLeg(sim, x, price, time);
    else if (what < 80) this.#plan(sim, x, price, time);
    else if (what < 90) this.#modify(sim, price, time);
    else if (what < 94) this.#note(sim, sim.setMarginMode(this.#spec.account, x.index, r.below(2), time));
    else this.#adjust(sim, x, time);
  }

  #place(sim: VenueSim, x: Instrument, price: number, time: number): void {
    const r = this.#spec.random;
    const c = this.#draft(sim, x, price);
    c.type = r.below(4) === 0 ? 1 : 0;
    c.price = c.type === 1 ? 0 : this.#near(price);
    c.force = c.type === 0 && r.below(4) === 0 ? 1 : 0;
    if (r.below(3) === 0 && !this.#spec.isBold) this.#setExits(c, price);
    this.#keep(sim, sim.place(this.#spec.account, c, ++this.#tag, time));
  }

  /** Closes all or part of one of its positions. */
  #closeLeg(sim: VenueSim, x: Instrument, price: number, time: number): void {
    const { account, random: r } = this.#spec;
    const legs = sim.positions(account, x.index);
    const leg = legs[r.below(Math.max(legs.length, 1))];
    if (leg === undefined || leg.available === 0) return;
    const c = this.#draft(sim, x, price);
    c.side = leg.side;
    c.effect = 1;
    c.type = r.below(2);
    c.price = c.type === 1 ? 0 : this.#near(price);
    c.size = r.below(2) === 0 ? leg.available : 1 + r.below(leg.available);
    this.#keep(sim, sim.place(account, c, ++this.#tag, time));
  }

  #plan(sim: VenueSim, x: Instrument, price: number, time: number): void {
    const r = this.#spec.random;
    const c = this.#draft(sim, x, price);
    c.trigger = this.#near(price);
    c.triggerBy = r.below(2);
    c.price = r.below(2) === 0 ? 0 : this.#near(price);
    if (r.below(2) === 0 && !this.#spec.isBold) this.#setExits(c, price);
    this.#keep(sim, sim.placeTrigger(this.#spec.account, c, ++this.#tag, time));
  }

  #modify(sim: VenueSim, price: number, time: number): void {
    const { account, random: r } = this.#spec;
    const no = this.#someOrder(sim);
    if (no === 0) return;
    const was = sim.order(no);
    const c = Object.assign(this.#command, emptyCommand());
    if (was === null || r.below(2) === 0) c.price = was === null ? price : this.#near(sim.markPrice(was.instrument));
    else c.size = Math.max(1, Math.floor((was.size * (50 + r.below(100))) / 100));
    this.#keep(sim, sim.modify(account, no, c, ++this.#tag, time));
  }

  #cancel(sim: VenueSim, time: number): void {
    const no = this.#someOrder(sim);
    if (no === 0) return;
    const isSpot = sim.order(no)?.kind === 2;
    const { account } = this.#spec;
    this.#note(sim, isSpot ? sim.cancelSpot(account, no, time) : sim.cancel(account, no, time));
  }

  #adjust(sim: VenueSim, x: Instrument, time: number): void {
    const { account, random: r, orderValue } = this.#spec;
    const amount = (r.below(200) - 60) * Math.floor(orderValue / 2_000);
    this.#note(sim, sim.adjustMargin(account, x.index, r.below(2), amount, time));
  }

  #spot(sim: VenueSim, x: Instrument, price: number, time: number): void {
    const r = this.#spec.random;
    const c = this.#draft(sim, x, price);
    c.type = r.below(3) === 0 ? 1 : 0;
    c.price = c.type === 1 ? 0 : this.#near(price);
    this.#keep(sim, sim.placeSpot(this.#spec.account, c, ++this.#tag, time));
  }

  #draft(sim: VenueSim, x: Instrument, price: number): Command {
    const { account, random: r, orderValue, isBold } = this.#spec;
    const c = Object.assign(this.#command, emptyCommand());
    const value = orderValue * (0.2 + 2 * r.uniform() * r.uniform());
    c.instrument = x.index;
    c.side = isBold && x.product === 'futures' ? (x.index + account) % 2 : r.below(2);
    c.size = Math.max(x.minSize, Math.floor(value / (price * x.unitValue)));
    if (x.product === 'futures') {
      const mode = sim.marginMode(account, x.index);
      c.marginMode = r.below(30) === 0 ? (mode === CROSS ? ISOLATED : CROSS) : mode;
    }
    return c;
  }

  #setExits(c: Command, price: number): void {
    const r = this.#spec.random;
    const up = c.side === 0 ? 1 : -1;
    const away = Math.max(1, Math.floor((price * this.#spec.reach) / 10_000));
    if (r.below(3) > 0) c.takeProfit = Math.max(1, price + up * (1 + r.below(away)));
    if (r.below(3) > 0) c.stopLoss = Math.max(1, price - up * (1 + r.below(away)));
    if (c.takeProfit > 0 && r.below(2) === 0) c.takeProfitLimit = c.takeProfit;
    if (c.stopLoss > 0 && r.below(4) === 0) c.stopLossLimit = Math.max(1, c.stopLoss - up * r.below(away));
  }

  /** A price around the market, near ones more often. */
  #near(price: number): number {
    const { random: r, reach } = this.#spec;
    const away = Math.round(((r.uniform() - 0.5) * r.uniform() * 2 * price * reach) / 10_000);
    return Math.max(1, price + away + r.below(3) - 1);
  }

  /** One of its open orders, or sometimes an ended one; 0 if it knows none. */
  #someOrder(sim: VenueSim): number {
    const r = this.#spec.random;
    const working = r.below(8) === 0 ? this.#orders : this.#orders.filter((no) => sim.isWorking(no));
    return working[r.below(Math.max(1, working.length))] ?? 0;
  }

  #keep(sim: VenueSim, no: number): void {
    this.#note(sim, no > 0);
    if (no === 0) return;
    this.#orders.push(no);
    if (this.#orders.length > REMEMBERED) this.#orders.shift();
  }

  #note(sim: VenueSim, isDone: boolean): void {
    if (isDone) this.accepted++;
    else this.refusals.set(sim.refusal, (this.refusals.get(sim.refusal) ?? 0) + 1);
  }
}
