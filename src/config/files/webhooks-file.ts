/** Reads the private file of webhooks: the port, and the senders with their secrets. */
import { Failure } from '../../base/failure/failure.ts';
import { isRecord, problemsOf, type FieldTable } from '../../base/fields.ts';
import { Secret } from '../../base/secret.ts';
import { SENDER_FIELDS, type SenderKind, type WebhookSender } from '../../base/tables/webhook-senders.ts';
import { readPrivateYaml, withoutValue } from './private-yaml.ts';

export interface WebhooksFile {
  /** Port on 127.0.0.1; 0: the system chooses. */
  readonly port: number;
  readonly senders: readonly WebhookSender[];
}

const FILE: FieldTable = {
  port: { kind: 'whole', min: 0, max: 65_535, doc: 'the port on 127.0.0.1 to which the proxy passes calls on' },
  senders: { kind: 'list', doc: 'who may call, such as - { name: desk, kind: signed, strategy: news-trader, secret: "…" }' },
};
const PER_MINUTE = 10;

/** @throws Failure (webhooks-file, credentials-exposed) with every problem */
export function readWebhooksFile(file: string): WebhooksFile {
  const value = readPrivateYaml(file, 'webhooks');
  const problems = problemsOf(value, FILE, file, 'the file of webhooks').map(withoutValue);
  const given = isRecord(value) && Array.isArray(value['senders']) ? (value['senders'] as unknown[]) : [];
  const taken = { name: new Set<unknown>(), secret: new Set<unknown>() };
  for (const [k, one] of given.entries()) {
    const where = `${file}: sender ${k + 1}`;
    problems.push(...problemsOf(one, SENDER_FIELDS, where, 'a sender').map(withoutValue));
    for (const [field, others] of Object.entries(taken)) {
      const own = isRecord(one) ? one[field] : undefined;
      if (others.has(own))
        problems.push({ what: `"${field}" is that of another sender`, where, hint: `give each sender a ${field} of its own` });
      others.add(own);
    }
  }
  if (problems.length > 0) throw new Failure('webhooks-file', problems);
  return { port: (value as { readonly port: number }).port, senders: given.map((one) => senderOf(one as Record<string, unknown>)) };
}

function senderOf({ name, kind, strategy, secret, perMinute = PER_MINUTE }: Record<string, unknown>): WebhookSender {
  return {
    name: name as string,
    kind: kind as SenderKind,
    strategy: strategy as string,
    secret: new Secret(secret as string),
    perMinute: perMinute as number,
  };
}
