/** All trades of the market that a session read, as a list from which pages are taken that it did not ask for. */
import { firstIndex } from '../../../base/collections/first-index.ts';
import type { TradeReport } from '../../../domain/report.ts';
import { compareTradeIds, inOrder } from '../../../engine/polling/trade-ids.ts';
import type { RecordedAnswer } from './recording.ts';

export class SeenTrades {
  /** By instrument, oldest first. */
  readonly #trades: ReadonlyMap<number, readonly TradeReport[]>;

  constructor(answers: Iterable<readonly RecordedAnswer[]>) {
    const all = [...answers].flat().flatMap(({ answer }) => (answer?.kind === 'trades' ? answer.trades : []));
    this.#trades = new Map(
      [...Map.groupBy(all, ({ instrument }) => instrument)].map(([instrument, trades]) => [instrument, inOrder(trades)]),
    );
  }

  /** The newest `limit` trades of lower ids than `before`, newest first. */
  page(instrument: number, before: string, limit: number): TradeReport[] {
    const trades = this.#trades.get(instrument) ?? [];
    const end = firstIndex(0, trades.length, (k) => compareTradeIds(trades[k]!.tradeId, before) >= 0);
    return trades.slice(Math.max(0, end - limit), end).reverse();
  }
}
