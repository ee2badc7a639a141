/**
 * Traps: while a strategy's handler runs, clock, random numbers, timers, network and process throw an error that names the replacement: a
 * backtest could not repeat them. Network and process are refused to its promises and timers as well, by their call stack. Our own code may
 * use all of it even when a strategy calls it. This stops accidents, not attacks. Installed once per process, only by commands that run
 * strategies.
 */
import { BroadcastChannel, MessageChannel } from 'node:worker_threads';
import { cells, nameNow } from '../../engine/strategy/definition/running.ts';
import { isStrategyModule } from '../setup/strategy/modules.ts';

/** Thrown inside a strategy. The engine recognises the name and blames the strategy, not its parameters. */
class ForbiddenError extends Error {
  override readonly name = 'ForbiddenError';
}

const CLOCK = 'ctx.now, the time of the event in milliseconds';
const CHANCE = 'ctx.random(), which a backtest repeats';
const TIMER = 'ctx.setTimer and onTimer, which run in backtests as well';
const NETWORK = 'what the markets of this bot show: a strategy has no network';
const PROCESS = 'params: a strategy has no access to the process';
const STATE = 'save and restore';
const GARBAGE = 'a Map that the strategy empties itself: when memory is freed, a backtest does not repeat';

const FUNCTIONS: readonly (readonly [name: string, instead: string])[] = [
  ['setTimeout', TIMER],
  ['setInterval', TIMER],
  ['setImmediate', TIMER],
  ['queueMicrotask', TIMER],
  ['fetch', NETWORK],
  ['WeakRef', GARBAGE],
  ['FinalizationRegistry', GARBAGE],
];
/** Globals that the runtime loads at the first access. They are not accessed here, because loading would double the time of a short backtest. */
const LAZY: readonly (readonly [name: string, instead: string, real: () => unknown])[] = [
  // Our own code does not use this one.
  ['WebSocket', NETWORK, () => undefined],
  ['EventSource', NETWORK, () => undefined],
  ['BroadcastChannel', NETWORK, () => BroadcastChannel],
  ['MessageChannel', TIMER, () => MessageChannel],
];
const OBJECTS: readonly (readonly [name: string, instead: string])[] = [
  ['process', PROCESS],
  ['performance', CLOCK],
  ['crypto', CHANCE],
  ['localStorage', STATE],
  ['sessionStorage', STATE],
];

/** Folder of this program's code as it appears in stack traces. */
const PROGRAM = new URL('../../', import.meta.url).href;

/** What removes the types of a strategy's imports, inside the runtime: it is loaded with the first of them, and keeps track of memory. */
const TYPE_REMOVER = 'node:internal/deps/amaro/';

/** Refused to a strategy's code at any time, not only while a handler runs. Our own code uses them rarely: a look at the stack costs some us. */
const ALWAYS: ReadonlySet<string> = new Set(['process', 'fetch', 'WebSocket', 'EventSource', 'BroadcastChannel']);
/** Doors of the process to files, network and other programs. */
const BYPASSES = ['getBuiltinModule', 'binding', '_linkedBinding', 'dlopen', 'execve', 'kill', 'reallyExit', 'abort'] as const;

/** Taken before a strategy could set its own. */
const captureStackTrace = Error.captureStackTrace.bind(Error);

let isInstalled = false;

export function installTraps(): void {
  if (isInstalled) return;
  isInstalled = true;
  for (const [name, instead] of OBJECTS) trapObject(name, instead);
  for (const [name, instead] of FUNCTIONS) trapFunction(globalThis, name, name, instead);
  for (const [name, instead, real] of LAZY) trapLazy(name, instead, real);
  trapRandom();
  trapFunction(AbortSignal, 'timeout', 'AbortSignal.timeout', TIMER);
  trapDate();
  const temporal = (globalThis as { Temporal?: { Now?: object } }).Temporal?.Now;
  if (temporal !== undefined) {
    for (const name of Object.getOwnPropertyNames(temporal)) trapFunction(temporal, name, `Temporal.Now.${name}`, CLOCK);
  }
  for (const name of BYPASSES) trapFunction(process, name, `process.${name}`, PROCESS, true);
  // What a strategy assigns here is put aside while the stack is looked at; a getter could not be.
  const own = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace') ?? { value: undefined, writable: true, enumerable: true };
  Object.defineProperty(Error, 'prepareStackTrace', { ...own, configurable: false });
  replaceConsole();
}

