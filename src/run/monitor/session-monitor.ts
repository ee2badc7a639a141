/** `tickwright monitor --session`: the dashboard of a recorded session. There is no bot: it shows what one did, and gives no command. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Failure } from '../../base/failure/failure.ts';
import { ChangeStream } from '../../control/change-stream.ts';
import { sessionsIn } from '../../edge/file/session-file.ts';
import { Passphrase, PASSPHRASE_FILE } from '../../edge/web/passphrase.ts';
import { Sessions } from '../../edge/web/sessions.ts';
import { startWeb } from '../../edge/web/web-server.ts';
import { ReadModel } from '../../monitor/model/read-model.ts';
import type { Log } from '../../ports/log.ts';
import { nameOf, Pasts } from '../past/pasts.ts';
import { Metrics } from './monitor-metrics.ts';
import { opened } from './monitor.ts';
import { dashboardFiles } from './page-files.ts';
import { studyRoutes } from './study-routes.ts';
import { routesOf } from './route-handlers.ts';

export interface SessionMonitorOptions {
  /** The folder of a session, or of several: the newest is opened. */
  readonly session: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly port: number;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Called with the address, and the file that opens the page within 30 seconds. */
  readonly onReady: (opened: { readonly url: string; readonly file: string }) => void;
}

/** Runs until `signal` aborts. @throws Failure session-missing, Error of node:net */
export async function runSessionMonitor({ session, env, port, log, signal, onReady }: SessionMonitorOptions): Promise<void> {
  const found = sessionsIn(resolve(session)).at(-1);
  if (found === undefined) {
    throw new Failure('session-missing', { what: 'expected the folder of a recorded session, or of several', where: session });
  }
  const now = (): number => Date.now();
  const model = new ReadModel(now());
  model.connection = { state: 'stopped', since: now(), heardAt: 0, cause: 'this is a recording' };
  const boot = randomBytes(6).toString('hex');
  let end: (id: string) => void = () => undefined;
  const sessions = new Sessions(now, (id) => end(id));
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-'));
  const { files, policy } = dashboardFiles();
  const routes = routesOf({
    folder,
    boot,
    model,
    sessions,
    metrics: new Metrics(model, now, null),
    stream: new ChangeStream(boot, { now, snapshot: () => JSON.stringify(model.now), onReaders: () => undefined }),
    pasts: new Pasts(dirname(found)),
    recording: nameOf(found),
    page: String(files.get('/')!.body),
    onReused: (one) => log.warn('token-used-twice', { session: one }),
    passphrase: new Passphrase({ file: join(folder, PASSPHRASE_FILE), now: () => performance.now() }),
    onWrong: () => undefined,
  });
  try {
    const web = await startWeb({
      port,
      sessions,
      routes: { ...routes, ...studyRoutes({ env, now }) },
      files,
      policy,
      now,
      onError: (error) => log.error('monitor-failed', { error }),
    });
    end = (id) => web.end(id);
    onReady(opened(folder, web.url, sessions, 'operate'));
    await new Promise((done) => {
      signal.addEventListener('abort', done, { once: true });
    });
    await web.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
