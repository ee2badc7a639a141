/** The market that recorded sessions saw, as a tape on disk: what the polls of the bot returned, at the venue's times. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../../base/failure/failure.ts';
import type { StreamWriter } from '../../tape/write/stream-writer.ts';
import { TapeWriter } from '../../tape/write.ts';
import { readSessions } from './facts/read-sessions.ts';

/**
 * Gives `body` the tape of these sessions: the folder of one, that of all of a bot, or its state folder. The tape is removed afterwards.
 * @throws Failure if they saw no market, and as readSessions; TapeError
 */
export async function withSessionTape<T>(path: string, body: (tape: string) => Promise<T>): Promise<T> {
  const { facts, parts } = await readSessions(path);
  const { instruments } = parts[0]!.head;
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-session-'));
  try {
    const tape = join(folder, 'tape');
    const writer = new TapeWriter(tape, { source: `session ${path}` });
    let rows = 0;
    for (const instrument of instruments) {
      const { index, product, symbol, tickStep, lotStep } = instrument;
      if (product !== 'futures') continue;
      const trades = facts.trades.filter((one) => one.instrument === index);
      const quotes = facts.quotes.filter((one) => one.instrument === index);
      rows += trades.length + quotes.length;
      if (trades.length > 0) {
        const stream = writer.stream(symbol, 'trades', instrument);
        for (const { venueTime, id, price, size, aggressor } of trades)
          stream.trade(notBefore(stream, venueTime), id, price * tickStep, size * lotStep, aggressor);
      }
      if (quotes.length > 0) {
        const stream = writer.stream(symbol, 'quotes', instrument);
        for (const { venueTime, bid, bidSize, ask, askSize } of quotes)
          stream.quote(notBefore(stream, venueTime), bid * tickStep, bidSize * lotStep, ask * tickStep, askSize * lotStep);
      }
    }
    if (rows === 0) {
      writer.abort();
      throw new Failure('range-empty', { what: 'expected quotes or trades in the session, found none', where: path });
    }
    writer.finish();
    return await body(tape);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads that overtook each other may show an older time. */
function notBefore({ lastTime }: StreamWriter, time: number): number {
  return Math.max(lastTime, time);
}
