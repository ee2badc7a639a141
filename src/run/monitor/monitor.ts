/**
 * `tickwright monitor`: a process beside the bot. It follows the bot's stream of changes into the read model, and serves pages, queries and
 * commands from there. The bot never waits for it. It outlives a bot that dies, says so, and ends with a clean stop.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ChangeStream } from '../../control/change-stream.ts';
import type { Change, Changed, ChangeKind } from '../../control/changes.ts';
import { callControl } from '../../edge/control/control-client.ts';
import { startControl, type ControlReply } from '../../edge/control/control-server.ts';
import { holdFile } from '../../edge/file/exclusive-file.ts';
import { Passphrase, PASSPHRASE_FILE } from '../../edge/web/passphrase.ts';
import { Sessions, TOKEN_MS, type Role } from '../../edge/web/sessions.ts';
import { startWeb } from '../../edge/web/web-server.ts';
import { ReadModel } from '../../monitor/model/read-model.ts';
import type { Log } from '../../ports/log.ts';
import { Pasts } from '../past/pasts.ts';
import { followBot } from './followed/follow-bot.ts';
import { stoppedIn } from './followed/stopped-in.ts';
import { metricsToken } from './monitor-metrics.ts';
import { watchersOf } from './watchers.ts';
import { routesOf } from './route-handlers.ts';
import { operatorsOnly, studyRoutes } from './study-routes.ts';
import { FillHistory } from './followed/history.ts';
import { dashboardFiles } from './page-files.ts';

export interface MonitorOptions {
  /** The bot's state folder. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Port of the pages on 127.0.0.1; 0: the system chooses. */
  readonly port: number;
  readonly log: Log;
  /** Ends the monitor. */
  readonly signal: AbortSignal;
  /** Called with the address once it listens. */
  readonly onReady: (url: string) => void;
}

/** Time that a monitor goes on without a bot. */
const ALONE_MS = 10 * 60_000;
/** The same for one that has not heard any bot yet. */
const UNHEARD_MS = 60_000;
/** After a clean stop the readers are given this long to read of it. */
const FAREWELL_MS = 500;
const TICK_MS = 250;
const FILLS_PAGE = 500;

