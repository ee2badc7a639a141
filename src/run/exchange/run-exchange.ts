/** The `exchange` command: runs a paper exchange until it is stopped. */
import { createLog } from '../../edge/log/pino-log.ts';
import type { ExchangeOptions, Io } from '../setup/options.ts';
import { untilStopped } from '../setup/signals.ts';
import { announcement } from './announcement.ts';
import { openExchange } from './exchange.ts';

/** Returns the exit code. @throws Failure */
export async function runExchange(options: ExchangeOptions, io: Io): Promise<number> {
  const log = createLog({ level: 'info', form: io.isTty ? 'text' : 'json', width: () => io.stderr.columns });
  const stopped = untilStopped();
  const exchange = await openExchange(options, log);
  io.stdout.write(`${announcement(options, exchange)}\n`);
  const failure = await Promise.race([exchange.failed, stopped.then(() => null)]);
  if (failure !== null) log.error('exchange-failed', { error: failure });
  await exchange.close();
  return failure === null ? 0 : 1;
}
