/** One execution as a strategy sees it. */
import { lotsOf, priceOf, sizeOf, type Instrument } from '../../../domain/instrument.ts';
import type { ExecutionKind, ExecutionState, SavedExecution } from './saved-execution.ts';
import type { Execution } from './execution-types.ts';
import type { ManagedTrade } from '../trade-types.ts';
import type { Market } from '../../intents/market-types.ts';

/** What an execution asks of what holds it. */
export interface ExecutionOwner {
  cancel(execution: WorkedExecution, why: string): void;
  tradesOf(execution: WorkedExecution): readonly ManagedTrade[];
}

export class WorkedExecution implements Execution {
  readonly saved: SavedExecution;
  readonly market: Market;
  readonly instrument: Instrument;
  /** When its plan wants to be looked at; Infinity for never. */
  wakeAt = Infinity;
  /** When to look again whether an ended order had fills; 0 for never. */
  lookAt = 0;
  /** When it was last looked at by the timer: times up to this one are over. */
  seenAt = 0;
  /** The state as it was last written down. */
  noted = '';
  readonly #owner: ExecutionOwner;

  constructor(saved: SavedExecution, market: Market, instrument: Instrument, owner: ExecutionOwner) {
    this.saved = saved;
    this.market = market;
    this.instrument = instrument;
    this.#owner = owner;
  }

  get id(): number {
    return this.saved.id;
  }
  get kind(): ExecutionKind {
    return this.saved.plan.kind;
  }
  get state(): ExecutionState {
    return this.saved.state;
  }
  get reason(): string {
    return this.saved.reason;
  }
  get why(): string {
    return this.saved.why;
  }
  get startedAt(): number {
    return this.saved.startedAt;
  }
  get size(): number {
    return sizeOf(this.saved.lots, this.instrument);
  }
  get filled(): number {
    return this.filledLots > 0 ? sizeOf(this.filledLots, this.instrument) : 0;
  }
  get left(): number {
    const left = this.saved.lots - this.filledLots;
    return left > 0 ? sizeOf(left, this.instrument) : 0;
  }
  get averagePrice(): number {
    const { value, priced } = this.saved;
    return priced > 0 ? value / priced : Number.NaN;
  }
  get order(): number {
    return this.saved.child?.order ?? 0;
  }
  get trades(): readonly ManagedTrade[] {
    return this.#owner.tradesOf(this);
  }

  /** Of a grid: what its trades hold now. */
  get filledLots(): number {
    if (this.kind !== 'grid') return this.saved.filled;
    return this.trades.reduce((sum, { size }) => sum + lotsOf(size, this.instrument, 'down'), 0);
  }

  get leftLots(): number {
    return this.saved.lots - this.saved.filled;
  }

  priceOf(ticks: number): number {
    return priceOf(ticks, this.instrument);
  }

  cancel(reason = 'cancelled by the strategy'): void {
    this.#owner.cancel(this, reason);
  }
}
