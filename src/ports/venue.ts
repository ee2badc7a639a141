/** The venue as the bot sees it: commands go out by one port, queries by another; outcomes and answers come back as events. */
import type { Approved, Command } from '../domain/orders/command.ts';
import type {
  AccountReport,
  OrderReport,
  PositionReport,
  QuoteReport,
  SpotStatus,
  StatsReport,
  TradeReport,
  UnruledPosition,
  WithdrawalReport,
} from '../domain/report.ts';

/** A query to the venue. `instrument: −1` reads all symbols in one call where the endpoint allows it. */
export type Query =
  | { readonly kind: 'quotes'; readonly instrument: number } // best bid and ask (E7)
  | { readonly kind: 'stats'; readonly instrument: number } // futures tickers (E6)
  | TradesQuery // market trades (E8)
  | { readonly kind: 'account'; readonly instrument: number } // account (E9)
  | PendingQuery // pending orders (E18)
  | HistoryQuery // order history (E17)
  | { readonly kind: 'positions'; readonly instrument: number } // all positions (E19), or those of one symbol (E20)
  | { readonly kind: 'withdrawals'; readonly instrument: number } // withdrawals (E5) of the last day
  | { readonly kind: 'spot-symbols'; readonly instrument: number }; // spot symbols (E3)

export interface PendingQuery {
  readonly kind: 'pending';
  readonly instrument: number;
  /** Read all pages until one is empty, whatever the cost, because absence is used as proof. */
  readonly isProof?: true;
  /**
   * Venue ids that the caller looks for, evaluated when the query is sent. Reading stops once all of them were listed, so that thousands of
   * foreign orders do not cost a hundred requests. An id that is missing was looked for on every page. null reads all pages.
   */
  readonly known?: () => ReadonlySet<string> | null;
}

export interface HistoryQuery {
  readonly kind: 'history';
  readonly instrument: number;
  /** "" = any. */
  readonly clientId: string;
  readonly since: number;
  /** Continues where the previous answer ended; default: at the newest order. */
  readonly before?: string;
}

export interface TradesQuery {
  readonly kind: 'trades';
  readonly instrument: number;
  /** The page ends before this trade; "" for the newest page. */
  readonly before: string;
  readonly limit: number;
  /** The newest trade that the caller has: an in-process venue ends the page there, others ignore it. */
  readonly known?: string;
}

/** The answer to a query, complete (all pages) and validated. The receiver owns the arrays. */
export type Answer =
  | { readonly kind: 'quotes'; readonly quotes: readonly QuoteReport[] }
  | { readonly kind: 'stats'; readonly stats: readonly StatsReport[] }
  // In the venue's order. `isFalling`: each id is known to be below the one before it.
  | { readonly kind: 'trades'; readonly trades: readonly TradeReport[]; readonly isFalling?: boolean }
  | { readonly kind: 'account'; readonly account: AccountReport }
  | { readonly kind: 'pending'; readonly orders: readonly OrderReport[] }
  | { readonly kind: 'history'; readonly orders: readonly OrderReport[]; readonly rest?: string } // `rest`: older orders exist before this id
  | { readonly kind: 'positions'; readonly positions: readonly PositionReport[]; readonly unruled?: readonly UnruledPosition[] }
  | { readonly kind: 'withdrawals'; readonly withdrawals: readonly WithdrawalReport[] }
  | { readonly kind: 'spot-symbols'; readonly symbols: readonly SpotStatus[] };

/** The way out of commands. The outcome comes back through the inbox (venue-event.ts). */
export interface OrderPort {
  /**
   * Sends one approved command. The command object is reused by its owner: copy it before returning, unless it is your own record. Never
   * throws for what the venue does.
   */
  execute(command: Approved<Command>): void;
}

/** The way out of queries. The answer comes back through the inbox. */
export interface ReadPort {
  /** Sends a query. Exactly one ANSWERED or FAILED with the same query object follows. */
  query(query: Query): void;
}

/**
 * Causes of a failed query that mean that the venue cannot be reached at all. The venue's port reports them itself, once for all queries.
 */
export const UNREACHABLE_CAUSES: ReadonlySet<string> = new Set(['connection-refused', 'dns', 'tls']);

/** Causes that mean that the venue answered, and refused the key: the key itself (401), or what it may do and from where (403). */
export const KEY_REFUSED_CAUSES: ReadonlySet<string> = new Set(['unauthorized', 'forbidden']);

/** Causes that mean that the market has no quote, or no trade, so far. No fault of the venue. */
export const EMPTY_CAUSES: ReadonlySet<string> = new Set(['no-book-yet', 'no-trade-yet']);
