/** What strategies want of the rows of a market: single trades, and bars of them. */
import type { Dispatch } from './dispatch.ts';

export interface RowNeed {
  readonly strategy: string;
  readonly symbol: string;
  /** In words. */
  readonly wants: string;
  /** Length of the bars that are wanted, in milliseconds; 0 for what single trades alone show. */
  readonly sizeMs: number;
}

export function rowNeedsOf({ hosts, feeds, allSubscribers }: Pick<Dispatch, 'hosts' | 'feeds' | 'allSubscribers'>): RowNeed[] {
  const trades = hosts.flatMap((host) => {
    if (host.handlers.onTrade === undefined) return [];
    const own = allSubscribers.filter(({ traders }) => traders.includes(host));
    return own.map(({ market: { symbol } }) => ({ strategy: host.name, symbol, wants: 'single trades (onTrade)', sizeMs: 0 }));
  });
  const named = (feed: (typeof feeds)[number]): string => {
    const users = hosts.filter((host) => feed.hosts.includes(host));
    return users.map(({ name }) => name).join(' and ');
  };
  const bars = feeds.map((feed) => ({
    strategy: named(feed),
    symbol: feed.instrument.symbol,
    wants: `bars of ${feed.timeframe.name}`,
    sizeMs: feed.timeframe.rule === 'time' ? feed.timeframe.size : 0,
  }));
  return [...trades, ...bars];
}
