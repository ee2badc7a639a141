/** Coins of the spot accounts, 10^-8: free and locked in resting orders. */
import { assert } from '../../base/assert.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { parseScaled, pow10 } from '../../domain/scale.ts';
import { MONEY_DECIMALS } from '../../domain/units.ts';
import type { LedgerSink, SimAccountSpec } from '../types.ts';

export class SpotBalances {
  /** All coins that an account holds or an instrument trades, in order of first mention. */
  readonly coins: readonly string[];
  /** By account · coins + coin. */
  readonly free: Float64Array;
  readonly locked: Float64Array;
  readonly deposits: Float64Array;
  /** By instrument: its coins, and 10^-8 of the base coin in one lot. −1 and 0 for futures. */
  readonly baseCoin: Int32Array;
  readonly quoteCoin: Int32Array;
  readonly coinUnit: Float64Array;

  constructor(instruments: readonly Instrument[], accounts: readonly SimAccountSpec[]) {
    const coins: string[] = [];
    const numberOf = (coin: string): number => {
      const known = coins.indexOf(coin);
      return known >= 0 ? known : coins.push(coin) - 1;
    };
    const isSpot = (x: Instrument): boolean => x.product === 'spot';
    this.baseCoin = Int32Array.from(instruments, (x) => (isSpot(x) ? numberOf(x.baseCoin) : -1));
    this.quoteCoin = Int32Array.from(instruments, (x) => (isSpot(x) ? numberOf(x.quoteCoin) : -1));
    this.coinUnit = Float64Array.from(instruments, (x) => (isSpot(x) ? x.lotStep * pow10(MONEY_DECIMALS - x.sizeDecimals) : 0));
    for (const account of accounts) for (const coin of Object.keys(account.spot)) numberOf(coin);
    this.coins = coins;
    this.free = new Float64Array(accounts.length * coins.length);
    this.locked = new Float64Array(accounts.length * coins.length);
    for (const [a, account] of accounts.entries()) {
      for (const [coin, amount] of Object.entries(account.spot)) {
        const units = parseScaled(amount, MONEY_DECIMALS);
        assert(units >= 0, 'a deposit is not negative');
        this.free[a * coins.length + numberOf(coin)] = units;
      }
    }
    this.deposits = this.free.slice();
  }

  /** Tells the sink of the deposits. */
  announce(sink: LedgerSink | null): void {
    for (const [k, amount] of this.deposits.entries()) {
      if (amount > 0) sink?.cash(Math.floor(k / this.coins.length), this.coins[k % this.coins.length]!, amount, 'deposit', 0);
    }
  }

  /** Place of a coin on an account. */
  at(account: number, coin: number): number {
    return account * this.coins.length + coin;
  }
}
