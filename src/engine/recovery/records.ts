/** Writes the records of the journal. How each is read back stands with the part that it changes (durable/). */
import { assert } from '../../base/failure/assert.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { isEnded } from '../../domain/orders/order.ts';
import type { JournalRecord } from '../../ports/store.ts';
import type { CommandJournal } from '../state/events/journal.ts';
import { savedLeg } from './durable/orders/legs.ts';

/** A journal that turns every call into a record and passes it to `append`. */
export function recordingJournal(instruments: readonly Instrument[], append: (record: JournalRecord) => void): CommandJournal {
  let last = 0;
  return {
    command(c, strategy, reason) {
      assert(c.seq > last, 'commands are journaled in the order of their numbers', c.seq);
      last = c.seq;
      const { seq, time, targetVenueId: _known, ...facts } = c;
      append({ kind: 'command', seq, time, data: { ...facts, symbol: instruments[c.instrument]!.symbol, strategy, reason } });
    },
    outcome(seq, status, venueId, why, time) {
      assert(seq > 0, 'an outcome is of a command with a number', seq);
      assert(status !== 'accepted' || why === '', 'an accepted command has no reason against it', why);
      append({ kind: 'outcome', seq, time, data: { status, venueId, why } });
    },
    fill(seq, lots, ticks, worth, time) {
      assert(seq > 0, 'a fill is of an order with a number', seq);
      assert(lots > 0, 'a fill has lots above zero', lots);
      assert(ticks >= 0, 'the price of a fill is at least 0', ticks);
      append({ kind: 'fill', seq, time, data: { lots, ticks, ...(worth > 0 ? { worth } : {}) } });
    },
    ended(seq, how, filled, isSettled, time) {
      assert(seq > 0, 'an end is of an order with a number', seq);
      assert(isEnded(how), 'an order ends in a state that is an end', how);
      assert(filled >= 0, 'an order has filled at least 0 lots', filled);
      append({ kind: 'ended', seq, time, data: { how, filled, isSettled } });
    },
    settled(seq, filled, time) {
      assert(seq > 0, 'what is settled is an order with a number', seq);
      assert(filled >= 0, 'an order has filled at least 0 lots', filled);
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
      assert(lots > 0, 'a bracket closes lots above zero', lots);
      append({ kind: 'exit', seq, time, data: { ...facts, what, lots, ticks, venueId } });
    },
    lift({ scope, code, seq }, why, by, time) {
      append({ kind: 'lift', seq, time, data: { scope, code, why, by } });
    },
  };
}
