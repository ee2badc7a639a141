/** Saves the state of a running bot (live orders, halts, strategy states), so that a restart reads only the end of the journal. */
import type { StatusAnswer } from '../../../control/answers.ts';
import type { ClientIds } from '../../../domain/orders/client-ids.ts';
import type { Instrument } from '../../../domain/instrument.ts';
import type { Kernel } from '../../../engine/kernel.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { JournalRecord } from '../../../ports/store.ts';
import type { Recorder } from '../../session/session-recorder.ts';
import type { BusinessLog } from './business-log.ts';
import type { DayProfit } from './day-profit.ts';
import type { DurableGate } from './durable-gate.ts';
import { isFill, isPlaced } from '../answers/fill-answers.ts';
import { IDS_KEY, type Recovered, type Saved } from './recovered.ts';

const EVERY_MS = 5_000;

export interface SnapshotDeps {
  readonly clock: Clock;
  readonly kernel: Kernel;
  readonly gate: Pick<DurableGate, 'position' | 'put'>;
  readonly ids: ClientIds;
  readonly businessLog: Pick<BusinessLog, 'reasons' | 'booked'>;
  readonly days: DayProfit;
  /** null if sessions are not recorded. */
  readonly recorder: Recorder | null;
  /** Those that are kept for reading a stopped bot. */
  readonly instruments: () => readonly Instrument[];
  readonly recovered: Pick<Recovered, 'isNew' | 'fills' | 'placed' | 'startEquity'>;
  readonly status: () => StatusAnswer;
}

export class Snapshots {
  /** Fills reported since the journal began, and orders placed. */
  fills: number;
  placed: number;
  readonly #deps: SnapshotDeps;
  /** Position of the newest snapshot that was queued; 0 before the first. A start reads the records after it. */
  savedAfter = 0;
  #startEquity: number;
  #savedAt: number;
  /** True once the store has the status of the armed bot, which readers of a stopped bot are shown. */
  #isShown = false;
  /** True if money was told that the last snapshot does not contain: a later process must not tell it again. */
  #isBehind = false;

  constructor(deps: SnapshotDeps) {
    this.#deps = deps;
    this.fills = deps.recovered.fills;
    this.placed = deps.recovered.placed;
    this.#startEquity = deps.recovered.startEquity;
    this.#savedAt = deps.clock.now();
  }

  /** Counts a new record of the journal. */
  count(record: JournalRecord): void {
    if (isFill(record)) this.fills++;
    else if (isPlaced(record)) this.placed++;
    else if (record.kind === 'balance') this.#isBehind = true;
  }

  /** Equity when the journal began, in money; 0 while unknown. */
  get startEquity(): number {
    const { kernel } = this.#deps;
    if (this.#startEquity === 0 && kernel.phase === 'armed') {
      const { equity } = kernel.status();
      if (Number.isFinite(equity)) this.#startEquity = equity;
    }
    return this.#startEquity;
  }

  /** Adds a snapshot to the next commit if the last one is old or lacks what was told, or if the bot has just been armed. */
  saveIfDue(): void {
    const { clock, kernel } = this.#deps;
    const isFirst = !this.#isShown && kernel.phase === 'armed';
    if (isFirst || this.#isBehind || clock.now() - this.#savedAt >= EVERY_MS) this.save();
  }

  save(): void {
    const { clock, kernel, gate, ids, businessLog, days, recorder, recovered, instruments, status } = this.#deps;
    this.#savedAt = clock.now();
    this.#isBehind = false;
    this.#isShown ||= kernel.phase === 'armed';
    const after = gate.position;
    const state = recorder?.snapshot(() => kernel.snapshot()) ?? kernel.snapshot();
    if (!kernel.mayKeep(state)) return;
    const saved: Saved = {
      after,
      kernel: state,
      fills: this.fills,
      placed: this.placed,
      startEquity: this.startEquity,
      hasBegun: this.#isShown || !recovered.isNew,
      reasons: businessLog.reasons(),
      booked: businessLog.booked(),
      days: days.saved(),
      shown: { status: status(), bot: ids.bot, instruments: instruments() },
    };
    gate.put('snapshot', JSON.stringify(saved));
    this.savedAfter = saved.after;
    gate.put(IDS_KEY, JSON.stringify(ids.saved()));
  }
}
