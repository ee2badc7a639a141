/** Waits for a stop signal. Repeats are ignored, because Ctrl-C can arrive twice (from the terminal and from npm). */

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

const SIGNALS: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Resolves at the first SIGINT, SIGTERM or SIGHUP, or "shutdown" message of a process manager. */
export function untilStopped(): Promise<StopSignal> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.on(signal, () => resolve(signal));
    process.on('message', (message) => {
      if (message === 'shutdown') resolve('SIGTERM');
    });
  });
}
