/** The clean stop of a bot: strategies cancel, commands in flight get their outcomes, the state is saved. */
import type { ClientIds } from '../../../domain/orders/client-ids.ts';
import type { HttpVenue } from '../../../edge/http/http-venue.ts';
import type { KernelInbox } from '../../../engine/inbox.ts';
import type { Kernel } from '../../../engine/kernel.ts';
import type { OrderThrottle } from '../../../engine/polling/order-throttle.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { DurableGate } from '../store/durable-gate.ts';
import type { EventLoop } from './event-loop.ts';
import { ordersLeft, type OrderLeft } from './orders-left.ts';

/** A clean stop waits at most this long for commands in flight and for cancels. */
const STOP_WITHIN_MS = 6_000;
/** During a stop a cancel without effect is repeated at this interval. */
const CANCEL_AGAIN_MS = 500;

export interface EndDeps {
  readonly kernel: Kernel;
  readonly clock: Clock;
  readonly ids: ClientIds;
  readonly events: Pick<KernelInbox, 'stop' | 'cancelAgain'>;
  readonly loop: EventLoop;
  readonly throttle: Pick<OrderThrottle, 'drain'>;
  readonly gate: Pick<DurableGate, 'failure' | 'settled'>;
  readonly venue: Pick<HttpVenue, 'drain'>;
  /** Adds a snapshot to the next commit. */
  readonly save: () => void;
}

/** Resolves with the orders that are left at the venue. No step is taken any more then. */
export async function endTrading({
  kernel,
  clock,
  ids,
  events,
  loop,
  throttle,
  gate,
  venue,
  save,
}: EndDeps): Promise<readonly OrderLeft[]> {
  loop.take(() => events.stop());
  const deadline = clock.now() + STOP_WITHIN_MS;
  const isBusy = (): boolean => !kernel.isQuiet || kernel.cancelsOutstanding > 0;
  for (let again = clock.now() + CANCEL_AGAIN_MS; !loop.isBroken && isBusy() && clock.now() < deadline; await pause()) {
    if (clock.now() < again) continue;
    again = clock.now() + CANCEL_AGAIN_MS;
    loop.take(() => events.cancelAgain());
  }
  await venue.drain();
  // Commands still waiting in the throttle are ended as unsent: nothing is sent any more.
  loop.take(() => throttle.drain(Infinity));
  await gate.settled();
  if (!loop.isBroken && gate.failure === null) {
    save();
    await gate.settled();
  }
  const left = ordersLeft(kernel.liveOrders(), ids);
  loop.take(() => kernel.close());
  loop.end();
  return left;
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 10);
  });
}
