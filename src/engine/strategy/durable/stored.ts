/** The schema of a strategy's durable state: fields with an initial value, and the check of a value. A value is plain JSON. */
import { didYouMean } from '../../../base/text/suggest.ts';

/** One field: its initial value, and what else it may be. */
export interface Stored<T> {
  /** The value before anything was saved. */
  readonly initial: T;
  /** In words: "a number of at least 0". */
  readonly expects: string;
  /** Why `value`, found at `at`, is not allowed; "" if it is. */
  problem(value: unknown, at: string): string;
}

/** By name: a schema made by `stored`, or an initial value. A plain initial value allows values of its own kind; null allows any. */
export type StateShape = Readonly<Record<string, unknown>>;

type Widened<T> = T extends number ? number : T extends string ? string : T extends boolean ? boolean : T;
/** The state as a strategy sees it. */
export type StateValues<S extends StateShape> = { -readonly [K in keyof S]: S[K] extends Stored<infer T> ? T : Widened<S[K]> };

/** Invalid state: in a definition, in an assignment, or saved by an earlier version of the strategy. The message says what was expected. */
export class StateError extends TypeError {
  override readonly name = 'StateError';
}

interface Bounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** True for whole numbers only. */
  readonly integer?: boolean | undefined;
}

const PLAIN = 'a number, text, true or false, null, or a list or plain object of these';
/** Levels of lists and objects in each other. */
const DEEPEST = 16;

/** Schemas of state fields: `stored.number(0, { min: 0 })`, `stored.maybe(stored.text(''))`, `stored.list(stored.number(0))`. */
export const stored = {
  /** A finite number, within `min` and `max` if they are given. */
  number(initial: number, { min = -Infinity, max = Infinity, integer = false }: Bounds = {}): Stored<number> {
    const range = [min > -Infinity ? ` of at least ${min}` : '', max < Infinity ? ` of at most ${max}` : ''].filter(Boolean).join(' and');
    const allows = (value: unknown): boolean =>
      Number.isFinite(value) && (value as number) >= min && (value as number) <= max && (!integer || Number.isSafeInteger(value));
    return simple(initial, `a ${integer ? 'whole' : 'finite'} number${range}`, allows);
  },
  /** A text. */
  text: (initial: string): Stored<string> => simple(initial, 'text', (value) => typeof value === 'string'),
  /** True or false. */
  flag: (initial: boolean): Stored<boolean> => simple(initial, 'true or false', (value) => typeof value === 'boolean'),
  /** One of the given texts; the first is the initial value. */
  choice<const T extends string>(values: readonly [T, ...T[]]): Stored<T> {
    return simple(values[0], `one of ${values.join(', ')}`, (value) => (values as readonly unknown[]).includes(value));
  },
  /** The value or null, which is the initial value. */
  maybe<T>(of: Stored<T>): Stored<T | null> {
    const expects = `${of.expects}, or null`;
    return { initial: null, expects, problem: (value, at) => (value === null ? '' : of.problem(value, at)) };
  },
  /** A list, at first empty. */
  list<T>(of: Stored<T>): Stored<readonly T[]> {
    const expects = `a list, each ${of.expects}`;
    const problem = (value: unknown, at: string): string =>
      Array.isArray(value) ? firstProblem(value.map((one, k) => [`${at}[${k}]`, one, of])) : unfit(value, at, expects);
    return { initial: [], expects, problem };
  },
  /** An object by free names, at first empty: a number for each symbol, for example. */
  map<T>(of: Stored<T>): Stored<Readonly<Record<string, T>>> {
    const expects = `an object, each value ${of.expects}`;
    const problem = (value: unknown, at: string): string =>
      isPlainObject(value)
        ? firstProblem(Object.entries(value).map(([name, one]) => [`${at}.${name}`, one, of]))
        : unfit(value, at, expects);
    return { initial: {}, expects, problem };
  },
  /** An object with exactly these fields. */
  object<const S extends StateShape>(shape: S): Stored<Readonly<StateValues<S>>> {
    const fields = fieldsOf(shape);
    const expects = `an object with ${[...fields.keys()].join(', ')}`;
    const initial = Object.fromEntries([...fields].map(([name, field]) => [name, field.initial])) as StateValues<S>;
    const problem = (value: unknown, at: string): string => {
      if (!isPlainObject(value)) return unfit(value, at, expects);
      const extra = Object.keys(value).find((name) => !fields.has(name));
      if (extra !== undefined) return `${at}: ${expects} was expected, found also "${extra}"`;
      return firstProblem([...fields].map(([name, field]) => [`${at}.${name}`, value[name], field]));
    };
    return { initial, expects, problem };
  },
};

