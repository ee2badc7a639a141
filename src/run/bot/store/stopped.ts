/** Reads the files of a stopped bot, and changes none. */
import type { HaltAnswer, OrderAnswer, StatusAnswer } from '../../../control/answers.ts';
import { ClientIds, type SavedIds } from '../../../domain/orders/client-ids.ts';
import type { Instrument } from '../../../domain/instrument.ts';
import type { AddedByStrategy } from '../../../domain/ready-made.ts';
import { isEnded, SUBMITTING, UNKNOWN } from '../../../domain/orders/order.ts';
import type { SavedHalt } from '../../../domain/messages/saved-halt.ts';
import { HaltMarker } from '../../../edge/file/beside/halt-marker.ts';
import { HaltRequests, type HaltRequest } from '../../../edge/file/beside/halt-requests.ts';
import { openStoreReader, type StoreReader } from '../../../edge/embedded/reader.ts';
import { askedAgain, haltEnd, NO_REASON } from '../../../engine/state/events/halt-codes.ts';
import { foldRecords } from '../../../engine/recovery/registry.ts';
import type { StoredRecord } from '../../../ports/store.ts';
import { isFill, isPlaced } from '../answers/fill-answers.ts';
import { PROFIT_KEY, ProfitIndex } from '../answers/profit.ts';
import { hasStopped, IDS_KEY, isFromOutside, type Saved } from './recovered.ts';
import { haltAnswer, NO_STATUS, orderOf } from '../answers/views.ts';

export interface StoppedBot {
  readonly ids: ClientIds;
  readonly instruments: readonly Instrument[];
  status(): StatusAnswer;
  orders(): readonly OrderAnswer[];
  /** The strategies' reasons of live orders by number. */
  readonly reasons: Readonly<Record<string, string>>;
  records(from?: number): Iterable<StoredRecord>;
  lastRecord(): number;
  profit(): ProfitIndex;
  /** Strategies that an operator added while the bot ran. */
  readonly added: AddedByStrategy;
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
  const halts = haltsOf(kernel.halts, new HaltMarker(folder), new HaltRequests(folder));
  const brackets = new Map(kernel.brackets?.map((one) => [one.seq, one]));
  const facts = { instruments, ids, bracketOf: (order: number) => brackets.get(order) };
  // Orders that have ended are kept until their fills are final.
  const live = kernel.orders.filter(({ state }) => !isEnded(state));
  const orders = live.map((order) => orderOf(order, facts));
  // Of a command that left before a process died no outcome is known, as of one whose answer was lost.
  const unknownOutcomes = live.filter(({ state }) => state === UNKNOWN || state === SUBMITTING).length + (kernel.marginSteps?.length ?? 0);
  return {
    ids,
    instruments,
    status: () => statusOf(saved, reader, { halts, orders: orders.length, unknownOutcomes }),
    orders: () => orders,
    reasons: saved?.reasons ?? {},
    records: (from = 1) => reader.read(from),
    lastRecord: () => reader.last(),
    profit: () => ProfitIndex.of(reader.get(PROFIT_KEY)),
    added: kernel.added ?? {},
    close: () => reader.close(),
  };
}

/** Halts of the journal, and those beside the store that the journal lacks: of the marker, and of requests that no bot has taken yet. */
function haltsOf(saved: readonly SavedHalt[], marker: HaltMarker, requests: HaltRequests): HaltAnswer[] {
  const halts = [...saved];
  const placeOf = (one: SavedHalt): number => halts.findIndex(({ scope, code }) => scope === one.scope && code === one.code);
  for (const one of marked(marker)) if (placeOf(one) < 0) halts.push(one);
  for (const one of requests.read().flatMap(haltsOfRequest)) {
    const k = placeOf(one);
    if (k < 0) halts.push(one);
    else halts[k] = askedAgain(halts[k]!, { by: one.by, why: one.detail });
  }
  return halts.map((halt) => haltAnswer({ ...halt, ends: haltEnd(halt) }));
}

/** The halts of the marker. A damaged file counts as a halt of the whole bot. */
function marked(marker: HaltMarker): readonly SavedHalt[] {
  try {
    return marker.read();
  } catch {
    return [{ scope: 'bot', code: 'marker-damaged', detail: `${marker.path} cannot be read`, since: 0, by: 'bot', seq: 0 }];
  }
}

function statusOf(
  saved: Saved | null,
  reader: StoreReader,
  known: Pick<StatusAnswer, 'halts' | 'orders' | 'unknownOutcomes'>,
): StatusAnswer {
  const status = saved?.shown?.status;
  let last = status?.time ?? 0;
  let fills = saved?.fills ?? 0;
  let placed = saved?.placed ?? 0;
  for (const record of reader.read((saved?.after ?? 0) + 1)) {
    if (!isFromOutside(record)) last = Math.max(last, record.time);
    if (isFill(record)) fills++;
    else if (isPlaced(record)) placed++;
  }
  const bot = saved?.shown?.bot ?? '';
  const phase = status === undefined || hasStopped(status) ? 'stopped' : 'ended without a stop';
  return { bot, ...NO_STATUS, ...status, isRunning: false, phase, pid: 0, time: last, fills, placed, ...known };
}

/** The scope of a word as it was typed: a symbol if it is in capitals, else a strategy. */
export function scopeOfWord(word: string): string {
  if (word === '' || word === 'all' || word === 'bot') return 'bot';
  if (/^(symbol|leg|strategy):/.test(word)) return word;
  if (/:(LONG|SHORT)$/.test(word)) return `leg:${word}`;
  return /^(spot:)?[A-Z0-9]+$/.test(word) ? `symbol:${word}` : `strategy:${word}`;
}

/** The halts that a request asks for. */
export function haltsOfRequest({ name, scope, why, time, by }: Omit<HaltRequest, 'id'>): readonly SavedHalt[] {
  const halt = (code: string): SavedHalt => {
    return { scope: name === 'kill' ? 'bot' : scopeOfWord(scope), code, detail: why === '' ? NO_REASON : why, since: time, by, seq: 0 };
  };
  return name === 'kill' ? [halt('kill'), halt('flatten')] : [halt('operator')];
}
