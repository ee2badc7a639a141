/** One run from its plan to its verdict: the exchange's ledger against the journal, the reports, the limits, and what the strategy was told. */
import { checkNamed, legName } from './changes.ts';
import { overlaps } from './world/overlaps.ts';
import { CLOSE, OPEN } from '../../src/domain/codes.ts';
import type { OperatorCommand } from '../../src/engine/operator/command.ts';
import { FUTURES, TRIGGER } from '../../src/sim/state/kinds.ts';
import { START } from '../support/engine/engine-kit.ts';
import type { Problem } from './ledger.ts';
import type { Life } from './world/life.ts';
import { MARGIN_TARGET } from './world/strategies.ts';
import type { Plan } from './plan.ts';
import { judgeTrades, namesOf, type TradesState } from './trades.ts';
import { Simulation } from './world/world.ts';

export interface Verdict {
  readonly problems: readonly Problem[];
  /** The same for two runs of one plan. */
  readonly hash: number;
  readonly virtualMs: number;
  readonly placed: number;
  readonly met: Simulation['met'];
  readonly timeline: readonly string[];
}

const PERSON = { by: 'ann', why: 'seen at the venue' };
/** Until nothing is in doubt: many times the horizon. */
const QUIET = 30;
const SHORT_QUIET = 10;

const TYPED_MS = 500;
/** An account that is poor may be liquidated again and again: each is a halt of its own. */
const ROUNDS = 8;

/** Runs the plan to its rest. */
export async function run(plan: Plan, hasTimeline = false, watch: (world: Simulation) => void = () => {}): Promise<Verdict> {
  const world = new Simulation(plan, hasTimeline);
  watch(world);
  const { ledger } = world;
  try {
    await world.trade();
    world.calm();
    const isLong =
      plan.strategy === 'trades' ||
      plan.triggers !== 'none' ||
      plan.store === 'redis' ||
      plan.incidents.some(({ kind }) => kind === 'clock');
    const quietMs = (isLong ? QUIET : SHORT_QUIET) * plan.settleMs;
    await world.rest(quietMs);
    if (world.bot === null) await world.rest(30_000);
    checkFlat(world);
    await tidy(world, quietMs);
    const { bot } = world;
    bot?.stop();
    await world.rest(quietMs / 2);
    for (let k = 0; k < 5 && (bot?.kernel.cancelsOutstanding ?? 0) > 0; k++) {
      bot?.cancelAgain();
      await world.rest(2_000);
    }
    await world.rest(quietMs / 2);
    await tidy(world, quietMs / 2);
    // The mark price follows the market slowly: it may liquidate at the very end.
    for (let k = 0; k < ROUNDS && world.time - ledger.filledAt < quietMs / 2; k++) {
      await world.rest(quietMs / 2);
      await tidy(world, quietMs / 2);
    }
    for (const overlap of overlaps(world.sent)) ledger.wrong('limits', overlap);
    if (bot === null) ledger.wrong('unknown', 'no bot runs at the end');
    else new Judge(world, bot).judge();
  } catch (error) {
    ledger.wrong(
      'unknown',
      `the run broke: ${error instanceof Error ? (error.stack ?? '').split('\n').slice(0, 6).join(' | ') : String(error)}`,
    );
  }
  const { problems } = ledger;
  const { hash, met, timeline, time } = world;
  return { problems, hash, virtualMs: time - START, placed: ledger.placed, met, timeline: timeline ?? [] };
}

/** What was flattened for good holds nothing. */
function checkFlat(world: Simulation): void {
  const { bot, ledger, mustBeFlat } = world;
  if (!mustBeFlat || bot === null) return;
  const legs = ledger.legs();
  const isMoved = world.person.trades > 0;
  // In a symbol that no strategy trades a kill closes what the journal knows as opened by the bot, and names the rest.
  const isForgotten = (leg: number): boolean => world.met.rollbacks > 0 && bot.named.has(legName(world.instruments[leg >> 1]!, leg));
  const isHeld = legs.some((lots, leg) => lots > 0 && !isForgotten(leg));
  if (!isMoved && isHeld && !world.sim.pending(0, -1).some(({ effect }) => effect === CLOSE))
    ledger.wrong('naked', `after the kill the account holds ${legs.join(', ')}, and nothing closes it`);
}

