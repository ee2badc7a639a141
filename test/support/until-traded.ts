/** Waits for a served market to start. */
import { vi } from 'vitest';
import type { RunningExchange } from '../../src/run/exchange/exchange.ts';

/** Waits until every futures instrument has a book and a trade. */
export async function untilTraded(exchange: RunningExchange): Promise<void> {
  const futures = exchange.instruments.filter((i) => i.product === 'futures');
  await vi.waitFor(
    () => {
      for (const { index } of futures) {
        if (exchange.sim.bookTicker(index) === null || exchange.sim.ticker(index) === null) throw new Error('no market yet');
      }
    },
    { timeout: 10_000, interval: 10 },
  );
}
