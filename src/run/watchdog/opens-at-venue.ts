/** What a watchdog asks of the venue: the own opening orders that rest, and to cancel one. Each request is sent once; it is repeated by the caller. */
import { OPEN, PLACE, PLACE_SPOT } from '../../domain/codes.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { cancelOf } from '../../domain/orders/command-traits.ts';
import { emptyCommand, parseClientId } from '../../domain/orders/command.ts';
import { complete } from '../../edge/http/asking.ts';
import { parseBaseUrl } from '../../edge/http/base-url.ts';
import { VenueClient } from '../../edge/http/call.ts';
import { HttpTransport } from '../../edge/http/transport.ts';
import { LiveClock } from '../../edge/time/live-clock.ts';
import { VenueClock } from '../../edge/time/venue-clock.ts';
import { KEY_REFUSED_CAUSES } from '../../ports/venue.ts';
import { queryContext } from '../../venue/dialect.ts';
import { dialectOf, signedPrefixOf } from '../../venue/registry/dialects.ts';
import { instrumentsOf } from '../setup/instruments.ts';
import type { UnlistedOpen } from './beat.ts';
import { watchdogCredentials, type WatchdogSettings } from './settings.ts';

/** An own opening order, by the id with which it is cancelled. */
export type OpenOrder = Omit<UnlistedOpen, 'seq'>;

/** `ended`: the venue cancelled it. `gone`: the venue knows no such order now. Else why nothing is known; the cancel is then repeated. */
export type Cancelled = 'ended' | 'gone' | { readonly unknown: string };

export interface OpensAtVenue {
  /** All own opening orders of epochs up to `epoch`; or why the list is not known or not complete. */
  list(epoch: number): Promise<readonly OpenOrder[] | { readonly unknown: string }>;
  cancel(order: OpenOrder): Promise<Cancelled>;
  close(): Promise<void>;
}

/** @throws BaseUrlError, Failure if its credentials cannot be read */
export function opensAtVenue(settings: WatchdogSettings): OpensAtVenue {
  const { bot, venue } = settings;
  const clock = new LiveClock();
  const base = parseBaseUrl(venue.baseUrl);
  const dialect = dialectOf(venue.dialect);
  const transport = new HttpTransport({ base, clock, timeoutMs: venue.timeoutMs });
  const client = new VenueClient({
    transport,
    clock,
    venueClock: new VenueClock(clock),
    credentials: watchdogCredentials(settings),
    dialect,
    apiPrefix: base.mount + dialect.prefix,
    signedPrefix: signedPrefixOf(venue),
  });
  const instruments = instrumentsOf(settings.instruments);
  const context = queryContext(instruments, () => clock.now());
  return {
    async list(epoch) {
      try {
        const asking = dialect.answerTo({ kind: 'pending', instrument: -1, isProof: true }, context);
        const result = await complete(asking, (endpoint, params) => client.call(endpoint, params));
        if (!('answer' in result)) return { unknown: result.status === 'rejected' ? result.rejection.reason : result.cause };
        if (result.answer.kind !== 'pending') return { unknown: 'another answer' };
        return result.answer.orders
          .filter((order) => order.effect === OPEN && isOwn(order.clientId, bot, epoch))
          .map((order) => ({
            kind: PLACE,
            symbol: instruments[order.instrument]!.symbol,
            clientId: order.clientId,
            venueId: order.venueId,
          }));
      } catch (error) {
        return { unknown: error instanceof Error ? error.message : String(error) };
      }
    },
    async cancel(order) {
      const instrument = instrumentOf(instruments, order);
      if (instrument === undefined) return { unknown: `${order.symbol} is not configured` };
      if (order.kind === PLACE_SPOT && order.venueId === '') return { unknown: 'its id at the venue is not known' };
      const command = {
        ...emptyCommand(),
        kind: cancelOf(order.kind),
        seq: 1,
        target: 1,
        targetVenueId: order.venueId,
        instrument: instrument.index,
      };
      const { endpoint, params, settle } = dialect.requestOf(command, {
        instruments,
        clientIdOf: () => order.clientId,
        crossWord: venue.marginModeWord,
      });
      const called = await client.call(endpoint, params, { lane: 'cancel' });
      if (called.status === 'unsent' || called.status === 'unknown') return { unknown: called.cause };
      const verdict = called.status === 'accepted' ? settle(called.value) : called;
      if (verdict.status === 'accepted') return 'ended';
      if (verdict.status === 'unknown') return { unknown: verdict.cause };
      return KEY_REFUSED_CAUSES.has(verdict.rejection.reason) ? { unknown: verdict.rejection.reason } : 'gone';
    },
    close: () => transport.close(),
  };
}

/** True if the bot issued the id, in an epoch up to `epoch`. */
function isOwn(clientId: string, bot: string, epoch: number): boolean {
  const found = parseClientId(bot, clientId);
  return found.seq > 0 && found.epoch <= epoch;
}

function instrumentOf(instruments: readonly Instrument[], { kind, symbol }: OpenOrder): Instrument | undefined {
  const product = kind === PLACE_SPOT ? 'spot' : 'futures';
  return instruments.find((one) => one.symbol === symbol && one.product === product);
}
