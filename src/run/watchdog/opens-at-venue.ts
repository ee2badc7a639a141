/** What a watchdog asks of the venue: the own opening orders that rest, and to cancel one. Each request is sent once; it is repeated by the caller. */
import { OPEN, PLACE, PLACE_SPOT } from '../../domain/codes.ts';
import type { OrderReport } from '../../domain/report.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { cancelOf } from '../../domain/orders/command-traits.ts';
import { emptyCommand, parseClientId } from '../../domain/orders/command.ts';
import { complete } from '../../edge/http/asking.ts';
import { parseBaseUrl } from '../../edge/http/base-url.ts';
import { VenueClient } from '../../edge/http/call.ts';
import { HttpTransport } from '../../edge/http/transport.ts';
import { LiveClock } from '../../edge/time/live-clock.ts';
import { VenueClock } from '../../edge/time/venue-clock.ts';
import { queryContext } from '../../venue/dialect.ts';
import { dialectOf, signedPrefixOf } from '../../venue/registry/dialects.ts';
import { instrumentsOf } from '../setup/instruments.ts';
import { watchdogCredentials, type WatchdogSettings } from './settings.ts';
import type { UnlistedOpen } from './unlisted-opens.ts';

/** An own opening order. It is cancelled by its client id, or by the venue's if it has none. */
export type OpenOrder = Pick<UnlistedOpen, 'kind' | 'symbol' | 'clientId' | 'venueId'>;

/** An opening order in the list. */
export interface ListedOpen extends OpenOrder, Pick<UnlistedOpen, 'side' | 'size' | 'price'> {
  /** True if its client id says that the bot issued it. */
  readonly isOwn: boolean;
}

/** `ended`: the venue cancelled it. `gone`: the venue knows no such order now. Else why nothing is known; the cancel is then repeated. */
export type Cancelled = 'ended' | 'gone' | { readonly unknown: string };

export interface OpensAtVenue {
  /** All opening orders but those of the bot's later epochs; or why the list is not known or not complete. */
  list(epoch: number): Promise<readonly ListedOpen[] | { readonly unknown: string }>;
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
          .filter(({ effect, clientId }) => effect === OPEN && epochOf(clientId, bot) <= epoch)
          .map((order) => listed(order, instruments[order.instrument]!.symbol, epochOf(order.clientId, bot) > 0));
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
        target: order.clientId === '' ? 0 : 1,
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
      // A request that was refused for another reason says nothing about the order.
      return verdict.rejection.reason === 'order-not-found' ? 'gone' : { unknown: verdict.rejection.reason };
    },
    close: () => transport.close(),
  };
}

/** The epoch in which the bot issued the id; 0 for an id of another party. */
function epochOf(clientId: string, bot: string): number {
  const { epoch, seq } = parseClientId(bot, clientId);
  return seq > 0 ? epoch : 0;
}

function listed({ clientId, price, side, size, venueId }: OrderReport, symbol: string, isOwn: boolean): ListedOpen {
  return { kind: PLACE, symbol, clientId, venueId, side, size, price, isOwn };
}

function instrumentOf(instruments: readonly Instrument[], { kind, symbol }: OpenOrder): Instrument | undefined {
  const product = kind === PLACE_SPOT ? 'spot' : 'futures';
  return instruments.find((one) => one.symbol === symbol && one.product === product);
}
