/** Every kind of channel against a server made from the published protocol of its service: taken, refused, asked to wait, hanging, cut. */
import { afterEach, describe, expect, test } from 'vitest';
import { CHANNEL_KINDS, type ChannelKind } from '../../../../src/base/tables/alert-channels.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { createChannel } from '../../../../src/edge/alerts/channels.ts';
import type { AlertMessage } from '../../../../src/ports/alert-channel.ts';
import {
  discordService,
  ntfyService,
  slackService,
  smtpService,
  telegramService,
  webhookService,
  type AlertService,
} from '../../../support/monitor/alert-services.ts';

const MESSAGE: AlertMessage = {
  alert: 7,
  severity: 'critical',
  title: 'CRITICAL tick: opens are halted',
  text: 'size < 1 & price > 2: daily-loss of the bot',
  time: 1_764_000_000_000,
  isResolved: false,
};
const WHOLE = `${MESSAGE.title}\n${MESSAGE.text}`;
const TOKEN = '123456:AAf0-bcd';

interface Case {
  readonly start: () => Promise<AlertService>;
  readonly values: (url: string) => Record<string, string>;
  /** A wrong secret or address that the service refuses for good; null if the service has none. */
  readonly wrong: Record<string, string> | null;
  /** How the service asks for a pause of seven seconds. */
  readonly pause: { readonly body?: string; readonly headers?: Record<string, string> };
  /** What the service has read of the message. */
  readonly seen: Record<string, unknown>;
}

const HTTP_CASES: Readonly<Record<Exclude<ChannelKind, 'email'>, Case>> = {
  telegram: {
    start: () => telegramService(TOKEN),
    values: (url) => ({ token: TOKEN, chat: '42', url }),
    wrong: { token: '1:x' },
    pause: { body: JSON.stringify({ ok: false, error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 7 } }) },
    seen: { chat_id: '42', text: WHOLE, reply_markup: { inline_keyboard: [[{ text: 'Acknowledge', callback_data: 'ack:7' }]] } },
  },
  discord: {
    start: discordService,
    values: (url) => ({ url }),
    wrong: null,
    pause: { body: JSON.stringify({ message: 'You are being rate limited.', retry_after: 7, global: false }) },
    seen: { content: WHOLE, allowed_mentions: { parse: [] } },
  },
  slack: {
    start: slackService,
    values: (url) => ({ url }),
    wrong: null,
    pause: { headers: { 'retry-after': '7' } },
    seen: { text: WHOLE.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;') },
  },
  ntfy: {
    start: () => ntfyService('tk_good'),
    values: (url) => ({ url, topic: 'bot', token: 'tk_good' }),
    wrong: { token: 'tk_bad' },
    pause: { headers: { 'retry-after': '7' } },
    seen: { topic: 'bot', title: MESSAGE.title, message: MESSAGE.text, priority: 5 },
  },
  webhook: {
    start: () => webhookService('good'),
    values: (url) => ({ url, secret: 'good' }),
    wrong: { secret: 'bad' },
    pause: { headers: { 'retry-after': '7' } },
    seen: { ...MESSAGE },
  },
};

let service: AlertService | null = null;
afterEach(async () => {
  await service?.close();
  service = null;
});

const channel = (kind: ChannelKind, values: Record<string, string>, timeoutMs = 10_000) => {
  const secrets = Object.fromEntries(Object.entries(values).map(([field, value]) => [field, new Secret(value)]));
  return createChannel({ kind, name: 'phone', from: 'info', isEscalation: false, values: secrets }, timeoutMs);
};

test('ntfy: the end of a critical alert has the usual priority, that of an info alert not a higher one', async () => {
  const { start, values } = HTTP_CASES.ntfy;
  service = await start();
  const one = channel('ntfy', values(service.url));
  for (const severity of ['critical', 'warning', 'info'] as const) await one.send({ ...MESSAGE, severity, isResolved: true });
  expect(service.taken).toMatchObject([{ priority: 3 }, { priority: 3 }, { priority: 2 }]);
});

test('every kind of channel has a case', () => {
  expect([...Object.keys(HTTP_CASES), 'email'].sort()).toEqual(Object.keys(CHANNEL_KINDS).sort());
});

