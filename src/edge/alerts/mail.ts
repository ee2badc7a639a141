/** Sends an alert by SMTP; the only importer of nodemailer, which its user installs. TLS is required, except to a server on this machine. */
import type * as Mailer from 'nodemailer';
import type { AlertMessage, Delivery } from '../../ports/alert-channel.ts';

interface MailSettings {
  /** `smtps://user:password@host:port`, or `smtp://` with STARTTLS. */
  readonly url: string;
  readonly sender: string;
  readonly to: string;
}

interface SmtpError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
}

/** Never rejects. A reply of 5xx is final; nothing of the address is in the cause. */
export async function sendMail({ url, sender, to }: MailSettings, message: AlertMessage, timeoutMs: number): Promise<Delivery> {
  const server = new URL(url);
  const host = server.hostname.replace(/^\[|\]$/g, '');
  const isHere = ['127.0.0.1', 'localhost', '::1'].includes(host);
  const isSecure = server.protocol === 'smtps:';
  const mailer = await loadMailer();
  if (mailer === null)
    return { ok: false, cause: 'nodemailer is not installed: npm install nodemailer@10.6.1', isFinal: true, retryAfterMs: 0 };
  const { createTransport } = mailer;
  const transport = createTransport({
    host,
    port: Number(server.port) || (isSecure ? 465 : 587),
    secure: isSecure,
    requireTLS: !isSecure && !isHere,
    ...(server.username === '' ? {} : { auth: { user: decodeURIComponent(server.username), pass: decodeURIComponent(server.password) } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const late = Promise.withResolvers<Delivery>();
  const timer = setTimeout(() => late.resolve({ ok: false, cause: 'timeout', isFinal: false, retryAfterMs: 0 }), timeoutMs);
  try {
    return await Promise.race([
      deliver(() => transport.sendMail({ from: sender, to, subject: message.title, text: message.text })),
      late.promise,
    ]);
  } finally {
    clearTimeout(timer);
    transport.close();
  }
}

/** The package is not part of the program: who wants mail installs it. */
function loadMailer(): Promise<typeof Mailer | null> {
  return import('nodemailer').catch(() => null);
}

async function deliver(send: () => Promise<unknown>): Promise<Delivery> {
  try {
    await send();
    return { ok: true };
  } catch (error) {
    const { code = 'failed', responseCode = 0 } = error as SmtpError;
    const cause = responseCode > 0 ? `status ${responseCode}` : code;
    return { ok: false, cause, isFinal: responseCode >= 500 || code === 'EAUTH', retryAfterMs: 0 };
  }
}
