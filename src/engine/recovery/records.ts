/**
 * Writes the journal's records and reads them back, in one place.
 * size: one function per kind of record
 */
import { CLOSE, MODIFY, PLACE, SET_MARGIN_MODE } from '../../domain/codes.ts';
import { makesOrder, orderKindOf, productOf, waitsForTrigger } from '../../domain/command-traits.ts';
import { CANCELLING, isEnded, MODIFYING, SUBMITTING, UNKNOWN, WORKING } from '../../domain/order.ts';
import { emptyCommand, type Command } from '../../domain/command.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { JournalRecord } from '../../ports/store.ts';
import { PROBE } from '../orders/executor.ts';
import { foldLost, type SavedTrigger } from '../state/records/lost-triggers.ts';
import type { SavedAllocation } from '../state/account/allocation.ts';
import { bracketOf, settleBracket, type Bracket } from '../state/records/brackets.ts';
import type { CommandJournal } from '../state/events/journal.ts';
import type { SavedGuards } from '../risk/guards.ts';
import type { SavedLosses } from '../risk/loss-scope.ts';
import { foldExplained } from '../positions/explained.ts';
import { WITHDRAWALS_REMEMBERED } from '../positions/money-watch.ts';
import type { SavedWatch } from '../positions/watch.ts';
import type { SavedExecution } from '../trades/saved-execution.ts';
import type { SavedSchedule } from '../strategy/durable/saved-schedule.ts';
import type { SavedState } from '../strategy/durable/saved-state.ts';
import { afterExit } from '../trades/left-trades.ts';
import type { SavedTrade } from '../trades/saved-trade.ts';
import { modeAsked, NO_MODE, type OwnMode } from '../state/records/own-mode.ts';
import type { KernelSnapshot } from './kernel-snapshot.ts';
import { savedLeg } from './legs.ts';
import type { SavedLeg, SavedOrder } from '../state/records/saved.ts';
import type { SavedMarginStep } from '../orders/margin/margins.ts';
import type { SavedHalt } from '../state/events/halt-codes.ts';

