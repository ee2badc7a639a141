/** The space of a search: from the parameters that a strategy declares, and from ranges and lists such as "5..50:5" that narrow them. */
import { durationOf, formatDuration } from '../../../base/time/duration.ts';
import { Failure } from '../../../base/failure/failure.ts';
import { didYouMean } from '../../../base/text/suggest.ts';
import type { AnyStrategy } from '../../../engine/strategy/definition/define.ts';
import type { Param } from '../../../engine/strategy/definition/params.ts';
import { countOf, type Dimension, type ParamValue, type Point } from '../../../search/space.ts';

export interface SearchSpace {
  readonly space: readonly Dimension[];
  /** Parameters that keep one value, as text. The others that are not searched keep their defaults. */
  readonly fixed: Readonly<Record<string, string>>;
}

type Params = AnyStrategy['params'];

/**
 * `given` has a text for each parameter that the user named: a value, a range or a list. If none of them is a range or list, every other
 * parameter with bounds is searched. @throws Failure naming the parameters that exist
 */
export function searchSpace({ name: strategy, params }: AnyStrategy, given: Readonly<Record<string, string>>): SearchSpace {
  const space: Dimension[] = [];
  const fixed: Record<string, string> = {};
  for (const [name, text] of Object.entries(given)) {
    const param = Object.hasOwn(params, name) ? params[name] : undefined;
    if (param === undefined) throw unknown(strategy, name, params);
    const dimension = narrowed(name, param, text);
    if (dimension === null) fixed[name] = text;
    else space.push(dimension);
  }
  if (space.length === 0) {
    for (const [name, param] of Object.entries(params)) {
      const dimension = Object.hasOwn(fixed, name) ? null : declared(name, param);
      if (dimension !== null) space.push(dimension);
    }
  }
  if (space.length > 0) return { space, fixed };
  throw new Failure('search-space', {
    what: `${strategy} has no parameter left to search`,
    where: '--param',
    hint: `give a range to one of these, such as --param NAME=5..50: ${listed(params)}`,
  });
}

/** The value of each searched parameter as the text that `--param` takes. */
export function paramTexts(params: Params, point: Point): Record<string, string> {
  return Object.fromEntries(Object.entries(point).map(([name, value]) => [name, paramText(params[name], value)]));
}

function paramText(param: Param<unknown> | undefined, value: ParamValue): string {
  if (typeof value !== 'number') return String(value);
  if (param?.type === 'duration') return formatDuration(value);
  const text = String(value);
  return /e/.test(text) ? value.toFixed(20).replace(/0+$/, '') : text;
}

/** The dimension that a range or list describes; null for a single value. @throws Failure */
function narrowed(name: string, param: Param<unknown>, text: string): Dimension | null {
  if (text.includes('..')) return rangeOf(name, param, text);
  const texts = text.split(',').map((one) => one.trim());
  const values = texts.map((one) => parsed(name, param, one));
  if (texts.length === 1) return null;
  const twice = texts.find((_, at) => values.indexOf(values[at]!) !== at);
  if (twice !== undefined) throw wrong(name, `${twice} is listed twice`);
  return { kind: 'choice', name, choices: values };
}

const RANGE = /^([^:]*?)\.\.([^:]*?)(?::(.+))?$/;

function rangeOf(name: string, param: Param<unknown>, text: string): Dimension {
  const isNumber = param.type === 'integer' || param.type === 'number' || param.type === 'duration';
  if (!isNumber) throw wrong(name, `${param.expects} was expected, found the range ${text}`, `list its values: ${name}=A,B`);
  const [, low = '', high = '', rest] = RANGE.exec(text) ?? [];
  const ends = [low.trim(), high.trim()].map((end, k) => {
    if (end !== '') return Number(parsed(name, param, end));
    const bound = k === 0 ? param.bounds?.min : param.bounds?.max;
    if (bound !== undefined) return bound;
    throw wrong(name, `the parameter declares no ${k === 0 ? 'smallest' : 'largest'} value`, `write both ends, such as ${name}=5..50`);
  });
  const [from = 0, to = 0] = ends;
  if (!(from <= to)) throw wrong(name, `the range ${text} ends before it begins`);
  const isLog = rest === 'log';
  if (isLog && from <= 0) throw wrong(name, `a logarithmic range begins above 0, found ${text}`);
  return dimensionOf(name, param, { from, to, step: rest === undefined || isLog ? undefined : stepOf(name, param, rest), isLog });
}

function stepOf(name: string, param: Param<unknown>, text: string): number {
  const step = param.type === 'duration' ? durationOf(text) : Number(text);
  if (step > 0 && (param.type === 'number' || Number.isSafeInteger(step))) return step;
  throw wrong(name, `a step above zero was expected after the colon, found ${text}`, `such as ${name}=5..50:5, or ${name}=1..1000:log`);
}

/** The dimension of a parameter that declares what it can be; null if it does not. */
function declared(name: string, param: Param<unknown>): Dimension | null {
  if (param.type === 'boolean') return { kind: 'choice', name, choices: [false, true] };
  if (param.choices !== undefined) return param.choices.length < 2 ? null : { kind: 'choice', name, choices: param.choices };
  const { min, max } = param.bounds ?? {};
  if (min === undefined || max === undefined || min >= max) return null;
  return dimensionOf(name, param, { from: min, to: max, step: undefined, isLog: false });
}

interface Ends {
  readonly from: number;
  readonly to: number;
  readonly step: number | undefined;
  readonly isLog: boolean;
}

function dimensionOf(name: string, param: Param<unknown>, { from, to, step = param.bounds?.step, isLog }: Ends): Dimension {
  if (step === undefined && param.type === 'number') return { kind: 'range', name, low: from, high: to, isLog };
  const dimension = { kind: 'steps', name, low: from, high: to, step: step ?? 1, isLog } as const;
  // The last step, so that two spellings of one range are the same space.
  return { ...dimension, high: Number((from + (countOf(dimension) - 1) * dimension.step).toPrecision(12)) };
}

function parsed(name: string, param: Param<unknown>, text: string): ParamValue {
  try {
    return param.parse(text) as ParamValue;
  } catch (error) {
    throw wrong(name, (error as Error).message);
  }
}

function wrong(name: string, what: string, hint?: string): Failure {
  return new Failure('parameter-flag', { what: `parameter "${name}": ${what}`, where: '--param', hint });
}

function unknown(strategy: string, name: string, params: Params): Failure {
  const near = didYouMean(name, Object.keys(params));
  return new Failure('parameter-flag', {
    what: `${strategy}: unknown parameter "${name}"${near === undefined ? '' : ` (${near})`}`,
    where: '--param',
    hint: `there are: ${listed(params)}`,
  });
}

function listed(params: Params): string {
  return Object.entries(params)
    .map(([name, { expects }]) => `${name} (${expects})`)
    .join(', ');
}
