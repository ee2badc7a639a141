/**
 * A venue in front of the simulator, in a backtest of a session. It replaces simulated facts by recorded ones, one kind at a time: how
 * long messages took, what the polls returned and when, which commands were refused or lost, and what operators did.
 */
import { firstIndex } from '../../../base/collections/first-index.ts';
import type { Approved, Command } from '../../../domain/orders/command.ts';
import { makesOrder } from '../../../domain/orders/command-traits.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Query } from '../../../ports/venue.ts';
import { SILENT_INBOX, VenueEvent, type Inbox } from '../../../ports/venue-event.ts';
import { isOfMarket } from '../../replay/known-venue.ts';
import type { BacktestPort } from '../../backtest/venue/backtest-port.ts';
import { copyOf, DelayedWork } from '../../backtest/venue/delayed-work.ts';
import { isDisturbance, questionKey, type RecordedAnswer, type RecordedCommand, type Recording, type Trip } from './recording.ts';
import { SeenTrades } from './seen-trades.ts';

/** What a run takes from the recording. */
export interface Recorded {
  /** The time that each message took. Without: the latency of the simulation. */
  readonly latency: boolean;
  /** What polls of the market returned, and when all polls arrived. Without: the polls of a backtest. */
  readonly polls: boolean;
  /** Refused and unsent commands. */
  readonly refusals: boolean;
  /** Commands of unknown outcome. */
  readonly unknowns: boolean;
}

export interface RecordedPortSpec {
  readonly port: BacktestPort;
  readonly clock: Clock;
  readonly recording: Recording;
  readonly uses: Recorded;
  /** Messages that are sent before this time take the time that the simulation says. Default: none. */
  readonly timedFrom?: number | undefined;
  /** Called for each command as it is sent. */
  readonly sent: (command: Command) => void;
}

/** A command gets a recorded refusal or lost answer of its kind if it is sent at most this many milliseconds before or after. */
const NEAR_MS = 5_000;

export class RecordedPort implements BacktestPort {
  readonly #spec: RecordedPortSpec;
  readonly #later: DelayedWork;
  readonly #bySeq: ReadonlyMap<number, RecordedCommand>;
  /** Recorded refusals and lost answers that no command of this run has got yet. */
  readonly #disturbances: Set<RecordedCommand>;
  readonly #orderTrips: Trips;
  readonly #readTrips: Trips;
  /** By kind of answer. */
  readonly #readTripsOf: ReadonlyMap<string, Trips>;
  readonly #trades: SeenTrades;
  readonly #timedFrom: number;
  /** By number of a command: how long its outcome takes. */
  readonly #downs = new Map<number, number>();
  /** Commands whose outcome does not arrive. */
  readonly #muted = new Set<number>();
  readonly #reads = new Map<Query, { readonly sentAt: number; readonly down: number }>();
  readonly #event = new VenueEvent();
  #outcomes = SILENT_INBOX;
  #answers = SILENT_INBOX;

  constructor(spec: RecordedPortSpec) {
    this.#spec = spec;
    this.#later = new DelayedWork(spec.port, spec.clock);
    const { answers, commands, orderTrips, readTrips } = spec.recording;
    const { refusals, unknowns } = spec.uses;
    this.#bySeq = new Map(commands.map((one) => [one.command.seq, one]));
    this.#disturbances = new Set(commands.filter((one) => isDisturbance(one) && (one.outcome === 'unknown' ? unknowns : refusals)));
    this.#orderTrips = new Trips(orderTrips);
    this.#readTrips = new Trips(readTrips);
    this.#trades = new SeenTrades(answers.values());
    const known = [...answers.values()].flat().filter(({ answer }) => answer !== null);
    const byKind = Map.groupBy(known, ({ answer }) => answer!.kind);
    this.#readTripsOf = new Map([...byKind].map(([kind, all]) => [kind, new Trips(all.map((one) => onTime(one, one.sentAt)))]));
    this.#timedFrom = spec.uses.latency ? (spec.timedFrom ?? -Infinity) : Infinity;
  }

