/**
 * Sets the isolated margin of a leg to a target amount (E11). The venue accepts signed changes only, so a step sent twice is added twice.
 * A step is computed from two equal position reads and is at most a tenth of the margin. It is journaled with those figures before it
 * leaves. A step without an outcome is never repeated: position reads show whether it landed, or an operator decides.
 * size: one class, a method per phase of a step
 */
import { assert } from '../../../base/failure/assert.ts';
import { ADJUST_MARGIN, ISOLATED } from '../../../domain/codes.ts';
import type { PositionReport } from '../../../domain/report.ts';
import type { Answer, Query } from '../../../ports/venue.ts';
import type { InstrumentContext } from '../../state/records/instrument-context.ts';
import type { Absent } from '../../state/records/order.ts';
import type { PendingQueries } from '../../polling/queries.ts';
import { Cases, type Case, type CaseOwner } from '../../polling/cases.ts';
import { absentSince, isAbsentForGood, type AbsenceCore } from '../unknown/absence.ts';
import type { Executor } from '../executor.ts';
import type { Owner } from '../../state/records/owner.ts';

/** The shared state that this file uses. */
interface MarginsCore extends AbsenceCore {
  readonly contexts: readonly InstrumentContext[];
  readonly nobody: Owner;
}

/** The figures of a leg that are compared between two reads. */
interface Facts {
  readonly margin: number;
  readonly total: number;
  readonly entry: number;
  readonly realised: number;
  readonly fees: number;
  readonly openedAt: number;
}

/** A margin step of unknown outcome, with the position figures before it left. Money and lots. */
export interface SavedMarginStep extends Facts {
  readonly seq: number;
  readonly symbol: string;
  readonly side: number;
  readonly amount: number;
  /** When a read first showed the same figures; null or absent: none has. */
  readonly absent?: Absent | null | undefined;
}

/** Time between two reads of a position; and the longer one after a step without an outcome. */
const READ_MS = 1_000;
const DOUBT_MS = 8_000;
/** Number of reads with a changing position after which the target is given up. */
const UNSTEADY = 20;
/** Largest step as a share of the margin: bounds what a step that lands late can add. */
const LARGEST = 0.1;

/** One margin target, by instrument. */
interface Job extends Case {
  readonly owner: Owner;
  readonly leg: number;
  /** Target margin in money. NaN: stop once the outcome of the step is known. */
  readonly target: number;
  readonly reason: string;
  phase: 'reading' | 'sent' | 'doubt' | 'settling';
  /** While reading: the last read. Afterwards: the read that the step was computed from. */
  facts: Facts | null;
  /** Figures before the last step that landed: a read that still shows them is outdated. */
  before: Facts | null;
  step: number;
  seq: number;
  since: number;
  /** When a read first did not show the step. */
  absent: Absent | null;
  /** Reads after the horizon that did not show it. */
  absences: number;
  reads: number;
}

/** Halts symbols, and ends halts, for a command number. */
export interface MarginHalts {
  halt(instrument: number, seq: number, code: string, detail: string): void;
  lift(seq: number, why: string): boolean;
}

export class Margins implements CaseOwner<Job> {
  readonly #core: MarginsCore;
  readonly #executor: Executor;
  readonly #halts: MarginHalts;
  readonly #jobs: Cases<Job>;
  #restored: readonly SavedMarginStep[] = [];

  constructor(core: MarginsCore, executor: Executor, queries: PendingQueries, halts: MarginHalts) {
    this.#core = core;
    this.#executor = executor;
    this.#halts = halts;
    this.#jobs = new Cases(core, queries, this);
  }

