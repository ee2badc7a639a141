/** Restores a bot's state after a restart: epoch of the journal, last snapshot, and the records since. */
import { Failure } from '../../../base/failure/failure.ts';
import { ClientIds, type SavedIds } from '../../../domain/orders/client-ids.ts';
import type { StatusAnswer } from '../../../control/answers.ts';
import type { Instrument } from '../../../domain/instrument.ts';
import { foldRecords } from '../../../engine/recovery/registry.ts';
import type { KernelSnapshot } from '../../../engine/recovery/registry.ts';
import type { JournalRecord, Store } from '../../../ports/store.ts';
import { DayProfit, NO_DAYS, type SavedDays } from './day-profit.ts';
import { isFill, isPlaced } from '../answers/fill-answers.ts';

/** The value stored under "snapshot". Records after position `after` are applied to it. */
export interface Saved {
  readonly after: number;
  readonly kernel: KernelSnapshot;
  /** Fills reported since the journal began. */
  readonly fills: number;
  /** Orders placed since the journal began; absent in the files of older versions. */
  readonly placed?: number;
  /** Equity when the journal began, in money; 0 while unknown. */
  readonly startEquity: number;
  /** False if the bot was never armed with this journal; absent in the files of older versions. */
  readonly hasBegun?: boolean;
  /** Reasons of live orders by number. */
  readonly reasons?: Readonly<Record<string, string>>;
  /** Fees and profit of live orders by number, as in the journal. */
  readonly booked?: Readonly<Record<string, Booked>>;
  /** Profit of today and yesterday; absent in the files of older versions. */
  readonly days?: SavedDays;
  /** Status for readers of the stopped bot. */
  readonly shown?: Shown;
}

/** Fees and profit of an order in money. */
export type Booked = readonly [fee: number, profit: number];

/** The bot's last status, for readers of a stopped bot. */
export interface Shown {
  readonly status: StatusAnswer;
  readonly bot: string;
  /** Instruments of the orders in the journal. */
  readonly instruments: readonly Instrument[];
}

export interface Recovered {
  /** True if no bot was ever armed with this journal. */
  readonly isNew: boolean;
  /** How the last process with this journal ended. */
  readonly lastEnd: 'none' | 'clean' | 'without a stop';
  /** Client ids in a new epoch for this start, so that ids of a lost or restored journal are not used again. */
  readonly ids: ClientIds;
  /** null for a new journal. */
  readonly snapshot: KernelSnapshot | null;
  /** Journal position of the end, and time of the last record that a bot wrote; Infinity for a new journal. */
  readonly position: number;
  readonly journalEnd: number;
  readonly fills: number;
  readonly placed: number;
  readonly startEquity: number;
  /** Reasons of orders by number; contains all live orders. */
  readonly reasons: ReadonlyMap<number, string>;
  /** Fees and profit of orders by number, as in the journal. */
  readonly booked: ReadonlyMap<number, Booked>;
  /** Profit of today and yesterday. */
  readonly days: SavedDays;
}

/** Store key of FORMAT as the last start wrote it; absent in the stores of older versions. */
const FORMAT_KEY = 'format';
/** Format of journal and snapshot. Raise it when a version before would lose or misread what this one writes. */
const FORMAT = 1;

/** Store key of the table of epochs. Older stores have one epoch under "epoch". */
export const IDS_KEY = 'epochs';

/**
 * Reads or creates the journal and makes the epoch of this start durable. It is above `lastEpoch`, because two journals created within one
 * second would otherwise use the same ids. @throws StoreError, Failure
 */
