/** Answers the routes of the monitor. */
import { Failure } from '../../base/failure/failure.ts';
import { textAt } from '../../base/fields.ts';
import type { ActAnswer, RefusalAnswer } from '../../control/answers.ts';
import type { ForkSpec } from '../../control/past.ts';
import { CONTROL_COMMANDS, type ControlName } from '../../control/commands.ts';
import type { ChangeLines, ChangeStream } from '../../control/change-stream.ts';
import type { StatusRow } from '../../control/changes.ts';
import type { RouteName } from '../../control/monitor-routes.ts';
import { readDays } from './alerts/divergence-watcher.ts';
import type { Session, Sessions } from '../../edge/web/sessions.ts';
import { json, refused, type WebCall, type WebHandler, type WebReply } from '../../edge/web/web-server.ts';
import type { ReadModel } from '../../monitor/model/read-model.ts';
import type { Page } from '../../monitor/model/recent-rows.ts';
import { operate } from '../bot/outside/operate.ts';
import type { Moment, Pasts } from '../past/pasts.ts';
import type { Metrics } from './monitor-metrics.ts';
import { unprovenOf, type UnprovenDeps } from './unproven.ts';
import { fillsPage, logPage, notesPage, ordersPage } from './paged.ts';

export interface RouteDeps extends UnprovenDeps {
  /** The bot's state folder. */
  readonly folder: string;
  /** Names this process: sessions of another one are worth nothing. */
  readonly boot: string;
  readonly model: ReadModel;
  readonly metrics: Metrics;
  readonly stream: ChangeStream;
  readonly sessions: Sessions;
  /** The recorded sessions. */
  readonly pasts: Pasts;
  /** The session that the page is for, where there is no bot; "" otherwise. */
  readonly recording: string;
  /** HTML of the page. */
  readonly page: string;
  /** Called for a one-time token that was used twice. */
  readonly onReused: (session: string) => void;
}

const LINK_HOURS = 24;

export function routesOf(deps: RouteDeps): Readonly<Record<Exclude<RouteName, 'overview' | 'studies' | 'study'>, WebHandler>> {
  const { folder, model, metrics, page, pasts, sessions, stream } = deps;
  /** Answers from the model of now, or of a moment of a recorded session. */
  const seen =
    (answer: (model: ReadModel, call: WebCall) => object): WebHandler =>
    (call) =>
      answered(async () => json(await seenIn(deps, call, (then) => answer(then, call))));
  const paged = (answer: (model: ReadModel, given: WebCall['given']) => Page<object>): WebHandler =>
    seen((then, { given }) => answer(then, given));
  return {
    entry: ({ given }) => entered(page, given),
    health: () => json({ ok: true }),
    ready() {
      const isReady = model.connection.state === 'connected' && model.status?.phase === 'armed';
      return json({ ok: isReady }, isReady ? 200 : 503);
    },
    metrics: () => ({ status: 200, type: 'text/plain; version=0.0.4', body: metrics.text() }),
    login: ({ given }) => loggedIn(deps, given, { bot: model.status?.bot ?? '', recording: deps.recording, isHub: false }),
    stream({ given, session }) {
      const lines = stream.open(textAt(given, 'after'));
      return session?.role === 'operate' ? lines : viewed(lines);
    },
    now: seen(({ now }, { session }) =>
      session?.role === 'operate' || now.status === null ? now : { ...now, status: withoutParams(now.status) },
    ),
    orders: paged(ordersPage),
    fills: paged(fillsPage),
    log: paged(logPage),
    notes: paged(notesPage),
    bars: seen((then, { given, session }) => {
      const symbol = textAt(given, 'symbol');
      const from = given['from'] === undefined ? 0 : wholeIn(given, 'from');
      const since = <Row extends readonly [time: number, ...rest: unknown[]]>(rows: readonly Row[]): Row[] =>
        rows.filter(([time]) => time >= from);
      const lines = session?.role === 'operate' ? then.plots.of(symbol) : [];
      return {
        symbol,
        rows: since(then.bars(symbol)),
        lines: lines.map((line) => ({ ...line, rows: since(line.rows) })),
        halts: then.haltSpans.all.filter(({ scope }) => isOfSymbol(scope, symbol, then.status)),
        blind: then.blindSpans.all,
      };
    }),
    equity: seen((then) => ({ rows: then.equity })),
    command: ({ words, given, session }) => commanded(deps, words['name'] ?? '', given, session!),
    query: ({ words, given }) => asked(deps, words['name'] ?? '', given),
    'ready-made': async () => json(await (await import('./ready-made.ts')).readyMadeBots()),
    async stop({ given, session }) {
      const began = performance.now();
      const reply = await commanded(deps, 'halt', { why: textAt(given, 'why') || 'STOP', wait: 0 }, session!);
      const answer = JSON.parse(String(reply.body)) as ActAnswer | RefusalAnswer;
      return json({ ...answer, tookMs: Math.round((performance.now() - began) * 10) / 10 }, reply.status);
    },
    sessions: () => json({ rows: pasts.list(), days: readDays(folder) }),
    session: ({ words }) => answered(async () => json(await pasts.facts(words['name'] ?? ''))),
    fork: ({ words, given }) => answered(async () => json(await pasts.fork(words['name'] ?? '', forkIn(given)))),
    rehearsal: ({ words }) => answered(async () => json(await pasts.rehearse(words['strategy'] ?? ''))),
    links: () => json({ rows: sessions.rows() }),
    link({ given, session }) {
      const hours = given['hours'] ?? LINK_HOURS;
      if (typeof hours !== 'number' || !(hours >= 1 && hours <= 720))
        return refused(400, 'bad-request', `"hours": expected a number from 1 to 720, found ${JSON.stringify(hours)}`);
      return json(sessions.link(textAt(given, 'name').slice(0, 100), hours, session!));
    },
    unlink: ({ words }) =>
      sessions.revoke(words['id'] ?? '') ? json({ ok: true }) : refused(404, 'no-such-link', 'there is no link or session of this id'),
  };
}

