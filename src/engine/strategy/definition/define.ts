/** `defineStrategy`: a name, documented parameters, and a function that creates the handlers. */
import { AssertionError } from '../../../base/failure/assert.ts';
import { didYouMean } from '../../../base/text/suggest.ts';
import type { Market } from '../../intents/market-types.ts';
import type { StrategyHandlers, StrategyNeeds } from './types.ts';
import { ParamError, parseParams, type ParamShape, type ParamValues } from './params.ts';
import { barNeedsOf } from './needs-bars.ts';
import { enroll, enter, leave, numberOf } from './running.ts';
import { thrown } from './thrown.ts';
import { faultOfCron } from '../../../domain/time/cron.ts';
import { RESERVED_NAMES, STRATEGY_NAME, STRATEGY_NAME_PATTERN } from '../../../domain/strategy-name.ts';
import { fieldsOf, StateError, type StateShape, type StateValues } from '../durable/stored.ts';
import { Tracked } from './tracked.ts';

const CREATE = numberOf('create');

/** What `defineStrategy` takes: a name, parameters, durable state, and `create`, which makes the handlers. */
export interface StrategyDefinition<S extends ParamShape, T extends StateShape = StateShape> {
  /** Names the strategy in reports, logs and limits: lower-case letters, digits and dashes. */
  readonly name: string;
  /** One or two sentences for `--help` and the docs. */
  readonly doc?: string;
  /** Parameters by name, each made by `param`. */
  readonly params?: S;
  /** Durable state: `ctx.state` has these fields, and keeps them over a restart. By name an initial value, or a schema made by `stored`. */
  readonly state?: T;
  /**
   * Creates one running strategy; its state lives in the closure. `markets` are those it trades, in the configured order; with a universe
   * the list is `ctx.universe`, empty before the first choice. A bot calls it twice: once to check that it works before anything is opened,
   * and once to run it.
   */
  create(params: ParamValues<S>, markets: readonly Market[]): StrategyHandlers<StateValues<T>>;
}

/** A defined strategy without its parameter types, as the kernel and the command line use it. */
export interface AnyStrategy {
  /** Names the strategy in reports, logs and limits. */
  readonly name: string;
  /** One or two sentences; "" for none. */
  readonly doc: string;
  /** Parameters by name. */
  readonly params: ParamShape;
  /** Fields of `ctx.state`. Absent if it was defined by an older version. */
  readonly state?: StateShape | undefined;
  /** Checks `raw` and creates the handlers. @throws ParamError, StrategyError; an error thrown by `create` is the cause */
  create(raw: Readonly<Record<string, unknown>>, markets: readonly Market[]): StrategyHandlers;
}

/** An invalid definition; the message says why. */
export class StrategyError extends Error {
  override readonly name = 'StrategyError';
}

const KEYS: ReadonlySet<string> = new Set<keyof StrategyDefinition<ParamShape>>(['name', 'doc', 'params', 'state', 'create']);

/** What `create` may return beside handlers. */
const SETTINGS: ReadonlySet<string> = new Set<keyof StrategyHandlers>(['needs', 'barMs', 'schedule']);

const HANDLERS: ReadonlySet<string> = new Set<keyof StrategyHandlers>([
  'onStart',
  'onQuote',
  'onTrade',
  'onBar',
  'onBars',
  'onExit',
  'onOrder',
  'onFill',
  'onExecution',
  'onPosition',
  'onExternal',
  'onHalt',
  'onSchedule',
  'onSignal',
  'onTimer',
  'onUniverse',
  'onStop',
  'save',
  'restore',
]);

/**
 * Defines a strategy; the module's default export.
 * @throws StrategyError if the name is missing, a key is unknown, or the state has a value that cannot be stored
 */
export function defineStrategy<const S extends ParamShape = Record<never, never>, T extends StateShape = Record<never, never>>(
  definition: StrategyDefinition<S, T>,
): AnyStrategy {
  const { name } = definition;
  if (typeof name !== 'string' || !STRATEGY_NAME_PATTERN.test(name))
    throw new StrategyError(`a strategy has ${STRATEGY_NAME}, found ${JSON.stringify(name)}`);
  if (RESERVED_NAMES.has(name)) throw new StrategyError(`"${name}" is a word of reports and commands: give the strategy another name`);
  if (typeof definition.create !== 'function') throw new StrategyError(`${name}: create must be a function`);
  for (const key of Object.keys(definition)) if (!KEYS.has(key)) throw new StrategyError(`${name}: ${strayKey(key)}`);
  const shape = definition.params ?? ({} as S);
  checkState(name, definition.state);
  return {
    name,
    doc: definition.doc ?? '',
    params: shape,
    state: definition.state ?? {},
    create(raw, markets) {
      const params = parseParams(name, shape, raw);
      return checkHandlers(
        name,
        made(name, () => definition.create(params, markets)),
      );
    },
  };
}

function strayKey(key: string): string {
  if (HANDLERS.has(key) || SETTINGS.has(key)) return `"${key}" is a part of what create returns: create(params) { return { ${key}: … }; }`;
  const near = didYouMean(key, KEYS);
  return `defineStrategy takes no "${key}"${near === undefined ? '' : ` (${near})`}; it takes ${[...KEYS].join(', ')}`;
}

