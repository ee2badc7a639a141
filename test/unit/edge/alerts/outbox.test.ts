/** A queue of alerts: sent again after failures, bounded, and every message has one fate. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Outbox, type OutboxOptions } from '../../../../src/edge/alerts/outbox.ts';
import type { AlertMessage, Delivery } from '../../../../src/ports/alert-channel.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const failed = (isFinal = false, retryAfterMs = 0): Delivery => ({ ok: false, cause: 'status 503', isFinal, retryAfterMs });
const message = (): AlertMessage => ({ alert: 1, severity: 'warning', title: 't', text: 'x', time: Date.now(), isResolved: false });

function outbox(answers: (Delivery | 'hang')[], options: Partial<OutboxOptions> = {}) {
  const fates: unknown[][] = [];
  const sent: string[] = [];
  const send = ({ text }: AlertMessage): Promise<Delivery> => {
    sent.push(text);
    const answer = answers.shift() ?? { ok: true };
    return answer === 'hang' ? new Promise(() => undefined) : Promise.resolve(answer);
  };
  const onFate: OutboxOptions['onFate'] = ({ number }, fate, cause, tries) => void fates.push([number, fate, cause, tries]);
  const box = new Outbox({ name: 'phone', send }, { now: () => Date.now(), onFate, ...options });
  return { box, fates, sent };
}

test('a message is sent again until the channel takes it, and says meanwhile since when it fails', async () => {
  const { box, fates } = outbox([failed(), failed()]);
  box.add({ number: 1, message: message() });
  await vi.advanceTimersByTimeAsync(500);
  expect(box.failingSince).toBeGreaterThan(0);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(fates).toEqual([[1, 'delivered', '', 3]]);
  expect(box.failingSince).toBe(0);
});

test('the pause that a channel asks for is kept', async () => {
  const { box, sent } = outbox([failed(false, 30_000)]);
  box.add({ number: 1, message: message() });
  await vi.advanceTimersByTimeAsync(29_000);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(sent).toHaveLength(2);
});

test('a refusal is final and the next message leaves; a message of an hour ago is given up', async () => {
  const { box, fates } = outbox([failed(true), { ok: true }, ...Array.from({ length: 100 }, () => failed())]);
  box.add({ number: 1, message: message() });
  box.add({ number: 2, message: message() });
  await vi.advanceTimersByTimeAsync(0);
  box.add({ number: 3, message: message() });
  await vi.advanceTimersByTimeAsync(3_700_000);
  expect(fates.map((fate) => fate.slice(0, 3))).toEqual([
    [1, 'refused', 'status 503'],
    [2, 'delivered', ''],
    [3, 'given-up', 'status 503'],
  ]);
});

test('behind a channel that hangs the oldest are dropped with a count, and the one on its way stays', async () => {
  const { box, fates, sent } = outbox(['hang'], { most: 3 });
  for (let number = 1; number <= 6; number++) box.add({ number, message: message() });
  expect(box.length).toBe(3);
  expect(fates.map((fate) => fate.slice(0, 2))).toEqual([
    [2, 'dropped'],
    [3, 'dropped'],
    [4, 'dropped'],
  ]);
  const again = outbox([failed(), failed()], { most: 3 });
  for (let number = 1; number <= 6; number++) again.box.add({ number, message: message() });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(again.sent.slice(2)).toEqual(['x\n(3 older messages were dropped)', 'x', 'x']);
  expect(sent).toHaveLength(1);
});
