/**
 * Finds what another strategy file would have done in a recorded session. As long as it decides as the recorded bot did, the recorded
 * answers are the venue's. From its first other decision on, or from a saved state on, a simulated venue answers: those answers are an
 * estimate.
 */
import { basename, resolve } from 'node:path';
import type { StrategyChoice } from '../../config/model.ts';
import { Failure } from '../../base/failure/failure.ts';
import { ClientIds } from '../../domain/orders/client-ids.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { Kernel } from '../../engine/kernel.ts';
import type { KernelSnapshot } from '../../engine/recovery/registry.ts';
import { recordingJournal } from '../../engine/recovery/records.ts';
import { SILENT_LOG } from '../../ports/log.ts';
import type { OrderPort, ReadPort } from '../../ports/venue.ts';
import type { Head } from '../session/entries.ts';
import { goOn, specOf, Successor } from './go-on.ts';
import type { Place } from './session-place.ts';
import { Player, type HandedOver, type Played } from './player.ts';
import { openSession, settingsOf, type OpenSession, type ReplayOptions } from './replay.ts';
import { SimulatedVenue, type Simulated } from './simulated.ts';

export interface WhatIfOptions extends ReplayOptions {
  /** The strategy file that takes the place of the recorded one; the recorded files when absent. */
  readonly with?: string | undefined;
  /** The bot is restarted from the first saved state at this place or after it. Without it, it begins with the session. */
  readonly fromSnapshot?: Place | undefined;
}

export interface WhatIf extends Played {
  readonly session: string;
  readonly instruments: readonly Instrument[];
  /** What was put in the place of what was recorded. */
  readonly changes: readonly string[];
  /** True when it begins with a saved state of the session. */
  readonly isFromSnapshot: boolean;
  /** null when the recorded answers fit to the end. */
  readonly simulated: Simulated | null;
}

/** @throws Failure when there is no such session or saved state, or a strategy cannot be loaded */
export async function whatIf(folder: string, options: WhatIfOptions): Promise<WhatIf> {
  const { until = {}, params = {}, fromSnapshot } = options;
  const session = openSession(folder);
  const { head, entries } = session;
  const choices = chosen(head, options.with, params);
  const isFromSnapshot = fromSnapshot !== undefined;
  // Up to the saved state it is the recorded bot that is played.
  const settings = await settingsOf(session, isFromSnapshot ? head.strategies : choices, head.snapshot);
  const player = new Player(head, settings, entries, { isWhatIf: true });
  player.play({ until, savedFrom: fromSnapshot });
  const played = player.result();
  const changes = [
    ...(options.with === undefined ? [] : [`${options.with} is in the place of the recorded file by --with`]),
    ...Object.entries(params).map(([name, value]) => `parameter ${name} is ${value} by --param`),
  ];
  const about = { session: folder, instruments: head.instruments, changes, isFromSnapshot, ...played };
  if (isFromSnapshot && player.saved === null) throw notReached(folder, played);
  if (!isFromSnapshot && (played.divergence === null || played.end !== 'open')) return { ...about, simulated: null };

  if (player.saved === null) return { ...about, simulated: goOn(session, player, { until }).venue.run(player.recorded.rest()) };
  const successor = new Successor();
  const given = player.handOver(successor);
  const spec = specOf(session, player, until);
  const ids = new ClientIds(head.config.bot, player.ids.saved());
  ids.start(given.clock.time, player.saved.nextSeq);
  const bot = await restarted(session, choices, { snapshot: player.saved, ids, successor, given });
  const identity = { bot: head.config.bot, epoch: ids.epoch };
  const venue = new SimulatedVenue({ ...spec, identity, ids }, bot, player.saved.orders);
  successor.venue = venue;
  bot.kernel.inbox.start();
  return { ...about, simulated: venue.run(player.recorded.rest()) };
}

interface Restart {
  readonly snapshot: KernelSnapshot;
  readonly ids: ClientIds;
  readonly successor: OrderPort & ReadPort;
  readonly given: HandedOver;
}

/** A bot that starts with what the recorded one had saved. */
async function restarted(
  session: OpenSession,
  choices: readonly StrategyChoice[],
  { snapshot, ids, successor, given: { clock } }: Restart,
): Promise<HandedOver> {
  const { head } = session;
  const kernel = new Kernel({
    ...(await settingsOf(session, choices, snapshot)),
    orders: successor,
    reads: successor,
    clock,
    log: SILENT_LOG,
    journal: recordingJournal(head.instruments, () => undefined),
    identity: { bot: head.config.bot, epoch: ids.epoch },
    ids,
    journalEnd: clock.time,
  });
  kernel.restore(snapshot);
  return { kernel, clock, others: [], open: [], questions: [] };
}

/** The recorded strategies, with the one that `file` replaces and with `params`. @throws Failure when it may replace several */
function chosen({ strategies }: Head, file: string | undefined, params: Readonly<Record<string, string>>): StrategyChoice[] {
  const all = strategies.map((one): StrategyChoice => ({ ...one, params: { ...one.params, ...params } }));
  if (file === undefined) return all;
  const same = all.filter((one) => basename(one.file) === basename(file));
  const [replaced, ...others] = all.length === 1 ? all : same;
  if (replaced === undefined || others.length > 0) {
    const names = all.map((one) => basename(one.file)).join(', ');
    throw new Failure('command-line', {
      what: `expected a file of the name of one of the recorded strategies (${names}), found ${basename(file)}`,
      where: '--with',
      hint: 'give the changed file the name of the recorded one, in another folder',
    });
  }
  return all.map((one) => (one === replaced ? { ...one, file: resolve(file) } : one));
}

function notReached(folder: string, { divergence, events }: Played): Failure {
  if (divergence !== null) {
    return new Failure('session-unreadable', {
      what: `expected the recorded strategies to decide as recorded up to the saved state, found a difference after event ${divergence.event}`,
      where: folder,
      hint: 'run the replay without --from-snapshot: it names the difference and what was changed',
    });
  }
  return new Failure('session-unreadable', {
    what: `expected a saved state at --from-snapshot or after it, found none among ${events} events`,
    where: folder,
  });
}
