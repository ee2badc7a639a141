/** The indicators that TA-Lib lacks, written out: each value from the whole series, with no state and no thought of speed. */
import { sampleInput } from '../../../src/indicators/core/synthetic-bars.ts';
import type { Candle, TopOfBook, TradePrint } from '../../../src/indicators/core/inputs.ts';

type Bar = Required<Candle>;

/** The series up to and with row i. */
export class Series {
  readonly bars: readonly Bar[];

  constructor(bars: readonly Bar[]) {
    this.bars = bars;
  }

  of(field: keyof Bar): number[] {
    return this.bars.map((bar) => bar[field]);
  }

  get closes(): number[] {
    return this.of('close');
  }

  get pairs(): [number, number][] {
    return this.bars.map((bar) => sampleInput('pair', bar) as [number, number]);
  }

  get quotes(): TopOfBook[] {
    return this.bars.map((bar) => sampleInput('quote', bar)[0] as TopOfBook);
  }

  get trades(): TradePrint[] {
    return this.bars.map((bar) => sampleInput('trade', bar)[0] as TradePrint);
  }
}

/** All outputs for the last row, from the series up to it; parameters are the defaults unless the test says otherwise. */
export type Twin = (series: Series, ...params: any[]) => number[];

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;
const variance = (values: readonly number[]): number => mean(values.map((value) => (value - mean(values)) ** 2));
const last = (values: readonly number[], count: number): number[] => values.slice(-count);
const changes = (values: readonly number[]): number[] => values.slice(1).map((value, k) => value - values[k]!);
const covariance = (x: readonly number[], y: readonly number[]): number => mean(x.map((value, k) => (value - mean(x)) * (y[k]! - mean(y))));
const logs = (values: readonly number[]): number[] => changes(values.map(Math.log));
const typical = (bar: Bar): number => (bar.high + bar.low + bar.close) / 3;
const trueRanges = (bars: readonly Bar[]): number[] =>
  bars.slice(1).map((bar, k) => Math.max(bar.high, bars[k]!.close) - Math.min(bar.low, bars[k]!.close));

/** Wilder's average from the start. */
function wilder(values: readonly number[], period: number): number {
  let value = mean(values.slice(0, period));
  for (const next of values.slice(period)) value += (next - value) / period;
  return value;
}

function rsi(values: readonly number[], period: number): number {
  const up = wilder(
    changes(values).map((change) => Math.max(0, change)),
    period,
  );
  const down = wilder(
    changes(values).map((change) => Math.max(0, -change)),
    period,
  );
  return up + down < 1e-14 ? 0 : (100 * up) / (up + down);
}

function lineEnd(y: readonly number[]): number {
  const x = y.map((_, k) => k);
  const slope = covariance(x, y) / variance(x);
  return mean(y) + slope * (y.length - 1 - mean(x));
}

/** Slope and t of the regression of the change on the level. */
function dickeyFuller(values: readonly number[]): [slope: number, t: number] {
  const levels = values.slice(0, -1);
  const steps = changes(values);
  const slope = covariance(levels, steps) / variance(levels);
  const intercept = mean(steps) - slope * mean(levels);
  const rests = steps.map((step, k) => (step - intercept - slope * levels[k]!) ** 2);
  return [slope, slope / Math.sqrt(sum(rests) / (steps.length - 2) / (variance(levels) * levels.length))];
}

function vwap(bars: readonly Bar[]): number {
  return sum(bars.map((bar) => typical(bar) * bar.volume)) / sum(bars.map((bar) => bar.volume));
}

const middle = (bars: readonly Bar[]): number => (Math.max(...bars.map((bar) => bar.high)) + Math.min(...bars.map((bar) => bar.low))) / 2;
const rogersSatchell = (bar: Bar): number =>
  Math.log(bar.high / bar.close) * Math.log(bar.high / bar.open) + Math.log(bar.low / bar.close) * Math.log(bar.low / bar.open);

