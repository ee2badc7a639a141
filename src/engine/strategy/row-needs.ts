/** Finds what strategies want of the rows of a market: single trades, and bars of them. */
import type { Dispatch } from './dispatch.ts';

export interface RowNeed {
  readonly strategy: string;
  readonly symbol: string;
  /** In words. */
  readonly wants: string;
  /** Length of the bars that are wanted, in milliseconds; 0 for what single trades alone show. */
  readonly sizeMs: number;
}

export function rowNeedsOf({ runners, feeds, allSubscribers }: Pick<Dispatch, 'runners' | 'feeds' | 'allSubscribers'>): RowNeed[] {
  const trades = runners.flatMap((runner) => {
    if (runner.handlers.onTrade === undefined) return [];
    const own = allSubscribers.filter(({ traders }) => traders.includes(runner));
    return own.map(({ market: { symbol } }) => ({ strategy: runner.name, symbol, wants: 'single trades (onTrade)', sizeMs: 0 }));
  });
  const named = (feed: (typeof feeds)[number]): string => {
    const users = runners.filter((runner) => feed.runners.includes(runner));
    return users.length === 0 ? 'a universe' : users.map(({ name }) => name).join(' and ');
  };
  const bars = feeds.map((feed) => ({
    strategy: named(feed),
    symbol: feed.instrument.symbol,
    wants: `bars of ${feed.timeframe.name}`,
    sizeMs: feed.timeframe.rule === 'time' ? feed.timeframe.size : 0,
  }));
  return [...trades, ...bars];
}
