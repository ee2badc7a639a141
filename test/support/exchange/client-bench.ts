/** An HttpVenue on real sockets with a scripted venue; all its events are recorded. */
import { Secret } from '../../../src/base/secret.ts';
import { createInstrument } from '../../../src/domain/instrument.ts';
import { parseBaseUrl } from '../../../src/edge/http/base-url.ts';
import { type RatePause, VenueClient } from '../../../src/edge/http/call.ts';
import { HttpVenue, type HttpVenueOptions } from '../../../src/edge/http/http-venue.ts';
import { HttpTransport } from '../../../src/edge/http/transport.ts';
import { LiveClock } from '../../../src/edge/time/live-clock.ts';
import type { ReadThrottle } from '../../../src/engine/polling/read-throttle.ts';
import type { Log } from '../../../src/ports/log.ts';
import { liveReadThrottle } from '../engine/live-read-throttle.ts';
import { BTCUSDT } from '../specs.ts';
import { RecordingInbox, startScriptedVenue, type Script, type ScriptedVenue } from './scripted-venue.ts';

export const instruments = [
  createInstrument(BTCUSDT, 0),
  createInstrument({ ...BTCUSDT, symbol: 'ETHUSDT', tickSize: '0.01' }, 1),
  createInstrument({ ...BTCUSDT, symbol: 'SOLUSDT', product: 'spot', tickSize: '0.01', lotSize: '0.0001' }, 2),
];
export const clock = new LiveClock();
const closers: (() => Promise<unknown>)[] = [];

/** Closes everything that tests opened; each test file calls it after each test. */
export async function closeBenches(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

export interface Bench {
  readonly venue: HttpVenue;
  readonly polls: ReadThrottle;
  readonly inbox: RecordingInbox;
  readonly server: ScriptedVenue;
  readonly events: string[];
  readonly client: VenueClient;
}

export async function bench(
  script: Script,
  options: Partial<HttpVenueOptions> & { timeoutMs?: number; baseUrl?: string } = {},
): Promise<Bench> {
  const server = await startScriptedVenue(script);
  const events: string[] = [];
  const note = (event: string): void => void events.push(event);
  const log: Log = { debug: note, info: note, warn: note, error: note };
  const base = parseBaseUrl(options.baseUrl ?? server.url);
  const transport = new HttpTransport({ base, clock, timeoutMs: options.timeoutMs ?? 2_000 });
  const credentials = { key: new Secret('k'), secret: new Secret('s'), passphrase: new Secret('p') };
  const onRateLimit = ({ bucket, lane: kind, until }: RatePause): void => {
    if (kind === 'read') throttle.polls.backOff(bucket, until);
  };
  const client = new VenueClient({ transport, clock, credentials, onRateLimit });
  const retries = { retries: 2, firstDelayMs: 1, longestDelayMs: 5, maxTotalMs: 3_000 };
  const inbox = new RecordingInbox();
  const clientIdOf = (seq: number): string => `tw-1-${seq.toString(36)}`;
  const throttle = liveReadThrottle((turns) => new HttpVenue({ client, turns, clock, log, instruments, clientIdOf, retries, ...options }), {
    clock,
    inbox,
    perSecond: () => 1_000,
  });
  const { venue, polls } = throttle;
  closers.push(
    () => server.close(),
    () => transport.close(),
    async () => throttle.stop(),
  );
  return { venue, polls, inbox, server, events, client };
}
