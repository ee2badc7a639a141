// Takes the keys of the venue out of the environment before anything else is loaded. The system shows the environment that a process began
// with to whoever reads its files (/proc/PID/environ), however it is changed later. So the process begins once more without the keys, under
// the same number, and gets them through a private file that exists for a moment, in memory where the system has such a folder.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const NAMES = ['TICKWRIGHT_KEY', 'TICKWRIGHT_SECRET', 'TICKWRIGHT_PASSPHRASE'];
const HANDOVER = 'TICKWRIGHT_HANDOVER';

/** Call first. Under a process manager that holds a channel to the process (PM2), and on Windows, the keys belong into a file instead. */
export function takeKeysOut() {
  const { env } = process;
  const file = env[HANDOVER];
  if (file !== undefined) return takeOver(file);
  const isBot = process.argv[2] === 'run' && NAMES.some((name) => env[name]);
  if (!isBot || process.platform === 'win32' || process.execve === undefined || process.send !== undefined) return;
  const path = handedOver(JSON.stringify(Object.fromEntries(NAMES.map((name) => [name, env[name]]))));
  if (path === '') return;
  const rest = Object.fromEntries(Object.entries(env).filter(([name]) => !NAMES.includes(name)));
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], { ...rest, [HANDOVER]: path });
}

/** Path of a private file with this text; "" if none can be written, and the keys stay where they are. */
function handedOver(text) {
  for (const parent of ['/dev/shm', tmpdir()]) {
    try {
      const path = join(mkdtempSync(join(parent, 'tickwright-')), 'keys');
      writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
      return path;
    } catch {
      // Absent, full, or not ours to write in, as in a container with a file system that is only read.
    }
  }
  return '';
}

function takeOver(file) {
  delete process.env[HANDOVER];
  try {
    const keys = JSON.parse(readFileSync(file, 'utf8'));
    for (const name of NAMES) if (typeof keys[name] === 'string') process.env[name] = keys[name];
  } catch {
    // The configuration says that there are no keys.
  } finally {
    rmSync(file, { force: true });
    if (basename(dirname(file)).startsWith('tickwright-')) rmSync(dirname(file), { recursive: true, force: true });
  }
}
