/**
 * A fault plan: rules for which requests get a fault, at which phase, of which kind and how often. One table defines each fault and its
 * fields. The parser, the help of the admin interface and the documentation use it.
 */
import { Failure, type Problem } from '../../../base/failure/failure.ts';
import { isRecord, problemsOf, type Field, type FieldTable } from '../../../base/fields.ts';
import { didYouMean } from '../../../base/text/suggest.ts';
import type { EndpointId } from '../../../contract/endpoints/endpoint.ts';
import { endpointById, ENDPOINT_LIST } from '../../../contract/endpoints/endpoints.ts';

/**
 * before: the venue has not acted, and most faults prevent it. after: the venue has acted, its answer is lost or replaced. answer: the true
 * answer is changed.
 */
export const PHASES = ['before', 'after', 'answer'] as const;
export type Phase = (typeof PHASES)[number];

const TRUNCATIONS = ['length', 'chunked', 'close'] as const;
export type Truncation = (typeof TRUNCATIONS)[number];

interface FaultKind {
  /** Allowed phases. The first is the default. */
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
  doc: `HTTP status, ${usual} by default`,
  isOptional: true,
});
const share: Field = { kind: 'number', min: 0, max: 1, doc: 'share of the body that is sent, 0.5 by default', isOptional: true };

export const FAULTS = {
  drop: { phases: ['after', 'before'], fields: {}, doc: 'no answer at all; the connection stays open' },
  delay: {
    phases: ['answer', 'before'],
    fields: { ms: ms('length of the delay in milliseconds') },
    doc: 'in phase before, the venue acts late; in phase answer, it answers late',
  },
  late: {
    phases: ['before'],
    fields: { ms: ms('milliseconds until the venue acts') },
    doc: 'no answer, and the venue acts long after the caller gave up',
  },
  duplicate: {
    phases: ['before'],
    fields: {
      ms: ms('milliseconds after the first delivery, 0 by default', true),
      answer: { kind: 'word', words: ['first', 'second'], doc: 'which answer the caller gets, the first by default', isOptional: true },
    },
    doc: 'the same bytes are delivered twice',
  },
  reset: {
    phases: ['after', 'before', 'answer'],
    fields: { share },
    doc: 'the connection is reset; in phase answer, in the middle of the body',
  },
  truncate: {
    phases: ['answer'],
    fields: {
      share,
      how: {
        kind: 'word',
        words: TRUNCATIONS,
        doc: 'length: shorter than declared (default); chunked: without the last chunk; close: the connection closes without an error',
        isOptional: true,
      },
    },
    doc: 'the body ends early',
  },
  status: {
    phases: ['after', 'before'],
    fields: {
      status: status(502),
      retryAfter: { kind: 'text', doc: 'exact value of the Retry-After header', isOptional: true },
    },
    doc: 'an error status such as 429 or 502, with a matching envelope',
  },
  refuse: {
    phases: ['before'],
    fields: { msg: { kind: 'text', doc: 'message of the error row, such as "Already ordering"' }, status: status(400) },
    doc: 'a refusal from the error table of the endpoint, whatever the request contains',
  },
  html: { phases: ['after', 'before'], fields: { status: status(502) }, doc: 'an HTML page as the answer' },
  malformed: { phases: ['after', 'before'], fields: { status: status(200) }, doc: 'a body that is not valid JSON' },
  'wrong-types': { phases: ['after', 'before'], fields: { status: status(200) }, doc: 'an envelope with values of wrong types' },
  empty: { phases: ['after', 'before'], fields: { status: status(200) }, doc: 'an empty body' },
  huge: {
    phases: ['after', 'before'],
    fields: {
      status: status(200),
      bytes: { kind: 'whole', min: 1, max: 2 ** 30, doc: 'size of the body in bytes, 64 MiB by default', isOptional: true },
    },
    doc: 'a very long body',
  },
  stale: {
    phases: ['answer'],
    fields: { ms: ms('minimum age in milliseconds') },
    doc: 'an earlier answer to the same request; reads only',
  },
  reorder: {
    phases: ['answer'],
    fields: { ms: ms('longest wait in milliseconds, 1000 by default', true) },
    doc: 'the answer waits until a later request to the endpoint was answered',
  },
  mixup: { phases: ['answer'], fields: {}, doc: 'the successful answer to another request to the same endpoint' },
  skew: {
    phases: ['answer'],
    fields: { ms: { kind: 'whole', min: -86_400_000, max: 86_400_000, doc: 'milliseconds added to requestTime' } },
    doc: 'a wrong requestTime',
  },
} as const satisfies Readonly<Record<string, FaultKind>>;

