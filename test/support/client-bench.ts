/** An HttpVenue on real sockets against a scripted venue, with all that happens to it written down. */
import { Secret } from '../../src/base/secret.ts';
import { createInstrument } from '../../src/domain/instrument.ts';
import { parseBaseUrl } from '../../src/edge/http/base-url.ts';
import { VenueClient } from '../../src/edge/http/call.ts';
import { HttpVenue, type HttpVenueOptions } from '../../src/edge/http/http-venue.ts';
import { HttpTransport } from '../../src/edge/http/transport.ts';
import { PollLane } from '../../src/edge/pace/poll-lane.ts';
import { LiveClock } from '../../src/edge/time/live-clock.ts';
import type { Log } from '../../src/ports/log.ts';
import { BTCUSDT } from './specs.ts';
import { RecordingInbox, startScriptedVenue, type Script, type ScriptedVenue } from './scripted-venue.ts';

export const instruments = [
  createInstrument(BTCUSDT, 0),
  createInstrument({ ...BTCUSDT, symbol: 'ETHUSDT', tickSize: '0.01' }, 1),
  createInstrument({ ...BTCUSDT, symbol: 'SOLUSDT', product: 'spot', tickSize: '0.01', lotSize: '0.0001' }, 2),
];
export const clock = new LiveClock();
const closers: (() => Promise<unknown>)[] = [];

/** Ends all that tests opened; each test file calls it after each test. */
export async function closeBenches(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

export interface Bench {
  readonly venue: HttpVenue;
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
  const limiter = new PollLane({ clock, buckets: {}, fallback: { perSecond: 1_000 } });
  const client = new VenueClient({ transport, clock, credentials, onRateLimit: ({ bucket, until }) => limiter.backOff(bucket, until) });
  const retries = { retries: 2, firstDelayMs: 1, longestDelayMs: 5, maxTotalMs: 3_000 };
  const venue = new HttpVenue({
    client,
    limiter,
    clock,
    log,
    instruments,
    clientIdOf: (seq) => `tw-1-${seq.toString(36)}`,
    retries,
    ...options,
  });
  const inbox = new RecordingInbox();
  venue.attach(inbox);
  closers.push(
    () => server.close(),
    () => transport.close(),
    () => limiter.stop(),
  );
  return { venue, inbox, server, events, client };
}
