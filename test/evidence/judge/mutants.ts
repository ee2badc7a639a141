/**
 * Known ways to break the solver, and whether the judges find each: a range outside of which a world lies, or a range that is wider than
 * that of the solver as it is. The files of the solver import nothing else, so a mutant is a copy of their folder.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { everyWorld, type Ends } from './every-world.ts';
import { BUDGET, FULL_BUDGET, LARGE, MOST_STATES, SMALL } from './judge.ts';
import { randomWorld } from './worlds.ts';
import type { LegFacts } from '../solver/facts.ts';
import { solveLeg, type Solution } from '../solver/solve-leg.ts';

const SOLVER = join(import.meta.dirname, '../solver');

export interface SolverMutant {
  readonly name: string;
  readonly file: string;
  /** What stands there once, and what stands there instead. */
  readonly was: string;
  readonly is: string;
}

const of =
  (file: string) =>
  (name: string, was: string, is: string): SolverMutant => ({ name, file, was, is });
const rows = of('solve-leg.ts');
const lives = of('lives.ts');
const system = of('integer-system.ts');

export const SOLVER_MUTANTS: readonly SolverMutant[] = [
  rows('an order has ended before its end', 'since: endedBy + INSIDE, lo: 0', 'since: endedBy - 1, lo: 0'),
  rows('an order that was cancelled may have filled all', '0, size - 1);', '0, size);'),
  rows('an order that was seen untouched may have filled', "if (fact.kind === 'untouched') this.#none(order, fact.answered);", "if (fact.kind === 'untouched') return;"),
  rows('an order that filled had filled before', 'updatedAt + INSIDE, most, most', 'updatedAt - 2, most, most'),
  rows('the widest record of an end counts', 'final.hi = Math.min(final.hi, hi);', 'final.hi = Math.max(final.hi, hi);'),
  rows('the least that ends filled does not count', 'final.lo = Math.max(final.lo, lo);', ''),
  rows('what ended is known from its last record on', 'final.since = Math.min(final.since, since);', 'final.since = Math.max(final.since, since);'),
  rows('an order with an average price filled nothing', 'least: Math.max(1, least)', 'least: 0'),
  rows('an order that has not ended filled all', 'most: Math.min(all - 1, most ?? all)', 'most: most ?? all'),
  rows('a record is of the time of its answer', 'answered - this.#leg.lag)', 'answered)'),
  rows('a record shows nothing of its update time', 'Math.max(this.#heldTo(updatedAt), answered - this.#leg.lag)', 'answered - this.#leg.lag'),
  rows('an order that was replaced is still there', "status === 'replaced' ? updatedAt : ", ''),
  rows('no read falls into a millisecond, ever', 'this.#leg.isWhole === true', 'this.#leg !== null'),
  rows('a read always falls into a millisecond', 'this.#leg.isWhole === true', 'this.#leg === null'),
  rows('what filled the order had filled before', "if (status === 'filled') this.#fills", 'if (updatedAt < 0) this.#fills'),
  rows('a fill that a record shows may be older', "if (status === 'new' && since", 'if (since < 0 && since'),
  rows('a read does not show how much is held', 'until, total, total);', 'until);'),
  rows('nothing is known of the time when a position was made', 'if (createdAt > this.#leg.begun) {', 'if (createdAt > Infinity) {'),
  rows('a leg held something before its position was made', 'createdAt + INSIDE, createdAt, 0, 0)', 'createdAt + INSIDE, createdAt)'),
  rows('a leg held nothing after its position was made', 'createdAt + INSIDE, createdAt, 1)', 'createdAt + INSIDE, createdAt)'),
  rows('a position may be older than its update', 'record.updatedAt + INSIDE, until', 'record.updatedAt - 1, until'),
  rows('a position is of the time of its answer', 'Math.max(this.#heldTo(record.updatedAt), record.answered - lag)', 'Math.max(this.#heldTo(record.updatedAt), record.answered)'),
  rows('lists without a leg are all of now', 'answered + 1, first - this.#leg.lag', 'answered + 1, first'),
  rows('lists without a leg are all of the first', 'answered + 1, first - this.#leg.lag', 'first - this.#leg.lag, first - this.#leg.lag'),
  rows('an order that may have failed was there', 'isSure && createdBy < from', 'createdBy < from'),
  rows('an order that was there is there', 'if (isThere && endedFrom > to) {', 'if (isThere) {'),
  rows('what had ended fills on', '[-1, amount], [size, isEnded]], -Infinity, size)', '[-1, amount], [size, isEnded]], -Infinity, 2 * size)'),
  rows('exits close more than their orders filled', '-Infinity, within.more);', '-Infinity, within.more + 1);'),
  rows('exits close less than their orders filled', '-Infinity, within.more);', '-Infinity, within.more - 1);'),
  rows('both triggers of one order filled', 'this.#choose(choice, moment);', 'void choice;'),
  rows('a record shows less than there was', 'this.#order(point, record);', ''),
  rows('a record shows more than there is', 'this.#order(record, point);', ''),
  rows('a fill adds nothing', 'system.atMost(amount, fill.amount, 1)', 'system.atMost(amount, fill.amount)'),
  rows('a fill is the first one', 'if (since <= fill.time) system', 'system'),
  rows('all points are in the order in which they are listed', 'if (first.since <= second.until) this', 'this'),
  rows('moments are not in order', 'if (a === b || ', 'if (a >= 0 || a === b || '),
  rows('moments of one time are not in order', '&& isBefore[c]![b]! && !isBefore[c]![a]! && !isBefore[b]![c]!', '&& isBefore[c]![b]! && c !== a && c !== b'),
  lives('a history without an order is of now', "fact.first - lag);", 'fact.first);'),
  lives('an order that was cancelled lives on', "if (fact.kind === 'cancelled') life.endedBy = Math.min(life.endedBy, fact.answered);", ''),
  lives('an order was there before it was made', 'life.createdFrom = Math.max(life.createdFrom, fact.createdAt);', ''),
  lives('a record that is not listed any more was open then', 'fact.answered - lag);', 'fact.answered);'),
  lives('an order that is not pending has ended', 'if (life.createdBy < since) life', 'life'),
  lives('an order that is not pending has not come to be', 'if (life.endedFrom > answered) life', 'life'),
  lives('an order that is not pending ended before the list', 'life.endedBy = Math.min(life.endedBy, answered)', 'life.endedBy = Math.min(life.endedBy, since)'),
  lives('an order that traded may still be modified', 'if (isTraded) return sizes[version]!;', ''),
  lives('a record does not show that an order came to be', "if (fact.kind === 'order' || fact.kind === 'cancelled') life.isSure = true;", ''),
  system('what others leave is rounded up', 'const above = Math.floor(', 'const above = Math.ceil('),
  system('what others leave is rounded up, below', 'const below = Math.floor(', 'const below = Math.ceil('),
  system('the least of a negative term is its least value', 'least += factor > 0 ? low : high;', 'least += low;'),
  system('a row that was narrowed is not looked at again', 'if (this.#isQueued[other] !== 0) continue;', 'if (other >= 0) continue;'),
  system('no solution below the one that was met', '[lo, value - 1],', '[value, value],'),
  system('what was not found within the budget is not there', 'if (found === NO) lo = mid + 1;', 'if (found !== YES) lo = mid + 1;'),
]; // prettier-ignore

