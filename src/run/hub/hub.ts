/**
 * `tickwright hub`: a process that serves one page with all bots of a user. It only looks: a bot is operated on its own dashboard, after a login
 * there. A second `tickwright hub` opens the page of the one that runs.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { callControl } from '../../edge/control/control-client.ts';
import { startControl, type ControlReply, type RunningControl } from '../../edge/control/control-server.ts';
import { stateHome } from '../../edge/file/account-lock.ts';
import { holdFile } from '../../edge/file/exclusive-file.ts';
import { Sessions } from '../../edge/web/sessions.ts';
import { json, startWeb, type RunningWeb } from '../../edge/web/web-server.ts';
import type { Log } from '../../ports/log.ts';
import { opened } from '../monitor/monitor.ts';
import { dashboardFiles } from '../monitor/page-files.ts';
import { entered, loggedIn } from '../monitor/route-handlers.ts';
import { studyRoutes } from '../monitor/study-routes.ts';
import { BotWatch, type WhichBots } from './all-bots.ts';
import { overviewOf } from './overview.ts';

export interface HubOptions extends WhichBots {
  /** Port of the page on 127.0.0.1; 0: the system chooses. */
  readonly port: number;
  readonly log: Log;
  /** Ends the hub. */
  readonly signal: AbortSignal;
  /** Called with the address, and the file that opens the page within 30 seconds. */
  readonly onReady: (opened: OpenedHub) => void;
}

export interface OpenedHub {
  readonly url: string;
  readonly file: string;
}

/**
 * Runs until `signal` aborts. If a hub of this user runs already, its page is opened instead, with the named bots added to it; false then.
 * @throws Error of node:net or node:fs
 */
export async function runHub({ port, log, signal, onReady, ...which }: HubOptions): Promise<boolean> {
  const folder = stateHome(which.env);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const held = holdFile(join(folder, 'hub.lock'));
  if (held === null) {
    const called = await callControl(folder, { socket: 'hub', method: 'POST', name: 'open', given: { folders: which.named } });
    if (!called.isThere || called.status !== 200) throw new Error(`another hub runs, and does not answer at ${folder}`);
    onReady(called.body as OpenedHub);
    return false;
  }
  const now = (): number => Date.now();
  const boot = randomBytes(6).toString('hex');
  const sessions = new Sessions(now, (id) => web?.end(id));
  const onReused = (session: string): void => log.warn('token-used-twice', { session });
  const onError = (error: unknown): void => log.error('hub-failed', { error });
  const bots = new BotWatch(which, signal);
  const { files, policy } = dashboardFiles();
  const page = String(files.get('/')!.body);
  let web: RunningWeb | null = null;
  let control: RunningControl | null = null;
  try {
    web = await startWeb({
      port,
      sessions,
      files,
      policy,
      now,
      onError,
      routes: {
        entry: ({ given }) => entered(page, given),
        health: () => json({ ok: true }),
        login: ({ given }) => loggedIn({ sessions, boot, onReused }, given, { bot: '', recording: '', isHub: true }),
        overview: () => json(overviewOf(bots.looks, now())),
        ...studyRoutes({ env: which.env, now }),
      },
    });
    const { url } = web;
    control = await startControl({
      folder,
      socket: 'hub',
      port: null,
      now: () => performance.now(),
      onError,
      handler: (method, name, { folders }) => {
        const isOpen = method === 'POST' && name === 'open' && Array.isArray(folders) && folders.every((one) => typeof one === 'string');
        const missing: ControlReply = {
          status: 404,
          body: { ok: false, code: 'no-such-command', message: 'the hub knows open', hint: '' },
        };
        if (!isOpen) return Promise.resolve(missing);
        bots.name(folders);
        return Promise.resolve({ status: 200, body: opened(folder, url, sessions, 'view') });
      },
    });
    log.info('hub-ready', { url, pid: process.pid });
    onReady(opened(folder, url, sessions, 'view'));
    await bots.run();
    return true;
  } finally {
    await Promise.all([web?.close(), control?.close()]);
    held.close();
  }
}
