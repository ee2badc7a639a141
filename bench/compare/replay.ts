/**
 * A live run gone through again: the same kernel and the same simulator in this process, fed with the tape, with every step at the
 * moment the live run took it and every request at the moment it reached the exchange. Where the fills come out the same, time is
 * all that separates the live run from a backtest.
 */
import type { BotConfig, StrategyChoice } from '../../src/config/model.ts';
import { CANCEL, PLACE } from '../../src/domain/codes.ts';
import { parseClientId, type Approved, type Command, type IdentitySpec } from '../../src/domain/command.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import type { Rejection } from '../../src/domain/outcome.ts';
import type { LedgerRequest } from '../../src/edge/file/read-ledger.ts';
import { Kernel } from '../../src/engine/kernel.ts';
import type { OperatorCommand } from '../../src/engine/operator/command.ts';
import { OrderLane } from '../../src/engine/polling/lane.ts';
import type { PlannedPoll } from '../../src/engine/polling/schedule.ts';
import type { Answer, Inbox, Query } from '../../src/ports/venue.ts';
import { laneRates, strategySetups } from '../../src/run/setup/bot-parts.ts';
import { kernelSettings } from '../../src/run/bot/preflight.ts';
import { tapeFeed, type MarketFeed } from '../../src/run/market/market-feed.ts';
import { QuietLog } from '../../src/run/backtest/quiet-log.ts';
import { RunCounters } from '../../src/run/backtest/run-tally.ts';
import { simTerms } from '../../src/run/setup/sim-terms.ts';
import { DRAIN, type StepLine } from '../../src/run/bot/trace.ts';
import { VirtualClock } from '../../src/run/backtest/virtual-clock.ts';
import { VenueSim } from '../../src/sim/core/venue-core.ts';
import { SimPort } from '../../src/sim/port/port.ts';
import type { LiveRun } from './live.ts';
import { runOfSim, type Refusals, type Run } from './runs.ts';

export interface Replay {
  readonly run: Run;
  /** Where the replayed kernel or venue did something else than the live one; empty when it went the same way to the end. */
  readonly departures: readonly string[];
  readonly polls: readonly PlannedPoll[];
  /** When commands left the order lane, by number. */
  readonly leftAt: ReadonlyMap<number, number>;
  /** Intents that risk refused, by rule: in the live run as well, when it went the same way. */
  readonly refused: Refusals;
}

export interface ReplayOptions {
  readonly live: LiveRun;
  readonly tape: string;
  readonly speed: number;
  readonly config: BotConfig;
  readonly strategies: readonly StrategyChoice[];
  readonly instruments: readonly Instrument[];
}

export async function replay(options: ReplayOptions): Promise<Replay> {
  const setups = await strategySetups(options.strategies, options.instruments);
  return new Player(options, setups).play();
}

/** Something that reached the venue at `time`; `sentAt` decides within a millisecond. */
interface Arrival {
  readonly time: number;
  readonly sentAt: number;
  readonly request: LedgerRequest | null;
  readonly question: string;
}

type Outcome = { readonly venueId: string } | { readonly rejection: Rejection };

class Player {
  readonly #options: ReplayOptions;
  readonly #departures: string[] = [];
  readonly #botClock = new VirtualClock();
  readonly #venueClock = new VirtualClock();
  readonly #tally: RunCounters;
  readonly #sim: VenueSim;
  readonly #port: SimPort;
  readonly #lane: OrderLane;
  readonly #kernel: Kernel;
  readonly #feed: MarketFeed;
  readonly #arrivals: readonly Arrival[];
  #arrived = 0;
  /** What the kernel sent and asked, by what it is known by on the wire; and what the venue said. */
  readonly #sent = new Map<string, Approved<Command>[]>();
  readonly #asked = new Map<string, Query[]>();
  readonly #leftAt = new Map<number, number>();
  readonly #outcomes = new Map<number, Outcome>();
  readonly #answers = new Map<string, { answer: Answer | string }[]>();

