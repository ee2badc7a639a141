/** Runs simulator and model side by side: each step is applied to both, and then everything visible must be equal. */
import { emptyCommand, type Command } from '../../src/domain/orders/command.ts';
import { createInstrument, type Instrument, type InstrumentSpec } from '../../src/domain/instrument.ts';
import { QuietBand, quietQuotes } from '../../src/engine/strategy/rows.ts';
import type { VenueSim } from '../../src/sim/core/venue-core.ts';
import type { SimSnapshot, SimSpec } from '../../src/sim/state/types.ts';
import { compareLedgerLines, compareVenues, same, LedgerText } from './compare.ts';
import { computedAt } from './venue/market.ts';
import { units } from './venue/money.ts';
import { EchoedVenue } from './fills-only.ts';
import { accountFigures, freeCoins, legWorth, lotsOf } from './venue/figures.ts';
import type { Scenario, Step, What } from './scenario.ts';
import { ModelVenue } from './venue/venue.ts';
import { leftOf } from './venue/world.ts';

/** Grids on which a tick times a lot is a few units of 10^-8, so that every rounding shows. */
const FIRST: InstrumentSpec = {
  symbol: 'AAAUSDT',
  product: 'futures',
  baseCoin: 'AAA',
  quoteCoin: 'USDT',
  tickSize: '0.01',
  lotSize: '0.000007',
  minSize: '0.000007',
  maxSize: '0.00028',
  makerFeeRate: '0.00021373',
  takerFeeRate: '0.00057119',
  maxLeverage: 20,
  maintenanceRate: '0.00513',
};
const SECOND: InstrumentSpec = {
  ...FIRST,
  symbol: 'BBBUSDT',
  baseCoin: 'BBB',
  tickSize: '0.05',
  lotSize: '0.00003',
  minSize: '0.00009',
  maxSize: '0.1',
  minNotional: '0.0005',
  maxLeverage: 50,
  fundingRate: '0.00712345',
};
const THIRD: InstrumentSpec = {
  ...FIRST,
  product: 'spot',
  lotSize: '0.00002',
  minSize: '0.00004',
  maxSize: '0.01',
  minNotional: '0.0001',
  makerFeeRate: '0.00101',
  takerFeeRate: '0.00137',
};
const MID = 100;
/** Ticks by which an offer rises at most at once. */
const RISE = 60;

/** Positions on this grid are worth about a thousandth of a coin. */
const TIERED = {
  maxLeverage: undefined,
  maintenanceRate: undefined,
  tiers: [
    { upTo: '0.0001', maintenanceRate: '0.0051', maxLeverage: 20 },
    { upTo: '0.0004', maintenanceRate: '0.0423', maxLeverage: 10 },
    { maintenanceRate: '0.0956', maxLeverage: 7 },
  ],
};

function instrumentsFor({ rebate, isTiered }: Pick<Scenario, 'rebate' | 'isTiered'>): Instrument[] {
  const maker = rebate ? { makerFeeRate: '-0.00011117' } : {};
  return [FIRST, SECOND, THIRD].map((spec, index) => createInstrument({ ...spec, ...maker, ...(isTiered ? TIERED : {}) }, index));
}

/** Short funding intervals, so that a short sequence contains many. */
function fundingFor({ funding }: Scenario): SimSpec['funding'] {
  if (funding === 'none') return null;
  return {
    model: funding === 'premium' ? 'premium' : 'constant',
    everyMs: 2_000,
    rate: funding === 'negative' ? '-0.0031' : '0.0017',
  };
}

function specFor(scenario: Scenario): SimSpec {
  const { fillModel, leverage, ownLeverage, historyLimit, keepTrades, wealth, crossing, bracketsBy, modify, blockedExits, bracketSide } =
    scenario;
  const accounts = wealth.map((rich, k) => ({
    name: `account-${k}`,
    futures: (rich * 0.00017).toFixed(8),
    spot: { USDT: (rich * 0.00031).toFixed(8), AAA: (rich * 0.0001).toFixed(8) },
    leverage: ownLeverage && k === 0 ? { AAAUSDT: { long: 13, short: 3 } } : undefined,
  }));
  const instruments = instrumentsFor(scenario);
  const funding = fundingFor(scenario);
  return {
    instruments,
    accounts,
    fillModel,
    leverage,
    historyLimit,
    keepTrades,
    crossing,
    funding,
    bracketsBy,
    modify,
    blockedExits,
    bracketSide,
  };
}

