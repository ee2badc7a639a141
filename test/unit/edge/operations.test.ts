/** Commands of operators: which act at once, which wait for their record, and what happens when two meet. */
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { machineNow } from '../../../src/edge/time/machine-clock.ts';
import type { OperatorCommand, OperatorResult } from '../../../src/engine/operator/command.ts';
import { isStop, Operations } from '../../../src/run/bot/control/operations.ts';

const PERSON = { by: 'ann', why: '' };
const KILL: OperatorCommand = { name: 'kill', ...PERSON };
const RESUME: OperatorCommand = { name: 'resume', scope: 'all', confirmed: true, ...PERSON };
const CANCEL: OperatorCommand = { name: 'cancel-all', scope: 'all', ...PERSON };
const HALTS: readonly OperatorCommand[] = [
  KILL,
  { name: 'halt', scope: 'BTCUSDT', ...PERSON },
  { name: 'flatten', scope: 'ETHUSDT:LONG', ...PERSON },
  { name: 'reduce-only', scope: 'all', isOn: true, ...PERSON },
];
const ENDS: readonly OperatorCommand[] = [RESUME, { name: 'reduce-only', scope: 'all', isOn: false, ...PERSON }];
const MACHINE_CLOCK = new URL('../../../src/edge/time/machine-clock.ts', import.meta.url).href;
/** Time when the process of the rig began. */
const BEGUN = 1_000;

interface Rig {
  readonly operations: Operations;
  readonly did: string[];
  /** The machine's clock. */
  readonly clock: { time: number };
  /** Commands that wait in files. */
  readonly files: OperatorCommand[];
  readonly commit: () => void;
  /** The bot raises a halt of this scope. */
  readonly halts: (scope: string) => void;
}

/** Operations whose journal is slow: records become durable when `commit` is called. */
function rig(isKept = true): Rig {
  const did: string[] = [];
  const clock = { time: BEGUN + 1_000 };
  const files: OperatorCommand[] = [];
  let halts = (_scope: string): void => {};
  let waiting: (() => void)[] = [];
  const durable = (): Promise<boolean> => new Promise((resolve) => waiting.push(() => resolve(isKept)));
  const operate = ({ name }: OperatorCommand): OperatorResult => {
    did.push(name);
    return { ok: true, did: [name], orders: [], flattens: '' };
  };
  const gate = {
    append: (record: { data: object }) => void did.push(`record of ${(record.data as OperatorCommand).name}`),
    durable,
  };
  const operations = new Operations({
    kernel: { onHalt: (heard) => void (halts = heard), scopeOf },
    events: { operate },
    loop: { take: (step) => step() },
    gate,
    durable,
    asked: { look: () => void files.splice(0).map((one) => operations.operate(one, clock.time)) },
    now: () => 1,
    machineNow: () => clock.time,
    begunAt: BEGUN,
  });
  const commit = (): void => {
    const ready = waiting;
    waiting = [];
    for (const one of ready) one();
  };
  return { operations, did, clock, files, commit, halts: (scope) => halts(scope) };
}

function scopeOf(word: string): string | null {
  const scopes: Readonly<Record<string, string>> = {
    all: 'bot',
    BTCUSDT: 'symbol:BTCUSDT',
    ETHUSDT: 'symbol:ETHUSDT',
    'ETHUSDT:LONG': 'leg:ETHUSDT:LONG',
  };
  return scopes[word] ?? null;
}

const acts = (did: readonly string[]): string[] => did.filter((one) => !one.startsWith('record'));

test('what stops opens acts at once, everything else after its record is durable', async () => {
  const { operations, did, commit } = rig();
  void operations.operate(KILL, BEGUN + 1);
  expect(did).toEqual(['record of kill', 'kill']);
  const done = operations.operate(CANCEL, BEGUN + 2);
  expect(did.slice(2)).toEqual(['record of cancel-all']);
  commit();
  await Promise.resolve();
  expect(did.slice(3)).toEqual(['cancel-all']);
  commit();
  expect((await done).result.ok).toBe(true);
});

test('a resume that waits for its record does not undo a kill that was typed after it', async () => {
  const { operations, did, commit } = rig();
  const resumed = operations.operate(RESUME, BEGUN + 1);
  const killed = operations.operate(KILL, BEGUN + 2);
  commit();
  expect((await resumed).result).toMatchObject({ ok: false, code: 'refused' });
  commit();
  expect((await killed).result.ok).toBe(true);
  expect(acts(did)).toEqual(['kill']);
});

test('a resume that meets a halt from a file does not undo it: its caller did not know of it', async () => {
  const { operations, did, files, clock } = rig();
  files.push(KILL);
  expect((await operations.operate(RESUME, clock.time)).result).toMatchObject({ ok: false, code: 'refused' });
  expect(acts(did)).toEqual(['kill']);
});

