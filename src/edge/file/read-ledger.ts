/** Reads a ledger folder as the ground truth: what was asked, what came of it, what moved. For tests, audits and people. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A signed write as it reached the exchange. */
export interface LedgerRequest {
  /** 1, 2, 3, … */
  readonly request: number;
  readonly time: number;
  /** Its name. */
  readonly account: string;
  /** "E12", … */
  readonly endpoint: string;
  /** The exact body text. */
  readonly body: string;
  /** Code of the reply; "00000" for success. */
  readonly code: string;
}

export interface LedgerOrder {
  /** The order as it was when it was made, in the simulator's integers, with its ids on the wire. */
  readonly order: Readonly<Record<string, unknown>> & { readonly no: number };
  /**
   * The request in which it came to be, null when the market moved. An order whose `byVenue` is true was made by the venue itself
   * (a preset exit, the child of a plan), be it in a request or not.
   */
  readonly request: LedgerRequest | null;
  /** How it ended (a code of domain/order.ts), null while it lives. */
  ended: number | null;
}

export interface LedgerFill {
  readonly fillNo: number;
  readonly orderNo: number;
  readonly account: number;
  readonly time: number;
  readonly instrument: number;
  readonly side: number;
  readonly effect: number;
  readonly price: number;
  readonly size: number;
  readonly fee: number;
  readonly liquidity: number;
  readonly realised: number;
}

export interface LedgerCash {
  readonly account: number;
  readonly coin: string;
  readonly amount: number;
  readonly why: string;
  readonly orderNo: number;
}

export interface GroundTruth {
  readonly requests: readonly LedgerRequest[];
  readonly orders: readonly LedgerOrder[];
  readonly fills: readonly LedgerFill[];
  readonly cash: readonly LedgerCash[];
}

type Line =
  | ({ kind: 'request' } & LedgerRequest)
  | { kind: 'order'; request: number; order: LedgerOrder['order'] }
  | { kind: 'end'; orderNo: number; how: number }
  | { kind: 'fill'; fill: LedgerFill }
  | ({ kind: 'cash' } & LedgerCash);

/** Reads `ledger.jsonl` in `folder`, also while an exchange writes it. A torn last line is left out. @throws Error of node:fs */
export function readLedger(folder: string): GroundTruth {
  const text = readFileSync(join(folder, 'ledger.jsonl'), 'utf8');
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  lines.pop();
  const requests: LedgerRequest[] = [];
  const orders: { order: LedgerOrder['order']; made: number; ended: number | null }[] = [];
  const byNo = new Map<number, { ended: number | null }>();
  const fills: LedgerFill[] = [];
  const cash: LedgerCash[] = [];
  for (const one of lines) {
    const line = JSON.parse(one) as Line;
    if (line.kind === 'request') {
      const { request, time, account, endpoint, body, code } = line;
      requests.push({ request, time, account, endpoint, body, code });
    } else if (line.kind === 'order') {
      const entry = { order: line.order, made: line.request, ended: null };
      orders.push(entry);
      byNo.set(line.order.no, entry);
    } else if (line.kind === 'end') {
      const entry = byNo.get(line.orderNo);
      if (entry !== undefined) entry.ended = line.how;
    } else if (line.kind === 'fill') fills.push(line.fill);
    else {
      const { account, coin, amount, why, orderNo } = line;
      cash.push({ account, coin, amount, why, orderNo });
    }
  }
  const byRequest = new Map(requests.map((r) => [r.request, r]));
  return {
    requests,
    orders: orders.map(({ order, made, ended }) => ({ order, request: byRequest.get(made) ?? null, ended })),
    fills,
    cash,
  };
}
