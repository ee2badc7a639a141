/**
 * @hot The venue's side of all money. Every change of an account's wallet has its opposite here, booked by separate code. Fees go to the
 * venue, the market pays realised profit, funding passes through, and the insurance fund pays what a liquidated account cannot. So all
 * changes add up to zero, to the last digit.
 */
import * as assertion from '../../base/failure/assert.ts';
import { WideSum } from './wide-sum.ts';

const assert: typeof assertion.assert = assertion.assert;
const BALANCED = 'changes of the wallets and of the clearing account add up to zero';

export class ClearingAccount {
  /** Σ trading fees minus rebates. */
  readonly fees = new WideSum();
  /** −Σ realised: the profit of the market, the counterparty of every fill. */
  readonly market = new WideSum();
  /** −Σ funding of the accounts. Not zero, because the market holds the opposite legs, and because of rounding. */
  readonly funding = new WideSum();
  /** −Σ losses that the insurance fund paid. It starts at zero and can become negative. */
  readonly insurance = new WideSum();
  /** Spot: coins that accounts paid minus coins that they received, fees included, in 10⁻⁸. */
  declare readonly coins: readonly WideSum[];
  /** Wallet changes that have no opposite entry yet. */
  #open = 0.5;

  constructor(coins: number) {
    this.coins = Array.from({ length: coins }, () => new WideSum());
    this.#open = 0;
  }

  /** Books a change of a wallet, reported by the account. */
  moved(change: number): void {
    this.#open += change;
  }

  /**
   * Books a fill: the account reports a wallet change of `change`, the fill reports its fee and realised profit.
   * @throws AssertionError if change ≠ profit − fee
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

  /** @throws AssertionError if wallet changes and opposite entries do not add up to zero */
  assertBalanced(): void {
    assert(this.#open === 0, BALANCED);
  }
}
