/**
 * Reads the records about money of a journal in their order, and says whose money it is: of strategies, of netting (leg-book.ts), or external.
 * The parts of a record add up to what the venue booked.
 */
import { writtenDecimals } from '../../../domain/amounts/scale.ts';
import type { FillAnswer } from '../../../control/answers.ts';
import { Decimal } from '../../../domain/amounts/decimal.ts';
import { ONE } from '../../../domain/amounts/units.ts';
import { EXTERNAL, NETTING } from '../../../domain/strategy-name.ts';
import type { JournalRecord } from '../../../ports/store.ts';
import { bookedIn, fillOf, isFill, wordIn } from './fill-answers.ts';
import { FundingTotals, type SavedTotals } from './funding-totals.ts';
import { LegBook, shareOut, type Closes, type SavedLeg, type Taken } from './leg-book.ts';

/** Plain JSON. */
export interface SavedReader {
  readonly totals: SavedTotals;
  readonly legs: readonly (readonly [symbol: string, side: string, leg: SavedLeg])[];
}

export interface MoneyPart {
  /** Name of the strategy, or netting or external. */
  readonly strategy: string;
  readonly profit: Decimal;
  readonly fee: Decimal;
  readonly funding: Decimal;
}

/** What a record says about money. */
export interface Money {
  readonly symbol: string;
  readonly reason: string;
  /** The fill of the record, with its strategy or external; null without one. */
  readonly fill: FillAnswer | null;
  readonly parts: readonly MoneyPart[];
}

const ZERO = new Decimal(0);
const NO_LEG: readonly Taken[] = [];

export function isMoney(record: JournalRecord): boolean {
  return record.kind === 'funding' || record.kind === 'fee' || record.kind === 'leg' || isFill(record);
}

export class MoneyReader {
  readonly #totals: FundingTotals;
  /** By symbol and side. */
  readonly #legs: Map<string, { readonly symbol: string; readonly side: string; readonly book: LegBook }>;

  constructor({ totals, legs }: SavedReader = { totals: [], legs: [] }) {
    this.#totals = new FundingTotals(totals);
    this.#legs = new Map(legs.map(([symbol, side, leg]) => [`${symbol} ${side}`, { symbol, side, book: new LegBook(side, leg) }]));
  }

