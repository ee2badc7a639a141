/** Watches the studies of a user for pages: read from their files alone, so that a search is not slower for being watched. */
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { shellWord } from '../../setup/shell-word.ts';
import { Failure } from '../../../base/failure/failure.ts';
import type { StudiesAnswer, StudyAnswer, StudyRow, StudyState, StudyTrial } from '../../../control/studies.ts';
import type { Judged as JudgedResult, ParamTexts } from '../../../report/research/search-result.ts';
import { figureText, unitOf } from '../../../report/research/search-figures.ts';
import { bestFirst, bestOf, paretoFront } from '../../../search/ranking.ts';
import { timeLeftMs } from '../../../search/study/time-left.ts';
import { constraintText, costsOf, directionText, violationOf, type Objective, type Outcome } from '../../../search/trial.ts';
import { notedStudies, type NotedStudy } from './study-notes.ts';
import { readStudy, textIn, type KeptPace, type StudySubject } from './study-store.ts';

const STUDIES_MAX = 50;
const ROWS_MAX = 20;
const POINTS_MAX = 500;
const SETTLED_MS = 5_000;

/** A trial that ran on the whole of the searched part. */
interface DoneTrial {
  readonly number: number;
  readonly state: 'done';
  readonly rungs: number;
  readonly params: string;
  readonly costs: readonly number[];
  readonly violation: number;
  readonly endedAt: number;
  /** How many runs had ended with it. */
  readonly ended: number;
}

interface OutcomeRow {
  readonly rowid: number;
  readonly trial: number;
  readonly rung: number;
  readonly params: string;
  readonly outcome: string;
  readonly endedAt: number;
}

/** All studies that are noted. */
export class StudiesWatch {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #now: () => number;
  readonly #known = new Map<string, StudyWatch>();

  constructor(env: Readonly<Record<string, string | undefined>>, now: () => number) {
    this.#env = env;
    this.#now = now;
  }

  list(): StudiesAnswer {
    const time = this.#now();
    const rows = this.#all().map(({ watch, note }) => watch.row(note.isRunning, time));
    const order = (a: StudyRow, b: StudyRow): number =>
      Number(b.state === 'running') - Number(a.state === 'running') || b.startedAt - a.startedAt || (a.file < b.file ? -1 : 1);
    return { time, rows: rows.toSorted(order).slice(0, STUDIES_MAX) };
  }

  /** Null if there is no such study. */
  study(id: string): StudyAnswer | null {
    const found = this.#all().find(({ note }) => note.id === id);
    return found === undefined ? null : found.watch.answer(found.note.isRunning, this.#now());
  }

  #all(): readonly { readonly watch: StudyWatch; readonly note: NotedStudy }[] {
    const all = notedStudies(this.#env).flatMap((note) => {
      const watch = this.#known.get(note.id) ?? new StudyWatch(note.id, note.file);
      this.#known.set(note.id, watch);
      return watch.read() ? [{ watch, note }] : [];
    });
    for (const id of this.#known.keys()) if (all.every(({ note }) => note.id !== id)) this.#known.delete(id);
    return all;
  }
}

class StudyWatch {
  readonly #id: string;
  readonly #file: string;
  /** When its files were written, as of the last read. */
  #written = '';
  #fault = '';
  #subject: StudySubject | null = null;
  #pace: KeptPace | null = null;
  #result: readonly JudgedResult[] | null = null;
  /** The last row that was read, and how many were. */
  #row = 0;
  #ended = 0;
  /** With one rung each run that ended is a trial with a final state, also before the pace says so. */
  readonly #settled = new Set<number>();
  readonly #all: DoneTrial[] = [];
  /** Those that count: a study that is continued may have fewer trials than before. */
  #done: readonly DoneTrial[] = [];
  #curve: readonly (readonly [number, number])[] = [];
  #best: DoneTrial | null = null;

