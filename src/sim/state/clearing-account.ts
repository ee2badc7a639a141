/**
 * @hot The venue's side of all money. Every change of an account's wallet has its opposite here, written by another hand:
 * fees are the venue's, what positions realise the market pays, funding passes through, and the insurance fund takes over
 * what a liquidated account cannot pay. Nothing is made and nothing lost: what the hands write comes to zero, to the last digit.
 */
import * as assertion from '../../base/assert.ts';
import { WideSum } from './wide-sum.ts';

const assert: typeof assertion.assert = assertion.assert;
const BALANCED = 'what the accounts have won, the house has lost';

export class ClearingAccount {
  /** Σ trading fees less rebates. */
  readonly fees = new WideSum();
  /** −Σ realised: what the market, which stands opposite to every fill, has won of the accounts. */
  readonly market = new WideSum();
  /** −Σ funding of the accounts: paid by those whose opposite legs the market holds, and the last digits of rounding. */
  readonly funding = new WideSum();
  /** −Σ losses it took over; it begins empty and may be below zero. */
  readonly insurance = new WideSum();
  /** Spot: what accounts have paid of each coin less what they got, fees among it, 10^-8. */
  declare readonly coins: readonly WideSum[];
  /** What one hand has written and the other has not yet. */
  #open = 0.5;

  constructor(coins: number) {
    this.coins = Array.from({ length: coins }, () => new WideSum()); // hot-ok: once
    this.#open = 0;
  }

  /** The accounts' own hand: a wallet has changed by so much. */
  moved(change: number): void {
    this.#open += change;
  }

  /**
   * A fill changed a wallet by `change`, so says the accounts' hand; it cost a fee and realised a profit.
   * @throws AssertionError when that is not the same
   */
  traded(change: number, fee: number, profit: number): void {
    this.fees.add(fee);
    if (profit !== 0) this.market.add(-profit);
    assert(change + fee === profit, BALANCED);
  }

  funded(amount: number): void {
    this.funding.add(-amount);
    this.#open -= amount;
  }

  insured(loss: number): void {
    this.insurance.add(-loss);
    this.#open -= loss;
  }

  /** @throws AssertionError when money came from nowhere or went there */
  assertBalanced(): void {
    assert(this.#open === 0, BALANCED);
  }
}
