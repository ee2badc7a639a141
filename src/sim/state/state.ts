/** The whole state of the simulator. The functions of sim/core (place, fill, match, fire, check) work on it. */
import { assert } from '../../base/failure/assert.ts';
import { NextDeadline } from '../../base/time/next-deadline.ts';
import type { Reason } from '../../domain/orders/outcome.ts';
import type { FeeModel } from '../../domain/models/fees.ts';
import { FILL_MODELS, type FillModel } from '../../domain/models/fill.ts';
import { IMPACT_MODELS, type ImpactModel } from '../../domain/models/impact.ts';
import { parseScaled, pow10 } from '../../domain/amounts/scale.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { MONEY_DECIMALS } from '../../domain/amounts/units.ts';
import type { Leverage } from './terms.ts';
import type { LedgerSink, SimAccountSpec, SimFill, SimSpec } from './types.ts';
import { Account } from './account.ts';
import { fundingOfSpec, type Funding } from './funding-terms.ts';
import { ClearingAccount } from './clearing-account.ts';
import { MarketState } from './market-state.ts';
import { RecordedMarks } from './market/recorded-marks.ts';
import type { Order } from './order.ts';
import { OrderPool } from './order-pool.ts';

export class SimState {
  readonly markets: readonly MarketState[];
  readonly accounts: readonly Account[];
  readonly orders = new OrderPool();
  clearing: ClearingAccount;
  /** null if no funding is paid. */
  readonly funding: Funding | null;
  /** The rules of the fill model, as fields because the matcher reads them for every row. */
  readonly fillsAtTouch: boolean;
  readonly needsBeyond: boolean;
  readonly hasQueue: boolean;
  readonly cancelledAhead: FillModel['cancelledAhead'];
  /** Impact models by instrument; null if orders move no price. */
  readonly impact: readonly ImpactModel[] | null;
  /** Fee rates by account; null for the rates of the instruments. */
  fees: readonly FeeModel[] | null;
  /** Quote coin of all futures. */
  readonly coin: string;
  /** Spot coins: those of the instruments and of the deposits, in order of first occurrence. */
  readonly coins: readonly string[];
  readonly historyLimit: number;
  readonly keepTrades: number;
  readonly keepStats: boolean;
  /** True if recent market trades are kept. */
  readonly keepsTrades: boolean;
  /** True if accounts trade with each other. */
  readonly isCrossing: boolean;
  /** True if modify cancels the old order first, so that a refused modify leaves none. */
  readonly cancelsToModify: boolean;
  /** True if a fired bracket cancels the CLOSE orders that hold its lots. */
  readonly bracketsReplaceCloses: boolean;
  /** Most open orders of an account on a symbol; 0 for any number. */
  readonly openOrders: number;
  /** True if a bracket on the wrong side of its entry is refused. */
  readonly checksBracketSide: boolean;
  /** Receives fills and actions of the venue. The ledger (the same object or null) also receives orders, ends and cash. */
  sink: LedgerSink | null;
  ledger: LedgerSink | null;
  /** True if a new order needs more than resting: there is a ledger, or accounts trade with each other. */
  readonly isObserved: boolean;
  readonly fill: SimFill;

  now = 0.5;
  lastNo = 0;
  /** Grows at the open and at the end of every bar in which something of ours can happen. */
  barsPlayed = 0;
  /** Record of the order that was created last. */
  made: Order | null = null;
  /** Margin of the OPEN order that was allowed last, … */
  margin = 0.5;
  /** … and the price from which it was computed. */
  computed = 0;
  /** Number of trigger orders that watch the mark. Snapshots store it under this name. */
  markPlans = 0;
  /** Time of the next check of positions and mark triggers; Infinity while there are none. */
  nextDue = Infinity;
  /** Receives `nextDue` when it becomes earlier. */
  nextDeadline = new NextDeadline();
  /** Time of the last check, and the next funding time. Only valid while `nextDue` is finite. */
  lookedAt = 0.5;
  nextFunding = 0.5;
  refusal: Reason = 'invalid-request';
  /** The orders made by a try of a bar, which ends without a trace (core/bar-trial.ts); null outside of one. */
  trial: Order[] | null = null;

