/**
 * A synthetic market of many symbols on which many accounts trade at random, spot and futures, with the market and each other, with
 * funding, liquidations, deposits and withdrawals. The simulator audits itself every second. Every minute the ledger's lines are summed and
 * compared with the accounts.
 */
import { assert } from '../../../src/base/failure/assert.ts';
import { Digest } from '../../../src/base/digest.ts';
import { Random } from '../../../src/base/random.ts';
import { createInstrument, type Instrument, type InstrumentSpec } from '../../../src/domain/instrument.ts';
import { VenueSim } from '../../../src/sim/core/venue-core.ts';
import type { LiquidationStep } from '../../../src/sim/state/terms.ts';
import type { CashReason, LedgerSink, SimFill, SimSnapshot, SimSpec } from '../../../src/sim/state/types.ts';
import { profileOf } from '../../../src/tape/synth/profile.ts';
import { SynthMarket } from '../../../src/tape/synth/synth.ts';
import { SoakTrader } from './soak-trader.ts';

export interface SoakSpec {
  readonly seed: number;
  /** Seconds of market time. */
  readonly seconds: number;
  readonly symbols: number;
  readonly accounts: number;
  /** Milliseconds between funding times. */
  readonly fundingMs: number;
  /** Market events per second and symbol, on average. */
  readonly rate: number;
  /** Volatility as a multiple of a recorded market. */
  readonly wildness: number;
  /** Actions per account and second, at most 1. */
  readonly pace: number;
  /** Second at which the simulator is saved as JSON and another continues; none by default. */
  readonly restoreAt?: number | undefined;
}

export interface SoakResult {
  /** Hash of every ledger line in order and of all final accounts. */
  readonly hash: string;
  readonly rows: number;
  readonly accepted: number;
  readonly refused: number;
  readonly audits: number;
  /** Number of events: fills by kind, ends, cash by reason, liquidation steps. */
  readonly counts: ReadonlyMap<string, number>;
  readonly refusals: ReadonlyMap<string, number>;
}

const START = Date.UTC(2026, 0, 5);
const COIN = 100_000_000;
/** Number of symbols that also have a spot market with the same rows. */
const SPOT_MARKETS = 10;

/** Records everything that the simulator reports. */
class Ledger implements LedgerSink {
  readonly digest = new Digest();
  readonly counts = new Map<string, number>();
  /** Sum of cash by account and coin, and the deposited part. */
  readonly cashOf = new Map<string, number>();
  readonly #reasons: readonly CashReason[] = ['deposit', 'realised', 'fee', 'funding', 'spot', 'liquidation', 'insurance'];

  order(orderNo: number): void {
    this.digest.integer(orderNo);
    this.#count('orders');
  }

  ended(orderNo: number, how: number): void {
    this.digest.integer(orderNo);
    this.digest.integer(how);
  }

  fill(fill: SimFill): void {
    for (const value of Object.values(fill)) this.digest.integer(value as number);
    this.#count(fill.liquidity === 0 ? 'maker fills' : 'taker fills');
  }

