/**
 * A study: trials one after the other, chosen by a sampler in batches. It gives out jobs and takes their outcomes in any order. What it
 * does next depends on the outcomes alone, never on their order, so any number of workers gives the same study and the same hash.
 */
import { assert } from '../../base/failure/assert.ts';
import { Digest } from '../../base/digest.ts';
import { Rung, SHARES, type RungResult } from './halving.ts';
import type { Sampler } from '../samplers/sampler.ts';
import { keyOf, pointFrom, type Dimension, type Point } from '../space.ts';
import { costsOf, violationOf, type Constraint, type Objective, type Outcome, type Trial } from '../trial.ts';

export interface StudyOptions {
  readonly space: readonly Dimension[];
  readonly sampler: Sampler;
  readonly objectives: readonly Objective[];
  readonly constraints: readonly Constraint[];
  /** Number of trials; fewer if the space has fewer points. */
  readonly trials: number;
  /** True: successive halving. */
  readonly isPruned: boolean;
}

/** One run: the point of a trial on a share of the tape. */
export interface Job {
  readonly number: number;
  /** Index of the share; 0 without pruning. */
  readonly rung: number;
  readonly share: number;
  readonly point: Point;
}

interface OpenTrial {
  readonly number: number;
  readonly point: Point;
  readonly place: readonly number[];
  /** The first trial with the same point; it runs for both. */
  readonly twin: OpenTrial | null;
  outcomes: Outcome[];
  state: Trial['state'];
}

interface Batch {
  readonly trials: readonly OpenTrial[];
  /** Share on which its remaining trials run. */
  rung: number;
  running: OpenTrial[];
  isTold: boolean;
}

export class Study {
  readonly #options: StudyOptions;
  readonly #shares: readonly number[];
  readonly #rungs: readonly Rung[];
  readonly #batches: Batch[] = [];
  readonly #jobs: Job[] = [];
  readonly #byKey = new Map<string, OpenTrial>();
  readonly #trials: OpenTrial[] = [];
  /** Number of the first batch that is not settled. */
  #settled = 0;
  #given = 0;
  #isUsedUp = false;

  constructor(options: StudyOptions) {
    this.#options = options;
    this.#shares = options.isPruned ? SHARES : [1];
    this.#rungs = this.#shares.map(() => new Rung());
  }

