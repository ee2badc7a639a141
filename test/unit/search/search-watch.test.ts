/** What pages show of a study is what its file has: while it is searched, after its process died, and once it has ended. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StudyAnswer } from '../../../src/control/studies.ts';
import { operatorsOnly, studyRoutes } from '../../../src/run/monitor/study-routes.ts';
import { noteStudy } from '../../../src/run/search/study/study-notes.ts';
import { StudyStore, type KeptPace, type StudySubject } from '../../../src/run/search/study/study-store.ts';
import { StudiesWatch } from '../../../src/run/search/study/study-watch.ts';

let folder = '';
let env: Readonly<Record<string, string>> = {};
let file = '';
const opened: { close(): void }[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tickwright-watch-'));
  env = { TICKWRIGHT_STATE_HOME: join(folder, 'home') };
  file = join(folder, 'mine.study');
});
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
  rmSync(folder, { recursive: true, force: true });
});

const SUBJECT: StudySubject = {
  strategy: 'ema-cross',
  tape: 'tapes/btc',
  sampler: 'tpe',
  objectives: [{ figure: 'netProfit', direction: 'max' }],
  constraints: [],
  rungs: 1,
};
const pace = (settled: number, more: Partial<KeptPace> = {}): KeptPace => ({
  settled,
  trials: 10,
  runs: settled,
  kept: 0,
  startedAt: 1_000,
  at: 5_000,
  isComplete: false,
  ...more,
});

function begun(subject: Partial<StudySubject> = {}): { store: StudyStore; note: { close(): void } } {
  const store = new StudyStore(file, { tape: 'x' });
  opened.push(store);
  store.keepSubject({ ...SUBJECT, ...subject });
  store.keepPace(pace(0));
  const note = noteStudy(env, file)!;
  return { store, note };
}

const keep = (store: StudyStore, trial: number, figures: Record<string, number | null>, rung = 0, error?: string): void =>
  store.keep(trial, rung, `{"fast":"${trial}"}`, { figures, hash: '', ...(error === undefined ? {} : { error }) }, 5);

const studies = (now = 6_000): StudiesWatch => new StudiesWatch(env, () => now);
function only(watch: StudiesWatch): StudyAnswer {
  const { rows } = watch.list();
  expect(rows).toHaveLength(1);
  const answer = watch.study(rows[0]!.id)!;
  expect(answer).toMatchObject(rows[0]!);
  return answer;
}

describe('a study that is watched', () => {
  it('shows the best so far, the table of the best and the time left, and what comes later beside what was read', () => {
    const { store, note } = begun();
    const watch = studies();
    expect(only(watch)).toMatchObject({
      state: 'running',
      name: 'mine',
      settled: 0,
      trials: 10,
      leftMs: null,
      best: '',
      rows: [],
      curve: [],
    });
    [-3, 5, 1].forEach((netProfit, trial) => keep(store, trial, { netProfit }));
    keep(store, 3, { netProfit: 99 }, 0, 'a handler threw');
    keep(store, 4, { netProfit: null });
    store.keepPace(pace(4));
    // Four seconds for four trials, a second ago: six more take five.
    expect(only(watch)).toMatchObject({ state: 'running', settled: 5, leftMs: 5_000, best: 'netProfit 5.00', bestHeldOut: '' });
    keep(store, 5, { netProfit: 7 });
    const { rows, curve, front, says } = only(watch);
    expect(rows.map(({ number, values, params, heldOut }) => [number, values, params, heldOut])).toEqual([
      [5, ['7.00'], 'fast=5', null],
      [1, ['5.00'], 'fast=1', null],
      [2, ['1.00'], 'fast=2', null],
      [0, ['−3.00'], 'fast=0', null],
    ]);
    expect(curve).toEqual([
      [1, -3],
      [2, 5],
      [6, 7],
      [6, 7],
    ]);
    expect([front, says]).toEqual([[], '']);
    // What has ended counts at once, as the curve does; the pace is written later.
    expect(only(watch).settled).toBe(6);
    // Continued with fewer trials.
    store.keepPace(pace(2, { trials: 2 }));
    expect(only(watch).rows.map(({ number }) => number)).toEqual([1, 0]);
    expect(only(watch).settled).toBe(2);
    store.keepPace(pace(4));
    expect(only(studies())).toEqual(only(watch));
    note.close();
  });

  it('shows the front of several objectives in their own directions, by the first, with constraints', () => {
    const { store, note } = begun({
      objectives: [
        { figure: 'sharpe', direction: 'max' },
        { figure: 'maxDrawdown', direction: 'min' },
      ],
      constraints: [{ figure: 'trades', operator: '>=', bound: 30 }],
    });
    const points = [
      [1, 0.1, 40],
      [2, 0.3, 40],
      [0.5, 0.2, 40],
      [3, 0.01, 3],
    ] as const;
    points.forEach(([sharpe, maxDrawdown, trades], trial) => keep(store, trial, { sharpe, maxDrawdown, trades }));
    const { objectives, areShares, constraints, rows, front, others, curve } = only(studies());
    expect(objectives).toEqual(['largest sharpe', 'smallest maxDrawdown']);
    expect(areShares).toEqual([false, true]);
    expect(constraints).toEqual(['trades>=30']);
    expect(rows.map(({ number, meetsConstraints }) => [number, meetsConstraints])).toEqual([
      [1, true],
      [0, true],
    ]);
    expect(front).toEqual([
      [2, 0.3],
      [1, 0.1],
    ]);
    expect(others).toEqual([
      [0.5, 0.2],
      [3, 0.01],
    ]);
    expect(curve).toEqual([]);
    note.close();
  });

  it('counts with pruning only what ran on the whole of the searched part as a result', () => {
    const { store, note } = begun({ rungs: 3 });
    keep(store, 0, { netProfit: 50 }, 0);
    keep(store, 0, { netProfit: 40 }, 1);
    keep(store, 1, { netProfit: 60 }, 0);
    expect(only(studies()).rows).toEqual([]);
    keep(store, 0, { netProfit: 30 }, 2);
    expect(only(studies()).rows.map(({ number, values }) => [number, values])).toEqual([[0, ['30.00']]]);
    note.close();
  });

  it('is interrupted when its process is gone, and says with what it goes on', () => {
    const { store, note } = begun();
    keep(store, 0, { netProfit: 1 });
    note.close();
    expect(only(studies())).toMatchObject({ state: 'interrupted', leftMs: null, says: `tickwright optimize --resume ${file}` });
    opened.push(noteStudy(env, file)!);
    expect(only(studies())).toMatchObject({ state: 'running', says: '' });
  });

  it('has ended once its result is there, with how the best did on the part that was held out; reading leaves no files beside it', () => {
    const { store, note } = begun();
    keep(store, 0, { netProfit: 1 });
    keep(store, 1, { netProfit: 2 });
    store.keepPace(pace(2, { isComplete: true }));
    expect(only(studies())).toMatchObject({ state: 'running', says: 'the best are tried on the part that was held out' });
    store.keepResult(JSON.stringify({ front: [{ number: 1, holdout: { netProfit: -4 } }] }));
    store.close();
    opened.splice(0);
    note.close();
    const { state, says, rows, best, bestHeldOut } = only(studies());
    expect([state, says, best, bestHeldOut]).toEqual(['ended', '', 'netProfit 2.00', 'netProfit −4.00']);
    expect(rows.map(({ number, heldOut }) => [number, heldOut])).toEqual([
      [1, ['−4.00']],
      [0, null],
    ]);
    expect(readdirSync(folder).sort()).toEqual(['home', 'mine.study']);
  });

  it('that is continued with more trials is not ended by its first result', () => {
    const { store, note } = begun();
    store.keepPace(pace(1, { isComplete: true }));
    store.keepResult('{"front":[]}');
    store.keepPace(pace(1, { trials: 20 }));
    note.close();
    expect(only(studies()).state).toBe('interrupted');
  });

  it('that is gone is shown no more, and its note is removed by the next search; one that is damaged says so', () => {
    const { store, note } = begun();
    store.close();
    opened.splice(0);
    note.close();
    const watch = studies();
    const { id } = only(watch);
    writeFileSync(file, 'shopping list');
    expect(only(watch)).toMatchObject({ rows: [] });
    expect(only(studies())).toMatchObject({ state: 'unreadable', says: expect.stringMatching(/not a database/) });
    rmSync(file);
    expect(watch.list().rows).toEqual([]);
    expect(watch.study(id)).toBeNull();
    const other = join(folder, 'other.study');
    writeFileSync(other, '');
    opened.push(noteStudy(env, other)!);
    expect(readdirSync(join(folder, 'home', 'studies')).filter((name) => name.startsWith(id))).toEqual([]);
  });

  it('is shown on the dashboard only to sessions that operate', async () => {
    const routes = operatorsOnly(studyRoutes({ env, now: () => 1 }));
    const call = (role: 'view' | 'operate') => routes.studies({ words: {}, given: {}, session: { id: 'x', role } });
    expect(await call('view')).toMatchObject({ status: 403 });
    expect(await call('operate')).toMatchObject({ status: 200, body: '{"time":1,"rows":[]}' });
    expect(await studyRoutes({ env, now: () => 1 }).study({ words: { id: 'none' }, given: {}, session: null })).toMatchObject({
      status: 404,
    });
  });
});
