/**
 * The table of those outside who may say something to strategies: the fields of a sender, from which the check of the file and its page of
 * the docs follow.
 */
import type { FieldTable } from '../fields.ts';
import type { Secret } from '../secret.ts';

/** signed: each call carries an HMAC by the secret. path: the secret is a part of the address, for services that cannot sign. */
export type SenderKind = 'signed' | 'path';

export interface WebhookSender {
  readonly name: string;
  readonly kind: SenderKind;
  /** The strategy that hears it, and nothing else. */
  readonly strategy: string;
  readonly secret: Secret;
  /** Most signals in any minute. */
  readonly perMinute: number;
}

export const SENDER_FIELDS = {
  name: {
    kind: 'text',
    form: { pattern: /^[a-z0-9-]{1,32}$/, words: 'lower-case letters, digits and dashes' },
    doc: 'its name in the log and in `event.from`',
  },
  kind: { kind: 'word', words: ['signed', 'path'], doc: 'how it shows who it is' },
  strategy: { kind: 'text', doc: 'the strategy whose `onSignal` is called' },
  secret: {
    kind: 'text',
    form: { pattern: /^[A-Za-z0-9_-]{32,200}$/, words: '32 to 200 letters, digits, dashes and underscores' },
    doc: 'its key, such as that of `openssl rand -hex 32`',
  },
  perMinute: { kind: 'whole', min: 1, max: 600, isOptional: true, doc: 'most signals in any minute, by default 10' },
} as const satisfies FieldTable;
