/** Parameters of a strategy: typed, documented, checked. Values come from the configuration, or as text from the command line. */
import { durationOf } from '../../../base/time/duration.ts';
import { didYouMean } from '../../../base/text/suggest.ts';
import { splitAmount } from '../../../domain/amount.ts';

/** One parameter. `parse` takes a value of its type or its text. @throws ParamError */
export interface Param<T> {
  /** The kind of value. */
  readonly type: 'integer' | 'number' | 'decimal' | 'size' | 'duration' | 'boolean' | 'choice' | 'text';
  /** The value without one from outside. */
  readonly fallback: T;
  /** What it means, for `--help` and the docs. */
  readonly doc: string;
  /** What is allowed, in words: "an integer from 1 to 500". */
  readonly expects: string;
  /** Smallest and largest value of a number or duration, and the step in which `optimize` searches between them. */
  readonly bounds?: Pick<Bounds, 'min' | 'max' | 'step'>;
  /** The values of a choice. */
  readonly choices?: readonly string[];
  /** True for the length of the strategy's bars: on a tape of longer bars the default is the length of those. */
  readonly isBar?: boolean;
  /** The value of `raw`, which is of its type or its text. @throws ParamError if it is not allowed */
  parse(raw: unknown): T;
}

/** The parameters of a strategy by name, each made by `param`. */
export type ParamShape = Readonly<Record<string, Param<unknown>>>;
/** The checked values that `create` gets: the type of each follows from its kind. */
export type ParamValues<S extends ParamShape> = { readonly [K in keyof S]: S[K] extends Param<infer T> ? T : never };

/** An unknown parameter or an invalid value; the message says what was expected and found. */
export class ParamError extends Error {
  override readonly name = 'ParamError';
  /** Name of the parameter; "" if several are concerned or none is known. */
  readonly param: string;

  constructor(message: string, param = '', options?: ErrorOptions) {
    super(message, options);
    this.param = param;
  }
}

interface Bounds {
  readonly min?: number;
  readonly max?: number;
  /** Step in which `optimize` searches; other values within the bounds are allowed. Default: 1 of an integer, any value of a number. */
  readonly step?: number;
  readonly doc?: string;
  /** Of a duration: see Param.isBar. */
  readonly isBar?: boolean;
}

function bounded(what: string, bounds: Bounds, unit = ''): string {
  const { min, max } = bounds;
  if (min !== undefined && max !== undefined) return `${what} from ${min}${unit} to ${max}${unit}`;
  if (min !== undefined) return `${what} of at least ${min}${unit}`;
  return max !== undefined ? `${what} of at most ${max}${unit}` : what;
}

function within(value: number, bounds: Bounds): boolean {
  return value >= (bounds.min ?? -Infinity) && value <= (bounds.max ?? Infinity);
}

function refuse(expects: string, raw: unknown): never {
  throw new ParamError(`${expects} was expected, found ${typeof raw === 'string' ? JSON.stringify(raw) : String(raw)}`);
}

const NUMBER = /^-?\d+(\.\d+)?$/;

function numeric(raw: unknown): number {
  if (typeof raw === 'number') return raw;
  return typeof raw === 'string' && NUMBER.test(raw.trim()) ? Number(raw) : Number.NaN;
}

function checked<T>(
  type: Param<T>['type'],
  fallback: unknown,
  { doc = '', isBar = false, ...bounds }: Bounds,
  expects: string,
  parse: (raw: unknown) => T,
): Param<T> {
  return { type, fallback: parse(fallback), doc, expects, bounds, ...(isBar ? { isBar } : {}), parse };
}

/** Converts a duration, or a number of milliseconds, to milliseconds; NaN if invalid. */
function parseDuration(raw: unknown): number {
  if (typeof raw === 'number') return raw;
  return typeof raw === 'string' ? durationOf(raw) : Number.NaN;
}

