/** One POST of an alert. It follows no redirect, reads at most 64 kB of the answer, and names no part of the address in what it reports. */
import { request } from 'undici';
import type { Delivery } from '../../ports/alert-channel.ts';

const MAX_ANSWER = 65_536;
const MAX_PAUSE_MS = 3_600_000;

export interface Post {
  readonly url: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PostAnswer {
  /** 0 if no whole answer came; `cause` says why. */
  readonly status: number;
  readonly body: string;
  /** The header; "" without. */
  readonly retryAfter: string;
  readonly cause: string;
}

/** Never rejects. `timeoutMs` is the longest wait for the whole answer. */
export async function post({ url, body, headers = {} }: Post, timeoutMs: number, stop?: AbortSignal): Promise<PostAnswer> {
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const signal = stop === undefined ? late : AbortSignal.any([late, stop]);
    const answer = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal,
      maxRedirections: 0,
    } as Parameters<typeof request>[1]);
    let text = '';
    for await (const chunk of answer.body.setEncoding('utf8')) {
      text += chunk as string;
      if (text.length > MAX_ANSWER) {
        answer.body.destroy();
        return failed('too-large');
      }
    }
    const after = answer.headers['retry-after'];
    return { status: answer.statusCode, body: text, retryAfter: typeof after === 'string' ? after : '', cause: '' };
  } catch (error) {
    if (late.aborted) return failed('timeout');
    const { code } = error as NodeJS.ErrnoException;
    return failed(stop?.aborted === true ? 'stopped' : typeof code === 'string' ? code : 'failed');
  }
}

const failed = (cause: string): PostAnswer => ({ status: 0, body: '', retryAfter: '', cause });

/**
 * What became of a POST by its status: 2xx is delivered; 408, 429 and 5xx may be sent again; another status is final. `pauseInBody` reads the pause, in
 * seconds, that a service states in the body of a 429.
 */
export function deliveryOf(answer: PostAnswer, pauseInBody: (body: unknown) => unknown = () => undefined): Delivery {
  if (answer.status === 0) return { ok: false, cause: answer.cause, isFinal: false, retryAfterMs: 0 };
  if (answer.status >= 200 && answer.status < 300) return { ok: true };
  const isFinal = answer.status < 500 && answer.status !== 429 && answer.status !== 408;
  const seconds = isFinal ? 0 : Math.max(secondsOf(answer.retryAfter), secondsOf(pauseInBody(parsed(answer.body))));
  return { ok: false, cause: `status ${answer.status}`, isFinal, retryAfterMs: Math.min(seconds * 1_000, MAX_PAUSE_MS) };
}

/** The body as JSON; null if it is none. */
export function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return null;
  }
}

function secondsOf(given: unknown): number {
  const seconds = typeof given === 'string' && given !== '' ? Number(given) : given;
  return typeof seconds === 'number' && seconds > 0 && Number.isFinite(seconds) ? seconds : 0;
}
