/** Judges the worlds of fault-world.ts, and creates worlds by number. The simulator's ledger decides, never the bot's own state. */
import { Random } from '../../../src/base/random.ts';
import { CLOSE, OPEN } from '../../../src/domain/codes.ts';
import { FaultRun, type FaultWorld } from './fault-world.ts';

export interface Verdict {
  /** Empty if nothing was wrong. */
  readonly problems: readonly string[];
  readonly placed: number;
  readonly filled: number;
  /** Orders without proof of their filled size: less was reported than filled, and the bot reported that. */
  readonly undecided: number;
}

/** Runs the world until it is at rest. */
export function judge(world: FaultWorld): Verdict {
  const run = new FaultRun(world);
  run.trade();
  run.rest();
  const { judge: ledger, kernel, log } = run;
  const problems = [
    ...ledger.breaches.slice(0, 1).map((text) => `limit passed at ${text}`),
    ...ledger.wrong.slice(0, 1).map((text) => `told a fill that was not at ${text}`),
    ...run.uncounted.slice(0, 1).map((text) => `exposure not counted: ${text}`),
    ...run.unlike.slice(0, 1),
  ];
  const should = (what: string, found: unknown, expected: unknown): void => {
    if (JSON.stringify(found) !== JSON.stringify(expected))
      problems.push(`${what}: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
  };
  const status = kernel.status();
  should(
    'legs',
    kernel.markets.flatMap((market) => [market.long.lots, market.short.lots]),
    run.truth(),
  );
  should('trigger orders that wait', run.waiting(), []);
  // The market stands still by now, so an order may have found no counterparty.
  const resting = run.resting();
  for (const market of kernel.markets) {
    const here = resting.filter(({ instrument }) => instrument === market.index);
    const live = here.map((one) => `${one.tag} working`).reverse();
    should(
      `live orders of ${market.symbol}`,
      market.orders.map((one) => `${one.number} ${one.state}`),
      world.strategy === 'chaos' ? [] : live,
    );
    for (const [side, leg] of [market.long, market.short].entries()) {
      const left = (effect: number): number =>
        here.reduce((sum, one) => (one.side === side && one.effect === effect ? sum + one.size - one.filled : sum), 0);
      should(
        'exposure',
        [leg.opening, leg.closing].map((size) => Math.round(size / market.lot)),
        [left(OPEN), left(CLOSE)],
      );
    }
  }
  should('quiet', kernel.isQuiet, true);
  should('open outcomes and halts', [status.unknownOutcomes, status.halts, status.haltedAll], [0, [], '']);
  const told = log.lines.filter(({ level }) => level !== 'info').map(({ event }) => event);
  const amiss = told.filter((event) => /^(strategy-error|id-collision|external|duplicate-order)$/.test(event));
  should('alarms', [...new Set(amiss)], []);
  const admitted = new Set(log.lines.flatMap(({ event, fields }) => (event === 'fills-undecided' ? (fields['orders'] as number[]) : [])));
  const unreported = ledger.unreported();
  should(
    'fills never told',
    unreported.filter(([seq]) => !admitted.has(seq)),
    [],
  );
  // For two similar trigger orders no record shows which one filled: their fills are reported without price and fee.
  const isPriced = run.records.every(({ kind, data }) => kind !== 'fill' || data['ticks'] !== 0);
  if (unreported.length === 0 && isPriced) should('profit less fees as the limits of loss count it', run.counted(), ledger.result);
  return { problems, placed: ledger.placed, filled: ledger.filled.size, undecided: unreported.length };
}

/** A short schedule: orders, modifies and cancels that race with fills, on lists that lag by less than a second. */
export function scheduleOf(seed: number): FaultWorld {
  const random = new Random(seed);
  const pick = <T>(...of: readonly T[]): T => of[random.below(of.length)]!;
  const lag = (): number => pick(0, 0, 100, 300, 800);
  return {
    seed: random.below(2 ** 31),
    upMs: random.below(120),
    downMs: random.below(120),
    rate: 0,
    lists: { lagMs: { pending: lag(), history: lag(), positions: lag() }, isSteady: pick(true, false), damage: 0 },
    blockages: false,
    life: Infinity,
    steps: 10 + random.below(50),
    strategy: pick('chaos', 'chaos', 'quoter'),
    fillModel: pick('touch', 'through', 'queue'),
    settleMs: 1_000,
    symbols: pick(1, 1, 2, 3),
    triggers: pick('none', 'none', 'named', 'hidden'),
  };
}

const LAGS = [0, 300, 1_000, 3_000, 10_000];

/** Creates the world of this number: any of the faults, alone or together. */
export function worldOf(seed: number): FaultWorld {
  const random = new Random(seed);
  const pick = <T>(...of: readonly T[]): T => of[random.below(of.length)]!;
  const [isLate, isFaulty] = pick([false, false], [true, false], [false, true], [true, true], [true, true]);
  const lag = (): number => (isLate ? pick(...LAGS) : 0);
  return {
    seed: random.below(2 ** 31),
    upMs: random.below(120),
    downMs: random.below(120),
    rate: isFaulty ? pick(0, 0.02, 0.1, 0.3) : 0,
    lists: {
      lagMs: { pending: lag(), history: lag(), positions: lag() },
      isSteady: pick(true, false),
      damage: isFaulty ? pick(0, 0.05, 0.2) : 0,
    },
    blockages: isFaulty && random.below(4) === 0,
    life: isFaulty ? pick(Infinity, Infinity, 150, 60, 40) : Infinity,
    steps: 40 + random.below(260),
    strategy: pick('chaos', 'chaos', 'ema-cross', 'quoter'),
    fillModel: pick('touch', 'through', 'queue'),
    symbols: pick(1, 1, 2, 3),
    triggers: pick('none', 'none', 'named', 'hidden'),
  };
}

/** The same with late lists of positions and many kills; the first answers after each start are copies of old ones. */
export function copiesOf(seed: number): FaultWorld {
  const random = new Random(seed);
  const pick = <T>(...of: readonly T[]): T => of[random.below(of.length)]!;
  return {
    ...worldOf(seed),
    rate: 0.02,
    life: pick(20, 30, 40),
    lists: {
      lagMs: { pending: pick(0, 1_000), history: 300, positions: pick(3_000, 10_000) },
      isSteady: pick(true, true, true, false),
      damage: 0.1,
      copiesMs: pick(3_000, 6_000, 9_000),
    },
  };
}
