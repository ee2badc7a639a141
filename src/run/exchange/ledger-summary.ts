/** Summarises a ledger folder: requests, orders, fills, faults and money. */
import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../base/failure/failure.ts';
import { didYouMean } from '../../base/text/suggest.ts';
import { kindOf, LEDGER_KINDS } from '../../edge/file/ledger/ledger-page.ts';
import { ledgerLines, walkLedger } from '../../edge/file/ledger/read-ledger.ts';
import { ORDER_STATES } from '../../domain/orders/order.ts';
import { formatMoneyShort } from '../../domain/instrument.ts';

export interface LedgerSummary {
  readonly lines: number;
  /** Number of lines in deleted segments. */
  readonly missing: number;
  /** Requests by endpoint and code: "E12 00000" → count. */
  readonly requests: Readonly<Record<string, number>>;
  /** Recorded reads by endpoint and code: "E7 00000" → count. */
  readonly reads: Readonly<Record<string, number>>;
  /** Requests refused before an endpoint saw them, by status and code: "429 42900" → count. */
  readonly refusals: Readonly<Record<string, number>>;
  readonly commands: Readonly<Record<string, number>>;
  /** Counts of orders: made, live, filled, cancelled, replaced. */
  readonly orders: Readonly<Record<string, number>>;
  readonly fills: number;
  /** Liquidation steps by kind: "reduce" → count. */
  readonly liquidations: Readonly<Record<string, number>>;
  /** Faults by kind and phase: "drop after" → count. */
  readonly faults: Readonly<Record<string, number>>;
  /** Sums (decimal strings) by account, wallet, coin and reason: "account-1 futures USDT deposit". */
  readonly cash: Readonly<Record<string, string>>;
}

/** The ledger lines of these kinds, each a JSON object. @throws Failure (usage) if there is no ledger or no such kind */
export function* linesIn(folder: string, kinds: readonly string[]): Generator<string> {
  const unknown = kinds.find((kind) => !LEDGER_KINDS.includes(kind));
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, LEDGER_KINDS) ?? `the kinds are ${LEDGER_KINDS.join(', ')}`;
    throw new Failure('flag-value', { what: `"${unknown}" is not a kind of line`, where: '--lines', hint });
  }
  for (const line of ledgerLines(requireLedger(folder))) if (kinds.includes(kindOf(line))) yield line;
}

/** Counts a ledger, also while an exchange writes it. @throws Failure (usage) if there is none */
export function summarise(folder: string): LedgerSummary {
  const found = requireLedger(folder);
  const requests: Record<string, number> = {};
  const reads: Record<string, number> = {};
  const refusals: Record<string, number> = {};
  const commands: Record<string, number> = {};
  const orders: Record<string, number> = { made: 0, live: 0 };
  const liquidations: Record<string, number> = {};
  const faults: Record<string, number> = {};
  const cash = new Map<string, number>();
  const live = new Set<number>();
  let lines = 0;
  let fills = 0;
  const count = (to: Record<string, number>, key: string, by = 1): void => void (to[key] = (to[key] ?? 0) + by);
  const missing = walkLedger(found, (line) => {
    lines++;
    switch (line.kind) {
      case 'request':
        return count(requests, `${line.endpoint} ${line.code}`);
      case 'read':
        return count(reads, `${line.endpoint} ${line.code}`);
      case 'refusal':
        return count(refusals, `${line.status} ${line.code}`);
      case 'counts':
        for (const [key, times] of Object.entries(line.reads)) count(reads, key, times);
        for (const [key, times] of Object.entries(line.refusals)) count(refusals, key, times);
        return;
      case 'command':
        return count(commands, line.name);
      case 'order':
        live.add(line.order.no);
        return count(orders, 'made');
      case 'end':
        live.delete(line.orderNo);
        return count(orders, ORDER_STATES[line.how] ?? 'ended');
      case 'fill':
        fills++;
        return;
      case 'step':
        return count(liquidations, line.step.step);
      case 'fault':
        return count(faults, `${line.fault} ${line.phase}`);
      case 'cash': {
        const key = `${line.account} ${line.wallet} ${line.coin} ${line.why}`;
        cash.set(key, (cash.get(key) ?? 0) + line.amount);
      }
    }
  });
  orders['live'] = live.size;
  const sums = Object.fromEntries([...cash].map(([key, sum]) => [key, formatMoneyShort(sum)]));
  return { lines, missing, requests, reads, refusals, commands, orders, fills, liquidations, faults, cash: sums };
}

/**
 * The folder of the ledger in the state folder of an exchange, or in that of `start`.
 * @throws Failure ledger-missing if there is none, ledger-unreadable if it may not be read
 */
export function requireLedger(folder: string): string {
  const own = join(folder, 'exchange');
  const found = existsSync(join(own, 'ledger.jsonl')) ? own : folder;
  const path = join(found, 'ledger.jsonl');
  try {
    accessSync(path, constants.R_OK);
    return found;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw noLedger(folder);
    throw new Failure('ledger-unreadable', { what: `${path} cannot be read: ${message}`, where: 'ledger' }, { cause: error });
  }
}

function noLedger(folder: string): Failure {
  return new Failure('ledger-missing', {
    what: `there is no ledger in ${folder}`,
    where: 'ledger',
    hint: 'name the --state folder of an exchange, or of start',
  });
}
