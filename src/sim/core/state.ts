/** The simulator's state in one place: what the steps in this folder (place, fill, match, fire, look) work on. */
import { assert } from '../../base/assert.ts';
import type { Reason } from '../../domain/outcome.ts';
import { parseScaled, pow10 } from '../../domain/scale.ts';
import { MONEY_DECIMALS } from '../../domain/units.ts';
import type { LedgerSink, SimFill, SimSpec } from '../types.ts';
import { Account } from './account.ts';
import { Line } from './line.ts';
import { OrderPool } from './order-pool.ts';

export const TOUCH = 0;
export const THROUGH = 1;
export const QUEUE = 2;
const MODELS = ['touch', 'through', 'queue'] as const;

export class SimState {
  readonly lines: readonly Line[];
  readonly accounts: readonly Account[];
  readonly orders = new OrderPool();
  readonly model: number;
  /** The coin of all futures money. */
  readonly coin: string;
  /** Spot coins: all that an instrument trades or an account holds, in order of first mention. */
  readonly coins: readonly string[];
  readonly historyLimit: number;
  readonly keepTrades: number;
  readonly keepStats: boolean;
  /** Whether market trades are remembered at all. */
  readonly keepsTrades: boolean;
  /** Whether accounts trade with each other. */
  readonly isCrossing: boolean;
  /** Whether a refused modify has cancelled the order by then. */
  readonly cancelsToModify: boolean;
  readonly sink: LedgerSink | null;
  readonly fill: SimFill;

  now = 0.5;
  lastNo = 0;
  /** Margin of the OPEN order that was admitted last. */
  margin = 0.5;
  /** Plan orders that watch the mark. */
  markPlans = 0;
  /** When positions and mark triggers are next looked at; Infinity while there are none. */
  nextDue = Infinity;
  refusal: Reason = 'invalid-request';

  /** @throws AssertionError | ScaleError when the spec is not sound */
  constructor(spec: SimSpec, sink: LedgerSink | null) {
    const { instruments, accounts } = spec;
    assert(Number.isInteger(spec.leverage) && spec.leverage >= 1, 'leverage is a whole number of at least 1');
    assert(Number.isInteger(spec.historyLimit) && spec.historyLimit >= 0, 'historyLimit is a whole number');
    for (const [k, instrument] of instruments.entries()) assert(instrument.index === k, 'instruments are dense');
    const futures = instruments.filter((x) => x.product === 'futures');
    const coin = futures[0]?.quoteCoin ?? 'USDT';
    assert(
      futures.every((x) => x.quoteCoin === coin),
      'futures contracts share one quote coin',
    );
    this.coin = coin;
    const traded = instruments.filter((x) => x.product === 'spot').flatMap((x) => [x.baseCoin, x.quoteCoin]);
    this.coins = [...new Set([...traded, ...accounts.flatMap((x) => Object.keys(x.spot))])];
    this.model = MODELS.indexOf(spec.fillModel);
    this.historyLimit = spec.historyLimit;
    this.keepTrades = spec.keepTrades;
    this.keepStats = spec.keepStats ?? true;
    this.keepsTrades = this.keepStats || this.keepTrades > 0;
    this.isCrossing = spec.crossing === true;
    this.cancelsToModify = spec.modify === 'cancel-first';
    this.sink = sink;
    this.lines = instruments.map((x) => {
      const isSpot = x.product === 'spot';
      return new Line(x, {
        leverage: Math.min(spec.leverage, x.maxLeverage),
        baseCoin: isSpot ? this.coins.indexOf(x.baseCoin) : -1,
        quoteCoin: isSpot ? this.coins.indexOf(x.quoteCoin) : -1,
        coinUnit: isSpot ? x.lotStep * pow10(MONEY_DECIMALS - x.sizeDecimals) : 0,
      });
    });
    this.accounts = accounts.map((x, k) => new Account(k, x.name, deposit(x.futures), this.lines, this.coins.length));
    // Wide numbers at first, so that the fields keep that representation.
    this.fill = {
      fillNo: 0,
      time: 0.5,
      account: 0,
      orderNo: 0,
      tag: 0,
      instrument: 0,
      side: 0,
      effect: 0,
      price: 0,
      size: 0,
      fee: 0.5,
      liquidity: 0,
      realised: 0.5,
    };
    for (const [k, account] of this.accounts.entries()) this.#announce(account, accounts[k]!.spot);
  }

  #announce(account: Account, spot: Readonly<Record<string, string>>): void {
    if (account.deposits > 0) this.sink?.cash(account.index, this.coin, account.deposits, 'deposit', 0);
    for (const [coin, amount] of Object.entries(spot)) {
      const units = deposit(amount);
      account.free[this.coins.indexOf(coin)] = units;
      if (units > 0) this.sink?.cash(account.index, coin, units, 'deposit', 0);
    }
  }
}

function deposit(amount: string): number {
  const units = parseScaled(amount, MONEY_DECIMALS);
  assert(units >= 0, 'a deposit is not negative');
  return units;
}
