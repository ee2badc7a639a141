/** Helpers for engine tests: a clock set by hand, a venue that only records, a journal and a log in memory. */
import { type Command, formatClientId, type IdentitySpec } from '../../../src/domain/orders/command.ts';
import { createInstrument, type Instrument } from '../../../src/domain/instrument.ts';
import type { Reason } from '../../../src/domain/orders/outcome.ts';
import type { OrderReport, PositionReport } from '../../../src/domain/report.ts';
import { Kernel } from '../../../src/engine/kernel.ts';
import type { KernelSnapshot } from '../../../src/engine/recovery/registry.ts';
import type { KernelOptions } from '../../../src/engine/options.ts';
import type { StrategySetup } from '../../../src/engine/strategy/definition/setup.ts';
import type { AccountSymbol } from '../../../src/engine/polling/account-symbol.ts';
import type { PollSettings } from '../../../src/engine/polling/schedule.ts';
import { recordingJournal } from '../../../src/engine/recovery/records.ts';
import { defineStrategy } from '../../../src/engine/strategy/definition/define.ts';
import type { StrategyContext, StrategyHandlers } from '../../../src/engine/strategy/definition/types.ts';
import type { LogFields } from '../../../src/ports/log.ts';
import type { JournalRecord } from '../../../src/ports/store.ts';
import type { Answer, OrderPort, Query, ReadPort } from '../../../src/ports/venue.ts';
import { SayingVenue } from './saying-venue.ts';
import { BTCUSDT, WIDE_LIMITS } from '../specs.ts';

export const IDENTITY: IdentitySpec = { bot: 'tw', epoch: 1 };
export const START = 1_700_000_000_000;

export function btc(index = 0, symbol = 'BTCUSDT'): Instrument {
  return createInstrument({ ...BTCUSDT, symbol }, index);
}

export class ManualClock {
  time = START;
  now(): number {
    return this.time;
  }
}

export class MemoryLog {
  readonly lines: { level: string; event: string; fields: LogFields }[] = [];
  debug(event: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'debug', event, fields });
  }
  info(event: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'info', event, fields });
  }
  warn(event: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'warn', event, fields });
  }
  error(event: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'error', event, fields });
  }
  events(): string[] {
    return this.lines.map((line) => line.event);
  }
}

/** More queries than this at one moment, or steps of one test, are an endless loop: the test fails and does not hang. */
const ASKED_MOST = 10_000;
const ADVANCED_MOST = 100_000;

/** Records its commands and queries and answers nothing by itself. */
export class RecordingVenue extends SayingVenue implements OrderPort, ReadPort {
  readonly commands: Command[] = [];
  readonly queries: Query[] = [];
  /** Queries since the clock moved last. */
  askedNow = 0;
  /** Called inside `execute`, for venues that answer at once. */
  onExecute: ((command: Command) => void) | null = null;
  execute(command: Command): void {
    const copy = { ...command };
    this.commands.push(copy);
    this.onExecute?.(copy);
  }
  query(query: Query): void {
    // A test that answers until nothing is open would never end.
    if (++this.askedNow > ASKED_MOST) throw new Error(`${ASKED_MOST} reads at one moment, the last of them ${JSON.stringify(query)}`);
    this.queries.push(query);
  }
  last(): Command {
    const command = this.commands.at(-1);
    if (command === undefined) throw new Error('no command was sent');
    return command;
  }
}

export const POLLS: PollSettings = {
  periods: {
    quotes: 200,
    stats: 0,
    trades: 500,
    account: 2000,
    pending: 1000,
    history: 0,
    positions: 1000,
    withdrawals: 0,
    'spot-symbols': 0,
  },
  budget: {
    calls: {
      quotes: { bucket: 'public', weight: 1 },
      stats: { bucket: 'public', weight: 1 },
      trades: { bucket: 'public', weight: 1 },
      account: { bucket: 'private', weight: 1 },
      pending: { bucket: 'private', weight: 1 },
      history: { bucket: 'private', weight: 1 },
      positions: { bucket: 'private', weight: 1 },
      withdrawals: { bucket: 'private', weight: 1 },
      'spot-symbols': { bucket: 'private', weight: 1 },
    },
    buckets: { public: { perSecond: 20, orderShare: 0 }, private: { perSecond: 10, orderShare: 0.2 } },
  },
};

