/** Begins the recording of what a bot's polls show as a tape, where the configuration names a folder. */
import type { BotConfig } from '../../config/model.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { AnswerRecorder } from './answer-recorder.ts';

export interface TapeRecorderDeps {
  readonly config: BotConfig;
  readonly instruments: readonly Instrument[];
  readonly clock: Clock;
  readonly log: Log;
}

/** @throws as AnswerRecorder */
export function openTapeRecorder({ config, instruments, clock, log }: TapeRecorderDeps): AnswerRecorder | null {
  const { record, venue, poll } = config;
  if (record.tape === '') return null;
  return new AnswerRecorder({
    folder: record.tape,
    source: `recorded from ${venue.baseUrl}`,
    instruments,
    now: () => clock.now(),
    quotesMs: poll.quotes,
    onFailure: (error) => log.warn('tape-recording-stopped', { error }),
  });
}
