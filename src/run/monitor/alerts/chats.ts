/** Lets the users of Telegram channels ask and steer the bot: what they say goes through `Chat`, and commands to the bot's socket. */
import { randomBytes } from 'node:crypto';
import type { ChannelSettings } from '../../../base/tables/alert-channels.ts';
import { Failure } from '../../../base/failure/failure.ts';
import { escapeHiddenInLines } from '../../../base/hidden.ts';
import { pollTelegram, replyTelegram, type Heard } from '../../../edge/alerts/telegram-chat.ts';
import { Chat } from '../../../monitor/alerts/chat.ts';
import type { WhyAnswer } from '../../../control/answers.ts';
import type { ReadModel } from '../../../monitor/model/read-model.ts';
import type { Log } from '../../../ports/log.ts';
import { operate } from '../../bot/outside/operate.ts';
import type { Watcher } from './watcher.ts';

export interface ChatDeps {
  readonly folder: string;
  readonly model: ReadModel;
  readonly now: () => number;
  readonly log: Log;
  /** Ends the escalation of an alert. False if there is no such alert. */
  readonly acknowledge: (alert: number, by: string) => boolean;
}

export class Chats implements Watcher {
  readonly #stop = new AbortController();

  constructor(channels: readonly ChannelSettings[], deps: ChatDeps) {
    for (const { kind, values } of channels) {
      const users = values['users']?.reveal().split(/, ?/) ?? [];
      if (kind !== 'telegram' || users.length === 0) continue;
      const access = { token: values['token']!.reveal(), url: values['url']?.reveal() ?? '' };
      const chat = new Chat(users, () => randomBytes(18).toString('base64url'));
      const onHeard = (heard: Heard): void => {
        void answered(heard, chat, deps).then((reply) =>
          reply === null ? undefined : replyTelegram(access, { chat: heard.chat, ...reply }),
        );
      };
      void pollTelegram(access, onHeard, (cause) => deps.log.warn('chat-failed', { cause }), this.#stop.signal);
    }
  }

  close(): Promise<void> {
    this.#stop.abort();
    return Promise.resolve();
  }
}

async function answered(
  heard: Heard,
  chat: Chat,
  deps: ChatDeps,
): Promise<{ text: string; button?: { text: string; data: string } | undefined } | null> {
  const reply = chat.take(heard, deps.model, deps.now());
  if (reply === null) {
    deps.log.warn('chat-refused', { user: heard.user });
    return null;
  }
  if (reply.kind === 'text') return reply;
  if (reply.kind === 'acknowledge') return { text: deps.acknowledge(reply.alert, reply.by) ? 'Acknowledged.' : 'This alert is over.' };
  const { name, given, by } = reply;
  deps.log.info('chat-command', { name, ...given, by });
  try {
    const { body } = await operate(deps.folder, name, { ...given, ...(given['why'] === undefined ? {} : { by }) });
    return { text: escapeHiddenInLines(name === 'why' && 'ladders' in body ? whyLines(body as WhyAnswer) : textOf(body)) };
  } catch (error) {
    if (error instanceof Failure) return { text: error.message };
    deps.log.error('chat-failed', { cause: 'a command failed', error });
    return { text: 'The command failed; the log of the monitor says why.' };
  }
}

/** Why each strategy does not trade, the first finding of each, and what changes it. */
function whyLines({ ladders }: WhyAnswer): string {
  const lines = ladders.map(({ strategy, symbol, headline, checks }) => {
    const found = checks.find(({ name }) => name === headline);
    if (found === undefined) return `${strategy} on ${symbol}: nothing stops it`;
    return `${strategy} on ${symbol}: ${found.text}${found.fix === '' ? '' : `. To change it: ${found.fix}`}`;
  });
  return lines.length === 0 ? 'No strategy runs.' : lines.join('\n');
}

/** An answer in lines for a small screen. */
function textOf(body: unknown): string {
  const answer = body as Readonly<Record<string, unknown>>;
  if (answer['ok'] === false) return `Refused: ${String(answer['message'])}`;
  if (Array.isArray(answer['did']))
    return [...(answer['did'] as string[]), ...(answer['open'] as string[]).map((one) => `open: ${one}`)].join('\n') || 'Done.';
  return JSON.stringify(
    body,
    (_key, value: unknown) => (value === '' || (Array.isArray(value) && value.length === 0) ? undefined : value),
    1,
  )
    .replace(/["{}[\],]/g, '')
    .replace(/\n\s*\n+/g, '\n');
}
