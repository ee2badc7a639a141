/** The venue as the bot sees it: commands and questions go out, what became of them comes back through the inbox. */
import type { Approved, Command } from '../domain/command.ts';
import type { Rejection } from '../domain/outcome.ts';
import type {
  AccountReport,
  OrderReport,
  PositionReport,
  QuoteReport,
  SpotStatus,
  StatsReport,
  TradeReport,
  WithdrawalReport,
} from '../domain/report.ts';

/** A question to the venue. `instrument: −1` asks for all symbols in one call where the endpoint can. */
export type Query =
  | { readonly kind: 'quotes'; readonly instrument: number } // E7
  | { readonly kind: 'stats'; readonly instrument: number } // E6
  | TradesQuery // E8
  | { readonly kind: 'account'; readonly instrument: number } // E9
  | PendingQuery // E18
  | HistoryQuery // E17
  | { readonly kind: 'positions'; readonly instrument: number } // E19, or E20 for one
  | { readonly kind: 'withdrawals'; readonly instrument: number } // E5, of the last day
  | { readonly kind: 'spot-symbols'; readonly instrument: number }; // E3

export interface PendingQuery {
  readonly kind: 'pending';
  readonly instrument: number;
  /** All pages until one is empty, whatever it costs: absence is to prove something. */
  readonly isProof?: true;
  /**
   * Venue ids that the asker looks for, asked for when the question leaves. Pages end when all of them were seen, so that thousands of
   * foreign orders do not cost a hundred requests; an id that is missing has been looked for on every page. null asks for all pages.
   */
  readonly known?: () => ReadonlySet<string> | null;
}

export interface HistoryQuery {
  readonly kind: 'history';
  readonly instrument: number;
  /** "" = any. */
  readonly clientId: string;
  readonly since: number;
  /** Where the answer before this one ended; default: at the newest order. */
  readonly before?: string;
}

export interface TradesQuery {
  readonly kind: 'trades';
  readonly instrument: number;
  /** The page ends before this trade; "" for the newest page. */
  readonly before: string;
  readonly limit: number;
  /** The newest trade that the asker has: a venue in this process ends the page with it, others do not know it. */
  readonly known?: string;
}

/** The answer to a question, whole (all pages) and validated. Arrays are the receiver's to keep. */
export type Answer =
  | { readonly kind: 'quotes'; readonly quotes: readonly QuoteReport[] }
  | { readonly kind: 'stats'; readonly stats: readonly StatsReport[] }
  | { readonly kind: 'trades'; readonly trades: readonly TradeReport[] } // as the venue ordered them
  | { readonly kind: 'account'; readonly account: AccountReport }
  | { readonly kind: 'pending'; readonly orders: readonly OrderReport[] }
  | { readonly kind: 'history'; readonly orders: readonly OrderReport[]; readonly rest?: string } // `rest`: there are older ones before this id
  | { readonly kind: 'positions'; readonly positions: readonly PositionReport[] }
  | { readonly kind: 'withdrawals'; readonly withdrawals: readonly WithdrawalReport[] }
  | { readonly kind: 'spot-symbols'; readonly symbols: readonly SpotStatus[] };

export interface Venue {
  /**
   * Sends one approved command. The command object is reused by its owner: copy before returning, unless it is a blank of your own.
   * Never throws for what the venue does.
   */
  execute(command: Approved<Command>): void;
  /** Asks. Exactly one `answered` or `failed` with the same query object follows. */
  query(query: Query): void;
}

/**
 * Causes of a failed question that mean that no question finds the venue. The venue's port tells of them itself, once for all
 * questions.
 */
export const UNREACHABLE_CAUSES: ReadonlySet<string> = new Set(['connection-refused', 'dns', 'tls']);

/**
 * Where the venue's answers go. Each call is one event; the kernel takes them in order and never acts inside one.
 * `sentAt` is when the question or command left, so that an answer older than what is known can be told.
 */
export interface Inbox {
  accepted(seq: number, venueId: string): void;
  rejected(seq: number, rejection: Rejection): void;
  /** Proven never to have left: safe to send again. */
  unsent(seq: number, cause: string): void;
  /** May have happened. */
  unknown(seq: number, cause: string): void;
  /** `venueTime` is the venue's clock when it answered, 0 when it did not say. */
  answered(query: Query, answer: Answer, sentAt: number, venueTime: number): void;
  /** The question got no usable answer; nothing may be concluded from it. */
  failed(query: Query, cause: string): void;
}

/**
 * A venue that pushes. E1–E20 never do; the simulator does under `--every-tick`, where a backtest deliberately sees more than
 * live would.
 */
export interface PushInbox extends Inbox {
  /** `size` lots of order `seq` traded at `price` ticks; liquidity is MAKER or TAKER. */
  pushedFill(seq: number, size: number, price: number, fee: number, liquidity: number): void;
  /** A fill of something the venue ordered by itself for us, such as a preset exit: it has no number. LONG or SHORT, OPEN or CLOSE. */
  pushedOwnFill(instrument: number, side: number, effect: number, size: number, price: number): void;
  /**
   * Order `seq` ended: CANCELLED or REJECTED (domain/order.ts). One whose fills make up its size has ended by that, and one that a
   * modify replaces by the acceptance of the modify, or by what is pushed of the order that took its place.
   */
  pushedEnd(seq: number, how: number): void;
}
