/** Counters of a backtest: fills from the simulator, and the bot's commands and their ends. @hot */
import * as codes from '../../../domain/codes.ts';
import type { Command } from '../../../domain/orders/command.ts';
import { makesOrder, waitsForTrigger } from '../../../domain/orders/command-traits.ts';
import type { Instrument } from '../../../domain/instrument.ts';
import * as states from '../../../domain/orders/order.ts';
import type { CommandJournal } from '../../../engine/state/events/journal.ts';
import type { Attribution } from '../../../domain/attribution.ts';
import { Decisions } from '../../../report/decisions.ts';
import { MarketWatch, type WatchedMarket } from '../../../report/market/market-watch.ts';
import type { OrderCounts } from '../../../report/run-report.ts';
import type { FillLabels } from '../../../report/fills/fill-labels.ts';
import { FillLog } from '../../../report/fills/fill-log.ts';
import { OrderBrackets } from '../../../report/fills/order-brackets.ts';
import type { PageStore } from '../../../report/fills/row-pages.ts';
import { Blockage } from './blockage.ts';
import { ManagedLog } from './managed-log.ts';
import { UniverseLog } from './universe-log.ts';
import type { SpotBook } from '../../../report/fills/spot-book.ts';
import type { LiquidationStep } from '../../../sim/state/terms.ts';
import type { LedgerSink, SimFill } from '../../../sim/state/types.ts';

const { directionOf, MODIFY, SELL } = codes;
const { CANCELLED, FILLED, REFUSED, REJECTED } = states;

/** What the bot sees of a market, in ticks; 0 before the first quote or trade. */
export interface SeenMarket {
  readonly bidTicks: number;
  readonly askTicks: number;
  readonly lastTicks: number;
}

/** Counts of commands and of how their orders ended. */
type Counts = Record<'placed' | 'modified' | 'cancelled' | 'filled' | 'rejected' | 'unsent', number>;

export class RunCounters implements LedgerSink {
  readonly wantsFillsAlone = true;
  declare readonly fills: FillLog;
  declare readonly brackets: OrderBrackets;
  readonly decisions = new Decisions();
  readonly blockage = new Blockage();
  declare readonly managed: ManagedLog;
  readonly universes = new UniverseLog();
  declare readonly watch: MarketWatch;
  /** False if nobody asks for the prices after fills: then the watch sees none. */
  isWatched = true;
  declare private readonly instruments: readonly Instrument[];
  /** Number of liquidation steps that reduced or closed a leg. */
  liquidations = 0;
  /** Spot profit; null if no strategy trades spot. */
  spot: SpotBook | null = null;
  /** The parts of several strategies; null for one alone. */
  attribution: Attribution | null = null;
  /** Label of each bracket that fired, by the venue's order number, and the order that it protects. */
  readonly #fired = new Map<number, number>();
  readonly #firedOf = new Map<number, number>();
  readonly #counts: Counts = { placed: 0, modified: 0, cancelled: 0, filled: 0, rejected: 0, unsent: 0 };
  /** The bot's journal. It only counts, because a backtest is never restarted. */
  declare readonly journal: CommandJournal;

