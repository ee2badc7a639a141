/**
 * All that the bot has of one instrument, in one object: its market as seen, both legs, the own orders, and by what orders here are
 * judged. Made once, so that an order takes it once and nothing is looked up by number on its way. @hot
 */
import * as codes from '../../domain/codes.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { RiskLimits } from '../options.ts';
import { judgedMarkets, type JudgedMarket } from '../rules/borrowed-market.ts';
import { mostLots } from '../rules/rule.ts';
import type { Leg } from './leg.ts';
import { MarketState } from './market-state.ts';
import { OrderList } from './order-list.ts';

const { LONG } = codes;

export class Desk {
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
  /** Live orders, how far a limit price may be from the reference as a share of it, and how old a quote may be. */
  declare readonly maxOrders: number;
  declare readonly collar: number;
  declare readonly maxAgeMs: number;
  /** Halts of this instrument: nothing is opened while there is one. Kept by exec/halts.ts. */
  halts = 0;
  /** True while the kernel is armed and no halt can reach an order here. False means: ask exec/standing.ts. */
  isOpen = false;

  constructor(instrument: Instrument, market: MarketState, judged: JudgedMarket, long: Leg, short: Leg, limits: RiskLimits) {
    this.index = instrument.index;
    this.instrument = instrument;
    this.market = market;
    this.judged = judged;
    this.long = long;
    this.short = short;
    this.maxOrder = mostLots(instrument, limits.maxOrderSize ?? {}, instrument.maxSize); // hot-ok: construction
    this.maxPosition = mostLots(instrument, limits.maxPosition ?? {}, Infinity); // hot-ok: construction
    this.maxOrders = limits.maxOpenOrders ?? 50;
    this.collar = limits.priceCollar ?? 0.1;
    this.maxAgeMs = limits.maxQuoteAgeMs ?? 10_000;
  }

  /** The leg of `side`. For a spot order it is of no meaning, but there is one. */
  leg(side: number): Leg {
    return side === LONG ? this.long : this.short;
  }
}

/** By instrument. `legs` are by 2 · instrument + side. @throws ScaleError when a limit is not a decimal */
export function desksOf(instruments: readonly Instrument[], legs: readonly Leg[], limits: RiskLimits): readonly Desk[] {
  const markets = instruments.map(() => new MarketState()); // hot-ok: construction
  const judged = judgedMarkets(instruments, markets);
  return instruments.map((one, i) => new Desk(one, markets[i]!, judged[i]!, legs[2 * i]!, legs[2 * i + 1]!, limits)); // hot-ok: construction
}
