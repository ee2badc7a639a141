/** One known mistake, and what must find it. */
import type { SourceEdit } from '../../mutation/edits.ts';

export interface Mutant {
  readonly name: string;
  /** Where it comes from: the list of known mistakes (L2b), or this project. */
  readonly of: 'L2b' | 'own';
  readonly edits: readonly SourceEdit[];
  /** What must find it: worlds of the simulation, or a test file. */
  readonly by: 'all' | 'trades' | `${string}.test.ts`;
}

export function ofTrades(by: Mutant['by'], name: string, edit: SourceEdit): Mutant {
  return { of: 'own', name, edits: [edit], by };
}

export function testedBy(by: Mutant['by'], of: Mutant['of'], name: string, ...edits: readonly SourceEdit[]): Mutant {
  return { of, name, edits, by };
}

export function mutant(of: Mutant['of'], name: string, ...edits: readonly SourceEdit[]): Mutant {
  return { of, name, edits, by: 'all' };
}
