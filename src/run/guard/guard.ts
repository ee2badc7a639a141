/** Protects the bot from accidents of a strategy: traps, frozen built-ins, checked imports, and a watchdog thread. */
import { getHeapStatistics } from 'node:v8';
import { exitCode } from '../../base/failure/exit-codes.ts';
import { Failure } from '../../base/failure/failure.ts';
import type { BotConfig } from '../../config/model.ts';
import { cells, letters, lookBetweenCalls, runningNow } from '../../engine/strategy/definition/running.ts';
import { stateFolder } from '../setup/state-folder.ts';
import { deathNotePath, removeDeathNote } from './death-note.ts';
import { heapWatch } from './heap-watch.ts';
import { guardImports, placeInStrategy } from '../setup/strategy/modules.ts';
import { startThread } from '../setup/threads.ts';
import { say, limitMessage } from './limit-message.ts';
import { strategyNames } from './strategy-names.ts';
import { freezeBuiltIns, installTraps } from './traps.ts';

/** Data for the watchdog thread. */
export interface WatchdogSetup {
  readonly cells: Int32Array;
  readonly letters: Uint16Array;
  readonly limitMs: number;
  /** Heap limit in bytes. */
  readonly oldLimit: number;
  /** Folder of the store beside which halts are kept; null if there is none. */
  readonly markerFolder: string | null;
  /** True if the log is JSON. */
  readonly isJson: boolean;
}

/** A backtest allows handlers this many times longer, because nothing happens in the meantime. */
const BACKTEST_FACTOR = 5;

let isGuarded = false;

/** Guards this process, once. Call before the first strategy is loaded. */
export function guardStrategies(
  config: BotConfig,
  where: { readonly isLive: true; readonly isJson: boolean } | { readonly isLive: false },
): void {
  if (isGuarded) return;
  isGuarded = true;
  const limitMs = where.isLive ? config.handlerLimitMs : config.handlerLimitMs * BACKTEST_FACTOR;
  const markerFolder = where.isLive ? stateFolder(config) : null;
  const isJson = where.isLive && where.isJson;
  const heapLimit = getHeapStatistics().heap_size_limit;
  const oldLimit = Math.max(heapLimit / 2, heapLimit - YOUNG);
  const setup: WatchdogSetup = { cells, letters, limitMs, oldLimit, markerFolder, isJson };
  const watchdog = startThread(new URL('./watchdog-thread.ts', import.meta.url), {
    workerData: setup,
    stdout: false,
    stderr: false,
  });
  watchdog.unref();
  lookBetweenCalls(heapWatch(oldLimit, (bytes) => endFull(bytes, oldLimit, isJson, markerFolder)));
  if (markerFolder !== null) process.on('exit', () => removeDeathNote(deathNotePath(markerFolder)));
  if (!where.isLive) onStrayPromises(endStray);
  trap(config);
}

/** Guards a thread that runs backtests under the eyes of another: without a watchdog of its own. Call before the first strategy is loaded. */
export function guardThread(config: Pick<BotConfig, 'strategyGuard'>): void {
  if (isGuarded) return;
  isGuarded = true;
  trap(config);
}

function trap({ strategyGuard }: Pick<BotConfig, 'strategyGuard'>): void {
  if (strategyGuard === 'off') return;
  guardImports();
  installTraps();
  freezeBuiltIns();
}

/** Memory that the runtime adds to its limit for young objects. */
const YOUNG = 100 * 1_048_576;

/** Reports a full heap and ends the process, before the runtime ends it without naming the strategy. */
function endFull(bytes: number, limit: number, isJson: boolean, folder: string | null): void {
  // The last call is not evidence: what fills the heap may have been kept by any of them, bit by bit.
  const suspects = strategyNames(letters);
  const running = suspects.length > 1 ? null : runningNow();
  // Marks our own code as running, because the code below calls functions that strategies may not call.
  cells[0] = 0;
  const code = exitCode.memory;
  say(limitMessage({ cause: 'memory', running, last: null, suspects, place: '', bytes, limit, halt: false, code }, isJson));
  if (folder !== null) removeDeathNote(deathNotePath(folder));
  process.exit(code);
}

/** Reports a promise of a strategy that was rejected, and ends the process: the run did not have what the strategy waited for. */
function endStray(error: unknown): void {
  const { failure, problems } = strayFailure(error);
  for (const { what, where, hint } of problems) say(`error: ${where ?? 'a strategy'}: ${what}\n  ${hint ?? ''}\n  code: ${failure}`);
  process.exit(exitCode.configuration);
}

/** What was wrong about a promise that a strategy left behind. */
export function strayFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  return new Failure('strategy-promise', {
    what: `a promise that nobody waits for was rejected: ${message.split('\n', 1)[0]}`,
    where: placeInStrategy(stack) ?? undefined,
    hint: 'leave promises, async functions and import() out of handlers: a backtest waits for nothing while it runs',
  });
}

/** Calls `tell` for an unhandled rejection of a strategy's promise. Any other unhandled rejection ends the process. */
export function onStrayPromises(tell: (error: unknown) => void): void {
  process.on('unhandledRejection', (reason) => {
    // What was refused to a built-in that a strategy handed out has no place in its files.
    if (isRefusal(reason)) return tell(reason);
    if (reason instanceof Error && placeInStrategy(reason.stack ?? '') !== null) return tell(reason);
    throw reason;
  });
}

/** True for what only the code of a strategy gets: a trap, or a forbidden import. */
function isRefusal(reason: unknown): boolean {
  return (
    reason instanceof Error && (reason.name === 'ForbiddenError' || (reason instanceof Failure && reason.failure === 'strategy-import'))
  );
}
