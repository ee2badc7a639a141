/** What a backtest keeps of its own course: the fills from the venue's ledger, and the bot's commands and ends as counts. @hot */
import * as codes from '../../domain/codes.ts';
import type { Command } from '../../domain/command.ts';
import * as states from '../../domain/order.ts';
import type { CommandJournal } from '../../engine/journal.ts';
import type { OrderCounts } from '../../report/backtest-report.ts';
import { FillLog } from '../../report/fill-log.ts';
import type { SpotBook } from '../../report/spot-book.ts';
import type { LiquidationStep } from '../../sim/terms.ts';
import type { LedgerSink, SimFill } from '../../sim/types.ts';

const { MODIFY, PLACE, PLACE_SPOT, PLACE_TRIGGER } = codes;
const { CANCELLED, FILLED, REFUSED, REJECTED } = states;

/** Commands, and how their orders ended. */
type Counts = Record<'placed' | 'modified' | 'cancelled' | 'filled' | 'rejected' | 'unsent', number>;

export class RunTally implements LedgerSink {
  readonly wantsFillsAlone = true;
  readonly fills = new FillLog();
  /** How often the venue reduced or closed a leg because its margin could not be carried any more. */
  liquidations = 0;
  /** Instruments that had a fill. */
  readonly traded = new Set<number>();
  /** Spot profit, where a strategy trades spot. */
  spot: SpotBook | null = null;
  #lastTraded = -1;
  /** Commands of orders with preset exits, the label of such an order by the venue's number, and that of an exit that fired. */
  readonly #preset = new Set<number>();
  #hasPreset = false;
  readonly #parents = new Map<number, number>();
  readonly #exits = new Map<number, number>();
  readonly #counts: Counts = { placed: 0, modified: 0, cancelled: 0, filled: 0, rejected: 0, unsent: 0 }; // hot-ok: construction
  /** The bot's journal of a run that no restart will ask about: counts only. */
  readonly journal: CommandJournal = new CountingJournal(this.#counts, this);

  counts(): Omit<OrderCounts, 'refused'> {
    return { ...this.#counts }; // hot-ok: once at the end
  }

  order(): void {}
  ended(): void {}

  cash(): void {}

  step({ step }: LiquidationStep): void {
    if (step === 'reduce' || step === 'close') this.liquidations++;
  }

  /** The bot sends order `seq`; `replaces` is the order it takes the place of, 0 for none. */
  sent(command: Command, strategy: string, reason: string, replaces: number): void {
    this.fills.labels.order(command.seq, strategy, reason, replaces);
    if (this.#hasPreset || command.takeProfit !== 0 || command.stopLoss !== 0) this.#notePreset(command);
  }

  #notePreset({ seq, target, takeProfit, stopLoss }: Command): void {
    if (takeProfit === 0 && stopLoss === 0 && !this.#preset.has(target)) return;
    this.#preset.add(seq);
    this.#hasPreset = true;
  }

  exit(orderNo: number, parentNo: number, isProfit: boolean): void {
    const labels = this.fills.labels;
    const parent = labels.all[this.#parents.get(parentNo) ?? 0]!;
    const label = labels.number(parent.strategy, isProfit ? 'take-profit' : 'stop-loss');
    labels.count(label);
    this.#exits.set(orderNo, label);
  }

  /** Why a fill was there that no order of the bot is behind: the exit that fired, or what else the venue orders by itself. */
  #labelOf({ orderNo }: SimFill): number {
    return this.#exits.get(orderNo) ?? this.fills.labels.number('', 'liquidation');
  }

  #noteParent({ orderNo, tag }: SimFill): void {
    if (this.#preset.has(tag)) this.#parents.set(orderNo, this.fills.labels.of(tag));
  }

  fill(f: SimFill): void {
    if (f.instrument !== this.#lastTraded) {
      this.#lastTraded = f.instrument;
      this.traded.add(f.instrument);
    }
    if (this.spot !== null) this.spot.add(f.instrument, f.side, f.price, f.size, f.fee);
    this.fills.add(
      f.time,
      f.instrument,
      f.side,
      f.effect,
      f.price,
      f.size,
      f.fee,
      f.realised,
      f.liquidity,
      f.tag,
      f.tag > 0 ? 0 : this.#labelOf(f),
    );
    if (this.#hasPreset) this.#noteParent(f);
  }
}

class CountingJournal implements CommandJournal {
  declare private readonly counts: Counts;
  declare private readonly tally: RunTally;

  constructor(counts: Counts, tally: RunTally) {
    this.counts = counts;
    this.tally = tally;
  }

  command(command: Command, strategy: string, reason: string): void {
    const kind = command.kind;
    if (kind === MODIFY) {
      this.counts.modified++;
      this.tally.sent(command, strategy, reason, command.target);
    } else if (kind === PLACE || kind === PLACE_TRIGGER || kind === PLACE_SPOT) {
      this.counts.placed++;
      this.tally.sent(command, strategy, reason, 0);
    }
  }

  outcome(): void {}
  fill(): void {}
  halt(): void {}

  ended(_seq: number, how: number): void {
    if (how === FILLED) this.counts.filled++;
    else if (how === CANCELLED) this.counts.cancelled++;
    else if (how === REJECTED) this.counts.rejected++;
    else if (how === REFUSED) this.counts.unsent++;
  }
}
