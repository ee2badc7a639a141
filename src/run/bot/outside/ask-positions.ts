/** Reads of `doctor` from the venue, with the bot's own client. Nothing is placed or changed. */
import type { BotConfig, Credentials } from '../../../config/model.ts';
import { API_PREFIX } from '../../../contract/endpoints/endpoint.ts';
import { ENDPOINTS } from '../../../contract/endpoints/endpoints.ts';
import { parseBaseUrl } from '../../../edge/http/base-url.ts';
import { VenueClient } from '../../../edge/http/call.ts';
import type { Called } from '../../../edge/http/outcome.ts';
import { HttpTransport } from '../../../edge/http/transport.ts';
import { LiveClock } from '../../../edge/time/live-clock.ts';

/** Reads positions. Returns null on success, otherwise the reason in words. @throws BaseUrlError */
export async function askPositions({ venue }: BotConfig, credentials: Credentials): Promise<string | null> {
  const called = await withClient(venue, credentials, (client) => client.call(ENDPOINTS.positions, {}));
  return called.status === 'accepted' ? null : whyNot(called);
}

/** Result of a public read. */
export interface VenueFound {
  /** Why there was no valid answer; null if there was one. */
  readonly refusal: string | null;
  /** Duration of the call, and how far the venue's clock is ahead of ours, in milliseconds; NaN without an answer. */
  readonly tookMs: number;
  readonly aheadMs: number;
}

/** Reads one book ticker (E7), which checks address, answer format and clock. @throws BaseUrlError */
export async function askVenue({ venue, instruments }: BotConfig): Promise<VenueFound> {
  const symbol = instruments.find((one) => one.product === 'futures')?.symbol ?? 'BTCUSDT';
  const called = await withClient(venue, null, (client) => client.call(ENDPOINTS.bookTickers, { symbol }));
  if (called.status !== 'accepted') return { refusal: whyNot(called), tookMs: Number.NaN, aheadMs: Number.NaN };
  const { sentAt, receivedAt, requestTime } = called;
  return { refusal: null, tookMs: receivedAt - sentAt, aheadMs: Math.round(requestTime - (sentAt + receivedAt) / 2) };
}

async function withClient<T>(
  venue: BotConfig['venue'],
  credentials: Credentials | null,
  ask: (client: VenueClient) => Promise<T>,
): Promise<T> {
  const clock = new LiveClock();
  const base = parseBaseUrl(venue.baseUrl);
  const transport = new HttpTransport({ base, clock, timeoutMs: venue.timeoutMs });
  try {
    return await ask(
      new VenueClient({ transport, clock, credentials, apiPrefix: base.mount + API_PREFIX, signedPrefix: venue.signedPrefix }),
    );
  } finally {
    await transport.close();
  }
}

function whyNot(called: Exclude<Called<unknown>, { status: 'accepted' }>): string {
  if (called.status === 'rejected') return `${called.rejection.code} ${called.rejection.message}`;
  return called.detail === '' ? called.cause : `${called.cause}: ${called.detail}`;
}
