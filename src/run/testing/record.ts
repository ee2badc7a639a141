/** Records what a strategy did in a run: each command with its outcome and fills, and each warning of the bot. */
import * as codes from '../../domain/codes.ts';
import type { Command } from '../../domain/orders/command.ts';
import { makesOrder } from '../../domain/orders/command-traits.ts';
import { ORDER_STATES, type OrderState } from '../../domain/orders/order.ts';
import { formatLots, formatTicks, type Instrument } from '../../domain/instrument.ts';
import type { CommandJournal } from '../../engine/state/events/journal.ts';
import type { Log, LogFields } from '../../ports/log.ts';
import { onlyMakes } from '../../domain/orders/time-in-force.ts';

/** One command as the strategy sent it. Prices and sizes are decimal strings, null where the command has none. */
export interface SentCommand {
  /** Number of the command; of one that makes an order, also the order's. */
  readonly number: number;
  /** Milliseconds after the first row. */
  readonly at: number;
  /** What it asks for. */
  readonly kind: codes.CommandName;
  /** As the venue names it. */
  readonly symbol: string;
  /** For spot the direction, and no effect. */
  readonly side: codes.SideName | codes.DirectionName;
  /** OPEN or CLOSE; null for spot. */
  readonly effect: codes.EffectName | null;
  /** LIMIT, MARKET, … */
  readonly type: codes.OrderTypeName;
  /** Limit price. */
  readonly price: string | null;
  /** In base coin. */
  readonly size: string | null;
  /** True if the order may not take liquidity. */
  readonly isPostOnly: boolean;
  /** Trigger price. */
  readonly trigger: string | null;
  /** Trigger price of the take-profit that the venue holds. */
  readonly takeProfit: string | null;
  /** Trigger price of the stop-loss that the venue holds. */
  readonly stopLoss: string | null;
  /** Number of the order that it changes or cancels; 0 for none. */
  readonly target: number;
  /** As the strategy gave it; "" for none. */
  readonly reason: string;
}

/** An order of the strategy, and how it stood at the end. */
export interface SentOrder extends SentCommand {
  /** Where it stood at the end. */
  readonly state: OrderState;
  /** Size that is proven to have filled. */
  readonly filled: string;
  /** Why the venue refused it or why its outcome is unknown; "" otherwise. */
  readonly why: string;
}

/** A line of the bot's log, `at` milliseconds after the first row. */
export interface LoggedLine {
  /** Milliseconds after the first row. */
  readonly at: number;
  /** How urgent it is. */
  readonly level: 'info' | 'warn' | 'error';
  /** Name of the event: docs/reference/log-events.md, or what the strategy gave to `ctx.log`. */
  readonly event: string;
  /** Its figures and texts. */
  readonly fields: LogFields;
}

interface Fate {
  state: OrderState;
  filled: number;
  why: string;
}

/** Most lines that are kept. */
const LINES = 10_000;

export class RunRecord {
  readonly commands: SentCommand[] = [];
  readonly lines: LoggedLine[] = [];
  readonly #fates = new Map<number, Fate & { readonly instrument: Instrument }>();
  readonly #now: () => number;
  instruments: readonly Instrument[] = [];

  /** `now` gives milliseconds after the first row. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get orders(): readonly SentOrder[] {
    return this.commands.flatMap((command) => {
      const fate = this.#fates.get(command.number);
      if (fate === undefined) return [];
      const { state, filled, why, instrument } = fate;
      return [{ ...command, state, filled: formatLots(filled, instrument), why }];
    });
  }

  /** A log that keeps each line and passes it on. */
  log(next: Log): Log {
    const keep = (level: LoggedLine['level'], event: string, fields: LogFields = {}): void => {
      if (this.lines.length < LINES) this.lines.push({ at: this.#now(), level, event, fields });
      next[level](event, fields);
    };
    return {
      debug: () => undefined,
      info: (event, fields) => keep('info', event, fields),
      warn: (event, fields) => keep('warn', event, fields),
      error: (event, fields) => keep('error', event, fields),
    };
  }

  /** A journal that keeps each command and passes it on. */
  journal(next: CommandJournal): CommandJournal {
    return {
      command: (command, strategy, reason) => {
        this.#sent(command, reason);
        next.command(command, strategy, reason);
      },
      outcome: (seq, status, venueId, why, time) => {
        this.#outcome(seq, status, why);
        next.outcome(seq, status, venueId, why, time);
      },
      fill: (seq, lots, ...rest) => {
        const fate = this.#fates.get(seq);
        if (fate !== undefined) fate.filled += lots;
        next.fill(seq, lots, ...rest);
      },
      ended: (seq, how, filled, isSettled, time) => {
        const fate = this.#fates.get(seq);
        if (fate !== undefined) Object.assign(fate, { state: ORDER_STATES[how] ?? 'unknown', filled });
        next.ended(seq, how, filled, isSettled, time);
      },
      settled: (seq, filled, time) => {
        const fate = this.#fates.get(seq);
        if (fate !== undefined) fate.filled = filled;
        next.settled(seq, filled, time);
      },
      leg: (...args) => next.leg(...args),
      halt: (halt, time) => next.halt(halt, time),
      note: (kind, data, time) => next.note(kind, data, time),
      lift: (halt, why, by, time) => next.lift(halt, why, by, time),
      fired: (seq, what, lots, ticks, venueId, time, facts) => next.fired(seq, what, lots, ticks, venueId, time, facts),
    };
  }

  #sent(command: Command, reason: string): void {
    const instrument = this.instruments[command.instrument];
    if (instrument === undefined) return;
    const price = (ticks: number): string | null => (ticks === 0 ? null : formatTicks(ticks, instrument));
    const isSpot = command.kind === codes.PLACE_SPOT || command.kind === codes.CANCEL_SPOT;
    this.commands.push({
      number: command.seq,
      at: this.#now(),
      kind: codes.COMMANDS[command.kind] ?? 'none',
      symbol: instrument.symbol,
      side: (isSpot ? codes.DIRECTIONS : codes.SIDES)[command.side] ?? 'LONG',
      effect: isSpot ? null : (codes.EFFECTS[command.effect] ?? null),
      type: codes.ORDER_TYPES[command.type] ?? 'LIMIT',
      price: price(command.price),
      size: command.size === 0 ? null : formatLots(command.size, instrument),
      isPostOnly: onlyMakes(command.force),
      trigger: price(command.trigger),
      takeProfit: price(command.takeProfit),
      stopLoss: price(command.stopLoss),
      target: command.target,
      reason,
    });
    if (makesOrder(command.kind)) this.#fates.set(command.seq, { state: 'submitting', filled: 0, why: '', instrument });
  }

  #outcome(seq: number, status: string, why: string): void {
    const fate = this.#fates.get(seq);
    // A fill may be known before the answer.
    if (fate === undefined || !(fate.state === 'submitting' || fate.state === 'unknown')) return;
    if (status === 'accepted') fate.state = 'working';
    else if (status === 'rejected' || status === 'unknown') Object.assign(fate, { state: status, why });
    else Object.assign(fate, { state: 'refused', why });
  }
}
