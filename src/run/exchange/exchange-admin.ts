/** The admin interface of the paper exchange: routes for operator commands, the fault plan and the ledger. */
import { Failure, type Problem } from '../../base/failure/failure.ts';
import { problemsOf, type FieldTable } from '../../base/fields.ts';
import type { Ledger } from '../../edge/file/ledger/ledger.ts';
import { LEDGER_KINDS } from '../../edge/file/ledger/ledger-page.ts';
import { startAdmin, type AdminAnswer, type AdminCall, type AdminRoutes, type RunningAdmin } from '../../edge/serve/admin.ts';
import { FAULTS, readFaultPlan } from '../../edge/serve/faults/fault-plan.ts';
import type { Faults } from '../../edge/serve/faults/faults.ts';
import { ServeError } from '../../edge/serve/listen.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { OPERATOR_COMMANDS, problemsOfCommand } from '../../sim/api/operator-commands.ts';
import { isFatal } from './exchange-ledger.ts';
import type { AdminChoice } from '../setup/options.ts';

export interface AdminDeps {
  readonly faults: Faults;
  /** Null if the exchange has no ledger. */
  readonly ledger: Ledger | null;
  /** Requests and refusals by endpoint. */
  readonly requests: () => object;
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
      const problems = problemsOfCommand(name, given);
      if (problems.length > 0) throw new Failure('admin-request', problems);
      const result = deps.command(name, given);
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
