/**
 * Managed trades (LONG) and executions (SHORT) at random in a simulation, and the check that what they say at their end is, lot by lot and
 * tick by tick, what the exchange's ledger has.
 */
import { Random } from '../../src/base/random.ts';
import { CLOSE, LONG, OPEN } from '../../src/domain/codes.ts';
import { defineStrategy, type AnyStrategy } from '../../src/engine/strategy/definition/define.ts';
import { stored } from '../../src/engine/strategy/durable/stored.ts';
import type { Market } from '../../src/engine/intents/market-types.ts';
import type { StrategyContext } from '../../src/engine/strategy/definition/types.ts';
import type { ManagedTrade } from '../../src/engine/trades/trade-types.ts';
import type { VenueSim } from '../../src/sim/core/venue-core.ts';
import type { Ledger } from './ledger.ts';
import { planOf, type Incident, type Plan } from './plan.ts';
import type { Decisions } from './world/strategies.ts';

/** What only a person or the venue does, and what no journal survives: positions are then closed by others. */
const LEFT_OUT = new Set<Incident['kind']>(['human', 'operator', 'spike', 'away', 'second']);

/** The plan of a seed, with this strategy and more crashes. */
export function tradesPlanOf(seed: number, plan = planOf(seed)): Plan {
  const random = new Random(Math.imul(seed, 0x85ebca6b));
  const incidents = plan.incidents
    .filter((one) => !LEFT_OUT.has(one.kind) && !(one.kind === 'crash' && one.back > 0))
    // A bot that stands still to the end ends no trade.
    .map((one) => (one.kind === 'pause' ? { ...one, ms: one.ms % 6_000 } : one));
  const crash = (): Incident => ({
    kind: 'crash',
    where: (['commit', 'durable', 'send', 'sent', 'heard'] as const)[random.below(5)]!,
    nth: 1 + random.below(100),
    kept: random.below(2) === 0,
    downMs: random.below(6_000),
    back: 0,
  });
  const crashes = Array.from({ length: random.below(5) }, crash);
  const steps = 40 + random.below(80);
  const world = { steps, strategy: 'trades', hostile: 'no', triggers: 'none', brackets: false, deposit: '1000000', store: 'disk' } as const;
  return { ...plan, ...world, incidents: [...incidents, ...crashes] };
}

/** The same, in a third of the worlds with a second strategy on every leg. */
export function sharedPlanOf(seed: number): Plan {
  const plan = tradesPlanOf(seed);
  return seed % 3 === 1 ? { ...plan, traders: 2 } : plan;
}

/** The same; in every second world trades are added to and reduced. */
export function adjustedPlanOf(seed: number): Plan {
  const plan = sharedPlanOf(seed);
  return seed % 2 === 1 ? { ...plan, adjusts: true } : plan;
}

/** Others trade on the account, and the bot goes on. */
export function hasPeople({ strategy, incidents }: Plan): boolean {
  return strategy === 'trades' && incidents.some(({ kind }) => kind === 'human');
}

/** The names of the strategies. */
export function namesOf({ traders = 1 }: Plan): readonly string[] {
  return ['trades', 'others'].slice(0, traders);
}

interface Ended {
  readonly entered: number;
  readonly exits: readonly { readonly why: string; readonly size: number; readonly price: number | null }[];
  readonly realised: number;
}
interface Worked {
  readonly kind: string;
  readonly filled: number;
  readonly average: number | null;
}
export interface TradesState {
  readonly name: string;
  readonly started: number;
  /** Lots that trades were to open, and that `reduce` was to close. */
  readonly asked: number;
  readonly parts: number;
  readonly ended: readonly Ended[];
  readonly worked: readonly Worked[];
}

/** In a third of the worlds targets rest, which takes their size from the stop. */
export function mayRest({ seed }: Pick<Plan, 'seed'>): boolean {
  return seed % 3 === 0;
}

export interface Manner {
  readonly rests: boolean;
  readonly adjusts: boolean;
}

