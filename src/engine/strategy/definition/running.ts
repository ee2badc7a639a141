/**
 * Notes which strategy handler is running now, in memory shared with another thread. The watchdog uses it to find a handler that does not
 * return, and error traps use it to name the strategy. Written twice per call. @hot
 */

/** The code of a strategy that may run. The index in this list is the handler's number. */
export const HANDLERS = [
  'onStart',
  'onQuote',
  'onTrade',
  'onBar',
  'onOrder',
  'onPosition',
  'onTimer',
  'onStop',
  'save',
  'restore',
  'create',
  'load',
  'onBars',
  'onExit',
  'onSchedule',
  'onFill',
  'onExecution',
  'onSignal',
  'onExternal',
  'onHalt',
  'onUniverse',
  'objective',
] as const;

export type HandlerName = (typeof HANDLERS)[number];

/** Factor of the strategy number; must exceed the number of handlers. */
export const PER_STRATEGY = 32;
/** Number of names that are kept, and characters of each. */
export const NAMES_MAX = 64;
export const NAME_LENGTH = 255;

/** A check runs each time this number of calls has passed (a power of two minus one): rarely, or often if there is a reason. */
export const RARELY = 1023;
export const OFTEN = 15;

/**
 * Cell 0: strategy × PER_STRATEGY + handler, 0 if none runs. Cell 1: number of calls, which distinguishes one from the next. Cell 2: calls
 * between two checks.
 */
export const cells = new Int32Array(new SharedArrayBuffer(12));
cells[2] = RARELY;
/** By strategy: the length of its name, then its characters. */
export const letters = new Uint16Array(new SharedArrayBuffer(2 * NAMES_MAX * (NAME_LENGTH + 1)));

const names: string[] = [];

/**
 * Registers a strategy and returns its number × PER_STRATEGY, to which a handler's number is added. The same name gives the same number;
 * strategies beyond the last slot share it.
 */
export function enroll(name: string): number {
  let at = names.indexOf(name);
  if (at < 0) at = Math.min(names.length, NAMES_MAX - 1);
  if (names[at] !== name) {
    names[at] = name;
    const from = at * (NAME_LENGTH + 1);
    const length = Math.min(name.length, NAME_LENGTH);
    letters[from] = length;
    for (let k = 0; k < length; k++) letters[from + 1 + k] = name.charCodeAt(k);
  }
  return (at + 1) * PER_STRATEGY;
}

/** Marks `handler` of the strategy as running until `leave`. */
export function enter(strategy: number, handler: number): void {
  cells[1] = (cells[1]! + 1) | 0;
  cells[0] = strategy + handler;
}

export function leave(): void {
  if (isClose || (cells[1]! & cells[2]!) === 0) isClose = look();
  cells[0] = 0;
}

let look: () => boolean = () => false;
/** True if the last check asked for one after every call. */
let isClose = false;

/**
 * Sets the check that is called between handler calls, while the last one still counts as running. It returns true to be called again after
 * the next.
 */
export function lookBetweenCalls(one: () => boolean): void {
  look = one;
}

/** The running strategy and handler; null if none runs. */
export function runningNow(): { readonly strategy: string; readonly handler: string } | null {
  const who = cells[0]!;
  return who === 0 ? null : { strategy: nameNow(), handler: HANDLERS[who % PER_STRATEGY] ?? '' }; // hot-ok: once, before the end
}

/** The number of a handler name such as "onBar". */
export function numberOf(handler: HandlerName): number {
  return HANDLERS.indexOf(handler);
}

/** The name of the running strategy; "" if none runs. */
export function nameNow(): string {
  return cells[0] === 0 ? '' : (names[Math.trunc(cells[0]! / PER_STRATEGY) - 1] ?? '');
}
