/** Answers why the strategies of a kernel do not trade. Not on the hot path: it reads the local state and changes none of it. */
import { LONG, SHORT } from '../domain/codes.ts';
import { tradedName } from '../domain/instrument.ts';
import { UNKNOWN } from '../domain/orders/order.ts';
import type { Parts } from './assembly.ts';
import type { StrategyRunner } from './strategy/runner/strategy-runner.ts';
import type { ReadFailures } from './polling/read-failures.ts';
import type { Ladder, LimitLevel, StrategyFunnel } from '../domain/messages/why.ts';
import { Funnel } from './state/activity/funnel.ts';
import { checksOf } from './why/ladder.ts';
import { levelsNow } from './why/levels.ts';
import type { Moment, Subject } from './why/subject.ts';
import { verdictsNow } from './why/verdicts.ts';

export class Why {
  readonly #parts: Parts;
  readonly #failing: ReadFailures;

  constructor(parts: Parts, failing: ReadFailures) {
    this.#parts = parts;
    this.#failing = failing;
  }

  /** Each strategy in each of its markets, those that are stuck longest first. */
  at(moment: Moment): Ladder[] {
    const around = { failing: this.#failing.all, ...moment };
    const ladders = this.#parts.dispatch.runners.flatMap((runner, k) =>
      this.#markets(runner, moment.symbol).map((index) => ladderOf(subjectOf(this.#parts, runner, k, index, around))),
    );
    return ladders.toSorted((a, b) => sinceOf(a) - sinceOf(b));
  }

  /** Markets of the strategy, and `symbol` if it may choose that. */
  #markets({ context, name }: StrategyRunner, symbol: string | undefined): number[] {
    const traded = context.markets.map(({ index }) => index);
    const { core, universes } = this.#parts;
    const candidates = symbol === undefined ? [] : (universes.of(name)?.universe.candidates ?? []);
    return [...traded, ...candidates.filter((i) => !traded.includes(i) && tradedName(core.instruments[i]!) === symbol)];
  }

  /** How near each limit is at `now`, the nearest first. */
  levels(now: number): LimitLevel[] {
    const traded = this.#parts.dispatch.runners.flatMap(({ context }) => context.markets.map(({ index }) => index));
    return levelsNow(this.#parts, new Set(traded), now);
  }

  /** What each strategy did in this process in all its markets, from bars to fills. */
  funnels(): StrategyFunnel[] {
    const { core, dispatch } = this.#parts;
    return dispatch.runners.map((runner, k) => {
      const sum = new Funnel();
      for (const { before, today } of core.owners[k]!.activity) {
        sum.add(before);
        sum.add(today);
      }
      return { strategy: runner.name, ...sum.counts };
    });
  }
}

type Around = Pick<Subject, 'failing' | keyof Moment>;

function subjectOf({ core, risk, dispatch, universes }: Parts, runner: StrategyRunner, k: number, index: number, around: Around): Subject {
  const context = core.contexts[index]!;
  const owner = core.owners[k]!;
  const isHere = (halt: Parameters<typeof core.halts.end>[0]): boolean => {
    const scope = core.halts.scopeOf(halt.scope);
    return scope !== null && [LONG, SHORT].some((side) => core.halts.covers(scope, context, side, owner));
  };
  const alive = context.orders.alive();
  const subject = {
    ...around,
    core,
    risk,
    runner,
    owner,
    context,
    activity: owner.activity[index]!,
    haltsHere: core.halts.all().filter(isHere),
    ordersHere: alive.filter((order) => order.owner === owner),
    unknownHere: alive.filter(({ state }) => state === UNKNOWN),
    warmingUp: dispatch.warmUp.textOf(runner),
    chooses: universes.of(runner.name),
    lastNote: runner.drawing.last.get(index) ?? '',
  };
  return { ...subject, verdicts: verdictsNow(subject) };
}

function ladderOf(subject: Subject): Ladder {
  const checks = checksOf(subject);
  return {
    strategy: subject.runner.name,
    symbol: tradedName(subject.context.instrument),
    headline: checks.find(({ state }) => state === 'finding')?.name ?? '',
    checks,
    limits: subject.verdicts,
    funnel: (subject.now >= subject.activity.dayEndsAt ? new Funnel() : subject.activity.today).counts,
  };
}

/** Since when the headline is so: after all others if that is unknown, and without one last. */
function sinceOf({ checks }: Ladder): number {
  const found = checks.find(({ state }) => state === 'finding');
  return found === undefined ? Infinity : found.since || Number.MAX_VALUE;
}
