/** When a bot that was silent counts as answerable for its orders again. */
import { expect, it } from 'vitest';
import { Fence } from '../../../../src/run/watchdog/life/fence.ts';

/** What each beat shows; a letter a beat. h: halted, f: free, s: free and its kernel stands still, w: free while the request waits. */
function over(beats: string, epoch = 5): boolean[] {
  const fence = new Fence('w', 5);
  return [...beats].map((beat) => fence.isOver({ epoch, isHalted: beat === 'h' }, beat !== 's', () => beat === 'w'));
}

it('a bot is back once it was halted and is free, or is another process; not while the request waits', () => {
  expect(over('wwhhf')).toEqual([false, false, false, false, true]);
  expect(over('wf', 6)).toEqual([false, true]);
  expect(over('hwf', 5)).toEqual([false, false, true]);
  expect(over('fhf', 0)).toEqual([false, false, false]);
});

it('a bot that was halted and resumed while it was not heard is back after three beats, those of before it took the request do not count', () => {
  expect(over('wwfff')).toEqual([false, false, false, false, true]);
  expect(over('ffwff')).toEqual([false, false, false, false, false]);
  expect(over('fsssss')).toEqual([false, false, false, false, false, false]);
});
