/** Commands of operators: which act at once, which wait for their record, and what happens when two meet. */
import { expect, test } from 'vitest';
import type { OperatorCommand, OperatorResult } from '../../src/engine/operator/command.ts';
import { isStop, Operations } from '../../src/run/bot/control/operations.ts';

const PERSON = { by: 'ann', why: '' };
const KILL: OperatorCommand = { name: 'kill', ...PERSON };
const RESUME: OperatorCommand = { name: 'resume', scope: 'all', confirmed: true, ...PERSON };
const CANCEL: OperatorCommand = { name: 'cancel-all', scope: 'all', ...PERSON };

/** Operations whose journal is slow: records become durable when `commit` is called. `isAsked`: a halt waits in a file. */
function rig(isAsked = false): { operations: Operations; did: string[]; commit: () => void } {
  const did: string[] = [];
  let waiting: (() => void)[] = [];
  const durable = (): Promise<boolean> => new Promise((resolve) => waiting.push(() => resolve(true)));
  const operate = ({ name }: OperatorCommand): OperatorResult => {
    did.push(name);
    return { ok: true, did: [name], orders: [], flattens: '' };
  };
  const gate = {
    append: (record: { data: object }) => void did.push(`record of ${(record.data as OperatorCommand).name}`),
    durable,
  };
  const operations = new Operations({
    events: { operate },
    loop: { take: (step) => step() },
    gate,
    durable,
    asked: { look: () => isAsked },
  });
  const commit = (): void => {
    const ready = waiting;
    waiting = [];
    for (const one of ready) one();
  };
  return { operations, did, commit };
}

test('what stops opens acts at once, everything else after its record is durable', async () => {
  const { operations, did, commit } = rig();
  void operations.operate(KILL, 1);
  expect(did).toEqual(['record of kill', 'kill']);
  const done = operations.operate(CANCEL, 2);
  expect(did.slice(2)).toEqual(['record of cancel-all']);
  commit();
  await Promise.resolve();
  expect(did.slice(3)).toEqual(['cancel-all']);
  commit();
  expect((await done).result.ok).toBe(true);
});

test('a resume that waits for its record does not undo a kill that was typed after it', async () => {
  const { operations, did, commit } = rig();
  const resumed = operations.operate(RESUME, 1);
  const killed = operations.operate(KILL, 2);
  commit();
  expect((await resumed).result).toMatchObject({ ok: false, code: 'refused' });
  commit();
  expect((await killed).result.ok).toBe(true);
  expect(did.filter((one) => !one.startsWith('record'))).toEqual(['kill']);
});

test('a resume that meets a halt from a file does not undo it: which was typed first is not known', async () => {
  const { operations, did } = rig(true);
  expect((await operations.operate(RESUME, 1)).result).toMatchObject({ ok: false, code: 'refused' });
  expect(did).toEqual([]);
});

test('a cancel that waits for its record goes on when opens are halted meanwhile', async () => {
  const { operations, did, commit } = rig();
  void operations.operate(CANCEL, 1);
  void operations.operate(KILL, 2);
  commit();
  await Promise.resolve();
  expect(did.filter((one) => !one.startsWith('record'))).toEqual(['kill', 'cancel-all']);
});

test('reduce-only is a stop when it is switched on', () => {
  const given = { name: 'reduce-only', scope: 'all', ...PERSON } as const;
  expect([isStop({ ...given, isOn: true }), isStop({ ...given, isOn: false })]).toEqual([true, false]);
});
