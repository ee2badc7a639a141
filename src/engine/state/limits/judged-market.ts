/**
 * The market data that risk rules use. No endpoint shows spot prices, so an unobserved spot instrument uses the futures contract of its
 * symbol. That is accurate enough to catch a mistyped price. Strategies do not see it. @hot
 */
import { tickRatio, type Instrument } from '../../../domain/instrument.ts';
import type { MarketState } from '../../market/market-state.ts';

/** What risk rules need of a market: prices in ticks and their age. */
export type JudgedMarket = Pick<MarketState, 'bid' | 'ask' | 'reference' | 'quoteSeenAt' | 'seenAt' | 'isDoubtful'>;

/** One per instrument: its own market, or for spot one that falls back to the futures contract. */
export function judgedMarkets(instruments: readonly Instrument[], markets: readonly MarketState[]): readonly JudgedMarket[] {
  return instruments.map((one) => judgedMarket(one, instruments, markets)); // hot-ok: construction
}

function judgedMarket(one: Instrument, instruments: readonly Instrument[], markets: readonly MarketState[]): JudgedMarket {
  const own = markets[one.index]!;
  if (one.product !== 'spot') return own;
  const contract = instruments.find((x) => x.product === 'futures' && x.symbol === one.symbol); // hot-ok: construction
  if (contract === undefined) return own;
  return new BorrowedMarket(own, markets[contract.index]!, tickRatio(contract, one)); // hot-ok: construction
}

class BorrowedMarket implements JudgedMarket {
  declare private readonly own: MarketState;
  declare private readonly other: MarketState;
  /** Own ticks per tick of the other market. */
  declare private readonly ratio: number;

  constructor(own: MarketState, other: MarketState, ratio: number) {
    this.own = own;
    this.other = other;
    this.ratio = ratio;
  }

  get #isKnown(): boolean {
    return this.own.seenAt > -Infinity;
  }

  get bid(): number {
    return this.#isKnown ? this.own.bid : this.other.bid * this.ratio;
  }

  get ask(): number {
    return this.#isKnown ? this.own.ask : this.other.ask * this.ratio;
  }

  get reference(): number {
    return this.#isKnown ? this.own.reference : this.other.reference * this.ratio;
  }

  get quoteSeenAt(): number {
    return this.#isKnown ? this.own.quoteSeenAt : this.other.quoteSeenAt;
  }

  get isDoubtful(): boolean {
    return this.#isKnown ? this.own.isDoubtful : this.other.isDoubtful;
  }

  get seenAt(): number {
    return this.#isKnown ? this.own.seenAt : this.other.seenAt;
  }
}
