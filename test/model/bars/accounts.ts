/** The account of the bar twin: legs, fees and margins in whole units of 10⁻⁸. Plain and slow, without a line of the simulator. */
import type { Instrument } from '../../../src/domain/instrument.ts';

export const LONG = 0;

export interface TwinLeg {
  lots: number;
  /** Sum of opened values less what closes released. */
  entry: bigint;
}

export interface TwinFill {
  readonly time: number;
  readonly symbol: number;
  readonly side: number;
  readonly isOpen: boolean;
  readonly price: number;
  readonly lots: number;
  readonly fee: bigint;
  readonly isTaker: boolean;
  /** Number of the order; 0 for one of the venue. */
  readonly ref: number;
}

const RATE = 100_000_000n;

/** Divides and rounds up; `b` is positive. */
const ceilDiv = (a: bigint, b: bigint): bigint => (a > 0n ? (a + b - 1n) / b : a / b);

export class TwinAccount {
  readonly instruments: readonly Instrument[];
  readonly leverage: bigint;
  wallet: bigint;
  fees = 0n;
  funding = 0n;
  realised = 0n;
  /** By symbol: LONG, SHORT. */
  legs: TwinLeg[][];
  /** By symbol; 0 before its first bar. */
  marks: number[];

  constructor(instruments: readonly Instrument[], deposit: bigint, leverage: number) {
    this.instruments = instruments;
    this.leverage = BigInt(leverage);
    this.wallet = deposit;
    this.legs = instruments.map(() => [0, 1].map(() => ({ lots: 0, entry: 0n })));
    this.marks = instruments.map(() => 0);
  }

  copy(): TwinAccount {
    const other = new TwinAccount(this.instruments, this.wallet, Number(this.leverage));
    other.fees = this.fees;
    other.funding = this.funding;
    other.realised = this.realised;
    other.legs = this.legs.map((sides) => sides.map((leg) => ({ ...leg })));
    other.marks = [...this.marks];
    return other;
  }

  value(symbol: number, price: number, lots: number): bigint {
    return BigInt(price) * BigInt(lots) * BigInt(this.instruments[symbol]!.unitValue);
  }

  unrealised(symbol: number, side: number): bigint {
    const { lots, entry } = this.legs[symbol]![side]!;
    const worth = this.value(symbol, this.marks[symbol]!, lots);
    return side === LONG ? worth - entry : entry - worth;
  }

  equity(): bigint {
    let sum = this.wallet;
    for (let s = 0; s < this.legs.length; s++) sum += this.unrealised(s, 0) + this.unrealised(s, 1);
    return sum;
  }

  maintenance(symbol: number, side: number): bigint {
    const worth = this.value(symbol, this.marks[symbol]!, this.legs[symbol]![side]!.lots);
    let deduction = 0n;
    const { tiers } = this.instruments[symbol]!;
    for (const [k, { upTo, rate }] of tiers.entries()) {
      if (upTo === Infinity || worth <= BigInt(upTo)) return ceilDiv(worth * BigInt(rate), RATE) - deduction;
      deduction += (BigInt(upTo) * BigInt(tiers[k + 1]!.rate - rate)) / RATE;
    }
    return 0n;
  }

  /** True if the equity covers what all legs need no more. */
  isExhausted(): boolean {
    if (this.legs.every((sides) => sides.every(({ lots }) => lots === 0))) return false;
    let needed = 0n;
    for (let s = 0; s < this.legs.length; s++) needed += this.maintenance(s, 0) + this.maintenance(s, 1);
    return this.equity() <= needed;
  }

  marginOf(value: bigint): bigint {
    return ceilDiv(value, this.leverage);
  }

  /** What an opening order may use, if orders hold `held`. */
  available(held: bigint): bigint {
    let used = held;
    for (const leg of this.legs.flat()) used += this.marginOf(leg.entry);
    return this.equity() - used;
  }

  /** Books a fill and returns its fee. */
  fill(symbol: number, side: number, isOpen: boolean, price: number, lots: number, isTaker: boolean): bigint {
    const leg = this.legs[symbol]![side]!;
    const { makerFeeRate, takerFeeRate } = this.instruments[symbol]!;
    const value = this.value(symbol, price, lots);
    const fee = ceilDiv(value * BigInt(isTaker ? takerFeeRate : makerFeeRate), RATE);
    if (isOpen) {
      leg.lots += lots;
      leg.entry += value;
    } else {
      const released = lots === leg.lots ? leg.entry : (leg.entry * BigInt(lots)) / BigInt(leg.lots);
      leg.lots -= lots;
      leg.entry -= released;
      const gain = side === LONG ? value - released : released - value;
      this.wallet += gain;
      this.realised += gain;
    }
    this.wallet -= fee;
    this.fees += fee;
    return fee;
  }

  /** Both legs of a symbol pay or receive at its mark. */
  fund(symbol: number, rate: bigint): void {
    if (rate === 0n) return;
    for (const side of [0, 1]) {
      const size = rate < 0n ? -rate : rate;
      const share = this.value(symbol, this.marks[symbol]!, this.legs[symbol]![side]!.lots) * size;
      const pays = rate > 0n === (side === LONG);
      const amount = pays ? -ceilDiv(share, RATE) : share / RATE;
      this.wallet += amount;
      this.funding += amount;
    }
  }
}
