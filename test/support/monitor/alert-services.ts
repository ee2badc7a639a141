/**
 * Servers of the channels of alerts, made from what the services publish: Telegram Bot API, webhooks of Discord and Slack, ntfy, a webhook
 * that checks the signature, and SMTP. Each takes what the service takes and refuses what it refuses. `next` says how it fails once.
 */
import { createHmac } from 'node:crypto';
import { createServer as createHttp, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** How a service fails: a status with body and headers, no answer, or an answer that is cut. */
export type Fails = { readonly status: number; readonly body?: string; readonly headers?: Record<string, string> } | 'hang' | 'cut';

export interface AlertService {
  readonly url: string;
  /** Bodies of the messages that were taken, as the service read them. */
  readonly taken: Record<string, unknown>[];
  /** What it received, taken or not. */
  readonly asked: string[];
  /** Failures of the next requests, in order. */
  readonly next: Fails[];
  /** Failures of all requests from now on; null for none. */
  always: Fails | null;
  /** Ends the requests that hang. */
  letGo(): void;
  close(): Promise<void>;
}

type Answer = (path: string, body: Record<string, unknown>, request: IncomingMessage, text: string) => { status: number; body: string };

async function service(answer: Answer): Promise<AlertService> {
  const taken: Record<string, unknown>[] = [];
  const asked: string[] = [];
  const next: Fails[] = [];
  const hanging = new Set<ServerResponse>();
  const server: Server = createHttp((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      asked.push(`${request.method} ${request.url}`);
      const fails = next.shift() ?? own.always;
      if (fails === 'hang') return void hanging.add(response);
      if (fails === 'cut') {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"ok":');
        return void setImmediate(() => response.destroy());
      }
      if (fails !== null) return reply(response, fails.status, fails.body ?? '', fails.headers);
      let body: Record<string, unknown>;
      try {
        body = JSON.parse(text) as Record<string, unknown>;
      } catch {
        return reply(response, 400, 'invalid_payload');
      }
      const said = answer(request.url ?? '', body, request, text);
      if (said.status < 300) taken.push(body);
      reply(response, said.status, said.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own: AlertService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    asked,
    next,
    always: null,
    letGo() {
      for (const response of hanging) response.destroy();
      hanging.clear();
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return own;
}

function reply(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
  response
    .writeHead(status, { 'content-type': body.startsWith('{') ? 'application/json' : 'text/plain', ...headers })
    .end(status === 204 ? '' : body);
}

const json = (status: number, body: unknown): { status: number; body: string } => ({ status, body: JSON.stringify(body) });

export interface TelegramService extends AlertService {
  /** Gives an update to the next getUpdates. Ids count up. */
  update(update: Record<string, unknown>): void;
  /** A text of a user, in the chat of the same number unless another is given. */
  say(user: number, text: string, chat?: number): void;
  /** A press of a button under a message. */
  press(user: number, data: string): void;
  /** Texts that were sent, in order. */
  texts(): string[];
}

/** https://core.telegram.org/bots/api: token in the path; {ok, result} or {ok, error_code, description, parameters}. */
export async function telegramService(token: string): Promise<TelegramService> {
  const updates: Record<string, unknown>[] = [];
  let last = 0;
  const base = await service((path, body) => {
    const method = path.split('/').at(-1);
    if (!path.startsWith(`/bot${token}/`)) return json(401, { ok: false, error_code: 401, description: 'Unauthorized' });
    if (method === 'getUpdates') {
      const offset = Number(body['offset'] ?? 0);
      while (updates.length > 0 && Number(updates[0]!['update_id']) < offset) updates.shift();
      return json(200, { ok: true, result: updates });
    }
    if (method === 'answerCallbackQuery') return json(200, { ok: true, result: true });
    if (method !== 'sendMessage') return json(404, { ok: false, error_code: 404, description: 'Not Found' });
    const text = body['text'] as string;
    if (text === '') return json(400, { ok: false, error_code: 400, description: 'Bad Request: message text is empty' });
    if (text.length > 4096) return json(400, { ok: false, error_code: 400, description: 'Bad Request: message is too long' });
    const keyboard = (body['reply_markup'] as { inline_keyboard?: { callback_data?: string }[][] } | undefined)?.inline_keyboard ?? [];
    if (keyboard.flat().some(({ callback_data: data = '' }) => data.length < 1 || data.length > 64)) {
      return json(400, { ok: false, error_code: 400, description: 'Bad Request: BUTTON_DATA_INVALID' });
    }
    return json(200, { ok: true, result: { message_id: 1 } });
  });
  const update = (one: Record<string, unknown>): void => void updates.push({ update_id: ++last, ...one });
  return Object.assign(base, {
    update,
    say: (user: number, text: string, chat = user) =>
      update({ message: { message_id: last, from: { id: user }, chat: { id: chat }, date: Math.floor(Date.now() / 1000), text } }),
    press: (user: number, data: string) => update({ callback_query: { id: String(last), from: { id: user }, data } }),
    texts: () =>
      base.taken.filter((one) => typeof one['text'] === 'string' && one['chat_id'] !== undefined).map((one) => String(one['text'])),
  });
}

/** Discord: 204 without a body; content of at most 2,000 characters. */
export function discordService(): Promise<AlertService> {
  return service((_path, { content }) => {
    if (typeof content !== 'string' || content === '' || content.length > 2000)
      return json(400, { code: 50_006, message: 'Cannot send an empty message' });
    return { status: 204, body: '' };
  });
}

/** Slack: 200 "ok"; texts with characters that have to be escaped are refused here, where Slack would read them as markup. */
export function slackService(): Promise<AlertService> {
  return service((_path, { text }) => {
    if (typeof text !== 'string' || text === '') return { status: 400, body: 'no_text' };
    if (/[<>]|&(?!amp;|lt;|gt;)/.test(text)) return { status: 400, body: 'invalid_payload' };
    return { status: 200, body: 'ok' };
  });
}

/** ntfy: JSON to the root; priority 1 to 5; a token if the topic is protected. */
export function ntfyService(token = ''): Promise<AlertService> {
  return service((path, { topic, priority }, request) => {
    if (path !== '/' || typeof topic !== 'string')
      return json(400, { code: 40_024, http: 400, error: 'invalid request: body must be message JSON' });
    if (token !== '' && request.headers.authorization !== `Bearer ${token}`)
      return json(401, { code: 40_101, http: 401, error: 'unauthorized' });
    if (![1, 2, 3, 4, 5].includes(priority as number)) return json(400, { code: 40_007, http: 400, error: 'invalid priority parameter' });
    return json(200, { id: 'x', event: 'message', topic });
  });
}

/** A receiver that checks the signature of the whole body and its time. */
export function webhookService(secret: string): Promise<AlertService> {
  return service((_path, _body, request, text) => {
    const [, time = '', given = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(request.headers['x-tickwright-signature'])) ?? [];
    const expected = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex');
    return given === expected ? { status: 200, body: '' } : { status: 403, body: '' };
  });
}

/** SMTP of RFC 5321, as far as one message needs it. `refusal` is the reply to RCPT, such as "550 no such user". */
export async function smtpService(): Promise<AlertService & { refusal: string }> {
  const taken: Record<string, unknown>[] = [];
  const asked: string[] = [];
  const next: Fails[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    if (next[0] === 'hang') return void next.shift();
    socket.write('220 mail ESMTP\r\n');
    let data: string | null = null;
    let rest = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      rest += chunk;
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (data !== null) {
          if (line !== '.') data += `${line}\n`;
          else {
            taken.push({ mail: data });
            data = null;
            socket.write('250 taken\r\n');
          }
          continue;
        }
        asked.push(line);
        const word = line.split(' ')[0]!.toUpperCase();
        if (next[0] === 'cut' && word === 'MAIL') return void (next.shift(), socket.destroy());
        if (word === 'EHLO') socket.write('250-mail\r\n250 AUTH PLAIN\r\n');
        else if (word === 'AUTH')
          socket.write(line.includes(Buffer.from('\0user\0good').toString('base64')) ? '235 welcome\r\n' : '535 wrong\r\n');
        else if (word === 'RCPT' && own.refusal !== '') socket.write(`${own.refusal}\r\n`);
        else if (word === 'DATA') {
          data = '';
          socket.write('354 go on\r\n');
        } else socket.write(word === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = {
    url: `smtp://user:good@127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    asked,
    next,
    always: null,
    refusal: '',
    letGo() {
      for (const socket of sockets) socket.destroy();
    },
    close: () =>
      new Promise<void>((resolve) => {
        own.letGo();
        server.close(() => resolve());
      }),
  };
  return own;
}
