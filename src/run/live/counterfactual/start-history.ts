/** The bars of the past that a session began with: of recordings, and of the pages of trades that it read then, as its engine made them. */
import { TimerQueue } from '../../../base/time/timer-queue.ts';
import type { QueryOwner } from '../../../engine/polling/queries.ts';
import { inOrder } from '../../../engine/polling/trade-ids.ts';
import type { BarsWanted } from '../../../engine/strategy/bars/bar-feed.ts';
import { HistoryReads } from '../../../engine/strategy/bars/history-reads.ts';
import { SILENT_LOG } from '../../../ports/log.ts';
import type { Answer, Query } from '../../../ports/venue.ts';
import type { BarHistory } from '../../market/bar-history.ts';
import { questionKey, type Recording } from './recording.ts';

interface StartHistory extends BarHistory {
  /** Time when the session had read it. */
  readonly at: number;
}

/** Nothing for an instrument whose first page is not recorded, or whose pages end before the last one was read. `maxPages`: as `historyPages`. */
export function startHistory(recording: Recording, wanted: readonly BarsWanted[], maxPages: number): StartHistory[] {
  const { answers, head, recorded, startedAt } = recording;
  const found: StartHistory[] = [];
  let at = startedAt;
  const asked: [query: Query, owner: QueryOwner | null][] = [];
  const firstTo = (query: Query): Answer | null => {
    const first = answers.get(questionKey(query, head.config.bot))?.find(({ answer }) => answer !== null);
    at = first?.at ?? at;
    return first?.answer ?? null;
  };
  const core = { instruments: head.instruments, log: SILENT_LOG, now: startedAt, timerQueue: new TimerQueue() };
  const target = {
    feeds: wanted.map((one) => ({ ...one, hasHistory: false })),
    history: (instrument: number, timeframe: string, rows: BarHistory['rows'], until: number) =>
      void found.push({ at, instrument, timeframe, rows, until }),
  };
  const reads = new HistoryReads(core, { ask: (query, owner) => void asked.push([query, owner]) }, target, maxPages);
  for (const { instrument, timeframe, rows, until } of recorded) reads.recorded(instrument, timeframe, rows, until);
  for (const instrument of new Set(wanted.map((one) => one.instrument.index))) {
    const newest = firstTo({ kind: 'trades', instrument, before: '', limit: 0 });
    if (newest?.kind === 'trades') reads.begin(instrument, inOrder(newest.trades));
  }
  for (let next = asked.pop(); next !== undefined; next = asked.pop()) {
    const [query, owner] = next;
    const answer = firstTo(query);
    if (answer !== null) owner?.answered(query, answer, startedAt);
  }
  return found;
}
