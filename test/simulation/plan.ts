/** What one seed stands for: the world, and everything that goes wrong in it, drawn before it begins. A plan can be cut down and run again. */
import type { DialectName } from '../../src/venue/names.ts';
import { Random } from '../../src/base/random.ts';
import type { OperatorCommand } from '../../src/engine/operator/command.ts';
import type { Query } from '../../src/ports/venue.ts';
import type { ListFaults } from '../support/faults/stale-lists.ts';

/** What becomes of a command on its way. */
const COMMAND_FATES = [
  'unsent',
  'lost',
  'lands late',
  'no answer',
  'answer late',
  'slow',
  'cut answer',
  'status 503 before',
  'status 503 after',
  'status 429',
  'sent twice',
  'answered twice',
  'mixed-up answer',
] as const;
export type CommandFate = (typeof COMMAND_FATES)[number];

const READ_FATES = ['no answer', 'late', 'empty', 'status 429', 'before'] as const;
export type ReadFate = (typeof READ_FATES)[number];

/** Moments at which a process can die. */
const BOUNDARIES = ['commit', 'durable', 'send', 'sent', 'heard'] as const;
export type Boundary = (typeof BOUNDARIES)[number];

export const READS = ['pending', 'history', 'positions', 'account', 'quotes'] as const satisfies readonly Query['kind'][];

const LISTS = ['pending', 'history', 'positions'] as const satisfies readonly Query['kind'][];

/** What happens to the bot, once. Times are milliseconds since the beginning; `nth` counts from 1 over the whole run. */
export type Incident =
  | { readonly kind: 'command'; readonly nth: number; readonly fate: CommandFate; readonly ms: number }
  | { readonly kind: 'read'; readonly of: (typeof READS)[number]; readonly nth: number; readonly fate: ReadFate; readonly ms: number }
  /** `kept`: of the commit that ran, all is on the disk; else its torn tail is cut off. `back`: the disk is put back by so many commits. */
  | {
      readonly kind: 'crash';
      readonly where: Boundary;
      readonly nth: number;
      readonly kept: boolean;
      readonly downMs: number;
      readonly back: number;
    }
  | { readonly kind: 'pause'; readonly at: number; readonly ms: number }
  | { readonly kind: 'clock'; readonly at: number; readonly byMs: number; readonly forMs: number }
  | { readonly kind: 'operator'; readonly at: number; readonly name: OperatorCommand['name']; readonly leg: number }
  /** `isAlike`: of exactly the size that is left of an own order of the leg, and as soon as there is one. */
  | {
      readonly kind: 'human';
      readonly at: number;
      readonly leg: number;
      readonly lots: number;
      readonly isClose: boolean;
      readonly isAlike?: true;
    }
  | { readonly kind: 'spike'; readonly at: number; readonly ticks: number; readonly forMs: number }
  | { readonly kind: 'clog'; readonly what: (typeof READS)[number] | 'commands'; readonly at: number; readonly forMs: number }
  /** A cache in front of the venue: each question of this kind has one answer for so long, the first. `isNew`: with the time of now. */
  | { readonly kind: 'frozen'; readonly what: (typeof READS)[number]; readonly at: number; readonly forMs: number; readonly isNew: boolean }
  /** The venue lists nothing of this kind for so long, less than orders take to settle. */
  | { readonly kind: 'blank'; readonly what: (typeof LISTS)[number]; readonly at: number; readonly forMs: number }
  /** The clock of the venue is set for so long; or every so manieth answer is of a server whose clock is. */
  | { readonly kind: 'venue-clock'; readonly at: number; readonly byMs: number; readonly forMs: number }
  | { readonly kind: 'server'; readonly at: number; readonly byMs: number; readonly forMs: number; readonly every: number }
  /** The configuration is changed: the process ends, and the next one trades fewer symbols, has another name, or lower limits. */
  | {
      readonly kind: 'change';
      readonly at: number;
      readonly what: 'symbol' | 'name' | 'strategy' | 'limits' | 'back';
      readonly downMs: number;
    }
  /** Redis alone: the server answers nothing, and may have lost its last seconds. */
  | { readonly kind: 'away'; readonly at: number; readonly forMs: number; readonly lostMs: number }
  /** Redis alone: a second bot with the same name is started. */
  | { readonly kind: 'second'; readonly at: number };

/** The bot takes an order that no read shows for never landed after so many times `settleMs`. */
export const HORIZON = 4;

/** A limit of all legs together that a few orders reach. */
const MOST_TOTAL = 45;