export async function recover(store: Store, bot: string, time: number, lastEpoch = 0): Promise<Recovered> {
  const now = Math.max(time, (lastEpoch + 1) * 1000);
  await checkFormat(store, bot);
  const ids = await idsIn(store, bot);
  if (ids === null) {
    const begun = ClientIds.begin({ bot, epoch: Math.floor(now / 1000) });
    await saveIds(store, begun);
    const position = await store.last();
    const [reasons, booked] = [new Map<number, string>(), new Map<number, Booked>()];
    return {
      isNew: true,
      lastEnd: 'none',
      ids: begun,
      snapshot: null,
      position,
      journalEnd: Infinity,
      fills: 0,
      placed: 0,
      startEquity: 0,
      reasons,
      booked,
      days: NO_DAYS,
    };
  }
  const text = await store.get('snapshot');
  const saved = text === null ? null : (JSON.parse(text) as Saved);
  const records: JournalRecord[] = [];
  for await (const record of store.read((saved?.after ?? 0) + 1)) records.push(record);
  const snapshot = foldRecords(saved?.kernel ?? null, records);
  for (const { kind, data } of records) if (kind === 'imported') ids.alias(Number(data['order']), String(data['clientId']));
  ids.start(now, snapshot.nextSeq);
  await saveIds(store, ids);
  return {
    isNew: snapshot.nextSeq === 1 && (saved === null || saved.hasBegun === false),
    lastEnd: hasStopped(saved?.shown?.status) ? 'clean' : 'without a stop',
    ids,
    snapshot,
    position: await store.last(),
    journalEnd: await endOf(store, saved?.after ?? 0, records),
    fills: (saved?.fills ?? 0) + records.filter(isFill).length,
    placed: (saved?.placed ?? 0) + records.filter(isPlaced).length,
    startEquity: saved?.startEquity ?? 0,
    reasons: reasonsOf(saved, records),
    booked: bookedOf(saved, records),
    days: daysOf(saved, records),
  };
}

/** True if a clean stop saved this status last. After another end the saved status is that of a running bot. */
export function hasStopped(status: Pick<StatusAnswer, 'phase'> | undefined): boolean {
  return status?.phase === 'stopping' || status?.phase === 'stopped';
}

async function endOf(store: Store, after: number, records: readonly JournalRecord[]): Promise<number> {
  const newest = records.findLast((record) => !isFromOutside(record));
  if (newest !== undefined) return newest.time;
  for await (const record of store.read(Math.max(1, after))) return isFromOutside(record) ? 0 : record.time;
  return Infinity;
}

/** What `restore` and `rotate-epoch` write into the store of a bot that does not run is no sign of its life. */
export function isFromOutside({ kind, data }: JournalRecord): boolean {
  return kind === 'epoch' || (kind === 'halt' && data['code'] === 'journal-restored');
}

/** The client ids of the journal in `store`; null for a new one. */
export async function idsIn(store: Pick<Store, 'get'>, bot: string): Promise<ClientIds | null> {
  const table = await store.get(IDS_KEY);
  if (table !== null) return new ClientIds(bot, JSON.parse(table) as SavedIds);
  const epoch = await store.get('epoch');
  return epoch === null ? null : ClientIds.begin({ bot, epoch: Number(epoch) });
}

async function saveIds(store: Store, ids: ClientIds): Promise<void> {
  store.put(FORMAT_KEY, String(FORMAT));
  store.put(IDS_KEY, JSON.stringify(ids.saved()));
  await store.commit();
}

/** An older version would forget what it does not know, and write the rest over it. */
export async function checkFormat(store: Pick<Store, 'get'>, bot: string): Promise<void> {
  const found = Number((await store.get(FORMAT_KEY)) ?? 0);
  if (found <= FORMAT) return;
  const what = `the store of bot ${bot} was written by a newer version of Tickwright: its format is ${found}, and this version reads up to ${FORMAT}`;
  throw new Failure('store-unusable', { what, hint: 'nothing was changed: start the newer version' });
}

function daysOf(saved: Saved | null, records: readonly JournalRecord[]): SavedDays {
  const days = new DayProfit({ ...NO_DAYS, ...saved?.days });
  for (const record of records) days.add(record);
  return days.saved();
}

function reasonsOf(saved: Saved | null, records: readonly JournalRecord[]): Map<number, string> {
  const reasons = new Map(Object.entries(saved?.reasons ?? {}).map(([seq, reason]) => [Number(seq), reason]));
  for (const { kind, seq, data } of records) if (kind === 'command') reasons.set(seq, String(data['reason']));
  return reasons;
}

function bookedOf(saved: Saved | null, records: readonly JournalRecord[]): Map<number, Booked> {
  const booked = new Map(Object.entries(saved?.booked ?? {}).map(([seq, sums]) => [Number(seq), sums]));
  for (const { kind, data } of records) {
    if (kind === 'fee' && Array.isArray(data['booked'])) booked.set(Number(data['order']), data['booked'] as unknown as Booked);
  }
  return booked;
}
