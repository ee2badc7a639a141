/** Reads the private file of alerts: the channels with their secrets, and the address that is told each minute that the bot is well. */
import { CHANNEL_KINDS, SEVERITIES, type ChannelKind, type ChannelSettings, type Severity } from '../../base/tables/alert-channels.ts';
import { Failure } from '../../base/failure/failure.ts';
import { isRecord, problemsOf, type Field, type FieldTable } from '../../base/fields.ts';
import { Secret } from '../../base/secret.ts';
import { readPrivateYaml, withoutValue } from './private-yaml.ts';

export interface AlertsFile {
  readonly channels: readonly ChannelSettings[];
  /** The address that is asked each minute while the bot is well; null for none. */
  readonly ping: Secret | null;
}

/** What every channel has besides the fields of its kind. */
const COMMON: FieldTable = {
  name: {
    kind: 'text',
    form: { pattern: /^[a-z0-9-]{1,32}$/, words: 'lower-case letters, digits and dashes' },
    doc: 'its name in messages and lists',
  },
  kind: { kind: 'word', words: Object.keys(CHANNEL_KINDS), doc: 'the service' },
  from: { kind: 'word', words: SEVERITIES, isOptional: true, doc: 'the lowest severity that it is told, by default info' },
  escalation: { kind: 'flag', isOptional: true, doc: 'true: it is told only what nobody has acknowledged in time' },
};

const PING: Field = CHANNEL_KINDS.webhook.fields.url;
const FILE: FieldTable = {
  channels: { kind: 'list', isOptional: true, doc: 'the channels, such as - { name: phone, kind: ntfy, topic: "…" }' },
  ping: { ...PING, isOptional: true, doc: 'an address that is asked each minute while the bot is well' },
};

const NO_ALERTS: AlertsFile = { channels: [], ping: null };

/** The contents of `file`; none for "". @throws Failure (configuration) with every problem */
export function readAlertsFile(file: string): AlertsFile {
  if (file === '') return NO_ALERTS;
  const value = readPrivateYaml(file, 'alerts');
  const problems = problemsOf(value, FILE, file, 'the file of alerts').map(withoutValue);
  const given = isRecord(value) && Array.isArray(value['channels']) ? (value['channels'] as unknown[]) : [];
  const names = new Set<unknown>();
  for (const [k, one] of given.entries()) {
    const where = `${file}: channel ${k + 1}`;
    const kind = isRecord(one) && CHANNEL_KINDS[one['kind'] as ChannelKind];
    problems.push(...problemsOf(one, { ...COMMON, ...(kind ? kind.fields : {}) }, where, 'a channel').map(withoutValue));
    const name = isRecord(one) ? one['name'] : undefined;
    if (names.has(name)) problems.push({ what: `"name": ${JSON.stringify(name)} is the name of another channel`, where });
    names.add(name);
  }
  if (problems.length > 0) throw new Failure('alerts-file', problems);
  const ping = (value as { readonly ping?: string }).ping;
  return { channels: given.map((one) => channelOf(one as Record<string, unknown>)), ping: ping === undefined ? null : new Secret(ping) };
}

function channelOf({ name, kind, from = 'info', escalation = false, ...values }: Record<string, unknown>): ChannelSettings {
  return {
    name: name as string,
    kind: kind as ChannelKind,
    from: from as Severity,
    isEscalation: escalation as boolean,
    values: Object.fromEntries(Object.entries(values).map(([field, value]) => [field, new Secret(value as string)])),
  };
}
