/** Strategies for the judge of bars: what each gives at a close, knowing its position and the prices so far, and nothing else. */
import type { Random } from '../../../src/base/random.ts';
import type { TwinCommand, TwinOrder } from './twin.ts';

export interface Seen {
  readonly time: number;
  readonly close: number;
  /** Lots of LONG and SHORT. */
  readonly held: readonly number[];
  readonly orders: readonly TwinOrder[];
  readonly random: Random;
  /** Number of the next order. */
  readonly next: () => number;
}

export interface JudgedStrategy {
  readonly name: string;
  /** At most one order can be reached inside a bar: then the path makes no difference. */
  readonly isSingle: boolean;
  /** Only market orders at closes: what it earns on noise is chance. */
  readonly isPlain?: true;
  /** Two trailing stops in one bar, for which the paths are no bounds: a few bars may end outside. */
  readonly isLoose?: true;
  readonly act: (seen: Seen) => TwinCommand[];
}

const LOTS = 10;
const NO_ORDER = { symbol: 0, isOpen: true, price: 0, lots: LOTS, isPostOnly: false, trigger: 0, takeProfit: 0, stopLoss: 0, trail: 0 };

const order = (seen: Seen, given: Partial<TwinCommand>): TwinCommand => ({
  ...NO_ORDER,
  kind: 'place',
  time: seen.time,
  side: 0,
  ref: seen.next(),
  ...given,
});
const away = ({ random }: Seen, most: number): number => 1 + random.below(most);
const cancels = (seen: Seen): TwinCommand[] =>
  seen.orders.map(({ ref, symbol, side, isOpen }) => ({ ...NO_ORDER, kind: 'cancel', time: seen.time, ref, symbol, side, isOpen }));
const closes = (seen: Seen): TwinCommand[] =>
  [0, 1].flatMap((side) => (seen.held[side]! > 0 ? [order(seen, { side, isOpen: false, lots: seen.held[side]! })] : []));
const isFlat = ({ held }: Seen): boolean => held[0] === 0 && held[1] === 0;
/** +1 and −1 for up and down from a leg's side. */
const sign = (side: number): number => 1 - 2 * side;

/** Closes what is held, or enters: one trade at a time, with what `entry` gives for a side. */
const inTurn = (name: string, isSingle: boolean, entry: (seen: Seen, side: number) => Partial<TwinCommand>): JudgedStrategy => ({
  name,
  isSingle,
  act: (seen) => {
    const side = seen.random.below(2);
    return [...cancels(seen), ...(isFlat(seen) ? [order(seen, { side, ...entry(seen, side) })] : closes(seen))];
  },
});

/** Closes what is held and enters on both sides at once. */
const bothSides = (name: string, entry: (seen: Seen, side: number) => Partial<TwinCommand>): JudgedStrategy => ({
  name,
  isSingle: false,
  act: (seen) => [...closes(seen), ...[0, 1].map((side) => order(seen, { side, ...entry(seen, side) }))],
});

export const JUDGED: readonly JudgedStrategy[] = [
  { ...inTurn('market orders at closes', true, () => ({})), isPlain: true },
  {
    name: 'markets that follow the last move',
    isSingle: true,
    isPlain: true,
    act: (seen) => (isFlat(seen) ? [order(seen, { side: seen.close % 2 })] : closes(seen)),
  },
  inTurn('limits', true, (seen, side) => ({ price: seen.close - sign(side) * away(seen, 12) })),
  {
    name: 'limits in and out',
    isSingle: true,
    act: (seen) => {
      const side = seen.held[1]! > 0 || (isFlat(seen) && seen.random.below(2) === 1) ? 1 : 0;
      const lots = seen.held[side]!;
      const price = seen.close + (lots > 0 ? 1 : -1) * sign(side) * away(seen, 10);
      return [...cancels(seen), order(seen, { side, isOpen: lots === 0, lots: lots || LOTS, price })];
    },
  },
  inTurn('stop entries', true, (seen, side) => ({ kind: 'trigger', trigger: seen.close + sign(side) * away(seen, 12) })),
  inTurn('markets with a stop', true, (seen, side) => ({ stopLoss: seen.close - sign(side) * (1 + away(seen, 12)) })),
  inTurn('markets with a target', true, (seen, side) => ({ takeProfit: seen.close + sign(side) * (1 + away(seen, 12)) })),
  inTurn('markets with a bracket', false, (seen, side) => bracket(seen, side, seen.close)),
  inTurn('markets with a trail', false, (seen) => ({ trail: 2 + away(seen, 10) })),
  inTurn('limits with a bracket', false, (seen, side) => {
    const price = seen.close - sign(side) * away(seen, 8);
    return { price, ...bracket(seen, side, price) };
  }),
  inTurn('stop entries with a bracket', false, (seen, side) => {
    const trigger = seen.close + sign(side) * away(seen, 8);
    return { kind: 'trigger', trigger, ...bracket(seen, side, trigger) };
  }),
  inTurn('stop entries with a trail', false, (seen, side) => ({
    kind: 'trigger',
    trigger: seen.close + sign(side) * away(seen, 8),
    trail: 2 + away(seen, 10),
  })),
  inTurn('limits with a trail', false, (seen, side) => ({ price: seen.close - sign(side) * away(seen, 8), trail: 2 + away(seen, 10) })),
  bothSides('both sides with brackets', (seen, side) => bracket(seen, side, seen.close)),
  bothSides('both sides with tight brackets', (seen, side) => ({
    stopLoss: seen.close - sign(side) * 2,
    takeProfit: seen.close + sign(side) * 5,
  })),
  { ...bothSides('both sides with trails', (seen) => ({ trail: 2 + away(seen, 10) })), isLoose: true },
  {
    name: 'grids of four limits with targets',
    isSingle: false,
    act: (seen) => {
      const rung = (k: number): TwinCommand => {
        const side = k % 2;
        const price = seen.close - sign(side) * (3 + 4 * Math.floor(k / 2));
        return order(seen, { side, price, takeProfit: price + sign(side) * 3 });
      };
      return [...cancels(seen), ...closes(seen), ...[0, 1, 2, 3].map(rung)];
    },
  },
];

function bracket(seen: Seen, side: number, entry: number): Partial<TwinCommand> {
  return { stopLoss: entry - sign(side) * (1 + away(seen, 10)), takeProfit: entry + sign(side) * (1 + away(seen, 10)) };
}
