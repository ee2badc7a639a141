/** Waits for a served market to start. */
import type { RunningExchange } from '../../../src/run/exchange/exchange.ts';
import { eventually } from '../eventually.ts';

/** Waits until every futures instrument has a book and a trade. */
export async function untilTraded(exchange: RunningExchange): Promise<void> {
  const futures = exchange.instruments.filter((i) => i.product === 'futures');
  await eventually(() => {
    for (const { index } of futures) {
      if (exchange.sim.bookTicker(index) === null || exchange.sim.ticker(index) === null) throw new Error('no market yet');
    }
  });
}
