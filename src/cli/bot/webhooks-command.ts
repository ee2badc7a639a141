/** `webhooks`: listens for those outside who may say something to strategies. */
import { resolve } from 'node:path';
import { exitCode } from '../../base/failure/exit-codes.ts';
import { Failure } from '../../base/failure/failure.ts';
import { stateFolder } from '../../run/bot/outside/operate.ts';
import { configOf, type CliContext, type ConfigFlags } from '../shell/cli-context.ts';

export async function listen(flags: ConfigFlags, context: CliContext): Promise<void> {
  const config = await configOf(flags, context);
  if (config.webhooks.file === '')
    throw new Failure('webhooks-file', { what: 'webhooks.file names no file', hint: 'it is a file of mode 0600 with a port and senders' });
  const [{ readWebhooksFile }, { createLog }, { untilStopped }, { runWebhooks }] = await Promise.all([
    import('../../config/files/webhooks-file.ts'),
    import('../../run/monitor/monitor-log.ts'),
    import('../../run/setup/signals.ts'),
    import('../../run/webhooks/webhooks.ts'),
  ]);
  const file = readWebhooksFile(config.webhooks.file);
  const stop = new AbortController();
  void untilStopped().then(() => stop.abort());
  const { io } = context;
  const isAlone = await runWebhooks({
    folder: resolve(stateFolder(config)),
    file,
    log: createLog(io.isTty, () => io.stderr.columns),
    signal: stop.signal,
    onReady: (url) => void io.stdout.write(`${url}\n`),
  });
  context.exit(isAlone ? exitCode.done : exitCode.occupied);
}
