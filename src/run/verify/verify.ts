/** `verify`: tries to show that a backtest of a strategy cannot be believed. */
import { messageOf } from '../../base/failure/message-of.ts';
import { CHECKS } from './checks.ts';
import { failed, type Finding } from './check.ts';
import { Subject, type VerifyOptions } from './verified-strategy.ts';

export type { VerifyOptions } from './verified-strategy.ts';

export interface VerifyRow extends Finding {
  readonly name: string;
  readonly doc: string;
}

export interface VerifyReport {
  readonly rows: readonly VerifyRow[];
  /** True if no check failed. */
  readonly isPassed: boolean;
}

/** Runs every check. `onRow` is called with each result when it is known. @throws Failure, TapeError if nothing can be run at all */
export async function verify(options: VerifyOptions, onRow: (row: VerifyRow) => void): Promise<VerifyReport> {
  const subject = await Subject.open(options);
  const rows: VerifyRow[] = [];
  for (const { name, doc, of } of CHECKS) {
    const row = { name, doc, ...(await finding(of, subject)) };
    rows.push(row);
    onRow(row);
  }
  return { rows, isPassed: rows.every(({ verdict }) => verdict !== 'failed') };
}

/** A strategy that throws where a backtest would end fails the check. */
async function finding(of: (subject: Subject) => Promise<Finding> | Finding, subject: Subject): Promise<Finding> {
  try {
    return await of(subject);
  } catch (error) {
    return failed(`the run ended: ${messageOf(error)}`, 1);
  }
}