/** @throws ForbiddenError if a strategy called `asked`, not our own code or a package of ours */
function forbid(what: string, instead: string, asked: (...args: never) => unknown): void {
  // The watchdog ends the process.
  if (cells[0]! < 0) return;
  // Between two calls of handlers only code that a strategy left behind is refused: a promise, a timer, or a built-in that it handed out.
  if (cells[0] === 0 ? !isAskedByStray(asked) : isAskedByUs(asked)) return;
  throw new ForbiddenError(`${what} is not for strategies; use ${instead}`);
}

/** True if the nearest code in the stack is ours, not a strategy's. Packages count as their caller. */
function isAskedByUs(asked: (...args: never) => unknown): boolean {
  for (const site of sitesAbove(asked, 50)) {
    const file = site.getFileName() ?? '';
    if (site.isEval() || isStrategyModule(file)) return false;
    if (file.startsWith(PROGRAM) || file.startsWith(TYPE_REMOVER)) return true;
  }
  return false;
}

/** True if the nearest code in the stack is a strategy's, or was made from text, or if there is none because a built-in calls directly. */
function isAskedByStray(asked: (...args: never) => unknown): boolean {
  for (const site of sitesAbove(asked, 20)) {
    const file = site.getFileName() ?? '';
    if (site.isEval() || isStrategyModule(file)) return true;
    // The queue of promises and the timers of the runtime call whatever they were given.
    if (file !== '' && !file.startsWith('node:') && !site.isNative()) return false;
  }
  return true;
}

function sitesAbove(asked: (...args: never) => unknown, limit: number): readonly NodeJS.CallSite[] {
  const { stackTraceLimit } = Error;
  const before = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  Error.stackTraceLimit = limit;
  Error.prepareStackTrace = (_error, sites) => sites;
  const holder: { stack?: unknown } = {};
  captureStackTrace(holder, asked);
  const sites = holder.stack as readonly NodeJS.CallSite[];
  Error.stackTraceLimit = stackTraceLimit;
  if (before === undefined) Reflect.deleteProperty(Error, 'prepareStackTrace');
  else Object.defineProperty(Error, 'prepareStackTrace', before);
  return sites;
}

function trapFunction(holder: object, key: string, name: string, instead: string, isAlways = ALWAYS.has(name)): void {
  const value = trapOf(holder, key, name, instead, isAlways);
  if (value !== null) Object.defineProperty(holder, key, { value, writable: false, enumerable: true, configurable: false });
}

/** Defining a property would make V8 look up each function of Math by its name: `Math.floor` would take ten times as long everywhere. */
function trapRandom(): void {
  Math.random = trapOf(Math, 'random', 'Math.random', CHANCE, false) as () => number;
  Object.freeze(Math);
}

/** The function that takes the place of `holder[key]`; null if there is none. */
function trapOf(holder: object, key: string, name: string, instead: string, isAlways: boolean): Trapped | null {
  const real = Reflect.get(holder, key) as Trapped | undefined;
  if (typeof real !== 'function') return null;
  const trapped = function (this: unknown, ...args: unknown[]): unknown {
    if (isAlways || cells[0] !== 0) forbid(`${name}()`, instead, trapped);
    return new.target === undefined
      ? Reflect.apply(real, this, args)
      : Reflect.construct(real, args, new.target === trapped ? real : new.target);
  };
  Object.defineProperties(trapped, Object.getOwnPropertyDescriptors(real));
  return trapped;
}

