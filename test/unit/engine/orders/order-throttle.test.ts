import { describe, expect, test } from 'vitest';
import { CANCEL, CANCEL_TRIGGER, CLOSE, OPEN, PLACE, PLACE_SPOT, SET_MARGIN_MODE } from '../../../../src/domain/codes.ts';
import { emptyCommand, type Approved, type Command } from '../../../../src/domain/orders/command.ts';
import { OrderThrottle, type CommandRates } from '../../../../src/engine/polling/order-throttle.ts';
import { ManualClock, RecordingVenue, START } from '../../../support/engine/engine-kit.ts';

const FREE: CommandRates = { order: Infinity, spot: Infinity, margin: Infinity };

function throttle(rates: Partial<CommandRates>, capacity?: number) {
  const clock = new ManualClock();
  const venue = new RecordingVenue();
  const unsent: [number, string][] = [];
  const it = new OrderThrottle({ orders: venue, clock, rates: { ...FREE, ...rates }, capacity });
  const vetoed = new Set<number>();
  it.connect({ take: ({ seq, text }) => void unsent.push([seq, text]) }, (command) => (vetoed.has(command.seq) ? 'halted' : null));
  let seq = 0;
  const send = (kind: number, effect = OPEN, validForMs = 10_000): number => {
    const command = { ...emptyCommand(), kind, effect, seq: ++seq, time: clock.time, validMs: validForMs };
    it.execute(command as Approved<Command>);
    return seq;
  };
  const sent = (): number[] => venue.commands.map((c) => c.seq);
  const advance = (ms: number): void => {
    const until = clock.time + ms;
    while (it.nextDue <= until) {
      clock.time = Math.max(clock.time, it.nextDue);
      it.drain(clock.time);
    }
    clock.time = until;
  };
  return { it, clock, venue, unsent, vetoed, send, sent, advance };
}

