/**
 * Runs the commands of the venue's operator. Each is deterministic, so a ledger can record and replay it. State outside the simulator
 * (stopped markets, offline symbols, withdrawals) is kept here.
 */
import { GeneralRefusal } from '../../contract/endpoints/general-refusals.ts';
import { assert } from '../../base/failure/assert.ts';
import { BUY, ISOLATED, CROSS, LONG, SELL, SHORT } from '../../domain/codes.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { parseScaled, ScaleError } from '../../domain/amounts/scale.ts';
import { MONEY_DECIMALS } from '../../domain/amounts/units.ts';
import type { Reply } from '../../contract/envelope.ts';
import type { VenueSim } from '../core/venue-core.ts';
import { withdrawalRecord, type Withdrawals } from './withdrawal-records.ts';
import { FUTURES, TRIGGER, SPOT } from '../state/kinds.ts';
import { problemsOfCommand, type OperatorCommandName } from './operator-commands.ts';
import { orderNoOf } from '../state/ids/wire-ids.ts';

/** The parts of the exchange that commands change. */
export interface OperatorView {
  readonly sim: VenueSim;
  readonly instruments: readonly Instrument[];
  /** Futures by symbol, without offline symbols. */
  readonly futures: Map<string, Instrument>;
  readonly spot: Map<string, Instrument>;
  /** The records that withdrawals (E5) lists. */
  readonly withdrawals: Withdrawals;
  /** Calls an endpoint as the owner of the account. */
  callAs(account: number, endpoint: string, params: unknown): Reply;
}

interface Snapshot {
  readonly still: readonly number[];
  readonly offline: readonly number[];
  readonly extraIds: number;
  /** Accounts whose key is revoked. */
  readonly revoked?: readonly number[];
  readonly delisted?: readonly number[];
  readonly closed?: readonly ClosureName[];
  readonly leverages?: readonly (readonly [string, number])[];
  readonly withdrawals: unknown;
}

/** Success with its results, or the reason of a refusal. */
export type OperatorResult = Readonly<Record<string, unknown>> & ({ readonly done: true } | { readonly refused: string });

/** Why no request is answered: the status and the envelope's code and message. */
const CLOSURES = {
  ban: new GeneralRefusal('banned'),
  maintenance: new GeneralRefusal('maintenance'),
} as const;
type ClosureName = keyof typeof CLOSURES;

/** The fields of a command. `on` of `ban` and `maintenance` is a boolean, all others are text or numbers. */
type Given = Readonly<Record<string, string>> & { readonly on?: boolean };

export class Operator {
  readonly #context: OperatorView;
  readonly #still = new Set<number>();
  readonly #offline = new Set<number>();
  readonly #revoked = new Set<number>();
  readonly #delisted = new Set<number>();
  readonly #closed = new Set<ClosureName>();
  /** Changed leverages by account, instrument and side. The simulator's snapshot does not contain them. */
  readonly #leverages = new Map<string, number>();
  /** Number of trades added by jumps. Ids of later market trades are raised by it. */
  #extraIds = 0;

  constructor(context: OperatorView) {
    this.#context = context;
  }

  /** True if the market of this instrument is stopped. */
  isStill(instrument: number): boolean {
    return this.#closed.has('maintenance') || this.#still.has(instrument) || this.#offline.has(instrument);
  }

  /** True if the key of this account is revoked. */
  isRevoked(account: number): boolean {
    return this.#revoked.has(account);
  }

  /** Why no request is answered now; null if requests are answered. */
  get closure(): (typeof CLOSURES)[ClosureName] | null {
    const [name] = this.#closed;
    return name === undefined ? null : CLOSURES[name];
  }

  get extraIds(): number {
    return this.#extraIds;
  }

  /** Runs a command. A wrong command is a refusal, not an error. */
  run(name: string, given: unknown, time: number): OperatorResult {
    const [problem] = problemsOfCommand(name, given);
    if (problem !== undefined) return refused(problem.what);
    const { sim } = this.#context;
    const said = given as Given;
    const owner = said['account'] === undefined ? -1 : sim.accountNamed(said['account']);
    if (said['account'] !== undefined && owner < 0) return refused(`there is no account "${said['account']}"`);
    const ones = this.#context.instruments.filter((one) => one.symbol === said['symbol']);
    if (said['symbol'] !== undefined && ones.length === 0) return refused(`there is no symbol "${said['symbol']}"`);
    return this.#carryOut(name as OperatorCommandName, said, { owner, ones, time });
  }