export const TWINS: Readonly<Record<string, Twin>> = {
  price: ({ bars }, field: 'open' = 'close' as 'open') => [bars.at(-1)![field]],
  volume: ({ bars }) => [bars.at(-1)!.volume],
  vwapSession: ({ bars }, sessionMs = 86_400_000) => {
    const session = (bar: Bar): number => Math.floor(bar.start / sessionMs);
    return [vwap(bars.filter((bar) => session(bar) === session(bars.at(-1)!)))];
  },
  vwapAnchored: ({ bars }, anchor = 0) => [vwap(bars.filter((bar) => bar.start >= anchor))],
  chandelier: ({ bars }, period = 22, multiplier = 3) => {
    const atr = wilder(trueRanges(bars), period);
    const window = bars.slice(-period);
    return [Math.max(...window.map((bar) => bar.high)) - multiplier * atr, Math.min(...window.map((bar) => bar.low)) + multiplier * atr];
  },
  closeVolatility: ({ closes }, period = 20, perYear = 1) => [
    Math.sqrt(((variance(last(logs(closes), period)) * period) / (period - 1)) * perYear),
  ],
  ewmaVolatility: ({ closes }, decay = 0.94, perYear = 1) => {
    const [first, ...rest] = logs(closes).map((change) => change ** 2);
    return [Math.sqrt(rest.reduce((value, square) => decay * value + (1 - decay) * square, first!) * perYear)];
  },
  parkinson: ({ bars }, period = 20, perYear = 1) => [
    Math.sqrt((mean(bars.slice(-period).map((bar) => Math.log(bar.high / bar.low) ** 2)) / (4 * Math.log(2))) * perYear),
  ],
  garmanKlass: ({ bars }, period = 20, perYear = 1) => {
    const term = (bar: Bar): number => 0.5 * Math.log(bar.high / bar.low) ** 2 - (Math.log(4) - 1) * Math.log(bar.close / bar.open) ** 2;
    return [Math.sqrt(mean(bars.slice(-period).map(term)) * perYear)];
  },
  rogersSatchell: ({ bars }, period = 20, perYear = 1) => [Math.sqrt(mean(bars.slice(-period).map(rogersSatchell)) * perYear)],
  yangZhang: ({ bars }, period = 20, perYear = 1) => {
    const window = bars.slice(-period);
    const jumps = window.map((bar, k) => Math.log(bar.open / bars.at(k - period - 1)!.close));
    const days = window.map((bar) => Math.log(bar.close / bar.open));
    const sample = (values: readonly number[]): number => (variance(values) * period) / (period - 1);
    const k = 0.34 / (1.34 + (period + 1) / (period - 1));
    return [Math.sqrt((sample(jumps) + k * sample(days) + (1 - k) * mean(window.map(rogersSatchell))) * perYear)];
  },
  choppiness: ({ bars }, period = 14) => {
    const window = bars.slice(-period);
    const range = Math.max(...window.map((bar) => bar.high)) - Math.min(...window.map((bar) => bar.low));
    return [(100 * Math.log10(sum(last(trueRanges(bars), period)) / range)) / Math.log10(period)];
  },
  ulcer: ({ closes }, period = 14) => {
    const falls = closes.map((close, k) => 100 * (close / Math.max(...closes.slice(Math.max(0, k - period + 1), k + 1)) - 1));
    return [Math.sqrt(mean(last(falls, period).map((fall) => fall ** 2)))];
  },
  microprice: ({ quotes }) => {
    const { bid, ask, bidSize, askSize } = quotes.at(-1)!;
    return [bid + (ask - bid) * (bidSize / (bidSize + askSize))];
  },
  bookImbalance: ({ quotes }) => {
    const { bidSize, askSize } = quotes.at(-1)!;
    return [1 - (2 * askSize) / (bidSize + askSize)];
  },
  quotedSpread: ({ quotes }) => {
    const { bid, ask } = quotes.at(-1)!;
    return [(ask - bid) / ((ask + bid) / 2)];
  },
  orderFlowImbalance: ({ quotes }, period = 50) => {
    const flows = quotes.slice(1).map((now, k) => {
      const before = quotes[k]!;
      const atBid = now.bid > before.bid ? now.bidSize : now.bid < before.bid ? -before.bidSize : now.bidSize - before.bidSize;
      const atAsk = now.ask < before.ask ? now.askSize : now.ask > before.ask ? -before.askSize : now.askSize - before.askSize;
      return atBid - atAsk;
    });
    return [sum(last(flows, period))];
  },
  tradeImbalance: ({ trades }, period = 50) => {
    const window = trades.slice(-period);
    const bought = sum(window.filter((trade) => trade.side === 'BUY').map((trade) => trade.size));
    return [(2 * bought) / sum(window.map((trade) => trade.size)) - 1];
  },
  cvd: ({ trades }) => [sum(trades.map((trade) => (trade.side === 'BUY' ? trade.size : -trade.size)))],
  vpin: ({ trades }, bucket = 1000, count = 50) => {
    // Sizes are integers here: every unit is laid into its bucket alone.
    const units = trades.flatMap((trade) => Array.from({ length: trade.size }, () => (trade.side === 'BUY' ? 1 : -1)));
    const full = Math.floor(units.length / bucket);
    const imbalances = Array.from({ length: full }, (_, k) => Math.abs(sum(units.slice(k * bucket, (k + 1) * bucket))) / bucket);
    return [full < count ? Number.NaN : mean(last(imbalances, count))];
  },
  rollSpread: ({ closes }, period = 50) => {
    const steps = last(changes(closes), period + 1);
    return [2 * Math.sqrt(Math.max(0, -covariance(steps.slice(1), steps.slice(0, -1))))];
  },
  amihud: ({ bars }, period = 20) => {
    const terms = bars.slice(1).map((bar, k) => Math.abs(bar.close - bars[k]!.close) / bars[k]!.close / (bar.close * bar.volume));
    return [mean(last(terms, period))];
  },
  zscore: ({ closes }, period = 20) => {
    const window = last(closes, period);
    return [(window.at(-1)! - mean(window)) / Math.sqrt(variance(window))];
  },
  skewness: ({ closes }, period = 30) => {
    const window = last(closes, period);
    return [mean(window.map((x) => (x - mean(window)) ** 3)) / variance(window) ** 1.5];
  },
  kurtosis: ({ closes }, period = 30) => {
    const window = last(closes, period);
    return [mean(window.map((x) => (x - mean(window)) ** 4)) / variance(window) ** 2];
  },
  autocorrelation: ({ closes }, period = 50, lag = 1) => {
    const now = last(closes, period);
    const before = last(closes.slice(0, -lag), period);
    return [covariance(now, before) / Math.sqrt(variance(now) * variance(before))];
  },
  hurst: ({ closes }, period = 100) => {
    const lags = [1, 2, 4, 8, 16];
    const y = lags.map((lag) =>
      Math.log(
        Math.sqrt(
          variance(
            last(
              closes.slice(lag).map((x, k) => x - closes[k]!),
              period,
            ),
          ),
        ),
      ),
    );
    const x = lags.map(Math.log);
    return [covariance(x, y) / variance(x)];
  },
  adf: ({ closes }, period = 100) => [dickeyFuller(last(closes, period + 1))[1]],
  halfLife: ({ closes }, period = 100) => {
    const [slope] = dickeyFuller(last(closes, period + 1));
    return [slope >= 0 ? Infinity : slope <= -1 ? 0 : Math.log(0.5) / Math.log(1 + slope)];
  },
  kalman: ({ closes }, process = 0.01, noise = 1) => {
    let [value, spread] = [closes[0]!, 1];
    for (const x of closes.slice(1)) {
      const before = spread + process;
      // The mean of two estimates, weighted by how sure each is.
      value = (value / before + x / noise) / (1 / before + 1 / noise);
      spread = 1 / (1 / before + 1 / noise);
    }
    return [value];
  },
  kalmanBeta: ({ pairs }, process = 0.0001, noise = 1) => {
    let state = [0, 0];
    let p = [
      [1, 0],
      [0, 1],
    ];
    let error = 0;
    for (const [x, y] of pairs) {
      const h = [1, x];
      const before = p.map((row, i) => row.map((value, j) => value + (i === j ? process : 0)));
      const ph = before.map((row) => row[0]! * h[0]! + row[1]! * h[1]!);
      const total = ph[0]! * h[0]! + ph[1]! * h[1]! + noise;
      error = y - state[0]! * h[0]! - state[1]! * h[1]!;
      state = state.map((value, i) => value + (ph[i]! / total) * error);
      p = before.map((row, i) => row.map((value, j) => value - (ph[i]! * ph[j]!) / total));
    }
    return [state[1]!, state[0]!, error];
  },
  cointegration: ({ pairs }, period = 60) => {
    const window = pairs.slice(-period);
    const [x, y] = [window.map((pair) => pair[0]), window.map((pair) => pair[1])];
    const beta = covariance(x, y) / variance(x);
    const alpha = mean(y) - beta * mean(x);
    const rests = x.map((value, k) => y[k]! - alpha - beta * value);
    return [beta, alpha, rests.at(-1)! / Math.sqrt(mean(rests.map((rest) => rest ** 2))), dickeyFuller(rests)[1]];
  },
  alma: ({ closes }, period = 9, offset = 0.85, sigma = 6) => {
    const weights = Array.from({ length: period }, (_, k) => Math.exp(-0.5 * ((k - offset * (period - 1)) / (period / sigma)) ** 2));
    return [sum(last(closes, period).map((x, k) => x * weights[k]!)) / sum(weights)];
  },
  ichimoku: ({ bars }, conversion = 9, base = 26, span = 52, shift = 26) => {
    const then = bars.slice(0, bars.length - shift);
    return [
      middle(bars.slice(-conversion)),
      middle(bars.slice(-base)),
      (middle(then.slice(-conversion)) + middle(then.slice(-base))) / 2,
      middle(then.slice(-span)),
    ];
  },
  squeeze: ({ bars }, period = 20, bands = 2, channel = 1.5) => {
    const closes = bars.map((bar) => bar.close);
    const leans = Array.from({ length: period }, (_, k) => {
      const end = bars.length - period + k + 1;
      const window = bars.slice(end - period, end);
      return window.at(-1)!.close - (middle(window) + mean(window.map((bar) => bar.close))) / 2;
    });
    const isOn = bands * Math.sqrt(variance(last(closes, period))) < channel * mean(last(trueRanges(bars), period));
    return [lineEnd(leans), isOn ? 1 : 0];
  },
  ttmTrend: ({ bars }, period = 6) => {
    const before = bars.slice(-period - 1, -1);
    return [bars.at(-1)!.close > mean(before.map((bar) => (bar.high + bar.low) / 2)) ? 1 : -1];
  },
  fisher: ({ bars }, period = 10) => {
    const middles = bars.map((bar) => (bar.high + bar.low) / 2);
    let [place, value, before] = [0, 0, 0];
    for (let k = period; k <= middles.length; k++) {
      const window = middles.slice(k - period, k);
      const [low, high] = [Math.min(...window), Math.max(...window)];
      const raw = high === low ? 0 : (window.at(-1)! - low) / (high - low) - 0.5;
      place = Math.min(0.999, Math.max(-0.999, 0.66 * raw + 0.67 * place));
      before = value;
      value = Math.atanh(place) + 0.5 * value;
    }
    return [value, before];
  },
  kst: ({ closes }, r1 = 10, r2 = 15, r3 = 20, r4 = 30, a1 = 10, a2 = 10, a3 = 10, a4 = 15, signal = 9) => {
    const change = (at: number, period: number): number => 100 * (closes[at]! / closes[at - period]! - 1);
    const smooth = (at: number, period: number, average: number): number =>
      mean(Array.from({ length: average }, (_, k) => change(at - k, period)));
    const kst = (at: number): number => smooth(at, r1, a1) + 2 * smooth(at, r2, a2) + 3 * smooth(at, r3, a3) + 4 * smooth(at, r4, a4);
    const end = closes.length - 1;
    return [kst(end), mean(Array.from({ length: signal }, (_, k) => kst(end - k)))];
  },
  connorsRsi: ({ closes }, period = 3, streak = 2, rank = 100) => {
    let run = 0;
    const runs = closes.map((close, k) => {
      const sign = Math.sign(close - (closes[k - 1] ?? close));
      run = sign === 0 ? 0 : Math.sign(run) === sign ? run + sign : sign;
      return run;
    });
    const rates = closes.slice(1).map((close, k) => close / closes[k]! - 1);
    const before = rates.slice(-rank - 1, -1);
    const share = (100 * before.filter((rate) => rate < rates.at(-1)!).length) / rank;
    return [(rsi(closes, period) + rsi(runs, streak) + share) / 3];
  },
  pivots: ({ bars }, kind = 'classic', sessionMs = 86_400_000) => {
    const session = (bar: Bar): number => Math.floor(bar.start / sessionMs);
    const before = bars.filter((bar) => session(bar) === session(bars.at(-1)!) - 1);
    if (before.length === 0) return Array.from({ length: 7 }, () => Number.NaN);
    const h = Math.max(...before.map((bar) => bar.high));
    const l = Math.min(...before.map((bar) => bar.low));
    const c = before.at(-1)!.close;
    const p = (h + l + c) / 3;
    const around = (m: number, a: number, b: number, d: number): number[] => [m + a, m + b, m + d, m - a, m - b, m - d].map((x) => x);
    if (kind === 'fibonacci') return [p, ...around(p, 0.382 * (h - l), 0.618 * (h - l), h - l)];
    if (kind === 'camarilla') return [p, ...around(c, ((h - l) * 1.1) / 12, ((h - l) * 1.1) / 6, ((h - l) * 1.1) / 4)];
    const q = kind === 'woodie' ? (h + l + c + c) / 4 : p;
    return [q, 2 * q - l, q + h - l, h + 2 * (q - l), 2 * q - h, q - h + l, l - 2 * (h - q)];
  },
  volumeProfile: ({ bars }, period = 100, bins = 24) => {
    const window = bars.slice(-period);
    // Three times the typical price, which is exact on a grid: a bar at the edge of two bins is in the upper one.
    const thrice = (bar: Bar): number => bar.high + bar.low + bar.close;
    const [least, most] = [Math.min(...window.map(thrice)), Math.max(...window.map(thrice))];
    const binOf = (bar: Bar): number => Math.min(bins - 1, Math.floor(((thrice(bar) - least) * bins) / (most - least)));
    const held = Array.from({ length: bins }, (_, k) => sum(window.filter((bar) => binOf(bar) === k).map((bar) => bar.volume)));
    const low = least / 3;
    const width = (most - least) / bins / 3;
    const best = held.indexOf(Math.max(...held));
    let [from, to] = [best, best];
    while (sum(held.slice(from, to + 1)) < 0.7 * sum(held)) {
      if ((held[to + 1] ?? -1) >= (held[from - 1] ?? -1)) to++;
      else from--;
    }
    return [low + (best + 0.5) * width, low + (to + 1) * width, low + from * width];
  },
};

