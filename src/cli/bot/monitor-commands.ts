/** `monitor`: the process that shows a bot. `open`: opens its page in a browser. */
import { exitCode } from '../../base/failure/exit-codes.ts';
import { Failure } from '../../base/failure/failure.ts';
import { askMonitor } from '../../run/monitor/ask-monitor.ts';
import { keylessConfigOf, type CliContext } from '../shell/cli-context.ts';
import { showPage } from './show-page.ts';
import { folderFor, folderOf, type WhichFlags } from './which-bot.ts';

export async function serveMonitor(
  flags: WhichFlags & { readonly port?: number; readonly session?: string; readonly print?: true },
  context: CliContext,
): Promise<void> {
  if (flags.session !== undefined) return showSession(flags.session, flags, context);
  const config = flags.state === undefined && flags.config !== undefined ? await keylessConfigOf(flags, context) : null;
  const folder = folderOf(flags, config, false);
  const { io } = context;
  const [{ createLog }, { untilStopped }, { runMonitor }] = await Promise.all([
    import('../../run/monitor/monitor-log.ts'),
    import('../../run/setup/signals.ts'),
    import('../../run/monitor/monitor.ts'),
  ]);
  const stop = new AbortController();
  void untilStopped().then(() => stop.abort());
  const isAlone = await runMonitor({
    folder,
    env: context.env,
    port: flags.port ?? config?.monitor.port ?? 0,
    log: createLog(io.isTty, () => io.stderr.columns),
    signal: stop.signal,
    onReady: (url) => void io.stdout.write(`${url}\n`),
  });
  context.exit(isAlone ? exitCode.done : exitCode.occupied);
}

export async function openDashboard(
  flags: WhichFlags & { readonly view?: true; readonly print?: true },
  context: CliContext,
): Promise<void> {
  const folder = await folderFor(flags, context);
  const opened = await askMonitor(folder, 'open', { role: flags.view === true ? 'view' : 'operate' });
  if (opened === null)
    throw new Failure('monitor-missing', {
      what: `no monitor runs beside the bot in ${folder}`,
      hint: 'start one: tickwright monitor; or set monitor.enabled: always',
    });
  const { url, file } = opened as { readonly url: string; readonly file: string };
  await showPage({ url, file }, flags.print === true, context);
}

async function showSession(
  session: string,
  { port = 0, print }: { readonly port?: number; readonly print?: true },
  context: CliContext,
): Promise<void> {
  const { env, io } = context;
  const [{ createLog }, { untilStopped }, { runSessionMonitor }] = await Promise.all([
    import('../../run/monitor/monitor-log.ts'),
    import('../../run/setup/signals.ts'),
    import('../../run/monitor/session-monitor.ts'),
  ]);
  const stop = new AbortController();
  void untilStopped().then(() => stop.abort());
  await runSessionMonitor({
    session,
    env,
    port,
    log: createLog(io.isTty, () => io.stderr.columns),
    signal: stop.signal,
    onReady: (opened) => void showPage(opened, print === true, context),
  });
}