  constructor(options: ReplayOptions, setups: Awaited<ReturnType<typeof strategySetups>>) {
    const { config, instruments, live, speed, tape } = options;
    this.#options = options;
    this.#tally = new RunCounters(instruments, []);
    const { deposits, fillModel } = config.simulation;
    const { leverages, ...terms } = simTerms(config.simulation);
    const accounts = [{ name: 'bot', futures: deposits['USDT'] ?? '0', spot: deposits, leverage: leverages }];
    const size = { historyLimit: 100_000, keepTrades: 10_000 };
    this.#sim = new VenueSim({ instruments, accounts, fillModel, ...terms, ...size }, this.#tally);
    const identity = identityOf(config.bot, live);
    this.#port = new SimPort({
      sim: this.#sim,
      account: 0,
      identity,
      latency: { upMs: 0, downMs: 0 },
      clock: this.#venueClock,
      push: false,
    });
    this.#port.connect(this.#venueInbox());
    const venue = {
      execute: (command: Approved<Command>): void => {
        put(this.#sent, keyOfCommand(command), { ...command });
        this.#leftAt.set(command.seq, this.#botClock.time);
      },
      query: (query: Query) => put(this.#asked, JSON.stringify(query), query),
    };
    this.#lane = new OrderLane({ venue, clock: this.#botClock, rates: laneRates(config) });
    this.#kernel = new Kernel({
      ...kernelSettings(config, { instruments, strategies: setups }),
      venue: this.#lane,
      clock: this.#botClock,
      log: new QuietLog(),
      journal: this.#tally.journal,
      identity,
    });
    this.#lane.connect(this.#kernel.inbox, (command) => this.#kernel.vetoOf(command));
    this.#feed = tapeFeed({ folder: tape, instruments, speed, loop: false, start: live.start, skip: 0 });
    this.#arrivals = arrivalsOf(live, config.bot);
  }

  play(): Replay {
    const { live, instruments } = this.#options;
    for (const step of live.steps) {
      if (step.at > live.end) break;
      this.#botClock.time = step.at;
      this.#take(step);
    }
    while ((this.#arrivals[this.#arrived]?.time ?? Infinity) <= live.end) this.#arriveNext();
    this.#feedUntil(live.end);
    return {
      run: runOfSim(this.#sim, this.#tally.fills, instruments, 0),
      departures: this.#departures,
      polls: this.#kernel.plan?.polls ?? [],
      leftAt: this.#leftAt,
      refused: refusalsIn(this.#kernel.status().counts),
    };
  }

  #take(step: StepLine): void {
    const kernel = this.#kernel;
    const { input, at, seq = 0, query = '', text = '', size = 0 } = step;
    switch (input) {
      case 'start':
        return kernel.inbox.start();
      case 'stop':
        return kernel.inbox.stop();
      case 'operate':
        kernel.inbox.operate(JSON.parse(query) as OperatorCommand);
        return;
      case 'timers':
        return kernel.inbox.runTimers(at);
      case 'answered':
      case 'failed':
        return this.#answer(step, query);
      case 'accepted':
      case 'rejected':
        return this.#settle(input, seq);
      case 'unknown':
        return kernel.inbox.unknown(seq, 'as in the live run');
      case 'clock-skew':
        return kernel.inbox.clockHalt(text);
      case 'journal-away':
        return kernel.inbox.journalAway(size === 1);
      case 'cancel-again':
        return kernel.inbox.cancelAgain();
      case 'rotate-epoch':
        return kernel.inbox.rotateEpoch();
      case DRAIN:
        return this.#lane.drain(at);
      // The lane here gives back what the live one gave back.
      case 'unsent':
        return;
      default:
        return this.#depart(at, `${input} cannot be gone through again`);
    }
  }

  /** What the venue said is known here only after the question, or the command, of the live run has arrived. */
  #answer(step: StepLine, text: string): void {
    while (step.input === 'answered' && !this.#answers.get(text)?.length && this.#arrived < this.#arrivals.length) this.#arriveNext();
    const query = this.#asked.get(text)?.shift();
    const given = step.input === 'answered' ? this.#answers.get(text)?.shift()?.answer : 'failed';
    if (query === undefined) return this.#depart(step.at, `${text} was not asked`);
    if (typeof given === 'object') this.#kernel.inbox.answered(query, given, step.sentAt ?? 0, step.venueTime ?? 0);
    else this.#kernel.inbox.failed(query, given ?? 'no answer');
  }

  #settle(input: 'accepted' | 'rejected', seq: number): void {
    while (!this.#outcomes.has(seq) && this.#arrived < this.#arrivals.length) this.#arriveNext();
    const outcome = this.#outcomes.get(seq);
    if (outcome === undefined) return this.#depart(this.#botClock.time, `command ${seq} was not sent`);
    const isAccepted = 'venueId' in outcome;
    if (isAccepted !== (input === 'accepted')) this.#depart(this.#botClock.time, `command ${seq} was ${input} in the live run only`);
    if (isAccepted) this.#kernel.inbox.accepted(seq, outcome.venueId);
    else this.#kernel.inbox.rejected(seq, outcome.rejection);
  }

  #arriveNext(): void {
    const { time, request, question } = this.#arrivals[this.#arrived++]!;
    this.#feedUntil(time);
    this.#venueClock.time = Math.max(this.#venueClock.time, time);
    if (request === null) {
      this.#port.query(JSON.parse(question) as Query);
    } else {
      const command = this.#sent.get(keyOfRequest(request, this.#options.config.bot))?.shift();
      if (command === undefined) return this.#depart(time, `${request.endpoint} ${request.body} was not sent`);
      if (this.#sim.nextDue <= time) this.#sim.advance(time);
      this.#port.execute(command);
    }
    this.#port.run();
  }

  #feedUntil(time: number): void {
    this.#feed.feed(time, this.#sim);
    if (this.#sim.nextDue <= time) this.#sim.advance(time);
  }

  #venueInbox(): Inbox {
    const answer = (query: Query, given: Answer | string): void => put(this.#answers, JSON.stringify(query), { answer: given });
    return {
      accepted: (seq, venueId) => void this.#outcomes.set(seq, { venueId }),
      rejected: (seq, rejection) => void this.#outcomes.set(seq, { rejection }),
      unsent: () => undefined,
      unknown: () => undefined,
      answered: answer,
      failed: answer,
    };
  }

  #depart(time: number, what: string): void {
    this.#departures.push(`${time - this.#options.live.start} ms: ${what}`);
  }
}

/** Questions and writes in the order in which the exchange took them. */
function arrivalsOf({ steps, truth, journal }: LiveRun, bot: string): Arrival[] {
  const madeAt = new Map<string, number[]>();
  for (const { kind, seq, time, data } of journal) {
    if (kind === 'command') put(madeAt, keyOfCommand({ seq, targetVenueId: '', ...data } as unknown as Command), time);
  }
  const questions = steps
    .filter((step) => step.input === 'answered')
    .map((step): Arrival => ({ time: step.venueTime ?? 0, sentAt: step.sentAt ?? 0, request: null, question: step.query ?? '' }));
  const writes = truth.requests.map((request): Arrival => {
    const sentAt = madeAt.get(keyOfRequest(request, bot))?.shift() ?? request.time;
    return { time: request.time, sentAt, request, question: '' };
  });
  return [...questions, ...writes].sort((a, b) => a.time - b.time || a.sentAt - b.sentAt);
}

interface WireOrder {
  readonly clientOid?: string;
  readonly orderIdList?: readonly { readonly orderId?: string; readonly clientOid?: string }[];
}

/** What a request is about: an order by its number, a cancel by its target's. Others are taken in the order they came. */
function keyOfRequest({ endpoint, body }: LedgerRequest, bot: string): string {
  const { clientOid, orderIdList } = JSON.parse(body) as WireOrder;
  if (orderIdList !== undefined) return `cancel ${parseClientId(bot, orderIdList[0]?.clientOid ?? '').seq || orderIdList[0]?.orderId}`;
  return clientOid === undefined ? endpoint : `place ${parseClientId(bot, clientOid).seq}`;
}

function keyOfCommand(command: Command): string {
  if (command.kind === CANCEL) return `cancel ${command.target || command.targetVenueId}`;
  return command.kind === PLACE ? `place ${command.seq}` : `kind ${command.kind}`;
}

function refusalsIn(counts: Readonly<Record<string, number>>): Refusals {
  const prefix = 'intent-refused ';
  const named = Object.entries(counts).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(named.map(([name, count]) => [name.slice(prefix.length), count]));
}

function identityOf(bot: string, { truth }: LiveRun): IdentitySpec {
  for (const { body } of truth.requests) {
    const { clientOid } = JSON.parse(body) as WireOrder;
    if (clientOid !== undefined) return { bot, epoch: parseClientId(bot, clientOid).epoch };
  }
  return { bot, epoch: 0 };
}

function put<T>(into: Map<string, T[]>, key: string, value: T): void {
  const list = into.get(key);
  if (list === undefined) into.set(key, [value]);
  else list.push(value);
}