/** For polls that are not of the account. */
export const NO_ACCOUNT = { first: -1, instrument: -1, follow: () => undefined } as unknown as AccountSymbol;

/** For polls that are not of trades. */
export function noFeed(): never {
  throw new Error('expected no poll of trades');
}

export interface Rig {
  readonly kernel: Kernel;
  readonly venue: RecordingVenue;
  readonly clock: ManualClock;
  readonly log: MemoryLog;
  readonly records: JournalRecord[];
  /** The context of the first strategy, from its onStart. */
  readonly ctx: () => StrategyContext;
  /** Runs everything due for `ms`. */
  readonly advance: (ms: number) => void;
  /** Answers the oldest open query of this kind. */
  readonly answer: (answer: Answer, sentAt?: number) => void;
  readonly open: Query[];
}

/** A kernel with one strategy with these handlers on BTCUSDT. An armed pushed rig quotes 1000.0 / 1000.2. */
export function rig(handlers: StrategyHandlers = {}, options: Partial<KernelOptions> = {}): Rig {
  const instruments = options.instruments ?? [btc()];
  const clock = new ManualClock();
  const log = new MemoryLog();
  const venue = new RecordingVenue();
  const records: JournalRecord[] = [];
  let advanced = 0;
  let context: StrategyContext | null = null;
  const strategy = defineStrategy({
    name: 'probe',
    create: () => ({
      ...handlers,
      onStart(ctx) {
        context = ctx;
        return handlers.onStart?.(ctx);
      },
    }),
  });
  const setup: StrategySetup = { strategy, instruments: instruments.map((i) => i.index) };
  const kernel = new Kernel({
    instruments,
    orders: venue,
    reads: venue,
    clock,
    log,
    journal: recordingJournal(instruments, (record) => records.push(record)),
    identity: IDENTITY,
    strategies: [setup],
    polls: null,
    seed: 1,
    ...options,
    risk: { ...WIDE_LIMITS, ...options.risk },
  });
  venue.inbox = kernel.inbox;
  return {
    kernel,
    venue,
    clock,
    log,
    records,
    open: venue.queries,
    ctx() {
      if (context === null) throw new Error('the strategy has not been started');
      return context;
    },
    advance(ms) {
      if (++advanced > ADVANCED_MOST) throw new Error(`what the test waits for has not come in ${ADVANCED_MOST} steps`);
      const until = clock.time + ms;
      while (kernel.nextTimer <= until) {
        if (kernel.nextTimer > clock.time) venue.askedNow = 0;
        clock.time = Math.max(clock.time, kernel.nextTimer);
        kernel.inbox.runTimers(clock.time);
      }
      clock.time = until;
      venue.askedNow = 0;
    },
    answer(answer, sentAt = clock.time) {
      const at = venue.queries.findIndex((query) => query.kind === answer.kind);
      const [query] = venue.queries.splice(at, 1);
      if (at < 0 || query === undefined) throw new Error(`nothing asked for ${answer.kind}`);
      venue.answered(query, answer, sentAt, sentAt);
    },
  };
}

/** An armed pushed rig with a quote of 1000.0 / 1000.2. */
export function pushedRig(handlers: StrategyHandlers = {}, options: Partial<KernelOptions> = {}): Rig {
  const r = rig(handlers, options);
  r.kernel.inbox.start();
  r.kernel.inbox.onQuote(0, 10_000, 5_000, 10_002, 5_000);
  return r;
}

/** An armed polled rig, reconciled on an empty account, with the same quote and no open query. */
export function polledRig(handlers: StrategyHandlers = {}, options: Partial<KernelOptions> = {}): Rig {
  const r = rig(handlers, { polls: POLLS, ...options });
  r.kernel.inbox.start();
  settleReads(r, [], []);
  r.advance(1);
  settleReads(r, [], []);
  return r;
}

