/**
 * All that the bot has of one instrument, in one object: its market as seen, both legs, the own orders, and by what orders here are
 * judged. Made once, so that an order takes it once and nothing is looked up by number on its way. @hot
 */
import * as codes from '../../domain/codes.ts';
import type { Hours } from '../../domain/hours.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { LimitAction, LimitKey, RiskLimits } from '../../domain/limits.ts';
import { judgedMarkets, type JudgedMarket } from './judged-market.ts';
import * as stated from './limits.ts';
import { RateWindow } from './rate-window.ts';
import { RefusalCircuit } from './refusal-circuit.ts';
import type { Leg } from './leg.ts';
import type { MarketState } from '../market/market-state.ts';
import { marketsOf } from './markets.ts';
import { OrderList } from './order-list.ts';

const { LONG } = codes;
const MINUTE_MS = 60_000;
const { hoursOf, lotsLimit, numberOf, statedOf, ValueLimit } = stated;

export class InstrumentContext {
  declare readonly index: number;
  declare readonly instrument: Instrument;
  declare readonly market: MarketState;
  /** The market by which risk judges: its own, or for spot that of the contract of its symbol. */
  declare readonly judged: JudgedMarket;
  declare readonly long: Leg;
  declare readonly short: Leg;
  readonly orders = new OrderList();
  /** Lots: the largest opening order, and the largest leg. */
  declare readonly maxOrder: number;
  readonly maxPosition: number = Infinity;
  /** Money: the largest value of an opening order, and of a leg. −1 while it is a share of an equity that is not known. */
  maxOrderValue = Infinity;
  maxLegValue = Infinity;
  declare readonly maxOrders: number;
  /** Shares: how far a limit price may cross the opposite price, and how far it may lie from the middle. */
  declare readonly collar: number;
  declare readonly maxDistance: number;
  /** Share of the middle: a wider spread opens nothing. */
  declare readonly maxSpread: number;
  declare readonly maxAgeMs: number;
  /** When the last opening orders were, where their number a minute is limited. */
  declare readonly openRate: RateWindow | null;
  /** When opens are allowed, where the symbol states that. */
  declare readonly hours: Hours | null;
  /** How long a loss keeps it from opening, and until when it does. */
  declare readonly cooldownMs: number;
  coolUntil = -Infinity;
  /** What the venue refuses alike. */
  declare readonly circuit: RefusalCircuit;
  /** Least distance of the mark from the liquidation price, as a share; Infinity for no limit. */
  declare readonly liquidationBuffer: number;
  declare readonly liquidationAction: LimitAction;
  declare private readonly orderValue: InstanceType<typeof ValueLimit>;
  declare private readonly legValue: InstanceType<typeof ValueLimit>;
  /** Margin mode of the newest own command that opens or sets it, and the one taken over from the venue for all orders; −1 for none. */
  ownMode = -1;
  adoptedMode = -1;
  /** The own mode before that, and when it was last asked for. */
  private formerMode = -1;
  private formerUntil = -Infinity;
  /** The venue does not know the symbol, or may not: what its lists do not show of it proves nothing. Kept by positions/offline.ts. */
  isOffline = false;
  /** Halts of this instrument: nothing is opened while there is one. Kept by state/halts.ts. */
  halts = 0;
  /** True while the kernel is armed and no halt can reach an order here. False means: ask state/trading-state.ts. */
  isOpen = false;

  constructor(instrument: Instrument, market: MarketState, judged: JudgedMarket, long: Leg, short: Leg, limits: RiskLimits) {
    this.index = instrument.index;
    this.instrument = instrument;
    this.market = market;
    this.judged = judged;
    this.long = long;
    this.short = short;
    const of = (key: LimitKey): string | number => statedOf(limits, key, instrument);
    this.maxOrder = lotsLimit(of('maxOrderSize'), instrument, instrument.maxSize);
    this.maxPosition = lotsLimit(of('maxPosition'), instrument, Infinity);
    this.orderValue = ValueLimit.ofSize(of('maxOrderSize'), of('maxNotionalOrder'), instrument);
    this.legValue = ValueLimit.ofSize(of('maxPosition'), of('maxNotionalPosition'), instrument);
    this.maxOrders = numberOf('maxOpenOrders', of('maxOpenOrders'));
    this.collar = numberOf('priceCollar', of('priceCollar'));
    this.maxDistance = numberOf('maxDistance', of('maxDistance'));
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

  /** True when a limit of value here changes with the equity. */
  get hasShares(): boolean {
    return this.orderValue.isShare || this.legValue.isShare;
  }

  /** The account's equity in money, NaN while it is not known. */
  equityIs(equity: number): void {
    this.orderValue.equityIs(equity);
    this.legValue.equityIs(equity);
    this.maxOrderValue = this.orderValue.money;
    this.maxLegValue = this.legValue.money;
  }

  /** What both legs are worth in money at the market, or at what was paid, if every live opening order fills. */
  get exposure(): number {
    const long = this.long;
    const short = this.short;
    const lots = long.most + long.opening + short.most + short.opening;
    if (lots === 0) return 0;
    const reference = this.judged.reference;
    const price = reference > 0 ? reference : Math.max(long.entry || 0, short.entry || 0);
    return lots * price * this.instrument.unitValue;
  }

  /** The margin mode of an order that closes the leg: that of the position, whatever is `asked`. The venue refuses any other (40013). */
  closeMode(leg: Leg, asked: number): number {
    if (leg.marginMode >= 0) return leg.marginMode;
    if (this.adoptedMode >= 0) return this.adoptedMode;
    return this.ownMode >= 0 ? this.ownMode : asked;
  }

  /** An own command of this margin mode leaves now. */
  useMode(asked: number, now: number): void {
    if (asked === this.ownMode) return;
    this.formerMode = this.ownMode;
    this.formerUntil = now;
    this.ownMode = asked;
  }

  /** True when the account may have this mode by an own command that left at most `withinMs` ago, or by the newest. */
  mayOwnMode(asked: number, now: number, withinMs: number): boolean {
    return asked === this.ownMode || (asked === this.formerMode && now - this.formerUntil <= withinMs);
  }

  /** The leg of `side`. For a spot order it is of no meaning, but there is one. */
  leg(side: number): Leg {
    return side === LONG ? this.long : this.short;
  }
}

/** By instrument. `legs` are by 2 · instrument + side. @throws ScaleError when a limit is not a decimal */
export function contextsOf(
  instruments: readonly Instrument[],
  legs: readonly Leg[],
  limits: RiskLimits,
  isPushed = false,
): readonly InstrumentContext[] {
  const markets = marketsOf(instruments, limits, isPushed);
  const judged = judgedMarkets(instruments, markets);
  return instruments.map((one, i) => new InstrumentContext(one, markets[i]!, judged[i]!, legs[2 * i]!, legs[2 * i + 1]!, limits)); // hot-ok: construction
}