function needsOperator({ bot }: Simulation): boolean {
  return bot !== null && bot.kernel.status().halts.length > 0;
}

/** A person does what the halts ask for, until there are none. */
async function tidy(world: Simulation, quietMs: number): Promise<void> {
  for (let k = 0; k < ROUNDS && needsOperator(world); k++) {
    await resume(world);
    await world.rest(quietMs);
  }
}

async function resume(world: Simulation): Promise<void> {
  const { bot, network, sim } = world;
  if (bot === null) return;
  for (const { ends, seq, code } of bot.kernel.status().halts) {
    if (ends.startsWith('tickwright settle')) {
      const order = sim.pending(0, -1).find(({ tag }) => network.nameOf(tag) === bot.idOf(seq));
      await type(world, { name: 'settle', seq, venueId: order === undefined ? null : `fu-${order.no}`, ...PERSON });
    } else if (code === 'journal-rollback' || code === 'split-brain') bot.rotateEpoch();
  }
  await type(world, { name: 'resume', scope: 'all', confirmed: true, ...PERSON });
  await type(world, { name: 'reduce-only', scope: 'all', isOn: false, ...PERSON });
}

/** Its record takes time to become durable. */
async function type(world: Simulation, command: OperatorCommand): Promise<void> {
  world.operate(command);
  await world.rest(TYPED_MS);
}

/** Events that tell of something that was not. */
const ALARMS = [
  'strategy-error',
  'id-collision',
  'external',
  'duplicate-order',
  'unexpected-order',
  'journal-rollback',
  'split-brain',
  'venue-restored',
];

class Judge {
  readonly #world: Simulation;
  readonly #bot: Life;
  /** Somebody else moved positions. */
  readonly #isForeign: boolean;
  /** Orders landed long after they were given up, or had ids that the venue refused. */
  readonly #isLate: boolean;

  constructor(world: Simulation, bot: Life) {
    this.#world = world;
    this.#bot = bot;
    this.#isForeign = world.person.trades > 0 || world.ledger.liquidations > 0 || world.met.rollbacks > 0;
    this.#isLate = world.network.late.size > 0;
  }

  judge(): void {
    this.#positions();
    this.#orders();
    this.#outcomes();
    this.#fills();
    this.#mirrored();
    this.#journal();
    this.#alarms();
    this.#margins();
    this.#reads();
    this.#trades();
    this.#others();
    checkNamed(this.#world, this.#bot);
  }

  #wrong(of: Problem['of'], text: string): void {
    this.#world.ledger.wrong(of, text);
  }

