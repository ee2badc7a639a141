/**
 * Compares the exchange's ledger with the bot's journal: every order must be in both, and positions must be equal. Neither reads the other.
 */
import { readFileSync } from 'node:fs';
import { MODIFY, PLACE } from '../../src/domain/codes.ts';
import { isEnded } from '../../src/domain/orders/order.ts';
import { createInstrument, formatLots, type Instrument, type InstrumentSpec } from '../../src/domain/instrument.ts';
import { openEmbeddedStore } from '../../src/edge/embedded/embedded-store.ts';
import { readLedger, type LedgerFill } from '../../src/edge/file/ledger/read-ledger.ts';
import { foldRecords } from '../../src/engine/recovery/registry.ts';
import { idsIn } from '../../src/run/bot/store/recovered.ts';
import type { KernelSnapshot } from '../../src/engine/recovery/registry.ts';
import type { Store, StoredRecord } from '../../src/ports/store.ts';
import type { LogLine } from './process.ts';

export interface Journal {
  readonly records: readonly StoredRecord[];
  /** The state that a restart would load. */
  readonly localState: KernelSnapshot;
  readonly clientIdOf: (seq: number) => string;
}

export async function journalIn(folder: string, bot: string): Promise<Journal> {
  return journalOf(openEmbeddedStore({ folder }), bot);
}

/** Reads the whole journal and closes the store. */
export async function journalOf(store: Store, bot: string): Promise<Journal> {
  const records: StoredRecord[] = [];
  for await (const record of store.read(1)) records.push(record);
  const ids = await idsIn(store, bot);
  await store.close();
  return { records, localState: foldRecords(null, records), clientIdOf: (seq) => ids?.idOf(seq) ?? '' };
}

export interface Audit {
  readonly orders: number;
  readonly fills: number;
  /** Client ids under which the exchange has two orders. */
  readonly duplicates: string[];
  /** Accepted in the journal, absent from the ledger. */
  readonly phantoms: string[];
  /** In the ledger, absent from the journal. */
  readonly unknown: string[];
  /** Orders with the same client id in both that differ. */
  readonly mixedUp: string[];
  /** Positions whose local state is wrong: "SYMBOL SIDE local venue". */
  readonly positions: string[];
  /** Orders open in only one of them. */
  readonly pending: string[];
  /** Commands without an outcome in the journal. */
  readonly open: string[];
}

/** The result without errors. */
export const CLEAN = { duplicates: [], phantoms: [], unknown: [], mixedUp: [], positions: [], pending: [], open: [] };

/** `stopped` is the bot's last log line, with its local positions. */
export function audit(ledgerFolder: string, journal: Journal, stopped: LogLine | undefined): Audit {
  const truth = readLedger(ledgerFolder);
  const { records, localState, clientIdOf } = journal;
  const own = truth.orders.filter(({ order }) => order['byVenue'] !== true);
  const idOf = (entry: (typeof own)[number]): string => String(entry.order['clientOid']);
  const inLedger = new Map<string, number>();
  for (const entry of own) inLedger.set(idOf(entry), (inLedger.get(idOf(entry)) ?? 0) + 1);
  const makes = new Set([PLACE, MODIFY]);
  const commands = records.filter(({ kind, data }) => kind === 'command' && makes.has(Number(data['kind'])));
  const said = new Map<string, number>();
  for (const { seq } of commands) said.set(clientIdOf(seq), (said.get(clientIdOf(seq)) ?? 0) + 1);
  const accepted = new Set(records.filter(({ kind, data }) => kind === 'outcome' && data['status'] === 'accepted').map(({ seq }) => seq));
  const known = new Set(
    records.filter(({ kind, data }) => kind === 'ended' || (kind === 'outcome' && data['status'] !== 'unknown')).map(({ seq }) => seq),
  );
  const livesInJournal = new Set(localState.orders.filter(({ state }) => !isEnded(state)).map(({ seq }) => clientIdOf(seq)));
  const livesInLedger = new Set(own.filter(({ ended }) => ended === null).map(idOf));
  return {
    orders: own.length,
    fills: truth.fills.length,
    duplicates: [...inLedger].filter(([, count]) => count > 1).map(([id]) => id),
    phantoms: commands.filter(({ seq }) => accepted.has(seq) && !inLedger.has(clientIdOf(seq))).map(({ seq }) => clientIdOf(seq)),
    unknown: [...inLedger.keys()].filter((id) => said.get(id) !== 1),
    mixedUp: commands
      .filter((command) => isOther(command.data, own.find((entry) => idOf(entry) === clientIdOf(command.seq))?.order))
      .map(({ seq }) => clientIdOf(seq)),
    positions: wrongLegs(truth.fills, stopped),
    pending: [
      ...[...livesInJournal].filter((id) => !livesInLedger.has(id)).map((id) => `${id} is open in the journal`),
      ...[...livesInLedger].filter((id) => !livesInJournal.has(id)).map((id) => `${id} is open at the exchange`),
    ],
    open: commands.filter(({ seq }) => !known.has(seq) && !livesInLedger.has(clientIdOf(seq))).map(({ seq }) => clientIdOf(seq)),
  };
}

/** True if the ledger's order differs from the command. */
function isOther(command: Readonly<Record<string, unknown>>, order: Readonly<Record<string, unknown>> | undefined): boolean {
  return order !== undefined && ['instrument', 'side', 'effect', 'type', 'price', 'size'].some((fact) => order[fact] !== command[fact]);
}

function wrongLegs(fills: readonly LedgerFill[], stopped: LogLine | undefined): string[] {
  const specs = JSON.parse(readFileSync(new URL('../../config/instruments.json', import.meta.url), 'utf8')) as InstrumentSpec[];
  const futures: Instrument[] = specs.filter(({ product }) => product === 'futures').map(createInstrument);
  const wrong: string[] = [];
  const believed = (stopped?.['symbols'] ?? []) as { symbol: string; long: string; short: string }[];
  for (const instrument of futures) {
    for (const side of [0, 1]) {
      const own = fills.filter((fill) => fill.instrument === instrument.index && fill.side === side);
      const lots = own.reduce((sum, { effect, size }) => sum + (effect === 0 ? size : -size), 0);
      const line = believed.find(({ symbol }) => symbol === instrument.symbol);
      const localState = Number((side === 0 ? line?.long : line?.short) ?? 0);
      if (localState !== Number(formatLots(lots, instrument)))
        wrong.push(`${instrument.symbol} ${side} ${localState} ${formatLots(lots, instrument)}`);
    }
  }
  return wrong;
}

/** A one-line summary. */
export function summary(name: string, result: Audit, kills: number): string {
  const { orders, fills, duplicates, phantoms, unknown, mixedUp, positions, pending, open } = result;
  const counts = {
    D: duplicates.length,
    L: phantoms.length,
    U: unknown.length,
    X: mixedUp.length,
    P: positions.length,
    pending: pending.length,
    open: open.length,
  };
  const text = Object.entries(counts).map(([key, count]) => `${key} ${count}`);
  return `${name}: ${kills} kills, ${orders} orders, ${fills} fills: ${text.join(', ')}`;
}
