/** Replays a session, or a fork of it, into the rows of a stream of changes. Runs in a thread of its own (past-thread.ts). */
import { Failure } from '../../base/failure/failure.ts';
import type { StoryAnswer, WhyAnswer } from '../../control/answers.ts';
import type { ChangeKind } from '../../control/changes.ts';
import type { CommandOutcome, ForkAnswer, ForkSpec, PastAnswer, PastMark } from '../../control/past.ts';
import { formatMoneyShort, type Instrument } from '../../domain/instrument.ts';
import { makesOrder } from '../../domain/orders/command-traits.ts';
import { newEvent, OPERATE, type EngineEvent } from '../../engine/event.ts';
import { UNSENT } from '../../ports/venue-event.ts';
import { strategiesOf } from '../bot/answers/views.ts';
import { laddersFor } from '../bot/control/why-answers.ts';
import { commandText } from '../replay/difference.ts';
import { goOn } from '../replay/go-on.ts';
import { OUTCOMES, Player } from '../replay/player.ts';
import { openSession, settingsOf, type OpenSession } from '../replay/replay.ts';
import type { Place } from '../replay/session-place.ts';
import type { Given, Simulated } from '../replay/simulated.ts';
import { causesOf } from '../why/why-at.ts';
import { BODY, COMMAND, END, isOutput, SNAPSHOT, type EventEntry, type Output } from '../session/entries.ts';
import { withEnds, type Lifted, type PastChange } from './halt-ends.ts';
import { outcomeName, RecordedBot, type PastSink } from './recorded-bot.ts';
import { withoutCommands } from './without-commands.ts';

export interface PlayedPast {
  readonly facts: Omit<PastAnswer, 'name' | 'forks' | 'forksKept'>;
  readonly changes: readonly PastChange[];
}

export interface PlayedFork {
  readonly facts: Omit<ForkAnswer, 'id'>;
  /** Of the session up to the fork, and of the fork. */
  readonly changes: readonly PastChange[];
}

/** A session keeps one to two times this many statuses, one a second at most: a long one has fewer. */
const STATUSES = 7_200;
const STATUS_MS = 1_000;

/** @throws Failure when there is no such session, or its strategies cannot be loaded */
export async function playPast(folder: string): Promise<PlayedPast> {
  const { session, player, bot, sink } = await opened(folder);
  player.play({});
  const { startedAt, endedAt, end, divergence } = player.result();
  bot.end(endedAt);
  const { head } = session;
  const shown = strategiesOf({ setups: player.kernel.setups, instruments: head.instruments, figures: [], tradeReads: new Map() });
  const facts = {
    bot: head.config.bot,
    from: startedAt,
    to: endedAt,
    end,
    differs:
      divergence === null
        ? ''
        : `event ${divergence.event} (${divergence.kind}): recorded ${divergence.expected}; replayed ${divergence.found}`,
    marks: sink.marks,
    outcomes: Object.fromEntries(sink.outcomes),
    strategies: shown.map(({ name, params }) => ({ name, params })),
  };
  return { facts, changes: withEnds(sink.changes, sink.lifts, Infinity) };
}

/** @throws Failure where the fork is not possible: a time outside of the session, an order that had this fate, a parameter that is refused */
export async function playFork(folder: string, fork: ForkSpec): Promise<PlayedFork> {
  const parts = await opened(folder);
  const { session, sink } = parts;
  const { at, simulated } = forked(parts, { fork, until: {} });
  const facts = {
    text: textOf(fork),
    at,
    to: simulated.endedAt,
    marks: sink.marks,
    ...figuresOf(simulated, session.head.instruments),
  };
  return { facts, changes: withEnds(sink.changes, sink.lifts, at) };
}

