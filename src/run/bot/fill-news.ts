/** Tells the log of every fill, after the turn that learned of it: what follows from a fill is never held up by a log line. */
import { EFFECTS, MODIFY, PLACE, SIDES } from '../../domain/codes.ts';
import { formatLots, formatTicks, type Instrument } from '../../domain/instrument.ts';
import type { Log, LogFields } from '../../ports/log.ts';
import type { JournalRecord } from '../../ports/store.ts';
import type { Memory } from './recall.ts';

/** Commands whose number is that of an order at the futures venue. */
const MAKES_ORDER: ReadonlySet<unknown> = new Set([PLACE, MODIFY]);

/** What a fill's line says of its order. */
interface Known {
  readonly instrument: Instrument;
  readonly side: unknown;
  readonly effect: unknown;
  /** Who ordered. */
  readonly strategy: unknown;
  /** Why; "" when it did not say. */
  readonly reason: unknown;
}

export class FillNews {
  readonly #log: Log;
  readonly #bySymbol: ReadonlyMap<unknown, Instrument>;
  readonly #orders = new Map<number, Known>();
  #untold: LogFields[] = [];

  /** The memory is of the orders that live from before. */
  constructor(log: Log, instruments: readonly Instrument[], { snapshot, reasons }: Pick<Memory, 'snapshot' | 'reasons'>) {
    this.#log = log;
    // A symbol's futures come first and are what fills are about.
    this.#bySymbol = new Map([...instruments].reverse().map((instrument) => [instrument.symbol, instrument]));
    for (const order of snapshot?.orders ?? []) this.#remember(order.seq, { ...order, reason: reasons.get(order.seq) ?? '' });
  }

  /** By number: why each live order was placed, where that was said. What a process after this one cannot know otherwise. */
  reasons(): Record<string, string> {
    const told = [...this.#orders].filter(([, { reason }]) => reason !== '');
    return Object.fromEntries(told.map(([seq, { reason }]) => [seq, String(reason)]));
  }

  /** Takes note of a record of the journal. */
  add({ kind, seq, data }: JournalRecord): void {
    if (kind === 'command' && MAKES_ORDER.has(data['kind'])) this.#remember(seq, data);
    else if (kind === 'settled' || (kind === 'ended' && data['isSettled'] !== false)) this.#orders.delete(seq);
    else if (kind === 'fill') this.#fill(seq, Number(data['lots']), Number(data['ticks']));
  }

  /** Writes what has not been told yet. */
  tell(): void {
    if (this.#untold.length === 0) return;
    const untold = this.#untold;
    this.#untold = [];
    for (const fields of untold) this.#log.info('fill', fields);
  }

  #remember(seq: number, { symbol, side, effect, strategy, reason }: Readonly<Record<string, unknown>>): void {
    const instrument = this.#bySymbol.get(symbol);
    if (instrument !== undefined) this.#orders.set(seq, { instrument, side, effect, strategy, reason });
  }

  #fill(seq: number, lots: number, ticks: number): void {
    const order = this.#orders.get(seq);
    if (order === undefined) return;
    const { instrument, strategy, reason } = order;
    const price = ticks > 0 ? formatTicks(ticks, instrument) : null;
    const [side, effect] = [SIDES[Number(order.side)], EFFECTS[Number(order.effect)]];
    const fill = { seq, strategy, symbol: instrument.symbol, side, effect, size: formatLots(lots, instrument), price };
    this.#untold.push(reason === '' ? fill : { ...fill, reason });
  }
}
