/**
 * A fault plan as data: which requests are harmed, where on their way, how, and how often. One table says what each fault is and
 * takes; reading a plan, the help of the admin interface and the documents go by it.
 */
import { Failure, type Problem } from '../../base/failure.ts';
import { isRecord, problemsOf, type Field, type FieldTable } from '../../base/fields.ts';
import { didYouMean } from '../../base/suggest.ts';
import type { EndpointId } from '../../contract/endpoints/endpoint.ts';
import { endpointById, ENDPOINT_LIST } from '../../contract/endpoints/endpoints.ts';

/** before: the venue has not acted, and does not unless told. after: it has acted, its answer is lost or replaced. answer: in the true answer. */
export const PHASES = ['before', 'after', 'answer'] as const;
export type Phase = (typeof PHASES)[number];

const TRUNCATIONS = ['length', 'chunked', 'close'] as const;
export type Truncation = (typeof TRUNCATIONS)[number];

interface FaultKind {
  /** The first is the default where a rule names none. */
  readonly phases: readonly Phase[];
  readonly fields: FieldTable;
  readonly doc: string;
}

const MS_MAX = 600_000;
const ms = (doc: string, isOptional = false): Field => ({ kind: 'whole', min: 0, max: MS_MAX, doc, isOptional });
const status = (usual: number): Field => ({
  kind: 'whole',
  min: 200,
  max: 599,
  doc: `HTTP status, by default ${usual}`,
  isOptional: true,
});
const share: Field = { kind: 'number', min: 0, max: 1, doc: 'how much of the body is sent, by default half', isOptional: true };

export const FAULTS = {
  drop: { phases: ['after', 'before'], fields: {}, doc: 'no answer at all; the connection stays open' },
  delay: { phases: ['answer', 'before'], fields: { ms: ms('how late') }, doc: 'before: the venue acts late; answer: it answers late' },
  late: {
    phases: ['before'],
    fields: { ms: ms('when it acts after all') },
    doc: 'no answer, and the venue acts long after the caller gave up',
  },
  duplicate: {
    phases: ['before'],
    fields: {
      ms: ms('how long after the first, by default at once', true),
      answer: { kind: 'word', words: ['first', 'second'], doc: 'which answer the caller gets, by default the first', isOptional: true },
    },
    doc: 'the same bytes are delivered twice',
  },
  reset: { phases: ['after', 'before', 'answer'], fields: { share }, doc: 'the connection is reset; in the answer: mid body' },
  truncate: {
    phases: ['answer'],
    fields: {
      share,
      how: {
        kind: 'word',
        words: TRUNCATIONS,
        doc: 'length: shorter than declared (default); chunked: no last chunk; close: ended by the connection alone, without an error',
        isOptional: true,
      },
    },
    doc: 'the body ends too soon',
  },
  status: {
    phases: ['after', 'before'],
    fields: {
      status: status(502),
      retryAfter: { kind: 'text', doc: 'the Retry-After header, as it is to be sent', isOptional: true },
    },
    doc: 'an error status such as 429 or 502 with an envelope that says so',
  },
  refuse: {
    phases: ['before'],
    fields: { msg: { kind: 'text', doc: 'its message, such as "Already ordering"' }, status: status(400) },
    doc: 'a refusal out of the error table of the endpoint, whatever the request is',
  },
  html: { phases: ['after', 'before'], fields: { status: status(502) }, doc: 'an HTML page' },
  malformed: { phases: ['after', 'before'], fields: { status: status(200) }, doc: 'JSON with a piece broken out' },
  'wrong-types': { phases: ['after', 'before'], fields: { status: status(200) }, doc: 'an envelope with values of other types' },
  empty: { phases: ['after', 'before'], fields: { status: status(200) }, doc: 'no body' },
  huge: {
    phases: ['after', 'before'],
    fields: {
      status: status(200),
      bytes: { kind: 'whole', min: 1, max: 2 ** 30, doc: 'how many, by default 64 MiB', isOptional: true },
    },
    doc: 'a body that does not end soon',
  },
  stale: { phases: ['answer'], fields: { ms: ms('how old at least') }, doc: 'the answer as it was some time ago; reads only' },
  reorder: {
    phases: ['answer'],
    fields: { ms: ms('waits no longer than this, by default 1000', true) },
    doc: 'the answer waits until a later request to the endpoint was answered',
  },
  mixup: { phases: ['answer'], fields: {}, doc: 'the successful answer to another request to the endpoint' },
  skew: {
    phases: ['answer'],
    fields: { ms: { kind: 'whole', min: -86_400_000, max: 86_400_000, doc: 'added to requestTime' } },
    doc: 'requestTime is off',
  },
} as const satisfies Readonly<Record<string, FaultKind>>;

