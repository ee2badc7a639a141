/**
 * A live run repeated from its session recording, in two independent halves. The kernel is given the recorded events, as `tickwright replay`
 * gives them. The simulator of a backtest is given the recorded commands, each at the time at which it reached the exchange. If the fills
 * are the same, only times separate the live run from a backtest.
 */
import type { BotConfig } from '../../src/config/model.ts';
import { encodeRequest } from '../../src/contract/encode-params.ts';
import { ClientIds } from '../../src/domain/orders/client-ids.ts';
import type { Approved, Command } from '../../src/domain/orders/command.ts';
import type { Query } from '../../src/ports/venue.ts';
import { ANSWERED, SILENT_INBOX } from '../../src/ports/venue-event.ts';
import { requestOf } from '../../src/venue/interface/map-out.ts';
import { refusalsOf } from '../../src/engine/status.ts';
import { OrderThrottle } from '../../src/engine/polling/order-throttle.ts';
import type { PlannedPoll } from '../../src/engine/polling/schedule.ts';
import { RunCounters } from '../../src/run/backtest/counts/run-counters.ts';
import { VirtualClock } from '../../src/run/backtest/venue/virtual-clock.ts';
import { kernelSettings } from '../../src/run/bot/preflight.ts';
import { tapeFeed } from '../../src/run/market/market-feed.ts';
import { Player } from '../../src/run/replay/player.ts';
import type { Divergence } from '../../src/run/replay/recorded-entries.ts';
import { openSession } from '../../src/run/replay/replay.ts';
import { ASK, COMMAND, isOutput, type EventEntry, type Head, type Output } from '../../src/run/session/entries.ts';
import { commandRates, strategySetups } from '../../src/run/setup/bot-parts.ts';
import { simTerms } from '../../src/run/setup/sim-terms.ts';
import { VenueSim } from '../../src/sim/core/venue-core.ts';
import { SimPort } from '../../src/sim/port/port.ts';
import type { LiveRun } from './live.ts';
import { runOfSim, type Refusals, type Run } from './runs.ts';

/** An answer of the venue, as the bot got it. */
export interface ReadAnswer {
  readonly query: Pick<Query, 'kind' | 'instrument'>;
  readonly sentAt: number;
  readonly venueTime: number;
  /** Time when the kernel got it. */
  readonly at: number;
}

export interface Repeated {
  readonly run: Run;
  /** Where the kernel did something else than recorded, or null. */
  readonly divergence: Divergence | null;
  /** Requests of the ledger that no recorded command fits. */
  readonly unmatched: readonly string[];
  readonly polls: readonly PlannedPoll[];
  readonly answers: readonly ReadAnswer[];
  /** When each command could leave the order throttle, by number. */
  readonly leftAt: ReadonlyMap<number, number>;
  /** Intents that risk refused, by rule. */
  readonly refused: Refusals;
}

interface RepeatOptions {
  readonly live: LiveRun;
  readonly tape: string;
  readonly speed: number;
  readonly config: BotConfig;
}

export async function repeat({ live, tape, speed, config }: RepeatOptions): Promise<Repeated> {
  const session = openSession(live.session);
  const { head } = session;
  const { instruments } = head;
  const settings = kernelSettings(session.config, { instruments, strategies: await strategySetups(head.strategies, instruments) });
  const player = new Player(head, settings, session.entries);
  player.play({});
  const { answers, commands } = recordedIn(live.session);
  return {
    ...simulated(commands, head, { live, tape, speed, config }),
    divergence: player.result().divergence,
    polls: player.kernel.plan?.polls ?? [],
    answers,
    leftAt: timesOfThrottle(commands, config),
    refused: refusalsOf([player.kernel.status()]),
  };
}

interface SentCommand {
  readonly at: number;
  readonly command: Approved<Command>;
}