/** The kinds of parameters. The first argument is the default. */
export const param = {
  /** A whole number within `min` and `max`. `doc` is its line in reports and help. @throws ParamError for any other value */
  integer(fallback: number, bounds: Bounds = {}): Param<number> {
    const expects = bounded('an integer', bounds);
    return checked('integer', fallback, bounds, expects, (raw) => {
      const value = numeric(raw);
      return Number.isSafeInteger(value) && within(value, bounds) ? value : refuse(expects, raw);
    });
  },
  /** A finite number within `min` and `max`, for signals and ratios. Use `decimal` or `size` for amounts. @throws ParamError for any other value */
  number(fallback: number, bounds: Bounds = {}): Param<number> {
    const expects = bounded('a number', bounds);
    return checked('number', fallback, bounds, expects, (raw) => {
      const value = numeric(raw);
      return Number.isFinite(value) && within(value, bounds) ? value : refuse(expects, raw);
    });
  },
  /** An exact amount above zero, kept as its decimal string, such as "0.01". @throws ParamError for any other value */
  decimal(fallback: string, options: { readonly doc?: string } = {}): Param<string> {
    const expects = 'a plain decimal above zero such as "0.01"';
    return checked('decimal', fallback, options, expects, (raw) => {
      const text = typeof raw === 'number' && Number.isFinite(raw) ? String(raw) : raw;
      return typeof text === 'string' && /^\d+(\.\d+)?$/.test(text) && /[1-9]/.test(text) ? text : refuse(expects, raw);
    });
  },
  /** An order size: "0.01" of the base coin, "100 USDT" of value, or "2%" of the equity. It is passed unchanged to an intent. */
  size(fallback: string, options: { readonly doc?: string } = {}): Param<string> {
    const expects = 'a size above zero such as "0.01", "100 USDT" or "2%"';
    return checked('size', fallback, options, expects, (raw) => {
      const text = typeof raw === 'number' && Number.isFinite(raw) ? String(raw) : raw;
      return typeof text === 'string' && splitAmount(text) !== null && /[1-9]/.test(text) ? text : refuse(expects, raw);
    });
  },
  /** A duration such as "500ms", "1s" or "4h"; value and bounds are whole milliseconds. @throws ParamError for any other value */
  duration(fallback: string | number, bounds: Bounds = { min: 1 }): Param<number> {
    const expects = bounded('a duration such as "1s"', bounds, ' ms');
    return checked('duration', fallback, bounds, expects, (raw) => {
      const value = parseDuration(raw);
      return Number.isSafeInteger(value) && value > 0 && within(value, bounds) ? value : refuse(expects, raw);
    });
  },
  /** True or false. */
  boolean(fallback: boolean, options: { readonly doc?: string } = {}): Param<boolean> {
    const expects = 'true or false';
    return checked('boolean', fallback, options, expects, (raw) => {
      if (raw === true || raw === 'true') return true;
      return raw === false || raw === 'false' ? false : refuse(expects, raw);
    });
  },
  /** One of the given texts. @throws ParamError for any other */
  choice<const C extends readonly string[]>(choices: C, fallback: C[number], options: { readonly doc?: string } = {}): Param<C[number]> {
    const expects = `one of ${choices.join(', ')}`;
    const found = checked('choice', fallback, options, expects, (raw): C[number] =>
      typeof raw === 'string' && choices.includes(raw) ? raw : refuse(expects, raw),
    );
    return { ...found, choices };
  },
  /** Any text, such as a timeframe: with `isBar` the default gives way to the bars of a tape that are longer. */
  text(fallback: string, options: { readonly doc?: string; readonly isBar?: boolean } = {}): Param<string> {
    return checked('text', fallback, options, 'a text', (raw) => (typeof raw === 'string' ? raw : refuse('a text', raw)));
  },
} as const;

/**
 * Converts raw values by name to checked values, with defaults filled in.
 * @throws ParamError naming the strategy, the parameter, what was expected and what was found
 */
export function parseParams<S extends ParamShape>(strategy: string, shape: S, raw: Readonly<Record<string, unknown>>): ParamValues<S> {
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(raw)) {
    if (Object.hasOwn(shape, name)) continue;
    const near = didYouMean(name, Object.keys(shape));
    const known = Object.keys(shape).join(', ');
    const guess = near === undefined ? '' : ` (${near})`;
    throw new ParamError(`${strategy}: unknown parameter "${name}"${guess}; ${known === '' ? 'it has none' : `there are: ${known}`}`, name);
  }
  for (const [name, one] of Object.entries(shape)) {
    try {
      values[name] = raw[name] === undefined ? one.fallback : one.parse(raw[name]);
    } catch (error) {
      throw error instanceof ParamError ? new ParamError(`${strategy}: parameter "${name}": ${error.message}`, name) : error;
    }
  }
  return values as ParamValues<S>;
}