export interface Plan {
  readonly seed: number;
  readonly steps: number;
  readonly upMs: number;
  readonly downMs: number;
  /** Each message takes up to so much longer: answers overtake each other. */
  readonly jitterMs: number;
  /** Time that a commit takes; 0: it is durable on return. */
  readonly commitMs: number;
  readonly settleMs: number;
  readonly lists: ListFaults;
  /** `gone`: the control socket is full or deleted, so a halt or kill is asked for through a file beside the store. Absent: it is there. */
  readonly door?: 'gone';
  readonly strategy: 'chaos' | 'ema-cross' | 'quoter' | 'margin' | 'trades';
  /** Number of strategies that trade every symbol; absent for one. */
  readonly traders?: number;
  /** Managed trades are added to and reduced, and have targets and stops relative to their average. Absent: no. */
  readonly adjusts?: true;
  readonly hostile: 'no' | 'throws' | 'floods' | 'nonsense';
  readonly fillModel: 'touch' | 'through' | 'queue';
  readonly symbols: number;
  /** Largest value of all legs together, in lots at the first price; Infinity for no limit. */
  readonly mostTotal: number;
  readonly triggers: 'none' | 'named' | 'hidden';
  readonly brackets: boolean;
  /** Whether the venue refuses an id that was ever used, or one that an open order has. */
  readonly dupScope: 'all' | 'open';
  /** Deposit in the quote coin. */
  readonly deposit: string;
  readonly store: 'disk' | 'redis';
  /** The exchange is reached through requests and answers of this dialect; absent: command by command, without a wire. */
  readonly dialect?: DialectName;
  readonly incidents: readonly Incident[];
}

const LAGS = [0, 0, 100, 300, 800];

/** Seeds count from 1. The same seed gives the same plan. */
export function planOf(seed: number): Plan {
  const plan = firstPlanOf(seed);
  const random = new Random(Math.imul(seed, 0xc2b2ae35));
  const chance = (share: number): boolean => random.uniform() < share;
  const later: Incident[] = [];
  if (chance(0.15)) {
    const from = random.below(plan.steps * 150);
    for (const what of READS)
      if (chance(0.5))
        later.push({ kind: 'frozen', what, at: from + random.below(1_000), forMs: 2_000 + random.below(8_000), isNew: false });
  }
  // Copies that carry the time of now look true: no bot could know them for longer than orders take to settle.
  const copies = chance(0.3) ? random.below(20) : 0;
  for (let k = 0; k < copies; k++) {
    const what = chance(0.5) ? 'positions' : READS[random.below(READS.length)]!;
    later.push({ kind: 'frozen', what, at: random.below(plan.steps * 150), forMs: 200 + random.below(600), isNew: true });
  }
  const mostTotal = plan.symbols > 1 && chance(0.5) ? MOST_TOTAL : Infinity;
  // Once, and no other list is empty: two gaps without a read between them look like one that lasts.
  const isEmpty = plan.lists.damage > 0 || plan.incidents.some((one) => one.kind === 'read' && one.fate === 'empty');
  if (chance(0.2) && !isEmpty) {
    const what = chance(0.7) ? 'positions' : LISTS[random.below(LISTS.length)]!;
    const [at, forMs] = [random.below(plan.steps * 150), 400 + random.below(500)];
    // Reads of a late list and of an empty one look the same to the bot: together they do not last as long as orders take to settle.
    later.push({ kind: 'blank', what, at, forMs: Math.min(forMs, plan.settleMs - plan.lists.lagMs[what]) });
  }
  const door = chance(0.4) ? { door: 'gone' as const } : {};
  return { ...plan, ...door, mostTotal, incidents: [...plan.incidents, ...later] };
}

/** The plan without what was added later, in which the seeds of regressions are as they were. */
export function firstPlanOf(seed: number): Plan {
  const random = new Random(Math.imul(seed, 0x9e3779b1));
  const pick = <T>(...of: readonly T[]): T => of[random.below(of.length)]!;
  const chance = (share: number): boolean => random.uniform() < share;
  const steps = 10 + random.below(70);
  const isRedis = chance(0.08);
  const strategy = pick('chaos', 'chaos', 'chaos', 'chaos', 'chaos', 'quoter', 'ema-cross', 'margin');
  const lag = (): number => pick(...LAGS);
  const hasLags = chance(0.4);
  const isMargin = strategy === 'margin';
  const isPoor = !isMargin && chance(0.06);
  const plan = {
    seed,
    steps,
    upMs: random.below(120),
    downMs: random.below(120),
    jitterMs: pick(0, 0, 20, 150),
    commitMs: pick(0, 1, 5, 40),
    settleMs: 1_000,
    lists: {
      lagMs: hasLags ? { pending: lag(), history: lag(), positions: lag() } : { pending: 0, history: 0, positions: 0 },
      isSteady: pick(true, false),
      damage: chance(0.1) ? 0.05 : 0,
    },
    strategy,
    hostile: strategy === 'chaos' ? pick('no', 'no', 'no', 'no', 'no', 'no', 'no', 'throws', 'floods', 'nonsense') : 'no',
    fillModel: pick('touch', 'through', 'queue'),
    symbols: isMargin ? 1 : pick(1, 1, 2, 3),
    mostTotal: Infinity,
    triggers: strategy === 'chaos' ? pick('none', 'none', 'named', 'hidden') : 'none',
    brackets: strategy === 'chaos' && chance(0.15),
    dupScope: pick('all', 'all', 'open'),
    deposit: isPoor ? '4' : '1000000',
    store: isRedis ? 'redis' : 'disk',
  } as const;
  return { ...plan, incidents: incidentsOf(plan, random.fork(), isPoor) };
}

