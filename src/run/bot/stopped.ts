/** Reads the files of a stopped bot. Changes only the halts beside the store, which take effect when the bot starts. */
import type { ActAnswer, HaltAnswer, OrderAnswer, StatusAnswer } from '../../control/answers.ts';
import { ClientIds, type SavedIds } from '../../domain/client-ids.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { HaltMarker, type MarkedHalt } from '../../edge/file/halt-marker.ts';
import { openStoreReader, type StoreReader } from '../../edge/embedded/reader.ts';
import { haltEnd, NO_REASON, scopeInWords, withReason } from '../../engine/state/halt-codes.ts';
import { foldRecords } from '../../engine/recovery/records.ts';
import type { StoredRecord } from '../../ports/store.ts';
import { isFill, isPlaced } from './fills.ts';
import { IDS_KEY, type Saved } from './recovered.ts';
import { NO_STATUS, orderOf } from './views.ts';

export interface StoppedBot {
  readonly ids: ClientIds;
  readonly instruments: readonly Instrument[];
  status(): StatusAnswer;
  orders(): readonly OrderAnswer[];
  records(): Iterable<StoredRecord>;
  close(): void;
}

/** null if the folder has no store. @throws StoreError if it is in use or damaged */
export function openStoppedBot(folder: string): StoppedBot | null {
  const reader = openStoreReader(folder);
  if (reader === null) return null;
  const text = reader.get('snapshot');
  const saved = text === null ? null : (JSON.parse(text) as Saved);
  const instruments = saved?.shown?.instruments ?? [];
  const bot = saved?.shown?.bot ?? 'bot';
  const table = reader.get(IDS_KEY);
  const ids =
    table === null ? ClientIds.begin({ bot, epoch: Number(reader.get('epoch') ?? 0) }) : new ClientIds(bot, JSON.parse(table) as SavedIds);
  const kernel = foldRecords(saved?.kernel ?? null, reader.read((saved?.after ?? 0) + 1));
  const halts = haltsOf(kernel.halts, new HaltMarker(folder));
  const brackets = new Map(kernel.brackets?.map((one) => [one.seq, one]));
  const facts = { instruments, ids, bracketOf: (order: number) => brackets.get(order) };
  const orders = kernel.orders.map((order) => orderOf(order, facts));
  return {
    ids,
    instruments,
    status: () => statusOf(saved, reader, { halts, orders: orders.length }),
    orders: () => orders,
    records: () => reader.read(1),
    close: () => reader.close(),
  };
}

/** Halts of the journal, and those of the file beside the store that the journal lacks. */
function haltsOf(saved: readonly MarkedHalt[], marker: HaltMarker): HaltAnswer[] {
  let marked: readonly MarkedHalt[] = [];
  try {
    marked = marker.read();
  } catch {
    marked = [{ scope: 'bot', code: 'marker-damaged', detail: `${marker.path} cannot be read`, since: 0, by: 'bot', seq: 0 }];
  }
  const isMissing = (one: MarkedHalt): boolean => !saved.some(({ scope, code }) => scope === one.scope && code === one.code);
  return [...saved, ...marked.filter(isMissing)].map((halt) => ({ ...halt, ends: haltEnd(halt) }));
}

function statusOf(
  saved: Saved | null,
  reader: StoreReader,
  known: { readonly halts: readonly HaltAnswer[]; readonly orders: number },
): StatusAnswer {
  const status = saved?.shown?.status;
  let last = status?.time ?? 0;
  let fills = saved?.fills ?? 0;
  let placed = saved?.placed ?? 0;
  for (const record of reader.read((saved?.after ?? 0) + 1)) {
    last = Math.max(last, record.time);
    if (isFill(record)) fills++;
    else if (isPlaced(record)) placed++;
  }
  const bot = saved?.shown?.bot ?? '';
  // A clean stop saves its status last. After another end the saved status is that of a running bot.
  const phase = status === undefined || status.phase === 'stopping' || status.phase === 'stopped' ? 'stopped' : 'ended without a stop';
  return { bot, ...NO_STATUS, ...status, isRunning: false, phase, pid: 0, time: last, fills, placed, ...known };
}

/** Halts a bot that does not run, so that it starts halted. Returns the answer to `halt` or `kill`. */
export function haltStopped(
  folder: string,
  name: 'halt' | 'kill',
  scope: string,
  asked: { readonly by: string; readonly why: string },
  now: number,
): ActAnswer {
  const marker = new HaltMarker(folder);
  const detail = asked.why === '' ? NO_REASON : asked.why;
  const halt = (code: string): MarkedHalt => ({ scope, code, detail, since: now, by: asked.by, seq: 0 });
  const wanted = name === 'kill' ? [halt('kill'), halt('flatten')] : [halt('operator')];
  const before = readOrNone(marker);
  const isSame = (one: MarkedHalt, other: MarkedHalt): boolean => other.scope === one.scope && other.code === one.code;
  const stands = before.map((one) =>
    wanted.some((other) => isSame(one, other)) ? { ...one, detail: withReason(one.detail, asked.why) } : one,
  );
  marker.write([...stands, ...wanted.filter((one) => !before.some((other) => isSame(one, other)))]);
  const said =
    name === 'kill'
      ? 'when it starts, it stays halted, cancels its orders and closes its positions'
      : `when it starts, opens of ${scopeInWords(scope)} are halted`;
  return {
    ok: true,
    command: name,
    did: [`the bot does not run: ${said}`, `to end it then: ${haltEnd(wanted[0]!)}`],
    open: [],
    isDone: true,
  };
}

/** The halts of the file. A damaged file counts as a halt of the whole bot. */
function readOrNone(marker: HaltMarker): readonly MarkedHalt[] {
  try {
    return marker.read();
  } catch {
    return [{ scope: 'bot', code: 'marker-damaged', detail: `${marker.path} could not be read`, since: 0, by: 'bot', seq: 0 }];
  }
}
