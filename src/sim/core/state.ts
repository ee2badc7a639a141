/** The simulator's state in one place: what the steps in this folder (place, fill, match, trigger, liquidate) work on. */
import { assert } from '../../base/assert.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { Reason } from '../../domain/outcome.ts';
import { parseScaled } from '../../domain/scale.ts';
import { MONEY_DECIMALS } from '../../domain/units.ts';
import type { LedgerSink, SimFill, SimSpec } from '../types.ts';
import { History } from './history.ts';
import { Ledger } from './ledger.ts';
import { Market } from './market.ts';
import { Orders } from './orders.ts';
import { FARTHEST, Resting } from './resting.ts';
import { SpotBalances } from './spot-balances.ts';
import { MarketStats } from './stats.ts';
import { Triggers } from './triggers.ts';

export const TOUCH = 0;
export const THROUGH = 1;
export const QUEUE = 2;
const MODELS = ['touch', 'through', 'queue'] as const;

/** Told at once of what happens to one account's orders, in the same call in which it happens. */
export interface SimTap {
  filled(fill: SimFill): void;
  ended(orderNo: number, tag: number, how: number): void;
}

export class SimState {
  readonly instruments: readonly Instrument[];
  readonly count: number;
  readonly accounts: readonly string[];
  readonly model: number;
  readonly quoteCoin: string;

  /* By instrument. */
  readonly unitValue: Float64Array;
  readonly makerRate: Float64Array;
  readonly takerRate: Float64Array;
  readonly minSize: Float64Array;
  readonly maxSize: Float64Array;
  readonly minNotional: Float64Array;
  readonly leverage: Float64Array;
  readonly maintenanceRate: Float64Array;
  readonly isSpot: Uint8Array;
  /** A trade at or below / at or above these may concern a resting order or a trigger; otherwise it concerns nobody. */
  readonly watchLow: Float64Array;
  readonly watchHigh: Float64Array;
  /** Resting orders that still take. */
  readonly taking: Int32Array;
  /** Resting orders by instrument · 2 + direction. */
  readonly books: readonly Resting[];

  readonly market: Market;
  readonly orders: Orders;
  readonly history: History;
  readonly ledger: Ledger;
  readonly spot: SpotBalances;
  readonly triggers: Triggers;
  readonly stats: MarketStats;

  readonly sink: LedgerSink | null;
  /** By account. */
  readonly taps: (SimTap | null)[];
  readonly fill: SimFill;

  /** Whether market trades are remembered at all. */
  readonly keepsTrades: boolean;

  now = 0;
  lastNo = 0;
  /** When positions and mark triggers are next looked at; Infinity while there are none. */
  nextDue = Infinity;
  refusal: Reason = 'invalid-request';

  constructor(spec: SimSpec, sink: LedgerSink | null) {
    const { instruments } = spec;
    assert(Number.isInteger(spec.leverage) && spec.leverage >= 1, 'leverage is a whole number of at least 1');
    assert(Number.isInteger(spec.historyLimit) && spec.historyLimit >= 0, 'historyLimit is a whole number');
    for (const [k, instrument] of instruments.entries()) assert(instrument.index === k, 'instruments are dense');
    const futures = instruments.filter((x) => x.product === 'futures');
    this.quoteCoin = futures[0]?.quoteCoin ?? 'USDT';
    assert(
      futures.every((x) => x.quoteCoin === this.quoteCoin),
      'futures contracts share one quote coin',
    );
    this.instruments = instruments;
    this.count = instruments.length;
    this.accounts = spec.accounts.map((x) => x.name);
    this.model = MODELS.indexOf(spec.fillModel);
    const column = (read: (x: Instrument) => number): Float64Array => Float64Array.from(instruments, read);
    this.unitValue = column((x) => x.unitValue);
    this.makerRate = column((x) => x.makerFeeRate);
    this.takerRate = column((x) => x.takerFeeRate);
    this.minSize = column((x) => x.minSize);
    this.maxSize = column((x) => x.maxSize);
    this.minNotional = column((x) => x.minNotional);
    this.leverage = column((x) => Math.min(spec.leverage, x.maxLeverage));
    this.maintenanceRate = column((x) => x.maintenanceRate);
    this.isSpot = Uint8Array.from(instruments, (x) => (x.product === 'spot' ? 1 : 0));
    this.watchLow = new Float64Array(this.count);
    this.watchHigh = new Float64Array(this.count).fill(FARTHEST);
    this.taking = new Int32Array(this.count);
    this.market = new Market(this.count);
    const orders = new Orders(64);
    this.orders = orders;
    this.books = Array.from({ length: this.count * 2 }, (_, k) => new Resting(orders, k % 2 === 0));
    this.history = new History(this.orders, spec.accounts.length, spec.historyLimit);
    this.ledger = new Ledger(spec.accounts.length, this.unitValue, this.market);
    this.spot = new SpotBalances(instruments, spec.accounts);
    this.triggers = new Triggers(this.count);
    this.stats = new MarketStats(this.count, spec.keepTrades, spec.keepStats ?? true);
    this.keepsTrades = this.stats.keepStats || this.stats.keepTrades > 0;
    this.sink = sink;
    this.taps = spec.accounts.map(() => null);
    this.fill = {
      fillNo: 0,
      time: 0,
      account: 0,
      orderNo: 0,
      tag: 0,
      instrument: 0,
      side: 0,
      effect: 0,
      price: 0,
      size: 0,
      fee: 0,
      liquidity: 0,
      realised: 0,
    };
    for (const [a, account] of spec.accounts.entries()) this.#deposit(a, account.futures);
    this.spot.announce(sink);
  }

  #deposit(account: number, amount: string): void {
    const money = parseScaled(amount, MONEY_DECIMALS);
    assert(money >= 0, 'a deposit is not negative');
    this.ledger.deposits[account] = money;
    if (money > 0) this.sink?.cash(account, this.quoteCoin, money, 'deposit', 0);
  }
}