/** Reason of what `reduce` closes. */
const PART = 'part';

export function trades(name: string, random: Random, decisions: Decisions, { rests, adjusts }: Manner): AnyStrategy {
  const chance = (share: number): boolean => random.uniform() < share;
  const pick = <T>(...of: readonly T[]): T => of[random.below(of.length)]!;
  /** Gives the lots that it is to open. */
  const enter = (market: Market, ctx: StrategyContext): number => {
    const { bid, ask, tick, lot } = market;
    const at = (ticks: number): number => ask + ticks * tick;
    const isLimit = chance(0.4);
    const shares = pick([1], [0.5], [1 / 3, 1 / 3], [0.4, 0.3, 0.3]);
    const isRelative = adjusts && chance(0.6);
    const price = (ticks: number): { at?: number; distance?: number } => (isRelative ? { distance: ticks * tick } : { at: at(ticks) });
    const fields = {
      market,
      side: 'LONG',
      size: (1 + random.below(10)) * lot,
      limit: isLimit ? bid - random.below(3) * tick : undefined,
      expiresInMs: isLimit ? 500 + random.below(3_000) : undefined,
      stopLoss: at(-12 - random.below(20)),
      takeProfit: chance(0.2)
        ? at(8 + random.below(8))
        : chance(0.7)
          ? shares.map((share, k) => ({ ...price(1 + k * 2), share, resting: rests ? chance(0.7) : undefined }))
          : undefined,
      trailing: chance(0.4) ? { distance: (2 + random.below(5)) * tick, after: pick(0, 0.05) } : undefined,
      stop: adjusts && chance(0.3) ? { distance: (6 + random.below(6)) * tick } : undefined,
      maxHoldMs: pick(800, 2_500, 6_000),
      ladder: chance(0.2) ? [{ at: at(-3), size: 3 * lot }] : undefined,
    } as const;
    return ctx.enter(fields) === null ? 0 : Math.round(fields.size / lot) + (fields.ladder === undefined ? 0 : 3);
  };
  /** Gives the lots that it is to open and to close. */
  const adjust = (trade: ManagedTrade): { opens: number; parts: number } => {
    const { bid, tick, lot } = trade.market;
    const held = Math.round(trade.size / lot);
    if (chance(0.5)) {
      const lots = 1 + random.below(4);
      const order = trade.add({ size: lots * lot, limit: chance(0.5) ? bid - random.below(4) * tick : undefined });
      return { opens: order > 0 ? lots : 0, parts: 0 };
    }
    const lots = 1 + random.below(Math.max(1, held));
    const limit = rests && chance(0.4) ? bid + random.below(5) * tick : undefined;
    return { opens: 0, parts: held > 0 && trade.reduce({ size: lots * lot, limit, reason: PART }) ? lots : 0 };
  };
  const execute = (market: Market, ctx: StrategyContext): boolean => {
    const { bid, ask, tick, lot, short } = market;
    const isClose = short.free >= 5 * lot && chance(0.6);
    const size = (2 + random.below(isClose ? 4 : 8)) * lot;
    const effect = isClose ? 'CLOSE' : 'OPEN';
    const base = { market, side: 'SHORT', effect, size } as const;
    const limit = isClose ? ask + random.below(3) * tick : bid - random.below(3) * tick;
    const made = pick(
      () => ctx.twap({ ...base, durationMs: pick(800, 2_500), slices: pick(2, 5) }),
      () => ctx.iceberg({ ...base, limit, show: 2 * lot, expiresInMs: 3_000 }),
      () => ctx.peg({ ...base, to: pick('bid', 'ask', 'mid'), everyMs: 300, expiresInMs: 3_000 }),
    )();
    return made !== null;
  };
  return defineStrategy({
    name,
    state: {
      started: 0,
      asked: 0,
      parts: 0,
      ended: stored.list(
        stored.object({
          entered: 0,
          exits: stored.list(stored.object({ why: '', size: 0, price: stored.maybe(stored.number(0)) })),
          realised: 0,
        }),
      ),
      worked: stored.list(stored.object({ kind: '', filled: 0, average: stored.maybe(stored.number(0)) })),
    },
    create: () => ({
      onStart: (ctx) => ctx.setTimer('look', 500),
      onTimer(_name, ctx) {
        ctx.setTimer('look', 500);
        if (!decisions.isCalm()) return;
        for (const trade of ctx.trades()) trade.close('calm');
        for (const execution of ctx.executions()) execution.cancel('calm');
      },
      onQuote(market, ctx) {
        if (decisions.isCalm()) return;
        for (const trade of adjusts ? ctx.trades(market) : []) {
          if (!chance(0.5)) continue;
          const { opens, parts } = adjust(trade);
          ctx.state.asked += opens;
          ctx.state.parts += parts;
        }
        const lots = ctx.trades(market).length === 0 && chance(0.3) ? enter(market, ctx) : 0;
        ctx.state.asked += lots;
        if (lots > 0) ctx.state.started += 1;
        if (ctx.executions(market).length === 0 && market.short.lots < 15 && chance(0.3) && execute(market, ctx)) ctx.state.started += 1;
      },
      onExit({ entered, exits, realised }, ctx) {
        const told = exits.map(({ why, size, price }) => ({ why, size, price: Number.isFinite(price) ? price : null }));
        ctx.state.ended = [...ctx.state.ended, { entered, exits: told, realised }];
      },
      onExecution({ kind, filled, averagePrice }, ctx) {
        const average = Number.isFinite(averagePrice) ? averagePrice : null;
        ctx.state.worked = [...ctx.state.worked, { kind, filled, average }];
      },
      onStop: (ctx) => ctx.cancelAll(),
    }),
  });
}