type Trapped = (...args: unknown[]) => unknown;

function trapObject(key: string, instead: string): void {
  const found = Object.getOwnPropertyDescriptor(globalThis, key);
  if (found === undefined) return;
  const getReal = found.get?.bind(globalThis);
  const value: unknown = found.value;
  const isAlways = ALWAYS.has(key);
  const get = (): unknown => {
    if (isAlways || cells[0] !== 0) forbid(key, instead, get);
    return getReal === undefined ? value : (getReal() as unknown);
  };
  Object.defineProperty(globalThis, key, { get, enumerable: found.enumerable ?? false, configurable: false });
}

function trapLazy(key: string, instead: string, real: () => unknown): void {
  const isAlways = ALWAYS.has(key);
  const get = (): unknown => {
    if (isAlways || cells[0] !== 0) forbid(key, instead, get);
    return real();
  };
  // Defining an existing property would load it.
  Reflect.deleteProperty(globalThis, key);
  Object.defineProperty(globalThis, key, { get, enumerable: false, configurable: false });
}

function trapDate(): void {
  const Real = Date;
  const trapped = function (this: unknown, ...args: unknown[]): unknown {
    if (args.length === 0 && cells[0] !== 0) forbid('new Date() without a time', `new Date(ctx.now); ${CLOCK}`, trapped);
    if (new.target === undefined) return Real();
    return Reflect.construct(Real, args, new.target === trapped ? Real : new.target);
  };
  Object.defineProperties(trapped, Object.getOwnPropertyDescriptors(Real));
  // Assigned and frozen for the same reason as Math.random.
  Real.prototype.constructor = trapped;
  Object.freeze(Real.prototype);
  trapFunction(trapped, 'now', 'Date.now', CLOCK);
  Object.defineProperty(globalThis, 'Date', { value: trapped, writable: false, enumerable: false, configurable: false });
}

/**
 * Replaces the console by its functions alone: its streams are sockets, and what made them could make others. A strategy's output goes to
 * stderr with its name, because stdout is for machine-readable data.
 */
function replaceConsole(): void {
  const real = console;
  const functions: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(real)) if (typeof value === 'function' && key !== 'Console') functions[key] = value;
  for (const key of ['log', 'info', 'debug'] as const) {
    functions[key] = (...args: unknown[]): void => {
      const name = nameNow();
      if (name === '') real[key](...args);
      else real.error(`[${name}]`, ...args);
    };
  }
  Object.defineProperty(globalThis, 'console', {
    value: Object.freeze(functions),
    writable: false,
    enumerable: false,
    configurable: false,
  });
}

/**
 * Freezes built-ins, so that a strategy cannot change what other code computes. For Object, Function and Error only new properties are
 * refused, because objects often override their properties by assignment, which freezing would forbid.
 */
export function freezeBuiltIns(): void {
  const iterator = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())) as object;
  const typed = Object.getPrototypeOf(Int8Array) as { readonly prototype: object };
  const constructors = [
    Array,
    ArrayBuffer,
    BigInt,
    Boolean,
    DataView,
    Map,
    Number,
    Promise,
    RegExp,
    Set,
    String,
    Symbol,
    WeakMap,
    WeakSet,
    Int8Array,
    Uint8Array,
    Int32Array,
    Uint32Array,
    Float32Array,
    Float64Array,
    typed,
    Date,
  ];
  for (const one of constructors) Object.freeze(one.prototype);
  for (const one of [...constructors, Math, JSON, Reflect, Atomics, Intl, iterator, Object]) Object.freeze(one);
  for (const one of [Object, Function, Error]) Object.preventExtensions(one.prototype);
  for (const one of ['Array', 'JSON', 'Map', 'Math', 'Number', 'Object', 'Promise', 'Reflect', 'RegExp', 'Set', 'String', 'Symbol']) {
    Object.defineProperty(globalThis, one, { writable: false, configurable: false });
  }
}
