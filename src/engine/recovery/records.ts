/** Writes the records of the journal. How each is read back stands with the part that it changes (durable/). */
import type { Instrument } from '../../domain/instrument.ts';
import type { JournalRecord } from '../../ports/store.ts';
import type { CommandJournal } from '../state/events/journal.ts';
import { savedLeg } from './durable/legs.ts';

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