  #positions(): void {
    const believed = this.#bot.kernel.markets.flatMap((market) => [market.long.lots, market.short.lots]);
    const truth = this.#world.ledger.legs();
    if (believed.join() !== truth.join()) this.#wrong('unexplained', `the bot holds ${believed.join(', ')}, the venue ${truth.join(', ')}`);
  }

  #orders(): void {
    const { network, plan, sim } = this.#world;
    const resting = sim.pending(0, -1).filter(({ tag }) => tag > 0);
    const waiting = resting.filter(({ kind }) => kind === TRIGGER);
    // No list shows a trigger order: a journal that was put back does not know it any more.
    if (waiting.length > 0 && this.#world.met.rollbacks === 0)
      this.#wrong('unexplained', `a trigger order waits that nobody watches: ${network.nameOf(waiting[0]!.tag)}`);
    const live = resting.filter(({ kind }) => kind === FUTURES);
    const known = this.#bot.kernel.markets.flatMap((market) => market.orders.map(({ number }) => this.#bot.idOf(number)));
    const names = live.map(({ tag }) => network.nameOf(tag));
    const unknown = names.filter((name) => !known.includes(name));
    const gone = known.filter((name) => !names.includes(name));
    // A journal that was put back knows neither a trigger order nor what became of it.
    const isForgotten = this.#world.met.rollbacks > 0 && plan.triggers === 'hidden';
    if (unknown.length > 0 && !isForgotten)
      this.#wrong('unexplained', `rests at the venue, and the bot does not know it: ${unknown.join(', ')}`);
    if (gone.length > 0) this.#wrong('lost', `the bot believes that it rests: ${gone.join(', ')}`);
    const left = names.filter((name) => !(isForgotten && network.isHidden(name) && !known.includes(name)));
    if (plan.strategy === 'chaos' && left.length > 0) this.#wrong('unexplained', `rests after the stop: ${left.join(', ')}`);
    for (const market of this.#bot.kernel.markets) {
      for (const [side, leg] of [market.long, market.short].entries()) {
        const rests = (effect: number): number =>
          live
            .filter((one) => one.instrument === market.index && one.side === side && one.effect === effect)
            .reduce((lots, one) => lots + one.size - one.filled, 0);
        const found = [leg.opening, leg.closing].map((size) => Math.round(size / market.lot)).join();
        const expected = [rests(OPEN), rests(CLOSE)].join();
        if (found !== expected && !isForgotten)
          this.#wrong('limits', `exposure of ${market.symbol} ${leg.side}: ${found}, not ${expected}`);
      }
    }
  }

  #outcomes(): void {
    const { kernel } = this.#bot;
    const { unknownOutcomes, halts } = kernel.status();
    if (unknownOutcomes > 0 || !kernel.isQuiet)
      this.#wrong('unknown', `${unknownOutcomes} outcomes unknown at rest, quiet: ${kernel.isQuiet}`);
    if (kernel.phase !== 'stopping') this.#wrong('unknown', `the bot is ${kernel.phase}`);
    const left = halts.map(({ scope, code }) => `${scope} ${code}`);
    if (left.length > 0) this.#wrong('unknown', `halts that nobody can end: ${left.join(', ')}`);
  }

  /** What a person placed of the size of an own order is never told as that order's fill. */
  #mirrored(): void {
    const { ledger, network, person, plan, undecided } = this.#world;
    const { mirrored } = person;
    if (this.#isLate || ledger.liquidations > 0) return;
    // Where trigger orders are told by what they look like, one may take what another one filled.
    const known = plan.triggers === 'none' && mirrored.size > 0 ? new Set([...ledger.filled.keys(), ...this.#bot.told.keys()]) : mirrored;
    for (const id of known) {
      const [told, filled] = [this.#bot.told.get(id) ?? 0, ledger.filled.get(id) ?? 0];
      if (told !== filled && !undecided.has(id) && !network.refused.has(id))
        this.#wrong('unexplained', `a person mirrored ${[...mirrored].join(', ')}: ${id} filled ${filled}, told ${told}`);
    }
  }

  #fills(): void {
    const { ledger, network, undecided } = this.#world;
    if (this.#isForeign) return;
    const untold = [...ledger.filled].filter(([id, lots]) => {
      const told = this.#bot.told.get(id) ?? 0;
      return told !== lots && !undecided.has(id) && !network.late.has(id) && !network.refused.has(id);
    });
    if (untold.length > 0 && !this.#isLate) {
      const [id, lots] = untold[0]!;
      this.#wrong('lost', `${id} filled ${lots}, the strategy was told ${this.#bot.told.get(id) ?? 0}`);
    }
  }

  /** What the journal says landed is in the exchange's ledger, and no decision of a strategy became two orders. */
  #journal(): void {
    const { accepted, ledger, met } = this.#world;
    const { durable } = this.#bot;
    for (const id of [...accepted, ...durable.accepted]) {
      if (durable.asked.size > 0 && isOrder(durable.asked, id) && !ledger.landed.has(id))
        this.#wrong('lost', `${id} was accepted, says the journal, and the venue never had it`);
    }
    if (met.rollbacks > 0) return;
    for (const id of ledger.landed)
      if (!durable.commands.has(id)) this.#wrong('unexplained', `${id} is at the venue and not in the journal`);
    for (const id of durable.undecided) if (ledger.landed.has(id)) this.#wrong('duplicates', `${id} is an order that no strategy decided`);
    for (const [reason, ids] of durable.asked) {
      const landed = [...ids].filter((id) => ledger.landed.has(id));
      if (landed.length > 1) this.#wrong('duplicates', `${reason} was decided once and landed as ${landed.join(' and ')}`);
    }
  }

  #alarms(): void {
    const { logged, network, plan, met } = this.#world;
    const excused = new Set<string>();
    if (plan.hostile === 'throws') excused.add('strategy-error');
    if (this.#isForeign || this.#isLate) for (const event of ['external', 'unexpected-order']) excused.add(event);
    // A jump of prices is most of a small account.
    if (plan.incidents.some(({ kind }) => kind === 'spike')) excused.add('external');
    if (met.rollbacks > 0) for (const event of ['journal-rollback', 'split-brain', 'unexpected-order']) excused.add(event);
    if (network.refused.size > 0) excused.add('duplicate-order');
    const amiss = ALARMS.filter((event) => logged.has(event) && !excused.has(event));
    if (amiss.length > 0) this.#wrong('unexplained', `false alarm: ${amiss.join(', ')}`);
  }

  #trades(): void {
    const { ledger, network, plan, undecided } = this.#world;
    if (plan.strategy !== 'trades' || network.late.size > 0 || undecided.size > 0 || this.#world.person.trades > 0) return;
    const saved = this.#bot.kernel.snapshot().state;
    const states = namesOf(plan).map((name): TradesState => {
      const { started = 0, asked = 0, parts = 0, ended = [], worked = [] } = (saved?.[name] ?? {}) as Partial<TradesState>;
      return { name, started, asked, parts, ended, worked };
    });
    const text = judgeTrades(states, ledger, this.#bot.durable.commands);
    if (text !== '') this.#wrong('lost', text);
  }

  /** An order without a name explains no more lots than it filled, in all lives together; what a bracket closed is told as that. */
  #others(): void {
    const { ledger, network, plan } = this.#world;
    // The bracket of an order that was given up is forgotten.
    const areKnown = plan.strategy === 'trades' && network.late.size === 0;
    for (const [venueId, lots] of this.#bot.durable.explained) {
      const order = ledger.byNumber.get(Number(venueId.slice('fu-'.length)));
      if (lots > (order?.lots ?? 0)) this.#wrong('unexplained', `${venueId} filled ${order?.lots ?? 0} lots and explains ${lots}`);
      if (areKnown && order?.isOwn === true && !this.#bot.durable.exits.has(venueId))
        this.#wrong('unexplained', `${venueId} was a bracket, and is told as an order of another party`);
    }
  }

  #reads(): void {
    const { repeated } = this.#world.network;
    if (repeated !== '') this.#wrong('limits', `${repeated} is read again and again`);
  }

  #margins(): void {
    const { ledger, network, plan, sim } = this.#world;
    if (network.steps.overlapping !== '') this.#wrong('duplicates', `two margin steps at once: ${network.steps.overlapping}`);
    if (network.steps.early !== '')
      this.#wrong('duplicates', `margin step ${network.steps.early} leaves before a read can show the one before it`);
    if (plan.strategy !== 'margin') return;
    const most = MARGIN_TARGET * 1.02 * 1e8;
    for (const { instrument, margin, side } of sim.positions(0, -1)) {
      // What another party opens costs margin of its own.
      if (margin > most + ledger.foreignMargin[2 * instrument + side]! && network.late.size === 0)
        this.#wrong('duplicates', `the margin is ${margin / 1e8}, above its target of ${MARGIN_TARGET}`);
    }
  }
}

function isOrder(asked: ReadonlyMap<string, ReadonlySet<string>>, id: string): boolean {
  for (const ids of asked.values()) if (ids.has(id)) return true;
  return false;
}
