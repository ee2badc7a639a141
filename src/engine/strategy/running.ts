/**
 * Which strategy's code runs at this moment, in memory that another thread can see. A watchdog finds a handler that does not return,
 * and traps know whom to name. Written twice a call, read by whoever guards the process. @hot
 */

/** What of a strategy runs. Its place in this list is its number. */
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
] as const;

export type HandlerName = (typeof HANDLERS)[number];

/** A strategy's number stands above so many handlers. */
export const PER_STRATEGY = 16;
/** Names that are kept, and letters of each. */
const NAMES_MAX = 64;
export const NAME_LENGTH = 255;

/** Between so many calls, a power of two less one, somebody looks whether all is well: rarely, and often while there is reason to. */
export const RARELY = 1023;
export const OFTEN = 15;

/**
 * Cell 0: strategy × PER_STRATEGY + handler, 0 while none runs. Cell 1: calls so far, which tells one call from the next. Cell 2: between
 * how many of them is looked.
 */
export const cells = new Int32Array(new SharedArrayBuffer(12));
cells[2] = RARELY;
/** By strategy: the length of its name, then its letters. */
export const letters = new Uint16Array(new SharedArrayBuffer(2 * NAMES_MAX * (NAME_LENGTH + 1)));

const names: string[] = [];

/** The number of a strategy, multiplied: add a handler's number to it. The same for the same name. Beyond the last place, that of the last. */
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

/** Marks that `handler` of the strategy runs, until `leave`. */
export function enter(strategy: number, handler: number): void {
  cells[1] = (cells[1]! + 1) | 0;
  cells[0] = strategy + handler;
}

export function leave(): void {
  if (isClose || (cells[1]! & cells[2]!) === 0) isClose = look();
  cells[0] = 0;
}

let look: () => boolean = () => false;
/** Whether the last look wants one after every call. */
let isClose = false;

/** From now on `one` is called between calls, while the last of them still counts as running: true asks for a look after the next. */
export function lookBetweenCalls(one: () => boolean): void {
  look = one;
}

/** What runs now; null while nothing does. */
export function runningNow(): { readonly strategy: string; readonly handler: string } | null {
  const who = cells[0]!;
  return who === 0 ? null : { strategy: nameNow(), handler: HANDLERS[who % PER_STRATEGY] ?? '' }; // hot-ok: once, before the end
}

/** "onBar" and so on as a number. */
export function numberOf(handler: HandlerName): number {
  return HANDLERS.indexOf(handler);
}

/** The name of the strategy whose code runs now; "" while none does. */
export function nameNow(): string {
  return cells[0] === 0 ? '' : (names[Math.trunc(cells[0]! / PER_STRATEGY) - 1] ?? '');
}
