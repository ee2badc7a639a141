/** Calendar jobs (a daily summary, a snapshot, a rotation), in UTC. Polls never run here. The only importer of node-cron. */
import { schedule, validateDetailed } from 'node-cron';
import type { Log } from '../../ports/log.ts';

export interface CalendarJob {
  /** When it runs next, milliseconds since the epoch, or null when never. */
  readonly nextAt: number | null;
  /** Runs it now, as the calendar would. */
  runNow(): Promise<void>;
  stop(): void;
}

/**
 * Runs `job` at the times of a cron expression in UTC, for example "0 0 * * *" for midnight. A run that is still going is not
 * started again, a job that fails is logged and runs again next time, and the process may end while it waits.
 * @throws RangeError when the expression is not one
 */
export function scheduleDaily(expression: string, name: string, job: () => void | Promise<void>, log: Log): CalendarJob {
  const checked = validateDetailed(expression);
  if (!checked.valid) {
    const why = checked.errors.map((e) => e.message).join('; ');
    throw new RangeError(`a cron expression such as "0 0 * * *" was expected, found ${JSON.stringify(expression)}: ${why}`);
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
  // Its time was passed over, by a wall clock that was set ahead or a process that stood still: late is better than not at all.
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
