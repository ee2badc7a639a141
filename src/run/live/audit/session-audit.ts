/** `report audit`: recorded sessions of a bot against the ledger of the paper exchange that it traded on. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../../base/failure/failure.ts';
import type { Instrument } from '../../../domain/instrument.ts';
import { walkLedger, type NumberedLine } from '../../../edge/file/ledger/read-ledger.ts';
import { ANSWERED } from '../../../ports/venue-event.ts';
import type { JournalRecord } from '../../../ports/store.ts';
import { gridOf } from '../../exchange/exchange-ledger.ts';
import { requireLedger } from '../../exchange/ledger-summary.ts';
import type { EventEntry, Head } from '../../session/entries.ts';
import { damageOf, readSessions, type SessionWatch } from '../facts/read-sessions.ts';
import { compare, SUBJECTS, VERDICTS, type AuditLine, type BalanceRead, type OwnSide, type Subject, type Verdict } from './audit.ts';
import { OwnOrders, type OwnOrder } from './own-orders.ts';
import { VenueOrders } from './venue-orders.ts';

export interface SessionAudit {
  readonly sessions: readonly string[];
  readonly bot: string;
  readonly ledger: string;
  /** Name of the account in the ledger. */
  readonly account: string;
  readonly from: number;
  readonly to: number;
  readonly counts: Readonly<Record<Subject, Readonly<Record<Verdict, number>>>>;
  /** The first line that differs; null if none does. */
  readonly first: AuditLine | null;
  /** What was not compared, in sentences. */
  readonly notes: readonly string[];
  readonly lines: readonly AuditLine[];
}

/** `session`: as of `readSessions`; `ledger`: the state folder of an exchange, or that of `start`. @throws Failure */
export async function auditSession(session: string, ledger: string): Promise<SessionAudit> {
  const folder = requireLedger(ledger);
  const watch = new OwnWatch();
  const live = await readSessions(session, watch, true);
  const { instruments } = live.facts;
  const { head, played } = live.parts.at(-1)!;
  const isOpen = played.end !== 'stopped';
  if (isOpen) watch.orders.breaksOff();
  const orders = new Map<string, OwnOrder>();
  for (const [seq, order] of watch.orders.orders)
    orders.set(live.parts.findLast(({ ids }) => ids.idOf(seq) !== '')?.ids.idOf(seq) ?? '', order);
  const { venues, missing } = readVenues(folder, instruments);
  const venue = accountOf(venues, orders, folder);
  const own: OwnSide = {
    bot: live.parts[0]!.head.config.bot,
    instruments,
    orders,
    exits: watch.orders.exits,
    legs: watch.orders.legs,
    balances: missing === 0 ? watch.balances : [],
    gaps: watch.gaps,
    from: live.startedAt,
    to: watch.readAt - head.config.listLagMs,
  };
  const { lines, others, before } = compare(own, venue);
  const notes = [
    ...damageOf(live.parts),
    ...watch.gaps.map(
      ([from, to]) => `the recording has nothing from ${iso(from)} to ${iso(to)}: the bot was killed, and was started again`,
    ),
    ...(isOpen ? [`the last session has no end: what its orders did later is compared once the bot was started again`] : []),
    ...(missing === 0 ? [] : [`${missing} lines of the ledger were deleted, so balances are not compared`]),
    ...(before === 0 ? [] : [`${before} orders of the bot are older than the recording`]),
    ...(others === 0 ? [] : [`${others} orders on the account are not of this bot`]),
  ];
  const count = (what: Subject, verdict: Verdict): number => lines.filter((one) => one.what === what && one.verdict === verdict).length;
  return {
    sessions: live.parts.map((one) => one.folder),
    bot: own.bot,
    ledger: folder,
    account: venue.account,
    from: live.startedAt,
    to: live.endedAt,
    counts: byKey(SUBJECTS, (what) => byKey(VERDICTS, (verdict) => count(what, verdict))),
    first: lines.find(({ verdict }) => verdict === 'differs') ?? null,
    notes,
    lines,
  };
}

/** The journal of the sessions, their reads of the account, and the times without a recording. */
class OwnWatch implements SessionWatch {
  orders!: OwnOrders;
  readonly balances: BalanceRead[] = [];
  readonly gaps: [from: number, to: number][] = [];
  readAt = 0;
  #instruments: readonly Instrument[] = [];

