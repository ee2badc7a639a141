/** `webhooks`: listens for those outside who may say something to strategies. */
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { exitCode } from '../../base/failure/exit-codes.ts';
import { Failure } from '../../base/failure/failure.ts';
import { stateFolder } from '../../run/setup/state-folder.ts';
import type { GivenWebhooks } from '../../run/webhooks/webhooks.ts';
import { configOf, type CliContext, type ConfigFlags } from '../shell/cli-context.ts';

interface WebhooksFlags extends ConfigFlags {
  readonly given?: true;
}

export async function listen(flags: WebhooksFlags, context: CliContext): Promise<void> {
  const stop = new AbortController();
  const { folder, file } = flags.given === true ? await givenBy(stop) : await configured(flags, context);
  const [{ readWebhooksFile }, { createLog }, { untilStopped }, { runWebhooks }] = await Promise.all([
    import('../../config/files/webhooks-file.ts'),
    import('../../run/monitor/monitor-log.ts'),
    import('../../run/setup/signals.ts'),
    import('../../run/webhooks/webhooks.ts'),
  ]);
  void untilStopped().then(() => stop.abort());
  const { io } = context;
  const isAlone = await runWebhooks({
    folder,
    file: readWebhooksFile(file),
    log: createLog(io.isTty, () => io.stderr.columns),
    signal: stop.signal,
    onReady: (url) => void io.stdout.write(`${url}\n`),
  });
  context.exit(isAlone ? exitCode.done : exitCode.occupied);
}

/** What the bot that starts this process says in one line. When its end of the pipe closes, the bot has ended. */
function givenBy(stop: AbortController): Promise<GivenWebhooks> {
  return new Promise((resolve_, reject) => {
    const lines = createInterface(process.stdin);
    lines.once('line', (line) => {
      try {
        resolve_(JSON.parse(line) as GivenWebhooks);
      } catch {
        reject(new Failure('webhooks-file', { what: 'expected a line of JSON on standard input', hint: '--given is for the bot' }));
      }
    });
    lines.once('close', () => {
      reject(new Failure('webhooks-file', { what: 'standard input ended without a line', hint: '--given is for the bot' }));
      stop.abort();
    });
  });
}

async function configured(flags: ConfigFlags, context: CliContext): Promise<GivenWebhooks> {
  const config = await configOf(flags, context);
  const { file } = config.webhooks;
  if (file === '')
    throw new Failure('webhooks-file', { what: 'webhooks.file names no file', hint: 'it is a file of mode 0600 with a port and senders' });
  return { folder: resolve(stateFolder(config)), file };
}
