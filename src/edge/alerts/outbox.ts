/**
 * The messages that wait for one channel. They leave one after the other, and are sent again until the channel takes or refuses them. The
 * queue is bounded: the oldest is dropped, and the next message says how many were.
 */
import type { AlertChannel, AlertMessage, Delivery } from '../../ports/alert-channel.ts';

/** What became of a message for good. */
export type Fate = 'delivered' | 'refused' | 'dropped' | 'given-up';

export interface Waiting {
  /** Number of the message, for whoever keeps the books. */
  readonly number: number;
  readonly message: AlertMessage;
}

export interface OutboxOptions {
  readonly now: () => number;
  /** Called once for each message, with how often it was sent. */
  readonly onFate: (waiting: Waiting, fate: Fate, cause: string, tries: number) => void;
  /** Largest number of messages that wait. Default 100. */
  readonly most?: number;
  /** First pause after a failure; it doubles up to a minute. Default one second. */
  readonly pauseMs?: number;
}

const PAUSE_MOST_MS = 60_000;
/** Who reads an alert so late is misled by it. */
const AGE_MOST_MS = 3_600_000;

export class Outbox {
  readonly #channel: AlertChannel;
  readonly #options: OutboxOptions;
  readonly #queue: Waiting[] = [];
  #dropped = 0;
  #isSending = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  /** Time when the first of the failures in a row was; 0 if the last message was taken. */
  failingSince = 0;
  cause = '';

  constructor(channel: AlertChannel, options: OutboxOptions) {
    this.#channel = channel;
    this.#options = options;
  }

  get name(): string {
    return this.#channel.name;
  }

  get length(): number {
    return this.#queue.length;
  }

  add(waiting: Waiting): void {
    this.#queue.push(waiting);
    if (this.#queue.length > (this.#options.most ?? 100)) {
      // The first one may be on its way.
      const [oldest] = this.#queue.splice(this.#isSending ? 1 : 0, 1);
      this.#dropped++;
      this.#options.onFate(oldest!, 'dropped', 'too many messages wait', 0);
    }
    void this.#send();
  }

  /** Messages that wait are left; they are in the books. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    let tries = 0;
    for (let head = this.#queue[0]; head !== undefined && !this.#isClosed; head = this.#queue[0]) {
      const result = await this.#channel.send(this.#worded(head.message));
      if (this.#isClosed) return;
      tries++;
      const fate = this.#fateOf(head, result);
      if (fate === null) await this.#pause(tries, result.ok ? 0 : result.retryAfterMs);
      else {
        this.#queue.shift();
        this.#options.onFate(head, fate, result.ok ? '' : result.cause, tries);
        tries = 0;
      }
    }
    this.#isSending = false;
  }

  #fateOf({ message }: Waiting, result: Delivery): Fate | null {
    if (result.ok) {
      this.failingSince = 0;
      this.cause = '';
      this.#dropped = 0;
      return 'delivered';
    }
    this.failingSince ||= this.#options.now();
    this.cause = result.cause;
    if (result.isFinal) return 'refused';
    return this.#options.now() - message.time > AGE_MOST_MS ? 'given-up' : null;
  }

  #worded(message: AlertMessage): AlertMessage {
    if (this.#dropped === 0) return message;
    return { ...message, text: `${message.text}\n(${this.#dropped} older messages were dropped)` };
  }

  #pause(tries: number, asked: number): Promise<void> {
    const own = Math.min((this.#options.pauseMs ?? 1_000) * 2 ** Math.min(tries - 1, 10), PAUSE_MOST_MS);
    return new Promise((resolve) => {
      this.#timer = setTimeout(resolve, Math.max(own, asked));
    });
  }
}
