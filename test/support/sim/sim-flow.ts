/** Seeded order flow of several accounts on a seeded market of two futures and one spot instrument. */
import { Random } from '../../../src/base/random.ts';
import { emptyCommand, type Command } from '../../../src/domain/orders/command.ts';
import { VenueSim } from '../../../src/sim/core/venue-core.ts';
import type { FillModel, SimSnapshot, SimSpec } from '../../../src/sim/state/types.ts';
import { BTC, ETH, instrumentsOf, Recorder, SPOT_BTC, specOf } from './sim-kit.ts';

export interface FlowSpec {
  readonly seed: number;
  readonly fillModel: FillModel;
  /** Default 40. */
  readonly historyLimit?: number;
  /** false: trades only. Default true. */
  readonly hasBook?: boolean;
  /** Tiers, funding every minute of the flow's time, several leverages, more accounts, and an operator. Default false. */
  readonly isRich?: boolean;
  /** True if accounts trade with each other. Default false. */
  readonly crossing?: boolean;
}

/** The calls of a step, so that another venue can repeat them. */
export interface Venueish {
  quote(i: number, bid: number, bidSize: number, ask: number, askSize: number, time: number): void;
  trade(i: number, price: number, size: number, aggressor: number, time: number, id: number): void;
  place(account: number, command: Command, tag: number, time: number): number;
  placeTrigger(account: number, command: Command, tag: number, time: number): number;
  modify(account: number, orderNo: number, command: Command, tag: number, time: number): number;
  cancel(account: number, orderNo: number, time: number): boolean;
  placeSpot(account: number, command: Command, tag: number, time: number): number;
  cancelSpot(account: number, orderNo: number, time: number): boolean;
  setMarginMode(account: number, i: number, mode: number, time: number): boolean;
  adjustMargin(account: number, i: number, side: number, amount: number, time: number): boolean;
}

const ACCOUNTS = [
  { name: 'rich', futures: '1000000', spot: { USDT: '500000', BTC: '10' } },
  { name: 'poor', futures: '300', spot: { USDT: '20', BTC: '0.01' } },
  { name: 'bold', futures: '3000', spot: { USDT: '1000', BTC: '0.5' } },
];

const START = [600_000, 260_000, 6_000_000];

/** Three of each kind of account, one with its own leverages. */
const MANY = [0, 1, 2].flatMap((k) =>
  ACCOUNTS.map((account) => ({
    ...account,
    name: `${account.name}-${k}`,
    ...(k === 1 ? { leverage: { BTCUSDT: { long: 50, short: 5 } } } : {}),
  })),
);

const TIERED = {
  maxLeverage: undefined,
  maintenanceRate: undefined,
  tiers: [
    { upTo: '2000', maintenanceRate: '0.005', maxLeverage: 100 },
    { upTo: '20000', maintenanceRate: '0.01', maxLeverage: 50 },
    { upTo: '400000', maintenanceRate: '0.02', maxLeverage: 25 },
    { maintenanceRate: '0.05', maxLeverage: 10 },
  ],
};

export class RandomFlow {
  readonly accounts: number;
  readonly spec: SimSpec;
  readonly log = new Recorder();
  readonly sim: VenueSim;
  readonly refusals = new Map<string, number>();
  readonly random: Random;
  #time = 1_000_000;
  #id = 0;
  #tag = 0;
  /** Middle of each market in ticks. */
  readonly #mid = [...START];
  readonly #numbers: number[] = [];
  readonly #given: FlowSpec;
  readonly #command = emptyCommand();

