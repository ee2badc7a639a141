/** Connects to the venue over HTTP: transport, signed client, venue port, and the read throttle in front of it. */
import type { Credentials } from '../../base/secret.ts';
import type { BotConfig } from '../../config/model.ts';
import type { ClientIds } from '../../domain/orders/client-ids.ts';
import type { Command } from '../../domain/orders/command.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { parseBaseUrl } from '../../edge/http/base-url.ts';
import { VenueClient, type RatePause, type RawAnswer, type VenueTime } from '../../edge/http/call.ts';
import { HttpVenue } from '../../edge/http/http-venue.ts';
import { VenueHealth } from '../../edge/http/venue-health.ts';
import { HttpTransport } from '../../edge/http/transport.ts';
import { ReadThrottle } from '../../engine/polling/read-throttle.ts';
import type { KeyGate } from '../../engine/state/key-gate.ts';
import type { Clock } from '../../ports/clock.ts';
import { DroppedError, type PollTurns } from '../../ports/limiter.ts';
import type { Log } from '../../ports/log.ts';
import type { Inbox } from '../../ports/venue-event.ts';
import { dialectOf, signedPrefixOf } from '../../venue/registry/dialects.ts';
import { pollSettings, questionBuckets } from '../setup/bot-parts.ts';

export interface ConnectOptions {
  readonly config: BotConfig;
  readonly credentials: Credentials;
  readonly ids: ClientIds;
  readonly instruments: readonly Instrument[];
  readonly clock: Clock;
  /** Default: requests are signed by `clock`. */
  readonly venueClock?: VenueTime | undefined;
  readonly log: Log;
  /** Receive outcomes of commands, and answers to queries. */
  readonly outcomes: Inbox;
  readonly answers: Inbox;
  /** The clock of the read throttle, which is held during a turn. */
  readonly stepClock: Clock;
  /** Called when the read throttle has work outside of a turn. */
  readonly onWaiting: () => void;
  /** Why a command must not be sent any more, or null. */
  readonly vetoOf?: ((command: Command) => string | null) | undefined;
  /** True if a close or cancel is undecided: then reads of orders and positions do not wait for a whole pause. */
  readonly isExitOpen?: (() => boolean) | undefined;
  /** Lets one signed read at a time start while the venue refuses the key. */
  readonly keyGate?: KeyGate | undefined;
  /** Called if the venue asked for a pause of a kind of write. */
  readonly onRateLimit: (pause: RatePause) => void;
  /** Replaces secrets in texts of the venue. */
  readonly scrub?: ((text: string) => string) | undefined;
  readonly onAnswer?: ((answer: RawAnswer) => void) | undefined;
}

export interface Connection {
  /** Takes the bot's commands. */
  readonly venue: HttpVenue;
  /** Takes the bot's queries. */
  readonly polls: ReadThrottle;
  /** Ends waiting queries and closes connections. */
  close(): Promise<void>;
}

/** @throws BaseUrlError */
export function connectVenue(options: ConnectOptions): Connection {
  const { config, credentials, ids, instruments, clock, log } = options;
  const base = parseBaseUrl(config.venue.baseUrl);
  const dialect = dialectOf(config.venue.dialect);
  const transport = new HttpTransport({ base, clock, timeoutMs: config.venue.timeoutMs });
  const client = new VenueClient({
    transport,
    clock,
    venueClock: options.venueClock,
    credentials,
    dialect,
    apiPrefix: base.mount + dialect.prefix,
    signedPrefix: signedPrefixOf(config.venue),
    onAnswer: options.onAnswer,
    scrub: options.scrub,
    health: new VenueHealth(log),
    onRateLimit(pause) {
      const { bucket, lane, until, exitUntil } = pause;
      if (lane === 'read') polls.backOff(bucket, until, exitUntil);
      else options.onRateLimit(pause);
      log.warn('rate-limited', { bucket, lane, forMs: until - clock.now(), until });
    },
  });
  const clientIdOf = (seq: number): string => ids.idOf(seq);
  const crossWord = config.venue.marginModeWord;
  const turns: PollTurns = {
    turn: (bucket, priority) =>
      new Promise((resolve, reject) => {
        polls.request({ bucket, priority, start: resolve, drop: (why) => reject(new DroppedError(why)) });
        options.onWaiting();
      }),
  };
  const venue = new HttpVenue({ client, dialect, turns, clock, log, instruments, clientIdOf, crossWord, vetoOf: options.vetoOf });
  const { isExitOpen, keyGate, stepClock } = options;
  const polls = new ReadThrottle({ reads: venue, clock: stepClock, ...questionBuckets(pollSettings(config)), isExitOpen, keyGate });
  polls.connect(options.answers);
  venue.attach(options.outcomes, polls);
  const close = async (): Promise<void> => {
    polls.stop();
    await transport.close();
  };
  return { venue, polls, close };
}
