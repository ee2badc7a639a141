/**
 * The profile of a synthetic symbol: figures learnt from recordings of BTCUSDT and ETHUSDT perpetuals, and other symbols derived from
 * them.
 */
import { Random } from '../../base/random.ts';
import { Quantiles } from './chance.ts';

/** Shares at which the quantiles below stand. */
const SHARES = [
  0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1,
];

/** Sizes count `unit` of the quote coin, price distances `step` of the price. */
export interface SynthProfile {
  readonly name: string;
  /** Value of one unit of the sizes below, in the quote coin. */
  readonly unit: number;
  /** One unit of the distances below, as a share of the price. */
  readonly step: number;
  /** Orders and changes of the book a second, in the long run. */
  readonly events: number;
  /** Share of them that are market orders; and how much one more order raises the chance that the next event is one, for a while. */
  readonly orders: number;
  readonly heat: number;
  /** The same for events that nothing brought on. */
  readonly calmOrders: number;
  /** Events that an event brings on: within about a millisecond, and within about a tenth of a second. */
  readonly fast: number;
  readonly slow: number;
  /** A market order and one that walks the book bring on so many times as much. */
  readonly orderKick: number;
  readonly walkKick: number;
  /** How strongly orders lean to the side of the large order behind them (0 … 1), and for how many orders, at least. */
  readonly lean: number;
  readonly run: number;
  /** Scale of the walks, by which volatility is set; chance that a walk is taken back; chance that an event narrows an open spread. */
  readonly walkScale: number;
  readonly reversion: number;
  readonly closing: number;
  /** Trades per unit of distance of a walk. */
  readonly density: number;
  readonly order: Quantiles;
  readonly fill: Quantiles;
  readonly walk: Quantiles;
  /** Size at the touch: what a level grows to, what it has when it is new, and what it changes by. */
  readonly depth: Quantiles;
  readonly fresh: Quantiles;
  readonly change: Quantiles;
}

const of = (...values: readonly number[]): Quantiles => new Quantiles(values, SHARES);

const BTC_PROFILE: SynthProfile = {
  name: 'BTCUSDT',
  unit: 61.8,
  step: 1.618e-6,
  events: 222,
  orders: 0.082,
  heat: 0.035,
  calmOrders: 0.3,
  fast: 0.6,
  slow: 0.2,
  orderKick: 1.5,
  walkKick: 12,
  lean: 0.52,
  run: 6,
  walkScale: 1.5,
  reversion: 0.25,
  closing: 0.45,
  density: 0.7,
  order: of(1, 2, 2, 2, 2, 3, 5, 7, 10, 16, 30, 50, 98, 136, 205, 337, 653, 1474, 3607, 7114, 12003, 49310, 69718),
  fill: of(1, 1, 2, 2, 2, 2, 2, 3, 4, 8, 16, 30, 56, 81, 110, 157, 265, 486, 800, 1146, 1965, 5901, 46000),
  walk: of(1, 1, 1, 1, 1, 2, 3, 4, 6, 9, 12, 16, 22, 28, 37, 44, 61, 97, 161, 195, 253, 306, 339),
  depth: of(
    1,
    2,
    2,
    14,
    80,
    177,
    362,
    695,
    996,
    1837,
    2677,
    3432,
    4300,
    4957,
    5714,
    6789,
    8467,
    11157,
    16280,
    23459,
    87916,
    130398,
    472849,
  ),
  fresh: of(1, 2, 2, 2, 2, 5, 13, 32, 52, 127, 257, 400, 607, 840, 1166, 2108, 3460, 5881, 10149, 13892, 20000, 40000, 90000),
  change: of(1, 2, 2, 2, 2, 3, 4, 8, 16, 32, 87, 165, 300, 310, 405, 500, 550, 744, 1166, 1620, 2634, 5897, 46000),
};

export const ETH_PROFILE: SynthProfile = {
  name: 'ETHUSDT',
  unit: 2.6816,
  step: 3.729e-6,
  events: 180,
  orders: 0.065,
  heat: 0.04,
  calmOrders: 0.2,
  fast: 0.64,
  slow: 0.15,
  orderKick: 1.5,
  walkKick: 12,
  lean: 0.66,
  run: 3,
  walkScale: 1.85,
  reversion: 0.25,
  closing: 0.45,
  density: 1.1,
  order: of(1, 1, 1, 3, 9, 15, 25, 41, 61, 113, 208, 412, 800, 1131, 1809, 2718, 4207, 8704, 21525, 36170, 67800, 232995, 463443),
  fill: of(1, 1, 2, 8, 8, 9, 10, 12, 14, 20, 71, 153, 344, 478, 746, 1100, 1600, 3065, 5958, 8459, 11186, 19893, 265081),
  walk: of(1, 1, 1, 1, 1, 1, 2, 2, 3, 4, 5, 7, 9, 11, 13, 16, 21, 31, 52, 67, 78, 99, 116),
  depth: of(
    1,
    9,
    15,
    44,
    338,
    982,
    2001,
    3395,
    4904,
    8903,
    13340,
    17402,
    22880,
    26130,
    29910,
    34913,
    41510,
    52736,
    66936,
    77595,
    84653,
    106597,
    300034,
  ),
  fresh: of(1, 7, 8, 11, 15, 34, 112, 256, 428, 1000, 1690, 2691, 3746, 5101, 6838, 7669, 11186, 19179, 24247, 30125, 33484, 50190, 80000),
  change: of(1, 8, 8, 8, 12, 12, 17, 60, 139, 470, 918, 1280, 1927, 2327, 2662, 3131, 3729, 6270, 8472, 14090, 17039, 25350, 70017),
};

/** The profile of a symbol by its name: learnt where there is one, else drawn from the name, so that it does not depend on its neighbours. */
export function profileOf(symbol: string): SynthProfile {
  for (const known of [BTC_PROFILE, ETH_PROFILE]) if (known.name === symbol) return known;
  let seed = 0x811c9dc5;
  for (let i = 0; i < symbol.length; i++) seed = Math.imul(seed ^ symbol.charCodeAt(i), 0x01000193);
  const random = new Random(seed);
  // Activity falls from a third of ETHUSDT's to a hundredth; quiet symbols are thinner and wilder.
  const u = random.uniform();
  const activity = 1 / (3 + 97 * u * u * u);
  const thinness = Math.sqrt(activity);
  return {
    ...ETH_PROFILE,
    name: symbol,
    events: ETH_PROFILE.events * activity,
    unit: ETH_PROFILE.unit * thinness,
    walkScale: (ETH_PROFILE.walkScale * (1 + random.uniform())) / thinness,
    lean: 0.4 + 0.3 * random.uniform(),
  };
}
