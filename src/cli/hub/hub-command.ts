/** `hub`: the page with all bots of a user. */
import { resolve } from 'node:path';
import { exitCode } from '../../base/failure/exit-codes.ts';
import { showPage } from '../bot/show-page.ts';
import type { CliContext } from '../shell/cli-context.ts';

export async function serveHub(
  { port = 0, print }: { readonly port?: number; readonly print?: true },
  context: CliContext,
  folders: readonly string[],
): Promise<void> {
  const { io, env } = context;
  const [{ createLog }, { untilStopped }, { runHub }] = await Promise.all([
    import('../../run/monitor/monitor-log.ts'),
    import('../../run/setup/signals.ts'),
    import('../../run/hub/hub.ts'),
  ]);
  const stop = new AbortController();
  void untilStopped().then(() => stop.abort());
  let shown = Promise.resolve();
  await runHub({
    cwd: process.cwd(),
    env,
    named: folders.map((one) => resolve(one)),
    port,
    log: createLog(io.isTty, () => io.stderr.columns),
    signal: stop.signal,
    onReady: (page) => {
      shown = showPage(page, print === true, context);
    },
  });
  await shown;
  context.exit(exitCode.done);
}