/** A bot armed after a start with this snapshot, on a LONG leg of BTCUSDT of so many lots. */
export function restarted(snapshot: KernelSnapshot, lots: number, options: Partial<KernelOptions> = {}): Rig {
  const r = rig({}, { polls: POLLS, ...options });
  r.kernel.restore(snapshot);
  r.kernel.inbox.start();
  for (let k = 0; k < 20 && r.kernel.phase !== 'armed'; k++) {
    settleReads(r, [], [positionReport(0, lots)]);
    r.advance(500);
  }
  return r;
}

/** Answers every open query: with these pending orders and positions, and otherwise with an empty account and the usual quote. */
export function settleReads(r: Rig, orders: readonly OrderReport[], positions: readonly PositionReport[], venueTime?: number): void {
  for (let query = r.open.shift(); query !== undefined; query = r.open.shift()) {
    const now = r.clock.time;
    r.venue.answered(query, usual(query, orders, positions, now), now, venueTime ?? now);
  }
}

/** The answer to this query: an empty account and the usual quote, with these orders and positions. */
export function usual(query: Query, orders: readonly OrderReport[], positions: readonly PositionReport[], now: number): Answer {
  switch (query.kind) {
    case 'quotes':
      return {
        kind: 'quotes',
        quotes: [{ instrument: 0, bid: 10_000, bidSize: 5_000, ask: 10_002, askSize: 5_000, venueTime: now }] as never,
      };
    case 'stats':
      return { kind: 'stats', stats: [] };
    case 'trades':
      return { kind: 'trades', trades: [] };
    case 'account':
      return { kind: 'account', account: ACCOUNT };
    case 'pending':
      return { kind: 'pending', orders: orders.filter((o) => o.status === 'open' || o.status === 'partial') };
    case 'history':
      return {
        kind: 'history',
        orders: orders.filter(
          (o) => o.status !== 'open' && o.status !== 'partial' && (query.clientId === '' || o.clientId === query.clientId),
        ),
      };
    case 'withdrawals':
      return { kind: 'withdrawals', withdrawals: [] };
    case 'spot-symbols':
      return { kind: 'spot-symbols', symbols: [] };
    case 'positions':
      return { kind: 'positions', positions };
  }
}

const ACCOUNT = {
  instrument: 0,
  equity: 1_000_000_000_000,
  available: 1_000_000_000_000,
  locked: 0,
  unrealised: 0,
  marginMode: 0,
  longLeverage: 10,
  shortLeverage: 10,
} as never;

/** A record of order history (E17) or pending orders (E18) for the order of `command`. */
export function orderReport(
  command: Command,
  status: OrderReport['status'],
  changes: Partial<Record<keyof OrderReport, unknown>> = {},
): OrderReport {
  return {
    instrument: command.instrument,
    venueId: `v${command.seq}`,
    clientId: formatClientId(IDENTITY, command.seq),
    side: command.side,
    effect: command.effect,
    type: command.type,
    price: command.price,
    size: command.size,
    status,
    averagePrice: 0,
    fee: 0,
    realised: 0,
    createdAt: command.time,
    updatedAt: command.time,
    ...changes,
  } as OrderReport;
}

/** A position record (E19): `total` lots on one side of BTCUSDT at 1000.0. */
export function positionReport(side: number, total: number, changes: Partial<Record<keyof PositionReport, unknown>> = {}): PositionReport {
  return {
    instrument: 0,
    side,
    total,
    available: total,
    locked: 0,
    opening: 0,
    entryPrice: 1000,
    margin: 0,
    marginMode: 0,
    leverage: 10,
    realised: 0,
    unrealised: 0,
    funding: 0,
    markPrice: 1000.1,
    liquidationPrice: 0,
    createdAt: START,
    updatedAt: START,
    ...changes,
  } as PositionReport;
}

export function rejection(reason: Reason): { reason: Reason; code: string; message: string } {
  return { reason, code: '40001', message: reason };
}