function checkState(name: string, shape: StateShape | undefined): void {
  try {
    fieldsOf(shape ?? {});
  } catch (error) {
    if (error instanceof StateError) throw new StrategyError(`${name}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** True if `value` was created by defineStrategy, possibly by another copy of this module. */
export function isStrategy(value: unknown): value is AnyStrategy {
  if (typeof value !== 'object' || value === null) return false;
  const candidate = value as Partial<AnyStrategy>;
  return typeof candidate.name === 'string' && typeof candidate.create === 'function' && typeof candidate.params === 'object';
}

/** Calls `create`. An error that it throws counts as a message about the parameters, unless it is clearly a programming mistake. */
function made(name: string, create: () => StrategyHandlers): StrategyHandlers {
  enter(enroll(name), CREATE);
  try {
    return create();
  } catch (error) {
    if (error instanceof AssertionError || error instanceof StrategyError) throw error;
    const isMistake =
      error instanceof TypeError || error instanceof ReferenceError || !(error instanceof Error) || error.name === 'ForbiddenError';
    if (isMistake) {
      const { what, frames } = thrown(error);
      throw new StrategyError(`${name}: create threw ${what}${frames}`, { cause: error });
    }
    throw new ParamError(`${name}: ${error.message}`, '', { cause: error });
  } finally {
    leave();
  }
}

/** Checks handlers at run time, for strategies in plain JavaScript. */
function checkHandlers(name: string, handlers: StrategyHandlers): StrategyHandlers {
  if (typeof handlers !== 'object' || handlers === null) throw new StrategyError(`${name}: create must return an object of handlers`);
  for (const [key, value] of Object.entries(handlers)) {
    if (!HANDLERS.has(key) && !SETTINGS.has(key)) {
      const near = didYouMean(key, [...HANDLERS, ...SETTINGS]);
      throw new StrategyError(
        `${name}: there is no handler "${key}"${near === undefined ? '' : ` (${near})`}; handlers are ${[...HANDLERS].join(', ')}; create may also return ${[...SETTINGS].join(', ')}`,
      );
    }
    if (key === 'barMs') {
      const periods: unknown = Array.isArray(value) ? value : [value];
      if (!(periods as unknown[]).every((ms) => ms === undefined || (Number.isSafeInteger(ms) && (ms as number) >= 1))) {
        throw new StrategyError(`${name}: barMs must be a whole number of milliseconds, or a list of them, found ${String(value)}`);
      }
    } else if (key === 'needs') {
      checkNeeds(name, value);
    } else if (key === 'schedule') {
      checkSchedule(name, handlers);
    } else if (value !== undefined && typeof value !== 'function') {
      throw new StrategyError(`${name}: ${key} must be a function`);
    } else if (typeof value === 'function' && value.constructor.name === 'AsyncFunction') {
      throw new StrategyError(`${name}: ${key} is async; a handler must return before the next event`);
    }
  }
  try {
    barNeedsOf(handlers);
  } catch (error) {
    if (error instanceof RangeError) throw new StrategyError(`${name}: ${error.message}`, { cause: error });
    throw error;
  }
  return handlers;
}

function checkSchedule(name: string, handlers: StrategyHandlers): void {
  const { schedule } = handlers;
  if (schedule === undefined) return;
  if (typeof schedule !== 'object' || (schedule as unknown) === null)
    throw new StrategyError(`${name}: schedule maps names to cron expressions, such as { rebalance: '0 8 * * *' }`);
  for (const [key, text] of Object.entries(schedule)) {
    const fault = faultOfCron(text);
    if (fault !== null) throw new StrategyError(`${name}: schedule.${key}: ${fault}`);
  }
  if (handlers.onSchedule === undefined && Object.keys(schedule).length > 0)
    throw new StrategyError(`${name}: schedule needs the handler onSchedule(run, ctx)`);
}

const NEEDS: ReadonlySet<string> = new Set<keyof StrategyNeeds>(['bars', 'indicators', 'emptyBars']);

function checkNeeds(name: string, needs: unknown): void {
  if (needs === undefined) return;
  if (typeof needs !== 'object' || needs === null)
    throw new StrategyError(`${name}: needs must be an object such as { bars: { '1m': 200 } }`);
  for (const key of Object.keys(needs)) {
    if (!NEEDS.has(key)) throw new StrategyError(`${name}: needs has no field "${key}"; it has ${[...NEEDS].join(' and ')}`);
  }
  const { bars, indicators, emptyBars } = needs as StrategyNeeds;
  if (indicators !== undefined && !(Array.isArray(indicators) && indicators.every((one) => one instanceof Tracked))) {
    throw new StrategyError(`${name}: needs.indicators is a list of what \`track\` gave, such as [track('1h', () => ema(50))]`);
  }
  if (emptyBars !== undefined && emptyBars !== 'fill' && emptyBars !== 'skip') {
    throw new StrategyError(`${name}: needs.emptyBars is 'fill' or 'skip', found ${String(emptyBars)}`);
  }
  if (bars !== undefined && (typeof bars !== 'object' || bars === null)) {
    throw new StrategyError(`${name}: needs.bars maps timeframes to numbers of bars, such as { '1m': 200 }`);
  }
}
