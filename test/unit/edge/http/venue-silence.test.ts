/** Since when the venue answers nothing: from the first request after its last answer, over time-outs and refused connections. */
import { expect, test } from 'vitest';
import { placeOrder } from '../../../../src/contract/endpoints/futures-orders.ts';
import { VenueHealth } from '../../../../src/edge/http/venue-health.ts';
import { SILENT_LOG } from '../../../../src/ports/log.ts';
import type { Called } from '../../../../src/venue/called.ts';
import type { WireFailure, WireReply } from '../../../../src/edge/http/transport.ts';

const ACCEPTED = { status: 'accepted' } as Called<unknown>;
const LOST = { status: 'unknown', row: 'C4', cause: 'timeout', detail: '' } as Called<unknown>;

function kit() {
  const health = new VenueHealth(SILENT_LOG);
  return {
    health,
    begin: (now: number) => health.began(now),
    answer: (now: number) => health.ended(placeOrder, ACCEPTED, { ok: true, receivedAt: now, status: 200 } as WireReply, now),
    lose: (now: number) => health.ended(placeOrder, LOST, { ok: false } as WireFailure, now),
  };
}

test('requests that are answered leave no silence', () => {
  const { health, begin, answer } = kit();
  expect(health.answers.silentSince).toBe(0);
  begin(10);
  expect(health.answers.silentSince).toBe(10);
  begin(20);
  answer(30);
  expect(health.answers.silentSince, 'one still waits').toBe(30);
  answer(40);
  expect(health.answers.silentSince).toBe(0);
});

test('a silence goes on over requests that time out, and ends with the next answer', () => {
  const { health, begin, answer, lose } = kit();
  begin(10);
  lose(5_010);
  expect(health.answers.silentSince).toBe(10);
  begin(5_020);
  expect(health.answers.silentSince).toBe(10);
  answer(5_030);
  expect(health.answers.silentSince).toBe(0);
});
