/**
 * A watchdog's way to the venue. Each request is sent once; it is repeated by the caller. Signed requests need the venue's time if the clock of
 * this machine is wrong, and only public answers tell it: they are asked for once a signed request was refused.
 */
import { messageOf } from '../../base/failure/message-of.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { Command } from '../../domain/orders/command.ts';
import { complete } from '../../edge/http/asking.ts';
import { parseBaseUrl } from '../../edge/http/base-url.ts';
import { VenueClient, type CallOptions } from '../../edge/http/call.ts';
import { HttpTransport } from '../../edge/http/transport.ts';
import { LiveClock } from '../../edge/time/live-clock.ts';
import { VenueClock } from '../../edge/time/venue-clock.ts';
import type { Answer, Query } from '../../ports/venue.ts';
import type { Called } from '../../venue/called.ts';
import { queryContext, type Verdict } from '../../venue/dialect.ts';
import { dialectOf, signedPrefixOf } from '../../venue/registry/dialects.ts';
import { instrumentsOf } from '../setup/instruments/instruments.ts';
import { watchdogCredentials, type WatchdogSettings } from './settings.ts';

/** Why nothing is known. */
export interface Unknown {
  readonly unknown: string;
}

export interface VenueAccess {
  readonly instruments: readonly Instrument[];
  /** The answer to a query, complete (all pages). */
  ask<K extends Query['kind']>(query: Extract<Query, { kind: K }>): Promise<Extract<Answer, { kind: K }> | Unknown>;
  /** Sends a command; `clientId`: of the order that it names or makes. `unsent`: no byte has left. */
  send(command: Command, clientId: string, options: CallOptions): Promise<Verdict | { readonly status: 'unsent'; readonly cause: string }>;
  /** Why it could not act now, as when its key is refused; "" if it could. A signed read. */
  check(): Promise<string>;
  close(): Promise<void>;
}

/** Public answers that are asked for at most, to learn the venue's time. */
const CLOCK_READS = 12;

/** @throws BaseUrlError, Failure if its credentials cannot be read */
export function venueAccess(settings: WatchdogSettings): VenueAccess {
  const { venue } = settings;
  const clock = new LiveClock();
  const venueClock = new VenueClock(clock);
  const base = parseBaseUrl(venue.baseUrl);
  const dialect = dialectOf(venue.dialect);
  const transport = new HttpTransport({ base, clock, timeoutMs: venue.timeoutMs });
  const client = new VenueClient({
    transport,
    clock,
    venueClock,
    credentials: watchdogCredentials(settings),
    dialect,
    apiPrefix: base.mount + dialect.prefix,
    signedPrefix: signedPrefixOf(venue),
  });
  const instruments = instrumentsOf(settings.instruments);
  const context = queryContext(instruments, () => clock.now());
  const isFutures = instruments[0]?.product === 'futures';
  const market: Query = isFutures ? { kind: 'quotes', instrument: 0 } : { kind: 'spot-symbols', instrument: -1 };
  const readClock = async (): Promise<void> => {
    for (let left = CLOCK_READS; left > 0 && venueClock.offset === null; left--)
      await complete(dialect.answerTo(market, context), (endpoint, params) => client.call(endpoint, params));
  };
  const timely = async (call: () => Promise<Called<unknown>>): Promise<Called<unknown>> => {
    const called = await call();
    if (called.row === 'C10' && venueClock.offset === null) await readClock();
    return called;
  };
  const ask: VenueAccess['ask'] = async (query) => {
    try {
      const asking = dialect.answerTo(query, context);
      const result = await complete(asking, (endpoint, params) => timely(() => client.call(endpoint, params)));
      if (!('answer' in result)) return { unknown: result.status === 'rejected' ? result.rejection.reason : result.cause };
      const { answer } = result;
      return answer.kind === query.kind ? (answer as Extract<Answer, { kind: typeof query.kind }>) : { unknown: 'another answer' };
    } catch (error) {
      return { unknown: messageOf(error) };
    }
  };
  return {
    instruments,
    ask,
    async send(command, clientId, options) {
      const outgoing = dialect.requestOf(command, { instruments, clientIdOf: () => clientId, crossWord: venue.marginModeWord });
      const called = await timely(() => client.call(outgoing.endpoint, outgoing.params, options));
      if (called.status === 'unsent') return { status: 'unsent', cause: called.cause };
      return called.status === 'accepted' ? outgoing.settle(called.value) : called;
    },
    async check() {
      const answer = isFutures ? await ask({ kind: 'account', instrument: 0 }) : await ask({ kind: 'pending', instrument: -1 });
      return 'unknown' in answer ? answer.unknown : '';
    },
    close: () => transport.close(),
  };
}