/** Further parameters, for what the defaults do not show. */
export const MORE: Readonly<Record<string, readonly (readonly (number | string)[])[]>> = {
  price: [['open'], ['high'], ['low']],
  vwapSession: [[3_600_000]],
  vwapAnchored: [[6_000_000]],
  chandelier: [[10, 2]],
  closeVolatility: [[10, 365]],
  ewmaVolatility: [[0.8, 365]],
  parkinson: [[9, 365]],
  garmanKlass: [[9, 365]],
  rogersSatchell: [[9, 365]],
  yangZhang: [[9, 365]],
  vpin: [
    [100, 20],
    [3000, 5],
  ],
  orderFlowImbalance: [[1], [7]],
  autocorrelation: [[20, 5]],
  adf: [[20]],
  halfLife: [[12]],
  kalman: [[1, 0.1]],
  cointegration: [[10]],
  alma: [[21, 0.5, 4]],
  ichimoku: [
    [5, 10, 20, 7],
    [20, 10, 5, 0],
  ],
  squeeze: [[12, 1, 1.2]],
  pivots: [
    ['fibonacci', 3_600_000],
    ['camarilla', 3_600_000],
    ['woodie', 3_600_000],
    ['classic', 3_600_000],
  ],
  volumeProfile: [[20, 5]],
  kst: [[3, 5, 7, 11, 4, 2, 3, 5, 1]],
  connorsRsi: [[5, 3, 20]],
};
