/**
 * The judge of bars: fine random walks, folded into bars. What a strategy earns on the walk itself is the truth; the two readings of its bars must
 * lie on either side of it. Noise has no drift, so a strategy that earns by the cautious reading knows what it cannot know.
 */
import { Random } from '../../../src/base/random.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import { TwinAccount } from './accounts.ts';
import type { JudgedStrategy, Seen } from './strategies.ts';
import { BarTwin, type TwinBar, type TwinTerms } from './twin.ts';

export interface Verdict {
  readonly name: string;
  tapes: number;
  bars: number;
  /** Bars whose result on the walk is below the cautious reading of the same bar, or above the other one. */
  below: number;
  above: number;
  /** Tapes whose result on the walk is not between those of the two readings of the whole tape. */
  outside: number;
  readonly truth: Mean;
  readonly worse: Mean;
  readonly better: Mean;
  /** Ticks that limits give away because they fill only when traded through. */
  readonly through: Mean;
}

class Mean {
  #n = 0;
  #sum = 0;
  #squares = 0;

  add(value: number): void {
    this.#n++;
    this.#sum += value;
    this.#squares += value * value;
  }

  get mean(): number {
    return this.#sum / this.#n;
  }

  get error(): number {
    return Math.sqrt(Math.max(0, this.#squares / this.#n - this.mean ** 2) / this.#n);
  }

  /** Mean in errors. */
  get z(): number {
    return this.error === 0 ? 0 : this.mean / this.error;
  }
}

export interface JudgedMarket {
  readonly instruments: readonly Instrument[];
  readonly bars: number;
  readonly steps: number;
  /** Most ticks by which a bar opens away from the last close. */
  readonly gap: number;
  readonly spread: number;
  /** Which paths the readings try, instead of those of the rule. */
  readonly paths?: TwinTerms['paths'];
}

const BAR_MS = 60_000;
const FROM = 100_000;

export function judge(strategy: JudgedStrategy, market: JudgedMarket, tapes: number, seed: number): Verdict {
  const verdict: Verdict = {
    name: strategy.name,
    tapes,
    bars: 0,
    below: 0,
    above: 0,
    outside: 0,
    truth: new Mean(),
    worse: new Mean(),
    better: new Mean(),
    through: new Mean(),
  };
  for (let k = 0; k < tapes; k++) oneTape(strategy, market, seed + k, verdict);
  return verdict;
}

function oneTape(strategy: JudgedStrategy, market: JudgedMarket, seed: number, verdict: Verdict): void {
  const random = new Random(seed);
  const walks = Array.from({ length: market.bars }, walksFrom(random, market));
  const terms: TwinTerms = { spread: () => market.spread, funding: null, reading: 'worse', paths: market.paths };
  const twin = (reading: TwinTerms['reading']): BarTwin => new BarTwin(accountOf(market), { ...terms, reading });
  const [truth, worse, better] = [twin('worse'), twin('worse'), twin('better')];
  const runs = [truth, worse, better].map((one) => ({ one, random: new Random(seed + 1), ref: 0 }));
  for (const [k, walk] of walks.entries()) {
    const bar = barOf(walk, k);
    const [low, high] = [truth.copy('worse'), truth.copy('better')];
    for (const one of [low, high, worse, better]) one.play(bar);
    truth.play(bar, walk);
    const so = truth.state.account.equity();
    verdict.bars++;
    if (so < low.state.account.equity()) verdict.below++;
    if (so > high.state.account.equity()) verdict.above++;
    for (const run of runs) {
      const seen: Seen = {
        time: bar.end,
        close: bar.close,
        held: run.one.state.account.legs[0]!.map(({ lots }) => lots),
        orders: run.one.state.orders,
        random: run.random,
        next: () => ++run.ref,
      };
      for (const command of strategy.act(seen)) run.one.command(command);
    }
  }
  const [so, low, high] = [truth, worse, better].map(({ state }) => Number(state.account.equity() - DEPOSIT) / UNIT) as [
    number,
    number,
    number,
  ];
  verdict.truth.add(so);
  verdict.worse.add(low);
  verdict.better.add(high);
  verdict.through.add(truth.state.fills.filter(({ isTaker }) => !isTaker).length);
  if (so < Math.min(low, high) || so > Math.max(low, high)) verdict.outside++;
}

const DEPOSIT = 10_000_000_000_000n;
/** So many units of 10⁻⁸ are one tick of the strategies' size. */
const UNIT = 10 * 10_000;

const accountOf = ({ instruments }: JudgedMarket): TwinAccount => {
  const free = instruments.map((one) => ({ ...one, makerFeeRate: 0, takerFeeRate: 0 }) as Instrument);
  return new TwinAccount(free, DEPOSIT, 10);
};

function walksFrom(random: Random, { steps, gap }: JudgedMarket): () => number[] {
  let price = FROM;
  return () => {
    if (gap > 0) price += random.below(2 * gap + 1) - gap;
    const walk = [price];
    for (let k = 0; k < steps; k++) walk.push((price += random.below(2) === 0 ? -1 : 1));
    return walk;
  };
}

function barOf(walk: readonly number[], k: number): TwinBar {
  const [open, close] = [walk[0]!, walk.at(-1)!];
  return { symbol: 0, start: k * BAR_MS, end: (k + 1) * BAR_MS, open, high: Math.max(...walk), low: Math.min(...walk), close, volume: 0 };
}
