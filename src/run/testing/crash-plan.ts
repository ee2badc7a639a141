/** Draws from the seed of a crashtest what goes wrong in one run: in the market, on the way to the venue, and in its answers. */
import { Random } from '../../base/random.ts';

/** `at` is a share of the rows; `rows` how many it takes; `size` a share of the price. */
export type MarketIncident =
  | { readonly kind: 'gap'; readonly at: number; readonly size: number }
  | { readonly kind: 'spike'; readonly at: number; readonly rows: number; readonly size: number }
  | { readonly kind: 'halt'; readonly at: number; readonly ms: number }
  | { readonly kind: 'crossed' | 'locked' | 'no-bids' | 'no-asks'; readonly at: number; readonly rows: number }
  | { readonly kind: 'wide' | 'thin'; readonly at: number; readonly rows: number };

export interface CrashPlan {
  readonly seed: number;
  /** Length of the market before it is stretched, and by how much. */
  readonly seconds: number;
  readonly stretch: number;
  readonly incidents: readonly MarketIncident[];
  /** Share of the commands and of the reads with which something goes wrong. */
  readonly commandFaults: number;
  readonly readFaults: number;
}

/** Seeds count from 1. The same seed gives the same plan. The first one has a calm market and no faults. */
export function crashPlanOf(seed: number): CrashPlan {
  const random = new Random(Math.imul(seed, 0x9e3779b1));
  const pick = <T>(...of: readonly T[]): T => of[random.below(of.length)]!;
  const isCalm = seed === 1;
  const incidents = isCalm ? [] : Array.from({ length: 2 + random.below(7) }, () => incidentOf(random));
  return {
    seed,
    seconds: 60 + random.below(60),
    stretch: isCalm ? 1 : pick(1, 1, 4, 20),
    incidents: incidents.sort((a, b) => a.at - b.at),
    commandFaults: isCalm ? 0 : pick(0, 0.02, 0.1, 0.3),
    readFaults: isCalm ? 0 : pick(0, 0, 0.02, 0.1),
  };
}

function incidentOf(random: Random): MarketIncident {
  const at = 0.05 + 0.9 * random.uniform();
  const rows = 1 + random.below(40);
  const size = (random.below(2) === 0 ? 1 : -1) * (0.001 + 0.03 * random.uniform());
  const kinds = ['gap', 'spike', 'halt', 'crossed', 'locked', 'no-bids', 'no-asks', 'wide', 'thin'] as const;
  const kind = kinds[random.below(kinds.length)]!;
  switch (kind) {
    case 'gap':
      return { kind, at, size };
    case 'spike':
      return { kind, at, rows: 1 + random.below(3), size: 4 * size };
    case 'halt':
      return { kind, at, ms: 1_000 + random.below(20_000) };
    case 'crossed':
    case 'locked':
    case 'no-bids':
    case 'no-asks':
    case 'wide':
    case 'thin':
      return { kind, at, rows };
  }
}
