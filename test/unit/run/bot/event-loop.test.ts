/** Events are processed one after another, and events that arrive during one belong to it. */
import { afterEach, expect, it } from 'vitest';
import { StepClock } from '../../../../src/run/setup/step-clock.ts';
import { EventLoop, type TurnDeps } from '../../../../src/run/bot/life/event-loop.ts';

const open: EventLoop[] = [];
afterEach(() => open.splice(0).forEach((loop) => loop.end()));

function rig(parts: Partial<TurnDeps> = {}) {
  const said: string[] = [];
  const clock = { now: () => 0 };
  const loop = new EventLoop({
    clock,
    stepClock: new StepClock(clock),
    kernel: { nextTimer: Infinity },
    inbox: { runTimers: () => undefined },
    throttle: { nextDue: Infinity, drain: () => undefined },
    polls: { nextDue: Infinity, drain: () => undefined },
    gate: {
      flush: () => {
        said.push('flush');
        return null;
      },
    },
    beforeCommit: () => void said.push('save'),
    afterTurn: () => void said.push('end'),
    onBroken: (error) => void said.push(`broken: ${String(error)}`),
    ...parts,
  });
  open.push(loop);
  return { loop, said };
}

it('saves and flushes after a step, never during it', () => {
  const { loop, said } = rig();
  loop.take(() => {
    said.push('step');
    // The throttle was full: the refusal arrives during the step.
    loop.take(() => said.push('inner'));
    said.push('step goes on');
  });
  expect(said.slice(0, 4)).toEqual(['step', 'inner', 'step goes on', 'save']);
  expect(said.at(-1)).toBe('end');
  expect(said.filter((word) => word === 'end')).toHaveLength(1);
});

it('flushes again for events caused by the flush itself', () => {
  let refusals = 2;
  const said: string[] = [];
  const { loop } = rig({
    gate: {
      flush() {
        said.push('flush');
        if (refusals-- > 0) loop.take(() => said.push('refused'));
        return null;
      },
    },
  });
  loop.take(() => undefined);
  expect(said).toEqual(['flush', 'refused', 'flush', 'refused', 'flush']);
});

it('waits for a commit once, however many events arrive meanwhile', async () => {
  let finish: () => void = () => undefined;
  let pending: Promise<void> | null = new Promise((resolve) => {
    finish = resolve;
  });
  const { loop, said } = rig({ gate: { flush: () => pending } });
  for (let k = 0; k < 5; k++) loop.take(() => undefined);
  const before = said.length;
  pending = null;
  finish();
  await new Promise((resolve) => setImmediate(resolve));
  expect(said.slice(before)).toEqual(['save', 'end']);
});

it('drains the throttles that are due at this moment, and rings for the next of all', () => {
  const rings: number[] = [];
  const drained: string[] = [];
  const throttle = (name: string, nextDue: number) => ({ nextDue, drain: (now: number) => void drained.push(`${name} at ${now}`) });
  const alarm = () => ({ setAt: (at: number) => void rings.push(at), stop: () => undefined });
  const looks = [
    [throttle('orders', 0), throttle('polls', 0)],
    [throttle('orders', 1), throttle('polls', 0)],
    [throttle('orders', 7), throttle('polls', 5)],
  ] as const;
  for (const [orders, polls] of looks) rig({ throttle: orders, polls, kernel: { nextTimer: 9 }, alarm }).loop.take(() => undefined);
  expect(drained).toEqual(['orders at 0', 'polls at 0', 'polls at 0']);
  expect(rings.filter((at) => at < Infinity)).toEqual([0, 0, 5]);
});

it('takes no step after one that threw, because the state may be inconsistent', () => {
  const { loop, said } = rig();
  loop.take(() => {
    throw new Error('half way');
  });
  loop.take(() => said.push('step'));
  expect(said).toEqual(['broken: Error: half way']);
  expect(loop.isBroken).toBe(true);
});

it('takes no step after its end', () => {
  const { loop, said } = rig();
  loop.end();
  loop.take(() => said.push('step'));
  expect(said).toEqual([]);
});

it('wakes for the kernel and for the throttle, whichever is due first', async () => {
  const started = performance.now();
  const now = (): number => performance.now() - started;
  const ran: string[] = [];
  const [soon, late] = [5, 3_600_000];
  const kernel = { nextTimer: late };
  const inbox = {
    runTimers(): void {
      ran.push('kernel');
      kernel.nextTimer = late;
      throttle.nextDue = soon;
    },
  };
  const throttle = {
    nextDue: soon,
    drain(): void {
      ran.push('throttle');
      throttle.nextDue = ran.length < 3 ? late : Infinity;
      kernel.nextTimer = ran.length < 3 ? soon : Infinity;
    },
  };
  const { loop } = rig({ clock: { now }, stepClock: new StepClock({ now }), kernel, inbox, throttle });
  loop.take(() => undefined);
  await expect.poll(() => ran.length).toBe(3);
  expect(ran).toEqual(['throttle', 'kernel', 'throttle']);
});