/** The answers and commands of a recording, with their times. */
function recordedIn(folder: string): { answers: ReadAnswer[]; commands: SentCommand[] } {
  const answers: ReadAnswer[] = [];
  const commands: SentCommand[] = [];
  const questions: Query[] = [];
  let at = 0;
  for (const entry of openSession(folder).entries) {
    if (isOutput(entry)) {
      const { kind, body } = entry as Extract<Output, { readonly body: unknown }>;
      if (kind === ASK) questions.push(body as unknown as Query);
      if (kind === COMMAND) commands.push({ at, command: body as Approved<Command> });
      continue;
    }
    const event = entry as EventEntry;
    at = event.at ?? at;
    const query = questions[(event.query ?? 0) - 1];
    if (event.kind !== ANSWERED || query === undefined) continue;
    answers.push({ query, sentAt: event.sentAt ?? 0, venueTime: event.venueTime ?? 0, at });
  }
  return { answers, commands };
}

/** The simulator of a backtest, given each command at the time of its request in the exchange's ledger. */
function simulated(commands: readonly SentCommand[], head: Head, options: RepeatOptions): Pick<Repeated, 'run' | 'unmatched'> {
  const { live, tape, speed, config } = options;
  const { instruments, identity } = head;
  const counters = new RunCounters(instruments, []);
  const { deposits, fillModel } = config.simulation;
  const { leverages, ...terms } = simTerms(config.simulation);
  const accounts = [{ name: 'bot', futures: deposits['USDT'] ?? '0', spot: deposits, leverage: leverages }];
  const size = { historyLimit: 100_000, keepTrades: 10_000 };
  const sim = new VenueSim({ instruments, accounts, fillModel, ...terms, ...size }, counters);
  const clock = new VirtualClock();
  const port = new SimPort({ sim, account: 0, identity, latency: { upMs: 0, downMs: 0 }, clock, push: false });
  // The outcomes are in the recording.
  port.connect(SILENT_INBOX, SILENT_INBOX);
  const feed = tapeFeed({ folder: tape, instruments, speed, loop: false, start: live.start, skip: 0 });
  const runTo = (time: number): void => {
    while (feed.nextTime <= time) feed.feed(time, sim);
    if (sim.nextDue <= time) sim.advance(time);
  };
  const sent = wireTexts(commands, head, config.venue.marginModeWord);
  const unmatched: string[] = [];
  for (const request of live.truth.requests) {
    if (request.time > live.end) break;
    const command = sent.get(`${request.endpoint} ${request.body}`)?.shift();
    if (command === undefined) {
      unmatched.push(`${request.endpoint} ${request.body}`);
      continue;
    }
    runTo(request.time);
    clock.time = request.time;
    port.execute(command);
    port.run();
  }
  runTo(live.end);
  return { run: runOfSim(sim, counters.fills, instruments, 0), unmatched };
}

/** The commands by the text of their requests, in order. */
function wireTexts(
  commands: readonly SentCommand[],
  { config, ids, instruments }: Head,
  crossWord: 'CROSS' | 'CROSSED',
): Map<string, Approved<Command>[]> {
  const known = new ClientIds(config.bot, ids);
  const wire = { instruments, clientIdOf: (seq: number) => known.idOf(seq), crossWord };
  const all = commands.map(({ command }) => command);
  return Map.groupBy(all, (command) => {
    const { endpoint, params } = requestOf(command, wire);
    return `${endpoint.id} ${encodeRequest(endpoint, params).body}`;
  });
}

/** When an order throttle lets each command leave: what comes after it is the latency. */
function timesOfThrottle(commands: readonly SentCommand[], config: BotConfig): Map<number, number> {
  const leftAt = new Map<number, number>();
  const clock = new VirtualClock();
  const orders = { execute: (command: Command) => void leftAt.set(command.seq, clock.time) };
  const throttle = new OrderThrottle({ orders, clock, rates: commandRates(config) });
  throttle.connect(SILENT_INBOX);
  const drainTo = (time: number): void => {
    while (throttle.nextDue <= time) {
      clock.time = throttle.nextDue;
      throttle.drain(clock.time);
    }
  };
  for (const { at, command } of commands) {
    drainTo(at);
    clock.time = at;
    throttle.execute(command);
  }
  drainTo(Number.MAX_SAFE_INTEGER);
  return leftAt;
}
