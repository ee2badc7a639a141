import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CANCEL, CLOSE, OPEN, PLACE } from '../../../src/domain/codes.ts';
import { emptyCommand, type Approved, type Command } from '../../../src/domain/orders/command.ts';
import { OrderThrottle } from '../../../src/engine/polling/order-throttle.ts';
import { ManualClock, RecordingVenue } from '../../support/engine/engine-kit.ts';

const FLOW = fc.record({
  rate: fc.constantFrom(0.5, 1, 2, 3.5, 5, 10),
  flow: fc.array(
    fc.record({
      afterMs: fc.nat(400),
      kind: fc.constantFrom(PLACE, CANCEL),
      effect: fc.constantFrom(OPEN, CLOSE),
      validMs: fc.integer({ min: 1, max: 5000 }),
    }),
    { maxLength: 120 },
  ),
});

test('the rate is never exceeded in any window, and every command is sent or returned exactly once', () => {
  fc.assert(
    fc.property(FLOW, ({ rate, flow }) => {
      const clock = new ManualClock();
      const venue = new RecordingVenue();
      const times: number[] = [];
      const ended: number[] = [];
      venue.onExecute = ({ seq, time, validMs }) => {
        times.push(clock.time);
        ended.push(seq);
        expect(time + validMs).toBeGreaterThanOrEqual(clock.time);
      };
      const throttle = new OrderThrottle({ orders: venue, clock, rates: { order: rate, spot: Infinity, margin: Infinity }, capacity: 20 });
      throttle.connect({ take: ({ seq }) => void ended.push(seq) });
      const until = (time: number): void => {
        while (throttle.nextDue <= time) {
          clock.time = Math.max(clock.time, throttle.nextDue);
          throttle.drain(clock.time);
        }
        clock.time = time;
      };
      flow.forEach(({ afterMs, kind, effect, validMs }, k) => {
        until(clock.time + afterMs);
        const command = { ...emptyCommand(), kind, effect, seq: k + 1, time: clock.time, validMs };
        throttle.execute(command as Approved<Command>);
      });
      until(clock.time + 1_000_000);
      expect(ended.toSorted((a, b) => a - b)).toEqual(flow.map((_, k) => k + 1));
      expect(throttle.waiting).toBe(0);
      expect(throttle.nextDue).toBe(Infinity);
      const limit = Math.max(1, Math.floor(rate));
      const windowMs = (limit * 1000) / rate;
      for (let k = limit; k < times.length; k++) expect(times[k]! - times[k - limit]!).toBeGreaterThanOrEqual(windowMs - 1e-9);
    }),
    { numRuns: 300 },
  );
});
