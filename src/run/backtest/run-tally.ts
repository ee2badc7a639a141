/** What a backtest keeps of its own course: the fills from the venue's ledger, and the bot's commands and ends as counts. @hot */
import { MODIFY, PLACE, PLACE_SPOT, PLACE_TRIGGER } from '../../domain/codes.ts';
import { CANCELLED, FILLED, REFUSED, REJECTED } from '../../domain/order.ts';
import type { CommandJournal } from '../../engine/journal.ts';
import type { OrderCounts } from '../../report/backtest-report.ts';
import { FillLog } from '../../report/fill-log.ts';
import type { SpotBook } from '../../report/spot-book.ts';
import type { LiquidationStep } from '../../sim/terms.ts';
import type { LedgerSink, SimFill } from '../../sim/types.ts';

export class RunTally implements LedgerSink {
  readonly fills = new FillLog();
  /** How often the venue reduced or closed a leg because its margin could not be carried any more. */
  liquidations = 0;
  /** Instruments that had a fill. */
  readonly traded = new Set<number>();
  /** Spot profit, where a strategy trades spot. */
  spot: SpotBook | null = null;
  #lastTraded = -1;
  readonly #commands = new Int32Array(16);
  readonly #ends = new Int32Array(16);
  /** The bot's journal of a run that no restart will ask about: counts only. */
  readonly journal: CommandJournal = new CountingJournal(this.#commands, this.#ends);

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

  fill(f: SimFill): void {
    if (f.instrument !== this.#lastTraded) {
      this.#lastTraded = f.instrument;
      this.traded.add(f.instrument);
    }
    if (this.spot !== null) this.spot.add(f.instrument, f.side, f.price, f.size, f.fee);
    this.fills.add(f.time, f.instrument, f.side, f.effect, f.price, f.size, f.fee, f.realised, f.liquidity, f.tag);
  }
}

class CountingJournal implements CommandJournal {
  readonly #commands: Int32Array;
  readonly #ends: Int32Array;

  constructor(commands: Int32Array, ends: Int32Array) {
    this.#commands = commands;
    this.#ends = ends;
  }

  command(command: Parameters<CommandJournal['command']>[0]): void {
    this.#commands[command.kind] = this.#commands[command.kind]! + 1;
  }

  outcome(): void {}
  fill(): void {}
  halt(): void {}

  ended(_seq: number, how: number): void {
    this.#ends[how] = this.#ends[how]! + 1;
  }
}
