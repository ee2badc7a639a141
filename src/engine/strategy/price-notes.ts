/** Notes prices that the venue shows: those that the filter does not accept, and those at which a bracket may have fired. */
import { priceOf } from '../../domain/instrument.ts';
import type { InternalEvents } from '../state/internal-events.ts';
import type { Core } from '../state/core.ts';
import type { InstrumentContext } from '../state/records/instrument-context.ts';
import type { FillSource } from '../state/fill-source.ts';
import type { Brackets } from '../state/records/brackets.ts';
import type { EventCounters } from '../state/events/event-counters.ts';

/** The shared state that this file uses. */
interface PriceNotesCore extends Core {
  readonly contexts: readonly InstrumentContext[];
  readonly fills: FillSource;
  readonly brackets: Brackets;
  readonly counters: EventCounters;
}

export class PriceNotes {
  private readonly core: PriceNotesCore;
  private readonly events: Pick<InternalEvents, 'readSoon'>;

  constructor(core: PriceNotesCore, events: Pick<InternalEvents, 'readSoon'>) {
    this.core = core;
    this.events = events;
  }

  /** Notes prices at which a bracket may have fired, unless its fills are shown. */
  saw(instrument: number, low: number, high: number, venueTime: number): void {
    const { brackets, fills } = this.core;
    if (brackets.isAny && fills.infersBrackets) brackets.saw(instrument, low, high, venueTime);
  }

  /** Reports a price that the filter did not accept: rejected as invalid, or held until other evidence is read. */
  doubtful(i: number, bid: number, ask: number): void {
    const { core } = this;
    const instrument = core.instruments[i]!;
    const { symbol } = instrument;
    const { filter } = core.contexts[i]!.market;
    const isHeld = filter.heldTicks > 0 && bid > 0 && ask >= bid;
    const price = (ticks: number): number => priceOf(ticks, instrument);
    const fields = { symbol, bid: price(bid), ask: price(ask), believed: price(filter.accepted) };
    core.counters.count(isHeld ? 'price-held' : 'quote-rejected', symbol, core.now, fields);
    if (isHeld) this.events.readSoon('stats', i);
  }

  /** Reports a quote whose time is ahead of the venue's own clock. */
  ahead(i: number, byMs: number): void {
    const { core } = this;
    const { symbol } = core.instruments[i]!;
    core.counters.count('quote-time-ahead', symbol, core.now, { symbol, byMs });
  }
}