/** Why the strategies did not trade at a moment of the session, or of a fork of it; or what became of an order up to then. */
export async function whyThen(folder: string, at: number, fork: ForkSpec | null, what: string): Promise<WhyAnswer | StoryAnswer> {
  if (/^\d{1,15}$/.test(what)) return storyThen(folder, at, Number(what), fork);
  const parts = await opened(folder);
  const { player } = parts;
  if (fork === null) player.play({ until: after(at) });
  else forked(parts, { fork, until: after(at) });
  const ladders = player.kernel.why.at({ now: at, endedAt: 0, outside: null, symbol: what });
  // Settings that would change it stay.
  return withoutCommands({ time: at, isReplayed: true, ladders: laddersFor(what, ladders), lines: [] });
}

async function storyThen(folder: string, at: number, number: number, fork: ForkSpec | null): Promise<StoryAnswer> {
  const story = fork === null ? await causesOf(folder, number) : null;
  if (story === null) {
    throw new Failure('command-line', {
      what:
        fork === null
          ? `expected an order of this session, found ${number}`
          : 'expected a strategy or a symbol: of a fork the way of an order is not kept',
      where: 'what',
    });
  }
  const steps = story.steps.filter(({ time }) => time <= at);
  return withoutCommands({ ...story, sentence: `Order ${number}, as far as it had come.`, steps });
}

class Kept implements PastSink {
  changes: PastChange[] = [];
  readonly marks: PastMark[] = [];
  readonly outcomes = new Map<number, CommandOutcome>();
  readonly lifts: Lifted[] = [];
  readonly #onMany: () => void;
  #statuses = 0;

  /** `onMany` is called when every second status was dropped, because there were too many. */
  constructor(onMany: () => void) {
    this.#onMany = onMany;
  }