describe.each(ENDS)('$name that ends halts', (end) => {
  test.each(HALTS)('and was asked for before a $name was taken does not end it, however late it is read', async (halt) => {
    const { operations, did, clock, commit } = rig();
    const askedAt = clock.time;
    clock.time += 3_000;
    void operations.operate(halt, askedAt + 1);
    commit();
    await Promise.resolve();
    clock.time += 60_000;
    expect((await operations.operate(end, askedAt)).result).toMatchObject({ ok: false, code: 'refused' });
    expect(acts(did)).toEqual([halt.name]);
    const again = operations.operate(end, clock.time);
    commit();
    await Promise.resolve();
    commit();
    expect((await again).result.ok).toBe(true);
  });

  test('and was asked for before the bot raised a halt does not end it, although the bot stood still until then', async () => {
    const { operations, did, clock, halts } = rig();
    const askedAt = clock.time;
    clock.time += 4_000;
    halts('bot');
    expect((await operations.operate(end, askedAt)).result).toMatchObject({ ok: false, code: 'refused' });
    expect(did).toEqual([]);
  });

  test('and waits for its record does not end a halt that the bot raises meanwhile', async () => {
    const { operations, did, clock, commit, halts } = rig();
    const asked = operations.operate(end, clock.time);
    clock.time += 1;
    halts('bot');
    commit();
    expect((await asked).result).toMatchObject({ ok: false, code: 'refused' });
    expect(acts(did)).toEqual([]);
  });

  test('and was sent to the process before this one is refused, because that one may have taken a halt', async () => {
    const { operations, did } = rig();
    expect((await operations.operate(end, BEGUN - 1)).result).toMatchObject({ ok: false, code: 'refused' });
    expect(did).toEqual([]);
  });
});

describe('a command that ends the halts of a symbol and was asked for before a halt began', () => {
  const ends = (scope: string): OperatorCommand[] => [
    { name: 'resume', scope, confirmed: false, ...PERSON },
    { name: 'reduce-only', scope, isOn: false, ...PERSON },
  ];
  test.each([
    ['ETHUSDT', 'symbol:ETHUSDT', false],
    ['ETHUSDT', 'leg:ETHUSDT:LONG', false],
    ['ETHUSDT:LONG', 'leg:ETHUSDT:LONG', false],
    ['ETHUSDT:LONG', 'leg:ETHUSDT:SHORT', true],
    ['ETHUSDT', 'symbol:BTCUSDT', true],
    ['ETHUSDT', 'bot', true],
    ['all', 'leg:ETHUSDT:LONG', false],
    // Nothing of this bot: the kernel refuses it.
    ['XRPUSDT', 'bot', true],
  ])('%s, of %s: acts %s', async (word, halted, isDone) => {
    for (const end of ends(word)) {
      const { operations, did, clock, commit, halts } = rig();
      const askedAt = clock.time;
      clock.time += 1_000;
      halts(halted);
      const answer = operations.operate(end, askedAt);
      for (let k = 0; k < 3; k++) {
        commit();
        await Promise.resolve();
      }
      expect((await answer).result.ok).toBe(isDone);
      expect(acts(did)).toEqual(isDone ? [end.name] : []);
    }
  });

  test('acts also if another symbol was halted by a person meanwhile', async () => {
    const { operations, did, clock, commit } = rig();
    const askedAt = clock.time;
    clock.time += 1_000;
    void operations.operate({ name: 'halt', scope: 'BTCUSDT', ...PERSON }, clock.time);
    const answer = operations.operate({ name: 'resume', scope: 'ETHUSDT', confirmed: false, ...PERSON }, askedAt);
    for (let k = 0; k < 3; k++) {
      commit();
      await Promise.resolve();
    }
    expect((await answer).result.ok).toBe(true);
    expect(acts(did)).toEqual(['halt', 'resume']);
  });
});

test('the machine clock goes on in each process where it is in the others', () => {
  const program = `import { machineNow } from ${JSON.stringify(MACHINE_CLOCK)}; process.stdout.write(String(machineNow()));`;
  const before = machineNow();
  const other = Number(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }));
  expect(before).toBeLessThan(other);
  expect(other).toBeLessThan(machineNow());
});

test('a cancel that waits for its record goes on when opens are halted meanwhile', async () => {
  const { operations, did, commit } = rig();
  void operations.operate(CANCEL, BEGUN + 1);
  void operations.operate(KILL, BEGUN + 2);
  commit();
  await Promise.resolve();
  expect(acts(did)).toEqual(['kill', 'cancel-all']);
});

test.each([true, false])('a signal is answered by what the journal has of it: %s', async (isKept) => {
  const { operations, did, commit } = rig(isKept);
  const done = operations.operate({ name: 'signal', strategy: 's', text: 'buy', by: 'webhook tv', why: '' }, BEGUN + 1);
  commit();
  await Promise.resolve();
  expect(acts(did)).toEqual(['signal']);
  commit();
  expect((await done).result).toMatchObject(isKept ? { ok: true } : { ok: false, code: 'not-durable' });
});

test('reduce-only is a stop when it is switched on', () => {
  const given = { name: 'reduce-only', scope: 'all', ...PERSON } as const;
  expect([isStop({ ...given, isOn: true }), isStop({ ...given, isOn: false })]).toEqual([true, false]);
});
