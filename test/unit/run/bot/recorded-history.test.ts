/** Bars of the past for a live start: from the bot's own recording and from the tapes of `data`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseTimeframe } from '../../../../src/domain/time/timeframe.ts';
import type { BarsWanted } from '../../../../src/engine/strategy/bars/bar-feed.ts';
import { recordedHistory } from '../../../../src/run/market/recorded-history.ts';
import type { BarHistory } from '../../../../src/run/market/bar-history.ts';
import { TapeRecorder } from '../../../../src/tape/record/tape-recorder.ts';
import { TapeWriter } from '../../../../src/tape/write.ts';
import { MemoryLog } from '../../../support/engine/engine-kit.ts';
import { BTC, instrumentsOf } from '../../../support/sim/sim-kit.ts';
import { withFolder } from '../../../support/tape/tape-rows.ts';

const T = Date.UTC(2024, 0, 1);
const MINUTE = 60_000;
const [instrument] = instrumentsOf(BTC);
const wants = (timeframe: string, count: number): BarsWanted => ({
  instrument: instrument!,
  timeframe: parseTimeframe(timeframe),
  isFilling: true,
  count,
});

/** A trade every ten seconds from minute `from` up to minute `to`: the price tells the minute. */
function* trades(from: number, to: number): Generator<[time: number, id: number, price: number]> {
  for (let k = from * 6; k < to * 6; k++) yield [T + k * 10_000, k + 1, 100_000 + Math.floor(k / 6) * 10 + (k % 6)];
}

function tape(folder: string, from: number, to: number): string {
  const writer = new TapeWriter(folder);
  const stream = writer.stream('BTCUSDT', 'trades', { priceDecimals: 1, sizeDecimals: 3 });
  for (const [time, id, price] of trades(from, to)) stream.trade(time, id, price, 1, 0);
  writer.finish();
  return folder;
}

function recording(folder: string, from: number, to: number, gapAt?: number): string {
  const recorder = new TapeRecorder(folder, T, { source: 'test' });
  const stream = { symbol: 'BTCUSDT', kind: 'trades', priceDecimals: 1, sizeDecimals: 3 } as const;
  for (const [time, id, price] of trades(from, to)) recorder.row(stream, time, [id, price, 1, 0]);
  const at = T + (gapAt ?? 0) * MINUTE;
  if (gapAt !== undefined) recorder.gap({ symbol: 'BTCUSDT', kind: 'trades', cause: 'missed', from: at - 1, to: at });
  recorder.flush(T);
  return folder;
}

function read(own: string, data: readonly string[], wanted: readonly BarsWanted[], until: number): { found: BarHistory[]; log: MemoryLog } {
  const log = new MemoryLog();
  const record = { enabled: false, maxMegabytes: 1, maxDays: 1, answers: false, tape: own };
  return { found: recordedHistory({ config: { record, data }, wanted, until: T + until * MINUTE, log }), log };
}

const minutes = ({ rows }: BarHistory): number[] => rows.map(([start]) => (start - T) / MINUTE);
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, k) => from + k);

test('data: bars of a tape, whole ones alone, up to its last trade', () =>
  withFolder((folder) => {
    const { found, log } = read('', [tape(join(folder, 'a'), 0.5, 30)], [wants('1m', 40), wants('5m', 3)], 60);
    expect(found.map(({ timeframe }) => timeframe)).toEqual(['1m', '5m']);
    // The first minute is half known.
    expect(minutes(found[0]!)).toEqual(range(1, 30));
    expect(found[0]!.until).toBe(T + 30 * MINUTE - 10_000 + 1);
    expect(found[0]!.rows[4]).toEqual([T + 5 * MINUTE, 10_005, 10_005.5, 10_005, 10_005.5, 0.006]);
    expect(minutes(found[1]!).slice(-3)).toEqual([15, 20, 25]);
    expect(log.lines.map(({ event }) => event)).toEqual(['history-recorded']);
  }));

test('the recording that reaches furthest comes first; a tape that joins it adds what is older, one that does not is left aside', () =>
  withFolder((folder) => {
    const own = recording(join(folder, 'own'), 20.5, 40);
    const joins = tape(join(folder, 'joins'), 0, 30);
    const ends = tape(join(folder, 'ends'), 0, 15);
    const whole = read(own, [ends, joins], [wants('1m', 38)], 41).found[0]!;
    expect(minutes(whole)).toEqual(range(1, 40).slice(-39));
    expect(whole.until).toBe(T + 40 * MINUTE - 10_000 + 1);
    expect(minutes(read(own, [ends], [wants('1m', 38)], 41).found[0]!)).toEqual(range(21, 40));
  }));

test('of a recording only what came after its last gap', () =>
  withFolder((folder) => {
    const own = recording(join(folder, 'own'), 0, 40, 25.5);
    expect(minutes(read(own, [], [wants('1m', 38)], 41).found[0]!)).toEqual(range(26, 40));
  }));

test('what cannot be read is told, and a recording without rows is none', () =>
  withFolder((folder) => {
    mkdirSync(join(folder, 'broken'));
    writeFileSync(join(folder, 'broken', 'tape.json'), '{');
    const own = new TapeRecorder(join(folder, 'own'), T, { source: 'test' });
    const { found, log } = read(own.folder, [join(folder, 'broken')], [wants('1m', 5)], 10);
    expect(found).toEqual([]);
    expect(log.lines.map(({ event }) => event)).toEqual(['history-unusable']);
  }));
