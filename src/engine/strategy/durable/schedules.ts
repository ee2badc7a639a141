/**
 * The calendar of one strategy: named cron expressions in UTC, each with the time up to which it was handled. That time is in the journal, so
 * due times that passed while the bot was away are known at the next start: they are one call.
 */
import { assert } from '../../../base/failure/assert.ts';
import type { Timer } from '../../../base/time/timer-queue.ts';
import { nextCron, parseCron, type Cron } from '../../../domain/time/cron.ts';
import type { Core } from '../../state/core.ts';
import type { SavedSchedule } from './saved-schedule.ts';

/** The shared state that this file uses. */
interface SchedulesCore extends Core {
  /** Counts commands and timers started by strategies. */
  acts: number;
}

/** A due time of a schedule. */
export interface ScheduleRun {
  /** As in `schedule`. */
  readonly name: string;
  /** The newest time that was due, in milliseconds. */
  readonly at: number;
  /** How long ago that is: 0 unless the bot was away, warming up or stopped. */
  readonly lateMs: number;
  /** Number of earlier due times that got no call for that reason. */
  readonly missed: number;
}

/** A call that comes so much later than its time is logged; timers are late by less. */
const LATE_MS = 1_000;

interface Schedule {
  readonly name: string;
  readonly cron: Cron;
  readonly isDeclared: boolean;
  /** Due times up to this one have been handled. */
  until: number;
  next: number;
}

export interface ScheduleOwner {
  readonly strategy: string;
  /** True if the strategy takes calls now. */
  readonly isReady: () => boolean;
  /** True if it has onSchedule. */
  readonly hasHandler: () => boolean;
  /** Calls onSchedule. */
  readonly call: (run: ScheduleRun) => void;
}

export class Schedules implements Timer {
  readonly #core: SchedulesCore;
  readonly #owner: ScheduleOwner;
  readonly #timer: number;
  readonly #schedules = new Map<string, Schedule>();

  constructor(core: SchedulesCore, owner: ScheduleOwner) {
    this.#core = core;
    this.#owner = owner;
    this.#timer = core.timerQueue.add(this);
  }

  get isEmpty(): boolean {
    return this.#schedules.size === 0;
  }

  /**
   * Sets a schedule, counted from now on. The same expression again changes nothing. @throws CronError if `text` is not an expression,
   * Error if the strategy has no onSchedule
   */
  set(name: string, text: string, isDeclared = false): void {
    if (!this.#owner.hasHandler()) throw new Error(`${this.#owner.strategy}: ctx.schedule needs the handler onSchedule(run, ctx)`);
    const cron = parseCron(text);
    const old = this.#schedules.get(name);
    if (old?.cron.text === cron.text && old.isDeclared === isDeclared) return;
    this.#core.acts++;
    const until = old?.cron.text === cron.text ? old.until : this.#core.now;
    this.#note(this.#put(name, cron, isDeclared, until));
    this.#plan();
  }

  /** Removes a schedule. A declared one comes back at the next start. */
  remove(name: string): void {
    const old = this.#schedules.get(name);
    if (old === undefined) return;
    this.#core.acts++;
    this.#schedules.delete(name);
    this.#note(old, '');
    this.#plan();
  }

  /** The strategy has started: what it declares is set, and what is due is called. */
  begin(declared: Readonly<Record<string, string>>): void {
    for (const { name, isDeclared } of this.saved()) if (isDeclared && !Object.hasOwn(declared, name)) this.remove(name);
    for (const [name, text] of Object.entries(declared)) this.set(name, text, true);
    this.due(this.#core.now);
  }

  due(now: number): void {
    if (!this.#owner.isReady()) return;
    const all = [...this.#schedules.values()].filter(({ next }) => next <= now);
    all.sort((a, b) => a.next - b.next || (a.name < b.name ? -1 : 1));
    for (const schedule of all) if (this.#schedules.get(schedule.name) === schedule) this.#run(schedule, now);
    this.#plan();
  }

  saved(): readonly SavedSchedule[] {
    return [...this.#schedules.values()].map(savedSchedule);
  }

  /** Continues the schedules of an earlier process. */
  restore(saved: readonly SavedSchedule[]): void {
    for (const { name, cron, isDeclared, until } of saved) this.#put(name, parseCron(cron), isDeclared, until);
  }

  #put(name: string, cron: Cron, isDeclared: boolean, until: number): Schedule {
    const schedule = { name, cron, isDeclared, until, next: nextCron(cron, until) };
    this.#schedules.set(name, schedule);
    return schedule;
  }

  #run(schedule: Schedule, now: number): void {
    const { name, cron } = schedule;
    let at = schedule.next;
    assert(at <= now, 'a schedule is called when it is due', at - now, 'schedule', name);
    let missed = 0;
    for (let next = nextCron(cron, at); next <= now; next = nextCron(cron, at)) {
      at = next;
      missed++;
    }
    schedule.until = at;
    schedule.next = nextCron(cron, at);
    assert(schedule.next > now, 'a schedule is called once for all its due times', schedule.next - now, 'schedule', name);
    this.#note(schedule);
    const lateMs = now - at;
    if (missed > 0 || lateMs >= LATE_MS)
      this.#core.log.warn('schedule-missed', { strategy: this.#owner.strategy, schedule: name, missed, lateMs });
    this.#owner.call({ name, at, lateMs, missed });
  }

  #note(schedule: Schedule, cron = schedule.cron.text): void {
    const { journal, now } = this.#core;
    journal.note('schedule', { strategy: this.#owner.strategy, schedule: { ...savedSchedule(schedule), cron } }, now);
  }

  #plan(): void {
    let next = Infinity;
    for (const schedule of this.#schedules.values()) next = Math.min(next, schedule.next);
    this.#core.timerQueue.set(this.#timer, next);
  }
}

function savedSchedule({ name, cron, until, isDeclared }: Schedule): SavedSchedule {
  return { name, cron: cron.text, until, isDeclared };
}
