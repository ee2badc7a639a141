/** What a limit does beyond a halt, while nothing of it works. */
import { expect, it } from 'vitest';
import { AGAIN_MS, TimerQueue } from '../../../../src/base/time/timer-queue.ts';
import { LimitActions } from '../../../../src/engine/operator/limit-actions.ts';

it('one that fails to flatten and to cancel is tried again once a time', () => {
  const timerQueue = new TimerQueue();
  timerQueue.survive = () => {};
  let tries = 0;
  const fail = (): never => {
    tries++;
    throw new Error('a check fails');
  };
  const orders = Object.defineProperty({}, 'of', { get: fail });
  const core = { timerQueue, now: 0, orders, halts: { raise: fail } } as unknown as ConstructorParameters<typeof LimitActions>[0];
  const actions = new LimitActions(core, {} as never, {} as never);
  actions.act('flatten', { kind: 'bot' } as never, 'daily-loss');
  for (let time = 0; time <= 5 * AGAIN_MS; time += AGAIN_MS) actions.due(time);
  expect(tries).toBe(12);
});
