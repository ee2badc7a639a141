/**
 * Loss limits: daily loss, drawdown from the high, losses in a row, minimum equity, distance to liquidation. A limit raises a halt with its
 * own code. Counters are journaled, so a restart keeps them. Backtests and live use the same code. Equity is the account as last read.
 * Profit comes from order records, less fees. If the venue pushes fills, it is computed from the average entry price.
 * size: each limit with what it counts
 */
import { assert } from '../../base/failure/assert.ts';
import { DAY_MS } from '../../base/time/time-spans.ts';
import type { LossCounter } from '../state/account/limit-counters.ts';
import { CLOSE, LONG, SIDES } from '../../domain/codes.ts';
import { feeOf, formatMoneyShort, tradedName } from '../../domain/instrument.ts';
import type { LimitAction, LimitKey } from '../../domain/limits.ts';
import type { Timer } from '../../base/time/timer-queue.ts';
import type { InstrumentContext } from '../state/records/instrument-context.ts';
import type { Leg } from '../state/records/leg.ts';
import type { Order } from '../state/records/order.ts';
import type { AccountFigures } from '../state/account/account-figures.ts';
import type { TotalValue } from '../state/account/total-value.ts';
import type { InternalEvents } from '../state/internal-events.ts';
import type { Core } from '../state/core.ts';
import type { Orders } from '../state/orders/orders.ts';
import type { Halts } from '../state/halts.ts';
import type { FillSource } from '../state/fill-source.ts';
import type { HaltScope } from '../state/halts.ts';
import type { Owner } from '../state/records/owner.ts';
import type { SavedHalt } from '../../domain/messages/saved-halt.ts';
import { botScope, strategyScope, symbolScope, type LossScope, type SavedLosses } from './loss-scope.ts';
import { statedForAll, ValueLimit, type LimitOptions } from '../state/limits/limits.ts';

/** The shared state that this file uses. */
interface LossesCore extends Core {
  readonly orders: Orders;
  readonly contexts: readonly InstrumentContext[];
  readonly halts: Halts;
  readonly fills: FillSource;
  readonly owners: readonly Owner[];
}

/** How often the account is checked if its figures come by function call, in milliseconds. */
const LOOK_MS = 1_000;
/** A change of the equity by this share is journaled at once; a smaller one with the next snapshot. */
const NOTABLE = 0.0005;
const BOT: HaltScope = { kind: 'bot' };

/** How near a limit of a scope is. */
export interface LimitLevel {
  readonly scope: HaltScope;
  readonly key: LimitKey;
  /** In money, or a count. */
  readonly value: number;
  readonly limit: number;
  readonly isMoney: boolean;
  readonly action: LimitAction;
}

/** What limits report beyond the halts that they raise. */
export type LimitEvents = Pick<InternalEvents, 'limitExceeded'>;

interface LossesDeps {
  readonly core: LossesCore;
  readonly total: TotalValue;
  readonly figures: AccountFigures;
  readonly events: LimitEvents;
}

export class Losses implements Timer, LossCounter {
  /** True if fills must be counted and the account checked. */
  readonly isOn: boolean;
  readonly #core: LossesCore;
  readonly #total: TotalValue;
  readonly #figures: AccountFigures;
  readonly #events: LimitEvents;
  readonly #bot: LossScope;
  /** By instrument and by strategy; null without a limit. */
  readonly #symbols: readonly (LossScope | null)[];
  readonly #strategies: readonly (LossScope | null)[];
  readonly #drawdown: ValueLimit;
  readonly #drawdownAction: LimitAction;
  readonly #floor: ValueLimit;
  readonly #floorAction: LimitAction;
  readonly #hasFills: boolean;
  readonly #hasEquity: boolean;
  readonly #hasBuffer: boolean;
  /** By leg: profit less fees that the open position has realised. */
  readonly #open: Float64Array;
  /** By number of an order whose record may still change: the money already counted. */
  readonly #booked = new Map<number, number>();
  readonly #alarm: number;
  #day = -1;
  #dayStart = Number.NaN;
  #high = Number.NaN;
  #equity = Number.NaN;
  /** The high when the equity last jumped up, possibly by a deposit. */
  #leap = Number.NaN;
  /** The equity as last journaled. */
  #savedEquity = 0;

