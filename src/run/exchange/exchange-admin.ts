/** The admin interface of the paper exchange: routes for operator commands, the fault plan and the ledger. */
import { assert } from '../../base/failure/assert.ts';
import { Failure, type Problem } from '../../base/failure/failure.ts';
import { problemsOf, type FieldTable } from '../../base/fields.ts';
import type { Ledger } from '../../edge/file/ledger/ledger.ts';
import { didYouMean } from '../../base/text/suggest.ts';
import { LEDGER_KINDS } from '../../edge/file/ledger/ledger-page.ts';
import { startAdmin, type AdminAnswer, type AdminCall, type AdminRoutes, type RunningAdmin } from '../../edge/serve/admin.ts';
import { FAULTS, readFaultPlan, type FaultName } from '../../edge/serve/faults/fault-plan.ts';
import type { Faults, RuleCount } from '../../edge/serve/faults/faults.ts';
import { ServeError } from '../../edge/serve/listen.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { OPERATOR_COMMANDS, problemsOfCommand, type OperatorCommandName as SimCommandName } from '../../sim/api/operator-commands.ts';
import { isFatal } from './exchange-ledger.ts';
import type { AdminChoice } from '../setup/options.ts';
import type { RequestSummary } from './views/request-counters.ts';

/** A command of the venue's operator: docs/reference/faults-and-admin.md. */
export type OperatorCommandName = SimCommandName;

/** How often a rule of a fault plan matched, and acted. */
export type FaultCount = RuleCount;

export interface AdminDeps {
  readonly faults: Faults;
  /** Null if the exchange has no ledger. */
  readonly ledger: Ledger | null;
  /** Requests and refusals by endpoint. */
  readonly requests: () => RequestSummary;
  /** Runs an operator command now. */
  readonly command: (name: string, given: unknown) => object;
}

const LINES_MAX = 10_000;

/** Clock and log for the admin interface. */
export interface AdminSurroundings {
  readonly clock: Clock;
  readonly log: Log;
  readonly fail: (error: Error) => void;
}

/** Opens the admin interface if it is configured. @throws Failure if the port is not available */
export async function openAdmin(
  choice: AdminChoice | undefined,
  deps: AdminDeps,
  { clock, log, fail }: AdminSurroundings,
): Promise<RunningAdmin | null> {
  if (choice === undefined) return null;
  const { port, token } = choice;
  const onError = (error: unknown): void => {
    log.error('admin-failed', { error });
    if (isFatal(error)) fail(error);
  };
  try {
    return await startAdmin({ port, token, now: () => clock.now(), routes: adminRoutes(deps), onError });
  } catch (error) {
    if (!(error instanceof ServeError)) throw error;
    throw new Failure('port-unusable', { what: error.message, where: '--admin-port' }, { cause: error });
  }
}

/** A fault plan as data: docs/reference/faults-and-admin.md. */
export interface FaultPlanGiven {
  /** Seed of its chance. Default: 1. */
  readonly seed?: number | undefined;
  /** For each phase of a request the first rule that applies is used. */
  readonly rules: readonly FaultRuleGiven[];
}

/** One rule of a fault plan. It names requests, the fault and how often it happens; a fault has further fields. */
export interface FaultRuleGiven {
  /** What goes wrong. */
  readonly fault: FaultName;
  /** Endpoints such as ["E12"], or all, reads, writes. Default: all. */
  readonly endpoints?: string | readonly string[] | undefined;
  /** before or after the venue acted, or in its answer. Default: depends on the fault. */
  readonly phase?: 'before' | 'after' | 'answer' | undefined;
  /** Share of the matching requests, 0 to 1; this or `every`. */
  readonly probability?: number | undefined;
  /** Every n-th matching request. */
  readonly every?: number | undefined;
  /** Number of matching requests to skip at first. */
  readonly skip?: number | undefined;
  /** Most faults of this rule. */
  readonly count?: number | undefined;
  /** Fields of the fault, such as `ms`. */
  readonly [field: string]: unknown;
}

/** A line of the ledger, in the integers of the simulator: docs/paper-exchange.md#the-ledger. */
export interface LedgerLine {
  /** Counts the lines, without a gap. */
  readonly n: number;
  /** The request or command that caused it; 0 for the market. */
  readonly request: number;
  /** "order", "fill", "cash", … */
  readonly kind: string;
  /** What a line of this kind has. */
  readonly [field: string]: unknown;
}

type Acting = Pick<AdminDeps, 'command'>;

/** Runs an operator command, whoever gave it. @throws Failure (admin-request) with every wrong field, or with the reason of a refusal */
export function act(deps: Acting, name: string, given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const result = operate(deps, name, given);
  if ('refused' in result) throw new Failure('admin-request', { what: `refused: ${String(result.refused)}`, where: name });
  return result as Readonly<Record<string, unknown>>;
}

function operate({ command }: Acting, name: string, given: unknown): object {
  const problems = problemsOfCommand(name, given);
  if (problems.length > 0) throw new Failure('admin-request', problems);
  return command(name, given);
}

/** Sets a fault plan; null ends all faults. @throws Failure (fault-plan) */
export function setFaults({ faults }: Pick<AdminDeps, 'faults'>, plan: FaultPlanGiven | null): void {
  faults.set(plan === null ? null : readFaultPlan(plan, 'faults'));
}

