/** Calendar jobs in UTC (a daily summary, a snapshot, a rotation). Polling has its own timers. The only importer of node-cron. */
import { schedule, validateDetailed } from 'node-cron';
import type { Log } from '../../ports/log.ts';

export interface CalendarJob {
  /** Next run in milliseconds since 1970, or null if there is none. */
  readonly nextAt: number | null;
  /** Runs the job now, as the calendar would. */
  runNow(): Promise<void>;
  stop(): void;
}

/**
 * Runs `job` at the times of a cron expression in UTC, for example "0 0 * * *" for midnight. A run that is still going is not started a
 * second time. A job that throws is logged and runs again next time. A waiting job does not keep the process alive. @throws RangeError if
 * the expression is invalid
 */
export function scheduleDaily(expression: string, name: string, job: () => void | Promise<void>, log: Log): CalendarJob {
  const checked = validateDetailed(expression);
  if (!checked.valid) {
    const why = checked.errors.map((e) => e.message).join('; ');
    throw new RangeError(`expected a cron expression such as "0 0 * * *", found ${JSON.stringify(expression)}: ${why}`);
  }
  const run = async (): Promise<void> => {
    try {
      await job();
    } catch (error) {
      log.error('calendar-job-failed', { job: name, error });
    }
  };
  const task = schedule(expression, run, {
    name,
    timezone: 'UTC',
    noOverlap: true,
    unref: true,
    logger: {
      info: (message) => log.debug('calendar', { job: name, message }),
      warn: (message) => log.warn('calendar', { job: name, message }),
      error: (message, error) => log.error('calendar', { job: name, message: String(message), error }),
      debug: (message) => log.debug('calendar', { job: name, message: String(message) }),
    },
  });
  // The wall clock jumped ahead or the process was suspended, so the time was missed. Run late rather than not at all.
  task.on('execution:missed', () => {
    log.warn('calendar-job-late', { job: name });
    void run();
  });
  return {
    get nextAt() {
      return task.getNextRun()?.getTime() ?? null;
    },
    runNow: run,
    stop() {
      void task.destroy();
    },
  };
}
