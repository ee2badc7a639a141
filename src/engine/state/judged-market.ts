/**
 * The market by which an order is judged. No endpoint shows prices of spot, so a spot instrument of which nothing was seen is judged
 * by the futures contract of its symbol: near enough to catch a slipped digit, and as old as what is known. A strategy does not see it. @hot
 */
import { tickRatio, type Instrument } from '../../domain/instrument.ts';
import type { MarketState } from '../market/market-state.ts';

/** What the rules ask of a market: its price in ticks, and how old it is. */
export type JudgedMarket = Pick<MarketState, 'bid' | 'ask' | 'reference' | 'quoteSeenAt' | 'seenAt' | 'isDoubtful'>;

/** By instrument: its own market, or for spot one that borrows from the contract of its symbol. */
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
  /** Ticks of its own in a tick of the other. */
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
