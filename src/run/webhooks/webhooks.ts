/**
 * `tickwright webhooks`: a process that gives what known senders outside say to strategies of the bot, and nothing else. A flood of calls costs
 * this process, not the bot.
 */
import { join } from 'node:path';
import { Failure } from '../../base/failure/failure.ts';
import type { WebhookSender } from '../../base/tables/webhook-senders.ts';
import { SIGNAL_MOST } from '../../control/control-fields.ts';
import type { WebhooksFile } from '../../config/files/webhooks-file.ts';
import { holdFile } from '../../edge/file/exclusive-file.ts';
import { WebhookGate } from '../../edge/webhooks/webhook-gate.ts';
import { NOT_HEARD, startWebhooks } from '../../edge/webhooks/webhook-server.ts';
import type { Log } from '../../ports/log.ts';
import { operate } from '../bot/outside/operate.ts';
import type { Operated } from '../bot/outside/operator-answer.ts';

/** What a bot that starts this process writes to its standard input. */
export interface GivenWebhooks {
  /** The bot's state folder, and the private file of senders. */
  readonly folder: string;
  readonly file: string;
}

export interface WebhooksOptions {
  /** The bot's state folder. */
  readonly folder: string;
  readonly file: WebhooksFile;
  readonly log: Log;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Called with the address once it listens. */
  readonly onReady: (url: string) => void;
}

/** Runs until `signal` aborts. False if another process listens for this bot: calls that it took would be taken again. @throws Error of node:net */
export async function runWebhooks({ folder, file, log, signal, onReady }: WebhooksOptions): Promise<boolean> {
  const held = holdFile(join(folder, 'webhooks.lock'));
  if (held === null) return false;
  try {
    const server = await startWebhooks({
      port: file.port,
      gate: new WebhookGate(file.senders, () => Date.now()),
      give: (sender, text) => given(folder, log, sender, text),
      // The lines of an event are bounded: unknown callers must not hide those of senders.
      onRefused: ({ sender, code, message }) =>
        sender === null
          ? log.warn('webhook-unknown-caller', { code, detail: message })
          : log.warn('webhook-refused', { sender: sender.name, code, detail: message }),
      onError: (error) => log.error('webhooks-failed', { error }),
    });
    log.info('webhooks-ready', {
      url: server.url,
      pid: process.pid,
      senders: file.senders.map(({ name, strategy }) => `${name} → ${strategy}`),
    });
    onReady(server.url);
    if (!signal.aborted)
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve, { once: true });
      });
    await server.close();
    return true;
  } finally {
    held.close();
  }
}

interface Reply {
  readonly status: number;
  readonly body: object;
}

async function given(folder: string, log: Log, { name, strategy }: WebhookSender, text: string): Promise<Reply> {
  if (text.length === 0 || text.length > SIGNAL_MOST) {
    const message = `expected 1 to ${SIGNAL_MOST} characters, found ${text.length}`;
    return { status: 413, body: { ok: false, code: 'too-large', message } };
  }
  try {
    const operated = await operate(folder, 'signal', { strategy, text, by: `webhook ${name}` });
    const reply = replyOf(operated);
    const why = (operated.body as { message?: unknown }).message;
    log.info('webhook-taken', { sender: name, strategy, ...(reply.status === 200 ? {} : { refused: why }) });
    return reply;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    log.warn('webhook-refused', { sender: name, code: error.failure, detail: error.message });
    return UNKNOWN;
  }
}

const HEARD: Reply = { status: 200, body: { ok: true } };
const UNHEARD: Reply = {
  status: NOT_HEARD,
  body: { ok: false, code: 'not-heard', message: 'the strategy was not called; the log of the listener says why' },
};
const UNKNOWN: Reply = {
  status: 504,
  body: {
    ok: false,
    code: 'unknown',
    message: 'the strategy may have been called, or may still be: no answer came from the bot, or its journal does not have the call yet',
  },
};

/** What the bot says is for its operator. The sender is told whether it was heard: one that may have been is not taken again. */
export function replyOf({ by, isRefused, body }: Pick<Operated, 'by' | 'isRefused' | 'body'>): Reply {
  const { code } = body as { code?: unknown };
  if (by === 'silent' || by === 'lost' || code === 'failed' || code === 'not-durable') return UNKNOWN;
  return by === 'running' && !isRefused ? HEARD : UNHEARD;
}
