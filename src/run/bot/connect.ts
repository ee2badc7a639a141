/** The way to the venue over HTTP: transport, signed client, poll lane, and the venue port on top of them. */
import { limitFor, type BotConfig, type Credentials } from '../../config/model.ts';
import { API_PREFIX } from '../../contract/endpoints/endpoint.ts';
import { ENDPOINTS } from '../../contract/endpoints/endpoints.ts';
import type { ClientIds } from '../../domain/client-ids.ts';
import type { Command } from '../../domain/command.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { parseBaseUrl } from '../../edge/http/base-url.ts';
import { VenueClient, type RatePause, type VenueTime } from '../../edge/http/call.ts';
import { HttpVenue } from '../../edge/http/http-venue.ts';
import { HttpTransport } from '../../edge/http/transport.ts';
import { PollLane, type PollBucket } from '../../edge/pace/poll-lane.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';

export interface ConnectOptions {
  readonly config: BotConfig;
  readonly credentials: Credentials;
  readonly ids: ClientIds;
  readonly instruments: readonly Instrument[];
  readonly clock: Clock;
  /** Default: requests are signed by `clock`. */
  readonly venueClock?: VenueTime | undefined;
  readonly log: Log;
  /** As of the venue's port: whether opens were halted since the command was made. */
  readonly isHalted?: ((command: Command) => boolean) | undefined;
  /** Whether a close or a cancel is undecided: reads of orders and positions wait out no whole pause then. */
  readonly isExitOpen?: (() => boolean) | undefined;
  /** The venue asked for a pause of a kind of write. */
  readonly onRateLimit: (pause: RatePause) => void;
}

export interface Connection {
  readonly venue: HttpVenue;
  /** Ends questions that wait and closes connections. */
  close(): Promise<void>;
}

/** @throws BaseUrlError */
export function connectVenue(options: ConnectOptions): Connection {
  const { config, credentials, ids, instruments, clock, log } = options;
  const base = parseBaseUrl(config.venue.baseUrl);
  const rate = (bucket: string): PollBucket => ({
    perSecond: limitFor(config.limits, bucket),
    decidesExits: bucket === ENDPOINTS.orderHistory.cost.bucket || bucket === ENDPOINTS.positions.cost.bucket,
  });
  const buckets = Object.fromEntries(Object.values(ENDPOINTS).map(({ cost }) => [cost.bucket, rate(cost.bucket)]));
  const limiter = new PollLane({ clock, buckets, fallback: rate('private'), isExitOpen: options.isExitOpen });
  const transport = new HttpTransport({ base, clock, timeoutMs: config.venue.timeoutMs });
  const client = new VenueClient({
    transport,
    clock,
    venueClock: options.venueClock,
    credentials,
    apiPrefix: base.mount + API_PREFIX,
    signedPrefix: config.venue.signedPrefix,
    onRateLimit(pause) {
      const { bucket, lane, until, exitUntil } = pause;
      if (lane === 'read') limiter.backOff(bucket, until, exitUntil);
      else options.onRateLimit(pause);
      log.warn('rate-limited', { bucket, lane, forMs: until - clock.now(), untilMs: until });
    },
  });
  const clientIdOf = (seq: number): string => ids.idOf(seq);
  const crossWord = config.venue.marginModeWord;
  const venue = new HttpVenue({ client, limiter, clock, log, instruments, clientIdOf, crossWord, isHalted: options.isHalted });
  const close = async (): Promise<void> => {
    await limiter.stop();
    await transport.close();
  };
  return { venue, close };
}
