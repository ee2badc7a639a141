/** Compares the exchange's ledger with the bot's journal, as `report audit` compares it with a recording. */
import { readFileSync } from 'node:fs';
import { createInstrument, type InstrumentSpec } from '../../src/domain/instrument.ts';
import { openEmbeddedStore } from '../../src/edge/embedded/embedded-store.ts';
import { walkLedger } from '../../src/edge/file/ledger/read-ledger.ts';
import { foldRecords } from '../../src/engine/recovery/registry.ts';
import { compare, type AuditLine } from '../../src/run/live/audit/audit.ts';
import { OwnOrders, type OwnOrder } from '../../src/run/live/audit/own-orders.ts';
import { VenueOrders } from '../../src/run/live/audit/venue-orders.ts';
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
  /** Lines of the ledger and of the journal that differ, in words. */
  readonly differences: readonly string[];
}

/** The result without errors. */
export const CLEAN = { differences: [] };

/** Orders, their ends and positions. `stopped` is the bot's last log line, with its local positions. Nothing may be left open: it has read everything. */
export function audit(
  ledgerFolder: string,
  { records, clientIdOf }: Journal,
  stopped: LogLine | undefined,
  instrumentsFile: string,
): Audit {
  const specs = JSON.parse(readFileSync(instrumentsFile, 'utf8')) as InstrumentSpec[];
  const instruments = specs.map(createInstrument);
  const own = new OwnOrders(instruments);
  for (const record of records) own.record(record);
  const orders = new Map<string, OwnOrder>([...own.orders].map(([seq, order]) => [clientIdOf(seq), order]));
  const venue = new VenueOrders('account-1');
  walkLedger(ledgerFolder, (line) => venue.take(line));
  const [first] = orders.keys();
  const { lines } = compare(
    {
      bot: first?.split('-')[0] ?? '',
      instruments,
      orders,
      exits: own.exits,
      legs: legsIn(stopped),
      balances: [],
      from: 0,
      to: Infinity,
      gaps: [],
    },
    venue,
  );
  const left = lines.filter(({ verdict, what }) => verdict !== 'agrees' && ['order', 'end', 'position'].includes(what));
  return { orders: [...venue.orders.values()].length, fills: venue.fills.length, differences: left.map(said) };

  function legsIn(line: LogLine | undefined): ReadonlyMap<number, number> {
    const symbols = (line?.['symbols'] ?? []) as { symbol: string; long: string; short: string }[];
    return new Map(
      symbols.flatMap(({ symbol, long, short }) => {
        const { index, lotSize } = instruments.find((one) => one.symbol === symbol && one.product === 'futures')!;
        const lots = (size: string): number => Math.round(Number(size) / Number(lotSize));
        return [
          [2 * index, lots(long)],
          [2 * index + 1, lots(short)],
        ] as const;
      }),
    );
  }
}

function said({ line, what, id, verdict, recorded, ledger, why }: AuditLine): string {
  return `${line} ${what} ${id} ${verdict}: ${recorded} / ${ledger} ${why}`;
}

/** A one-line summary. */
export function summary(name: string, { orders, fills, differences }: Audit, kills: number): string {
  return `${name}: ${kills} kills, ${orders} orders, ${fills} fills, ${differences.length} differences`;
}
