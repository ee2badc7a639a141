/** Sends alerts by each kind of channel: what is posted, and how the service answers. A kind is a row of base/tables/alert-channels.ts and one here. */
import { createHmac } from 'node:crypto';
import type { ChannelKind, ChannelSettings, Severity } from '../../base/tables/alert-channels.ts';
import { isRecord } from '../../base/fields.ts';
import type { AlertChannel, AlertMessage, Delivery } from '../../ports/alert-channel.ts';
import { deliveryOf, post } from './post.ts';
import { sendMail } from './mail.ts';
import { callTelegram } from './telegram-calls.ts';

/** No service that works takes longer. */
const TIMEOUT_MS = 10_000;

/** A field of the channel; "" if it was left out. */
type Value = (field: string) => string;
type Send = (value: Value, message: AlertMessage, timeoutMs: number) => Promise<Delivery>;

const NTFY = 'https://ntfy.sh';
const NTFY_PRIORITY: Readonly<Record<Severity, number>> = { info: 2, warning: 4, critical: 5 };
/** An end wakes nobody. */
const NTFY_RESOLVED = 3;
const DISCORD_MOST = 2_000;
const TELEGRAM_MOST = 4_096;
const SLACK_MOST = 4_000;
const NTFY_MOST = 4_000;

const SENDERS: Readonly<Record<ChannelKind, Send>> = {
  telegram: async (value, message, timeoutMs) => {
    const acknowledge = { text: 'Acknowledge', callback_data: `ack:${message.alert}` };
    const answer = await callTelegram(
      { token: value('token'), url: value('url') },
      'sendMessage',
      {
        chat_id: value('chat'),
        text: whole(message, TELEGRAM_MOST),
        link_preview_options: { is_disabled: true },
        disable_notification: message.severity === 'info',
        ...(message.alert === 0 || message.isResolved ? {} : { reply_markup: { inline_keyboard: [[acknowledge]] } }),
      },
      { timeoutMs },
    );
    return answer.ok ? { ok: true } : answer;
  },
  // https://discord.com/developers/docs/resources/webhook#execute-webhook: 204; a 429 states `retry_after` in seconds.
  discord: async (value, message, timeoutMs) => {
    const body = JSON.stringify({ content: whole(message, DISCORD_MOST), allowed_mentions: { parse: [] } });
    return deliveryOf(await post({ url: value('url'), body }, timeoutMs), (answer) =>
      isRecord(answer) ? answer['retry_after'] : undefined,
    );
  },
  // https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks: 200 with "ok"; &, < and > are escaped.
  slack: async (value, message, timeoutMs) => {
    const text = whole(message, SLACK_MOST).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    return deliveryOf(await post({ url: value('url'), body: JSON.stringify({ text }) }, timeoutMs));
  },
  // https://docs.ntfy.sh/publish/#publish-as-json: to the root of the server.
  ntfy: async (value, message, timeoutMs) => {
    const { title, text, severity, isResolved } = message;
    const token = value('token');
    const priority = isResolved ? Math.min(NTFY_RESOLVED, NTFY_PRIORITY[severity]) : NTFY_PRIORITY[severity];
    const body = JSON.stringify({ topic: value('topic'), title, message: text.slice(0, NTFY_MOST), priority });
    const headers = token === '' ? {} : { authorization: `Bearer ${token}` };
    return deliveryOf(await post({ url: value('url') || NTFY, body, headers }, timeoutMs));
  },
  // The receiver computes HMAC-SHA256 of "TIME.BODY" and refuses times that are old.
  webhook: async (value, message, timeoutMs) => {
    const body = JSON.stringify(message);
    const signed = createHmac('sha256', value('secret')).update(`${message.time}.${body}`).digest('hex');
    return deliveryOf(
      await post({ url: value('url'), body, headers: { 'x-tickwright-signature': `t=${message.time},v1=${signed}` } }, timeoutMs),
    );
  },
  email: (value, message, timeoutMs) => sendMail({ url: value('url'), sender: value('sender'), to: value('to') }, message, timeoutMs),
};

/** A channel that sends by the settings. `timeoutMs` is the longest wait for the service; 10 seconds by default. */
export function createChannel({ kind, name, values }: ChannelSettings, timeoutMs = TIMEOUT_MS): AlertChannel {
  const value: Value = (field) => values[field]?.reveal() ?? '';
  return { name, send: (message) => SENDERS[kind](value, message, timeoutMs) };
}

function whole({ title, text }: AlertMessage, most: number): string {
  const all = text === '' ? title : `${title}\n${text}`;
  return all.length <= most ? all : `${all.slice(0, most - 1)}…`;
}
