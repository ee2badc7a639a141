/** The shape of a failure code in the table failures.ts. */

/**
 * usage: the command line is wrong. configuration: a file that it names is wrong, and a restart does not help. occupied: another bot has
 * the store or the account, or Redis is away. absent: no running bot was found. failure: anything else.
 */
export type FailureKind = 'failure' | 'usage' | 'configuration' | 'occupied' | 'absent';

export interface FailureRow {
  readonly kind: FailureKind;
  readonly meaning: string;
  readonly action: string;
}