const LOT = 0.001;
const TICK = 0.1;

/** Unless targets rest, stop-losses at the venue protect all that is held LONG, whether the bot lives or not: each entry has one. */
export function checkNet({ plan, sim, ledger }: { readonly plan: Plan; readonly sim: VenueSim; readonly ledger: Ledger }): void {
  if (plan.strategy !== 'trades' || !ledger.isDirty || mayRest(plan) || hasPeople(plan)) return;
  const locked = sim.pending(0, -1).filter(({ side, effect }) => side === LONG && effect === CLOSE);
  const naked = sim.positions(0, -1).filter(({ instrument, side, total }) => {
    const covered = sim.lines[instrument]!.brackets.filter(({ leg, stopLoss }) => leg.side === LONG && stopLoss > 0);
    const lots = covered.reduce((sum, { size }) => sum + size, 0);
    return side === LONG && (lots < total || locked.some((order) => order.instrument === instrument));
  });
  const legs = naked.map(({ instrument, total }) => `leg ${2 * instrument} of ${total} lots`);
  if (legs.length > 0) ledger.wrong('naked', `the stop-losses at the venue do not cover ${legs.join(', ')}`);
}

/** What is wrong with what the trades and executions said; "" for nothing. `strategies`: of each command, by client id. */
export function judgeTrades(states: readonly TradesState[], ledger: Ledger, strategies: ReadonlyMap<string, string>): string {
  const { traded } = ledger;
  const of = (side: number, effect: number): { lots: number; value: number } => {
    const legs = traded.filter((_, index) => index % 2 === side).map((leg) => leg[effect]!);
    const sum = (part: 'lots' | 'value'): number => legs.reduce((all, one) => all + one[part], 0);
    return { lots: sum('lots'), value: sum('value') * LOT * TICK };
  };
  const started = states.reduce((sum, one) => sum + one.started, 0);
  const ended = states.flatMap((one) => one.ended);
  const worked = states.flatMap((one) => one.worked);
  if (ended.length + worked.length !== started) return `${started} trades and executions began, ${ended.length + worked.length} ended`;
  const [opened, closed] = [of(0, OPEN), of(0, CLOSE)];
  const entered = lotsOf(ended.reduce((sum, one) => sum + one.entered, 0));
  const exits = ended.flatMap((one) => one.exits);
  const left = lotsOf(exits.reduce((sum, { size }) => sum + size, 0));
  if (entered !== opened.lots) return `trades entered ${entered} lots, the venue opened ${opened.lots}`;
  if (left !== closed.lots) return `trades left ${left} lots, the venue closed ${closed.lots}`;
  const [asked, parts] = [states.reduce((sum, one) => sum + one.asked, 0), states.reduce((sum, one) => sum + one.parts, 0)];
  if (entered > asked) return `trades entered ${entered} lots, they were to open ${asked}`;
  const reduced = lotsOf(exits.reduce((sum, { why, size }) => (why === PART ? sum + size : sum), 0));
  if (reduced > parts) return `trades reduced ${reduced} lots, they were to reduce ${parts}`;
  const isBlind = (why: string): boolean => why === 'external' || (why === 'elsewhere' && states.length === 1);
  const blind = exits.find(({ why, price }) => price === null || isBlind(why));
  if (blind !== undefined) return `an exit is ${JSON.stringify(blind)}`;
  const mixed = mixedUp(states, ledger, strategies);
  if (mixed !== '') return mixed;
  const realised = ended.reduce((sum, one) => sum + one.realised, 0);
  const result = closed.value - opened.value;
  if (Math.abs(realised - result) > 1e-6) return `trades made ${realised}, by the ledger ${result}`;
  const filled = lotsOf(worked.reduce((sum, one) => sum + one.filled, 0));
  const shorts = [of(1, OPEN), of(1, CLOSE)];
  const lots = shorts.reduce((sum, one) => sum + one.lots, 0);
  if (filled !== lots) return `executions filled ${filled} lots, the venue ${lots}`;
  const unknown = worked.find((one) => one.filled > 0 && one.average === null);
  if (unknown !== undefined) return `an execution is ${JSON.stringify(unknown)}`;
  const value = worked.reduce((sum, one) => sum + one.filled * (one.average ?? 0), 0);
  const truth = shorts.reduce((sum, one) => sum + one.value, 0);
  if (Math.abs(value - truth) > 1e-6) return `executions were worth ${value}, by the ledger ${truth}`;
  return '';
}

