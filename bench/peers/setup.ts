/**
 * `npm run bench:peers` installs what `npm run bench` measures beside this program, each into a virtual environment of its own below
 * var/bench, because they need different versions of numpy. Needs python3 3.11 or newer with venv, and a package index.
 */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { folderOf, PEERS, pythonOf } from './peers.ts';

const run = (command: string, args: readonly string[]): void => void execFileSync(command, args, { stdio: 'inherit' });

for (const [name, packages] of Object.entries(PEERS)) {
  rmSync(folderOf(name), { recursive: true, force: true });
  run('python3', ['-m', 'venv', folderOf(name)]);
  run(pythonOf(name), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--only-binary', ':all:', ...packages]);
  console.log(`${packages.join(', ')}: installed in ${folderOf(name)}`);
}
