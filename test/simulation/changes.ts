/**
 * The configuration of the bot in worlds of the simulation, and what somebody changes of it while the bot is down: a symbol is removed, the
 * strategy is renamed or replaced, limits are lowered. What follows: a symbol that nobody trades is not opened and is named at the start,
 * lowered limits hold from the first order on, and what is called flat is flat by the ledger.
 */
import { Random } from '../../src/base/random.ts';
import { MODIFY, OPEN } from '../../src/domain/codes.ts';
import type { Command } from '../../src/domain/orders/command.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import type { StrategySetup } from '../../src/engine/strategy/definition/setup.ts';
import emaCross from '../../strategies/ema-cross.ts';
import quoter from '../../strategies/quoter.ts';
import { MOST_LOTS, opens, type Ledger } from './ledger.ts';
import type { Life } from './world/life.ts';
import type { Network } from './world/network.ts';
import type { Incident, Plan } from './plan.ts';
import { chaos, margin, type Decisions } from './world/strategies.ts';
import { mayRest, namesOf, trades } from './trades.ts';

type Change = Extract<Incident, { kind: 'change' }>;

const CHANGES = ['symbol', 'symbol', 'name', 'strategy', 'limits', 'back'] as const satisfies readonly Change['what'][];
/** Trades and margin steps are judged by the state of one strategy; a bot on Redis changes places with a second one. */
const UNCHANGED: ReadonlySet<Plan['strategy']> = new Set(['trades', 'margin']);
const LOWERED_LOTS = MOST_LOTS / 3;

/** The plan with changes of the configuration in a share of the seeds; after most of them somebody wants the account flat. */
export function withChanges(plan: Plan): Plan {
  const random = new Random(Math.imul(plan.seed, 0x165667b1));
  const chance = (share: number): boolean => random.uniform() < share;
  if (UNCHANGED.has(plan.strategy) || plan.store === 'redis' || !chance(0.4)) return plan;
  const span = plan.steps * 150;
  const changes = Array.from({ length: 1 + random.below(3) }, (): Change => {
    const what = CHANGES[random.below(CHANGES.length)]!;
    return { kind: 'change', at: random.below(span), what, downMs: random.below(2_000) };
  });
  const last = Math.max(...changes.map(({ at, downMs }) => at + downMs));
  const name = chance(0.5) ? ('kill' as const) : ('flatten' as const);
  const flat: Incident[] = chance(0.8)
    ? [{ kind: 'operator', at: last + random.below(4_000), name, leg: chance(0.5) ? -1 : random.below(4) }]
    : [];
  return { ...plan, incidents: [...plan.incidents, ...changes, ...flat] };
}

/** What one process is started with. */
export interface Configured {
  readonly strategies: readonly StrategySetup[];
  /** Indexes of the symbols that a strategy trades. */
  readonly traded: readonly number[];
  /** Largest leg in lots. */
  readonly mostLots: number;
}

export class Configuration {
  readonly #plan: Plan;
  readonly #instruments: readonly Instrument[];
  #traded: readonly number[];
  #mostLots = MOST_LOTS;
  #names = 1;

  constructor(plan: Plan, instruments: readonly Instrument[]) {
    this.#plan = plan;
    this.#instruments = instruments;
    this.#traded = instruments.map(({ index }) => index);
  }