/**
 * Each strategy's trades entered what its orders opened. What its orders and their brackets closed left its own trades; what those no longer
 * had left trades of another strategy, which say "elsewhere". Of two brackets whose triggers were as near, either may have fired.
 */
function mixedUp(states: readonly TradesState[], { byOrder, unclear }: Ledger, strategies: ReadonlyMap<string, string>): string {
  const byStrategy = (effect: number, name: string): number =>
    [...byOrder[LONG]![effect]!].reduce((sum, [id, lots]) => sum + (strategies.get(id) === name ? lots : 0), 0);
  const lostBy = (ended: readonly Ended[], isElsewhere: boolean): number =>
    lotsOf(ended.flatMap(({ exits }) => exits).reduce((sum, { why, size }) => sum + ((why === 'elsewhere') === isElsewhere ? size : 0), 0));
  const isMixed = ({ ids }: Ledger['unclear'][number]): boolean => new Set(ids.map((id) => strategies.get(id))).size > 1;
  const either = unclear.filter(isMixed).reduce((sum, { lots }) => sum + lots, 0);
  for (const { name, ended } of states) {
    const entered = lotsOf(ended.reduce((sum, one) => sum + one.entered, 0));
    const opened = byStrategy(OPEN, name);
    if (entered !== opened) return `trades of ${name} entered ${entered} lots, its orders opened ${opened}`;
    const others = states.filter((one) => one.name !== name).flatMap((one) => one.ended);
    const [own, taken, closed] = [lostBy(ended, false), lostBy(others, true), byStrategy(CLOSE, name)];
    if (Math.abs(own + taken - closed) > either)
      return `orders of ${name} closed ${closed} lots (${either} unclear), its trades left ${own} and others lost ${taken}`;
  }
  return '';
}

function lotsOf(size: number): number {
  return Math.round(size / LOT);
}