export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as readonly FaultName[];

/** One rule. Requests it concerns are counted from 0; `probability` or `every` picks among them, neither takes all. */
export interface FaultRule {
  readonly endpoints: ReadonlySet<EndpointId>;
  readonly phase: Phase;
  readonly fault: FaultName;
  readonly probability: number;
  readonly every: number;
  /** Requests left alone at first, and the most that are harmed. */
  readonly skip: number;
  readonly count: number;
  readonly ms: number;
  readonly share: number;
  /** 0 where the rule names none. */
  readonly status: number;
  readonly bytes: number;
  readonly how: Truncation;
  readonly retryAfter: string;
  /** Of a row of the error table; "" where the rule names none. */
  readonly msg: string;
  readonly answersSecond: boolean;
}

export interface FaultPlan {
  readonly seed: number;
  readonly rules: readonly FaultRule[];
}

const IDS = ENDPOINT_LIST.map((endpoint) => endpoint.id);
const GROUPS: Readonly<Record<string, readonly EndpointId[]>> = {
  all: IDS,
  reads: ENDPOINT_LIST.filter(({ method }) => method === 'GET').map(({ id }) => id),
  writes: ENDPOINT_LIST.filter(({ method }) => method === 'POST').map(({ id }) => id),
};
const NAMES: readonly string[] = [...Object.keys(GROUPS), ...IDS];
const RULES_MAX = 200;

const COMMON: FieldTable = {
  endpoints: { kind: 'words', words: NAMES, doc: 'endpoints such as ["E12"], or all, reads, writes; by default all', isOptional: true },
  fault: { kind: 'word', words: FAULT_NAMES, doc: `one of ${FAULT_NAMES.join(', ')}` },
  phase: { kind: 'word', words: PHASES, doc: 'before or after the venue acted, or in its answer', isOptional: true },
  probability: { kind: 'number', min: 0, max: 1, doc: 'share of the requests', isOptional: true },
  every: { kind: 'whole', min: 1, max: 1e9, doc: 'every n-th request', isOptional: true },
  skip: { kind: 'whole', min: 0, max: 1e9, doc: 'requests left alone at first', isOptional: true },
  count: { kind: 'whole', min: 1, max: 1e9, doc: 'the most faults of this rule', isOptional: true },
};
const PLAN: FieldTable = {
  seed: { kind: 'whole', min: 0, max: Number.MAX_SAFE_INTEGER, doc: 'seed of all chance, by default 1', isOptional: true },
};

/** Reads a plan from plain data; `where` names its source in errors. @throws Failure (configuration) with every problem */
export function readFaultPlan(value: unknown, where: string): FaultPlan {
  if (!isRecord(value)) throw new Failure('fault-plan', { what: 'expected a fault plan as an object with "rules"', where });
  const { rules, ...rest } = value;
  const problems = problemsOf(rest, PLAN, where, 'a fault plan');
  if (!Array.isArray(rules) || rules.length > RULES_MAX) {
    problems.push({ what: `"rules": expected a list of at most ${RULES_MAX} rules`, where });
    throw new Failure('fault-plan', problems);
  }
  for (const [k, rule] of rules.entries()) problems.push(...problemsOfRule(rule, `${where}: rule ${k + 1}`));
  if (problems.length > 0) throw new Failure('fault-plan', problems);
  return { seed: Number(value['seed'] ?? 1), rules: rules.map((rule) => ruleOf(rule as Record<string, unknown>)) };
}

