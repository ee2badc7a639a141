/**
 * The probability of backtest overfitting (PBO) by combinatorially symmetric cross-validation: Bailey, Borwein, López de Prado & Zhu, "The
 * probability of backtest overfitting", Journal of Computational Finance (2015). The periods are cut into blocks; each half of the blocks in
 * turn chooses the best trial, and the other half judges it.
 */
import { median } from '../samples/moments.ts';

export interface Overfitting {
  /** Share of the splits where the trial that was best in one half is at most the median of all trials in the other half. */
  readonly probability: number;
  /** Share of the splits where the chosen trial loses money in the other half. */
  readonly lossProbability: number;
  /** Slope and intercept of the chosen trial's ratio out of sample against its ratio in sample: how much of the result survives. */
  readonly slope: number;
  readonly intercept: number;
  readonly splits: number;
  /** Median over the splits of the chosen trial's Sharpe ratio, per period, in the half that chose it and in the other. */
  readonly inSample: number;
  readonly outOfSample: number;
}

/**
 * `returns`: for each trial its returns, one for each period, all of equal length. `blocks` is even; 16 give 12,870 splits.
 * @throws RangeError with fewer than 2 trials, an odd number of blocks, or fewer than 2 periods a block
 */
export function probabilityOfOverfitting(returns: readonly Float64Array[], blocks = 16): Overfitting {
  const trials = returns.length;
  const periods = returns[0]?.length ?? 0;
  if (trials < 2) throw new RangeError(`expected at least 2 trials to compare, found ${trials}`);
  if (blocks < 2 || blocks > 16 || blocks % 2 !== 0) throw new RangeError(`expected an even number of blocks, at most 16, found ${blocks}`);
  if (periods < 2 * blocks) throw new RangeError(`expected at least ${2 * blocks} periods for ${blocks} blocks, found ${periods}`);

  const sums = blockSums(returns, blocks);
  const logits: number[] = [];
  const inside: number[] = [];
  const outside: number[] = [];
  let losses = 0;
  const ratios = { in: new Float64Array(trials), out: new Float64Array(trials) };
  for (const half of halves(blocks)) {
    const other = ~half & (2 ** blocks - 1);
    sums.ratios(half, ratios.in);
    sums.ratios(other, ratios.out);
    const best = placeOfLargest(ratios.in);
    const judged = ratios.out[best] ?? 0;
    // Trials that are equal share their ranks, so that a copy of the best trial changes nothing.
    let rank = 0.5;
    for (const value of ratios.out) rank += value < judged ? 1 : value === judged ? 0.5 : 0;
    const share = rank / (trials + 1);
    logits.push(Math.log(share / (1 - share)));
    inside.push(ratios.in[best] ?? 0);
    outside.push(judged);
    if (sums.total(best, other) < 0) losses++;
  }
  const line = regression(inside, outside);
  return {
    probability: logits.filter((logit) => logit <= 0).length / logits.length,
    lossProbability: losses / logits.length,
    ...line,
    splits: logits.length,
    inSample: median(inside),
    outOfSample: median(outside),
  };
}

/** All choices of half of `blocks`, as bits. */
function* halves(blocks: number): Generator<number> {
  for (let bits = 0; bits < 2 ** blocks; bits++) {
    let count = 0;
    for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
    if (count === blocks / 2) yield bits;
  }
}

/** The first of the largest. */
function placeOfLargest(values: Float64Array): number {
  let at = 0;
  for (let k = 1; k < values.length; k++) if (values[k]! > values[at]!) at = k;
  return at;
}

interface BlockSums {
  /** Sharpe ratio per period of each trial over the blocks whose bits are set. */
  ratios(half: number, into: Float64Array): void;
  total(trial: number, half: number): number;
}

/** Count, sum and sum of squares of each trial in each block. Blocks differ by at most one period in length. */
function blockSums(returns: readonly Float64Array[], blocks: number): BlockSums {
  const periods = returns[0]?.length ?? 0;
  const edges = Array.from({ length: blocks + 1 }, (_, block) => Math.round((periods * block) / blocks));
  const sums = new Float64Array(returns.length * blocks);
  const squares = new Float64Array(returns.length * blocks);
  returns.forEach((series, trial) => {
    for (let block = 0; block < blocks; block++) {
      for (let i = edges[block] ?? 0; i < (edges[block + 1] ?? 0); i++) {
        const value = series[i] ?? 0;
        sums[trial * blocks + block] = (sums[trial * blocks + block] ?? 0) + value;
        squares[trial * blocks + block] = (squares[trial * blocks + block] ?? 0) + value * value;
      }
    }
  });
  // Sums over every choice of the first eight blocks and of the others, so that a half of all blocks needs two look-ups.
  const width = 2 ** Math.min(blocks, 8);
  const parts = [0, 8].map((first) => ({
    sum: choices(sums, { trials: returns.length, blocks, first, width }),
    square: choices(squares, { trials: returns.length, blocks, first, width }),
  }));
  const [low, high] = [parts[0]!, parts[1]!];
  const countOf = (half: number): number => {
    let count = 0;
    for (let block = 0; block < blocks; block++) if ((half >> block) & 1) count += (edges[block + 1] ?? 0) - (edges[block] ?? 0);
    return count;
  };
  const total = (trial: number, half: number): number => low.sum[trial * width + (half & 255)]! + high.sum[trial * width + (half >> 8)]!;
  return {
    total,
    ratios: (half, into) => {
      const count = countOf(half);
      for (let trial = 0; trial < returns.length; trial++) {
        const sum = total(trial, half);
        const square = low.square[trial * width + (half & 255)]! + high.square[trial * width + (half >> 8)]!;
        const variance = (square - (sum * sum) / count) / (count - 1);
        into[trial] = variance > 1e-24 * square ? sum / count / Math.sqrt(variance) : 0;
      }
    },
  };
}

interface Choices {
  readonly trials: number;
  readonly blocks: number;
  readonly first: number;
  readonly width: number;
}

/** For each trial the sum over every choice of the eight blocks from `first` on, by the bits of the choice. */
function choices(values: Float64Array, { trials, blocks, first, width }: Choices): Float64Array {
  const all = new Float64Array(trials * width);
  for (let trial = 0; trial < trials; trial++) {
    for (let bits = 1; bits < width; bits++) {
      const lowest = 31 - Math.clz32(bits & -bits);
      const block = first + lowest;
      const value = block < blocks ? values[trial * blocks + block]! : 0;
      all[trial * width + bits] = all[trial * width + (bits & (bits - 1))]! + value;
    }
  }
  return all;
}

/** The least-squares line of `y` on `x`. */
function regression(x: readonly number[], y: readonly number[]): { readonly slope: number; readonly intercept: number } {
  const meanX = x.reduce((a, b) => a + b, 0) / x.length;
  const meanY = y.reduce((a, b) => a + b, 0) / y.length;
  let xy = 0;
  let xx = 0;
  x.forEach((value, i) => {
    xy += (value - meanX) * ((y[i] ?? 0) - meanY);
    xx += (value - meanX) ** 2;
  });
  const slope = xx > 0 ? xy / xx : 0;
  return { slope, intercept: meanY - slope * meanX };
}