/** True if a halt of this scope may keep the symbol from opening: "bot", "symbol:BTCUSDT", "leg:BTCUSDT:LONG", "strategy:grid" if it trades it. */
function isOfSymbol(scope: string, symbol: string, status: StatusRow | null): boolean {
  if (scope === 'bot' || scope === `symbol:${symbol}` || scope.startsWith(`leg:${symbol}:`)) return true;
  return status?.strategies.some(({ name, symbols }) => scope === `strategy:${name}` && symbols.includes(symbol)) === true;
}

/** The page with the token that the form of `tickwright open` posts. */
export function entered(page: string, given: WebCall['given']): WebReply {
  const token = textAt(given, 'token');
  if (!/^[A-Za-z0-9_-]{43}$/.test(token)) return refused(400, 'bad-request', 'expected the token of `tickwright open`');
  const body = page.replace('<!-- token -->', `<meta name="token" content="${token}" />`);
  return { status: 200, type: 'text/html; charset=utf-8', body };
}

/** Exchanges the token of a call for a session. `facts`: what else the page learns. */
export function loggedIn(
  { sessions, boot, onReused }: Pick<RouteDeps, 'sessions' | 'boot' | 'onReused'>,
  given: WebCall['given'],
  facts: { readonly bot: string; readonly recording: string; readonly isHub: boolean },
): WebReply {
  const made = sessions.login(textAt(given, 'token'));
  switch (made.kind) {
    case 'session':
      return json({ session: made.secret, proof: made.proof, role: made.session.role, boot, ...facts });
    case 'reused':
      onReused(made.revoked);
      return refused(
        401,
        'token-reused',
        'this token was used before: the session that it gave is revoked',
        '`tickwright open` opens a new one',
      );
    case 'refused':
      if (made.code === 'wait') return refused(429, 'wait', 'too many wrong tokens; wait a minute');
      return refused(401, `token-${made.code}`, 'expected a token that is still good', '`tickwright open` opens a new one');
  }
}

/** Hands a command to the bot. Who asks is the session; the rest are the fields of the command. */
async function commanded(parts: RouteDeps, name: string, { factor, ...fields }: WebCall['given'], { id }: Session): Promise<WebReply> {
  const { folder, sessions, recording } = parts;
  if (recording !== '') return refused(409, 'recording', 'there is no bot: this is a recording');
  if (!isCommand(name, true)) return refused(404, 'no-such-command', `there is no command "${name}"`);
  const unproven = unprovenOf(parts, { session: id, name, fields, factor });
  if (unproven !== null) return unproven;
  const { by: _by, request: _request, askedAt: _askedAt, ...given } = fields;
  const row = sessions.rows().find((one) => one.id === id);
  return operated(folder, name, { ...given, by: `dashboard (${row?.name === undefined || row.name === '' ? id : row.name})` });
}