  constructor(id: string, file: string) {
    this.#id = id;
    this.#file = file;
  }

  /** Reads what is new. False if the file is gone. */
  read(): boolean {
    const times = [this.#file, `${this.#file}-wal`].map(writtenAt);
    if (times[0] === 0) return false;
    const written = times.join(' ');
    // A second write within the same tick of the file system's clock would not be seen.
    if (written === this.#written && Date.now() - Math.max(...times) > SETTLED_MS) return true;
    this.#written = written;
    try {
      readStudy(this.#file, (db) => {
        const [subject, pace] = [textIn(db, 'subject'), textIn(db, 'pace')];
        if (subject === null || pace === null) throw new Failure('report-unreadable', { what: 'the study does not say what it searches' });
        this.#subject = JSON.parse(subject) as StudySubject;
        this.#pace = JSON.parse(pace) as KeptPace;
        const rows = db
          .prepare('SELECT rowid, trial, rung, params, outcome, ended_at AS endedAt FROM outcome WHERE rowid > ? ORDER BY rowid')
          .all(this.#row) as unknown as readonly OutcomeRow[];
        for (const row of rows) this.#take(row, this.#subject);
        this.#judge(this.#pace.trials);
        const front = this.#pace.isComplete && textIn(db, 'result') !== null;
        const select = "SELECT json_extract(json, '$.front') AS front FROM result";
        this.#result = front ? (JSON.parse((db.prepare(select).get() as { front: string }).front) as JudgedResult[]) : null;
      });
      this.#fault = '';
    } catch (error) {
      this.#fault = error instanceof Failure ? (error.problems[0]?.what ?? '') : (error as Error).message;
      // Whoever is writing it now may have ended by the next read.
      this.#written = '';
    }
    return true;
  }

  row(isRunning: boolean, now: number): StudyRow {
    const pace = this.#pace ?? { settled: 0, trials: 0, runs: 0, kept: 0, startedAt: 0, at: 0, isComplete: false };
    const state = this.#stateOf(isRunning);
    const [first] = this.#best === null ? [] : this.#objectives.length > 1 ? this.#front() : [this.#best];
    const left = state === 'running' ? timeLeftMs(pace, pace.at - pace.startedAt) : null;
    return {
      id: this.#id,
      name: basename(this.#file).replace(/\.study$/, ''),
      file: this.#file,
      typedFile: shellWord(this.#file),
      state,
      says: this.#says(state),
      strategy: this.#subject?.strategy ?? '',
      settled: this.#subject?.rungs === 1 ? Math.max(pace.settled, this.#settledOf(pace.trials)) : pace.settled,
      trials: pace.trials,
      startedAt: pace.startedAt,
      toldAt: pace.at,
      leftMs: left === null ? null : Math.max(0, left - (now - pace.at)),
      best: first === undefined ? '' : this.#named(this.#values(first)),
      bestHeldOut: first === undefined ? '' : this.#named(this.#heldOut(first) ?? []),
    };
  }

  /** "sharpe 1.83, maxDrawdown 0.03 %"; "" without values. */
  #named(values: readonly string[]): string {
    return values.map((value, k) => `${this.#objectives[k]!.figure} ${value}`).join(', ');
  }

  #settledOf(trials: number): number {
    return [...this.#settled].filter((number) => number < trials).length;
  }

  answer(isRunning: boolean, now: number): StudyAnswer {
    const objectives = this.#objectives;
    const isSingle = objectives.length < 2;
    const front = isSingle ? [] : this.#front();
    const best = isSingle ? bestFirst(this.#done).map((at) => this.#done[at]!) : front;
    const shown = new Set(front);
    const others = isSingle ? [] : this.#done.filter((trial) => !shown.has(trial)).slice(-POINTS_MAX);
    const last = this.#curve.at(-1);
    return {
      ...this.row(isRunning, now),
      time: now,
      sampler: this.#subject?.sampler ?? '',
      tape: this.#subject?.tape ?? '',
      objectives: objectives.map(directionText),
      constraints: (this.#subject?.constraints ?? []).map(constraintText),
      areShares: objectives.map(({ figure }) => unitOf(figure) === 'share'),
      rungs: this.#subject?.rungs ?? 1,
      rows: best.slice(0, ROWS_MAX).map((trial) => this.#shown(trial)),
      curve: isSingle && last !== undefined ? [...this.#curve, [this.#done.at(-1)!.ended, last[1]]] : [],
      front: front.map((trial) => this.#point(trial)),
      others: others.map((trial) => this.#point(trial)),
    };
  }

  get #objectives(): readonly Objective[] {
    return this.#subject?.objectives ?? [];
  }

  #stateOf(isRunning: boolean): StudyState {
    if (this.#subject === null) return isRunning ? 'running' : 'unreadable';
    if (isRunning) return 'running';
    return this.#result !== null ? 'ended' : 'interrupted';
  }

  #says(state: StudyState): string {
    switch (state) {
      case 'unreadable':
        return this.#fault;
      case 'interrupted':
        return `tickwright optimize --resume ${shellWord(this.#file)}`;
      case 'running':
        return this.#pace?.isComplete === true ? 'the best are tried on the part that was held out' : '';
      case 'ended':
        return '';
    }
  }

  #take({ rowid, trial, rung, params, outcome, endedAt }: OutcomeRow, { objectives, constraints, rungs }: StudySubject): void {
    this.#row = rowid;
    this.#ended++;
    this.#settled.add(trial);
    const { figures, error } = JSON.parse(outcome) as Outcome;
    const costs = error === undefined ? costsOf(figures, objectives) : null;
    if (costs === null || rung < rungs - 1) return;
    const violation = violationOf(figures, constraints);
    this.#all.push({ number: trial, state: 'done', rungs, params, costs, violation, endedAt, ended: this.#ended });
  }

  #judge(trials: number): void {
    this.#done = this.#all.filter(({ number }) => number < trials);
    const bests: DoneTrial[] = [];
    for (const one of this.#done) if (bestOf([...bests.slice(-1), one]) === one) bests.push(one);
    this.#best = bests.at(-1) ?? null;
    this.#curve = bests.map((one) => [one.ended, this.#number(one, 0)]);
  }

  /** Those that no other dominates, by the first objective. */
  #front(): readonly DoneTrial[] {
    const front = paretoFront(this.#done);
    const meeting = front.length > 0 || this.#best === null ? front : [this.#best];
    return meeting.toSorted((a, b) => a.costs[0]! - b.costs[0]! || a.number - b.number);
  }

  #number({ costs }: DoneTrial, k: number): number {
    return this.#objectives[k]?.direction === 'max' ? -costs[k]! : costs[k]!;
  }

  #point(trial: DoneTrial): readonly [number, number] {
    return [this.#number(trial, 0), this.#number(trial, 1)];
  }

  #values(trial: DoneTrial): readonly string[] {
    return this.#objectives.map(({ figure }, k) => figureText(figure, this.#number(trial, k)));
  }

  /** Null before the end, and if it was not tried there. */
  #heldOut({ number }: DoneTrial): readonly string[] | null {
    const held = this.#result?.find((one) => one.number === number)?.holdout ?? null;
    return held && this.#objectives.map(({ figure }) => figureText(figure, held[figure]));
  }

  #shown(trial: DoneTrial): StudyTrial {
    const { number, params, violation, endedAt } = trial;
    return {
      number,
      params: Object.entries(JSON.parse(params) as ParamTexts)
        .map(([name, value]) => `${name}=${value}`)
        .join(' '),
      values: this.#values(trial),
      heldOut: this.#heldOut(trial),
      meetsConstraints: violation === 0,
      endedAt,
    };
  }
}

/** 0 if there is no such file. */
function writtenAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
