/** Events are processed one after another, and events that arrive during one belong to it. */
import { afterEach, expect, it } from 'vitest';
import { StepClock } from '../../src/run/setup/step-clock.ts';
import { EventLoop, type TurnParts } from '../../src/run/bot/event-loop.ts';

const open: EventLoop[] = [];
afterEach(() => open.splice(0).forEach((turns) => turns.end()));

function rig(parts: Partial<TurnParts> = {}) {
  const said: string[] = [];
  const clock = { now: () => 0 };
  const turns = new EventLoop({
    clock,
    moment: new StepClock(clock),
    kernel: { nextTimer: Infinity },
    inbox: { runTimers: () => undefined },
    lane: { nextDue: Infinity, drain: () => undefined },
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
  open.push(turns);
  return { turns, said };
}

it('saves and flushes after a step, never during it', () => {
  const { turns, said } = rig();
  turns.take(() => {
    said.push('step');
    // The lane was full: the refusal arrives during the step.
    turns.take(() => said.push('inner'));
    said.push('step goes on');
  });
  expect(said.slice(0, 4)).toEqual(['step', 'inner', 'step goes on', 'save']);
  expect(said.at(-1)).toBe('end');
  expect(said.filter((word) => word === 'end')).toHaveLength(1);
});

it('flushes again for events caused by the flush itself', () => {
  let refusals = 2;
  const said: string[] = [];
  const { turns } = rig({
    gate: {
      flush() {
        said.push('flush');
        if (refusals-- > 0) turns.take(() => said.push('refused'));
        return null;
      },
    },
  });
  turns.take(() => undefined);
  expect(said).toEqual(['flush', 'refused', 'flush', 'refused', 'flush']);
});

it('waits for a commit once, however many events arrive meanwhile', async () => {
  let finish: () => void = () => undefined;
  let pending: Promise<void> | null = new Promise((resolve) => {
    finish = resolve;
  });
  const { turns, said } = rig({ gate: { flush: () => pending } });
  for (let k = 0; k < 5; k++) turns.take(() => undefined);
  const before = said.length;
  pending = null;
  finish();
  await new Promise((resolve) => setImmediate(resolve));
  expect(said.slice(before)).toEqual(['save', 'end']);
});

it('drains the lanes that are due at this moment, and rings for the next of all', () => {
  const rings: number[] = [];
  const drained: string[] = [];
  const lane = (name: string, nextDue: number) => ({ nextDue, drain: (now: number) => void drained.push(`${name} at ${now}`) });
  const alarm = () => ({ setAt: (at: number) => void rings.push(at), stop: () => undefined });
  const looks = [
    [lane('orders', 0), lane('polls', 0)],
    [lane('orders', 1), lane('polls', 0)],
    [lane('orders', 7), lane('polls', 5)],
  ] as const;
  for (const [orders, polls] of looks) rig({ lane: orders, polls, kernel: { nextTimer: 9 }, alarm }).turns.take(() => undefined);
  expect(drained).toEqual(['orders at 0', 'polls at 0', 'polls at 0']);
  expect(rings.filter((at) => at < Infinity)).toEqual([0, 0, 5]);
});

it('takes no step after one that threw, because the state may be inconsistent', () => {
  const { turns, said } = rig();
  turns.take(() => {
    throw new Error('half way');
  });
  turns.take(() => said.push('step'));
  expect(said).toEqual(['broken: Error: half way']);
  expect(turns.isBroken).toBe(true);
});

it('takes no step after its end', () => {
  const { turns, said } = rig();
  turns.end();
  turns.take(() => said.push('step'));
  expect(said).toEqual([]);
});

it('wakes for the kernel and for the lane, whichever is due first', async () => {
  const started = performance.now();
  const now = (): number => performance.now() - started;
  const ran: string[] = [];
  const kernel = { nextTimer: 20 };
  const inbox = {
    runTimers(): void {
      ran.push('kernel');
      kernel.nextTimer = Infinity;
    },
  };
  const lane = {
    nextDue: 5,
    drain(): void {
      ran.push('lane');
      this.nextDue = Infinity;
    },
  };
  const { turns } = rig({ clock: { now }, moment: new StepClock({ now }), kernel, inbox, lane });
  turns.take(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(ran).toEqual(['lane', 'kernel']);
});
