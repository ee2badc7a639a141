/**
 * The monitor as a child of the bot: started with it, started again when it dies, never waited for. It has no keys of the venue, and outlives a
 * bot that dies.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitCode } from '../../base/failure/exit-codes.ts';
import type { BotConfig, MonitorConfig } from '../../config/model.ts';
import type { Log } from '../../ports/log.ts';
import { writeMonitorSettings } from '../setup/monitor-settings.ts';
import { stateFolder } from '../setup/state-folder.ts';
import { makeFolder } from './outside/try-folders.ts';

const PROGRAM = fileURLToPath(new URL('../../tickwright.js', import.meta.url));
/** First and longest pause before a monitor that died is started again; each is twice the one before. */
const AGAIN_FIRST_MS = 500;
const AGAIN_LONGEST_MS = 60_000;
/** One that ran so long is started again after the first pause. */
const WELL_MS = 60_000;
/** A log of more bytes is put aside as monitor.log.1 when a monitor starts. */
const LOG_MAX = 8 << 20;
/** What of the environment it gets: nothing that may be a secret. */
const ENVIRONMENT = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'SystemRoot', 'USERPROFILE', 'TEMP', 'TICKWRIGHT_STATE_HOME'];

export interface MonitorChild {
  /** Its address; "" if it has none within `ms`. */
  url(ms: number): Promise<string>;
  /** Starts it no more. It ends by itself once the bot has said that it ends. */
  stop(): void;
}

/** The monitor of a bot that is started by this command; null if the configuration wants none. */
export function monitorOf(config: BotConfig, log: Log, command: 'start' | 'run'): MonitorChild | null {
  const { enabled } = config.monitor;
  const folder = stateFolder(config);
  try {
    makeFolder(folder);
    writeMonitorSettings(folder, config);
  } catch (error) {
    // The start of the bot says what is wrong with its folder.
    log.debug('monitor-ended', { error });
    return null;
  }
  const isWanted = enabled === 'always' || (enabled === 'start' && (command === 'start' || config.alerts.file !== ''));
  return isWanted ? startMonitor(folder, config.monitor, log) : null;
}

/** Starts the monitor of the bot whose state is in `folder`. A failure is logged, and the bot trades on. */
function startMonitor(folder: string, { port }: Pick<MonitorConfig, 'port'>, log: Log): MonitorChild {
  let [pause, isOver] = [AGAIN_FIRST_MS, false];
  let timer: NodeJS.Timeout | undefined;
  let onUrl: (url: string) => void = () => undefined;
  const url = new Promise<string>((resolve) => (onUrl = resolve));
  const start = (): void => {
    const begun = performance.now();
    const again = (cause: Record<string, unknown>): void => {
      if (isOver) return;
      if (performance.now() - begun > WELL_MS) pause = AGAIN_FIRST_MS;
      // Another monitor of this folder goes on: that of the bot before, which died.
      if (cause['code'] !== exitCode.occupied) log.warn('monitor-ended', { ...cause, again: `in ${pause} ms` });
      timer = setTimeout(start, pause).unref();
      pause = Math.min(2 * pause, AGAIN_LONGEST_MS);
    };
    try {
      const child = spawned(folder, port);
      child.once('error', (error) => again({ error }));
      child.once('exit', (code, signal) => again({ code, signal }));
      child.stdout?.setEncoding('utf8').once('data', (text: string) => {
        onUrl(text.trim());
        log.info('dashboard', { url: text.trim(), open: 'tickwright open' });
      });
    } catch (error) {
      again({ error });
    }
  };
  start();
  return {
    url: (ms) => Promise.race([url, new Promise<string>((resolve) => setTimeout(() => resolve(''), ms).unref())]),
    stop() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

function spawned(folder: string, port: number): ChildProcess {
  const file = join(folder, 'monitor.log');
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LOG_MAX) renameSync(file, `${file}.1`);
  const errors = openSync(file, 'a', 0o600);
  try {
    const env = Object.fromEntries(ENVIRONMENT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
    const args = [PROGRAM, 'monitor', '--state', folder, '--port', String(port)];
    // In a group of its own, so that Ctrl-C in the terminal ends the bot alone, and the monitor with its last word.
    const child = spawn(process.execPath, args, { env, detached: true, stdio: ['ignore', 'pipe', errors] });
    child.unref();
    (child.stdout as unknown as { unref(): void }).unref();
    return child;
  } finally {
    closeSync(errors);
  }
}