/** The ledger's lines of these kinds; of all kinds if none is named. @throws Failure (admin-request) */
export function ledgerLines({ ledger }: Pick<AdminDeps, 'ledger'>, kinds: readonly string[]): readonly LedgerLine[] {
  if (ledger === null) return [];
  const wanted = new Set(kinds.length === 0 ? LEDGER_KINDS : kinds);
  const unknown = [...wanted].find((kind) => !LEDGER_KINDS.includes(kind));
  if (unknown !== undefined)
    throw new Failure('admin-request', {
      what: `"${unknown}" is not a kind of line`,
      where: 'ledger',
      hint: didYouMean(unknown, LEDGER_KINDS) ?? `the kinds are ${LEDGER_KINDS.join(', ')}`,
    });
  const lines: LedgerLine[] = [];
  for (let from = 0; ;) {
    const page = ledger.page(from, LINES_MAX, (kind) => wanted.has(kind));
    assert(page !== null, 'the ledger is read from where its page before ended');
    for (const line of page.lines) lines.push(JSON.parse(line) as LedgerLine);
    if (page.isEnd) return lines;
    from = page.next;
  }
}

/** All routes of the admin interface. */
function adminRoutes(deps: AdminDeps): AdminRoutes {
  const { faults } = deps;
  const routes = new Map<string, (call: AdminCall) => AdminAnswer>([
    ['GET /admin', () => ok(help())],
    ['GET /admin/faults', () => ok({ rules: faults.counts() })],
    [
      'PUT /admin/faults',
      ({ given }) => {
        faults.set(readFaultPlan(given, 'faults'));
        return ok({ rules: faults.counts() });
      },
    ],
    [
      'DELETE /admin/faults',
      () => {
        const rules = faults.counts();
        faults.set(null);
        return ok({ rules });
      },
    ],
    ['GET /admin/requests', () => ok(deps.requests())],
    ['GET /admin/ledger', ({ query }) => ledgerPage(deps.ledger, query)],
  ]);
  for (const name of Object.keys(OPERATOR_COMMANDS)) {
    routes.set(`POST /admin/${name}`, ({ given }) => {
      const result = operate(deps, name, given);
      return { status: 'refused' in result ? 409 : 200, text: JSON.stringify(result) };
    });
  }
  return routes;
}

function ok(body: object): AdminAnswer {
  return { status: 200, text: JSON.stringify(body) };
}

function help(): object {
  const fieldsOf = (fields: FieldTable): object =>
    Object.fromEntries(
      Object.entries(fields).map(([name, { doc, isOptional }]) => [name, isOptional === true ? `${doc} (optional)` : doc]),
    );
  const commands = Object.entries(OPERATOR_COMMANDS).map(([name, { doc, fields }]) => [
    `POST /admin/${name}`,
    { doc, ...fieldsOf(fields) },
  ]);
  const kinds = Object.entries(FAULTS).map(([name, { doc, phases, fields }]) => [name, { doc, phases, ...fieldsOf(fields) }]);
  return {
    ...Object.fromEntries(commands),
    'PUT /admin/faults': { doc: 'a fault plan: {"seed": 1, "rules": [{"fault": …}]}', faults: Object.fromEntries(kinds) },
    'GET /admin/faults': { doc: 'how often each rule matched and was applied' },
    'DELETE /admin/faults': { doc: 'ends all faults' },
    'GET /admin/requests': { doc: 'how many requests each endpoint got and refused since the start, and what the last refusal said' },
    'GET /admin/ledger': { doc: 'ledger lines in order: ?from=0&limit=1000&kinds=order,fill; continue with "next"', kinds: LEDGER_KINDS },
  };
}

function ledgerPage(ledger: Ledger | null, query: ReadonlyMap<string, string>): AdminAnswer {
  if (ledger === null) return refuse({ what: 'this exchange keeps no ledger', hint: 'start it with --state FOLDER' });
  const given = Object.fromEntries([...query].map(([key, text]) => [key, /^\d{1,15}$/.test(text) ? Number(text) : text]));
  const kinds = typeof given['kinds'] === 'string' ? given['kinds'].split(',') : LEDGER_KINDS;
  const table: FieldTable = {
    from: { kind: 'whole', min: 0, max: Number.MAX_SAFE_INTEGER, doc: '0, or "next" of an earlier page', isOptional: true },
    limit: { kind: 'whole', min: 1, max: LINES_MAX, doc: 'lines of one page, by default 1000', isOptional: true },
    kinds: { kind: 'words', words: LEDGER_KINDS, doc: 'kinds of lines with commas between', isOptional: true },
  };
  const problems = problemsOf({ ...given, kinds }, table, 'ledger', 'a question for the ledger');
  if (problems.length > 0) throw new Failure('admin-request', problems);
  const from = Number(given['from'] ?? 0);
  const page = ledger.page(from, Number(given['limit'] ?? 1_000), (kind) => kinds.includes(kind));
  if (page === null) return refuse({ what: `no line of the ledger begins at byte ${from}`, hint: 'begin at 0 and continue with "next"' });
  const { lines, next, isEnd, missing } = page;
  return { status: 200, text: `{"next":${next},"isEnd":${isEnd},"missing":${missing},"lines":[${lines.join(',')}]}` };
}

function refuse(problem: Problem): AdminAnswer {
  return { status: 400, text: JSON.stringify({ problems: [problem] }) };
}
