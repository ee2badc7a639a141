/**
 * Says from the recordings of a bot why it did not trade at a moment of the past, and what an order came from. Why at the end of a second is kept
 * beside the recording; else the session is replayed up to that moment in this process, and its kernel is asked.
 */
import type { StepAnswer, StoryAnswer, WhyAnswer } from '../../control/answers.ts';
import { Failure } from '../../base/failure/failure.ts';
import { ClientIds } from '../../domain/orders/client-ids.ts';
import { sessionsIn, startOf } from '../../edge/file/session-file.ts';
import { runningNow } from '../../engine/strategy/definition/running.ts';
import type { Log, LogFields } from '../../ports/log.ts';
import type { JournalRecord } from '../../ports/store.ts';
import { OrderStory } from '../bot/answers/order-story.ts';
import { laddersFor } from '../bot/control/why-answers.ts';
import type { EventEntry } from '../session/entries.ts';
import { type KeptAnswer, keptAnswer } from '../session/kept-seconds.ts';
import { LogLines } from '../session/log-lines.ts';
import { programVersion } from '../setup/version.ts';
import { Player } from '../replay/player.ts';
import { openSession, settingsOf, type OpenSession } from '../replay/replay.ts';
import type { PlayWatch } from '../replay/timeline.ts';

export interface WhyQuestion {
  /** The folder with the recordings of the bot. */
  readonly sessions: string;
  /** A strategy or a symbol; "" for all. */
  readonly what: string;
  /** The moment, exclusive; and from when on lines of the log are wanted. */
  readonly at: number;
  readonly from: number;
  /** True if the bot runs now, so that its newest session has not ended. */
  readonly isRunning: boolean;
}

/** @throws Failure if no session covers the moment */
export async function whyAt({ sessions, what, at, from, isRunning }: WhyQuestion): Promise<WhyAnswer> {
  const folders = sessionsIn(sessions);
  const k = folders.findLastIndex((folder) => (startOf(folder) ?? openSession(folder).head.startedAt) <= at);
  if (k < 0) throw noSession(sessions, at);
  const folder = folders[k]!;
  const kept = keptAnswer(folder, from, at, programVersion());
  if (kept !== null && hasAll(kept, what))
    return { time: at, isReplayed: true, ladders: laddersFor(what, kept.ladders), lines: kept.lines };
  const session = openSession(folder);
  const lines = new LogLines(from, at);
  const player = await playerOf(session, { log: lines });
  lines.clock = player.clock;
  player.play({ until: { time: at } });
  const { end, endedAt, divergence } = player.result();
  const shown = [...lines.take()];
  if (divergence !== null) {
    const text = `from here on the replay differs from the session: ${divergence.found}`;
    shown.push({ time: divergence.at, event: 'replay-differs', text });
  }
  const isLive = isRunning && k === folders.length - 1;
  const hasEnded = !isLive && divergence === null && (end !== 'open' || player.recorded.next === null);
  const ladders = player.kernel.why.at({ now: at, endedAt: hasEnded ? endedAt : 0, outside: null, symbol: what });
  return { time: at, isReplayed: true, ladders: laddersFor(what, ladders), lines: shown };
}

/** True if the second has all ladders of `what`. Those of symbols that a strategy may choose are not kept. */
function hasAll({ ladders, isChosen }: KeptAnswer, what: string): boolean {
  if (what === '' || ladders.some(({ strategy }) => strategy === what)) return true;
  return !isChosen && ladders.some(({ symbol }) => symbol === what);
}

/** The way of an order as the replay of its session shows it; null if no recording has it. */
export async function causesOf(sessions: string, number: number): Promise<StoryAnswer | null> {
  const folder = sessionsIn(sessions).findLast((one) => (openSession(one).head.snapshot?.nextSeq ?? 1) <= number);
  if (folder === undefined) return null;
  const session = openSession(folder);
  const watch = new OrderWatch(number, session);
  const player = await playerOf(session, { watch, log: watch });
  watch.player = player;
  player.play({});
  return watch.answer;
}

async function playerOf(session: OpenSession, more: { readonly watch?: PlayWatch; readonly log: Log }): Promise<Player> {
  const { head, entries } = session;
  return new Player(head, await settingsOf(session, head.strategies, head.snapshot), entries, more);
}

function noSession(where: string, at: number): Failure {
  return new Failure('session-missing', {
    what: `expected a recorded session that began before ${new Date(at).toISOString()}`,
    where,
    hint: 'record.enabled of the configuration records sessions; record.maxDays says how long they are kept',
  });
}

/** Hears of each event of a replay, and collects those that an order came from and that proved what became of it. */
class OrderWatch implements PlayWatch, Log {
  player: Player | null = null;
  readonly #story: OrderStory;
  #event: EventEntry | null = null;
  #eventText = '';
  #notes: StepAnswer[] = [];

  constructor(number: number, { head }: OpenSession) {
    this.#story = new OrderStory(number, head.instruments, new ClientIds(head.config.bot, head.ids));
  }

  get answer(): StoryAnswer | null {
    return this.#story.answer;
  }

  event(entry: EventEntry, text: string): void {
    this.#event = entry;
    this.#eventText = text;
    this.#notes = [];
  }

  record(record: JournalRecord): void {
    const step = this.#story.record(record);
    if (step === null) return;
    if (step.what === 'request') for (const cause of this.#causes(record)) this.#story.insert(cause, step);
    else if (step.what === 'fill') this.#story.insert({ time: record.time, what: 'read', text: `proven by ${this.#eventWords()}` }, step);
  }

  #causes({ time, data }: JournalRecord): StepAnswer[] {
    const running = runningNow();
    const handler =
      running === null ? 'no handler ran: the engine or an operator asked for it' : `${running.strategy} ran ${running.handler}`;
    const strategy = String(data['strategy']);
    const ladders = this.player?.kernel.why.at({ now: time, endedAt: 0, outside: null }) ?? [];
    const limits = ladders.find((one) => one.strategy === strategy)?.limits ?? [];
    const rules = limits.map(({ rule, settings }) => (settings.length === 0 ? rule : `${rule} (${settings.join(', ')})`));
    return [
      { time, what: 'event', text: this.#eventWords() },
      { time, what: 'handler', text: handler },
      ...this.#notes,
      { time, what: 'rules', text: `allowed by ${rules.length} rules: ${rules.join('; ')}` },
    ];
  }

  #eventWords(): string {
    const { sentAt = 0, at } = this.#event ?? { at: 0 };
    return sentAt > 0 ? `the event "${this.#eventText}", asked ${at - sentAt} ms before` : `the event "${this.#eventText}"`;
  }

  debug(): void {
    // Only notes are of interest.
  }

  info(event: string, fields: LogFields = {}): void {
    if (event !== 'strategy-note') return;
    this.#notes.push({ time: this.#event?.at ?? 0, what: 'note', text: String(fields['text']) });
  }

  warn(): void {
    // As above.
  }

  error(): void {
    // As above.
  }
}
