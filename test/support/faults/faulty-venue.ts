/**
 * Injects faults between a kernel and a simulated venue: commands that are never sent, get lost or land late; outcomes that are lost, late
 * or duplicated; reads that fail or are late. A reported outcome is never false.
 */
import type { Random } from '../../../src/base/random.ts';
import { ADJUST_MARGIN, PLACE_TRIGGER } from '../../../src/domain/codes.ts';
import { formatClientId, type Approved, type Command } from '../../../src/domain/orders/command.ts';
import type { Answer, OrderPort, Query, ReadPort } from '../../../src/ports/venue.ts';
import { FAILED, VenueEvent, type Inbox } from '../../../src/ports/venue-event.ts';
import { copyOf } from '../../../src/run/backtest/venue/delayed-work.ts';
import { IDENTITY, type ManualClock } from '../engine/engine-kit.ts';
import type { StaleLists } from './stale-lists.ts';

/** Without an answer for this long, an outcome is unknown. */
const TIMEOUT_MS = 600;
const FATES = ['unsent', 'lost', 'lands-late', 'unheard', 'late', 'slow', 'twice'] as const;
type Fate = (typeof FATES)[number] | 'well';

/** Margin changes that were sent, and that reached the venue. Shared by successive bots on one account. */
export interface MarginSteps {
  lastSeq: number;
  /** Margin changes that landed after a later one was sent: together they exceed one change. */
  readonly overlapping: string[];
}

/** What is blocked, and in which interval. */
export interface Blockage {
  readonly what: Query['kind'] | 'commands';
  readonly from: number;
  readonly to: number;
}

/** Blocks each of the lists and the commands from time to time for up to eight seconds, and releases them in random order. */
export function blockagesOf(random: Random, start: number): Blockage[] {
  const blockages: Blockage[] = [];
  for (const what of ['positions', 'pending', 'history', 'commands'] as const) {
    for (let from = start + random.below(8_000); from < start + 60_000; from += 4_000 + random.below(20_000)) {
      blockages.push({ what, from, to: from + 500 + random.below(7_500) });
    }
  }
  return blockages;
}

interface Later {
  readonly at: number;
  readonly run: () => void;
}

