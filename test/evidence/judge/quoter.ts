/** A leg of a quoter: many orders at once that no record has decided, and reads of the position meanwhile. */
import { Random } from '../../../src/base/random.ts';
import { CLOSE, OPEN, type Fact, type LegFacts, type OwnOrder } from '../solver/facts.ts';

const START = 5_000;
const READS = 6;
/** Milliseconds between two orders, and between two reads of the position that are kept. */
const EVERY_MS = 60;
const READ_MS = 900;
const LAG_MS = 2_100;

/** So many orders, opens and closes in turn, of which one in four fills. `truth`: lots that each has filled. */
export function quoterLeg(count: number, seed: number): { readonly leg: LegFacts; readonly truth: readonly number[] } {
  const random = new Random(seed);
  const orders = Array.from({ length: count }, (_, k): OwnOrder => {
    const from = 1_000 + k * EVERY_MS;
    return { effect: k % 2 === 0 ? OPEN : CLOSE, size: 1 + random.below(10), from, by: from + 40 };
  });
  // One lot a millisecond.
  const fills = orders.map(({ from, size }) => {
    const first = from + 50 + random.below(3_000);
    return random.below(4) > 0 ? [] : Array.from({ length: 1 + random.below(size) }, (_, k) => first + k);
  });
  const now = 1_000 + count * EVERY_MS + 500;
  const filledBy = (k: number, time: number): number[] => fills[k]!.filter((at) => at < time);
  const facts: Fact[] = [];
  for (let read = 0; read < READS; read++) {
    const time = now - 100 - read * READ_MS;
    const total = orders.reduce((sum, { effect }, k) => sum + effect * filledBy(k, time).length, START);
    const updatedAt = Math.max(0, ...fills.flat().filter((at) => at < time));
    facts.push({ kind: 'position', answered: time + 100, total, createdAt: 0, updatedAt, locked: -1, opening: -1 });
  }
  for (const [order, { from, size }] of orders.entries()) {
    const time = now - READ_MS - random.below(800);
    const [createdAt, filled] = [from + 20, filledBy(order, time)];
    if (createdAt > time) continue;
    const status = filled.length === size ? 'filled' : 'new';
    facts.push({
      kind: 'order',
      answered: time + 50,
      order,
      status,
      isTraded: filled.length > 0,
      createdAt,
      updatedAt: filled.at(-1) ?? createdAt,
    });
  }
  return { leg: { orders, facts, start: START, begun: 500, lag: LAG_MS, now }, truth: orders.map((_, k) => filledBy(k, now + 1).length) };
}