  constructor(given: FlowSpec) {
    this.#given = given;
    const { fillModel, historyLimit = 40, crossing = false } = given;
    const { isRich = false } = given;
    const tiers = isRich ? TIERED : {};
    const instruments = instrumentsOf({ ...BTC, maxSize: '3', ...tiers }, { ...ETH, ...tiers }, SPOT_BTC);
    const accounts = isRich ? MANY : ACCOUNTS;
    const terms = { funding: isRich ? ({ model: 'premium', everyMs: 10_000, rate: '0.0013' } as const) : null };
    this.accounts = accounts.length;
    this.spec = specOf(instruments, { accounts, fillModel, historyLimit, leverage: 25, keepTrades: 20, crossing, ...terms });
    this.sim = new VenueSim(this.spec, this.log);
    this.random = new Random(given.seed);
  }

  /** A flow in the same state over a simulator restored from `saved`; its log starts empty. */
  twin(saved: SimSnapshot): RandomFlow {
    const twin = new RandomFlow(this.#given);
    twin.sim.restore(saved);
    twin.#replay(this);
    return twin;
  }

  /** One event: mostly a market row, else a call of an account. */
  step(venue: Venueish = this.sim): void {
    const r = this.random;
    this.#time += r.below(4) === 0 ? r.below(700) : 0;
    const what = r.below(100);
    const i = r.below(3);
    if (what < 30) this.#quote(venue, i);
    else if (what < 55) this.#trade(venue, i);
    else if (what < 78) this.#place(venue, i);
    else if (what < 90) this.#cancel(venue);
    else if (what < 94) this.#modify(venue);
    else if (what < 96) this.#trigger(venue, i);
    else if (what < 99 || this.#given.isRich !== true) this.#margin(venue, i);
    else this.#operate(i);
  }

  /** The time of the last event. */
  get now(): number {
    return this.#time;
  }

  liquidations(): number {
    return this.log.moves.filter((move) => move.why === 'liquidation').length;
  }

  cash(account: number, coin: string): number {
    return this.log.moves.filter((x) => x.account === account && x.coin === coin).reduce((sum, x) => sum + x.amount, 0);
  }

  spotHolding(account: number, coin: string): number {
    const balance = this.sim.balances(account).find((x) => x.coin === coin);
    return (balance?.free ?? 0) + (balance?.locked ?? 0);
  }

  #replay(other: RandomFlow): void {
    this.#time = other.#time;
    this.#id = other.#id;
    this.#tag = other.#tag;
    for (const [k, mid] of other.#mid.entries()) this.#mid[k] = mid;
    this.#numbers.push(...other.#numbers);
    this.random.copy(other.random);
  }

  #quote(venue: Venueish, i: number): void {
    if (this.#given.hasBook === false) return this.#trade(venue, i);
    const r = this.random;
    const jump = r.below(150) === 0 ? 0.2 : 0.00002;
    const moved = Math.round(this.#mid[i]! * (1 + jump * (r.uniform() - 0.5))) + r.below(5) - 2;
    this.#mid[i] = Math.min(Math.max(moved, START[i]! / 2), START[i]! * 2);
    const bid = this.#mid[i];
    const ask = bid + 1 + r.below(3);
    const isOneSided = r.below(200);
    const scale = i === 2 ? 100 : 1;
    venue.quote(
      i,
      isOneSided === 0 ? 0 : bid,
      (1 + r.below(30)) * scale,
      isOneSided === 1 ? 0 : ask,
      (1 + r.below(30)) * scale,
      this.#time,
    );
  }

  #trade(venue: Venueish, i: number): void {
    const r = this.random;
    if (this.#given.hasBook === false) this.#mid[i] = this.#mid[i]! + r.below(7) - 3;
    const price = this.#mid[i]! + r.below(7) - 3;
    venue.trade(i, price, (1 + r.below(25)) * (i === 2 ? 100 : 1), r.below(2), this.#time, ++this.#id);
  }

  #fill(i: number): Command {
    const r = this.random;
    const c = Object.assign(this.#command, emptyCommand());
    c.kind = 1;
    c.instrument = i;
    c.side = r.below(2);
    c.effect = r.below(3) === 0 ? 1 : 0;
    c.type = r.below(5) === 0 ? 1 : 0;
    c.marginMode = r.below(12) === 0 ? 1 : 0;
    c.size = (1 + r.below(30)) * (i === 2 ? 150 : 1) * (r.below(150) === 0 ? 1_000 : 1);
    c.price = c.type === 1 ? 0 : this.#mid[i]! + r.below(13) - 6;
    c.force = r.below(6) === 0 && c.type === 0 ? 1 : 0;
    if (r.below(4) === 0) c.takeProfit = this.#mid[i]! + (c.side === 0 ? 1 : -1) * (2 + r.below(20));
    if (r.below(4) === 0) c.stopLoss = this.#mid[i]! - (c.side === 0 ? 1 : -1) * (2 + r.below(20));
    if (r.below(3) === 0 && c.takeProfit > 0) c.takeProfitLimit = c.takeProfit + r.below(5) - 2;
    return c;
  }

  #place(venue: Venueish, i: number): void {
    const account = this.random.below(this.accounts);
    const command = this.#fill(i);
    if (i === 2) this.#note(venue.placeSpot(account, command, ++this.#tag, this.#time));
    else this.#note(venue.place(account, command, ++this.#tag, this.#time));
  }

  #trigger(venue: Venueish, i: number): void {
    const r = this.random;
    const command = this.#fill(i);
    command.effect = 0;
    command.trigger = this.#mid[i]! + r.below(41) - 20;
    command.triggerBy = r.below(2);
    this.#note(venue.placeTrigger(r.below(this.accounts), command, ++this.#tag, this.#time));
  }

  #cancel(venue: Venueish): void {
    const no = this.#someOrder();
    const account = this.#ownerOf(no);
    if (this.random.below(20) === 0 || !venue.cancel(account, no, this.#time)) venue.cancelSpot(account, no, this.#time);
  }

  #modify(venue: Venueish): void {
    const r = this.random;
    const no = this.#someOrder();
    const was = this.sim.order(no);
    const c = Object.assign(this.#command, emptyCommand());
    if (r.below(2) === 0) c.price = this.#mid[was?.instrument ?? 0]! + r.below(13) - 6;
    if (r.below(2) === 0) c.size = 1 + r.below(40);
    if (r.below(6) === 0) c.takeProfit = this.#mid[was?.instrument ?? 0]! + 5;
    this.#note(venue.modify(this.#ownerOf(no), no, c, ++this.#tag, this.#time));
  }

  #margin(venue: Venueish, i: number): void {
    const r = this.random;
    const account = r.below(this.accounts);
    if (r.below(2) === 0) this.#count(venue.setMarginMode(account, i, r.below(2), this.#time));
    else this.#count(venue.adjustMargin(account, i, r.below(2), (r.below(200) - 100) * 50_000_000, this.#time));
  }

  /** An operator action: deposits, withdrawals, and a liquidation. */
  #operate(i: number): void {
    const r = this.random;
    const account = r.below(this.accounts);
    const amount = (r.below(200) - 100) * 1_000_000_000;
    if (r.below(4) === 0) this.#count(this.sim.liquidate(account, r.below(2), r.below(2), this.#time));
    else this.#count(this.sim.deposit(account, i === 2, i === 2 && r.below(2) === 0 ? 'BTC' : 'USDT', amount));
  }

  #someOrder(): number {
    const recent = this.#numbers.slice(-60);
    return recent[this.random.below(Math.max(recent.length, 1))] ?? 1;
  }

  #ownerOf(no: number): number {
    return this.random.below(30) === 0 ? 0 : (this.sim.order(no)?.account ?? 0);
  }

  #note(no: number): void {
    if (no > 0) this.#numbers.push(no);
    this.#count(no > 0);
  }

  #count(isDone: boolean): void {
    if (!isDone) this.refusals.set(this.sim.refusal, (this.refusals.get(this.sim.refusal) ?? 0) + 1);
  }
}