class Duel {
  readonly spec: SimSpec;
  readonly teller = new LedgerText();
  readonly model: ModelVenue;
  readonly counts = new Map<string, number>();
  sim: EchoedVenue;
  #time = 10_000;
  #id = 0;
  #tag = 0;
  #told = 0;
  readonly #mids: number[];
  readonly #numbers: number[] = [];
  readonly #hasBook: boolean;
  readonly #isStormy: boolean;
  readonly #does: Record<What, (step: Step) => void> = {
    quote: (step) => this.#quote(step),
    trade: (step) => this.#trade(step),
    burst: (step) => this.#burst(step),
    place: (step) => this.#place(step),
    plan: (step) => this.#plan(step),
    modify: (step) => this.#modify(step),
    cancel: (step) => this.#cancel(step),
    mode: (step) => this.#mode(step),
    margin: (step) => this.#margin(step),
    pass: (step) => this.#pass(step),
    jump: (step) => this.#jump(step),
    operator: (step) => this.#operator(step),
    restore: () => this.#restore(),
  };

  constructor(scenario: Scenario) {
    this.spec = specFor(scenario);
    this.sim = new EchoedVenue(this.spec, this.teller);
    this.model = new ModelVenue(this.spec);
    this.#mids = this.spec.instruments.map(() => MID);
    this.#hasBook = scenario.hasBook;
    this.#isStormy = scenario.isStormy;
    if (scenario.isOpen) this.#open();
  }

  /** Opens a market before the first step. */
  #open(): void {
    for (const { index } of this.spec.instruments) {
      for (const venue of [this.sim, this.model]) {
        if (this.#hasBook) venue.quote(index, MID - 1, 9, MID + 1, 9, this.#time);
        venue.trade(index, MID, 1, 0, this.#time, this.#id + 1);
      }
      this.#id++;
    }
  }

  /** @throws Divergence if the two differ after the step */
  step(step: Step): void {
    this.#time += step.after;
    const isLeap = this.#isStormy && step.what === 'trade' && step.amount % 3 === 0;
    this.#does[isLeap ? 'jump' : step.what](step);
    this.compare();
  }

  #quote(step: Step): void {
    if (!this.#hasBook) return this.#trade(step);
    const { instrument: i, spread, size, otherSize, recent, amount } = step;
    const offset = amount % 2 === 0 ? 0 : Math.abs(amount) > 560 ? step.offset * 3 : step.offset;
    const mid = (this.#mids[i] = Math.max(20, this.#mids[i]! + offset));
    const [bid, ask] = recent === 7 ? (spread < 2 ? [0, mid + 1] : [mid - 1, 0]) : [mid - (spread >> 1), mid + spread];
    this.sim.quote(i, bid, size, ask, otherSize, this.#time);
    this.model.quote(i, bid, size, ask, otherSize, this.#time);
  }

  /** A trade near the mid price or, mostly, at the touch with a matching aggressor. */
  #trade({ instrument: i, offset, size, side, recent }: Step): void {
    this.#id++;
    const touch = this.#touch(i, side === 1);
    const price = recent < 5 && touch > 0 ? touch : this.#mids[i]! + offset;
    this.sim.trade(i, price, size, side, this.#time, this.#id);
    this.model.trade(i, price, size, side, this.#time, this.#id);
    if (!this.#hasBook) this.#mids[i] = Math.max(20, this.#mids[i]! + Math.sign(offset));
  }

  /** The best bid or ask; 0 if there is none. */
  #touch(i: number, isBid: boolean): number {
    const { book } = this.model.world.markets[i]!;
    return book === null ? 0 : isBid ? book.bid : book.ask;
  }

  /** Bulk rows, as in a backtest: the simulator gets only the last quiet one, the model gets all. */
  #burst({ instrument: i, offset, size, otherSize, side, spread, recent, account, amount }: Step): void {
    const rows = 4;
    const mid = this.#mids[i]!;
    const path = (amount % 2 === 0 ? [-1, -1, -1, 0] : [0, Math.sign(offset), offset, recent - 3]).map((d) => Math.max(5, mid + d));
    const time = Float64Array.from(path, (_, k) => this.#time + k * (account === 0 ? 1 : 300));
    const isQuotes = this.#hasBook && side === 0;
    const price = Int32Array.from(path);
    const ask = price.map((p) => p + spread);
    const sizes = [size, otherSize, 1, size];
    const line = this.sim.marketOf(i);
    const calm = new QuietBand();
    for (let k = 0; k < rows; k++) {
      const isKept = this.spec.keepTrades > 0;
      let quiet = k;
      calm.set(line.watchLow, line.watchHigh, this.sim.nextDue);
      // Same as in the backtest driver: while a side is depleted, every row may restore it.
      if (!line.isDepleted && (isQuotes || !isKept)) quiet = quietQuotes({ time, bid: price, ask: isQuotes ? ask : price }, k, rows, calm);
      const next = quiet > k ? quiet - 1 : k;
      for (; k <= next; k++) {
        if (isQuotes) this.model.quote(i, price[k]!, sizes[k]!, ask[k]!, size + k, time[k]!);
        else this.model.trade(i, price[k]!, size, side, time[k]!, this.#id + k + 1);
      }
      k = next;
      if (isQuotes) this.sim.quote(i, price[k]!, sizes[k]!, ask[k]!, size + k, time[k]!);
      else if (quiet > next) this.sim.passed(i, price[k]!);
      else this.sim.trade(i, price[k]!, size, side, time[k]!, this.#id + k + 1);
    }
    this.#id += rows;
    this.#time = time[rows - 1]!;
  }

  #place(step: Step): void {
    const c = this.#command(step);
    const isSpot = this.spec.instruments[step.instrument]!.product === 'spot' && step.recent > 0;
    const call = isSpot ? 'placeSpot' : 'place';
    // Sometimes both accounts act the same way.
    for (const account of step.amount % 4 === 0 ? [0, 1] : [step.account]) {
      this.#tag++;
      const no = this.sim[call](account, c, this.#tag, this.#time);
      this.#answered(step.what, no, this.model[call](account, c, this.#tag, this.#time));
      if (no > 0) this.#numbers.push(no);
    }
    if (isSpot && c.type === 1 && c.side === 0 && this.#hasBook) this.#raise();
  }

  /** The offer rises so far that the account of the newest order, a market buy, pays for what is left of it, but not for the fee as well. */
  #raise(): void {
    const w = this.model.world;
    const order = w.live.at(-1);
    if (order === undefined || order.kind !== 'spot' || !order.isMarket) return;
    const { account, instrument: i } = order;
    const left = leftOf(order);
    const free = freeCoins(w, account, 'USDT');
    const from = this.#touch(i, false);
    if (from === 0) return;
    for (let ask = from + 1; ask < from + RISE; ask++) {
      const lots = Math.min(
        left,
        free
          .div(w.value(i, ask, 1))
          .floor()
          .toNumber(),
      );
      const value = w.value(i, ask, lots);
      if (lots === 0 || value.plus(w.fee(i, value, true)).lte(free)) continue;
      this.#mids[i] = ask - 1;
      for (const venue of [this.sim, this.model]) venue.quote(i, ask - 2, 9, ask, lots + 1, this.#time);
      return;
    }
  }

  #plan(step: Step): void {
    const c = this.#command(step);
    c.effect = 0;
    c.trigger = step.recent === 0 ? 0 : this.#mids[step.instrument]! + step.spread * (step.otherSize > 6 ? 1 : -1);
    c.triggerBy = step.otherSize % 2;
    this.#tag++;
    const no = this.sim.placeTrigger(step.account, c, this.#tag, this.#time);
    this.#answered(step.what, no, this.model.placeTrigger(step.account, c, this.#tag, this.#time));
    if (no > 0) this.#numbers.push(no);
  }

  #modify(step: Step): void {
    const no = this.#recent(step);
    const was = this.model.world.orders[no - 1];
    const c = emptyCommand();
    const mid = this.#mids[was?.instrument ?? 0]!;
    if (step.side === 0) c.price = mid + step.offset;
    if (step.isClose) c.size = step.size;
    c.takeProfit = step.exits[0] === 0 ? 0 : mid + step.exits[0];
    c.stopLoss = step.exits[2] === 0 ? 0 : mid - step.exits[2];
    const account = this.#ownerOf(step, no);
    this.#tag++;
    const next = this.sim.modify(account, no, c, this.#tag, this.#time);
    this.#answered(step.what, next, this.model.modify(account, no, c, this.#tag, this.#time));
    if (next > 0) this.#numbers.push(next);
  }

  #cancel(step: Step): void {
    const no = this.#recent(step);
    const account = this.#ownerOf(step, no);
    const isSpot = this.model.world.orders[no - 1]?.kind === 'spot';
    const call = isSpot === step.size < 12 ? 'cancelSpot' : 'cancel';
    this.#answered(step.what, this.sim[call](account, no, this.#time), this.model[call](account, no, this.#time));
  }

  #mode({ account, instrument, isIsolated }: Step): void {
    const mode = isIsolated ? 0 : 1;
    this.#answered(
      'mode',
      this.sim.setMarginMode(account, instrument, mode, this.#time),
      this.model.setMarginMode(account, instrument, mode, this.#time),
    );
  }

  /** Adjusts the margin of an isolated position, if there is one and the step does not select another. */
  #margin(step: Step): void {
    const { legs, isIsolated } = this.model.world;
    const own = (leg: (typeof legs)[number]): boolean => this.#lots(leg) > 0 && isIsolated[leg.account]![leg.instrument]!;
    const { account, instrument, side } = (step.recent > 0 ? legs.find(own) : undefined) ?? step;
    const money = step.size < 5 ? this.#spare(account, instrument, side, step) : step.amount * (step.size > 9 ? 1_001 : 11);
    this.#answered(
      'margin',
      this.sim.adjustMargin(account, instrument, side, money, this.#time),
      this.model.adjustMargin(account, instrument, side, money, this.#time),
    );
  }

  /**
   * The largest amount that may be added or removed, or a unit more; with or without the position's loss, as a wrong venue would compute
   * it.
   */
  #spare(account: number, i: number, side: number, { amount, offset, isClose }: Step): number {
    const w = this.model.world;
    const { margin, entryValue, unrealised } = legWorth(w, w.leg(account, i, side));
    if (amount > 0) return units(accountFigures(w, account)[isClose ? 'movable' : 'available']) + Math.sign(offset);
    const kept = isClose
      ? w.margin({ account, instrument: i, side }, entryValue)
      : w.margin({ account, instrument: i, side }, entryValue).minus(unrealised);
    return Math.min(-1, units(kept.minus(margin)) + Math.sign(offset));
  }

  /** A deposit, a withdrawal, or a liquidation by the venue. */
  #operator({ account, instrument, side, size, amount, recent }: Step): void {
    const what = recent < 2 ? 'liquidate' : 'deposit';
    const ask = (venue: VenueSim | ModelVenue): boolean => {
      if (what === 'liquidate') return venue.liquidate(account, instrument % 2, side, this.#time);
      return venue.deposit(account, recent < 5, size > 10 ? 'AAA' : 'USDT', amount * 37);
    };
    this.#answered(what, ask(this.sim), ask(this.model));
  }

  /** Book and last price jump, and the venue checks positions: this causes liquidations. */
  #jump(step: Step): void {
    const { instrument: i, amount, size } = step;
    this.#mids[i] = Math.max(20, this.#mids[i]! + Math.trunc(amount / (size > 6 ? 15 : 60)));
    this.#quote({ ...step, amount: 0, offset: 0, recent: 0 });
    this.#trade({ ...step, offset: 0, size: 1 });
    this.#pass({ ...step, size: 4 });
  }

  #pass({ size, amount }: Step): void {
    this.#time += amount > 450 ? size * 5_000 : size * 250;
    this.sim.advance(this.#time);
    this.model.advance(this.#time);
  }

  /** Saves the simulator as JSON and restores it into a new one, which continues. */
  #restore(): void {
    const saved = JSON.parse(JSON.stringify(this.sim.snapshot())) as SimSnapshot;
    const next = new EchoedVenue(this.spec, this.teller);
    this.teller.told.length = this.#told;
    next.restore(saved);
    this.sim = next;
  }

  /** Number of occurrences of each event. */
  seen(): Map<string, number> {
    const seen = new Map(this.counts);
    const note = (what: string): unknown => seen.set(what, (seen.get(what) ?? 0) + 1);
    for (const line of this.model.world.told) {
      const [kind, , , , reason] = line.split(' ');
      if (kind === 'cash') note(reason!);
      if (kind === 'step') note(line.split(' ')[3]!);
      if (kind === 'ended') note(line.replace(/ \d+/, ''));
      if (kind === 'fill') note(line.includes('taker') ? 'taker fill' : 'maker fill');
    }
    for (const order of this.model.world.orders) {
      if (order.fills.length > 1) note('partial fill');
      const parent = this.model.world.orders[order.parent - 1];
      if (order.isByVenue && parent !== undefined) note(parent.kind === 'plan' ? 'plan fired' : 'exit fired');
    }
    return seen;
  }

  /** @throws Divergence | AssertionError */
  compare(): void {
    this.#told = compareLedgerLines(this.teller.told, this.model, this.#told);
    compareVenues(this.sim, this.model);
    this.sim.compareQuiet();
  }

  #answered(what: string, ours: number | boolean, theirs: number | boolean): void {
    const refusal = (answer: number | boolean, why: string): string => (answer === 0 || answer === false ? why : '');
    same(`answer to ${what}`, `${ours} ${refusal(ours, this.sim.refusal)}`, `${theirs} ${refusal(theirs, this.model.refusal)}`);
    const word = refusal(theirs, this.model.refusal) || 'done';
    this.counts.set(`${what} ${word}`, (this.counts.get(`${what} ${word}`) ?? 0) + 1);
  }

  #command(step: Step): Command {
    const mid = this.#mids[step.instrument]!;
    const c = emptyCommand();
    const up = step.side === 0 ? 1 : -1;
    const [tp, tpl, sl, sll] = step.exits;
    c.instrument = step.instrument;
    c.side = step.side;
    c.effect = step.isClose && (step.recent === 0 || this.#lots(step) > 0) ? 1 : 0;
    c.type = step.type === 1 ? 1 : 0;
    c.force = step.type === 2 ? 1 : 0;
    c.size = step.size === 12 ? 41 : step.size > 8 ? 3 * step.size : step.size;
    const touch = this.#touch(step.instrument, c.side === c.effect);
    c.price = step.type === 1 ? 0 : step.otherSize % 3 === 0 && touch > 0 ? touch : mid + step.offset;
    c.marginMode = this.model.world.isIsolated[step.account]![step.instrument]! === step.recent > 0 ? 1 : 0;
    c.takeProfit = tp === 0 ? 0 : mid + up * tp;
    c.takeProfitLimit = tpl === 0 ? 0 : mid + up * (tpl - 2);
    c.stopLoss = sl === 0 ? 0 : mid - up * sl;
    c.stopLossLimit = sll === 0 ? 0 : mid - up * (sll + 1);
    if (step.amount % (this.#isStormy ? 2 : 5) === 0 && c.effect === 0) c.size = this.#affordable(step, c);
    return c;
  }

  /** Lots that the available money just suffices for, or one more, for a cross or an isolated order. */
  #affordable({ account, instrument, side, offset, isIsolated }: Step, c: Command): number {
    const w = this.model.world;
    const price = computedAt(w, { instrument, isBuy: side === 0, isMarket: c.type === 1, price: c.price });
    const value = w.value(instrument, Math.max(1, price), 1);
    const isSpot = instrument === 2;
    const usable = isSpot ? freeCoins(w, account, 'USDT') : accountFigures(w, account)[isIsolated ? 'movable' : 'available'];
    const lot = isSpot ? value.plus(w.fee(instrument, value, true)) : value.div(w.leverage(account, instrument, side));
    return Math.max(1, usable.div(lot).floor().toNumber() + (offset > 0 ? 1 : 0));
  }

  /** Number of an order: an open one, or sometimes one of the latest accepted; 1 if there is none. */
  #recent({ recent, amount }: Step): number {
    const { live } = this.model.world;
    if (live.length > 0 && amount % 8 !== 0) return live[recent % live.length]!.no;
    return this.#numbers[Math.max(0, this.#numbers.length - 1 - recent)] ?? 1;
  }

  #lots({ account, instrument, side }: Pick<Step, 'account' | 'instrument' | 'side'>): number {
    return lotsOf(this.model.world, account, instrument, side);
  }

  #ownerOf(step: Step, no: number): number {
    return step.otherSize === 12 ? step.account : (this.model.world.orders[no - 1]?.account ?? step.account);
  }
}

/** Plays all steps. @throws Divergence at the first step after which the two differ */
export function play(scenario: Scenario): Duel {
  const duel = new Duel(scenario);
  duel.compare();
  for (const step of scenario.steps) duel.step(step);
  return duel;
}
