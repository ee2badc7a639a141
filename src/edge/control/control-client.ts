/** HTTP client of a bot's control plane, over its socket or its port on loopback. */
import { request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { controlPath, type SocketName } from './socket-path.ts';

/** The state folder of a bot, whose socket is called; or its port on loopback, with the token. */
export type ControlTarget = string | { readonly port: number; readonly token: string };

/** `isThere` is false if no bot listens on the socket. */
export type ControlCalled =
  | { readonly isThere: true; readonly status: number; readonly body: unknown }
  | { readonly isThere: false; readonly cause: string };

export interface ControlCall {
  /** Whose socket; by default that of the bot. */
  readonly socket?: SocketName;
  readonly method: 'GET' | 'POST';
  readonly name: string;
  readonly given: Readonly<Record<string, unknown>>;
}

/** Longer than the longest wait of any command. */
const TIMEOUT_MS = 90_000;
/** The cause of a call that was given up. */
export const NO_ANSWER = 'no answer';

/** How often a caller is asked whether it still waits. */
const PATIENCE_MS = 50;

/** Calls a bot. The call ends without an answer when `givesUp` returns true. */
export function callControl(target: ControlTarget, call: ControlCall, givesUp: () => boolean = () => false): Promise<ControlCalled> {
  return new Promise((resolve_) => {
    const timer = setInterval(() => {
      if (givesUp()) sent.destroy(new Error(NO_ANSWER));
    }, PATIENCE_MS);
    const resolve = (called: ControlCalled): void => {
      clearInterval(timer);
      resolve_(called);
    };
    const sent = send(
      target,
      call,
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', (error) => resolve({ isThere: false, cause: error.message }));
        response.on('end', () => {
          resolve({ isThere: true, status: response.statusCode ?? 0, body: bodyOf(Buffer.concat(chunks).toString('utf8')) });
        });
      },
      (cause) => resolve({ isThere: false, cause }),
    );
  });
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { ok: false, code: 'failed', message: text, hint: '' };
  }
}

/** Why lines ended: `cause` is "ended", "asked" (aborted), "refused", with what the bot said and the code of its answer, or an error code. */
export interface LinesEnd {
  readonly cause: string;
  readonly said: string;
  readonly code: string;
}

async function refusalIn(response: IncomingMessage): Promise<LinesEnd> {
  const body = await json(response).catch(() => ({ message: 'the answer is not JSON', code: '' }));
  const { message, code } = body as { readonly message?: unknown; readonly code?: unknown };
  return { cause: 'refused', said: String(message), code: String(code) };
}

/** Passes each line to `onLine` until the bot ends the stream or `signal` aborts. */
export function streamControl(
  folder: string,
  call: ControlCall,
  onLine: (line: string) => void,
  signal: AbortSignal,
  givesUp: () => boolean,
): Promise<LinesEnd> {
  return new Promise((resolve_) => {
    const timer = setInterval(() => {
      if (givesUp()) sent.destroy(new Error(NO_ANSWER));
    }, PATIENCE_MS);
    const resolve = (cause: string): void => {
      clearInterval(timer);
      resolve_({ cause, said: '', code: '' });
    };
    const sent = send(
      folder,
      call,
      (response) => {
        clearInterval(timer);
        if (response.statusCode !== 200) return void refusalIn(response).then(resolve_);
        let rest = '';
        response.setEncoding('utf8');
        response.on('data', (text: string) => {
          const lines = (rest + text).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) if (line !== '') onLine(line);
        });
        response.on('close', () => resolve(signal.aborted ? 'asked' : 'ended'));
        response.on('error', () => undefined);
      },
      resolve,
    );
    signal.addEventListener('abort', () => {
      sent.destroy();
      resolve('asked');
    });
  });
}

/** Yields lines as fast as they are taken: a bot disconnects a caller who is too far behind. Returns why they ended. */
export async function* linesOf(target: ControlTarget, call: ControlCall, signal: AbortSignal): AsyncGenerator<string, LinesEnd> {
  const end = (cause: string): LinesEnd => ({ cause: signal.aborted ? 'asked' : cause, said: '', code: '' });
  if (signal.aborted) return end('asked');
  let stop: () => void = () => undefined;
  const opened = await new Promise<IncomingMessage | string>((resolve) => {
    const sent = send(target, call, resolve, resolve);
    stop = () => sent.destroy();
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    if (typeof opened === 'string') return end(opened);
    if (opened.statusCode !== 200) {
      const refusal = await refusalIn(opened);
      return signal.aborted ? end('asked') : refusal;
    }
    let rest = '';
    opened.setEncoding('utf8');
    try {
      for await (const text of opened as AsyncIterable<string>) {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) if (line !== '') yield line;
      }
    } catch (error) {
      return end((error as NodeJS.ErrnoException).code ?? 'ended');
    }
    return end('ended');
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

function send(
  target: ControlTarget,
  { method, name, given, socket }: ControlCall,
  onResponse: (response: IncomingMessage) => void,
  onError: (cause: string) => void,
) {
  const body = method === 'POST' ? JSON.stringify(given) : '';
  const entries = Object.entries(given).map(([key, value]): [string, string] => [key, String(value)]);
  const query = method === 'GET' && entries.length > 0 ? `?${new URLSearchParams(entries).toString()}` : '';
  const isSocket = typeof target === 'string';
  const headers = {
    host: isSocket ? 'tickwright' : `127.0.0.1:${target.port}`,
    ...(isSocket ? {} : { authorization: `Bearer ${target.token}` }),
    ...(body === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  };
  const sent = request({
    ...(isSocket ? { socketPath: controlPath(target, socket) } : { host: '127.0.0.1', port: target.port }),
    method,
    path: `/v1/${name}${query}`,
    headers,
    agent: false,
    timeout: TIMEOUT_MS,
  });
  sent.on('response', onResponse);
  sent.on('timeout', () => sent.destroy(new Error(NO_ANSWER)));
  sent.on('error', (error: NodeJS.ErrnoException) => onError(error.code ?? error.message));
  sent.end(body);
  return sent;
}
