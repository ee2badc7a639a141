/**
 * Computes which strategy made which part of a wallet's result, in integers. A fill belongs to the strategy of its order. Every strategy
 * has a holding of its own in each leg (position side), at its own average cost. A strategy that closes lots which others opened is short
 * against them from that price; when the leg is flat, what is left between them ends at the price of the last fill. A close without a
 * strategy takes the lots of all strategies of the leg in proportion. What is external it takes last if an own order of the bot made it (an
 * operator flattens), and first if not (another party). What nobody holds is external. Funding follows the lots. So for each leg the
 * holdings add up to the position of the venue, and realised + unrealised − fees + funding of all parts to that of the wallet, at every
 * moment.
 */
import * as codes from './codes.ts';
import { Holding } from './holding.ts';
import type { Instrument } from './instrument.ts';
import { mulDivFloor } from './amounts/scale.ts';

const { CLOSE, directionOf, SELL } = codes;

interface AttributionDeps {
  readonly instruments: readonly Instrument[];
  /** Names of the strategies, each once. */
  readonly strategies: readonly string[];
  /** Coin of the wallet: spot markets of other coins are not counted. */
  readonly coin: string;
  /** Price in ticks at which the open lots of an instrument are valued; half ticks are allowed. */
  readonly markOf: (instrument: number) => number;
}

/** The part of one strategy as plain JSON: its holdings by symbol and leg. */
export interface SavedPart {
  readonly name: string;
  readonly fills: number;
  readonly realised: number;
  readonly fees: number;
  readonly funding: number;
  readonly holdings: readonly SavedHolding[];
}

interface SavedHolding {
  /** "BTCUSDT" and LONG, SHORT or 2 for spot. */
  readonly symbol: string;
  readonly leg: number;
  readonly lots: number;
  readonly entryValue: number;
}

/** The part of one strategy, or of nobody. Money, 10⁻⁸. */
class StrategyPart {
  readonly name: string;
  fills = 0;
  realised = 0;
  fees = 0;
  funding = 0;
  /** Net profit at each call of `sample`. */
  readonly nets: number[] = [];

  constructor(name: string) {
    this.name = name;
  }
}

/** Legs of an instrument: LONG, SHORT, and spot. */
export const LEGS = 3;
/** Key of the leg of a spot holding, besides LONG and SHORT. */
export const SPOT = 2;

export class Attribution {
  /** In order of the strategies; the last one is external. */
  readonly parts: readonly StrategyPart[];
  /** Times of the samples. */
  readonly time: number[] = [];
  private readonly deps: AttributionDeps;
  private readonly external: number;
  readonly #numbers = new Map<string, number>();
  /** By LEGS · instrument + leg: the holding of each part; null before its first fill. */
  private readonly legs: (readonly Holding[] | null)[];

  constructor(deps: AttributionDeps) {
    this.deps = deps;
    this.parts = [...deps.strategies, ''].map((name) => new StrategyPart(name));
    this.external = deps.strategies.length;
    this.legs = deps.instruments.flatMap(() => [null, null, null]);
    for (const [k, name] of deps.strategies.entries()) this.#numbers.set(name, k);
  }

  /** Books a fill. `strategy` is "" without one; then `isOwn` says whether an order of the bot made it. */
  filled(
    instrument: number,
    side: number,
    effect: number,
    price: number,
    size: number,
    fee: number,
    strategy: string,
    isOwn = false,
  ): void {
    const { product, quoteCoin } = this.deps.instruments[instrument]!;
    const isSpot = product === 'spot';
    if (isSpot && quoteCoin !== this.deps.coin) return;
    const isSell = (isSpot ? side : directionOf(side, effect)) === SELL;
    const holdings = this.#leg(instrument, isSpot ? SPOT : side);
    const known = this.#numbers.get(strategy);
    if (known !== undefined) this.#take(known, holdings, isSell, price, size, fee);
    else if (isSpot || effect !== CLOSE) this.#take(this.external, holdings, isSell, price, size, fee);
    else this.#close(holdings, isOwn, isSell, price, size, fee);
    if (!isSpot && effect === CLOSE) this.#settle(holdings, price);
  }

  /** The venue paid `amount` of funding to the leg, or took it if negative. That of a leg without known lots is external. */
  funded(instrument: number, side: number, amount: number): void {
    const holdings = this.#leg(instrument, side);
    let lots = 0;
    for (let k = 0; k < holdings.length; k++) lots += holdings[k]!.lots;
    if (lots === 0) {
      this.parts[this.external]!.funding += amount;
      return;
    }
    let before = 0;
    let paid = 0;
    for (let k = 0; k < holdings.length; k++) {
      before += holdings[k]!.lots;
      const until = proportion(amount, before, lots);
      this.parts[k]!.funding += until - paid;
      paid = until;
    }
  }

