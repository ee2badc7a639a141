/**
 * The state of an exchange: what its accounts hold, for its page and for programs. Amounts are decimal strings, times milliseconds since
 * 1970.
 */

/** The accounts of an exchange. Amounts are decimal strings. */
export interface ExchangeState {
  /** Time of the exchange. */
  readonly time: number;
  /** Futures accounts, in their order. */
  readonly accounts: readonly AccountRow[];
  /** Position sides that are held. */
  readonly positions: readonly LegRow[];
  /** Working orders of all accounts, newest first. */
  readonly orders: readonly OrderRow[];
}

/** An account of futures. */
export interface AccountRow {
  /** "account-1", as in the ledger. */
  readonly account: string;
  readonly key: string;
  readonly equity: string;
  readonly available: string;
  readonly unrealised: string;
  readonly realised: string;
  readonly fees: string;
  readonly funding: string;
  /** Number of legs, and of working orders. */
  readonly positions: number;
  readonly orders: number;
}

/** A position side. "" for what it has not. */
export interface LegRow {
  readonly account: string;
  readonly symbol: string;
  readonly side: string;
  readonly size: string;
  readonly entry: string;
  readonly mark: string;
  readonly value: string;
  readonly margin: string;
  readonly marginMode: string;
  readonly unrealised: string;
  readonly liquidation: string;
  /** Its take-profits and stop-losses. */
  readonly exits: readonly { readonly size: string; readonly takeProfit: string; readonly stopLoss: string }[];
}

/** A working order. "" for what it has not. */
export interface OrderRow {
  readonly time: number;
  readonly account: string;
  readonly symbol: string;
  readonly kind: string;
  readonly side: string;
  readonly effect: string;
  readonly type: string;
  readonly price: string;
  readonly size: string;
  readonly filled: string;
  /** Of a trigger order: the price that is watched, and where it fires. */
  readonly trigger: string;
  readonly takeProfit: string;
  readonly stopLoss: string;
  readonly orderId: string;
  readonly clientOid: string;
}