  /** The next job; null if an outcome is needed first, or if there is nothing left. */
  next(): Job | null {
    while (this.#jobs.length === 0 && this.#canAsk()) this.#ask();
    const job = this.#jobs.shift() ?? null;
    if (job !== null) this.#given++;
    return job;
  }

  /** True if every trial has its final state. */
  get isDone(): boolean {
    return this.#jobs.length === 0 && this.#given === 0 && !this.#canAsk() && this.#batches.every(({ running }) => running.length === 0);
  }

  /** Takes the outcome of a job that was given out. */
  finish(job: Job, outcome: Outcome): void {
    const trial = this.#trials[job.number];
    assert(trial !== undefined && trial.outcomes.length === job.rung && trial.state === 'running', 'the job is running');
    this.#given--;
    trial.outcomes.push(outcome);
    this.#advance();
  }

  /** All trials so far by number. */
  get trials(): readonly Trial[] {
    return this.#trials.map((open) => this.#shown(open));
  }

  /** A digest of the trials that have their final state: points, states, outcomes. */
  hash(): string {
    const digest = new Digest();
    for (const { number, point, state, rungs, outcome } of this.trials) {
      if (state === 'running') continue;
      digest.integer(number);
      digest.text(JSON.stringify([point, state, rungs, outcome?.figures, outcome?.hash, outcome?.error]));
    }
    return digest.hex();
  }

  #canAsk(): boolean {
    if (this.#isUsedUp || this.#trials.length >= this.#options.trials) return false;
    const first = this.#batches[this.#batches.length - this.#options.sampler.lead];
    return first === undefined || first.running.length === 0;
  }

  #ask(): void {
    const { sampler, space, trials } = this.#options;
    // The sampler gets exactly the batches before the lead, even if later ones are complete already.
    const known = this.#batches.length - sampler.lead;
    for (const batch of this.#batches.slice(0, Math.max(0, known + 1))) {
      if (!batch.isTold) sampler.tell(batch.trials.map((open) => this.#shown(open)));
      batch.isTold = true;
    }
    const places = sampler.ask().slice(0, trials - this.#trials.length);
    if (places.length === 0) this.#isUsedUp = true;
    const opened = places.map((place) => this.#open(place, pointFrom(space, place)));
    this.#batches.push({ trials: opened, rung: 0, running: opened, isTold: false });
    this.#queue(opened, 0);
    this.#advance();
  }

  #open(place: readonly number[], point: Point): OpenTrial {
    const key = keyOf(this.#options.space, point);
    const twin = this.#byKey.get(key) ?? null;
    const open: OpenTrial = { number: this.#trials.length, point, place, twin, outcomes: [], state: 'running' };
    if (twin === null) this.#byKey.set(key, open);
    this.#trials.push(open);
    return open;
  }

  #queue(trials: readonly OpenTrial[], rung: number): void {
    for (const { number, point, twin } of trials) {
      if (twin === null) this.#jobs.push({ number, rung, share: this.#shares[rung]!, point });
    }
  }

  /** Decides on every batch whose outcomes on its share are complete, oldest first. */
  #advance(): void {
    for (let isMoving = true; isMoving;) {
      isMoving = false;
      while (this.#batches[this.#settled]?.running.length === 0) this.#settled++;
      // A share is judged batch by batch: a batch waits for the older ones that have not been judged on it.
      let slowest = Infinity;
      for (const batch of this.#batches.slice(this.#settled)) {
        if (batch.running.length === 0) continue;
        if (batch.rung < slowest && isComplete(batch)) {
          this.#judge(batch);
          isMoving = true;
        }
        if (batch.running.length > 0) slowest = Math.min(slowest, batch.rung);
      }
    }
  }

  #judge(batch: Batch): void {
    const own = batch.running.filter(({ twin }) => twin === null);
    const isLast = batch.rung === this.#shares.length - 1;
    const goOn = isLast ? new Set<number>() : this.#rungs[batch.rung]!.add(own.map((open) => this.#result(open)));
    for (const open of own) {
      if (goOn.has(open.number)) continue;
      open.state = this.#result(open).costs.length === 0 ? 'failed' : isLast ? 'done' : 'pruned';
    }
    const goesOn = batch.running.filter((open) => !copyTwin(open) && (open.twin !== null || goOn.has(open.number)));
    batch.running = goesOn;
    batch.rung++;
    this.#queue(goesOn, batch.rung);
  }

  #result({ number, outcomes }: OpenTrial): RungResult {
    const outcome = outcomes.at(-1);
    const isFailed = outcome === undefined || outcome.error !== undefined;
    const costs = isFailed ? null : costsOf(outcome.figures, this.#options.objectives);
    if (isFailed || costs === null) return { number, costs: [], violation: Infinity };
    return { number, costs, violation: violationOf(outcome.figures, this.#options.constraints) };
  }

  #shown(open: OpenTrial): Trial {
    const { number, point, place, outcomes, state } = open;
    const { costs, violation } = this.#result(open);
    return { number, point, place, state, rungs: outcomes.length, outcome: outcomes.at(-1) ?? null, costs, violation };
  }
}

/** True if every trial of the batch has an outcome on its share. A trial whose twin runs in the same batch waits with it. */
function isComplete({ trials, running, rung }: Batch): boolean {
  return running.every(({ outcomes, twin }) =>
    twin === null ? outcomes.length > rung : twin.state !== 'running' || trials.includes(twin),
  );
}

/** Gives a trial the result of its twin, if that has one. True if it did. */
function copyTwin(open: OpenTrial): boolean {
  const { twin } = open;
  if (twin === null || twin.state === 'running') return false;
  open.outcomes = twin.outcomes;
  open.state = twin.state;
  return true;
}
