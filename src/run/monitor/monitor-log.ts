/** The log of a monitor. */
import { createLog as make, type LogOutput } from '../../edge/log/pino-log.ts';

export function createLog(isTty: boolean, width: () => number | undefined): LogOutput {
  return make({ level: 'info', form: isTty ? 'text' : 'json', width });
}