  unrealised(part: number): number {
    let sum = 0;
    for (let at = 0; at < this.legs.length; at++) {
      const holding = this.legs[at]?.[part];
      if (holding === undefined || holding.lots === 0) continue;
      const mark = this.deps.markOf(Math.floor(at / LEGS));
      // Without a price its unrealised profit is unknown.
      if (mark > 0) sum += holding.unrealised(mark);
    }
    return Math.round(sum);
  }

  net(part: number): number {
    const { realised, fees, funding } = this.parts[part]!;
    return realised + this.unrealised(part) - fees + funding;
  }

  /** Keeps the net profit of every part at this time. */
  sample(time: number): void {
    this.time.push(time);
    for (let k = 0; k < this.parts.length; k++) this.parts[k]!.nets.push(this.net(k));
  }

  saved(): SavedPart[] {
    return this.parts.map(({ name, fills, realised, fees, funding }, k) => {
      const holdings = this.legs.flatMap((held, at): SavedHolding[] => {
        const { symbol } = this.deps.instruments[Math.floor(at / LEGS)]!;
        const { lots = 0, entryValue = 0 } = held?.[k] ?? {};
        return lots === 0 ? [] : [{ symbol, leg: at % LEGS, lots, entryValue }];
      });
      return { name, fills, realised, fees, funding, holdings };
    });
  }

  /** Continues with the parts of an earlier process. What is no longer there, a strategy or a symbol, is left out. */
  restore(saved: readonly SavedPart[]): void {
    for (const { name, holdings, ...sums } of saved) {
      const part = name === '' ? this.external : this.#numbers.get(name);
      if (part === undefined) continue;
      Object.assign(this.parts[part]!, sums);
      for (const { symbol, leg, lots, entryValue } of holdings) {
        const instrument = this.deps.instruments.find((one) => one.symbol === symbol && (one.product === 'spot') === (leg === SPOT));
        if (instrument !== undefined) Object.assign(this.#leg(instrument.index, leg)[part]!, { lots, entryValue });
      }
    }
  }

  #leg(instrument: number, leg: number): readonly Holding[] {
    const at = LEGS * instrument + leg;
    const { unitValue } = this.deps.instruments[instrument]!;
    return (this.legs[at] ??= this.parts.map(() => new Holding(unitValue)));
  }

  #take(part: number, holdings: readonly Holding[], isSell: boolean, price: number, size: number, fee: number): void {
    const book = this.parts[part]!;
    book.fills++;
    book.fees += fee;
    book.realised += holdings[part]!.take(isSell, price, size);
  }

  /** Ends what strategies have against each other in a leg that is flat: their lots add up to none. */
  #settle(holdings: readonly Holding[], price: number): void {
    let lots = 0;
    for (let k = 0; k < holdings.length; k++) lots += holdings[k]!.lots;
    if (lots !== 0) return;
    for (let k = 0; k < holdings.length; k++) {
      const holding = holdings[k]!;
      if (holding.lots !== 0) this.parts[k]!.realised += holding.take(holding.lots > 0, price, Math.abs(holding.lots));
    }
  }

  /** Closes lots of everybody who holds any: those of the strategies together, and the external ones before or after them. */
  #close(holdings: readonly Holding[], isOwn: boolean, isSell: boolean, price: number, size: number, fee: number): void {
    const others = Math.min(size, heldOf(holdings[this.external]!, isSell));
    let own = 0;
    for (let k = 0; k < this.external; k++) own += heldOf(holdings[k]!, isSell);
    const ofOwn = Math.min(own, isOwn ? size : size - others);
    const feeOfOwn = proportion(fee, ofOwn, size);
    if (ofOwn > 0) this.#spread(holdings, isSell, price, ofOwn, feeOfOwn);
    if (size > ofOwn) this.#take(this.external, holdings, isSell, price, size - ofOwn, fee - feeOfOwn);
  }

  /** Closes lots of the strategies in proportion; the parts of lots and fee add up by rounding their running sums. */
  #spread(holdings: readonly Holding[], isSell: boolean, price: number, size: number, fee: number): void {
    let held = 0;
    for (let k = 0; k < this.external; k++) held += heldOf(holdings[k]!, isSell);
    let before = 0;
    let lots = 0;
    let paid = 0;
    for (let k = 0; k < this.external; k++) {
      before += heldOf(holdings[k]!, isSell);
      const lotsUntil = proportion(size, before, held);
      const paidUntil = proportion(fee, lotsUntil, size);
      if (lotsUntil > lots) this.#take(k, holdings, isSell, price, lotsUntil - lots, paidUntil - paid);
      lots = lotsUntil;
      paid = paidUntil;
    }
  }
}

/** Lots that a sell, or a buy, would close. */
function heldOf({ lots }: Holding, isSell: boolean): number {
  return Math.max(0, isSell ? lots : -lots);
}

/** amount · part / whole, rounded towards zero. */
function proportion(amount: number, part: number, whole: number): number {
  const size = mulDivFloor(Math.abs(amount), Math.abs(part), Math.abs(whole));
  const isSameSign = part < 0 === whole < 0;
  return amount < 0 === isSameSign ? -size : size;
}
