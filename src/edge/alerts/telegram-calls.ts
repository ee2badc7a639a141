/** Calls of the Telegram Bot API (https://core.telegram.org/bots/api). The token is part of the path, so no error names the address. */
import { isRecord } from '../../base/fields.ts';
import type { Delivery } from '../../ports/alert-channel.ts';
import { deliveryOf, parsed, post } from './post.ts';

const PUBLIC = 'https://api.telegram.org';

export interface TelegramAccess {
  readonly token: string;
  /** The address of the Bot API; "" for the public one. */
  readonly url: string;
}

export type TelegramAnswer = { readonly ok: true; readonly result: unknown } | Exclude<Delivery, { readonly ok: true }>;

/** Calls one method. Never rejects. */
export async function callTelegram(
  { token, url }: TelegramAccess,
  method: string,
  fields: Readonly<Record<string, unknown>>,
  { timeoutMs, stop }: { readonly timeoutMs: number; readonly stop?: AbortSignal | undefined },
): Promise<TelegramAnswer> {
  const base = url === '' ? PUBLIC : url.replace(/\/+$/, '');
  const answer = await post({ url: `${base}/bot${token}/${method}`, body: JSON.stringify(fields) }, timeoutMs, stop);
  const delivery = deliveryOf(answer, pauseOf);
  if (!delivery.ok) return delivery;
  const body = parsed(answer.body);
  if (isRecord(body) && body['ok'] === true) return { ok: true, result: body['result'] };
  return { ok: false, cause: 'unreadable answer', isFinal: false, retryAfterMs: 0 };
}

/** `parameters.retry_after` of a refused call, in seconds. */
function pauseOf(body: unknown): unknown {
  return isRecord(body) && isRecord(body['parameters']) ? body['parameters']['retry_after'] : undefined;
}
