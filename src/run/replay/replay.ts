/**
 * A recorded session again: a fresh kernel with the same strategies is given the same events, and what it gives out is compared with
 * what was recorded. The kernel reads no clock and no chance, so any difference has a cause outside the recording.
 */
import { defaultConfig } from '../../config/defaults.ts';
import type { BotConfig, StrategyChoice } from '../../config/model.ts';
import { SessionReader, sessionsIn, type Cut } from '../../edge/file/session-file.ts';
import type { KernelSnapshot } from '../../engine/recovery/kernel-snapshot.ts';
import { Failure } from '../../base/failure.ts';
import { SILENT_LOG } from '../../ports/log.ts';
import { kernelSettings } from '../bot/preflight.ts';
import { withParamsSet } from '../bot/params-set.ts';
import { guardStrategies } from '../guard/guard.ts';
import { strategySetups } from '../setup/bot-parts.ts';
import { type Entry, type Head, HEAD } from '../session/entries.ts';
import { changesSince } from '../session/environment.ts';
import { Player, type Place, type Played } from './player.ts';

export interface ReplayOptions {
  /** Stop before this. */
  readonly until?: Place | undefined;
  /** Parameters instead of the recorded ones, of the only strategy. */
  readonly params?: Readonly<Record<string, string>> | undefined;
}

export interface Replayed extends Played {
  readonly session: string;
  readonly cut: Cut | null;
  /** What is another than when the session was recorded. */
  readonly changes: readonly string[];
}

/** @throws Failure when there is no such session, or its strategies cannot be loaded */
export async function replaySession(folder: string, { until, params = {} }: ReplayOptions = {}): Promise<Replayed> {
  const session = openSession(folder);
  const { head, reader } = session;
  const choices = head.strategies.map((one): StrategyChoice => ({ ...one, params: { ...one.params, ...params } }));
  const player = new Player(head, await settingsOf(session, choices, head.snapshot), session.entries);
  player.play({ until });
  const given = Object.entries(params).map(([name, value]) => `parameter ${name} is ${value} by --param`);
  return { session: folder, cut: reader.cut, changes: [...given, ...changesSince(head)], ...player.result() };
}

/** A recording that is about to be read. */
export interface OpenSession {
  readonly reader: SessionReader;
  readonly head: Head;
  /** What follows the head. */
  readonly entries: Generator<Entry>;
  readonly config: BotConfig;
}

/** @throws Failure when there is no such session */
export function openSession(folder: string): OpenSession {
  const reader = new SessionReader(folder);
  const entries = reader.entries() as Generator<Entry>;
  const first = entries.next();
  if (first.done === true || first.value.kind !== HEAD) {
    throw new Failure('session-unreadable', { what: 'the recording ends before the head of the session', where: folder });
  }
  const head = first.value as Head;
  if (head.version !== 1)
    throw new Failure('session-unreadable', { what: `expected a recording of version 1, found ${String(head.version)}`, where: folder });
  return { reader, head, entries, config: { ...defaultConfig(), ...head.config } };
}

/** What a kernel of the session is made of, with these strategies and this memory. @throws Failure */
export async function settingsOf(
  { head, config }: OpenSession,
  choices: readonly StrategyChoice[],
  snapshot: KernelSnapshot | null,
): Promise<ReturnType<typeof kernelSettings>> {
  guardStrategies(config, { isLive: false });
  const setups = withParamsSet(await strategySetups(choices, head.instruments), snapshot, SILENT_LOG);
  return kernelSettings(config, { instruments: head.instruments, strategies: setups });
}

/** The sessions that `path` names, the oldest first. @throws Failure when there are none */
export function sessionsOf(path: string): readonly string[] {
  const sessions = sessionsIn(path);
  if (sessions.length > 0) return sessions;
  throw new Failure('session-missing', {
    what: 'expected the folder of a recorded session, or of several',
    where: path,
    hint: 'a bot keeps them in the folder "sessions" beside its store, unless record.enabled is false',
  });
}