  /** Without a store all fills and orders stay in memory. */
  constructor(instruments: readonly Instrument[], markets: readonly WatchedMarket[], openStore: (() => PageStore) | null = null) {
    this.instruments = instruments;
    this.fills = new FillLog(openStore);
    this.brackets = new OrderBrackets(openStore);
    this.watch = new MarketWatch(instruments.length, markets, openStore);
    this.managed = new ManagedLog(instruments);
    const { decisions, blockage, managed, brackets, universes } = this;
    const { labels } = this.fills;
    this.journal = new CountingJournal({ counts: this.#counts, labels, brackets, decisions, blockage, managed, universes });
  }

  /** From now on decisions are compared with what the bot sees in these markets, by instrument. */
  follow(markets: readonly SeenMarket[]): void {
    (this.journal as CountingJournal).markets = markets;
  }

  counts(): Omit<OrderCounts, 'refused'> {
    return { ...this.#counts }; // hot-ok: once at the end
  }

  order(): void {}
  ended(): void {}

  cash(): void {}

  step({ step }: LiquidationStep): void {
    if (step === 'reduce' || step === 'close') this.liquidations++;
  }

  bracket(orderNo: number, tag: number, isProfit: boolean): void {
    const labels = this.fills.labels;
    const parent = labels.all[labels.of(tag)]!;
    const label = labels.number(parent.strategy, isProfit ? 'take-profit' : 'stop-loss');
    labels.count(label);
    this.#fired.set(orderNo, label);
    this.#firedOf.set(orderNo, tag);
  }

  funded(_account: number, instrument: number, side: number, amount: number): void {
    this.attribution?.funded(instrument, side, amount);
  }

  /** Label of a fill that belongs to no order of the bot: the bracket that fired, else a liquidation. */
  #labelOf(orderNo: number): number {
    return this.#fired.get(orderNo) ?? this.fills.labels.number('', 'liquidation');
  }

  fill(f: SimFill): void {
    if (this.spot !== null) this.spot.add(f.instrument, f.side, f.price, f.size, f.fee);
    const order = f.tag > 0 ? f.tag : -this.#labelOf(f.orderNo);
    if (this.managed.isUsed) this.managed.paid(f.tag > 0 ? f.tag : (this.#firedOf.get(f.orderNo) ?? 0), f.fee);
    if (this.attribution !== null) {
      const { all } = this.fills.labels;
      const { strategy } = all[order > 0 ? this.fills.labels.of(order) : -order]!;
      this.attribution.filled(f.instrument, f.side, f.effect, f.price, f.size, f.fee, strategy);
    }
    const { product, unitValue } = this.instruments[f.instrument]!;
    if (this.isWatched) this.watch.fill(f.time, f.instrument, product === 'spot', f.side, f.effect, f.price, f.size);
    const sign = directionOf(f.side, f.effect) === SELL ? -1 : 1;
    if (order > 0) this.decisions.filled(order, f.time, sign, f.price, f.size, unitValue);
    this.fills.add(f.time, f.instrument, f.side, f.effect, f.price, f.size, f.fee, f.realised, f.liquidity, order);
  }
}

/** Where the journal of a backtest counts. */
interface CountingDeps {
  readonly counts: Counts;
  readonly labels: FillLabels;
  readonly brackets: OrderBrackets;
  readonly decisions: Decisions;
  readonly blockage: Blockage;
  readonly managed: ManagedLog;
  readonly universes: UniverseLog;
}

class CountingJournal implements CommandJournal {
  declare private readonly managed: ManagedLog;
  declare private readonly universes: UniverseLog;
  declare private readonly counts: Counts;
  declare private readonly labels: FillLabels;
  declare private readonly brackets: OrderBrackets;
  declare private readonly decisions: Decisions;
  declare private readonly blockage: Blockage;
  markets: readonly SeenMarket[] = [];

  constructor({ counts, labels, brackets, decisions, blockage, managed, universes }: CountingDeps) {
    this.blockage = blockage;
    this.counts = counts;
    this.labels = labels;
    this.brackets = brackets;
    this.decisions = decisions;
    this.managed = managed;
    this.universes = universes;
  }

  command(command: Command, strategy: string, reason: string): void {
    const kind = command.kind;
    if (kind === MODIFY) {
      this.counts.modified++;
      this.labels.modified(command.seq, strategy, reason, command.target);
      this.brackets.replace(command.seq, command.target, command.stopLoss, command.takeProfit);
      this.#decided(command);
    } else if (makesOrder(kind)) {
      this.counts.placed++;
      this.blockage.placed();
      this.labels.placed(command.seq, strategy, reason);
      this.brackets.note(command.seq, command.stopLoss, command.takeProfit);
      // A trigger order waits for another price than that of its decision.
      if (!waitsForTrigger(kind)) this.#decided(command);
    }
  }

  #decided({ seq, time, instrument }: Command): void {
    const market = this.markets[instrument];
    if (market === undefined) return;
    const { bidTicks, askTicks, lastTicks } = market;
    this.decisions.decided(seq, time, bidTicks > 0 && askTicks > 0 ? (bidTicks + askTicks) / 2 : lastTicks);
  }

  outcome(): void {}
  fill(): void {}
  settled(): void {}
  leg(): void {}
  halt(): void {}
  fired(): void {}
  lift(): void {}

  note(kind: string, data: Readonly<Record<string, unknown>>, time: number): void {
    if (kind === 'universe') this.universes.record(data);
    else this.managed.note(kind, data, time);
  }

  ended(_seq: number, how: number): void {
    if (how === FILLED) this.counts.filled++;
    else if (how === CANCELLED) this.counts.cancelled++;
    else if (how === REJECTED) this.counts.rejected++;
    else if (how === REFUSED) this.counts.unsent++;
  }
}