export class FaultyVenue implements OrderPort, ReadPort {
  /** True once the bot is killed: nothing is reported any more, but sent messages still land. */
  isDead = false;
  inbox: Inbox | null = null;
  /** What the simulated venue tells of commands, and of reads. */
  readonly outcomes: Inbox = { take: (event) => this.#outcome(event) };
  readonly answers: Inbox = { take: (event) => this.#answered(event) };
  /** What is blocked, and when. */
  blockages: readonly Blockage[] = [];
  readonly #venue: OrderPort & ReadPort;
  readonly #event = new VenueEvent();
  readonly #clock: ManualClock;
  readonly #random: Random;
  readonly #rate: number;
  readonly #lists: StaleLists | null;
  readonly #fates = new Map<number, Fate>();
  readonly #later: Later[] = [];
  readonly #steps: MarginSteps;
  /** Client ids of trigger orders, if the venue gives the fired orders its own ids. */
  readonly #hidden: Set<string> | null;

  /** `rate` is the share of commands and reads that fail, from 0 to 1; `lists` changes what the venue's lists show. */
  constructor(
    venue: OrderPort & ReadPort,
    clock: ManualClock,
    random: Random,
    rate: number,
    lists: StaleLists | null = null,
    steps: MarginSteps = { lastSeq: 0, overlapping: [] },
    hidden: Set<string> | null = null,
  ) {
    this.#steps = steps;
    this.#hidden = hidden;
    this.#venue = venue;
    this.#clock = clock;
    this.#random = random;
    this.#rate = rate;
    this.#lists = lists;
  }

  get nextDue(): number {
    return this.#later[0]?.at ?? Infinity;
  }

  run(): void {
    while (this.nextDue <= this.#clock.time) this.#later.shift()!.run();
  }

  execute(command: Approved<Command>): void {
    const { seq } = command;
    const fate =
      this.#clog('commands') !== null
        ? this.#random.below(2) === 0
          ? 'lost'
          : 'unheard'
        : this.#goesWrong()
          ? FATES[this.#random.below(FATES.length)]!
          : 'well';
    this.#fates.set(seq, fate);
    if (fate === 'unsent') return this.#tell(0, (event) => event.unsent(seq, fate));
    if (fate === 'lost' || fate === 'lands-late' || fate === 'unheard' || fate === 'late') {
      this.#tell(TIMEOUT_MS, (event) => event.unknown(seq, fate));
    }
    if (command.kind === PLACE_TRIGGER) this.#hidden?.add(formatClientId(IDENTITY, seq));
    if (command.kind === ADJUST_MARGIN) this.#steps.lastSeq = seq;
    if (fate === 'lost') return;
    if (fate !== 'lands-late') return this.#venue.execute(command);
    const copy = { ...command };
    this.#in(TIMEOUT_MS + this.#random.below(5_000), () => {
      if (copy.kind === ADJUST_MARGIN && this.#steps.lastSeq !== seq) this.#steps.overlapping.push(`${seq} after ${this.#steps.lastSeq}`);
      this.#venue.execute(copy);
    });
  }

  query(query: Query): void {
    this.#venue.query(query);
  }

  #answered(event: VenueEvent): void {
    const query = event.query!;
    if (event.kind === FAILED) return this.#pass(0, event);
    const { sentAt } = event;
    const { answer: listed, venueTime } = this.#lists?.answer(query, event.answer!, event.venueTime) ?? {
      answer: event.answer!,
      venueTime: event.venueTime,
    };
    const answer = this.#seen(query, listed);
    const clog = this.#clog(query.kind);
    if (clog !== null) return this.#tell(Math.min(TIMEOUT_MS, clog.to - this.#clock.time), (said) => said.failed(query, 'timeout'));
    if (!this.#goesWrong()) return this.#tell(0, (said) => said.answered(query, answer, sentAt, venueTime));
    if (this.#random.below(3) === 0) return this.#tell(0, (said) => said.failed(query, 'timeout'));
    this.#tell(this.#random.below(1_500), (said) => said.answered(query, answer, sentAt, venueTime));
  }

  #clog(what: Blockage['what']): Blockage | null {
    const now = this.#clock.time;
    return this.blockages.find((one) => one.what === what && one.from <= now && now < one.to) ?? null;
  }

  #outcome(event: VenueEvent): void {
    const fate = this.#fates.get(event.seq);
    if (fate === 'unheard' || fate === 'lands-late') return;
    const isSlow = fate === 'late' || fate === 'slow';
    this.#pass(isSlow ? (fate === 'late' ? TIMEOUT_MS : 0) + this.#random.below(3_000) : 0, event);
    if (fate === 'twice') this.#pass(this.#random.below(2_000), event);
  }

  #pass(ms: number, event: VenueEvent): void {
    const copy = copyOf(event);
    this.#tell(ms, () => copy);
  }

  #tell(ms: number, fill: (event: VenueEvent) => VenueEvent): void {
    this.#in(ms, () => {
      if (!this.isDead) this.inbox?.take(fill(this.#event));
    });
  }

  /** Runs callbacks in order of time; equal times in the order of the calls. */
  #in(ms: number, run: () => void): void {
    const at = this.#clock.time + ms;
    const place = this.#later.findIndex((one) => one.at > at);
    this.#later.splice(place < 0 ? this.#later.length : place, 0, { at, run });
  }

  #seen(query: Query, answer: Answer): Answer {
    const hidden = this.#hidden;
    if (hidden === null || (answer.kind !== 'pending' && answer.kind !== 'history')) return answer;
    if (query.kind === 'history' && hidden.has(query.clientId)) return { ...answer, orders: [] };
    return { ...answer, orders: answer.orders.map((one) => (hidden.has(one.clientId) ? { ...one, clientId: '' } : one)) };
  }

  #goesWrong(): boolean {
    return this.#random.uniform() < this.#rate;
  }
}
