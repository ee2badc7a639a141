/**
 * The table of channels that alerts can be sent to, and of the fields that each has in the private file of alerts. The file is read by
 * config/files/alerts-file.ts; edge/alerts sends.
 */
import type { FieldTable, TextForm } from '../fields.ts';
import type { Secret } from '../secret.ts';

/** From the least to the most severe. */
export const SEVERITIES = ['info', 'warning', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

const URL_FORM: TextForm = {
  pattern: /^(https:\/\/\S+|http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(\/\S*)?)$/,
  words: 'an address that begins with https://, or http:// on this machine',
};
const USERS: TextForm = { pattern: /^\d{1,20}(, ?\d{1,20}){0,19}$/, words: 'numbers of users such as "11111, 22222"' };
const MAIL: TextForm = { pattern: /^[^\s@<>,;]+@[^\s@<>,;]+$/, words: 'an e-mail address' };
const SMTP: TextForm = {
  pattern: /^(smtps?:\/\/\S+)$/,
  words: 'an address such as "smtps://user:password@mail.example.com:465"',
};

interface KindRow {
  readonly doc: string;
  readonly fields: FieldTable;
}

export const CHANNEL_KINDS = {
  telegram: {
    doc: 'A bot of Telegram. Users on the list may also give commands.',
    fields: {
      token: { kind: 'text', doc: 'the token that @BotFather gave' },
      chat: { kind: 'text', form: { pattern: /^-?\d{1,20}$/, words: 'the number of a chat' }, doc: 'the chat that gets the messages' },
      users: { kind: 'text', form: USERS, isOptional: true, doc: 'the users who may give commands; nobody if it is left out' },
      url: { kind: 'text', form: URL_FORM, isOptional: true, doc: 'the Bot API, by default https://api.telegram.org' },
    },
  },
  discord: { doc: 'A webhook of a Discord channel.', fields: { url: { kind: 'text', form: URL_FORM, doc: 'the address of the webhook' } } },
  slack: { doc: 'An incoming webhook of Slack.', fields: { url: { kind: 'text', form: URL_FORM, doc: 'the address of the webhook' } } },
  ntfy: {
    doc: 'A topic of ntfy. Who knows the topic can read it, unless it asks for a token.',
    fields: {
      topic: { kind: 'text', form: { pattern: /^[-_A-Za-z0-9]{1,64}$/, words: 'a topic' }, doc: 'the topic' },
      token: { kind: 'text', isOptional: true, doc: 'an access token; by default none' },
      url: { kind: 'text', form: URL_FORM, isOptional: true, doc: 'the server, by default https://ntfy.sh' },
    },
  },
  webhook: {
    doc: 'A POST of JSON to any address, signed by HMAC-SHA256.',
    fields: {
      url: { kind: 'text', form: URL_FORM, doc: 'the address' },
      secret: { kind: 'text', doc: 'the key of the signature' },
    },
  },
  email: {
    doc: 'Mail by SMTP, always with TLS except to this machine. Needs `npm install nodemailer@10.6.1`.',
    fields: {
      url: { kind: 'text', form: SMTP, doc: 'the mail server, with user and password' },
      sender: { kind: 'text', form: MAIL, doc: 'the address that the mail is from' },
      to: { kind: 'text', form: MAIL, doc: 'the address that it is sent to' },
    },
  },
} as const satisfies Readonly<Record<string, KindRow>>;

export type ChannelKind = keyof typeof CHANNEL_KINDS;

/** One channel of the private file. */
export interface ChannelSettings {
  readonly kind: ChannelKind;
  readonly name: string;
  /** The lowest severity that it is told. */
  readonly from: Severity;
  /** True if it is told only what nobody has acknowledged in time. */
  readonly isEscalation: boolean;
  /** The fields of its kind. All of them are secrets, because the address of a webhook is one. */
  readonly values: Readonly<Record<string, Secret>>;
}
