/** A recorded session with what is needed to run it again as a backtest. */
import { defaultConfig } from '../../../config/defaults.ts';
import type { BotConfig } from '../../../config/model.ts';
import type { StrategySetup } from '../../../engine/strategy/definition/setup.ts';
import { rowsOfTape, type MarketRows, type MarketTape } from '../facts/market-rows.ts';
import { readSessions, type LiveSessions } from '../facts/read-sessions.ts';
import { readRecording, type Recording } from './recording.ts';
import type { SessionFacts } from '../facts/session-facts.ts';

/** A session to run again. */
export interface Subject {
  readonly folder: string;
  readonly config: BotConfig;
  readonly strategies: readonly StrategySetup[];
  readonly facts: SessionFacts;
  readonly recording: Recording;
  readonly endedAt: number;
  /** What the simulated venue has. */
  readonly market: MarketRows;
  /** Sentences on what the tape of the market lacks. */
  readonly notes: readonly string[];
}

/** Each of these sessions alone, read when it is asked for. @throws Failure as readSessions */
export async function* eachOf(all: LiveSessions): AsyncGenerator<LiveSessions> {
  if (all.parts.length === 1) yield all;
  else for (const { folder } of all.parts) yield await readSessions(folder);
}

/** `live` is one session; `tape` the market of the same time, default: what the polls returned. @throws TapeError, Failure as rowsOfTape */
export function subjectOf({ parts, facts, strategies }: LiveSessions, tape?: MarketTape): Subject {
  const { folder, head, played } = parts[0]!;
  const config = { ...defaultConfig(), ...head.config };
  const recording = readRecording(folder);
  const { endedAt } = played;
  const rows = tape === undefined ? null : rowsOfTape(tape, head.instruments, facts.quotes, recording.startedAt, endedAt);
  return { folder, config, strategies, facts, recording, endedAt, market: rows ?? facts, notes: rows?.notes ?? [] };
}
