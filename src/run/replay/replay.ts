/**
 * Replays a recorded session: a new kernel with the same strategies gets the same events, and its output is compared with the recorded
 * output. The kernel uses no clock and no random numbers, so any difference has a cause outside the recording.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { defaultConfig } from '../../config/defaults.ts';
import type { BotConfig, StrategyChoice } from '../../config/model.ts';
import { ofOtherVersion, SessionReader, sessionsIn, type Cut } from '../../edge/file/session-file.ts';
import type { KernelSnapshot } from '../../engine/recovery/registry.ts';
import { Failure } from '../../base/failure/failure.ts';
import { SILENT_LOG } from '../../ports/log.ts';
import { kernelSettings } from '../bot/preflight.ts';
import { changedSetups } from '../bot/changed-setups.ts';
import { loadReloads } from '../bot/kept-reloads.ts';
import { nameOf, type StrategySetup } from '../../engine/strategy/definition/setup.ts';
import { readTexts } from '../session/strategy-texts.ts';
import { loadKept } from '../setup/strategy/load-strategy.ts';
import { strategyOf } from '../setup/strategy/loaded-sources.ts';
import { guardStrategies } from '../guard/guard.ts';
import { strategySetups } from '../setup/bot-parts.ts';
import { BODY, type BodyEntry, type Entry, type Head, HEAD } from '../session/entries.ts';
import { timelinePage } from '../../report/timeline/timeline-page.ts';
import { changesSince } from '../session/recorded-environment.ts';
import type { Place } from './session-place.ts';
import { Player, type Played } from './player.ts';
import { Timeline } from './timeline.ts';

export interface ReplayOptions {
  /** Stop before this. */
  readonly until?: Place | undefined;
  /** Parameters instead of the recorded ones, of the only strategy. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** Write what the session did on a time axis into this file. */
  readonly html?: string | undefined;
}

export interface Replayed extends Played {
  readonly session: string;
  readonly cut: Cut | null;
  /** What is another than when the session was recorded. */
  readonly changes: readonly string[];
}

/** @throws Failure when there is no such session, or its strategies cannot be loaded */
export async function replaySession(folder: string, { until, params = {}, html }: ReplayOptions = {}): Promise<Replayed> {
  const session = openSession(folder);
  const { head, reader } = session;
  const choices = head.strategies.map((one): StrategyChoice => ({ ...one, params: { ...one.params, ...params } }));
  const timeline = html === undefined ? undefined : new Timeline(head.instruments);
  const player = new Player(head, await settingsOf(session, choices, head.snapshot), session.entries, { watch: timeline });
  player.play({ until });
  const given = Object.entries(params).map(([name, value]) => `parameter ${name} is ${value} by --param`);
  const replayed = { session: folder, cut: reader.cut, changes: [...given, ...changesSince(head)], ...player.result() };
  if (html !== undefined && timeline !== undefined) writeTimeline(html, timeline, head, replayed);
  return replayed;
}

/** @throws Failure when the file cannot be written */
function writeTimeline(file: string, timeline: Timeline, head: Head, { session, divergence, ...played }: Replayed): void {
  const { startedAt, endedAt, events, commands, questions, records } = played;
  if (divergence !== null) {
    timeline.differs(divergence.at, `the replay differs: recorded ${divergence.expected}; replayed ${divergence.found}`);
  }
  const facts = [
    `bot ${head.config.bot}, Tickwright ${head.tickwright}, Node.js ${head.node}, replayed ${divergence === null ? 'equal' : 'NOT EQUAL'}`,
    `${events} events, ${commands} commands, ${questions} questions, ${records} journal records`,
    ...head.strategies.map(
      ({ file: strategy, symbols, params }) => `${strategy} on ${symbols.join(', ') || 'all symbols'} ${JSON.stringify(params)}`,
    ),
  ];
  const data = timeline.data({ session, from: startedAt, to: endedAt, facts });
  const page = timelinePage(data, (text) => createHash('sha256').update(text).digest('base64'));
  try {
    writeFileSync(file, page, { mode: 0o600 });
  } catch (error) {
    throw new Failure('report-unwritable', { what: 'the timeline cannot be written', where: file }, { cause: error });
  }
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
  if (head.version !== 1) throw ofOtherVersion(folder, String(head.version), head.tickwright);
  return { reader, head, entries, config: { ...defaultConfig(), ...head.config } };
}

/** What a kernel of the session is made of, with these strategies and this memory; `isExact`: with the texts that they had. @throws Failure */
export async function settingsOf(
  session: OpenSession,
  choices: readonly StrategyChoice[],
  snapshot: KernelSnapshot | null,
  isExact = false,
): Promise<ReturnType<typeof kernelSettings>> {
  const { head, config } = session;
  guardStrategies(config, { isLive: false });
  const { instruments } = head;
  const strategies = await asRecorded(session, choices, await strategySetups(choices, instruments), isExact);
  await loadReloads(snapshot?.reloads);
  return kernelSettings(config, { instruments, strategies: changedSetups(config, { instruments, strategies }, snapshot, SILENT_LOG) });
}

/** A strategy that was reloaded in the session begins with the text that it had before the first reload; with `isExact` each begins with its text. */
async function asRecorded(
  { head, reader }: OpenSession,
  choices: readonly StrategyChoice[],
  setups: readonly StrategySetup[],
  isExact: boolean,
): Promise<StrategySetup[]> {
  const { begun, reloads } = readTexts(reader.folder);
  for (const { source, before } of reloads) {
    await loadKept(source);
    await loadKept(before);
  }
  if (isExact) for (const text of begun) if (text !== null) await loadKept(text);
  return setups.map((setup, k) => {
    if (choices[k]!.file !== head.strategies[k]?.file) return setup;
    const first = reloads.find(({ strategy }) => strategy === nameOf(setup))?.before ?? (isExact ? begun[k] : null) ?? null;
    return first === null ? setup : { ...setup, strategy: strategyOf(first) ?? setup.strategy };
  });
}

/** The recorded bodies of answers; none where record.answers was false. */
export function* answersOf(folder: string): Generator<BodyEntry> {
  for (const entry of openSession(folder).entries) if (entry.kind === BODY) yield entry as BodyEntry;
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