/** A share of worlds has many faults of one kind, others have a few of each. */
function incidentsOf(plan: Omit<Plan, 'incidents'>, random: Random, isPoor: boolean): Incident[] {
  const pick = <T>(...of: readonly T[]): T => of[random.below(of.length)]!;
  const chance = (share: number): boolean => random.uniform() < share;
  const span = plan.steps * 150;
  const incidents: Incident[] = [];
  const some = (share: number, most: number, make: () => Incident): void => {
    if (chance(share)) for (let k = 1 + random.below(most); k > 0; k--) incidents.push(make());
  };
  const at = (): number => random.below(span);
  const commands = 2 * plan.steps;
  const isRough = chance(0.25);
  some(0.6, isRough ? 30 : 6, () => ({
    kind: 'command',
    nth: 1 + random.below(isRough ? commands : Math.min(commands, 25)),
    fate: COMMAND_FATES[random.below(COMMAND_FATES.length)]!,
    ms: random.below(4_000),
  }));
  some(0.4, isRough ? 20 : 5, () => ({
    kind: 'read',
    of: READS[random.below(READS.length)]!,
    nth: 1 + random.below(60),
    fate: READ_FATES[random.below(READ_FATES.length)]!,
    ms: random.below(1_500),
  }));
  some(0.35, 3, () => ({
    kind: 'crash',
    where: BOUNDARIES[random.below(BOUNDARIES.length)]!,
    nth: 1 + random.below(40),
    kept: chance(0.5),
    downMs: random.below(3_000),
    back: 0,
  }));
  some(0.06, 1, () => ({
    kind: 'crash',
    where: BOUNDARIES[random.below(BOUNDARIES.length)]!,
    nth: 5 + random.below(40),
    kept: chance(0.5),
    downMs: random.below(3_000),
    back: 1 + random.below(12),
  }));
  some(0.1, 2, () => ({ kind: 'pause', at: at(), ms: 100 + random.below(plan.store === 'redis' ? 30_000 : 6_000) }));
  some(0.1, 2, () => ({
    kind: 'clock',
    at: at(),
    byMs: pick(-1, 1) * pick(300, 1_500, 5_000, 10_000),
    forMs: 1_000 + random.below(8_000),
  }));
  some(0.2, 3, () => ({
    kind: 'operator',
    at: at(),
    name: pick('halt', 'resume', 'cancel-all', 'flatten', 'kill', 'reduce-only', 'kill', 'flatten'),
    leg: random.below(8) - 4,
  }));
  some(0.1, 2, () => ({
    kind: 'human',
    at: at(),
    leg: random.below(2 * plan.symbols),
    lots: 1 + random.below(10),
    isClose: chance(0.5),
  }));
  some(isPoor ? 1 : 0.03, 2, () => ({
    kind: 'spike',
    at: at(),
    ticks: pick(-1, 1) * (300 + random.below(2_000)),
    forMs: random.below(4_000),
  }));
  some(0.1, 3, () => ({ kind: 'clog', what: pick(...READS, 'commands'), at: at(), forMs: 500 + random.below(5_000) }));
  // Commands without an answer, and then no read that could say what became of them.
  if (chance(0.1)) {
    const from = at();
    for (const what of ['commands', 'pending', 'history', 'positions'] as const)
      if (chance(0.8)) incidents.push({ kind: 'clog', what, at: from + random.below(1_000), forMs: 1_000 + random.below(11_000) });
  }
  if (plan.store === 'redis') {
    some(0.5, 2, () => ({ kind: 'away', at: at(), forMs: 100 + random.below(6_000), lostMs: pick(0, 0, 1_000) }));
    some(0.8, 2, () => ({ kind: 'second', at: at() }));
    // Longer than the lease.
    some(0.8, 3, () => ({ kind: 'pause', at: 8_000 + at(), ms: 4_000 + random.below(20_000) }));
  }
  return incidents;
}