function problemsOfRule(rule: unknown, where: string): Problem[] {
  const named = isRecord(rule) ? rule['fault'] : undefined;
  const kind: FaultKind | null = typeof named === 'string' && Object.hasOwn(FAULTS, named) ? FAULTS[named as FaultName] : null;
  // Where the fault itself is not known, its own keys are not either.
  if (kind === null)
    return problemsOf(rule, COMMON, where, 'a rule').filter(({ what }) => !isRecord(rule) || /"(?:fault|phase)"/.test(what));
  const given = spread(rule as Record<string, unknown>);
  const problems = problemsOf(given, { ...COMMON, ...kind.fields }, where, `a rule of "${String(named)}"`);
  const phase = given['phase'];
  if (typeof phase === 'string' && (PHASES as readonly string[]).includes(phase) && !kind.phases.includes(phase as Phase)) {
    const list = kind.phases.join(' or ');
    problems.push({ what: `"phase": "${String(named)}" can be ${list}, found ${JSON.stringify(phase)}`, where, hint: kind.doc });
  }
  if (given['probability'] !== undefined && given['every'] !== undefined) {
    problems.push({ what: 'expected "probability" or "every", found both', where });
  }
  if (problems.length === 0 && named === 'stale' && endpointsOf(given).every((id) => !GROUPS['reads']!.includes(id))) {
    problems.push({ what: '"stale" is for reads, and these endpoints are writes', where });
  }
  if (problems.length === 0 && named === 'refuse') problems.push(...problemsOfRow(given, where));
  return problems;
}

/** Every endpoint of the rule has to have the row. */
function problemsOfRow(given: Record<string, unknown>, where: string): Problem[] {
  const msg = String(given['msg']);
  return endpointsOf(given).flatMap((id) => {
    const rows = endpointById(id).errors.map((row) => row.msg);
    if (rows.includes(msg)) return [];
    return [{ what: `"msg": ${id} has no row ${JSON.stringify(msg)} in its error table`, where, hint: didYouMean(msg, rows) ?? undefined }];
  });
}

/** `endpoints` may be one word. */
function spread(rule: Record<string, unknown>): Record<string, unknown> {
  return typeof rule['endpoints'] === 'string' ? { ...rule, endpoints: [rule['endpoints']] } : rule;
}

function endpointsOf(rule: Record<string, unknown>): EndpointId[] {
  const names = (rule['endpoints'] ?? ['all']) as readonly string[];
  return names.flatMap((name) => GROUPS[name] ?? [name as EndpointId]);
}

function ruleOf(raw: Record<string, unknown>): FaultRule {
  const rule = spread(raw);
  const fault = rule['fault'] as FaultName;
  const ids = endpointsOf(rule);
  return {
    endpoints: new Set(fault === 'stale' ? ids.filter((id) => GROUPS['reads']!.includes(id)) : ids),
    phase: (rule['phase'] as Phase | undefined) ?? FAULTS[fault].phases[0],
    fault,
    probability: Number(rule['probability'] ?? 1),
    every: Number(rule['every'] ?? 1),
    skip: Number(rule['skip'] ?? 0),
    count: Number(rule['count'] ?? Infinity),
    ms: Number(rule['ms'] ?? (fault === 'reorder' ? 1_000 : 0)),
    share: Number(rule['share'] ?? 0.5),
    status: Number(rule['status'] ?? 0),
    bytes: Number(rule['bytes'] ?? 64 << 20),
    how: (rule['how'] as Truncation | undefined) ?? 'length',
    retryAfter: (rule['retryAfter'] as string | undefined) ?? '',
    msg: (rule['msg'] as string | undefined) ?? '',
    answersSecond: rule['answer'] === 'second',
  };
}