  cash(account: number, coin: string, amount: number, why: CashReason, orderNo: number): void {
    this.digest.text(coin);
    for (const value of [account, amount, this.#reasons.indexOf(why), orderNo]) this.digest.integer(value);
    const key = `${account} ${coin}`;
    this.cashOf.set(key, (this.cashOf.get(key) ?? 0) + amount);
    this.#count(`cash: ${why}`);
  }

  step(step: LiquidationStep): void {
    this.digest.text(JSON.stringify(step));
    this.#count(`liquidation: ${step.step}`);
  }

  #count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }
}

/** Runs the market. The same spec gives the same hash, with or without a restart. @throws AssertionError if money is not conserved */
export function soak(spec: SoakSpec): SoakResult {
  return new Soak(spec).run();
}

class Soak {
  readonly #spec: SoakSpec;
  readonly #futures: readonly Instrument[];
  readonly #venue: SimSpec;
  readonly #ledger = new Ledger();
  readonly #traders: readonly SoakTrader[];
  readonly #random: Random;
  readonly #market: SynthMarket;
  #sim: VenueSim;
  #rows = 0;

  constructor(spec: SoakSpec) {
    this.#spec = spec;
    const random = new Random(spec.seed);
    this.#random = random.fork();
    const specs = Array.from({ length: spec.symbols }, (_, k) => contract(k));
    const spots = specs.slice(0, SPOT_MARKETS).map((x) => ({ ...x, product: 'spot' as const, tiers: undefined, minNotional: '5' }));
    const instruments = [...specs, ...spots].map((x, index) => createInstrument(x, index));
    this.#futures = instruments.slice(0, spec.symbols);
    const wealths = Array.from({ length: spec.accounts }, (_, k) => 500 * 4 ** (k % 6));
    this.#venue = venueOf(instruments, wealths, spec.fundingMs);
    this.#sim = new VenueSim(this.#venue, this.#ledger);
    this.#traders = wealths.map((wealth, account) => {
      const first = random.below(instruments.length);
      const isBold = account % 2 === 0;
      const chosen = Array.from({ length: isBold ? 3 : 12 }, (_, k) => instruments[(first + k * 7) % instruments.length]!);
      const orderValue = Math.floor(wealth * COIN * (isBold ? 3 : 0.4));
      return new SoakTrader({ account, random: random.fork(), instruments: chosen, orderValue, isBold, reach: 20 + random.below(60) });
    });
    const mean = spec.rate / (this.#futures.reduce((sum, x) => sum + profileOf(x.symbol).events, 0) / spec.symbols);
    this.#market = new SynthMarket({
      seed: random.uint32(),
      start: START,
      symbols: this.#futures.map((x) => {
        const profile = profileOf(x.symbol);
        return {
          symbol: x.symbol,
          grid: x,
          price: 10_000 + (x.index % 7) * 4_000,
          profile: { ...profile, events: profile.events * mean, walkScale: profile.walkScale * spec.wildness },
        };
      }),
    });
  }

  run(): SoakResult {
    const { seconds, pace, restoreAt } = this.#spec;
    for (let second = 1; second <= seconds; second++) {
      const time = START + second * 1_000;
      this.#rowsUntil(time);
      this.#sim.advance(time);
      for (const trader of this.#traders) if (this.#random.uniform() < pace) trader.act(this.#sim, time);
      this.#sim.audit();
      if (second % 60 === 0) this.#compareWithLedger(time);
      if (second === restoreAt) this.#restart();
    }
    return this.#result();
  }

  #rowsUntil(time: number): void {
    const sim = this.#sim;
    const market = this.#market;
    const futures = this.#futures.length;
    while (market.nextTime < time) {
      market.next();
      this.#rows++;
      const i = market.symbol;
      for (const at of i < SPOT_MARKETS ? [i, futures + i] : [i]) {
        if (market.isTrade) sim.trade(at, market.price, market.size, market.side, market.time, market.id);
        else sim.quote(at, market.bid, market.bidSize, market.ask, market.askSize, market.time);
      }
    }
  }

  /** Compares the ledger's sums with the accounts. Accounts that lost nearly everything get a deposit, rich ones make a withdrawal. */
  #compareWithLedger(time: number): void {
    const sim = this.#sim;
    sim.assertConserved();
    for (const [account, { futures }] of this.#venue.accounts.entries()) {
      const { deposits, realised, fees, funding, insurance } = sim.totals(account);
      const wallet = deposits + realised - fees + funding + insurance;
      for (const { coin, free, locked } of sim.balances(account)) {
        const told = this.#ledger.cashOf.get(`${account} ${coin}`) ?? 0;
        assert(told === free + locked + (coin === 'USDT' ? wallet : 0), 'the ledger’s sums equal the accounts');
      }
      const wealth = Number(futures) * COIN;
      const equity = sim.equity(account);
      if (equity < wealth / 10) sim.deposit(account, false, 'USDT', wealth);
      else if (equity > wealth * 3) sim.deposit(account, false, 'USDT', -wealth);
      const usdt = sim.balances(account).find((x) => x.coin === 'USDT')!;
      if (usdt.free < wealth / 100) sim.deposit(account, true, 'USDT', wealth);
    }
    if (this.#random.below(20) === 0)
      sim.liquidate(this.#random.below(this.#traders.length), this.#random.below(this.#futures.length), 0, time);
  }

  #restart(): void {
    const saved = JSON.parse(JSON.stringify(this.#sim.snapshot())) as SimSnapshot;
    const quiet = { order: () => {}, ended: () => {}, fill: () => {}, cash: () => {} };
    let sink: LedgerSink = quiet;
    const next = new VenueSim(this.#venue, {
      order: (...told) => sink.order(...told),
      ended: (...told) => sink.ended(...told),
      fill: (...told) => sink.fill(...told),
      cash: (...told) => sink.cash(...told),
      step: (...told) => sink.step?.(...told),
    });
    next.restore(saved);
    // The deposits of a new venue were reported before; later events are reported on.
    sink = this.#ledger;
    this.#sim = next;
  }

  #result(): SoakResult {
    const { digest, counts } = this.#ledger;
    const accounts = this.#venue.accounts.map((_, k) => [this.#sim.totals(k), this.#sim.balances(k), this.#sim.positions(k, -1)]);
    digest.text(JSON.stringify([accounts, this.#sim.clearing()]));
    const refusals = new Map<string, number>();
    for (const trader of this.#traders) for (const [why, n] of trader.refusals) refusals.set(why, (refusals.get(why) ?? 0) + n);
    return {
      hash: digest.hex(),
      rows: this.#rows,
      accepted: this.#traders.reduce((sum, trader) => sum + trader.accepted, 0),
      refused: [...refusals.values()].reduce((sum, n) => sum + n, 0),
      audits: this.#spec.seconds,
      counts,
      refusals,
    };
  }
}

/** Symbols with prices from 0.1 to 1,000 and matching grids, half of them with tiers. */
function contract(k: number): InstrumentSpec {
  const symbol = `SOAK${k}USDT`;
  const decimals = 1 + (k % 5);
  const lotDecimals = Math.max(0, 4 - decimals);
  const lot = lotDecimals === 0 ? '1' : `0.${'1'.padStart(lotDecimals, '0')}`;
  return {
    symbol,
    product: 'futures',
    baseCoin: `SOAK${k}`,
    quoteCoin: 'USDT',
    tickSize: `0.${'1'.padStart(decimals, '0')}`,
    lotSize: lot,
    minSize: lot,
    maxSize: '10000000',
    makerFeeRate: k % 4 === 0 ? '-0.00005' : '0.0002',
    takerFeeRate: '0.00055',
    ...(k % 2 === 0 ? { maxLeverage: 100, maintenanceRate: '0.004' } : { tiers: TIERS }),
  };
}

const TIERS = [
  { upTo: '2000', maintenanceRate: '0.005', maxLeverage: 100 },
  { upTo: '20000', maintenanceRate: '0.01', maxLeverage: 50 },
  { upTo: '200000', maintenanceRate: '0.02', maxLeverage: 25 },
  { maintenanceRate: '0.03', maxLeverage: 20 },
];

function venueOf(instruments: readonly Instrument[], wealths: readonly number[], fundingMs: number): SimSpec {
  const coins = instruments.filter((x) => x.product === 'spot').map((x) => x.baseCoin);
  return {
    instruments,
    accounts: wealths.map((wealth, k) => ({
      name: `trader-${k}`,
      futures: String(wealth),
      spot: { USDT: String(wealth), ...Object.fromEntries(coins.map((coin) => [coin, '1000'])) },
    })),
    fillModel: 'queue',
    leverage: 20,
    historyLimit: 100,
    keepTrades: 50,
    crossing: true,
    funding: { model: 'premium', everyMs: fundingMs, rate: '0.0001' },
  };
}
