/**
 * The venue refuses opens of a symbol for the same reason again and again: from then on one open is let through as a probe, at growing
 * intervals, until the venue takes one. @hot
 */
import type { Command } from '../../domain/command.ts';
import type { Desk } from '../belief/desk.ts';
import type { RiskRule } from './rule.ts';

const FIRST_MS = 1_000;
const LONGEST_MS = 300_000;

export class RefusalCircuitRule implements RiskRule {
  readonly name = 'refusal-circuit';

  /** For a command that opens. */
  allows(command: Command, desk: Desk): boolean {
    return command.time >= desk.circuit.probeAt;
  }

  why(command: Command, desk: Desk): string {
    const circuit = desk.circuit;
    const text = 'the venue refused ' + circuit.count + ' opens in a row: ' + circuit.reason;
    return text + '; the next one is let through in ' + (circuit.probeAt - command.time) + ' ms';
  }
}

/** The refusals of one symbol in a row. */
export class RefusalCircuit {
  /** Refusals alike in a row, and why. */
  count = 0;
  reason = '';
  /** No open before this; −Infinity while there is no reason against one. */
  probeAt = -Infinity;
  declare private readonly most: number;
  private delayMs = FIRST_MS;

  constructor(most: number) {
    this.most = most;
  }

  /** An open was approved: while the circuit is open it is the one probe of its interval. */
  sent(now: number): void {
    if (this.count >= this.most) this.probeAt = now + this.delayMs;
  }

  /** The venue refused an open. True when that opens the circuit. */
  refused(reason: string, now: number): boolean {
    if (reason !== this.reason) this.accepted();
    this.reason = reason;
    this.count++;
    if (this.count < this.most) return false;
    const isNew = this.count === this.most;
    if (!isNew) this.delayMs = Math.min(2 * this.delayMs, LONGEST_MS);
    this.probeAt = now + this.delayMs;
    return isNew;
  }

  /** The venue accepted an open. True when that closes the circuit. */
  accepted(): boolean {
    const wasOpen = this.count >= this.most;
    this.count = 0;
    this.reason = '';
    this.probeAt = -Infinity;
    this.delayMs = FIRST_MS;
    return wasOpen;
  }
}
