/**
 * The drive of a backtest at its plainest: every row an object, all rows in one stable sort, and before each row one event after the
 * other, always the earliest. No blocks, no cached due times. The order of a day is the same:
 * - what is due before a row comes before it: at each instant the venue's own work, messages, timers, the order throttle, the read throttle, and again until
 *   nothing is due at that instant; then the equity sample of that instant;
 * - then the row: the venue sees it, its mirrors too, then under every-tick the bot, and then the messages due by now;
 * - what else is due at a row's own millisecond waits until all rows of that millisecond are through.
 */
import type { DriveDeps } from '../../../src/run/backtest/loop/drive.ts';
import type { TapeStream } from '../../../src/tape/file/stream.ts';
import { rowsOf, type Row } from '../tape/tape-rows.ts';

interface Event {
  readonly row: Row;
  readonly time: number;
  readonly stream: TapeStream;
}

/** Runs the parts over the streams' rows in the same order as Drive. */
export function runNaive(parts: DriveDeps, streams: readonly TapeStream[]): { rows: number; first: number; last: number } {
  const { clock, kernel, merge, sampleMs, botFrom } = parts;
  const all = streams.flatMap((stream) => rowsOf(stream).map((row): Event => ({ row, time: row[0], stream })));
  const wanted = all.filter(({ time }) => time >= merge.since && time < merge.until);
  const events = wanted.toSorted((a, b) => a.time - b.time || a.stream.index - b.stream.index);
  const [opening] = events;
  const closing = events.at(-1);
  if (opening === undefined || closing === undefined) return { rows: 0, first: -Infinity, last: -Infinity };
  const timerQueue = { sampleAt: opening.time + sampleMs, botAt: Math.max(opening.time, botFrom) };
  clock.time = opening.time;
  settle(parts, timerQueue, opening.time);
  for (const { row, time, stream } of events) {
    passUntil(parts, timerQueue, time);
    clock.time = time;
    show(parts, stream, row);
  }
  passUntil(parts, timerQueue, closing.time);
  clock.time = Math.max(clock.time, closing.time);
  settle(parts, timerQueue, clock.time);
  kernel.inbox.stop();
  settle(parts, timerQueue, clock.time);
  parts.curve.sample(clock.time, parts.sim.equity(0), parts.sim.exposure(0));
  return { rows: events.length, first: opening.time, last: closing.time };
}

interface TimerQueue {
  sampleAt: number;
  botAt: number;
}

function passUntil(parts: DriveDeps, timerQueue: TimerQueue, until: number): void {
  const { sim, port, kernel, throttle, polls, clock, curve, sampleMs } = parts;
  for (;;) {
    const due = Math.min(
      timerQueue.sampleAt,
      timerQueue.botAt,
      sim.nextDue,
      port.nextDue,
      kernel.nextTimer,
      throttle.nextDue,
      polls?.nextDue ?? Infinity,
    );
    if (due >= until) return;
    clock.time = Math.max(clock.time, due);
    settle(parts, timerQueue, clock.time);
    if (timerQueue.sampleAt > due) continue;
    curve.sample(due, sim.equity(0), sim.exposure(0));
    timerQueue.sampleAt = Math.max(timerQueue.sampleAt + sampleMs, due + 1);
  }
}

function settle(parts: DriveDeps, timerQueue: TimerQueue, now: number): void {
  const { sim, port, kernel, throttle, polls } = parts;
  if (timerQueue.botAt <= now) {
    timerQueue.botAt = Infinity;
    kernel.inbox.start();
  }
  do {
    sim.advance(now);
    port.run();
    kernel.inbox.runTimers(now);
    throttle.drain(now);
    polls?.drain(now);
  } while (Math.min(sim.nextDue, port.nextDue, kernel.nextTimer, throttle.nextDue, polls?.nextDue ?? Infinity) <= now);
}

function show(parts: DriveDeps, stream: TapeStream, row: Row): void {
  const { sim, port, kernel, throttle, seesRows } = parts;
  const { instrument, mirrors } = parts.feeds[stream.index]!;
  const [time, a, b, c, d] = row;
  const targets = [{ instrument, priceRatio: 1, sizeRatio: 1 }, ...mirrors];
  for (const { instrument: i, priceRatio: p, sizeRatio: s } of targets) {
    if (stream.kind === 'trades') sim.trade(i, b * p, c * s, d, time, a);
    else sim.quote(i, a * p, b * s, c * p, d * s, time);
  }
  if (!seesRows) return;
  for (const { instrument: i, priceRatio: p, sizeRatio: s } of targets) {
    if (stream.kind === 'trades') kernel.inbox.onTrade(i, b * p, c * s, d);
    else kernel.inbox.onQuote(i, a * p, b * s, c * p, d * s);
    while (port.nextDue <= time || throttle.nextDue <= time) {
      port.run();
      throttle.drain(time);
    }
  }
}