  begins({ instruments, snapshot, startedAt }: Head, brokeOffAt: number | null): void {
    this.#instruments = instruments;
    this.orders ??= new OwnOrders(instruments);
    if (brokeOffAt !== null) {
      this.orders.breaksOff();
      this.gaps.push([brokeOffAt, startedAt]);
    }
    this.orders.starts(snapshot);
  }

  event({ kind, answer, sentAt = 0, venueTime = 0 }: EventEntry): void {
    if (kind !== ANSWERED || !answer) return;
    if (answer.kind === 'positions') this.readAt = Math.max(this.readAt, sentAt);
    if (answer.kind !== 'account') return;
    const { instrument, equity, unrealised } = answer.account;
    this.balances.push({ time: venueTime, coin: this.#instruments[instrument]!.quoteCoin, amount: equity - unrealised });
  }

  record(record: JournalRecord): void {
    this.orders.record(record);
  }
}

/** The accounts of the ledger. Its instruments get the numbers that the recording gives them. @throws Failure */
function readVenues(
  folder: string,
  instruments: readonly Instrument[],
): { readonly venues: readonly VenueOrders[]; readonly missing: number } {
  const indexes = indexesOf(folder, instruments);
  const venues = new Map<string, VenueOrders>();
  const missing = walkLedger(folder, (line) => {
    const account = accountIn(line);
    if (account !== null && !venues.has(account)) venues.set(account, new VenueOrders(account));
    const own = renumbered(line, indexes);
    for (const venue of venues.values()) venue.take(own);
  });
  return { venues: [...venues.values()], missing };
}

/** The number that the recording gives to an instrument of the ledger; −1 if it has none. @throws Failure if ticks or lots differ */
function indexesOf(folder: string, instruments: readonly Instrument[]): (index: number) => number {
  const grid = gridIn(folder);
  if (grid === null) return (index) => (index < instruments.length ? index : -1);
  const indexes = grid.map(({ symbol, product, tickSize, lotSize }) => {
    const own = instruments.find((one) => one.symbol === symbol && one.product === product);
    if (own === undefined) return -1;
    if (own.tickSize === tickSize && own.lotSize === lotSize) return own.index;
    throw new Failure('ledger-unusable', {
      what: `expected ${symbol} with the tick ${own.tickSize} and the lot ${own.lotSize} of the recording, found ${tickSize} and ${lotSize}`,
      where: folder,
      hint: 'name the ledger of the exchange that the session traded on',
    });
  });
  return (index) => indexes[index] ?? -1;
}

/** The instruments of the exchange; null for a ledger without the state of its exchange beside it. */
function gridIn(folder: string): ReturnType<typeof gridOf> | null {
  const file = join(folder, 'state.json');
  return existsSync(file) ? gridOf((JSON.parse(readFileSync(file, 'utf8')) as { identity: string }).identity) : null;
}

function renumbered(line: NumberedLine, indexOf: (index: number) => number): NumberedLine {
  if (line.kind === 'fill') return { ...line, fill: { ...line.fill, instrument: indexOf(line.fill.instrument) } };
  if (line.kind === 'order') return { ...line, order: { ...line.order, instrument: indexOf(Number(line.order['instrument'])) } };
  return line;
}

function accountIn(line: NumberedLine): string | null {
  if (line.kind === 'order') return String(line.order['account']);
  return line.kind === 'cash' ? line.account : null;
}

/** The account with the orders of the bot. @throws Failure if it has none of them */
function accountOf(venues: readonly VenueOrders[], orders: ReadonlyMap<string, OwnOrder>, folder: string): VenueOrders {
  const shared = (venue: VenueOrders): number =>
    [...venue.orders.values()].filter(({ order }) => orders.has(String(order['clientOid']))).length;
  const [best] = venues.map((venue) => ({ venue, count: shared(venue) })).sort((a, b) => b.count - a.count);
  const accepted = [...orders.values()].filter(({ outcome }) => outcome === 'accepted').length;
  if (best !== undefined && (best.count > 0 || accepted === 0)) return best.venue;
  throw new Failure('ledger-unusable', {
    what: `expected the ledger of the exchange that the session traded on, found none of its ${accepted} orders`,
    where: folder,
    hint: 'name the --state folder of that exchange',
  });
}

function byKey<K extends string, V>(keys: readonly K[], value: (key: K) => V): Readonly<Record<K, V>> {
  return Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<K, V>;
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