describe.each(Object.entries(HTTP_CASES))('%s', (name, { start, values, wrong, pause, seen }) => {
  const kind = name as ChannelKind;

  test('a message arrives as the service wants it', async () => {
    service = await start();
    expect(await channel(kind, values(service.url)).send(MESSAGE)).toEqual({ ok: true });
    expect(service.taken).toMatchObject([seen]);
  });

  test('a text that is too long is cut, not refused', async () => {
    service = await start();
    expect(await channel(kind, values(service.url)).send({ ...MESSAGE, text: 'x'.repeat(20_000) })).toEqual({ ok: true });
  });

  test('a pause that the service asks for is reported; server errors may be tried again; a refusal is final', async () => {
    service = await start();
    const one = channel(kind, values(service.url));
    service.next.push(
      { status: 429, ...pause },
      { status: 503 },
      { status: 403, body: '{"secret":"echo"}' },
      { status: 302, headers: { location: service.url } },
    );
    expect(await one.send(MESSAGE)).toEqual({ ok: false, cause: 'status 429', isFinal: false, retryAfterMs: 7_000 });
    expect(await one.send(MESSAGE)).toEqual({ ok: false, cause: 'status 503', isFinal: false, retryAfterMs: 0 });
    expect(await one.send(MESSAGE)).toEqual({ ok: false, cause: 'status 403', isFinal: true, retryAfterMs: 0 });
    expect(await one.send(MESSAGE), 'a redirect is not followed').toEqual({
      ok: false,
      cause: 'status 302',
      isFinal: true,
      retryAfterMs: 0,
    });
    expect(service.taken).toEqual([]);
  });

  test('a service that hangs, cuts its answer or is away is tried again, and no cause names address or secret', async () => {
    service = await start();
    const one = channel(kind, values(service.url), 300);
    service.next.push('hang', 'cut');
    const results = [await one.send(MESSAGE), await one.send(MESSAGE)];
    await service.close();
    results.push(await one.send(MESSAGE));
    expect(results.map((result) => !result.ok && !result.isFinal)).toEqual([true, true, true]);
    expect(results[0]).toMatchObject({ cause: 'timeout' });
    const said = JSON.stringify(results);
    for (const value of Object.values(values(service.url))) expect(said).not.toContain(value);
    service = null;
  });

  test.runIf(wrong !== null)('a wrong secret is refused for good', async () => {
    service = await start();
    expect(await channel(kind, { ...values(service.url), ...wrong }).send(MESSAGE)).toMatchObject({ ok: false, isFinal: true });
    expect(service.taken).toEqual([]);
  });
});

describe('email', () => {
  const values = (url: string) => ({ url, sender: 'bot@example.com', to: 'me@example.com' });

  test('a message arrives with title and text', async () => {
    service = await smtpService();
    expect(await channel('email', values(service.url)).send(MESSAGE)).toEqual({ ok: true });
    expect(service.asked).toEqual(expect.arrayContaining(['MAIL FROM:<bot@example.com>', 'RCPT TO:<me@example.com>']));
    expect(String(service.taken[0]!['mail'])).toContain(`Subject: ${MESSAGE.title}`);
    expect(String(service.taken[0]!['mail'])).toContain(MESSAGE.text);
  });

  test('replies of 4xx may be tried again, 5xx and a wrong password are final', async () => {
    const smtp = await smtpService();
    service = smtp;
    smtp.refusal = '451 try later';
    expect(await channel('email', values(smtp.url)).send(MESSAGE)).toEqual({
      ok: false,
      cause: 'status 451',
      isFinal: false,
      retryAfterMs: 0,
    });
    smtp.refusal = '550 no such user';
    expect(await channel('email', values(smtp.url)).send(MESSAGE)).toEqual({
      ok: false,
      cause: 'status 550',
      isFinal: true,
      retryAfterMs: 0,
    });
    expect(await channel('email', values(smtp.url.replace('good', 'bad'))).send(MESSAGE)).toMatchObject({ ok: false, isFinal: true });
    expect(smtp.taken).toEqual([]);
  });

  test('a server that hangs, cuts or is away is tried again', async () => {
    service = await smtpService();
    service.next.push('hang', 'cut');
    const one = channel('email', values(service.url), 300);
    const results = [await one.send(MESSAGE), await channel('email', values(service.url)).send(MESSAGE)];
    await service.close();
    results.push(await one.send(MESSAGE));
    expect(results.map((result) => !result.ok && !result.isFinal)).toEqual([true, true, true]);
    service = null;
  });

  test('a server on another machine that has no TLS gets no mail', async () => {
    service = await smtpService();
    const other = service.url.replace('127.0.0.1', '127.0.0.2');
    expect((await channel('email', values(other), 1_000).send(MESSAGE)).ok).toBe(false);
    expect(service.taken).toEqual([]);
  });
});
