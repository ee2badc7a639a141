/** What keeps a strategy from harming the bot by accident: traps, frozen built-ins, checked imports, and a thread that watches. */
import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { ownModule } from '../../base/own-module.ts';
import type { BotConfig } from '../../config/model.ts';
import { cells, letters } from '../../engine/strategy/running.ts';
import { guardImports, isStrategyModule } from './modules.ts';
import { freezeBuiltIns, installTraps } from './traps.ts';

/** What the watching thread is given. */
export interface WatchdogSetup {
  readonly cells: Int32Array;
  readonly letters: Uint16Array;
  readonly limitMs: number;
  readonly heapLimit: number;
  /** Folder of the store beside which halts are kept; null where there is none. */
  readonly markerFolder: string | null;
  /** Whether the log is of JSON lines. */
  readonly isJson: boolean;
}

/** A backtest is not in a hurry: nothing happens meanwhile. */
const BACKTEST_FACTOR = 5;

let isGuarded = false;

/** Guards this process, once: for the commands that run strategies, before the first strategy is loaded. */
export function guardStrategies(
  config: BotConfig,
  where: { readonly isLive: true; readonly isJson: boolean } | { readonly isLive: false },
): void {
  if (isGuarded) return;
  isGuarded = true;
  const limitMs = where.isLive ? config.handlerLimitMs : config.handlerLimitMs * BACKTEST_FACTOR;
  const markerFolder = where.isLive ? config.store.folder : null;
  const heapLimit = getHeapStatistics().heap_size_limit;
  const setup: WatchdogSetup = { cells, letters, limitMs, heapLimit, markerFolder, isJson: where.isLive && where.isJson };
  const watchdog = new Worker(new URL(ownModule(new URL('./watchdog.ts', import.meta.url))), {
    workerData: setup,
    stdout: false,
    stderr: false,
  });
  watchdog.unref();
  if (config.strategyGuard === 'off') return;
  guardImports();
  installTraps();
  freezeBuiltIns();
}

/** Calls `tell` for a promise of a strategy that failed with nobody waiting for it; any other ends the process as before. */
export function onStrayPromises(tell: (error: unknown) => void): void {
  process.on('unhandledRejection', (reason) => {
    const stack = reason instanceof Error ? (reason.stack ?? '') : '';
    const places = stack.match(/file:\/\/[^\s():]+/g) ?? [];
    if (places.some(isStrategyModule)) return tell(reason);
    throw reason;
  });
}
