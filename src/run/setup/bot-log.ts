/** The log of a bot, or of its watchdog: lines of JSON, or text above the status line of a terminal. */
import type { BotConfig } from '../../config/model.ts';
import { createLog, stdoutSink, type LogOutput } from '../../edge/log/pino-log.ts';
import type { Io } from './options.ts';

export function logFor(config: Pick<BotConfig, 'credentials' | 'logLevel'>, io: Io): LogOutput {
  const secrets = config.credentials === null ? [] : Object.values(config.credentials);
  const { logLevel } = config;
  const level = logLevel === 'orders' ? 'info' : logLevel;
  const keeps = (_level: string, event: string): boolean => logLevel === 'orders' || level === 'debug' || !ORDER_LINES.has(event);
  if (!io.isTty) return createLog({ level, form: 'json', secrets, belowErrors: stdoutSink(), shows: keeps, keeps });
  const width = (): number | undefined => io.stderr.columns;
  return createLog({
    level,
    form: 'text',
    colours: true,
    width,
    secrets,
    keeps,
    sink: io.live,
    ...(logLevel === 'info' ? { shows: shownToPeople() } : {}),
  });
}

/** Info events shown above the status line of a terminal. Warnings and errors are shown too; the rest only with `logLevel: debug`. */
const SHOWN: ReadonlySet<string> = new Set(['fill', 'exit', 'order-placed', 'order-cancelled', 'ready', 'clock-agrees', 'venue-reached']);
/** Info events of single orders. A quoting strategy has several a second: `logLevel: orders` writes them, `tickwright tail` always shows them. */
const ORDER_LINES: ReadonlySet<string> = new Set(['order-placed', 'order-moved', 'order-cancelled']);
/** Most order lines a second on a terminal, so that a quoting strategy does not hide the others. */
const ORDER_LINES_A_SECOND = 5;

function shownToPeople(): (level: string, event: string) => boolean {
  let [second, lines] = [0, 0];
  return (level, event) => {
    if (level !== 'info') return true;
    if (!SHOWN.has(event)) return false;
    if (!ORDER_LINES.has(event)) return true;
    const now = Math.floor(performance.now() / 1_000);
    if (now !== second) [second, lines] = [now, 0];
    return ++lines <= ORDER_LINES_A_SECOND;
  };
}