/** The fields of a shape. @throws StateError if an initial value cannot be stored */
export function fieldsOf(shape: StateShape): Map<string, Stored<unknown>> {
  const fields = new Map<string, Stored<unknown>>();
  for (const [name, given] of Object.entries(shape)) {
    const field = isStored(given) ? given : fieldLike(given);
    const problem = field.problem(field.initial, `state.${name}`) || unstorable(field.initial, `state.${name}`);
    if (problem !== '') throw new StateError(problem);
    fields.set(name, field);
  }
  return fields;
}

/** Why `value` cannot be stored at all; "" if it can. */
export function unstorable(value: unknown, at: string, depth = 0): string {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return '';
  if (depth >= DEEPEST) return `${at}: at most ${DEEPEST} levels of lists and objects were expected`;
  if (Array.isArray(value)) return first(value.map((one, k) => unstorable(one, `${at}[${k}]`, depth + 1)));
  if (isPlainObject(value)) return first(Object.entries(value).map(([name, one]) => unstorable(one, `${at}.${name}`, depth + 1)));
  return unfit(value, at, PLAIN);
}

/** A copy that nobody can change. */
export function frozenCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  const copy: unknown = Array.isArray(value)
    ? value.map(frozenCopy)
    : Object.fromEntries(Object.entries(value).map(([name, one]) => [name, frozenCopy(one as unknown)]));
  return Object.freeze(copy) as T;
}

/** `conut` is no field of `names`. */
export function noField(name: string, names: Iterable<string>): string {
  const all = [...names];
  const near = didYouMean(name, all);
  return `state has no field "${name}"${near === undefined ? '' : ` (${near})`}; it has ${all.join(', ') || 'none'}: declare it in defineStrategy({ state })`;
}

function isStored(given: unknown): given is Stored<unknown> {
  return typeof given === 'object' && given !== null && typeof (given as Partial<Stored<unknown>>).problem === 'function';
}

/** The schema of a plain initial value: the same kind of value. */
function fieldLike(initial: unknown): Stored<unknown> {
  switch (typeof initial) {
    case 'number':
      return stored.number(initial);
    case 'string':
      return stored.text(initial);
    case 'boolean':
      return stored.flag(initial);
    default:
      if (initial === null) return { initial, expects: PLAIN, problem: unstorable };
      if (Array.isArray(initial)) return like(initial, 'a list', Array.isArray);
      return like(initial, 'a plain object', isPlainObject);
  }
}

function like(initial: unknown, expects: string, allows: (value: unknown) => boolean): Stored<unknown> {
  return { initial, expects, problem: (value, at) => (allows(value) ? unstorable(value, at) : unfit(value, at, expects)) };
}

function simple<T>(initial: T, expects: string, allows: (value: unknown) => boolean): Stored<T> {
  return { initial, expects, problem: (value, at) => (allows(value) ? '' : unfit(value, at, expects)) };
}

function firstProblem(parts: readonly (readonly [at: string, value: unknown, of: Stored<unknown>])[]): string {
  return first(parts.map(([at, value, of]) => of.problem(value, at)));
}

function first(problems: readonly string[]): string {
  return problems.find((one) => one !== '') ?? '';
}

function unfit(value: unknown, at: string, expects: string): string {
  return `${at}: ${expects} was expected, found ${shown(value)}`;
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? value.slice(0, 40) + '…' : value);
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return 'a list';
  return isPlainObject(value) ? 'an object' : `a ${(value as { constructor?: { name?: string } }).constructor?.name ?? 'object'}`;
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
