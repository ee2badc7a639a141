/** The read throttle in real time, without the event loop of a bot: an alarm drains it. */
import { NextDeadline } from '../../../src/base/time/next-deadline.ts';
import { Alarm } from '../../../src/edge/time/live-clock.ts';
import { ReadThrottle, type ReadThrottleOptions } from '../../../src/engine/polling/read-throttle.ts';
import { DroppedError, type PollTurns } from '../../../src/ports/limiter.ts';
import type { ReadPort } from '../../../src/ports/venue.ts';
import type { Inbox } from '../../../src/ports/venue-event.ts';

/** For a venue whose queries need no throttle. */
export const NO_THROTTLE: PollTurns = { turn: () => Promise.resolve() };

const BUCKETS: ReadThrottleOptions['bucketOf'] = {
  quotes: 'public',
  stats: 'public',
  trades: 'public',
  account: 'account',
  pending: 'listing',
  history: 'listing',
  positions: 'position',
  withdrawals: 'withdrawal',
  'spot-symbols': 'public',
};

export interface LiveReadThrottle<V> {
  readonly venue: V;
  readonly polls: ReadThrottle;
  stop(): void;
}

type Attached = ReadPort & { attach(outcomes: Inbox, answers: Inbox): void };

/** `make` builds the venue, whose further requests take turns. */
export function liveReadThrottle<V extends Attached>(
  make: (turns: PollTurns) => V,
  options: Omit<ReadThrottleOptions, 'reads' | 'bucketOf'> & { readonly inbox: Inbox },
): LiveReadThrottle<V> {
  const { clock, inbox } = options;
  const venue = make({
    turn: (bucket, priority) =>
      new Promise((resolve, reject) => {
        polls.request({ bucket, priority, start: resolve, drop: (why) => reject(new DroppedError(why)) });
      }),
  });
  const polls = new ReadThrottle({ ...options, reads: venue, bucketOf: BUCKETS });
  polls.connect(inbox);
  venue.attach(inbox, polls);
  const alarm = new Alarm(clock, (now) => {
    polls.drain(now);
    alarm.setAt(polls.nextDue);
  });
  polls.nextDeadline = Object.assign(new NextDeadline(), { note: () => alarm.setAt(polls.nextDue) });
  const stop = (): void => {
    polls.stop();
    alarm.stop();
  };
  return { venue, polls, stop };
}
