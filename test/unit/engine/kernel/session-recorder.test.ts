/** The recorder: limits of a running session, files that cannot be written, and events that occur during a step. */
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { emptyCommand, type Approved, type Command } from '../../../../src/domain/orders/command.ts';
import { SessionReader } from '../../../../src/edge/file/session-file.ts';
import { newEvent, TIMERS, type EngineEvent } from '../../../../src/engine/event.ts';
import type { EventTaker } from '../../../../src/engine/inbox.ts';
import type { Query } from '../../../../src/ports/venue.ts';
import { ACCEPTED, ANSWERED, UNSENT } from '../../../../src/ports/venue-event.ts';
import { BODY, HEAD, type Head } from '../../../../src/run/session/entries.ts';
import { keptAnswer } from '../../../../src/run/session/kept-seconds.ts';
import { Recorder, type RecorderOptions } from '../../../../src/run/session/session-recorder.ts';
import { MemoryLog } from '../../../support/engine/engine-kit.ts';

const base = mkdtempSync(join(tmpdir(), 'tickwright-recorder-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const head = { kind: HEAD, version: 1, startedAt: 1_700_000_000_000 } as Head;
const NOTHING: EventTaker = { step: () => undefined };
let folders = 0;

function rig(more: Partial<RecorderOptions> = {}): { recorder: Recorder; log: MemoryLog; folder: string } {
  const [log, folder] = [new MemoryLog(), join(base, String(++folders))];
  const config = { enabled: true, maxMegabytes: 1, maxDays: 1, answers: false, tape: '' };
  return { recorder: new Recorder({ config, folder, head, log, ...more }), log, folder };
}

const event = (kind: number, fields: Partial<EngineEvent> = {}): EngineEvent => ({ ...newEvent(), kind, at: 1_700_000_000_000, ...fields });
const entriesOf = ({ folder }: Recorder): Record<string, unknown>[] => [
  ...(new SessionReader(folder).entries() as Generator<Record<string, unknown>>),
];

/** Text that does not compress. */
function noise(length: number): string {
  let [text, x] = ['', 1];
  while (text.length < length) text += (x = (x * 48_271) % 2_147_483_647).toString(36);
  return text;
}

describe('a recorder', () => {
  it('continues in further files, each of which is read from its start', () => {
    const { recorder } = rig({ segmentBytes: 1_000, config: { enabled: true, maxMegabytes: 100, maxDays: 1, answers: false, tape: '' } });
    const kernel = recorder.taker(NOTHING);
    for (let seq = 1; seq <= 8; seq++) {
      kernel.step(event(ACCEPTED, { seq, text: `${seq}${noise(300_000)}` }));
      recorder.afterTurn();
    }
    recorder.close();
    expect(readdirSync(recorder.folder).length).toBeGreaterThan(3);
    const seqs = entriesOf(recorder).flatMap((entry) => (entry['kind'] === ACCEPTED ? [entry['seq']] : []));
    expect(seqs).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('ends when its session alone reaches record.maxMegabytes; the kernel continues', () => {
    const { recorder, log } = rig();
    let steps = 0;
    const kernel = recorder.taker({ step: () => void steps++ });
    for (let seq = 1; seq <= 12; seq++) {
      kernel.step(event(ACCEPTED, { seq, text: `${seq}${noise(400_000)}` }));
      recorder.afterTurn();
    }
    expect(steps).toBe(12);
    expect(log.events()).toEqual(['recording-stopped']);
    const size = readdirSync(recorder.folder).reduce((sum, name) => sum + statSync(join(recorder.folder, name)).size, 0);
    expect(size).toBeLessThan(1.5 * 1_048_576);
    const recorded = entriesOf(recorder).length;
    expect(recorded).toBeGreaterThan(3);
    recorder.close();
    expect(entriesOf(recorder)).toHaveLength(recorded);
  });

  it('cuts credentials out of the seconds beside it too, and goes on without them if they cannot be made', () => {
    const tickwright = '1.2.3';
    const { recorder, log } = rig({ head: { ...head, tickwright }, secrets: ['my-secret'] });
    let isBroken = false;
    const at = (): never[] => {
      if (isBroken) throw new Error('no answer');
      return [];
    };
    recorder.keepWhy({ why: { at }, setups: [] } as unknown as Parameters<Recorder['keepWhy']>[0]);
    const kernel = recorder.taker(NOTHING);
    const time = (seconds: number): number => head.startedAt + 1_000 + seconds * 1_000;
    const kept = (end: number): unknown => keptAnswer(recorder.folder, end - 1_000, end, tickwright);
    const noted = recorder.log(log);
    kernel.step(event(TIMERS));
    noted.warn('read-failed', { says: 'the key my-secret is wrong' });
    kernel.step(event(TIMERS, { at: time(0) }));
    isBroken = true;
    kernel.step(event(TIMERS, { at: time(1) }));
    kernel.step(event(TIMERS, { at: time(2) }));
    recorder.afterTurn();
    recorder.close();
    expect(kept(time(0))).toMatchObject({ lines: [{ text: expect.stringContaining('the key [credential] is wrong') as string }] });
    expect(kept(time(1))).toBe(null);
    expect(log.events()).toEqual(['read-failed', 'why-not-kept']);
    expect(entriesOf(recorder).filter(({ kind }) => kind === TIMERS)).toHaveLength(4);
  });

  it('is disabled if its folder cannot be created; the kernel continues', () => {
    const file = join(base, 'a-file');
    writeFileSync(file, '');
    const { recorder, log } = rig({ folder: file });
    let steps = 0;
    recorder.taker({ step: () => void steps++ }).step(event(TIMERS));
    recorder.orders({ execute: () => void steps++ }).execute(emptyCommand() as Approved<Command>);
    recorder.journal({ kind: 'a', seq: 0, time: 0, data: {} });
    recorder.close();
    expect([steps, log.events()]).toEqual([2, ['recording-stopped']]);
  });

  it('records events during a step after the command that they answer', () => {
    const { recorder } = rig();
    let kernel: EventTaker = NOTHING;
    const orders = recorder.orders({ execute: ({ seq }) => kernel.step(event(UNSENT, { seq, text: 'queue-full' })) });
    let depth = 0;
    kernel = recorder.taker({
      step: () => {
        if (depth++ === 0) for (const seq of [1, 2]) orders.execute({ ...emptyCommand(), seq } as Approved<Command>);
      },
    });
    kernel.step(event(TIMERS));
    recorder.close();
    const order = entriesOf(recorder).map((entry) => [
      entry['kind'],
      entry['isInside'] ?? false,
      entry['seq'] ?? (entry['body'] as Command)?.seq,
    ]);
    expect(order.slice(1, -1)).toEqual([
      [TIMERS, false, undefined],
      [101, false, 1],
      [UNSENT, true, 1],
      [101, false, 2],
      [UNSENT, true, 2],
    ]);
  });

  it('cuts credentials out of the bodies of answers', () => {
    const { recorder } = rig({ secrets: ['top"secret', 'top\\"secret', ''] });
    recorder.answer({ endpoint: 'E9 account', status: 200, body: '{"a":"top\\"secret","b":"top"}', receivedAt: 5 });
    recorder.close();
    const [, body] = entriesOf(recorder);
    expect(body).toEqual({ kind: BODY, at: 5, endpoint: 'E9 account', status: 200, body: '{"a":"[credential]","b":"top"}' });
  });

  it('numbers a query by its content, independent of earlier events in the recording', () => {
    const { recorder } = rig();
    const query: Query = { kind: 'quotes', instrument: 0 };
    const [reads, kernel] = [recorder.reads({ query: () => undefined }), recorder.taker(NOTHING)];
    const used = event(ANSWERED, { query, answer: { kind: 'quotes', quotes: [] } });
    for (let round = 0; round < 2; round++) {
      reads.query(query);
      kernel.step({ ...used, kind: TIMERS });
      kernel.step(used);
    }
    recorder.close();
    expect(entriesOf(recorder).flatMap((entry) => (entry['kind'] === ANSWERED ? [entry['query']] : []))).toEqual([1, 2]);
  });
});
