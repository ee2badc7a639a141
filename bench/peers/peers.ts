/** The programs that the bench measures beside this one, with the versions of the packages that decide about their speed. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { here } from '../suite/table.ts';

export const PEERS: Readonly<Record<string, readonly string[]>> = {
  hftbacktest: ['hftbacktest==2.4.4', 'numba==0.68.1', 'llvmlite==0.50.0', 'numpy==2.2.6'],
  vectorbt: ['vectorbt==1.2.0', 'backtesting==0.6.6', 'numba==0.68.1', 'llvmlite==0.50.0', 'numpy==2.4.6', 'pandas==3.1.1', 'bokeh==3.9.2'],
};

export const folderOf = (peer: string): string => here(join('../var/bench', peer));
export const pythonOf = (peer: string): string => join(folderOf(peer), 'bin/python');

/** True if `npm run bench:peers` has installed it. */
export const hasPeer = (peer: string): boolean => existsSync(pythonOf(peer));

/** What a script of this folder prints. */
export function python(peer: string, script: string, args: readonly string[]): string {
  const file = here(join('peers', script));
  return execFileSync(pythonOf(peer), [file, ...args], { encoding: 'utf8', maxBuffer: 1 << 26, stdio: ['ignore', 'pipe', 'inherit'] });
}
