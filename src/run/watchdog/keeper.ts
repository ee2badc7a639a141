/** Sees to it that a running bot has a watchdog: starts one, or says that there is none. It never waits for it. */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { BeatSocket } from '../../edge/control/beat-socket.ts';
import { beside } from '../../edge/file/beside/beside.ts';
import type { Log } from '../../ports/log.ts';
import type { WatchdogSettings } from './settings.ts';

export interface KeeperDeps {
  readonly settings: WatchdogSettings;
  readonly socket: Pick<BeatSocket, 'listeners'>;
  readonly log: Log;
  /** Default: a process of its own. */
  readonly launch?: ((settings: WatchdogSettings) => void) | undefined;
}

const LOOK_MS = 500;
/** A watchdog that starts needs a moment; the first and the longest wait for one, each twice the one before. */
const PATIENCE_MS = 5_000;
const PATIENCE_MOST_MS = 60_000;

export class WatchdogKeeper {
  readonly #deps: KeeperDeps;
  #timer: NodeJS.Timeout | undefined;
  #missingMs = 0;
  #patienceMs = PATIENCE_MS;
  #isMissing = false;

  constructor(deps: KeeperDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#launch();
    this.#timer = setInterval(() => this.look(), LOOK_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** True while none has listened for some seconds. */
  get isMissing(): boolean {
    return this.#isMissing;
  }

  /** Runs by timer, twice a second. */
  look(): void {
    const { socket, log, settings } = this.#deps;
    if (socket.listeners > 0) {
      if (this.#isMissing) log.info('watchdog-there', {});
      this.#isMissing = false;
      this.#missingMs = 0;
      this.#patienceMs = PATIENCE_MS;
      return;
    }
    this.#missingMs += LOOK_MS;
    if (this.#missingMs < this.#patienceMs) return;
    if (!this.#isMissing)
      log.warn('watchdog-missing', { start: settings.watchdog.start, hint: 'nothing cancels opening orders if this process hangs' });
    this.#isMissing = true;
    this.#missingMs = 0;
    this.#patienceMs = Math.min(2 * this.#patienceMs, PATIENCE_MOST_MS);
    this.#launch();
  }

  #launch(): void {
    const { settings, log, launch = launchProcess } = this.#deps;
    if (settings.watchdog.start !== 'bot') return;
    try {
      launch(settings);
    } catch (error) {
      // That none listens is told.
      log.warn('watchdog-not-started', { error });
    }
  }
}

/** It is told on its standard input what to watch, and writes its log beside the state folder. It outlives this process. */
function launchProcess(settings: WatchdogSettings): void {
  const log = openSync(beside(settings.folder, '.watchdog.log'), 'a', 0o600);
  try {
    const args = [...process.execArgv, process.argv[1] ?? '', 'watchdog', '--given'];
    const child = spawn(process.execPath, args, { stdio: ['pipe', log, log], detached: true });
    // If it cannot be started, the next look says that there is none.
    child.on('error', () => undefined);
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(JSON.stringify(settings));
    child.unref();
  } finally {
    closeSync(log);
  }
}
