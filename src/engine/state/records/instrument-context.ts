/**
 * All state of one instrument in one object: observed market, both legs, own orders, and the limits that more than one rule reads. Created
 * once, so that the order path needs no lookups by index. @hot
 */
import * as codes from '../../../domain/codes.ts';
import type { Hours } from '../../../domain/time/hours.ts';
import type { Instrument } from '../../../domain/instrument.ts';
import type { LimitAction, LimitKey, RiskLimits } from '../../../domain/limits.ts';
import { modeAsked, NO_MODE } from './own-mode.ts';
import { judgedMarkets, type JudgedMarket } from '../limits/judged-market.ts';
import * as stated from '../limits/limits.ts';
import { RateWindow } from '../limits/rate-window.ts';
import { RefusalCircuit } from '../limits/refusal-circuit.ts';
import type { Leg } from './leg.ts';
import type { MarketState } from '../../market/market-state.ts';
import { marketsOf } from '../limits/markets.ts';
import { OrderList } from './order-list.ts';
import { FeeRates } from './fee-rates.ts';

const { LONG } = codes;
const MINUTE_MS = 60_000;
const { hoursOf, numberOf, statedOf, ValueLimit } = stated;

export class InstrumentContext {
  declare readonly index: number;
  declare readonly instrument: Instrument;
  declare readonly market: MarketState;
  /** The market that risk rules use: its own, or for unobserved spot that of the futures contract of the same symbol. */
  declare readonly judged: JudgedMarket;
  declare readonly long: Leg;
  declare readonly short: Leg;
  readonly orders = new OrderList();
  /** Fee rates that filled orders have shown. */
  declare readonly feeRates: FeeRates;
  /** Money: largest value of an opening order, and of a leg. −1 while it is a share of an unknown equity. */
  maxOrderValue = Infinity;
  maxLegValue = Infinity;
  /** Widest spread that allows opens, as a share of the mid price. */
  declare readonly maxSpread: number;
  declare readonly maxAgeMs: number;
  /** Times of the last opening orders; null if their rate is not limited. */
  declare readonly openRate: RateWindow | null;
  /** Hours in which opens are allowed; null for always. */
  declare readonly hours: Hours | null;
  /** How long a loss blocks opens, in milliseconds, and the time until which it does now. */
  declare readonly cooldownMs: number;
  coolUntil = -Infinity;
  /** Counts identical refusals of the venue in a row. */
  declare readonly circuit: RefusalCircuit;
  /** Counts closes in a row that the venue refused because it does not know the symbol. Only a flattening waits for it. */
  readonly closeCircuit = new RefusalCircuit(1);
  /** Smallest allowed distance of the mark price from the liquidation price, as a share; Infinity for no limit. */
  declare readonly liquidationBuffer: number;
  declare readonly liquidationAction: LimitAction;
  declare private readonly orderValue: InstanceType<typeof ValueLimit>;
  declare private readonly legValue: InstanceType<typeof ValueLimit>;
  /** Margin mode that own commands ask for. */
  own = NO_MODE;
  /** Mode adopted from the venue for all orders; −1 for none. */
  adoptedMode = -1;
  /**
   * True while the venue does not know the symbol, or may not: its absence from a list proves nothing then. Set by positions/offline.ts.
   */
  isOffline = false;
  /** Number of halts of this instrument; opens need 0. Counted by state/halts.ts. */
  halts = 0;
  /** True while the kernel is armed and no halt covers any order here. If false, ask state/trading-state.ts. */
  isOpen = false;

  constructor(instrument: Instrument, market: MarketState, judged: JudgedMarket, long: Leg, short: Leg, limits: RiskLimits) {
    this.index = instrument.index;
    this.instrument = instrument;
    this.feeRates = new FeeRates(instrument);
    this.market = market;
    this.judged = judged;
    this.long = long;
    this.short = short;
    const of = (key: LimitKey): string | number => statedOf(limits, key, instrument);
    this.orderValue = ValueLimit.ofSize(of('maxOrderSize'), of('maxNotionalOrder'), instrument);
    this.legValue = ValueLimit.ofSize(of('maxPosition'), of('maxNotionalPosition'), instrument);
    this.maxSpread = numberOf('maxSpread', of('maxSpread'));
    this.hours = hoursOf(of('tradingHours'));
    this.cooldownMs = numberOf('cooldownAfterLoss', of('cooldownAfterLoss'));
    const opens = numberOf('maxOrdersPerMinute', of('maxOrdersPerMinute'));
    this.openRate = opens === Infinity ? null : new RateWindow(opens, MINUTE_MS);
    this.circuit = new RefusalCircuit(numberOf('maxSameRefusals', of('maxSameRefusals')));
    this.liquidationBuffer = numberOf('liquidationBuffer', of('liquidationBuffer'));
    this.liquidationAction = of('liquidationBufferAction') as LimitAction;
    this.maxAgeMs = numberOf('staleAfterMs', of('staleAfterMs'));
    this.equityIs(Number.NaN);
  }

  /** True if a value limit here depends on the equity. */
  get hasShares(): boolean {
    return this.orderValue.isShare || this.legValue.isShare;
  }

  /** Sets the account's equity in money; NaN if unknown. */
  equityIs(equity: number): void {
    this.orderValue.equityIs(equity);
    this.legValue.equityIs(equity);
    this.maxOrderValue = this.orderValue.money;
    this.maxLegValue = this.legValue.money;
  }

  /**
   * Value of both legs in money if every live opening order fills, at the market price or else the entry price. Infinity if neither is known:
   * after a start, an order of an earlier process may be known before the first quote.
   */
  get exposure(): number {
    const long = this.long;
    const short = this.short;
    const lots = long.maxLots + long.opening + short.maxLots + short.opening;
    if (lots === 0) return 0;
    const reference = this.judged.reference;
    const price = reference > 0 ? reference : Math.max(long.entry || 0, short.entry || 0) || Infinity;
    return lots * price * this.instrument.unitValue;
  }

  /**
   * Margin mode for an order that closes the leg: that of the position, whatever `asked` says. The venue refuses any other (code 40013).
   */
  closeMode(leg: Leg, asked: number): number {
    if (leg.marginMode >= 0) return leg.marginMode;
    if (this.adoptedMode >= 0) return this.adoptedMode;
    return this.own.asked >= 0 ? this.own.asked : asked;
  }

  /** An own command with this margin mode leaves now. */
  useMode(asked: number, now: number): void {
    this.own = modeAsked(this.own, asked, now);
  }

  /** The leg of `side`. Spot orders get a leg too, but it has no meaning. */
  leg(side: number): Leg {
    return side === LONG ? this.long : this.short;
  }
}

/** One context per instrument. `legs` is indexed by 2 · instrument + side. @throws ScaleError if a limit is not a decimal */
export function contextsOf(
  instruments: readonly Instrument[],
  legs: readonly Leg[],
  limits: RiskLimits,
  isRealTime = false,
): readonly InstrumentContext[] {
  const markets = marketsOf(instruments, limits, isRealTime);
  const judged = judgedMarkets(instruments, markets);
  return instruments.map((one, i) => new InstrumentContext(one, markets[i]!, judged[i]!, legs[2 * i]!, legs[2 * i + 1]!, limits)); // hot-ok: construction
}