  get nextDue(): number {
    return this.#later.nextDue;
  }

  run(): void {
    this.#later.run();
  }

  connect(outcomes: Inbox, answers: Inbox): void {
    this.#outcomes = outcomes;
    this.#answers = answers;
    this.#spec.port.connect({ take: (event) => this.#outcome(event) }, { take: (event) => this.#answer(event) });
  }

  /** Something that happens at a time of its own. */
  at(time: number, run: () => void): void {
    this.#later.at(time, run);
  }

  execute(given: Approved<Command>): void {
    const { clock, port, sent } = this.#spec;
    const command = { ...given };
    const now = clock.now();
    sent(command);
    const fate = this.#fateOf(command, now);
    if (fate !== null && this.#disturb(command, fate, now)) return;
    if (now < this.#timedFrom) return port.execute(given);
    const { up, down } = this.#tripOf(command, now);
    this.#downs.set(command.seq, down);
    this.at(now + up, () => port.execute(command));
  }

  query(query: Query): void {
    const { clock, port, uses } = this.#spec;
    const now = clock.now();
    const recorded = this.#nextOf(query, now);
    if (uses.polls && isOfMarket(query.kind)) return this.#recorded(query, recorded, now);
    if (now < this.#timedFrom) return port.query(query);
    const { sentAt, up, down } = recorded === undefined ? this.#readTripOf(query, now) : onTime(recorded, now);
    this.#reads.set(query, { sentAt, down });
    this.at(now + up, () => port.query(query));
  }

  /** An outcome on its way to the bot. */
  #outcome(event: VenueEvent): void {
    const { seq } = event;
    if (this.#muted.delete(seq)) return;
    const down = this.#downs.get(seq);
    this.#downs.delete(seq);
    if (down === undefined) return this.#outcomes.take(event);
    const copy = copyOf(event);
    this.at(this.#spec.clock.now() + down, () => this.#outcomes.take(copy));
  }

  /** An answer on its way to the bot. */
  #answer(event: VenueEvent): void {
    const query = event.query!;
    const read = this.#reads.get(query);
    this.#reads.delete(query);
    if (read === undefined) return this.#answers.take(event);
    const copy = copyOf(event);
    copy.sentAt = read.sentAt;
    this.at(this.#spec.clock.now() + read.down, () => this.#answers.take(copy));
  }

  /** The answer to this question that arrived next in the session. */
  #nextOf(query: Query, now: number): RecordedAnswer | undefined {
    const { answers: all, head } = this.#spec.recording;
    const answers = all.get(questionKey(query, head.config.bot)) ?? [];
    return answers[firstIndex(0, answers.length, (k) => answers[k]!.at >= now)];
  }

  /** The way of a read that the session did not ask for: as the nearest one of its kind. */
  #readTripOf(query: Query, now: number): Trip {
    return { ...(this.#readTripsOf.get(query.kind) ?? this.#readTrips).near(now), sentAt: now };
  }

  /** There is no answer after the last one of the session. A page of trades that it did not ask for has the trades that it saw. */
  #recorded(query: Query, found: RecordedAnswer | undefined, now: number): void {
    if (found === undefined && query.kind === 'trades' && query.before !== '') {
      const trades = this.#trades.page(query.instrument, query.before, query.limit);
      const { up, down } = this.#readTripOf(query, now);
      return this.at(now + up + down, () => this.#answers.take(this.#event.answered(query, { kind: 'trades', trades }, now, now + up)));
    }
    if (found === undefined) return;
    const { at, answer, cause, sentAt, venueTime } = found;
    this.at(at, () => {
      const event = this.#event;
      if (answer === null) this.#answers.take(event.failed(query, cause));
      else this.#answers.take(event.answered(query, structuredClone(answer), Math.min(sentAt, now), venueTime));
    });
  }

  /** The recorded refusal or lost answer of this command, or of the nearest one of its kind. */
  #fateOf(command: Command, now: number): RecordedCommand | null {
    const same = this.#bySeq.get(command.seq);
    let best = same !== undefined && isAlike(same.command, command) ? same : null;
    if (best === null) {
      let least = NEAR_MS;
      for (const one of this.#disturbances) {
        const away = Math.abs(one.command.time - now);
        if (away > least || !isAlike(one.command, command)) continue;
        least = away;
        best = one;
      }
    }
    return best !== null && this.#disturbances.delete(best) ? best : null;
  }

  /** Gives the command the fault of the recorded one. True if the command must not reach the simulator in the normal way. */
  #disturb(command: Command, { at, cause, command: then, landedAt, outcome, rejection }: RecordedCommand, now: number): boolean {
    const { seq } = command;
    const heardAt = now + Math.max(0, at - then.time);
    if (outcome === 'rejected' && rejection !== null) this.#hears(heardAt, (event) => event.rejected(seq, rejection));
    else if (outcome === 'unsent') this.#hears(heardAt, (event) => event.unsent(seq, cause));
    else if (outcome === 'unknown') {
      this.#hears(heardAt, (event) => event.unknown(seq, cause));
      if (landedAt > 0) {
        this.#muted.add(seq);
        this.at(now + Math.max(0, landedAt - then.time), () => this.#spec.port.execute(command as Approved<Command>));
      }
    } else return false;
    return true;
  }

  #hears(at: number, fill: (event: VenueEvent) => VenueEvent): void {
    this.at(at, () => this.#outcomes.take(fill(this.#event)));
  }

  /** How long this command took live; else the one of its kind that was sent nearest to it, else any. */
  #tripOf(command: Command, now: number): Trip {
    const { commands, tripOf } = this.#spec.recording;
    const same = this.#bySeq.get(command.seq);
    if (same !== undefined && isAlike(same.command, command)) return tripOf.get(command.seq) ?? this.#orderTrips.near(now);
    let found: Trip | undefined;
    for (
      let k = firstIndex(0, commands.length, (n) => commands[n]!.command.time >= now - NEAR_MS), least = NEAR_MS;
      k < commands.length;
      k++
    ) {
      const away = commands[k]!.command.time - now;
      if (away > least) break;
      const trip = tripOf.get(commands[k]!.command.seq);
      if (Math.abs(away) > least || trip === undefined || !isAlike(commands[k]!.command, command)) continue;
      least = Math.abs(away);
      found = trip;
    }
    return found ?? this.#orderTrips.near(now);
  }
}

/** The way of a read that is asked now and arrives when the recorded one did. Where the process was late, it left later. */
function onTime({ at, sentAt, venueTime }: RecordedAnswer, now: number): Trip {
  const there = venueTime > 0 ? Math.min(at, Math.max(now, venueTime)) : Math.floor((now + at) / 2);
  return { sentAt: Math.min(there, Math.max(now, sentAt)), up: there - now, down: at - there };
}

/** True if both do the same thing to the same leg. A cancel names no leg. */
function isAlike(a: Command, b: Command): boolean {
  if (a.kind !== b.kind || a.instrument !== b.instrument) return false;
  return !makesOrder(a.kind) || (a.side === b.side && a.effect === b.effect && a.type === b.type);
}

/** Trips by their time. */
export class Trips {
  readonly #trips: readonly Trip[];

  constructor(trips: readonly Trip[]) {
    this.#trips = trips.toSorted((a, b) => a.sentAt - b.sentAt);
  }

  /** The trip that began nearest to `time`; one that takes no time if there is none. */
  near(time: number): Trip {
    const trips = this.#trips;
    const found = firstIndex(0, trips.length, (k) => trips[k]!.sentAt >= time);
    const [before, after] = [trips[found - 1], trips[found]];
    if (before === undefined || after === undefined) return before ?? after ?? { sentAt: time, up: 0, down: 0 };
    return time - before.sentAt < after.sentAt - time ? before : after;
  }
}
