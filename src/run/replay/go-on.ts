/** Goes on with a session from where the recorded answers no longer fit: a simulated venue has the market of the recording. */
import type { Approved, Command } from '../../domain/orders/command.ts';
import type { OrderPort, Query, ReadPort } from '../../ports/venue.ts';
import { KnownVenue } from './known-venue.ts';
import type { HandedOver, Player } from './player.ts';
import { openSession, type OpenSession } from './replay.ts';
import type { Place } from './session-place.ts';
import { SimulatedVenue, type SimulatedSpec } from './simulated.ts';

/** Receives commands and questions, and gives them to the simulated venue once there is one. */
export class Successor implements OrderPort, ReadPort {
  venue: SimulatedVenue | null = null;

  execute(command: Approved<Command>): void {
    this.venue?.execute(command);
  }

  query(query: Query): void {
    this.venue?.query(query);
  }
}

export interface GoneOn {
  readonly given: HandedOver;
  readonly venue: SimulatedVenue;
}

export interface GoOnOptions {
  readonly until: Place;
  /** Called each time that everything due by this time was done. */
  readonly settled?: (time: number) => void;
  /** Number of a command without an outcome that the simulated venue never gets; 0 for none. */
  readonly without?: number;
}

/** The bot of the player goes on as it is. */
export function goOn(session: OpenSession, player: Player, { until, settled, without = 0 }: GoOnOptions): GoneOn {
  const successor = new Successor();
  const all = player.handOver(successor);
  const given = { ...all, open: all.open.filter(({ seq }) => seq !== without) };
  const spec = { ...specOf(session, player, until), identity: session.head.identity, ids: player.ids };
  const venue = new SimulatedVenue(settled === undefined ? spec : { ...spec, settled }, given, given.kernel.snapshot().orders);
  successor.venue = venue;
  return { given, venue };
}

/** What a simulated venue begins with where the player stands. */
export function specOf({ head, config, reader }: OpenSession, player: Player, until: Place): Omit<SimulatedSpec, 'identity' | 'ids'> {
  const { known } = player.recorded;
  const { instruments } = head;
  return { config, instruments, known: known.isWhole ? known : aheadIn(reader.folder), until, events: player.result().events };
}

/** What the first answers of the session say of the account, where none had come yet. */
function aheadIn(folder: string): KnownVenue {
  const known = new KnownVenue();
  for (const entry of openSession(folder).entries) {
    known.follow(entry);
    if (known.isWhole) break;
  }
  return known;
}
