/**
 * @hot The venue's side of all money. Every change of an account's wallet has its opposite here, written by another hand:
 * fees are the venue's, what positions realise the market pays, funding passes through, and the insurance fund takes over
 * what a liquidated account cannot pay. Nothing is made and nothing lost: changes of wallets + house = 0, to the last digit.
 */
import { assert } from '../../base/assert.ts';

const WIDE = 0.5;

export class House {
  /** Σ trading fees less rebates. */
  fees = WIDE;
  /** −Σ realised: what the market, which stands opposite to every fill, has won of the accounts. */
  market = WIDE;
  /** −Σ funding of the accounts: paid by those whose opposite legs the market holds, and the last digits of rounding. */
  funding = WIDE;
  /** −Σ losses it took over; it begins empty and may be below zero. */
  insurance = WIDE;
  /** Σ changes of all wallets since the deposits: the accounts' own hand. */
  wallets = WIDE;
  /** Spot: what accounts have paid of each coin less what they got, fees among it, 10^-8. */
  readonly coins: Float64Array;

  constructor(coins: number) {
    this.fees = 0;
    this.market = 0;
    this.funding = 0;
    this.insurance = 0;
    this.wallets = 0;
    this.coins = new Float64Array(coins);
  }

  /** @throws AssertionError when money came from nowhere or went there */
  assertBalanced(): void {
    const sum = this.wallets + this.fees + this.market + this.funding + this.insurance;
    assert(sum === 0, 'what the accounts have won, the house has lost');
  }
}
