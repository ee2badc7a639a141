/** The logs in the folder of a recording, by their numbers. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../file/error.ts';
import type { Manifest } from '../file/manifest.ts';
import { sealed } from './seal.ts';

export function logName(number: number): string {
  return `rows-${String(number).padStart(6, '0')}.log`;
}

/** Numbers of the logs that are there, the oldest first. */
export function logsIn(folder: string): number[] {
  return readdirSync(folder)
    .flatMap((name) => /^rows-(\d{6,})\.log$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

/** The manifest with the rows that are in logs alone; null if a log was removed while it was read, because the recording is running. */
export function withLogs(folder: string, manifest: Manifest): Manifest | null {
  const first = manifest.recording!.log;
  const numbers = logsIn(folder).filter((number) => number >= first);
  try {
    const logs = numbers.map((number) => readFileSync(join(folder, logName(number))));
    return sealed(manifest, logs, first, folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}