  #carryOut(name: OperatorCommandName, said: Given, on: On): OperatorResult {
    const { sim } = this.#context;
    const { owner, ones, time } = on;
    const future = ones.find((one) => one.product === 'futures');
    switch (name) {
      case 'ban':
      case 'maintenance':
        if (said.on === true) this.#closed.add(name);
        else this.#closed.delete(name);
        return DONE;
      case 'call': {
        if (this.#closed.has('maintenance')) return refused('the venue is under maintenance');
        const { code, msg, data } = this.#context.callAs(owner, said['endpoint']!, said['params']).envelope;
        return { done: true, code, msg, data };
      }
      case 'revoke-key':
        this.#revoked.add(owner);
        return DONE;
      case 'restore-key':
        this.#revoked.delete(owner);
        return DONE;
      case 'cancel':
        return this.#cancel(said['orderId']!, time);
      case 'freeze':
      case 'thaw':
        mark(this.#still, ones, name === 'freeze');
        return DONE;
      case 'offline':
      case 'online':
        if (ones.some(({ index }) => this.#delisted.has(index))) return refused('the symbol is delisted');
        this.#takeOffline(ones, name === 'offline');
        return DONE;
      case 'delist':
        for (const { index } of ones) sim.delist(index, time);
        mark(this.#delisted, ones, true);
        this.#takeOffline(ones, true);
        return DONE;
      case 'spike':
        return this.#spike(ones, Number(said['percent']), time);
      case 'margin-mode': {
        const mode = said['marginMode'] === 'ISOLATED' ? ISOLATED : CROSS;
        return settled(future !== undefined && sim.setMarginMode(owner, future.index, mode, time), sim, future);
      }
      case 'leverage': {
        const leg = said['side'] === 'LONG' ? LONG : SHORT;
        const times = Number(said['leverage']);
        const isDone = future !== undefined && sim.setLeverage(owner, future.index, leg, times, time);
        if (isDone) this.#leverages.set(`${owner} ${future.index} ${leg}`, times);
        return settled(isDone, sim, future);
      }
      case 'liquidate': {
        const leg = said['side'] === 'LONG' ? LONG : SHORT;
        return settled(future !== undefined && sim.liquidate(owner, future.index, leg, time), sim, future);
      }
      case 'deposit': {
        const units = unitsOf(said['amount']!);
        if (units === null) return refused('the amount is out of range');
        if (sim.deposit(owner, said['wallet'] === 'spot', said['coin']!, units)) return DONE;
        return refused(sim.refusal === 'size-too-large' ? 'the amount is out of range' : sim.refusal);
      }
      case 'withdrawal':
        return this.#withdraw(owner, said, time);
    }
  }

  #takeOffline(ones: readonly Instrument[], isOffline: boolean): void {
    mark(this.#offline, ones, isOffline);
    for (const { index } of ones) this.#context.sim.halt(index, isOffline);
    this.#list();
  }

  #cancel(id: string, time: number): OperatorResult {
    const { sim } = this.#context;
    for (const kind of [FUTURES, TRIGGER, SPOT]) {
      const order = sim.order(orderNoOf(kind, id));
      if (order === null || order.kind !== kind) continue;
      const isDone = kind === SPOT ? sim.cancelSpot(order.account, order.no, time) : sim.cancel(order.account, order.no, time);
      return isDone ? DONE : refused(sim.refusal);
    }
    return refused('order-not-found');
  }

  #spike(ones: readonly Instrument[], percent: number, time: number): OperatorResult {
    const { sim } = this.#context;
    const moved = (ticks: number): number => Math.max(1, Math.round(ticks * (1 + percent / 100)));
    const books = ones.map(({ index }) => sim.bookTicker(index)).filter((book) => book !== null);
    if (ones.some(({ index }) => this.#offline.has(index))) return refused('the symbol is offline');
    if (books.length === 0) return refused('the symbol has no market');
    const far = ({ bid, ask }: (typeof books)[number]): number => moved(bid || ask) + (bid > 0 && ask > 0 ? ask - bid : 0);
    if (books.some((book) => !sim.allows(book.instrument, far(book)))) return refused('the price would be too large to compute exactly');
    this.#extraIds++;
    for (const { instrument, bid, bidSize, ask, askSize } of books) {
      const low = bid === 0 ? 0 : moved(bid);
      const high = ask === 0 ? 0 : bid === 0 ? moved(ask) : low + (ask - bid);
      const lastId = sim.ticker(instrument)?.lastId ?? 0;
      sim.quote(instrument, low, bidSize, high, askSize, time);
      const size = Math.max(1, percent < 0 ? bidSize : askSize);
      sim.trade(instrument, (percent < 0 ? low : high) || low || high, size, percent < 0 ? SELL : BUY, time, lastId + 1);
    }
    return DONE;
  }

  #withdraw(owner: number, said: Given, time: number): OperatorResult {
    const size = unitsOf(said['amount']!);
    const fee = unitsOf(said['fee'] ?? '0');
    if (size === null || size <= 0 || fee === null || fee < 0) return refused('the amount is out of range');
    const { withdrawals } = this.#context;
    const orderId = said['orderId'] ?? withdrawals.nextId(owner);
    const known = withdrawals.of(owner).find((one) => one.orderId === orderId);
    const record = withdrawalRecord(owner, { ...said, orderId, size, fee }, known?.cTime ?? String(time), time);
    withdrawals.put(owner, record);
    return { done: true, orderId };
  }

  /** Updates the maps of listed instruments, in their order. */
  #list(): void {
    const { futures, spot, instruments } = this.#context;
    futures.clear();
    spot.clear();
    for (const one of instruments) if (!this.#offline.has(one.index)) (one.product === 'spot' ? spot : futures).set(one.symbol, one);
  }

  snapshot(): Snapshot {
    return {
      still: [...this.#still],
      offline: [...this.#offline],
      revoked: [...this.#revoked],
      delisted: [...this.#delisted],
      closed: [...this.#closed],
      extraIds: this.#extraIds,
      leverages: [...this.#leverages],
      withdrawals: this.#context.withdrawals.snapshot(),
    };
  }

  restore(state: unknown): void {
    const { still, offline, extraIds, withdrawals, leverages = [], revoked = [], delisted = [], closed = [] } = state as Snapshot;
    assert(Array.isArray(still) && Array.isArray(offline), 'a snapshot lists stopped markets and offline symbols');
    for (const [to, from] of [
      [this.#still, still],
      [this.#offline, offline],
      [this.#revoked, revoked],
      [this.#delisted, delisted],
    ] as const) {
      to.clear();
      for (const index of from) to.add(index);
    }
    this.#closed.clear();
    for (const name of closed) this.#closed.add(name);
    this.#extraIds = extraIds;
    this.#leverages.clear();
    for (const [key, times] of leverages) {
      const [owner, instrument, leg] = key.split(' ').map(Number) as [number, number, number];
      this.#leverages.set(key, times);
      this.#context.sim.restoreLeverage(owner, instrument, leg, times);
    }
    this.#context.withdrawals.restore(withdrawals);
    this.#list();
  }
}

/** The account and instruments of a command. */
interface On {
  readonly owner: number;
  readonly ones: readonly Instrument[];
  readonly time: number;
}

const DONE: OperatorResult = { done: true };

function mark(set: Set<number>, ones: readonly Instrument[], isIn: boolean): void {
  for (const { index } of ones) {
    if (isIn) set.add(index);
    else set.delete(index);
  }
}

function refused(why: string): OperatorResult {
  return { refused: why };
}

function settled(isDone: boolean, sim: VenueSim, future: Instrument | undefined): OperatorResult {
  if (future === undefined) return refused('the symbol has no futures contract');
  return isDone ? DONE : refused(sim.refusal);
}

function unitsOf(text: string): number | null {
  try {
    return parseScaled(text, MONEY_DECIMALS);
  } catch (error) {
    if (error instanceof ScaleError) return null;
    throw error;
  }
}