export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as readonly FaultName[];

/** One rule. Its matching requests are numbered from 0. `probability` or `every` selects among them; without both, all are selected. */
export interface FaultRule {
  readonly endpoints: ReadonlySet<EndpointId>;
  readonly phase: Phase;
  readonly fault: FaultName;
  readonly probability: number;
  readonly every: number;
  /** Number of matching requests to skip at first, and most faults of the rule. */
  readonly skip: number;
  readonly count: number;
  readonly ms: number;
  readonly share: number;
  /** 0 if the rule has none. */
  readonly status: number;
  readonly bytes: number;
  readonly how: Truncation;
  readonly retryAfter: string;
  /** Message of a row in the error table; "" if the rule has none. */
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
  endpoints: {
    kind: 'words',
    words: NAMES,
    doc: 'endpoints such as ["E12"] (place order), or all, reads, writes; all by default',
    isOptional: true,
  },
  fault: { kind: 'word', words: FAULT_NAMES, doc: `one of ${FAULT_NAMES.join(', ')}` },
  phase: { kind: 'word', words: PHASES, doc: 'before or after the venue acted, or in its answer', isOptional: true },
  probability: { kind: 'number', min: 0, max: 1, doc: 'share of the matching requests, 0 to 1', isOptional: true },
  every: { kind: 'whole', min: 1, max: 1e9, doc: 'every n-th matching request', isOptional: true },
  skip: { kind: 'whole', min: 0, max: 1e9, doc: 'number of matching requests to skip at first', isOptional: true },
  count: { kind: 'whole', min: 1, max: 1e9, doc: 'most faults of this rule', isOptional: true },
};
const PLAN: FieldTable = {
  seed: { kind: 'whole', min: 0, max: Number.MAX_SAFE_INTEGER, doc: 'seed of the random numbers, 1 by default', isOptional: true },
};

/** Reads a plan from plain data; `where` names its source in errors. @throws Failure fault-plan, with every problem */
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
  // If the fault is unknown, its own fields are unknown too: report only the common problems.
  if (kind === null)
    return problemsOf(rule, COMMON, where, 'a rule').filter(({ what }) => !isRecord(rule) || /"(?:fault|phase)"/.test(what));
  const given = spread(rule as Record<string, unknown>);
  const problems = problemsOf(given, { ...COMMON, ...kind.fields }, where, `a rule of "${String(named)}"`);
  const phase = given['phase'];
  if (typeof phase === 'string' && (PHASES as readonly string[]).includes(phase) && !kind.phases.includes(phase as Phase)) {
    const list = kind.phases.join(' or ');
    problems.push({ what: `"phase": expected ${list} for "${String(named)}", found ${JSON.stringify(phase)}`, where, hint: kind.doc });
  }
  if (given['probability'] !== undefined && given['every'] !== undefined) {
    problems.push({ what: 'expected "probability" or "every", found both', where });
  }
  if (problems.length === 0 && named === 'stale' && endpointsOf(given).every((id) => !GROUPS['reads']!.includes(id))) {
    problems.push({ what: '"stale" applies to reads only, but these endpoints are writes', where });
  }
  if (problems.length === 0 && named === 'refuse') problems.push(...problemsOfRow(given, where));
  return problems;
}

/** Checks that every endpoint of the rule has the error row. */
function problemsOfRow(given: Record<string, unknown>, where: string): Problem[] {
  const msg = String(given['msg']);
  return endpointsOf(given).flatMap((id) => {
    const rows = endpointById(id).errors.map((row) => row.msg);
    if (rows.includes(msg)) return [];
    return [
      {
        what: `"msg": expected a message of the error table of ${id}, found ${JSON.stringify(msg)}`,
        where,
        hint: didYouMean(msg, rows) ?? undefined,
      },
    ];
  });
}

/** Wraps a single word in `endpoints` into a list. */
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