  /** @throws AssertionError | ScaleError if the spec is invalid */
  constructor(spec: SimSpec, sink: LedgerSink | null) {
    const { instruments, accounts } = spec;
    assert(Number.isInteger(spec.leverage) && spec.leverage >= 1, 'leverage is a whole number of at least 1');
    assert(Number.isInteger(spec.historyLimit) && spec.historyLimit >= 0, 'historyLimit is a whole number');
    for (const [k, instrument] of instruments.entries()) assert(instrument.index === k, 'instruments are dense');
    const futures = instruments.filter((x) => x.product === 'futures');
    const coin = futures[0]?.quoteCoin ?? 'USDT';
    assert(
      futures.every((x) => x.quoteCoin === coin),
      'futures contracts share one quote coin',
    );
    this.coin = coin;
    const traded = instruments.filter((x) => x.product === 'spot').flatMap((x) => [x.baseCoin, x.quoteCoin]);
    this.coins = [...new Set([...traded, ...accounts.flatMap((x) => Object.keys(x.spot))])];
    this.clearing = new ClearingAccount(this.coins.length);
    const { fillsAtTouch, needsBeyond, hasQueue, cancelledAhead } = FILL_MODELS[spec.fillModel];
    this.fillsAtTouch = fillsAtTouch;
    this.needsBeyond = needsBeyond;
    this.hasQueue = hasQueue;
    this.cancelledAhead = cancelledAhead;
    this.impact = impactsOf(spec);
    const fees = accounts.map(() => spec.fees?.() ?? null).filter((model) => model !== null);
    this.fees = fees.length === 0 ? null : fees;
    this.historyLimit = spec.historyLimit;
    this.keepTrades = spec.keepTrades;
    this.keepStats = spec.keepStats ?? true;
    this.keepsTrades = this.keepStats || this.keepTrades > 0;
    this.isCrossing = spec.crossing === true;
    this.cancelsToModify = spec.modify === 'cancel-first';
    this.bracketsReplaceCloses = spec.blockedExits === 'replace';
    this.checksBracketSide = spec.bracketSide !== 'any';
    this.openOrders = spec.openOrders ?? 0;
    this.sink = sink;
    this.ledger = sink === null || sink.wantsFillsAlone === true ? null : sink;
    this.isObserved = this.ledger !== null || this.isCrossing;
    this.funding = spec.funding === undefined || spec.funding === null ? null : fundingOfSpec(spec.funding);
    this.markets = instruments.map((x) => {
      const isSpot = x.product === 'spot';
      const rules = {
        bracketsByMark: spec.bracketsBy === 'mark',
        fundingRate: x.fundingRate ?? this.funding?.rate ?? 0,
        baseCoin: isSpot ? this.coins.indexOf(x.baseCoin) : -1,
        quoteCoin: isSpot ? this.coins.indexOf(x.quoteCoin) : -1,
        coinUnit: isSpot ? x.lotStep * pow10(MONEY_DECIMALS - x.sizeDecimals) : 0,
      };
      return new MarketState(x, rules, this);
    });
    for (const { instrument, time, ticks } of spec.marks ?? []) this.markets[instrument]!.marks = new RecordedMarks(time, ticks);
    if (spec.noSlowMid === true) for (const market of this.markets) market.hasSlowMid = false;
    for (const { buys, sells } of this.markets) buys.followsLevel = sells.followsLevel = cancelledAhead !== null;
    this.accounts = accounts.map((x, index) => {
      const leverages = instruments.map((instrument) => leverageOf(spec.leverage, x, instrument));
      return new Account({
        index,
        name: x.name,
        deposits: deposit(x.futures),
        markets: this.markets,
        leverages,
        coins: this.coins.length,
      });
    });
    // Non-integers, so that V8 stores the fields as doubles from the start.
    this.fill = {
      fillNo: 0,
      time: 0.5,
      account: 0,
      orderNo: 0,
      tag: 0,
      instrument: 0,
      side: 0,
      effect: 0,
      price: 0,
      size: 0,
      fee: 0.5,
      liquidity: 0,
      realised: 0.5,
    };
    for (const [k, account] of this.accounts.entries()) this.#announce(account, accounts[k]!.spot);
  }

  /** Stores the reason of a refusal and returns 0. */
  refuse(reason: Reason): 0 {
    this.refusal = reason;
    return 0;
  }

  /** Stores the reason of a refusal and returns false. */
  deny(reason: Reason): false {
    this.refusal = reason;
    return false;
  }

  #announce(account: Account, spot: Readonly<Record<string, string>>): void {
    if (account.deposits > 0) this.ledger?.cash(account.index, this.coin, account.deposits, 'deposit', 0, 'futures');
    for (const [coin, amount] of Object.entries(spot)) {
      const units = deposit(amount);
      account.free[this.coins.indexOf(coin)] = units;
      account.spotDeposits[this.coins.indexOf(coin)] = units;
      if (units > 0) this.ledger?.cash(account.index, coin, units, 'deposit', 0, 'spot');
    }
  }
}

/** Leverage of both legs: the account's for the symbol, else the common one, at most that of the instrument. */
function leverageOf(common: number, account: SimAccountSpec, { symbol, maxLeverage }: Instrument): Leverage {
  const { long, short } = account.leverage?.[symbol] ?? { long: common, short: common };
  for (const one of [long, short]) assert(Number.isInteger(one) && one >= 1, 'leverage is a whole number of at least 1');
  return { long: Math.min(long, maxLeverage), short: Math.min(short, maxLeverage) };
}

function deposit(amount: string): number {
  const units = parseScaled(amount, MONEY_DECIMALS);
  assert(units >= 0, 'a deposit is not negative');
  return units;
}

function impactsOf({ impact, instruments }: SimSpec): readonly ImpactModel[] | null {
  if (impact === undefined) return null;
  const models = instruments.map(({ symbol }) => IMPACT_MODELS[impact.model].make(impact.bySymbol?.[symbol] ?? impact));
  return models.every((model) => model !== null) ? models : null;
}
