/**
 * PM2: `pm2 start ecosystem.config.cjs`. One process, never two: a second bot on one account would fight the first.
 * This file stands alone: copy it into your own folder, beside `node_modules`, and change CONFIG and ARGS. It is CommonJS, so that PM2
 * reads it whatever the "type" of the package.json beside it. docs/pm2.md goes through all of it.
 */
const { execFileSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { totalmem } = require('node:os');
const { delimiter, join } = require('node:path');

/** The configuration of the bot. It names a credentials file of mode 0600: see `env` below. */
const CONFIG = 'config/paper.yaml';
/** More arguments of `run`. A venue that is not this machine takes '--live'. */
const ARGS = [];
/** True: PM2 runs the watchdog too, as `tickwright-watchdog`. Set `watchdog.start: apart` in the configuration. */
const WATCHDOG = false;
/** Most megabytes of heap. The bot ends itself with 71 shortly below, names what ran, and PM2 starts it again. It usually needs 150. */
const HEAP_MB = 768;

const here = __dirname;
const programs = ['src/tickwright.js', 'dist/tickwright.js', 'node_modules/tickwright/dist/tickwright.js'];
const program = programs.map((path) => join(here, path)).find((path) => existsSync(path)) ?? 'tickwright.js';

/** Whether a Node.js has the security fixes that live trading wants: the rule of `tickwright doctor`. */
function isFitForLive(version) {
  const [major, minor, patch] = version.split('.').map(Number);
  const fixed = { 22: [23, 4], 24: [22, 1], 26: [12, 1] }[major];
  if (fixed === undefined) return major > 26;
  return minor > fixed[0] || (minor === fixed[0] && patch >= fixed[1]);
}

function versionOf(node) {
  try {
    return execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}

/** Yours first: TICKWRIGHT_NODE, the one that runs PM2, those on PATH; then the one that `npm ci` brought along. */
function chooseNode(env = process.env) {
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  const onPath = (env.PATH ?? '').split(delimiter).map((folder) => join(folder, file));
  const pinned = join(here, 'node_modules/.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  const known = [...new Set([env.TICKWRIGHT_NODE, process.execPath, ...onPath, pinned])].filter((path) => path && existsSync(path));
  for (const path of known) {
    const version = versionOf(path);
    if (version !== null && isFitForLive(version)) return { path, version, isFit: true };
  }
  const path = env.TICKWRIGHT_NODE ?? (existsSync(pinned) ? pinned : process.execPath);
  return { path, version: versionOf(path), isFit: false };
}

/** HEAP_MB, or half of the memory of a small machine or container. */
function heapMb() {
  const memory = Math.min(totalmem(), process.constrainedMemory?.() || Infinity);
  return Math.min(HEAP_MB, Math.floor(memory / 2 / 1_048_576));
}

const node = chooseNode();
if (!node.isFit) {
  console.error(
    `\nWARNING: no Node.js fit for live trading was found; the bot runs on ${node.version} (${node.path}).\n` +
      'That is fine for paper. To trade with money, install 22.23.4, 24.22.1, 26.12.1 or newer, or name one in TICKWRIGHT_NODE.\n',
  );
}

const inShell = ['TICKWRIGHT_KEY', 'TICKWRIGHT_SECRET', 'TICKWRIGHT_PASSPHRASE'].filter((name) => process.env[name] !== undefined);
if (inShell.length > 0) {
  console.error(
    `\n${inShell.join(', ')} of this shell: not handed to the bot, because PM2 writes environments to disk. Use venue.credentials.\n`,
  );
}

/** What the bot sees of the shell. PM2 writes the environment of its programs to disk (`pm2 save`): no secret may be in it. */
const KEPT = [
  'PATH',
  'HOME',
  'USER',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'XDG_STATE_HOME',
  'TICKWRIGHT_STATE_HOME',
  // Names a file; the passphrase itself is not in it.
  'TICKWRIGHT_KEYSTORE_PASSPHRASE_FILE',
  'XDG_RUNTIME_DIR',
  'SystemRoot',
  'TEMP',
  'APPDATA',
];

const apps = [
  {
    name: 'tickwright',
    cwd: here,
    // Node.js is the script and the program its argument, so that the program sees its own arguments and not PM2's wrapper.
    script: node.path,
    interpreter: 'none',
    args: ['--disable-proto=delete', `--max-old-space-size=${heapMb()}`, program, 'run', '--config', CONFIG, ...ARGS],
    exec_mode: 'fork',
    instances: 1,
    // Nothing of the shell but what stands in `env`: PM2 leaves out each name that contains one of these texts, and all contain ''
    // (`true` does nothing in PM2 7.0.4). Credentials come from the file that `venue.credentials` names.
    filter_env: [''],
    env: Object.fromEntries(KEPT.filter((name) => process.env[name] !== undefined).map((name) => [name, process.env[name]])),
    // The bot says "ready" once it has reconciled with the venue, and needs a moment to finish what is in flight.
    wait_ready: true,
    listen_timeout: 15_000,
    kill_timeout: 20_000,
    // Ends that a restart cannot cure: docs/reference/exit-codes.md. Never 0: PM2 reports a death by signal (kill -9, out of memory) as 0.
    stop_exit_codes: [2, 78],
    exp_backoff_restart_delay: 500,
    // PM2 looks every 30 s: for memory that grows slowly outside of the heap. The heap has its own limit above, which acts at once.
    max_memory_restart: '1G',
  },
];

if (WATCHDOG) {
  const [bot] = apps;
  const flags = bot.args.slice(0, bot.args.indexOf('run'));
  apps.push({ ...bot, name: 'tickwright-watchdog', args: [...flags, 'watchdog', '--config', CONFIG] });
}

module.exports = { apps, chooseNode, isFitForLive };
