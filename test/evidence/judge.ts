/**
 * Three judges of the solver: every world of a small leg (is the answer exact?), the truth of large legs, and the books of the exchange in
 * the simulation (is the truth inside, and does the solver know of a fill as soon as the bot tells it?).
 */
import { START } from '../support/engine-kit.ts';
import { planOf, type Plan } from '../simulation/plan.ts';
import { run } from '../simulation/verdict.ts';
import type { Simulation } from '../simulation/world.ts';
import { everyWorld } from './every-world.ts';
import type { LegFacts } from './facts.ts';
import { Shadow } from './shadow.ts';
import { solveLeg } from './solve-leg.ts';
import { randomWorld, type Size } from './worlds.ts';

/** Small enough to go through every world. */
const SMALL: Size = { orders: 3, lots: 3, facts: 5, time: 6, lag: 2 };
const LARGE: Size = { orders: 8, lots: 30, facts: 25, time: 60, lag: 12 };
/** Steps of search for each end of a range: small legs are settled, large ones stay fast. */
const FULL_BUDGET = 2_000;
const BUDGET = 20;
/** Small legs with more states than this are left out. */
const MOST_STATES = 30_000;

/** What was wrong, by a line with its seed each. */
export interface Compared {
  worlds: number;
  /** Worlds left out: too many states. */
  leftOut: number;
  /** Ranges whose ends the search did not settle. */
  unsettled: number;
  readonly unsound: string[];
  readonly wide: string[];
}

/** Small legs by seed, solved and gone through: both must name the same ends. */
export function compareWithEveryWorld(from: number, count: number): Compared {
  const sum: Compared = { worlds: 0, leftOut: 0, unsettled: 0, unsound: [], wide: [] };
  for (let seed = from; seed < from + count; seed++) {
    const { leg } = randomWorld(seed, SMALL);
    const found = everyWorld(leg, MOST_STATES);
    if (found === 'too many' || found === null) {
      sum.leftOut++;
      continue;
    }
    sum.worlds++;
    const { fills, position } = solveLeg(leg, FULL_BUDGET);
    for (const [k, { lo, hi, isExact }] of [...fills, position].entries()) {
      const [least, most] = found.fills[k] ?? found.position;
      const text = `seed ${seed}, ${k < fills.length ? `order ${k}` : 'position'}: ${lo} to ${hi}, every world: ${least} to ${most}`;
      if (!isExact) sum.unsettled++;
      if (lo > least || hi < most || Number.isNaN(lo)) sum.unsound.push(text);
      else if (lo < least || hi > most) sum.wide.push(text);
    }
  }
  return sum;
}

/** Large legs by seed: the truth must be inside. */
export function compareWithTruth(from: number, count: number): Compared {
  const sum: Compared = { worlds: 0, leftOut: 0, unsettled: 0, unsound: [], wide: [] };
  for (let seed = from; seed < from + count; seed++) {
    const { leg, truth } = randomWorld(seed, LARGE);
    sum.worlds++;
    const { isPossible, fills } = solveLeg(leg, BUDGET);
    if (!isPossible) sum.unsound.push(`seed ${seed}: no world`);
    for (const [k, { lo, hi, isExact }] of fills.entries()) {
      if (!isExact) sum.unsettled++;
      if (!(lo <= truth[k]! && truth[k]! <= hi)) sum.unsound.push(`seed ${seed}, order ${k}: ${lo} to ${hi}, in truth ${truth[k]}`);
    }
  }
  return sum;
}

export interface InSimulation {
  worlds: number;
  /** Seeds whose worlds have what the solver does not know yet. */
  leftOut: number;
  solved: number;
  unsettled: number;
  /** Reads after which solver and bot knew the same least fill of an order, the solver more, or the bot more. */
  same: number;
  earlier: number;
  later: number;
  readonly unsound: string[];
}

/** Worlds without triggers, brackets, other parties, and lists that are wrong for longer than the lag. */
function isCovered(plan: Plan): boolean {
  if (plan.triggers !== 'none' || plan.brackets || plan.lists.damage > 0) return false;
  return plan.incidents.every(
    (one) =>
      !['blank', 'human', 'spike'].includes(one.kind) &&
      !(one.kind === 'read' && one.fate === 'empty') &&
      !(one.kind === 'frozen' && one.isNew),
  );
}

/** Longest time that the lists of a simulated venue lag: its lag, and the time between two looks at it. */
const LAG_MS = 1_200;

/** Solves what the bots of these seeds hear, beside them. */
export async function compareInSimulation(from: number, count: number): Promise<InSimulation> {
  const sum: InSimulation = { worlds: 0, leftOut: 0, solved: 0, unsettled: 0, same: 0, earlier: 0, later: 0, unsound: [] };
  for (let seed = from; seed < from + count; seed++) {
    const plan = planOf(seed);
    if (!isCovered(plan)) {
      sum.leftOut++;
      continue;
    }
    sum.worlds++;
    await run(plan, false, (world) => attach(world, seed, sum));
  }
  return sum;
}

function attach(world: Simulation, seed: number, sum: InSimulation): void {
  const { ledger } = world;
  const shadow = new Shadow(world.instruments, LAG_MS);
  let known: { readonly id: string; readonly lo: number }[] = [];
  let isOver = false;
  const wrong = (text: string, leg: LegFacts): void => {
    isOver = true;
    sum.unsound.push(`seed ${seed} after ${world.time - START} ms: ${text} ${JSON.stringify(needed(leg), sinceStart)}`);
  };
  world.network.listener = {
    leaving: (command, id, target) => shadow.sent(command, id, target, world.time),
    accepted: (id) => shadow.accepted(id, world.time),
    refused: (id, why) => shadow.refused(id, why),
    answered(query, answer, answered, idOf) {
      if (ledger.liquidations > 0) isOver = true;
      if (isOver) return;
      const told = world.bot?.told;
      for (const { id, lo } of told === undefined ? [] : known) {
        const lots = told!.get(id) ?? 0;
        if (lots === lo) sum.same++;
        else if (lots < lo) sum.earlier++;
        else sum.later++;
      }
      known = [];
      for (const leg of shadow.heard(query, answer, answered, idOf)) {
        const facts = shadow.facts(leg, world.time);
        const solution = solveLeg(facts, BUDGET);
        sum.solved++;
        if (!solution.isPossible) return wrong('no world', facts);
        for (const [k, { ids }] of leg.chains.entries()) {
          const { lo, hi, isExact } = solution.fills[k]!;
          const truth = ids.reduce((lots, id) => lots + (ledger.filled.get(id) ?? 0), 0);
          if (!isExact) sum.unsettled++;
          if (truth < lo || truth > hi) return wrong(`${ids.join(' ')} filled ${truth}, not ${lo} to ${hi}`, facts);
          if (ids.length === 1) known.push({ id: ids[0]!, lo });
        }
        shadow.fold(leg, solution);
      }
    },
  };
}

/** The same without the facts that a contradiction does not need. */
function needed(leg: LegFacts): LegFacts {
  let { facts } = leg;
  for (const fact of leg.facts) {
    const fewer = facts.filter((one) => one !== fact);
    if (!solveLeg({ ...leg, facts: fewer }, BUDGET).isPossible) facts = fewer;
  }
  return { ...leg, facts };
}

function sinceStart(_key: string, value: unknown): unknown {
  return typeof value === 'number' && value >= START ? value - START : value;
}