/** Runs until the bot ends cleanly, has been lost for long, or `signal` aborts. False if another monitor has this folder. @throws Error of node:net */
export async function runMonitor({ folder, env, port, log, signal, onReady }: MonitorOptions): Promise<boolean> {
  const lock = join(folder, 'monitor.lock');
  const held = holdFile(lock);
  if (held === null) return false;
  const now = (): number => Date.now();
  const ending = new AbortController();
  const end = (): void => ending.abort();
  signal.addEventListener('abort', end, { once: true });
  const model = new ReadModel(now());
  const boot = randomBytes(6).toString('hex');
  const stream = new ChangeStream(boot, { now, snapshot: () => JSON.stringify(model.now), onReaders: () => undefined });
  const { watchers, metrics, isNeeded } = watchersOf({ folder, model, now, log, show: (event, fields) => shown(event, fields) });
  const history = new FillHistory(model, (before) => fillsOf(folder, before));
  const take = (change: Change): void => {
    model.take(change);
    for (const one of watchers) one.changed?.(change, model);
  };
  const own = <K extends ChangeKind>(kind: K, payload: Changed[K]): void => {
    take({ id: '', kind, time: now(), [kind]: payload } as unknown as Change);
    stream.add(kind, JSON.stringify(payload));
  };
  const sessions = new Sessions(now, (id) => web.end(id));
  /** Shows a line of the own log among those of the bot; alerts hear it there. */
  const shown = (event: string, fields: Readonly<Record<string, unknown>>): void =>
    own('log', { ...fields, event, level: 'warn', time: new Date(now()).toISOString() });
  const { files, policy } = dashboardFiles();
  const page = String(files.get('/')!.body);
  try {
    sessions.admit(metricsToken(folder), 'metrics');
  } catch (error) {
    log.error('monitor-failed', { error });
  }
  const pasts = new Pasts(join(folder, 'sessions'));
  const routes = routesOf({
    page,
    pasts,
    recording: '',
    folder,
    boot,
    model,
    metrics,
    stream,
    sessions,
    onReused(session) {
      log.warn('token-used-twice', { session });
      shown('token-used-twice', { session });
    },
    passphrase: new Passphrase({ file: join(folder, PASSPHRASE_FILE), now: () => performance.now() }),
    onWrong(session, isLocked) {
      log.warn('passphrase-wrong', { session });
      if (!isLocked) return;
      log.warn('passphrase-locked', { session });
      shown('passphrase-locked', { session });
    },
  });
  const web = await startWeb({
    port,
    sessions,
    routes: { ...routes, ...operatorsOnly(studyRoutes({ env, now })) },
    files,
    policy,
    now,
    onError: (error) => log.error('monitor-failed', { error }),
  }).catch((error: unknown) => {
    held.close();
    throw error;
  });
  const control = await startControl({
    folder,
    socket: 'monitor',
    port: null,
    handler: (method, name, given) => Promise.resolve(atTheDoor(method, name, given)),
    now: () => performance.now(),
    onError: (error) => log.error('monitor-failed', { error }),
  });
  const atTheDoor = (method: string, name: string, given: Readonly<Record<string, unknown>>): ControlReply => {
    if (method === 'GET' && name === 'address') return { status: 200, body: { url: web.url, boot, pid: process.pid } };
    if (method === 'POST' && name === 'open')
      return { status: 200, body: opened(folder, web.url, sessions, given['role'] === 'view' ? 'view' : 'operate') };
    if (method === 'GET' && name === 'last-status' && model.status !== null)
      return { status: 200, body: { ...model.status, positions: [...model.positions.values()] } };
    return {
      status: 404,
      body: { ok: false, code: 'no-such-command', message: 'the monitor knows address, open and last-status', hint: '' },
    };
  };
  const endAlone = (): void => {
    if (isNeeded()) alone = setTimeout(endAlone, UNHEARD_MS);
    else end();
  };
  let alone: NodeJS.Timeout | undefined = setTimeout(endAlone, UNHEARD_MS);
  log.info('monitor-ready', { url: web.url, folder, pid: process.pid });
  onReady(web.url);
  const ticks = setInterval(() => {
    for (const one of watchers) one.tick?.(now(), model);
    // Whoever deletes the folder of a bot is done with it.
    if (!existsSync(lock)) end();
  }, TICK_MS);
  await followBot(
    {
      folder,
      now,
      onChange(change) {
        take(change);
        if (change.kind === 'reset') {
          stream.reset();
          void history.read().catch((error: unknown) => log.error('monitor-failed', { error }));
        } else if (change.kind !== 'end') stream.add(change.kind, JSON.stringify((change as Record<string, unknown>)[change.kind]));
      },
      stopped() {
        const found = stoppedIn(folder);
        if (found !== null) {
          model.take({ id: '', kind: 'reset', time: found.at, reset: { boot, now: found.now } });
          stream.reset();
        }
        return found;
      },
      onConnection(connection) {
        own('connection', connection);
        log.info('bot-connection', { ...connection });
        // It was stopped before this monitor began: somebody wants to look at it.
        if (connection.heardAt === 0 && connection.state === 'stopped') return;
        clearTimeout(alone);
        const isOver = connection.state === 'stopped' && connection.again !== true;
        alone = connection.state === 'connected' ? undefined : setTimeout(endAlone, isOver ? FAREWELL_MS : ALONE_MS);
      },
    },
    ending.signal,
  );
  clearTimeout(alone);
  clearInterval(ticks);
  await Promise.all([...watchers.map((one) => one.close?.()), web.close(), control.close()]);
  held.close();
  return true;
}

async function fillsOf(folder: string, before: number | null): Promise<unknown> {
  const given = { last: FILLS_PAGE, ...(before === null ? {} : { before }) };
  const called = await callControl(folder, { method: 'GET', name: 'fills', given });
  return called.isThere && called.status === 200 ? called.body : null;
}

/**
 * Writes the file that a browser opens: it posts a one-time token to the page, so that the token is in no address and no command line. Only
 * this user can read it, and it is removed once the token is worth nothing.
 */
export function opened(folder: string, url: string, sessions: Sessions, role: Role): { readonly url: string; readonly file: string } {
  const file = join(folder, `open-${randomBytes(6).toString('hex')}.html`);
  const token = sessions.token(role);
  writeFileSync(
    file,
    `<!doctype html><meta charset="utf-8"><title>Tickwright</title><form method="post" action="${url}/login"><input type="hidden" name="token" value="${token}"><button>Open the dashboard</button></form><script>document.forms[0].submit()</script>\n`,
    { mode: 0o600, flag: 'wx' },
  );
  setTimeout(() => rmSync(file, { force: true }), TOKEN_MS).unref();
  process.once('exit', () => rmSync(file, { force: true }));
  return { url, file };
}
