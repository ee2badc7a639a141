/** Finds the files in a ledger's folder: the input logs after the snapshot, and the ledger segments. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { LedgerFiles, type LedgerPlace } from './ledger-files.ts';
import { LedgerError } from './ledger-types.ts';

const INPUTS = /^inputs-(\d+)\.jsonl$/;

export function inputsPath(folder: string, generation: number): string {
  return join(folder, `inputs-${generation}.jsonl`);
}

/**
 * Returns the number of the newest input log. Several logs may follow the snapshot, because a log is started for a snapshot that may never
 * be completed. Logs before the snapshot are removed. @throws LedgerError corrupt if a log in between is missing
 */
export function newestInputs(folder: string, generation: number): number {
  removeInputs(folder, (number) => number < generation);
  const numbers = inputNumbers(folder);
  const newest = Math.max(generation, ...numbers);
  for (let number = generation; number < newest; number++) {
    if (!numbers.includes(number))
      throw new LedgerError('corrupt', `${inputsPath(folder, number)} is missing, but the snapshot needs it: restore the file`);
  }
  return newest;
}

export function removeInputs(folder: string, isOld: (number: number) => boolean): void {
  for (const number of inputNumbers(folder)) if (isOld(number)) rmSync(inputsPath(folder, number), { force: true });
}

/** @throws LedgerError corrupt if a segment that the snapshot needs is missing */
export function filesIn(folder: string, place: LedgerPlace = { segment: 1, base: 0 }): LedgerFiles {
  try {
    return new LedgerFiles(folder, place);
  } catch (error) {
    if (error instanceof RangeError) throw new LedgerError('corrupt', error.message, { cause: error });
    throw error;
  }
}

function inputNumbers(folder: string): number[] {
  return readdirSync(folder).flatMap((name) => {
    const found = INPUTS.exec(name);
    return found === null ? [] : [Number(found[1])];
  });
}
