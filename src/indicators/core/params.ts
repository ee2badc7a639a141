/** Parameters of indicators: allowed values, defaults, and error messages. */

export interface NumberParam<N extends string = string> {
  readonly kind: 'integer' | 'number';
  readonly name: N;
  readonly initial: number;
  readonly min: number;
  readonly max: number;
}

export interface ChoiceParam<N extends string = string, C extends string = string> {
  readonly kind: 'choice';
  readonly name: N;
  readonly initial: C;
  readonly choices: readonly C[];
}

export type IndicatorParam = NumberParam | ChoiceParam;

/** The type of a value of a parameter. */
export type ValueOf<P> = P extends ChoiceParam<string, infer C> ? C : number;
/** Parameters as a list of arguments, in the order of the table. */
export type ValuesOf<P extends readonly IndicatorParam[]> = { -readonly [K in keyof P]: ValueOf<P[K]> };
/** Parameters by name. */
export type NamedValues<P extends readonly IndicatorParam[]> = { readonly [K in P[number] as K['name']]?: ValueOf<K> };

const LONGEST = 100_000;

/** An integer, such as a number of bars. */
export function integer<const N extends string>(name: N, initial: number, min = 1, max: number = LONGEST): NumberParam<N> {
  return { kind: 'integer', name, initial, min, max };
}

/** Any finite number within the range. */
export function decimal<const N extends string>(name: N, initial: number, min: number, max: number): NumberParam<N> {
  return { kind: 'number', name, initial, min, max };
}

/** One of some words. */
export function choice<const N extends string, const C extends string>(
  name: N,
  initial: NoInfer<C>,
  choices: readonly C[],
): ChoiceParam<N, C> {
  return { kind: 'choice', name, initial, choices };
}

/** The values in the order of the table, from positional arguments or from one object. @throws RangeError naming indicator and parameter */
export function readParams(owner: string, params: readonly IndicatorParam[], args: readonly unknown[]): (number | string)[] {
  const [first] = args;
  const isNamed = typeof first === 'object' && first !== null;
  if (isNamed) checkNames(owner, params, first, args.length);
  else if (args.length > params.length) {
    throw new RangeError(`${owner} takes ${listOf(params)}, found ${args.length} arguments: leave out the last`);
  }
  return params.map((param, index) => {
    const given: unknown = isNamed ? (first as Record<string, unknown>)[param.name] : args[index];
    return given === undefined ? param.initial : checked(owner, param, given);
  });
}

function checkNames(owner: string, params: readonly IndicatorParam[], named: object, count: number): void {
  if (count > 1) throw new RangeError(`${owner} takes its parameters in one object or one after the other, found both: use one form`);
  const unknown = Object.keys(named).find((name) => !params.some((param) => param.name === name));
  if (unknown !== undefined) throw new RangeError(`${owner} has no parameter "${unknown}": it takes ${listOf(params)}`);
}

function checked(owner: string, param: IndicatorParam, given: unknown): number | string {
  if (param.kind === 'choice') {
    if (typeof given === 'string' && param.choices.includes(given)) return given;
    throw new RangeError(`${owner}: ${param.name} is one of ${param.choices.join(', ')}, found ${shown(given)}`);
  }
  const isNumber = typeof given === 'number' && (param.kind === 'integer' ? Number.isSafeInteger(given) : Number.isFinite(given));
  if (isNumber && given >= param.min && given <= param.max) return given;
  const what = param.kind === 'integer' ? 'an integer' : 'a number';
  throw new RangeError(`${owner}: ${param.name} is ${what} from ${param.min} to ${param.max}, found ${shown(given)}`);
}

function listOf(params: readonly IndicatorParam[]): string {
  return params.length === 0 ? 'no parameters' : params.map((param) => `${param.name} (${param.initial})`).join(', ');
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'undefined');
}