/** A journal that turns every call into a record and passes it to `append`. */
export function recordingJournal(instruments: readonly Instrument[], append: (record: JournalRecord) => void): CommandJournal {
  return {
    command(c, strategy, reason) {
      const { seq, time, targetVenueId: _known, ...facts } = c;
      append({ kind: 'command', seq, time, data: { ...facts, symbol: instruments[c.instrument]!.symbol, strategy, reason } });
    },
    outcome(seq, status, venueId, why, time) {
      append({ kind: 'outcome', seq, time, data: { status, venueId, why } });
    },
    fill(seq, lots, ticks, worth, time) {
      append({ kind: 'fill', seq, time, data: { lots, ticks, ...(worth > 0 ? { worth } : {}) } });
    },
    ended(seq, how, filled, isSettled, time) {
      append({ kind: 'ended', seq, time, data: { how, filled, isSettled } });
    },
    settled(seq, filled, time) {
      append({ kind: 'settled', seq, time, data: { filled } });
    },
    leg(leg, time) {
      append({ kind: 'leg', seq: 0, time, data: { ...savedLeg(leg, instruments[leg.index >> 1]!.symbol) } });
    },
    halt({ seq, since: _time, ...facts }, time) {
      append({ kind: 'halt', seq, time, data: facts });
    },
    note(kind, data, time) {
      append({ kind, seq: 0, time, data });
    },
    fired(seq, what, lots, ticks, venueId, time, facts) {
      append({ kind: 'exit', seq, time, data: { ...facts, what, lots, ticks, venueId } });
    },
    lift({ scope, code, seq }, why, by, time) {
      append({ kind: 'lift', seq, time, data: { scope, code, why, by } });
    },
  };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Rebuilds the state after a restart: the last snapshot (or null) and all later records, in order. */
export function foldRecords(snapshot: KernelSnapshot | null, records: Iterable<JournalRecord>): KernelSnapshot {
  const orders = new Map<number, Mutable<SavedOrder>>(snapshot?.orders.map((order) => [order.seq, { ...order }]));
  const halts = new Map(snapshot?.halts.map((halt) => [keyOf({ ...halt }), savedHalt({ ...halt })]));
  const brackets = new Map(snapshot?.brackets?.map((one) => [one.seq, { ...one }]));
  const explained = new Map(snapshot?.explained);
  // A snapshot of an earlier version has ids alone.
  for (const venueId of snapshot?.toldIds ?? []) foldExplained(explained, venueId);
  const lostTriggers: SavedTrigger[] = [...(snapshot?.lostTriggers ?? [])];
  /** Commands about an order that place no order themselves: command number → order number. */
  const about = new Map<number, number>();
  const params = new Map(Object.entries(snapshot?.params ?? {}).map(([name, given]) => [name, { ...given }]));
  const steps = new Map(snapshot?.marginSteps?.map((step) => [step.seq, step]));
  const legs = new Map<string, SavedLeg>(snapshot?.legs?.map((leg) => [legKey(leg), leg]));
  const modes = new Map(Object.entries(snapshot?.modes ?? {}));
  const trades = new Map(Object.entries(snapshot?.trades ?? {}).map(([name, list]) => [name, [...list]]));
  const schedules = new Map(Object.entries(snapshot?.schedules ?? {}));
  const executions = new Map(Object.entries(snapshot?.executions ?? {}));
  const state = new Map(Object.entries(snapshot?.state ?? {}));
  let nextSeq = snapshot?.nextSeq ?? 1;
  let losses = snapshot?.losses;
  let guards = snapshot?.guards;
  let allocation = snapshot?.allocation;
  let watch = snapshot?.watch;
  /** The bracket of the newest fill, until the record of its leg shows the venue's time. */
  let filled: Mutable<Bracket> | undefined;
  for (const record of records) {
    const { seq, data } = record;
    nextSeq = Math.max(nextSeq, seq + 1);
    foldLost(record, orders.get(seq), explained, lostTriggers);
    if (record.kind === 'lift' || (record.kind === 'outcome' && data['status'] !== 'unknown')) steps.delete(seq);
    if (record.kind === 'command') {
      foldCommand(record, orders, about);
      foldBracket(record, brackets);
      foldMode(record, modes);
    } else if (record.kind === 'outcome') foldOutcome(record, orders, about);
    else if (record.kind === 'ended') foldEnd(record, orders, brackets);
    else if (record.kind === 'settled') foldSettled(seq, orders, brackets);
    else if (record.kind === 'leg') {
      const { provenAt } = foldLeg(record, legs);
      if (filled !== undefined && provenAt > 0) filled.filledAt = provenAt;
      filled = undefined;
    } else if (record.kind === 'exit') {
      foldExit(record, brackets);
      foldTradeExit(record, trades);
      // A journal of an earlier version does not say how many lots of the order that was.
      if (!explained.has(text(data['venueId']))) foldExplained(explained, text(data['venueId']));
    } else if (record.kind === 'halt') {
      const key = keyOf({ ...data, seq });
      // An existing halt got a new reason: its start time stays.
      // mutant: restart: halts of a person are forgotten
      halts.set(key, savedHalt({ ...data, seq, since: halts.get(key)?.since ?? record.time }));
    } else if (record.kind === 'lift') halts.delete(keyOf({ ...data, seq }));
    else if (record.kind === 'absent') foldAbsent(record, orders, steps);
    else if (record.kind === 'set') foldSet(data, params);
    else if (record.kind === 'trade') foldTrade(data, trades);
    else if (record.kind === 'state') foldState(data, state);
    else if (record.kind === 'schedule') foldSchedule(data, schedules);
    else if (record.kind === 'execution') nextSeq = Math.max(nextSeq, foldExecution(data, executions) + 1);
    else if (record.kind === 'margin-step') steps.set(number(data['seq']), data as unknown as SavedMarginStep);
    else if (record.kind === 'explained') foldExplained(explained, text(data['venueId']), number(data['lots']));
    else if (record.kind === 'trigger-fired') foldFired(data, orders, explained);
    else if (record.kind === 'withdrawals') watch = foldWithdrawals(data, watch);
    else if (record.kind === 'losses') losses = data as unknown as SavedLosses;
    else if (record.kind === 'allocation') allocation = { ...allocation, ...data } as unknown as SavedAllocation;
    else if (record.kind === 'guards') guards = data as unknown as SavedGuards;
    else if (record.kind === 'fill') {
      const order = orders.get(seq);
      // mutant: restart: fills that were told are told again
      if (order !== undefined) order.filled += number(data['lots']);
      if (order !== undefined && data['worth'] !== undefined) order.worth = number(data['worth']);
      filled = foldFill(record, brackets);
    }
  }
  return {
    version: 1,
    nextSeq,
    orders: [...orders.values()],
    legs: [...legs.values()],
    modes: Object.fromEntries(modes),
    halts: [...halts.values()],
    marginSteps: [...steps.values()],
    brackets: [...brackets.values()],
    explained: [...explained],
    lostTriggers,
    watch,
    losses,
    allocation,
    guards,
    strategies: snapshot?.strategies ?? {},
    trades: Object.fromEntries(trades),
    state: Object.fromEntries(state),
    executions: Object.fromEntries(executions),
    schedules: Object.fromEntries(schedules),
    params: Object.fromEntries(params),
  };
}

/** A complete read did not show an order, or a margin step, of unknown outcome. */
function foldAbsent({ time: at, data }: JournalRecord, orders: Orders, steps: Map<number, SavedMarginStep>): void {
  const seq = number(data['order']);
  const absent = { at, venueTime: number(data['venueTime']) };
  const [order, step] = [orders.get(seq), steps.get(seq)];
  if (order !== undefined) order.absent = absent;
  if (step !== undefined) steps.set(seq, { ...step, absent });
}

/** A trigger order became another order, which may have no client id of ours. */
function foldFired(data: JournalRecord['data'], orders: Orders, explained: Map<string, number>): void {
  const venueId = text(data['venueId']);
  foldExplained(explained, venueId);
  const order = orders.get(number(data['order']));
  if (order !== undefined) order.venueId = venueId;
}

/** A parameter was set by an operator; an empty value restores that of the configuration. */
function foldSet(data: JournalRecord['data'], params: Map<string, Record<string, string>>): void {
  const [strategy, param, value] = [text(data['strategy']), text(data['param']), text(data['value'])];
  const given = { ...params.get(strategy), [param]: value };
  if (value === '') delete given[param];
  params.set(strategy, given);
}

/** A strategy assigned fields of its durable state. */
function foldState(data: JournalRecord['data'], state: Map<string, SavedState>): void {
  const strategy = text(data['strategy']);
  state.set(strategy, { ...state.get(strategy), ...(data['set'] as SavedState) });
}

/** The newest state of an execution, whose number it returns. One that has ended is forgotten. */
function foldExecution(data: JournalRecord['data'], executions: Map<string, readonly SavedExecution[]>): number {
  const strategy = text(data['strategy']);
  const { execution } = data as unknown as { readonly execution: SavedExecution };
  const others = (executions.get(strategy) ?? []).filter(({ id }) => id !== execution.id);
  executions.set(strategy, execution.state === 'done' ? others : [...others, execution].sort((a, b) => a.id - b.id));
  return execution.id;
}

/** A schedule was set, handled or removed. */
function foldSchedule(data: JournalRecord['data'], schedules: Map<string, readonly SavedSchedule[]>): void {
  const strategy = text(data['strategy']);
  const { schedule } = data as unknown as { readonly schedule: SavedSchedule };
  const others = (schedules.get(strategy) ?? []).filter(({ name }) => name !== schedule.name);
  schedules.set(strategy, schedule.cron === '' ? others : [...others, schedule]);
}

/** The newest state of a managed trade. A closed one is forgotten. */
function foldTrade(data: JournalRecord['data'], trades: Map<string, SavedTrade[]>): void {
  const strategy = text(data['strategy']);
  const { trade } = data as unknown as { readonly trade: SavedTrade };
  const others = (trades.get(strategy) ?? []).filter(({ id }) => id !== trade.id);
  trades.set(strategy, trade.state === 'closed' ? others : [...others, trade].sort((a, b) => a.id - b.id));
}

/** A bracket of a trade fired. Of a strategy that runs, the record of its trade follows and says the same. */
function foldTradeExit({ seq, time, data }: JournalRecord, trades: Map<string, SavedTrade[]>): void {
  const list = trades.get(String(data['strategy']));
  if (list === undefined) return;
  const [size, price] = [Number(data['size']), Number(data['price'] ?? Number.NaN)];
  const exit = { order: seq, lots: number(data['lots']), size, price, time };
  trades.set(String(data['strategy']), [...afterExit(list, exit, text(data['what']))]);
}

/** Withdrawals that were reported, possibly before the first snapshot. */
function foldWithdrawals(
  { ids }: JournalRecord['data'],
  watch: SavedWatch = { terms: {}, money: { highs: [], withdrawals: null } },
): SavedWatch {
  const seen = [...(watch.money.withdrawals ?? []), ...(ids as string[])];
  return { ...watch, money: { ...watch.money, withdrawals: seen.slice(-WITHDRAWALS_REMEMBERED) } };
}

type Facts = Readonly<Record<string, unknown>>;

/** Key of a halt: its command, or its scope and code if it is about no command. */
function keyOf({ scope, code, seq }: Facts): string {
  return seq === 0 ? `${text(scope)} ${text(code)}` : `command ${number(seq)}`;
}

/** A halt from a record or a snapshot. Older journals have symbol and cause instead of a scope. */
function savedHalt(kept: Facts): SavedHalt {
  const { symbol, why, scope, code, detail, since, by, seq, until } = kept;
  if (scope === undefined) {
    return {
      scope: `symbol:${text(symbol)}`,
      code: 'outcome-unknown',
      detail: text(why),
      since: Number(since ?? 0),
      by: 'bot',
      seq: number(seq),
    };
  }
  const halt = { scope: text(scope), code: text(code), detail: text(detail), since: Number(since ?? 0), by: text(by), seq: number(seq) };
  return until === undefined ? halt : { ...halt, until: number(until) };
}

/** An order or a command asked for a margin mode. Uses the same function as the live kernel. */
function foldMode({ time, data }: JournalRecord, modes: Map<string, OwnMode>): void {
  const [kind, symbol] = [number(data['kind']), text(data['symbol'])];
  const isAsked = kind === SET_MARGIN_MODE || (makesOrder(kind) && number(data['effect']) !== CLOSE);
  if (isAsked && productOf(kind) === 'futures')
    modes.set(symbol, modeAsked(modes.get(symbol) ?? NO_MODE, number(data['marginMode']), time));
}

type FoldedBrackets = Map<number, Mutable<Bracket>>;

/** An order with a bracket was placed or modified. Uses the same function as the live kernel. */
function foldBracket({ seq, data }: JournalRecord, brackets: FoldedBrackets): void {
  const given: Command = { ...emptyCommand(), ...data, seq };
  const made = bracketOf(given, brackets.get(given.target), text(data['strategy']), text(data['reason']));
  if (made !== null) brackets.set(seq, made);
}

/** Returns the order's bracket. `filledAt` is in our time until the record of the leg is read: our clock may have been wrong. */
function foldFill({ seq, time, data }: JournalRecord, brackets: FoldedBrackets): Mutable<Bracket> | undefined {
  const bracket = brackets.get(seq);
  if (bracket === undefined) return undefined;
  bracket.lots += number(data['lots']);
  bracket.filledAt = time;
  if (number(data['ticks']) > 0) bracket.entry = number(data['ticks']);
  return bracket;
}

function foldExit({ seq, data }: JournalRecord, brackets: FoldedBrackets): void {
  const bracket = brackets.get(seq);
  if (bracket === undefined) return;
  bracket.lots = Math.max(0, bracket.lots - number(data['lots']));
  bracket.most = Math.max(0, bracket.most - number(data['lots']));
}

/** An ended order is kept until its fills are final. */
function foldEnd({ seq, time, data }: JournalRecord, orders: Orders, brackets: FoldedBrackets): void {
  const order = orders.get(seq);
  if (order === undefined || data['isSettled'] !== false) return foldSettled(seq, orders, brackets);
  order.state = number(data['how']);
  order.endedAt = time;
}

function foldSettled(seq: number, orders: Orders, brackets: FoldedBrackets): void {
  orders.delete(seq);
  const bracket = brackets.get(seq);
  if (bracket === undefined) return;
  settleBracket(bracket);
  if (bracket.most === 0) brackets.delete(seq);
}

function foldLeg({ data }: JournalRecord, legs: Map<string, SavedLeg>): SavedLeg {
  const leg = data as unknown as SavedLeg;
  legs.set(legKey(leg), leg);
  return leg;
}

function legKey({ symbol, side }: SavedLeg): string {
  return symbol + ' ' + side;
}

type Orders = Map<number, Mutable<SavedOrder>>;

function foldCommand(record: JournalRecord, orders: Orders, about: Map<number, number>): void {
  const { seq, time, data } = record;
  const kind = number(data['kind']);
  const acted = number(data['target']);
  const target = kind === PLACE ? undefined : orders.get(acted);
  // A probe does not change the state of its order.
  if (target !== undefined && text(data['reason']) !== PROBE) {
    target.state = kind === MODIFY ? MODIFYING : CANCELLING;
    target.sentAt = time;
    target.absent = undefined;
    about.set(seq, target.seq);
  }
  if (!makesOrder(kind)) return;
  orders.set(seq, {
    seq,
    strategy: text(data['strategy']),
    kind: orderKindOf(kind),
    symbol: text(data['symbol']),
    side: number(data['side']),
    effect: number(data['effect']),
    type: number(data['type']),
    price: number(data['price']),
    ...(Number(data['trigger'] ?? 0) > 0 ? { trigger: number(data['trigger']), triggerBy: number(data['triggerBy'] ?? 0) } : {}),
    size: number(data['size']),
    filled: 0,
    // A journal of an earlier version says `postOnly`, with the same numbers.
    force: number(data['force'] ?? data['postOnly']),
    marginMode: number(data['marginMode']),
    state: SUBMITTING,
    venueId: '',
    replaces: kind === MODIFY ? acted : 0,
    ...(kind === PLACE && acted > 0 ? { repeats: acted } : {}),
    createdAt: time,
    sentAt: time,
  });
}

function foldOutcome(record: JournalRecord, orders: Orders, about: Map<number, number>): void {
  const { seq, time, data } = record;
  const status = text(data['status']);
  const order = orders.get(seq);
  if (order !== undefined && !isEnded(order.state)) {
    if (status === 'accepted') {
      order.state = WORKING;
      order.venueId = text(data['venueId']);
    } else if (status === 'unknown') {
      order.state = UNKNOWN;
    }
    order.sentAt = time;
  }
  const target = orders.get(about.get(seq) ?? 0);
  if (target === undefined || isEnded(target.state)) return;
  // An accepted cancel or modify is followed by the order's own end; any other outcome leaves it resting or unknown.
  const isCancel = order === undefined;
  if (isCancel && (status === 'unknown' || status === 'unsent')) target.state = CANCELLING;
  else if (isCancel && status === 'rejected' && waitsForTrigger(target.kind) && text(data['why']) === 'order-not-found')
    target.state = UNKNOWN;
  else if (status === 'unknown') target.state = UNKNOWN;
  else if (status !== 'accepted') target.state = WORKING;
  target.sentAt = time;
}

function number(value: unknown): number {
  if (typeof value === 'number') return value;
  throw new TypeError(`a number was expected in a journal record, found ${typeof value}`);
}

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`a text was expected in a journal record, found ${typeof value}`);
}
