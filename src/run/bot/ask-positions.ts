/** One signed question, so that `doctor` can say whether the venue takes the credentials. Nothing is placed or changed. */
import type { BotConfig, Credentials } from '../../config/model.ts';
import { API_PREFIX } from '../../contract/endpoint.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { parseBaseUrl } from '../../edge/http/base-url.ts';
import { VenueClient } from '../../edge/http/call.ts';
import { HttpTransport } from '../../edge/http/transport.ts';
import { LiveClock } from '../../edge/time/live-clock.ts';

/** null when the venue listed the positions; otherwise why it did not, in words. @throws BaseUrlError */
export async function askPositions({ venue }: BotConfig, credentials: Credentials): Promise<string | null> {
  const clock = new LiveClock();
  const base = parseBaseUrl(venue.baseUrl);
  const transport = new HttpTransport({ base, clock, timeoutMs: venue.timeoutMs });
  const client = new VenueClient({ transport, clock, credentials, apiPrefix: base.mount + API_PREFIX, signedPrefix: venue.signedPrefix });
  try {
    const called = await client.call(ENDPOINTS.positions, {});
    if (called.status === 'accepted') return null;
    if (called.status === 'rejected') return `${called.rejection.code} ${called.rejection.message}`;
    return called.detail === '' ? called.cause : `${called.cause}: ${called.detail}`;
  } finally {
    await transport.close();
  }
}