describe('the order throttle', () => {
  test('an unlimited bucket passes the command object through', () => {
    const { it, venue } = throttle({});
    let seen: unknown = null;
    venue.execute = (command) => (seen = command);
    const command = { ...emptyCommand(), kind: PLACE, seq: 1 } as Approved<Command>;
    it.execute(command);
    expect(seen).toBe(command);
    expect(it.nextDue).toBe(Infinity);
  });

  test('cancels go before closes, closes before opens', () => {
    const { send, sent, advance } = throttle({ order: 1 });
    const first = send(PLACE);
    const open = send(PLACE, OPEN);
    const close = send(PLACE, CLOSE);
    const cancel = send(CANCEL);
    expect(sent()).toEqual([first]);
    advance(999);
    expect(sent()).toEqual([first]);
    advance(3000);
    expect(sent()).toEqual([first, cancel, close, open]);
  });

  test('of two commands a second one is kept for cancels and closes', () => {
    const { send, sent } = throttle({ order: 2 });
    const open = send(PLACE, OPEN);
    send(PLACE, OPEN);
    expect(sent()).toEqual([open]);
    const cancel = send(CANCEL);
    expect(sent()).toEqual([open, cancel]);
  });

  test('reports its next drain time when something waits', () => {
    const { it, send } = throttle({ order: 0.1 });
    send(PLACE);
    expect(it.nextDeadline.at).toBe(Infinity);
    send(PLACE, OPEN, 8_000);
    expect(it.nextDeadline.at).toBe(START + 8_001);
    send(PLACE, OPEN, 500);
    expect(it.nextDeadline.at).toBe(START + 501);
  });

  test('an expired command is returned as unsent, at its expiry', () => {
    const { it, send, unsent, advance, sent } = throttle({ order: 0.1 });
    send(PLACE);
    const late = send(PLACE, OPEN, 500);
    expect(it.nextDue).toBe(START + 501);
    advance(500);
    expect(unsent).toEqual([]);
    advance(1);
    expect(unsent).toEqual([[late, 'expired-in-queue']]);
    advance(20_000);
    expect(sent()).toEqual([1]);
    expect(it.waiting).toBe(0);
  });

  test('a command that must not be sent any more is returned when its turn comes, and takes no turn of another', () => {
    const { send, sent, unsent, vetoed, advance } = throttle({ order: 1 });
    const first = send(PLACE);
    const [close, open] = [send(PLACE, CLOSE), send(PLACE, OPEN)];
    vetoed.add(close);
    advance(999);
    expect([sent(), unsent]).toEqual([[first], []]);
    advance(1);
    expect([sent(), unsent]).toEqual([[first, open], [[close, 'halted']]]);
  });

  test('a full throttle returns the command; cancels have more room', () => {
    const { send, unsent } = throttle({ order: 1 }, 2);
    send(PLACE);
    send(PLACE);
    send(PLACE);
    const refused = send(PLACE);
    expect(unsent).toEqual([[refused, 'queue-full']]);
    for (let k = 0; k < 8; k++) send(CANCEL);
    expect(unsent).toHaveLength(1);
    send(CANCEL);
    expect(unsent).toHaveLength(2);
  });

  test('a pause stops only its own bucket, even an unlimited one', () => {
    const { it, send, sent, advance, clock } = throttle({});
    it.backOff('order', 'open', clock.time + 1000);
    const held = send(PLACE);
    const spot = send(PLACE_SPOT);
    const margin = send(SET_MARGIN_MODE);
    expect(sent()).toEqual([spot, margin]);
    advance(1000);
    expect(sent()).toEqual([spot, margin, held]);
    it.backOff('order', 'open', clock.time - 5);
    const next = send(PLACE);
    expect(sent().at(-1)).toBe(next);
  });

  test('a pause of opens stops opens alone; a pause of cancels stops cancels and opens [N7]', () => {
    const { it, send, sent, advance, clock } = throttle({ order: 10 });
    it.backOff('order', 'open', clock.time + 60_000);
    const open = send(PLACE, OPEN, 0);
    const exits = [send(CANCEL), send(PLACE, CLOSE), send(CANCEL_TRIGGER)];
    expect(sent()).toEqual(exits);
    it.backOff('order', 'cancel', clock.time + 1_000);
    const held = send(CANCEL);
    const close = send(PLACE, CLOSE);
    expect(sent()).toEqual([...exits]);
    advance(1_000);
    expect(sent()).toEqual([...exits, held, close]);
    advance(58_999);
    expect(sent()).not.toContain(open);
    advance(1);
    expect(sent().at(-1)).toBe(open);
  });

  test('opens leave a fifth of the rate to cancels and closes [N7]', () => {
    const { send, sent, advance } = throttle({ order: 10 });
    const opens = Array.from({ length: 40 }, () => send(PLACE));
    expect(sent()).toEqual(opens.slice(0, 8));
    const exits = [send(CANCEL), send(PLACE, CLOSE)];
    expect(sent().slice(8)).toEqual(exits);
    advance(999);
    expect(sent()).toHaveLength(10);
    advance(1);
    expect(sent()).toHaveLength(18);
  });

  test('opens are half as fast after each refusal and recover step by step; cancels are not [N7]', () => {
    const { it, send, sent, advance, clock } = throttle({ order: 10 });
    const opensIn = (ms: number): number => {
      const before = sent().length;
      for (let k = 0; k < 200; k++) send(PLACE, OPEN, ms);
      advance(ms + 1);
      return sent().length - before;
    };
    expect(opensIn(10_000)).toBeGreaterThanOrEqual(80);
    it.backOff('order', 'open', clock.time + 1);
    expect(opensIn(2_000)).toBeLessThan(14);
    for (let k = 0; k < 10; k++) {
      it.backOff('order', 'open', clock.time + 1);
      advance(2);
    }
    const slow = opensIn(10_000);
    expect(slow).toBeGreaterThan(0);
    expect(slow).toBeLessThan(32);
    advance(30_000);
    expect(opensIn(10_000)).toBeGreaterThanOrEqual(80);
    const before = sent().length;
    advance(1_000);
    it.backOff('order', 'open', clock.time + 1);
    for (let k = 0; k < 10; k++) send(CANCEL);
    expect(sent().length - before).toBe(10);
  });

  test('a waiting command is a copy, so its owner may reuse the object', () => {
    const { it, venue, clock, advance } = throttle({ order: 1 });
    const command = { ...emptyCommand(), kind: PLACE, seq: 1, time: clock.time, validMs: 5000 };
    it.execute(command as Approved<Command>);
    command.seq = 2;
    it.execute(command as Approved<Command>);
    command.seq = 99;
    advance(5000);
    expect(venue.commands.map((c) => c.seq)).toEqual([1, 2]);
  });

  test('at the end of time nothing is sent, not even commands that never expire', () => {
    const { it, clock, send, sent, unsent } = throttle({});
    it.backOff('order', 'open', clock.time + 60_000);
    it.backOff('order', 'cancel', clock.time + 60_000);
    const [open, cancel] = [send(PLACE), send(CANCEL, OPEN, 0)];
    it.drain(Infinity);
    expect([sent(), it.waiting]).toEqual([[], 0]);
    // Cancels come first, as always.
    expect(unsent).toEqual([
      [cancel, 'expired-in-queue'],
      [open, 'expired-in-queue'],
    ]);
  });

  test.each([0, -1, Number.NaN])('a rate of %s is refused', (rate) => {
    expect(() => throttle({ order: rate })).toThrow(RangeError);
  });
});
