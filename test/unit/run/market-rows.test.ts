/** A tape as the market of a session: its rows, and what it lacks of the session. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createInstrument } from '../../../src/domain/instrument.ts';
import { rowsOfTape } from '../../../src/run/live/facts/market-rows.ts';
import { TapeWriter } from '../../../src/tape/write.ts';
import { BTC } from '../../support/sim/sim-kit.ts';
import { withFolder } from '../../support/tape/tape-rows.ts';

const T = Date.UTC(2024, 0, 1);
const SECOND = 1000;
const INSTRUMENTS = [createInstrument(BTC, 0)];

/** A quote and a trade each second for a minute. */
function minuteTape(folder: string): string {
  const path = join(folder, 'tape');
  const writer = new TapeWriter(path, { source: 'test' });
  const scale = { priceDecimals: 1, sizeDecimals: 3 };
  const trades = writer.stream(BTC.symbol, 'trades', scale);
  const quotes = writer.stream(BTC.symbol, 'quotes', scale);
  for (let k = 0; k <= 60; k++) {
    trades.trade(T + k * SECOND, k + 1, 600_000, 1, 0);
    quotes.quote(T + k * SECOND, 600_000, 1, 600_001, 1);
  }
  writer.finish();
  return path;
}

describe('a tape for a session', () => {
  const rows = (from: number, to: number, more = {}): Promise<ReturnType<typeof rowsOfTape>> =>
    withFolder((folder) => rowsOfTape({ folder: minuteTape(folder), ...more }, INSTRUMENTS, [], T + from * SECOND, T + to * SECOND));

  it('of the same time has its rows, the quote before them, and nothing to say', async () => {
    const { quotes, trades, notes } = await rows(10, 50);
    expect([quotes.length, trades.length, notes]).toEqual([42, 41, []]);
    expect((await rows(-9, 69)).notes).toEqual([]);
  });

  it('of a part of it says how much it lacks at either end', async () => {
    expect((await rows(-30, 50)).notes).toEqual([
      expect.stringMatching(/lacks 30s at the start of the session of 1m 20s from 2023-12-31T23:59:30/),
    ]);
    expect((await rows(10, 100)).notes).toEqual([expect.stringMatching(/lacks 40s at the end of the session of 1m 30s/)]);
    expect((await rows(-20, 80)).notes.join()).toMatch(/lacks 20s at the start and 20s at the end/);
  });

  it('that was served faster and later counts by the times of the session', async () => {
    const start = T + 3_600_000;
    expect((await rows(3600, 3630, { speed: 2, start })).notes).toEqual([]);
    expect((await rows(3600, 3660, { speed: 2, start })).notes.join()).toMatch(/lacks 30s at the end/);
  });
});
