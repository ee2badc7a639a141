/** Replays recorded sessions of one bot, the oldest first, and joins what they show. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Failure } from '../../../base/failure/failure.ts';
import type { ClientIds } from '../../../domain/orders/client-ids.ts';
import { sessionsIn, type Cut } from '../../../edge/file/session-file.ts';
import type { KernelStatus } from '../../../engine/status.ts';
import type { StrategySetup } from '../../../engine/strategy/definition/setup.ts';
import { openSession, sessionsOf, settingsOf } from '../../replay/replay.ts';
import { Player, type Played } from '../../replay/player.ts';
import type { Head } from '../../session/entries.ts';
import { environmentOf } from '../../session/recorded-environment.ts';
import type { PlayWatch } from '../../replay/timeline.ts';
import { SessionFacts } from './session-facts.ts';

export interface SessionPart {
  /** Folder of the session. */
  readonly folder: string;
  readonly head: Head;
  readonly played: Played;
  /** The kernel's at the end. */
  readonly status: KernelStatus;
  /** Its client ids by number. */
  readonly ids: ClientIds;
  /** Bytes of the recording that are not whole: they and what came after them are missing. */
  readonly cut: Cut | null;
}

export interface LiveSessions {
  readonly parts: readonly SessionPart[];
  readonly facts: SessionFacts;
  readonly strategies: readonly StrategySetup[];
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Sees the replay of all sessions beside the facts that are collected. */
export interface SessionWatch extends PlayWatch {
  /** A session begins. `brokeOffAt`: time of the last event of the session before if that does not have its end, else null. */
  begins(head: Head, brokeOffAt: number | null): void;
}

/**
 * `path`: a session, the folder of a bot's sessions, or the state folder of a bot. `isFollowed`: of a session that was killed, the next one is
 * read too, because it booked what that had not read.
 *
 * @throws Failure
 */
export async function readSessions(path: string, beside?: SessionWatch, isFollowed = false): Promise<LiveSessions> {
  const named = sessionsOf(sessionsPath(path));
  const last = resolve(named.at(-1)!);
  const later = isFollowed ? sessionsIn(dirname(last)).filter((folder) => folder > last) : [];
  const folders = [...named, ...later];
  const first = openSession(folders[0]!).head;
  const facts = new SessionFacts(first);
  const parts: SessionPart[] = [];
  let strategies: readonly StrategySetup[] = [];
  for (const folder of folders) {
    const session = openSession(folder);
    const { head } = session;
    requireSame(first, head, folder);
    const settings = await settingsOf(session, head.strategies, head.snapshot);
    strategies = settings.strategies;
    // Another version of the program may write other journal records: the decisions must be the same.
    const before = parts.at(-1)?.played;
    if (parts.length >= named.length && before?.end === 'stopped') break;
    if (before !== undefined) facts.continues(head);
    beside?.begins(head, before === undefined || before.end === 'stopped' ? null : before.endedAt);
    const player = new Player(head, settings, session.entries, {
      watch: beside === undefined ? facts : both(facts, beside),
      isWhatIf: true,
    });
    player.play({});
    const played = player.result();
    if (played.divergence !== null) throw differs(folder, head, played.divergence);
    parts.push({ folder, head, played, status: player.kernel.status(), ids: player.ids, cut: session.reader.cut });
  }
  facts.end();
  return { parts, facts, strategies, startedAt: first.startedAt, endedAt: parts.at(-1)!.played.endedAt };
}

function both(one: PlayWatch, other: PlayWatch): PlayWatch {
  return {
    event(entry, text) {
      one.event(entry, text);
      other.event(entry, text);
    },
    record(record) {
      one.record(record);
      other.record(record);
    },
  };
}

/** Sentences on the sessions whose recording is damaged, or was cut by a kill: their profit and orders are incomplete. */
export function damageOf(parts: readonly SessionPart[]): string[] {
  return parts.flatMap(({ cut, played: { endedAt } }) =>
    cut === null
      ? []
      : [
          `${cut.bytes} bytes at ${cut.offset} of ${cut.file} are not whole: what the session did after ${new Date(endedAt).toISOString()} is missing.`,
        ],
  );
}

/** The folder of recordings of a state folder; of `start`, that of its bot. */
export function sessionsPath(path: string): string {
  return [join(path, 'sessions'), join(path, 'bot', 'sessions')].find((one) => existsSync(one)) ?? path;
}

/** @throws Failure if two sessions do not belong together */
function requireSame(first: Head, head: Head, folder: string): void {
  const same = head.config.bot === first.config.bot && JSON.stringify(head.instruments) === JSON.stringify(first.instruments);
  if (same) return;
  throw new Failure('session-unreadable', {
    what: 'expected sessions of one bot with the same instruments, found others',
    where: folder,
    hint: 'give one session instead of their folder',
  });
}

function differs(folder: string, head: Head, { event, expected, found }: NonNullable<Played['divergence']>): Failure {
  const now = environmentOf(head.modules.map(({ file }) => file)).modules;
  const changed = head.modules.filter(({ sha256 }, k) => now[k]!.sha256 !== sha256).map(({ file }) => file);
  const hint =
    changed.length > 0
      ? `put the recorded version of ${changed.join(', ')} back: only then the recording can be followed`
      : 'run "tickwright replay" on it: it names what differs';
  return new Failure('session-unreadable', {
    what: `expected a recording that replays equal, found a difference after event ${event}: recorded ${expected}; replayed ${found}`,
    where: folder,
    hint,
  });
}