  /** Starts moving the margin to `target`. False while another target of the instrument is in progress, or the symbol is halted. */
  ensure(owner: Owner, leg: number, target: number, reason: string): boolean {
    const instrument = leg >> 1;
    if (this.#jobs.has(instrument) || this.#core.contexts[instrument]!.halts > 0) return false;
    this.#begin({ owner, leg, target, reason }, 'reading', null, 0, 0);
    return true;
  }

  /** Takes steps that were in flight when the process ended, until the start. */
  restore(steps: readonly SavedMarginStep[]): void {
    assert(this.#jobs.count === 0, 'margin steps are restored before others begin', this.#jobs.count);
    this.#restored = steps;
  }

  /** The start: the outcomes of restored steps are looked for. */
  begin(): void {
    const core = this.#core;
    const steps = this.#restored;
    this.#restored = [];
    for (const { seq, symbol, side, amount, margin, total, entry, realised, fees, openedAt, absent = null } of steps) {
      const instrument = core.instruments.findIndex((one) => one.symbol === symbol && one.product === 'futures');
      if (instrument < 0) continue;
      const facts = { margin, total, entry, realised, fees, openedAt };
      const wanted = { owner: core.nobody, leg: 2 * instrument + side, target: Number.NaN, reason: 'restart' };
      this.#begin(wanted, 'doubt', facts, amount, seq, absent);
      this.#halts.halt(instrument, seq, 'outcome-unknown', 'a margin step was on its way when the bot went down');
    }
  }

  /** Steps of unknown outcome, for a snapshot. */
  saved(): SavedMarginStep[] {
    const steps = [...this.#restored];
    for (const { key: instrument, phase, facts, leg, step, seq, absent } of this.#jobs.all()) {
      if (phase === 'reading' || facts === null) continue;
      steps.push({
        seq,
        symbol: this.#core.instruments[instrument]!.symbol,
        side: leg & 1,
        amount: step,
        ...facts,
        ...(absent === null ? {} : { absent }),
      });
    }
    return steps;
  }

  /** The outcome of step `seq`. */
  outcome(seq: number, how: 'accepted' | 'refused' | 'unknown'): void {
    const job = this.#jobOf(seq);
    if (job === null || job.phase !== 'sent') return;
    if (how === 'refused') return this.#jobs.close(job);
    if (how === 'accepted') return this.#landed(job);
    job.phase = 'doubt';
    job.since = this.#core.now;
    this.#jobs.wait(job, READ_MS);
  }

  /** An operator has stated the outcome of the step. False if there is none. */
  settle(seq: number): boolean {
    if (!this.isOpen(seq)) return false;
    this.#jobs.close(this.#jobOf(seq)!);
    return true;
  }

  /** True while the outcome of step `seq` is not known. */
  isOpen(seq: number): boolean {
    const job = this.#jobOf(seq);
    return job !== null && job.phase !== 'reading';
  }

  turn(job: Job): void {
    this.#jobs.ask(job, { kind: 'positions', instrument: job.key });
  }

  answered(query: Query, answer: Answer, sentAt: number): void {
    const job = this.#take(query);
    if (job === null || answer.kind !== 'positions') return;
    const report = answer.positions.find((one) => 2 * one.instrument + one.side === job.leg);
    if (job.phase === 'doubt') return sentAt < job.since ? this.#jobs.wait(job, READ_MS) : this.#judge(job, report);
    if (report === undefined || report.marginMode !== ISOLATED) return this.#refuse(job, report);
    this.#read(job, factsOf(report));
  }

  failed(query: Query, cause: string): void {
    const job = this.#take(query);
    if (job === null) return;
    const { instruments, log } = this.#core;
    if (job.reads++ === 0) log.warn('margin-read-failed', { symbol: instruments[job.key]!.symbol, cause });
    this.#jobs.wait(job, job.phase === 'doubt' ? DOUBT_MS : READ_MS);
  }

  #begin(
    wanted: Pick<Job, 'owner' | 'leg' | 'target' | 'reason'>,
    phase: Job['phase'],
    facts: Facts | null,
    step: number,
    seq: number,
    absent: Absent | null = null,
  ): void {
    const since = this.#core.now;
    const job: Job = {
      ...wanted,
      key: wanted.leg >> 1,
      nextAt: Infinity,
      phase,
      facts,
      before: null,
      step,
      seq,
      since,
      absent,
      absences: 0,
      reads: 0,
    };
    this.#jobs.open(job);
    this.turn(job);
  }

  #refuse(job: Job, report: PositionReport | undefined): void {
    const detail = report === undefined ? 'there is no position' : 'the margin mode is CROSS';
    this.#jobs.close(job);
    this.#executor.begin(ADJUST_MARGIN, job.key);
    this.#executor.refuse(job.owner, 'margin', detail);
  }

  /** A read while moving to the target: the second equal read is acted on. */
  #read(job: Job, facts: Facts): void {
    const core = this.#core;
    const isOld = job.before !== null && isSame(job.before, facts) && core.now - job.since < core.timings.horizonMs;
    if (!isOld && facts.margin === job.target) return this.#jobs.close(job);
    if (!isOld && job.facts !== null && isSame(job.facts, facts) && !this.#isSending(job.key)) return this.#send(job, facts);
    job.facts = isOld ? null : facts;
    if (!isOld && ++job.reads > UNSTEADY) {
      core.log.warn('margin-unsteady', { symbol: core.instruments[job.key]!.symbol, reads: job.reads });
      return this.#jobs.close(job);
    }
    this.#jobs.wait(job, READ_MS);
  }

  #send(job: Job, facts: Facts): void {
    const core = this.#core;
    const instrument = job.key;
    const most = facts.margin > 0 ? Math.max(1, Math.floor(facts.margin * LARGEST)) : Infinity;
    const rest = job.target - facts.margin;
    job.step = Math.sign(rest) * Math.min(most, Math.abs(rest));
    assert(job.step !== 0, 'a margin step changes the margin', job.step);
    assert(Math.abs(job.step) <= most, 'a margin step is at most the largest', job.step);
    assert(Math.abs(job.step) <= Math.abs(rest), 'a margin step does not pass its target', job.step);
    job.facts = facts;
    job.phase = 'sent';
    job.since = core.now;
    job.absent = null;
    job.absences = 0;
    job.nextAt = Infinity;
    const command = this.#executor.begin(ADJUST_MARGIN, instrument);
    command.side = job.leg & 1;
    command.amount = job.step;
    const symbol = core.instruments[instrument]!.symbol;
    const isSent = this.#executor.submitMargin(job.owner, job.reason, (seq) => {
      job.seq = seq;
      core.journal.note('margin-step', { seq, symbol, side: job.leg & 1, amount: job.step, ...facts }, core.now);
    });
    if (!isSent) this.#jobs.close(job);
  }

  #landed(job: Job): void {
    if (Number.isNaN(job.target)) return this.#jobs.close(job);
    job.phase = 'reading';
    job.before = job.facts;
    job.facts = null;
    job.since = this.#core.now;
    job.reads = 0;
    this.turn(job);
  }

  /** A read after a step without an outcome. */
  #judge(job: Job, report: PositionReport | undefined): void {
    const core = this.#core;
    const before = job.facts;
    assert(before !== null, 'a step of unknown outcome has the figures from before it', job.phase, 'order', job.seq);
    const now = report === undefined ? null : factsOf(report);
    const isQuiet = now !== null && isSame({ ...now, margin: before.margin, fees: before.fees }, before);
    // Only margin and fees have changed: fees charged meanwhile are not part of the step.
    const moved = now === null ? 0 : now.margin - before.margin - (now.fees - before.fees);
    const tolerance = Math.floor(Math.abs(job.step) / 100);
    if (isQuiet && Math.abs(moved - job.step) <= tolerance) {
      this.#halts.lift(job.seq, 'the position shows the margin step');
      return this.#landed(job);
    }
    if (now !== null && !(isQuiet && Math.abs(moved) <= tolerance)) return this.#quarantine(job);
    const since = absentSince(core, job, job.seq, job.since);
    job.absences = core.now - since >= core.timings.horizonMs ? job.absences + 1 : 0;
    if (!isAbsentForGood(core, job.absences, since)) return this.#jobs.wait(job, job.absences > 0 ? READ_MS : DOUBT_MS);
    const symbol = core.instruments[job.key]!.symbol;
    core.log.error('presumed-not-landed', {
      seq: job.seq,
      symbol,
      command: 'adjustMargin',
      position: now === null ? 'closed' : 'unchanged',
    });
    this.#halts.lift(job.seq, 'presumed not landed');
    if (now === null) return this.#jobs.close(job);
    this.#landed(job);
    job.before = null;
  }

  /** More than the step has changed: reads can no longer show whether it landed. */
  #quarantine(job: Job): void {
    job.phase = 'settling';
    job.nextAt = Infinity;
    const detail = 'adjustMargin (E11): the position changed in more than the margin while the outcome was unknown';
    this.#halts.halt(job.key, job.seq, 'outcome-unreadable', detail);
  }

  /** An order in flight would change the figures that were read. */
  #isSending(instrument: number): boolean {
    return this.#core.contexts[instrument]!.orders.known().some((order) => order.isInFlight);
  }

  #jobOf(seq: number): Job | null {
    for (const job of this.#jobs.all()) if (job.seq === seq && seq !== 0) return job;
    return null;
  }

  /** The job that requested this read, unless a step was sent meanwhile or an operator has to decide. */
  #take(query: Query): Job | null {
    const job = this.#jobs.asked(query);
    return job !== null && job.phase !== 'sent' && job.phase !== 'settling' ? job : null;
  }
}

function factsOf(report: PositionReport): Facts {
  const { margin, total, entryPrice, realised, funding, createdAt } = report;
  return { margin, total, entry: entryPrice, realised, fees: funding, openedAt: createdAt };
}

function isSame(a: Facts, b: Facts): boolean {
  const isLegSame = a.total === b.total && a.entry === b.entry && a.openedAt === b.openedAt;
  return isLegSame && a.margin === b.margin && a.realised === b.realised && a.fees === b.fees;
}
