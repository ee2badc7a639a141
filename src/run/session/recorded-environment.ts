/** Records what a session depends on beside its events: versions of the program and of Node.js, and the strategies' files. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { programVersion } from '../setup/version.ts';
import type { FileHash, Head } from './entries.ts';

export type Environment = Pick<Head, 'tickwright' | 'node' | 'modules'>;

export function environmentOf(files: readonly string[]): Environment {
  return { tickwright: programVersion(), node: process.versions.node, modules: files.map((file) => ({ file, sha256: hashOf(file) })) };
}

/** What is another than when the session was recorded, a sentence each. */
export function changesSince(head: Environment): string[] {
  const changes: string[] = [];
  for (const { file, sha256 } of head.modules) {
    const now = hashOf(file);
    if (now === '') changes.push(`${file} is not there any more`);
    else if (now !== sha256) changes.push(`${file} was changed (sha256 ${sha256.slice(0, 12)} then, ${now.slice(0, 12)} now)`);
  }
  if (head.tickwright !== programVersion()) changes.push(`Tickwright was ${head.tickwright}, now ${programVersion()}`);
  if (head.node !== process.versions.node) changes.push(`Node.js was ${head.node}, now ${process.versions.node}`);
  return changes;
}

/** "" for a file that is not there. */
function hashOf(file: FileHash['file']): string {
  return existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : '';
}
