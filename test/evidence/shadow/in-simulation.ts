/**
 * Solves what the bots of a simulation hear, beside them. The books of the exchange say whether the truth is inside, and the bot's own rules
 * are compared: the range of each order and of each leg, and how soon a fill is known.
 */
import { START } from '../../support/engine/engine-kit.ts';
import { FUTURES } from '../../../src/sim/state/kinds.ts';
import { orderIdOf } from '../../../src/sim/state/ids/wire-ids.ts';
import { HORIZON, type Plan } from '../../simulation/plan.ts';
import { run } from '../../simulation/verdict.ts';
import type { Simulation } from '../../simulation/world/world.ts';
import type { LegFacts } from '../solver/facts.ts';
import type { Compared } from './compared.ts';
import { isEnded, NEVER, provenOf, type Chain } from './chain.ts';
import { LEVELS, type LegShadow, type Level } from './leg-shadow.ts';
import { OldRules } from './old-rules.ts';
import { Shadow } from './shadow.ts';
import { solveLeg, type Solution } from '../solver/solve-leg.ts';

/** Longest time that the lists of a simulated venue lag: a lag of 0.8 s, copies of 0.8 s with the time of now, and the pause between two looks. */
const LAG_MS = 2_100;
/** Steps of search for each end of a range. */
const BUDGET = 20;
/** At these nothing that is known explains the leg. */
const OTHERS: readonly Level[] = ['others', 'late', 'unlisted', 'records'];

export async function compareInSimulation(plan: Plan, sum: Compared): Promise<void> {
  sum.seeds++;
  const watch = new Watch(plan, sum);
  const { problems } = await run(plan, false, (world) => watch.attach(world));
  watch.end();
  const broken = problems.find(({ text }) => text.startsWith('the run broke'));
  if (broken !== undefined) throw new Error(`seed ${plan.seed}: ${broken.text}`);
}

/** When each lot of an order filled, and how many of them are known to whom. */
interface Lots {
  readonly at: number[];
  told: number;
  known: number;
  proven: number;
  /** The most that was known. */
  most: number;
}

class Watch {
  readonly #plan: Plan;
  readonly #sum: Compared;
  readonly #lots = new Map<string, Lots>();
  /** Another party trades in this plan, and has traded on these legs. */
  readonly #isShared: boolean;
  readonly #hasOthers = new Set<number>();
  #isOver = false;
  /** By leg: ids of orders of others that traded, and that no list has shown. */
  #hidden: Set<string>[] = [];
  #shadow: Shadow | null = null;
  #world: Simulation | null = null;

  constructor(plan: Plan, sum: Compared) {
    this.#plan = plan;
    this.#sum = sum;
    this.#isShared = plan.incidents.some(({ kind }) => kind === 'human');
  }

  attach(world: Simulation): void {
    const { ledger } = world;
    const shadow = new Shadow(world.instruments, LAG_MS, HORIZON * this.#plan.settleMs, START);
    this.#world = world;
    this.#shadow = shadow;
    this.#hidden = shadow.legs.map(() => new Set());
    const trade = world.sim.trade.bind(world.sim);
    world.sim.trade = (instrument, price, size, aggressor, time, id) => {
      shadow.markets[instrument]!.traded(price, time);
      trade(instrument, price, size, aggressor, time, id);
    };
    const fill = ledger.fill.bind(ledger);
    ledger.fill = (one) => {
      fill(one);
      if (one.tag === 0 && !ledger.byNumber.get(one.orderNo)!.isOwn) {
        const at = 2 * one.instrument + one.side;
        this.#hasOthers.add(at);
        this.#hidden[at]!.add(orderIdOf(FUTURES, one.orderNo));
      }
      for (let k = 0; one.tag > 0 && k < one.size; k++) this.#of(world.network.nameOf(one.tag)).at.push(world.time);
    };
    world.network.listener = {
      leaving: (command, id, target) => shadow.sent(command, id, target, world.time),
      accepted: (id) => shadow.accepted(id, world.time),
      refused: (id, why) => shadow.refused(id, why, world.time),
      told: (id, lots) => {
        const one = this.#of(id);
        this.#until(one, 'told', one.told + lots, world.time);
      },
      answered: (query, answer, answered, idOf) => {
        if (ledger.liquidations > 0) this.#isOver = true;
        if (this.#isOver || (answer.kind !== 'positions' && answer.kind !== 'pending' && answer.kind !== 'history')) return;
        for (const [at, leg] of shadow.legs.entries()) if (leg.chains.length > 0) this.#compare(world, shadow, at, leg);
        if (answer.kind !== 'positions')
          for (const { averagePrice, instrument, side, venueId } of answer.orders)
            if (averagePrice > 0) this.#hidden[2 * instrument + side]!.delete(venueId);
        for (const leg of shadow.heard(query, answer, answered, idOf)) {
          const { solution } = this.#solve(leg, world.time);
          for (const [k, chain] of leg.chains.entries()) this.#learn(chain, solution.fills[k]!.lo, world.time);
        }
      },
    };
  }

  /** Counts what is not known in the end. */
  end(): void {
    if (this.#isOver || this.#shadow === null || this.#world === null) return;
    this.#sum.oldUndecided += this.#world.undecided.size;
    for (const leg of this.#shadow.legs) {
      if (leg.chains.length === 0) continue;
      const { solution } = this.#solve(leg, this.#world.time);
      for (const [k, { records }] of leg.chains.entries()) {
        const hasEnded = [...records.values()].some(({ report }) => isEnded(report));
        const { lo, hi } = solution.fills[k]!;
        if (hasEnded && lo < hi) this.#sum.undecided++;
      }
    }
  }

  #of(id: string): Lots {
    let one = this.#lots.get(id);
    if (one === undefined) this.#lots.set(id, (one = { at: [], told: 0, known: 0, proven: 0, most: 0 }));
    return one;
  }

  #until(one: Lots, what: 'told' | 'known' | 'proven', lots: number, now: number): void {
    while (one[what] < lots && one[what] < one.at.length) this.#sum[what].push(now - one.at[one[what]++]!);
  }

  #learn(chain: Chain, lo: number, now: number): void {
    for (const id of chain.ids) {
      const one = this.#of(id);
      if (lo < one.most) this.#sum.takenBack++;
      one.most = Math.max(one.most, lo);
      // Of a chain, one id alone fills.
      this.#until(one, 'known', lo, now);
      this.#until(one, 'proven', provenOf(chain), now);
    }
  }