  change(time: number, kind: ChangeKind, payload: string): void {
    this.changes.push([time, kind, payload]);
    if (kind !== 'status' || ++this.#statuses < 2 * STATUSES) return;
    let seen = 0;
    this.changes = this.changes.filter((change) => change[1] !== 'status' || ++seen % 2 === 0);
    this.#statuses = STATUSES;
    this.#onMany();
  }

  mark(mark: PastMark): void {
    this.marks.push(mark);
  }

  outcome(order: number, outcome: CommandOutcome): void {
    this.outcomes.set(order, outcome);
  }

  lifted(halt: Lifted): void {
    this.lifts.push(halt);
  }
}

interface Opened {
  readonly session: OpenSession;
  readonly player: Player;
  readonly bot: RecordedBot;
  readonly sink: Kept;
}

async function opened(folder: string): Promise<Opened> {
  const session = openSession(folder);
  const { head, entries } = session;
  const settings = await settingsOf(session, head.strategies, head.snapshot);
  const sink = new Kept(() => bot.slow());
  const bot = new RecordedBot(head, sink, STATUS_MS);
  const player = new Player(head, settings, entries, { watch: bot, log: bot });
  bot.begin(player.kernel, player.ids);
  return { session, player, bot, sink };
}

/** Plays the session up to where the fork begins, and the fork from there on. */
function forked(
  { session, player, bot }: Opened,
  { fork, until }: { readonly fork: ForkSpec; readonly until: Place },
): { readonly at: number; readonly simulated: Simulated } {
  player.play({ until: placeOf(session, fork) });
  const { divergence, end } = player.result();
  if (divergence !== null || end !== 'open' || player.recorded.next === null) {
    throw new Failure('command-line', {
      what:
        divergence === null ? 'expected a moment within the session' : `the replay differs from the session at event ${divergence.event}`,
      where: 'the fork',
    });
  }
  // Its clock has no time before the first event.
  const played = Math.max(player.clock.time, session.head.startedAt);
  bot.settled(played);
  const at = fork.how === 'halt' || fork.how === 'set' ? fork.at : played;
  player.clock.time = Math.max(at, played);
  bot.simulates();
  const { given, venue } = goOn(session, player, {
    until,
    settled: (time) => bot.settled(time),
    without: fork.how === 'not-landed' ? fork.order : 0,
  });
  const event = eventOf(fork, at);
  if (event !== null) {
    given.kernel.step(event);
    const { result } = event;
    if (result !== null && !result.ok) throw new Failure('command-line', { what: result.message, where: 'the fork', hint: result.hint });
  }
  const simulated = venue.run(player.recorded.rest());
  bot.end(simulated.endedAt);
  return { at, simulated };
}

/** After everything that happened at a time, which is what a page shows of that time. */
function after(time: number): Place {
  return { time: time + 1 };
}

/** Where the fork begins. The fate of an order is decided at the answer to it. */
function placeOf({ reader }: OpenSession, fork: ForkSpec): Place {
  if (fork.how === 'halt' || fork.how === 'set') return after(fork.at);
  const { order, how } = fork;
  const found = answerTo(order, reader.folder);
  const had = found?.outcome === 'accepted' ? 'landed' : 'not-landed';
  if (found === null || (found.outcome !== 'unknown' && had === how)) {
    throw new Failure('command-line', {
      what:
        found === null
          ? `expected an order of this session that was answered, found ${order}`
          : `order ${order} was ${found.outcome} in the session`,
      where: 'the fork',
    });
  }
  return { event: found.event };
}

/** How the bot took the answer to an order, and the number of that event; null if the session has no such order, or no answer. */
function answerTo(order: number, folder: string): { readonly outcome: CommandOutcome; readonly event: number } | null {
  let isPlaced = false;
  let event = 0;
  for (const entry of openSession(folder).entries) {
    if (entry.kind === COMMAND) {
      const { seq, kind } = (entry as Extract<Output, { kind: typeof COMMAND }>).body;
      isPlaced ||= seq === order && makesOrder(kind);
    }
    if (isOutput(entry) || entry.kind === SNAPSHOT || entry.kind === BODY || entry.kind === END) continue;
    event++;
    if (isPlaced && OUTCOMES.has(entry.kind) && (entry as EventEntry).seq === order) return { outcome: outcomeName(entry.kind), event };
  }
  return null;
}

/** What happens at the beginning of the fork; null if only the fate of an order differs that the simulated venue gets. */
function eventOf(fork: ForkSpec, at: number): EngineEvent | null {
  const why = 'a fork of the session';
  const origin = { by: 'fork', why } as const;
  switch (fork.how) {
    case 'halt':
      return Object.assign(newEvent(), { kind: OPERATE, at, command: { ...origin, name: 'halt', scope: '' } as const });
    case 'set': {
      const { strategy, param, value } = fork;
      return Object.assign(newEvent(), { kind: OPERATE, at, command: { ...origin, name: 'set', strategy, param, value } as const });
    }
    case 'not-landed':
      return Object.assign(newEvent(), { kind: UNSENT, at, seq: fork.order, text: why });
    case 'landed':
      return null;
  }
}

function textOf(fork: ForkSpec): string {
  switch (fork.how) {
    case 'halt':
      return 'opens halted';
    case 'set':
      return `${fork.strategy}: ${fork.param} = ${fork.value}`;
    case 'landed':
      return `order ${fork.order} had landed`;
    case 'not-landed':
      return `order ${fork.order} had not landed`;
  }
}

function figuresOf(
  { commands, recorded, equity, recordedEquity, fills, leftOut }: Simulated,
  instruments: readonly Instrument[],
): Omit<ForkAnswer, 'id' | 'text' | 'at' | 'to' | 'marks'> {
  return {
    equity: formatMoneyShort(equity),
    recordedEquity: formatMoneyShort(recordedEquity),
    fills,
    commands: commands.length,
    recordedCommands: recorded.length,
    firstDifference: differenceOf(commands, recorded, instruments),
    leftOut,
  };
}

function differenceOf(fork: readonly Given[], recorded: readonly Given[], instruments: readonly Instrument[]): string {
  const words = (given: Given | undefined): string => (given === undefined ? 'nothing more' : commandText(given.command, instruments));
  const count = Math.max(fork.length, recorded.length);
  for (let k = 0; k < count; k++) {
    const [there, here] = [words(recorded[k]), words(fork[k])];
    if (there !== here) return `Recorded: ${there}. Fork: ${here}.`;
  }
  return '';
}