  constructor({ core, total, figures, events }: LossesDeps, options: LimitOptions) {
    this.#core = core;
    this.#total = total;
    this.#figures = figures;
    this.#events = events;
    const { risk, instruments } = options;
    const coin = instruments[0]!.quoteCoin;
    const all = (key: LimitKey): string | number => statedForAll(risk, key);
    this.#bot = botScope(options);
    this.#symbols = instruments.map((one) => symbolScope(options, one));
    this.#strategies = core.owners.map(({ name, index }) => strategyScope(options, name, index));
    this.#drawdown = new ValueLimit([all('maxDrawdown')], coin);
    this.#drawdownAction = all('maxDrawdownAction') as LimitAction;
    this.#floor = new ValueLimit([all('minEquity')], coin);
    this.#floorAction = all('minEquityAction') as LimitAction;
    this.#open = new Float64Array(2 * instruments.length);
    this.#hasEquity = this.#bot.dailyLoss.isStated || this.#drawdown.isStated || this.#floor.isStated;
    this.#hasFills =
      this.#bot.mostLosses !== Infinity ||
      [...this.#symbols, ...this.#strategies].some((one) => one !== null) ||
      core.contexts.some((context) => context.cooldownMs !== Infinity);
    this.#hasBuffer = core.contexts.some((context) => context.liquidationBuffer !== Infinity);
    this.isOn = this.#hasEquity || this.#hasFills || this.#hasBuffer;
    this.#alarm = this.isOn ? core.timerQueue.add(this) : -1;
    core.halts.onEnd.push((halt, by) => this.#lifted(halt, by));
  }

  /** The kernel is armed. If the account's figures come by function call, a timer checks them. */
  begin(): void {
    if (this.isOn && this.#figures.pushed !== null) this.#core.timerQueue.set(this.#alarm, this.#core.now + LOOK_MS);
  }

  /** Bars end, and no handler has heard of them: the limits look first, so nothing is opened beyond one. */
  barsEnd(now: number): void {
    if (this.isOn && this.#core.timerQueue.at(this.#alarm) <= now) this.due(now);
  }

  due(now: number): void {
    const { contexts } = this.#core;
    const { pushed } = this.#figures;
    const total = this.#total;
    if (pushed !== null) {
      if (this.#hasEquity || total.hasShares) {
        for (const equity of pushed.passed?.() ?? []) this.equityIs(equity);
        this.equityIs(pushed.equity());
      }
      if (this.#hasBuffer) {
        for (const context of contexts) {
          for (const { side, markPrice, liquidationPrice } of pushed.positions(context.index)) {
            const leg = context.leg(side);
            leg.mark = markPrice;
            leg.liquidation = liquidationPrice > 0 ? liquidationPrice : Number.NaN;
          }
          this.legsRead(context);
        }
      }
    }
    this.#core.timerQueue.set(this.#alarm, now + LOOK_MS);
  }

  /** The account was read: `equity` in money. */
  equityIs(equity: number): void {
    if (!this.isOn) return;
    this.#turnDay(equity);
    const before = this.#equity;
    const isFirst = Number.isNaN(before);
    this.#equity = equity;
    if (equity - before > before * NOTABLE) this.#leap = this.#high;
    if (!(this.#high >= equity)) this.#high = equity;
    if (isFirst || Math.abs(equity - this.#savedEquity) > equity * NOTABLE) this.#write();
    const lost = this.#dayStart - equity;
    this.#bot.dailyLoss.equityIs(this.#dayStart);
    if (lost > 0 && lost >= this.#bot.dailyLoss.money) this.#dailyLoss(this.#bot, lost);
    this.#drawdown.equityIs(this.#high);
    const fallen = this.#high - equity;
    if (fallen > 0 && fallen >= this.#drawdown.money) {
      const detail = `the equity fell by ${shown(fallen)} from its high of ${shown(this.#high)}, the limit is ${shown(this.#drawdown.money)}`;
      this.#trip(BOT, 'drawdown', detail, this.#drawdownAction);
    }
    if (this.#floor.isStated && equity < this.#floor.money) {
      this.#trip(BOT, 'min-equity', `the equity is ${shown(equity)}, the limit is ${shown(this.#floor.money)}`, this.#floorAction);
    }
  }

  /** A fill of `lots` at `price` ticks (0: unknown) is about to change the leg. `owner` is the strategy, or none. */
  filled(leg: Leg, effect: number, lots: number, price: number, owner: Owner, isMaker: boolean): void {
    if (!this.#hasFills) return;
    const context = this.#core.contexts[leg.index >> 1]!;
    const { instrument, judged } = context;
    this.#turnDay(this.#equity);
    // Records are read in any order, so the entry price may differ from the venue's. Profit is taken from the record instead.
    if (this.#core.fills.readsOrders) return this.#count(context, leg, owner, 0, effect === CLOSE && lots >= leg.total);
    const at = price > 0 ? price : judged.reference;
    const closed = effect === CLOSE ? Math.min(lots, leg.total) : 0;
    const gain = (leg.index & 1) === LONG ? at - leg.entry : leg.entry - at;
    const profit = closed > 0 && leg.entry > 0 ? Math.floor(gain * closed * instrument.unitValue) : 0;
    const value = Math.round(lots * at * instrument.unitValue);
    const result = profit - feeOf(value, isMaker ? instrument.makerFeeRate : instrument.takerFeeRate);
    this.#count(context, leg, owner, result, effect === CLOSE && lots >= leg.total);
  }

  /** The record of the order shows that its fills earned `total` so far: profit less fees, in money. */
  booked({ context, leg, owner, seq }: Order, total: number): void {
    if (!this.#hasFills || !this.#core.fills.readsOrders) return;
    this.#turnDay(this.#equity);
    const result = total - (this.#booked.get(seq) ?? 0);
    this.#booked.set(seq, total);
    if (result !== 0) this.#count(context, leg, owner, result, false);
  }

  /** The fills of the order are final. */
  settled(seq: number): void {
    this.#booked.delete(seq);
  }

  /**
   * `lots` of the leg were closed without an own order: by a bracket of `owner`, or by another party. The leg has been updated. `price` in
   * ticks is 0 if unknown; `profit` is profit less fees, NaN if no record shows it.
   */
  closedExternally(leg: Leg, lots: number, price: number, profit: number, owner: Owner): void {
    if (!this.#hasFills) return;
    const context = this.#core.contexts[leg.index >> 1]!;
    const { instrument, judged } = context;
    this.#turnDay(this.#equity);
    const at = price > 0 ? price : judged.reference;
    const entry = leg.entry > 0 ? leg.entry : leg.lastEntry;
    const gain = (leg.index & 1) === LONG ? at - entry : entry - at;
    const worked = entry > 0 ? Math.floor(gain * lots * instrument.unitValue) : 0;
    const fee = feeOf(Math.round(lots * at * instrument.unitValue), instrument.takerFeeRate);
    this.#count(context, leg, owner, Number.isNaN(profit) ? worked - fee : profit, leg.total === 0);
  }

  /** The positions of the instrument were read: checks the distance to liquidation. */
  legsRead(context: InstrumentContext): void {
    if (context.liquidationBuffer === Infinity) return;
    for (const side of [0, 1]) {
      const leg = context.leg(side);
      const scope: HaltScope = { kind: 'leg', instrument: context.index, side };
      const share = leg.toLiquidation;
      if (share < context.liquidationBuffer) {
        const detail = `the mark price ${leg.mark} is ${(share * 100).toFixed(2)} % from the liquidation price ${leg.liquidation}`;
        this.#trip(scope, 'liquidation-buffer', detail, context.liquidationAction);
      } else if (this.#core.halts.find(scope, 'liquidation-buffer') !== null) {
        this.#core.halts.lift(scope, 'liquidation-buffer', 'the liquidation price is far enough away', 'bot');
      }
    }
  }

  /** A deposit arrived: it must not reduce a loss counted before. Withdrawals count as losses. */
  deposited(amount: number): void {
    if (!this.#hasEquity) return;
    assert(amount > 0, 'a deposit is above zero', amount);
    this.#dayStart += amount;
    // The high from before the deposit was part of the equity.
    this.#high = Math.max(this.#high, (Number.isNaN(this.#leap) ? this.#high : this.#leap) + amount);
    this.#leap = Number.NaN;
    this.#write();
    this.equityIs(this.#equity);
  }

  /** An operator ended this halt: its counter restarts, or it would halt again at once. */
  #lifted({ scope, code }: SavedHalt, by: string): void {
    if (!this.isOn || by === 'bot') return;
    const scopes = [this.#bot, ...this.#symbols, ...this.#strategies].filter((one) => one !== null);
    const found = scopes.find((one) => this.#core.halts.text(one.scope) === scope);
    if (code === 'drawdown') this.#high = this.#equity;
    if (code === 'daily-loss' && found !== undefined) {
      found.realised = 0;
      if (found === this.#bot) this.#dayStart = this.#equity;
    }
    if (code === 'consecutive-losses' && found !== undefined) found.streak = 0;
    this.#write();
  }

  saved(): SavedLosses | undefined {
    if (!this.isOn) return undefined;
    const { contexts, halts } = this.#core;
    const scopes = [this.#bot, ...this.#symbols, ...this.#strategies].filter((one) => one !== null);
    const open = contexts.flatMap(({ instrument, index }) =>
      SIDES.map((side, k) => [`${tradedName(instrument)} ${side}`, this.#open[2 * index + k]!] as const).filter(([, money]) => money !== 0),
    );
    return {
      day: this.#day,
      dayStart: known(this.#dayStart),
      high: known(this.#high),
      equity: known(this.#equity),
      scopes: Object.fromEntries(scopes.map((one) => [halts.text(one.scope), one.saved()])),
      open: Object.fromEntries(open),
      booked: [...this.#booked],
      cool: Object.fromEntries(
        contexts.filter((context) => context.coolUntil > 0).map((context) => [tradedName(context.instrument), context.coolUntil]),
      ),
    };
  }

  restore({ day, dayStart, high, equity, scopes, open, booked, cool }: SavedLosses): void {
    const { contexts, halts } = this.#core;
    for (const [seq, money] of booked ?? []) if (this.#core.orders.find(seq) !== null) this.#booked.set(seq, money);
    this.#day = day;
    this.#dayStart = dayStart ?? Number.NaN;
    this.#high = high ?? Number.NaN;
    this.#equity = equity ?? Number.NaN;
    this.#savedEquity = equity ?? 0;
    for (const one of [this.#bot, ...this.#symbols, ...this.#strategies]) {
      const saved = one === null ? undefined : scopes[halts.text(one.scope)];
      if (saved !== undefined) one?.restore(saved);
    }
    for (const { instrument, index } of contexts) {
      for (const [k, side] of SIDES.entries()) this.#open[2 * index + k] = open[`${tradedName(instrument)} ${side}`] ?? 0;
      contexts[index]!.coolUntil = cool[tradedName(instrument)] ?? 0;
    }
  }

  /** How near each limit of a loss is: money, or a number of losses in a row. NaN: not known. */
  levels(): LimitLevel[] {
    const levels: LimitLevel[] = [];
    const equityLevel = (key: LimitKey, limit: ValueLimit, value: number, action: LimitAction): void => {
      if (limit.isStated) levels.push({ scope: BOT, key, value, limit: limit.money < 0 ? Number.NaN : limit.money, isMoney: true, action });
    };
    equityLevel('maxDrawdown', this.#drawdown, this.#high - this.#equity, this.#drawdownAction);
    equityLevel('minEquity', this.#floor, this.#equity, this.#floorAction);
    for (const one of [this.#bot, ...this.#symbols, ...this.#strategies]) {
      if (one === null) continue;
      const { scope, dailyLoss, mostLosses, streak } = one;
      if (dailyLoss.isStated) {
        const lost = one === this.#bot ? this.#dayStart - this.#equity : -one.realised;
        const limit = dailyLoss.money < 0 ? Number.NaN : dailyLoss.money;
        levels.push({ scope, key: 'maxDailyLoss', value: Math.max(0, lost), limit, isMoney: true, action: one.dailyLossAction });
      }
      if (mostLosses !== Infinity)
        levels.push({ scope, key: 'maxConsecutiveLosses', value: streak, limit: mostLosses, isMoney: false, action: one.lossesAction });
    }
    return levels;
  }

  *#scopes(context: InstrumentContext, owner: Owner): Generator<LossScope> {
    yield this.#bot;
    const symbol = this.#symbols[context.index];
    if (symbol) yield symbol;
    const strategy = this.#strategies[owner.index];
    if (strategy) yield strategy;
  }

  /** The leg realised `result`; `isFlat` if it is flat afterwards. */
  #count(context: InstrumentContext, leg: Leg, owner: Owner, result: number, isFlat: boolean): void {
    assert(!Number.isNaN(result), 'money that limits count is a number', result, 'leg', leg.index);
    this.#open[leg.index]! += result;
    for (const scope of this.#scopes(context, owner)) this.#realised(scope, result);
    if (isFlat) this.#flat(context, leg, owner);
    this.#write();
  }

  #realised(scope: LossScope, result: number): void {
    scope.realised += result;
    if (scope === this.#bot || !scope.dailyLoss.isStated) return;
    scope.dailyLoss.equityIs(this.#dayStart);
    const limit = scope.dailyLoss.money;
    if (limit >= 0 && scope.realised < 0 && -scope.realised >= limit) this.#dailyLoss(scope, -scope.realised);
  }

  /** The leg becomes flat: its position was a profit or a loss. */
  #flat(context: InstrumentContext, leg: Leg, owner: Owner): void {
    const { now } = this.#core;
    const isLoss = this.#open[leg.index]! < 0;
    this.#open[leg.index] = 0;
    if (isLoss && context.cooldownMs !== Infinity) context.coolUntil = now + context.cooldownMs;
    for (const scope of this.#scopes(context, owner)) {
      scope.streak = isLoss ? scope.streak + 1 : 0;
      assert(scope.streak >= 0, 'losses in a row are at least 0', scope.streak, 'strategy', owner.name);
      if (scope.streak < scope.mostLosses) continue;
      const until = scope.haltForMs === Infinity ? undefined : now + scope.haltForMs;
      const detail = `${scope.streak} positions in a row were closed at a loss, the limit is ${scope.mostLosses}`;
      this.#trip(scope.scope, 'consecutive-losses', detail, scope.lossesAction, until);
      if (until !== undefined) scope.streak = 0;
    }
  }

  #dailyLoss(scope: LossScope, lost: number): void {
    const detail = `${shown(lost)} lost since 0:00 UTC, the limit is ${shown(scope.dailyLoss.money)}`;
    this.#trip(scope.scope, 'daily-loss', detail, scope.dailyLossAction, (this.#day + 1) * DAY_MS);
  }

  #trip(scope: HaltScope, code: string, detail: string, action: LimitAction, until?: number): void {
    assert(scope.kind === 'bot' || code !== 'drawdown', 'a drawdown is that of the bot', scope.kind);
    const isNew = this.#core.halts.raise({ scope, code, detail, by: 'bot', ...(until === undefined ? {} : { until }) });
    if (isNew && action !== 'halt-opens') this.#events.limitExceeded(action, scope, code);
  }

  /** Starts a new day with the last equity of the day before. A clock that goes back starts no day. */
  #turnDay(equity: number): void {
    const day = Math.floor(this.#core.now / DAY_MS);
    if (day === this.#day || (this.#day >= 0 && day < this.#day)) {
      if (Number.isNaN(this.#dayStart)) this.#dayStart = equity;
      // The clock was far ahead and has been corrected: the day continues under its right number.
      if (day < this.#day - 1) this.#day = day;
      return;
    }
    this.#day = day;
    this.#dayStart = Number.isNaN(this.#equity) ? equity : this.#equity;
    for (const scope of [this.#bot, ...this.#symbols, ...this.#strategies]) if (scope !== null) scope.realised = 0;
    this.#write();
  }

  #write(): void {
    this.#savedEquity = this.#equity;
    this.#core.journal.note('losses', { ...this.saved() }, this.#core.now);
  }
}

function known(money: number): number | null {
  return Number.isNaN(money) ? null : money;
}

function shown(money: number): string {
  return formatMoneyShort(Math.round(money));
}