/** The text of the file with the mutant; null if the pattern does not stand there once. */
export function mutated({ file, is, was }: SolverMutant): string | null {
  const text = readFileSync(join(SOLVER, file), 'utf8');
  const parts = text.split(was);
  return parts.length === 2 ? parts.join(is) : null;
}

interface Case {
  readonly leg: LegFacts;
  readonly budget: number;
  /** The least and greatest of every world, or the truth alone. */
  readonly ends: Ends;
  readonly width: number;
}

/** Small worlds with their ends, and large ones with the truth: so many of each, from seed `from` on. */
export function casesOf(from: number, small: number, large: number): Case[] {
  const cases: Case[] = [];
  const add = (leg: LegFacts, budget: number, ends: Ends): number =>
    cases.push({ leg, budget, ends, width: widthOf(solveLeg(leg, budget)) });
  for (let seed = from; seed < from + Math.max(small, large); seed++)
    for (const isWhole of [false, true]) {
      if (seed < from + small) {
        const { leg } = randomWorld(seed, { ...SMALL, isWhole });
        const ends = everyWorld(leg, MOST_STATES);
        if (ends !== null && ends !== 'too many') add(leg, FULL_BUDGET, ends);
      }
      if (seed >= from + large) continue;
      const { leg, truth } = randomWorld(seed, { ...LARGE, isWhole });
      const total = leg.orders.reduce((sum, { effect }, k) => sum + effect * truth[k]!, leg.start);
      add(leg, BUDGET, { fills: truth.map((lots) => [lots, lots] as const), position: [total, total] });
    }
  return cases;
}

function widthOf({ fills, position }: Solution): number {
  return [...fills, position].reduce((sum, { hi, lo }) => sum + hi - lo, 0);
}

/** How the mutant is found, or null. */
export async function findMutant(mutant: SolverMutant, cases: readonly Case[]): Promise<string | null> {
  const text = mutated(mutant);
  if (text === null) throw new Error(`${mutant.name}: expected "${mutant.was}" once in ${mutant.file}`);
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-solver-'));
  try {
    cpSync(SOLVER, folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, mutant.file), text);
    const broken = (await import(pathToFileURL(join(folder, 'solve-leg.ts')).href)) as { solveLeg: typeof solveLeg };
    let wider = 0;
    for (const [k, { budget, ends, leg, width }] of cases.entries()) {
      const solution = broken.solveLeg(leg, budget);
      const isOutside = [...solution.fills, solution.position].some(({ hi, lo }, i) => {
        const [least, most] = ends.fills[i] ?? ends.position;
        return !(lo <= least && most <= hi);
      });
      if (isOutside) return `unsound in case ${k}`;
      if (widthOf(solution) > width) wider++;
    }
    return wider > 0 ? `wider in ${wider} of ${cases.length} cases` : null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