  #solve(leg: LegShadow, now: number, from: Level = 'whole'): { level: Level; solution: Solution; facts: LegFacts } {
    for (const level of LEVELS.slice(LEVELS.indexOf(from))) {
      const facts = leg.facts(now, level);
      this.#sum.mostFacts = Math.max(this.#sum.mostFacts, facts.facts.length);
      const begun = performance.now();
      const solution = solveLeg(facts, BUDGET);
      this.#sum.micros.push((performance.now() - begun) * 1_000);
      this.#sum.mostWork = Math.max(this.#sum.mostWork, solution.work);
      this.#sum.solved++;
      if (solution.isCapped) this.#sum.capped++;
      if (solution.isPossible || level === 'records') return { level, solution, facts };
    }
    throw new Error('the last level is always possible');
  }

  #compare(world: Simulation, shadow: Shadow, at: number, leg: LegShadow): void {
    const { bot, ledger, met, network } = world;
    const sum = this.#sum;
    const { facts, level, solution } = this.#solve(leg, world.time);
    sum.reads++;
    sum.levels[level]++;
    if (level === 'records') this.#note('no world', () => shown(needed(leg.facts(world.time, 'others'), ({ isPossible }) => !isPossible)));
    // A journal that was put back has forgotten what the solver knows.
    const old = bot === null || met.rollbacks > 0 ? null : new OldRules(bot, at);
    const isHidden = this.#hidden[at]!.size > 0;
    if (!this.#hasOthers.has(at)) {
      if (OTHERS.includes(level)) {
        sum.falseHalts++;
        this.#note('halts though nobody else traded', () => `${level} after ${world.time - START} ms`);
      }
      if (old?.isDoubted === true) sum.oldFalseHalts++;
    }
    if (this.#isShared) this.#prove(world, leg);
    let [isWrong, isOldWrong, isWider, isNarrower] = [false, false, false, false];
    const among = leg.chains.some(({ isOther }) => isOther)
      ? ' with others'
      : facts.orders.length > leg.chains.length
        ? ' with brackets'
        : '';
    const note = (cause: string, text: string): void =>
      this.#note(`${isHidden ? 'hidden, ' : ''}${level}${among}: ${cause}`, () => `after ${world.time - START} ms: ${text}`);
    for (const [k, chain] of leg.chains.entries()) {
      const { lo, hi, isExact } = solution.fills[k]!;
      if (chain.isOther || leg.isAmbiguous(chain)) continue;
      const truth = chain.ids.reduce((lots, id) => lots + (ledger.filled.get(id) ?? 0), 0);
      const text = `${chain.ids.join(' ')} of ${chain.sizes.join(' ')} ${chain.effect > 0 ? 'opens' : 'closes'}, filled ${truth}`;
      if (!isExact) sum.unsettled++;
      if (provenOf(chain) > truth) {
        sum.provenWrong++;
        note('more is proven than filled', `${text}, proven ${provenOf(chain)}`);
      }
      // What lands after it was given up is known when it is seen.
      if (chain.ids.some((id) => network.late.has(id))) continue;
      if (!(lo <= truth && truth <= hi)) {
        isWrong = true;
        note(
          'the truth is outside',
          `${text}, not ${lo} to ${hi} ${shown({ ...needed(facts, ({ fills }) => !(fills[k]!.lo <= truth && truth <= fills[k]!.hi)), at: k })}`,
        );
      }
      const range = old?.rangeOf(chain);
      if (range === undefined || range === null) continue;
      if (truth < range[0] || truth > range[1]) {
        isOldWrong = true;
        note('the truth is outside of the old range', `${text}, old ${range.join(' to ')}, new ${lo} to ${hi}`);
      } else if (lo < range[0] || hi > range[1]) {
        isWider = true;
        note(
          `order wider ${lo < range[0] ? 'below' : ''}${hi > range[1] ? 'above' : ''}`,
          `${text}, old ${range.join(' to ')}, new ${lo} to ${hi} ${shown({ ...facts, at: k })}`,
        );
      } else if (lo > range[0] || hi < range[1]) isNarrower = true;
    }
    const isLate = leg.chains.some(({ ids }) => ids.some((id) => network.late.has(id)));
    const total = ledger.legs()[at]!;
    const { lo, hi } = solution.position;
    if (!isLate && !['unlisted', 'records'].includes(level) && !(lo <= total && total <= hi)) {
      isWrong = true;
      note('the position is outside', `${total}, not ${lo} to ${hi} ${shown(facts)}`);
    }
    const held = isLate ? undefined : old?.position;
    if (held !== undefined && !['unlisted', 'records'].includes(level)) {
      const hasExits = facts.orders.length > leg.chains.length;
      if (total < held[0] || total > held[1]) {
        isOldWrong = true;
        note('the position is outside of the old range', `${total}, old ${held.join(' to ')}, new ${lo} to ${hi}`);
      } else if ((lo < held[0] && !hasExits) || hi > held[1]) {
        isWider = true;
        note(
          `position wider ${lo < held[0] ? 'below' : ''}${hi > held[1] ? 'above' : ''}`,
          `${total}, old ${held.join(' to ')}, new ${lo} to ${hi} ${shown(facts)}`,
        );
      } else if (lo > held[0] || hi < held[1]) isNarrower = true;
    }
    if (isWrong) sum[isHidden ? 'hidden' : 'unsound']++;
    if (isOldWrong) sum[isHidden ? 'oldHidden' : 'oldUnsound']++;
    if (isWider) sum.wider++;
    else if (isNarrower) sum.narrower++;
    else sum.same++;
    if (level === 'records') shadow.adopt(leg, solution);
    else if (leg.foldable(solution, world.time).length > 0) {
      // What is forgotten cannot jump any more, so it is decided without that assumption.
      const sure = level === 'whole' ? this.#solve(leg, world.time, 'own').solution : solution;
      shadow.fold(leg, sure, world.time);
    }
  }

  /** What is proven holds whatever another party has traded that no list can have shown. */
  #prove({ ledger, network, time }: Simulation, leg: LegShadow): void {
    const sum = this.#sum;
    const { facts, solution } = this.#solve(leg, time, 'unlisted');
    let [isWrong, isNarrower] = [false, false];
    for (const [k, chain] of leg.chains.entries()) {
      if (chain.isOther || leg.isAmbiguous(chain) || chain.ids.some((id) => network.late.has(id))) continue;
      const { lo, hi } = solution.fills[k]!;
      const truth = chain.ids.reduce((lots, id) => lots + (ledger.filled.get(id) ?? 0), 0);
      if (!(lo <= truth && truth <= hi)) {
        isWrong = true;
        this.#note(
          'the truth is outside of what is proven',
          () =>
            `${chain.ids.join(' ')} filled ${truth}, not ${lo} to ${hi} ${shown({ ...needed(facts, ({ fills }) => !(fills[k]!.lo <= truth && truth <= fills[k]!.hi)), at: k })}`,
        );
      }
      if (lo > provenOf(chain)) isNarrower = true;
    }
    sum.askedProven++;
    if (isWrong) sum.provenUnsound++;
    if (isNarrower) sum.provenNarrower++;
  }

  #note(cause: string, text: () => string): void {
    const { notes } = this.#sum;
    let one = notes.get(cause);
    if (one === undefined) notes.set(cause, (one = { count: 0, seeds: new Set(), first: `seed ${this.#plan.seed} ${text()}` }));
    one.count++;
    one.seeds.add(this.#plan.seed);
  }
}

/** The facts without those that this needs not. */
function needed(leg: LegFacts, isSo: (solution: Solution) => boolean): LegFacts {
  let { facts } = leg;
  for (const fact of leg.facts) {
    const fewer = facts.filter((one) => one !== fact);
    if (isSo(solveLeg({ ...leg, facts: fewer }, BUDGET))) facts = fewer;
  }
  return { ...leg, facts };
}

function shown(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) => {
    if (typeof one !== 'number') return one;
    return one === NEVER ? 'never' : one >= START / 2 ? one - START : one === Infinity ? 'inf' : one === -Infinity ? '-inf' : one;
  });
}
