/** PM2: `pm2 start ecosystem.config.js`. One process, never two: a second bot on one account would fight the first. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const pinnedNode = at(process.platform === 'win32' ? 'node_modules/.bin/node.cmd' : 'node_modules/.bin/node');

export const apps = [
  {
    name: 'tickwright',
    cwd: at('.'),
    // The program itself is the script, so that it sees its own arguments and not PM2's wrapper.
    script: existsSync(pinnedNode) ? pinnedNode : process.execPath,
    interpreter: 'none',
    args: ['src/tickwright.js', 'run', '--config', 'config/paper.yaml'],
    exec_mode: 'fork',
    instances: 1,
    // The bot says "ready" once it has reconciled with the venue, and needs a moment to finish what is in flight.
    wait_ready: true,
    listen_timeout: 15_000,
    kill_timeout: 20_000,
    // Ends that a restart cannot cure: docs/exit-codes.md. Never 0: PM2 reports a death by signal (kill -9, out of memory) as 0.
    stop_exit_codes: [2, 78],
    exp_backoff_restart_delay: 500,
  },
];