async function asked({ folder, pasts }: RouteDeps, name: string, given: WebCall['given']): Promise<WebReply> {
  const then = momentIn(given);
  if (then !== null) {
    if (name !== 'why') return refused(404, 'no-such-query', `a recorded session answers "why", found "${name}"`);
    return answered(async () => json(await pasts.why(then, textAt(given, 'what'))));
  }
  if (!isCommand(name, false)) return refused(404, 'no-such-query', `there is no query "${name}"`);
  // Without a session these are fields of the query.
  const { session, at: _at, fork: _fork, ...rest } = given;
  return operated(folder, name, session === undefined ? given : rest);
}

async function operated(folder: string, name: ControlName, given: WebCall['given']): Promise<WebReply> {
  try {
    const { by, body, isRefused } = await operate(folder, name, given);
    return json(body, by === 'nobody' || by === 'silent' ? 503 : isRefused ? 409 : 200);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return refused(503, error.failure, error.message, error.problems[0]?.hint);
  }
}

function isCommand(name: string, acts: boolean): name is ControlName {
  return CONTROL_COMMANDS.some((one) => one.name === name && one.acts === acts && one.shown !== 'lines');
}

/** An answer from the model of now; of a moment of a recorded session if the call names one. @throws RangeError or Failure */
async function seenIn({ model, pasts }: RouteDeps, { given, session }: WebCall, answer: (model: ReadModel) => object): Promise<object> {
  const then = momentIn(given);
  if (then === null) return answer(model);
  if (session?.role !== 'operate') throw new RangeError('"session": this session may only view what is now');
  return pasts.read(then, answer);
}

/** The moment that a call names; null for now. @throws RangeError */
function momentIn(given: WebCall['given']): Moment | null {
  const session = textAt(given, 'session');
  if (session === '') return null;
  return { session, fork: textAt(given, 'fork'), at: wholeIn(given, 'at') };
}

/** @throws RangeError */
function forkIn(given: WebCall['given']): ForkSpec {
  const how = textAt(given, 'how');
  switch (how) {
    case 'halt':
      return { how, at: wholeIn(given, 'at') };
    case 'set':
      return {
        how,
        at: wholeIn(given, 'at'),
        strategy: textAt(given, 'strategy'),
        param: textAt(given, 'param'),
        value: textAt(given, 'value'),
      };
    case 'landed':
    case 'not-landed':
      return { how, order: wholeIn(given, 'order') };
    default:
      throw new RangeError(`"how": expected halt, set, landed or not-landed, found "${how.slice(0, 50)}"`);
  }
}

/** @throws RangeError */
function wholeIn(given: WebCall['given'], key: string): number {
  const value = given[key];
  if (!/^\d{1,15}$/.test(String(value)))
    throw new RangeError(`"${key}": expected a whole number, found ${JSON.stringify(value ?? null).slice(0, 50)}`);
  return Number(value);
}

/** The refusal of a call that was wrong, in place of its error. */
async function answered(answer: () => Promise<WebReply>): Promise<WebReply> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof RangeError) return refused(400, 'bad-request', error.message);
    if (error instanceof Failure) return refused(409, error.failure, error.message, error.problems[0]?.hint);
    throw error;
  }
}

/** The lines that a session which only views may see. */
function viewed({ past, begin }: ChangeLines): ChangeLines {
  return {
    past: shownToViewers(past),
    begin: (write) =>
      begin((line) => {
        const shown = shownToViewer(line);
        return shown === null || write(shown);
      }),
  };
}

function* shownToViewers(lines: Iterable<string>): Generator<string> {
  for (const line of lines) {
    const shown = shownToViewer(line);
    if (shown !== null) yield shown;
  }
}

function shownToViewer(line: string): string | null {
  const kind = /"kind":"(\w+)"/.exec(line)?.[1];
  if (kind === 'note' || kind === 'log') return null;
  if (kind !== 'status' && kind !== 'reset') return line;
  const change = JSON.parse(line) as { status?: StatusRow; reset?: { now: { status: StatusRow | null } } };
  if (change.status !== undefined) change.status = withoutParams(change.status);
  const now = change.reset?.now;
  if (now !== undefined && now.status !== null) now.status = withoutParams(now.status);
  return `${JSON.stringify(change)}\n`;
}

function withoutParams(status: StatusRow): StatusRow {
  const strategies = status.strategies.map((one) => ({ ...one, params: {}, set: [] }));
  return { ...status, strategies, lastError: null };
}