  saved(): SavedReader {
    return { totals: this.#totals.saved(), legs: [...this.#legs.values()].map(({ symbol, side, book }) => [symbol, side, book.saved()]) };
  }

  /** Every leg that was traded, with its holders. */
  get legs(): readonly { readonly symbol: string; readonly side: string; readonly book: LegBook }[] {
    return [...this.#legs.values()];
  }

  /** Lots of a leg that the holder has, at this side. */
  sizeOf(symbol: string, side: string, holder: string): Decimal {
    return this.#legs.get(`${symbol} ${side}`)?.book.sizeOf(holder) ?? ZERO;
  }

  /** Takes the next record. Null if it moves no money and fills nothing. */
  read(record: JournalRecord): Money | null {
    if (record.kind === 'leg') return this.#begin(record);
    const fill = fillOf(record);
    const { symbol, reason } = fill;
    if (record.kind === 'funding') return { symbol, reason: 'funding', fill: null, parts: this.#funding(record, fill) };
    const booked = bookedIn(record);
    const money = { profit: decimal(booked.profit) ?? ZERO, fee: decimal(booked.fee) ?? ZERO };
    if (record.kind === 'fee') return { symbol, reason, fill: null, parts: this.#late(record, fill, money) };
    const taken = this.#taken(record, fill);
    return {
      symbol,
      reason,
      fill: { ...fill, strategy: fill.strategy || EXTERNAL },
      parts: partsOf(taken, fill.strategy || EXTERNAL, money),
    };
  }

  /** The first that is known of a leg: what no order of this bot opened is external. */
  #begin({ data }: JournalRecord): null {
    const [symbol, side] = [wordIn(data, 'symbol'), data['side'] === 1 ? 'SHORT' : 'LONG'];
    if (this.#legs.has(`${symbol} ${side}`)) return null;
    const { book } = this.#legOf(symbol, side);
    const others = decimal(wordIn(data, 'others'));
    if (others !== null && !others.isZero()) book.opened(EXTERNAL, others, decimal(wordIn(data, 'entry')));
    return null;
  }

  /** Changes the leg by a fill. Empty if it is of no leg, as one of a spot order. */
  #taken(record: JournalRecord, fill: FillAnswer): readonly Taken[] {
    const { symbol, side, effect, strategy } = fill;
    const [size, price] = [decimal(fill.size), decimal(fill.price)];
    if (size === null || size.isZero() || !isLeg(side) || effect === '') return NO_LEG;
    const { book } = this.#legOf(symbol, side);
    if (effect !== 'CLOSE') return book.opened(strategy || EXTERNAL, size, price, decimal(wordIn(record.data, 'entry')));
    if (strategy !== '') return book.closed(strategy, size, price);
    return book.closedFor(closesOf(record), size, price, writtenDecimals(fill.size));
  }

  /** Fee and profit that the venue booked for an order, shown apart from its fills. */
  #late(record: JournalRecord, { symbol, side, strategy }: FillAnswer, money: Booked): readonly MoneyPart[] {
    if (strategy !== '' || !isLeg(side)) return partsOf(NO_LEG, strategy || EXTERNAL, money);
    const { book } = this.#legOf(symbol, side);
    const isOwn = Number(record.data['order']) > 0;
    const holders = isOwn ? book.owners() : book.lastClosed();
    return partsOf(
      holders.map((one) => ({ ...one, moved: ZERO })),
      EXTERNAL,
      money,
    );
  }

  /** Funding follows the lots. */
  #funding(record: JournalRecord, { symbol, side }: FillAnswer): readonly MoneyPart[] {
    const funding = new Decimal(this.#totals.paid(record)).dividedBy(ONE);
    const weights = this.#legOf(symbol, side).book.weights();
    const shares = weights.length === 0 ? [{ holder: EXTERNAL, size: funding }] : shareOut(funding, weights);
    return shares.map(({ holder, size }) => ({ strategy: holder, profit: ZERO, fee: ZERO, funding: size }));
  }

  #legOf(symbol: string, side: string): { readonly book: LegBook } {
    const key = `${symbol} ${side}`;
    let leg = this.#legs.get(key);
    if (leg === undefined) this.#legs.set(key, (leg = { symbol, side, book: new LegBook(side) }));
    return leg;
  }
}

interface Booked {
  readonly profit: Decimal;
  readonly fee: Decimal;
}

/** Shares booked money out by lots, and adds what the holders' own costs move; what is of no leg is the strategy's. */
function partsOf(taken: readonly Taken[], strategy: string, { profit, fee }: Booked): readonly MoneyPart[] {
  if (taken.length === 0) return [{ strategy, profit, fee, funding: ZERO }];
  const [profits, fees] = [shareOut(profit, taken), shareOut(fee, taken)];
  const parts = taken.map(({ holder, moved }, k): MoneyPart => {
    return { strategy: holder, profit: profits[k]!.size.plus(moved), fee: fees[k]!.size, funding: ZERO };
  });
  const moved = taken.reduce((sum, one) => sum.plus(one.moved), ZERO);
  return moved.isZero() ? parts : [...parts, { strategy: NETTING, profit: moved.negated(), fee: ZERO, funding: ZERO }];
}

function closesOf({ kind, data }: JournalRecord): Closes {
  if (data['what'] === 'liquidation') return 'all-alike';
  return kind === 'external' ? 'others-first' : 'own-first';
}

export function isLeg(side: string): boolean {
  return side === 'LONG' || side === 'SHORT';
}

function decimal(text: string): Decimal | null {
  return text === '' ? null : new Decimal(text);
}
