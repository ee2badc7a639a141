/** The start of an exchange: reads its ledger in turns, between which callers are told how far it is. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Ledger, LedgeredExchange, Resumed } from '../../edge/file/ledger/ledger.ts';
import type { Log } from '../../ports/log.ts';

/** Longest turn of reading, and time between two lines of the log, in milliseconds. */
const TURN_MS = 20;
const LOG_MS = 1_000;

export class Starting {
  readonly #log: Log;
  #missing: string | null = 'it opens its ledger';

  constructor(log: Log) {
    this.#log = log;
  }

  /** What the exchange still waits for; null once it is ready. */
  get missing(): string | null {
    return this.#missing;
  }

  ready(): void {
    this.#missing = null;
  }

  /** Starts the ledger. @throws LedgerError */
  async read(ledger: Ledger, exchange: LedgeredExchange): Promise<Resumed> {
    const of = ledger.linesLeft;
    const steps = ledger.steps(exchange);
    let turnEnd = performance.now();
    let logAt = turnEnd + LOG_MS;
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      const now = performance.now();
      if (now < turnEnd) continue;
      const read = of - ledger.linesLeft;
      this.#missing = `${read} of ${of} records of its ledger are read`;
      if (now >= logAt) {
        this.#log.info('ledger-read', { read, of });
        logAt = now + LOG_MS;
      }
      await nextTurn();
      turnEnd = performance.now() + TURN_MS;
    }
  }
}
