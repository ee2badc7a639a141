/** Reads of `doctor` from the venue, with the bot's own client. Nothing is placed or changed. */
import type { Credentials } from '../../../base/secret.ts';
import type { BotConfig } from '../../../config/model.ts';
import { parseBaseUrl } from '../../../edge/http/base-url.ts';
import { complete } from '../../../edge/http/asking.ts';
import { VenueClient } from '../../../edge/http/call.ts';
import { HttpTransport } from '../../../edge/http/transport.ts';
import { LiveClock } from '../../../edge/time/live-clock.ts';
import type { Query } from '../../../ports/venue.ts';
import { queryContext, type Answered, type NotAnswered } from '../../../venue/dialect.ts';
import { dialectOf, signedPrefixOf } from '../../../venue/registry/dialects.ts';
import { instrumentsOf } from '../../setup/instruments/instruments.ts';

/** Reads positions. Returns null on success, otherwise the reason in words. @throws BaseUrlError */
export async function askPositions(config: BotConfig, credentials: Credentials): Promise<string | null> {
  const result = await askVenueFor(config, credentials, { kind: 'positions', instrument: -1 });
  return 'answer' in result ? null : whyNot(result);
}

/** Result of a public read. */
export interface VenueFound {
  /** Why there was no valid answer; null if there was one. */
  readonly refusal: string | null;
  /** Duration of the call, and how far the venue's clock is ahead of ours, in milliseconds; NaN without an answer. */
  readonly tookMs: number;
  readonly aheadMs: number;
}

/** Reads best bid and ask (E7), which checks address, answer format and clock. @throws BaseUrlError */
export async function askVenue(config: BotConfig): Promise<VenueFound> {
  const instrument = instrumentsOf(config.instruments).find((one) => one.product === 'futures')?.index ?? -1;
  const result = await askVenueFor(config, null, { kind: 'quotes', instrument });
  if (!('answer' in result)) return { refusal: whyNot(result), tookMs: Number.NaN, aheadMs: Number.NaN };
  const { sentAt, receivedAt, requestTime } = result.from;
  return { refusal: null, tookMs: receivedAt - sentAt, aheadMs: Math.round(requestTime - (sentAt + receivedAt) / 2) };
}

/** @throws ScaleError if a record does not fit its instrument */
async function askVenueFor(
  { venue, instruments }: BotConfig,
  credentials: Credentials | null,
  query: Query,
): Promise<Answered | NotAnswered> {
  const clock = new LiveClock();
  const base = parseBaseUrl(venue.baseUrl);
  const dialect = dialectOf(venue.dialect);
  const transport = new HttpTransport({ base, clock, timeoutMs: venue.timeoutMs });
  try {
    const apiPrefix = base.mount + dialect.prefix;
    const client = new VenueClient({ transport, clock, credentials, dialect, apiPrefix, signedPrefix: signedPrefixOf(venue) });
    const asking = dialect.answerTo(
      query,
      queryContext(instrumentsOf(instruments), () => clock.now()),
    );
    return await complete(asking, (endpoint, params) => client.call(endpoint, params));
  } finally {
    await transport.close();
  }
}

function whyNot(called: NotAnswered): string {
  if (called.status === 'rejected') return `${called.rejection.code} ${called.rejection.message}`;
  return called.detail === '' ? called.cause : `${called.cause}: ${called.detail}`;
}
