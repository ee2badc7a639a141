/** `alert test`: sends a test message to every channel and says what became of it. */
import { exitCode } from '../../base/failure/exit-codes.ts';
import { keylessConfigOf, type CliContext, type ConfigFlags } from '../shell/cli-context.ts';
import { printJson } from '../shell/print-json.ts';

export async function runAlertTest(flags: ConfigFlags & { readonly json?: true }, context: CliContext): Promise<void> {
  const config = await keylessConfigOf(flags, context);
  const { testChannels } = await import('../../run/monitor/alerts/test-channels.ts');
  const tested = await testChannels(config);
  if (flags.json) printJson(context.io, 'alert test', { channels: tested });
  else {
    for (const { name, kind, delivery, tookMs } of tested) {
      const result = delivery.ok ? `delivered in ${tookMs} ms` : `not delivered: ${delivery.cause}`;
      context.io.stdout.write(`${name} (${kind}): ${result}\n`);
    }
  }
  context.exit(tested.every(({ delivery }) => delivery.ok) ? exitCode.done : exitCode.failed);
}
