/** Long polling of the Telegram Bot API: gives on what users say, and sends replies. Only one process may poll a bot of Telegram. */
import { isRecord } from '../../base/fields.ts';
import { callTelegram, type TelegramAccess } from './telegram-calls.ts';

/** Time that a poll waits at the service for something to be said, and how long for the answer in all. */
const POLL_SECONDS = 50;
const POLL_TIMEOUT_MS = 60_000;
const SEND_TIMEOUT_MS = 10_000;
const AGAIN_MS = 2_000;
const TEXT_MOST = 4_000;

export interface Heard {
  readonly user: string;
  /** The chat to answer in. */
  readonly chat: string;
  readonly text: string;
  readonly isPress: boolean;
  readonly time: number;
}

export interface SentReply {
  readonly chat: string;
  readonly text: string;
  readonly button?: { readonly text: string; readonly data: string } | undefined;
}

/** Polls until `stop` aborts. `onHeard` is called once for each update, in order. `onFailed` gets the cause of a poll that failed. */
export async function pollTelegram(
  access: TelegramAccess,
  onHeard: (heard: Heard) => void,
  onFailed: (cause: string) => void,
  stop: AbortSignal,
): Promise<void> {
  let offset = 0;
  while (!stop.aborted) {
    const fields = { offset, timeout: POLL_SECONDS, allowed_updates: ['message', 'callback_query'] };
    const answer = await callTelegram(access, 'getUpdates', fields, { timeoutMs: POLL_TIMEOUT_MS, stop });
    if (stop.aborted) return;
    if (!answer.ok) {
      onFailed(answer.cause);
      await new Promise((resolve) => setTimeout(resolve, Math.max(AGAIN_MS, answer.retryAfterMs)));
      continue;
    }
    for (const update of Array.isArray(answer.result) ? (answer.result as unknown[]) : []) {
      if (!isRecord(update) || typeof update['update_id'] !== 'number') continue;
      offset = Math.max(offset, update['update_id'] + 1);
      const heard = heardIn(update);
      if (heard !== null) onHeard(heard);
    }
  }
}

export async function replyTelegram(access: TelegramAccess, { chat, text, button }: SentReply): Promise<void> {
  const markup = button === undefined ? {} : { reply_markup: { inline_keyboard: [[{ text: button.text, callback_data: button.data }]] } };
  await callTelegram(access, 'sendMessage', { chat_id: chat, text: text.slice(0, TEXT_MOST), ...markup }, { timeoutMs: SEND_TIMEOUT_MS });
}

/** The user is that of the message or of the press, as the service says; what the text claims is nothing. A press has no time: it is of now. */
function heardIn(update: Record<string, unknown>): Heard | null {
  const { message, callback_query: press } = update;
  const said = isRecord(press) ? press : message;
  if (!isRecord(said) || !isRecord(said['from']) || typeof said['from']['id'] !== 'number') return null;
  const user = String(said['from']['id']);
  if (isRecord(press))
    return { user, chat: user, text: typeof press['data'] === 'string' ? press['data'] : '', isPress: true, time: Date.now() };
  const { text, chat, date } = said;
  if (typeof text !== 'string' || typeof date !== 'number' || !isRecord(chat) || typeof chat['id'] !== 'number') return null;
  return { user, chat: String(chat['id']), text, isPress: false, time: date * 1000 };
}