  change(what: Change['what']): void {
    const all = this.#instruments.map(({ index }) => index);
    if (what === 'limits') this.#mostLots = LOWERED_LOTS;
    // A bot trades something: of its only symbol the strategy is replaced.
    if (what === 'symbol' && this.#traded.length > 1) this.#traded = this.#traded.slice(0, -1);
    else if (what !== 'limits' && what !== 'back') this.#names++;
    if (what === 'strategy') this.#traded = all.slice(-1);
    if (what === 'back') {
      this.#traded = all;
      this.#names = 1;
      this.#mostLots = MOST_LOTS;
    }
  }

  /** For process number `no`. */
  now(no: number, decisions: Decisions): Configured {
    const strategies = this.#setups(new Random(this.#plan.seed * 7 + no), decisions);
    return { strategies, traded: this.#traded, mostLots: this.#mostLots };
  }

  #setups(random: Random, decisions: Decisions): StrategySetup[] {
    const plan = this.#plan;
    const instruments = this.#traded;
    const lot = Number(this.#instruments[0]!.lotSize);
    const name = this.#names === 1 ? {} : { name: `${plan.strategy}-${this.#names}` };
    switch (plan.strategy) {
      case 'ema-cross':
        return [{ ...name, strategy: emaCross, instruments, params: { fast: 2, slow: 4, bar: '500ms', size: String(30 * lot) } }];
      case 'quoter': {
        const params = { size: String(10 * lot), maxInventory: 1, spread: 0, postOnly: plan.seed % 2 === 0 };
        return [{ ...name, strategy: quoter, instruments, params }];
      }
      case 'margin':
        return [{ strategy: margin(random, decisions), instruments }];
      case 'trades':
        return namesOf(plan).map((one) => ({
          strategy: trades(one, random, decisions, { rests: mayRest(plan), adjusts: plan.adjusts === true }),
          instruments,
        }));
      case 'chaos':
        return [{ ...name, strategy: chaos(plan, random, decisions), instruments }];
    }
  }
}

/** A command leaves: it opens only what its process is configured for. */
export function checkConfigured(ledger: Ledger, { configured }: Life, command: Command, id: string): void {
  if (!opens(command)) return;
  const { instrument, kind, side, size } = command;
  if (!configured.traded.includes(instrument)) ledger.wrong('limits', `${id} opens in symbol ${instrument}, which no strategy trades`);
  if (configured.mostLots === MOST_LOTS || kind === MODIFY) return;
  const lots = ledger.exposure(() => true)[2 * instrument + side]! + size;
  if (lots > configured.mostLots) ledger.wrong('limits', `${id} opens: ${lots} lots, the limit was lowered to ${configured.mostLots}`);
}

/** Others that traded within so long before may be in no read yet. */
const SEEN_MS = 5_000;

/** What a check of flatness needs of the world. */
interface FlatWorld {
  readonly plan: Plan;
  readonly ledger: Ledger;
  readonly network: Network;
  readonly instruments: readonly Instrument[];
  readonly time: number;
  readonly met: { readonly rollbacks: number };
  readonly person: { readonly trades: number; readonly tradedAt: number };
  readonly sim: {
    pending(account: number, instrument: number): readonly { tag: number; instrument: number; side: number; effect: number }[];
  };
}

/** The bot says that a scope is flat: by the ledger no lot of it is left that was to be closed, and no order that could open one. */
export function checkFlat(world: FlatWorld, life: Life, scope: string): void {
  const { instruments, ledger, met, network, person, plan, sim } = world;
  // What landed after the horizon, or what a journal forgot that was put back, no bot could know.
  if (network.late.size > 0 || met.rollbacks > 0 || (person.trades > 0 && plan.triggers !== 'none')) return;
  const isKill = life.kernel.halts().some(({ code }) => code === 'kill');
  const isOf = (leg: number): boolean => {
    const { symbol } = instruments[leg >> 1]!;
    if (scope === 'bot') return true;
    if (scope.startsWith('strategy:')) return life.configured.traded.includes(leg >> 1);
    return scope === `symbol:${symbol}` || scope === `leg:${symbol}:${leg % 2 === 0 ? 'LONG' : 'SHORT'}`;
  };
  const legs = ledger.legs();
  for (const [leg, lots] of legs.entries()) {
    if (!isOf(leg)) continue;
    const isWhole = isKill && life.configured.traded.includes(leg >> 1) && world.time - person.tradedAt > SEEN_MS;
    const left = isWhole ? lots : Math.min(lots, ledger.own[leg]!);
    if (left > 0) ledger.wrong('naked', `${scope} is called flat, and leg ${leg} holds ${lots}, ${ledger.own[leg]} of them of the bot`);
  }
  const rests = sim.pending(0, -1).find((one) => one.tag > 0 && one.effect === OPEN && isOf(2 * one.instrument + one.side));
  if (rests !== undefined) ledger.wrong('naked', `${scope} is called flat, and ${network.nameOf(rests.tag)} rests`);
}

/** How the log names leg `leg`. */
export function legName({ symbol }: Instrument, leg: number): string {
  return `${symbol} ${leg % 2 === 0 ? 'LONG' : 'SHORT'}`;
}

/** At the end: what was held at the start in symbols that no strategy trades was named then. */
export function checkNamed({ ledger, instruments }: FlatWorld, { begunAt, configured, named }: Life): void {
  for (const [leg, lots] of ledger.legs().entries()) {
    const instrument = instruments[leg >> 1]!;
    const name = legName(instrument, leg);
    const isLeft = lots > 0 && ledger.changedAt[leg]! < begunAt && !configured.traded.includes(instrument.index);
    if (isLeft && !named.has(name)) ledger.wrong('unexplained', `${name} is held, no strategy trades it, and the start did not say so`);
  }
}
