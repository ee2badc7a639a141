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
  readonly #parents = new Map<number, number>();
  readonly #exits = new Map<number, number>();
  readonly #commands = new Int32Array(16);
  readonly #ends = new Int32Array(16);
  /** The bot's journal of a run that no restart will ask about: counts only. */
  readonly journal: CommandJournal = new CountingJournal(this.#commands, this.#ends, this);

  counts(): Omit<OrderCounts, 'refused'> {
    const c = this.#commands;
    const e = this.#ends;
    const placed = c[PLACE]! + c[PLACE_TRIGGER]! + c[PLACE_SPOT]!;
    const modified = c[MODIFY]!;
    const [cancelled, filled, rejected, unsent] = [e[CANCELLED]!, e[FILLED]!, e[REJECTED]!, e[REFUSED]!]; // hot-ok: once at the end
    return { placed, modified, cancelled, filled, rejected, unsent }; // hot-ok: once at the end
  }

  order(): void {}
  ended(): void {}

  cash(): void {}

  step({ step }: LiquidationStep): void {
    if (step === 'reduce' || step === 'close') this.liquidations++;
  }

  /** The bot sends a command. */
  sent(command: Command, strategy: string, reason: string): void {
    const { kind, seq, takeProfit, stopLoss } = command; // hot-ok: a pattern, nothing is made
    if (kind === MODIFY) this.fills.labels.order(seq, strategy, reason, command.target);
    else if (kind === PLACE || kind === PLACE_TRIGGER || kind === PLACE_SPOT) this.fills.labels.order(seq, strategy, reason, 0);
    else return;
    if (takeProfit !== 0 || stopLoss !== 0 || this.#isPreset(command.target)) this.#preset.add(seq);
  }

  exit(orderNo: number, parentNo: number, isProfit: boolean): void {
    const { labels } = this.fills; // hot-ok: a pattern, nothing is made
    const { strategy } = labels.all[this.#parents.get(parentNo) ?? 0]!; // hot-ok: a pattern, nothing is made
    const label = labels.number(strategy, isProfit ? 'take-profit' : 'stop-loss');
    labels.count(label);
    this.#exits.set(orderNo, label);
  }

  /** Why the order behind a fill was there: the bot's word, the exit that fired, or what else the venue orders by itself. */
  #labelOf(f: SimFill): number {
    const { labels } = this.fills; // hot-ok: a pattern, nothing is made
    if (f.tag === 0) return this.#exits.get(f.orderNo) ?? labels.number('', 'liquidation');
    const label = labels.of(f.tag);
    if (this.#isPreset(f.tag)) this.#parents.set(f.orderNo, label);
    return label;
  }

  #isPreset(seq: number): boolean {
    return this.#preset.size > 0 && this.#preset.has(seq);
  }

  fill(f: SimFill): void {
    if (f.instrument !== this.#lastTraded) {
      this.#lastTraded = f.instrument;
      this.traded.add(f.instrument);
    }
    if (this.spot !== null) this.spot.add(f.instrument, f.side, f.price, f.size, f.fee);
    this.fills.add(f.time, f.instrument, f.side, f.effect, f.price, f.size, f.fee, f.realised, f.liquidity, f.tag, this.#labelOf(f));
  }
}

class CountingJournal implements CommandJournal {
  readonly #commands: Int32Array;
  readonly #ends: Int32Array;
  readonly #tally: RunTally;

  constructor(commands: Int32Array, ends: Int32Array, tally: RunTally) {
    this.#commands = commands;
    this.#ends = ends;
    this.#tally = tally;
  }

  command(command: Command, strategy: string, reason: string): void {
    this.#commands[command.kind] = this.#commands[command.kind]! + 1;
    this.#tally.sent(command, strategy, reason);
  }

  outcome(): void {}
  fill(): void {}
  halt(): void {}

  ended(_seq: number, how: number): void {
    this.#ends[how] = this.#ends[how]! + 1;
  }
}
