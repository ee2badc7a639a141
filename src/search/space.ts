/** The space of a search: one dimension per parameter, and points in it. A point is also a place in the unit cube, one number per dimension. */

/** A value of a parameter. Amounts are decimal strings, durations are milliseconds. */
export type ParamValue = number | string | boolean;

/** Whole steps: `low`, `low + step`, … up to `high`. */
export interface StepsDimension {
  readonly kind: 'steps';
  readonly name: string;
  readonly low: number;
  readonly high: number;
  readonly step: number;
  /** True if small values lie further apart than large ones: places are logarithms. `low` is then above 0. */
  readonly isLog: boolean;
}

/** Any number from `low` to `high`. */
export interface RangeDimension {
  readonly kind: 'range';
  readonly name: string;
  readonly low: number;
  readonly high: number;
  readonly isLog: boolean;
}

/** Values without an order. */
export interface ChoiceDimension {
  readonly kind: 'choice';
  readonly name: string;
  readonly choices: readonly ParamValue[];
}

export type Dimension = StepsDimension | RangeDimension | ChoiceDimension;
export type Point = Readonly<Record<string, ParamValue>>;

/** Number of values of a dimension; Infinity for a range. */
export function countOf(dimension: Dimension): number {
  if (dimension.kind === 'choice') return dimension.choices.length;
  if (dimension.kind === 'range') return dimension.low === dimension.high ? 1 : Infinity;
  return Math.floor((dimension.high - dimension.low) / dimension.step + 1e-9) + 1;
}

/** Number of points of the space; Infinity if a dimension is a range. */
export function sizeOf(space: readonly Dimension[]): number {
  return space.reduce((product, dimension) => product * countOf(dimension), 1);
}

/** Value number `index` of a dimension of steps or choices. */
export function valueAt(dimension: StepsDimension | ChoiceDimension, index: number): ParamValue {
  if (dimension.kind === 'choice') return dimension.choices[index]!;
  const { low, step } = dimension;
  const decimals = Math.max(decimalsOf(low), decimalsOf(step));
  return Number((low + index * step).toFixed(decimals));
}

/** The value at a place from 0 to 1. Each step or choice has an equal share of the places, or of their logarithms. */
export function valueFrom(dimension: Dimension, place: number): ParamValue {
  if (dimension.kind === 'range') return rangeValue(dimension, place);
  const count = countOf(dimension);
  if (dimension.kind === 'steps' && dimension.isLog) {
    const { low, step } = dimension;
    const value = logValue(low - step / 2 > 0 ? low - step / 2 : low / 2, low + (count - 0.5) * step, place);
    return valueAt(dimension, Math.min(count - 1, Math.max(0, Math.round((value - low) / step))));
  }
  return valueAt(dimension, Math.min(count - 1, Math.max(0, Math.floor(place * count))));
}

/** The place of a value: the middle of its share. The inverse of `valueFrom`. */
export function placeOf(dimension: Dimension, value: ParamValue): number {
  if (dimension.kind === 'range') return rangePlace(dimension, Number(value));
  const count = countOf(dimension);
  if (dimension.kind === 'choice') return (Math.max(0, dimension.choices.indexOf(value)) + 0.5) / count;
  const { low, step, isLog } = dimension;
  if (!isLog) return (Math.round((Number(value) - low) / step) + 0.5) / count;
  return rangePlace({ low: low - step / 2 > 0 ? low - step / 2 : low / 2, high: low + (count - 0.5) * step, isLog }, Number(value));
}

/** The point at a place of the unit cube. */
export function pointFrom(space: readonly Dimension[], place: readonly number[]): Point {
  return Object.fromEntries(space.map((dimension, i) => [dimension.name, valueFrom(dimension, place[i]!)]));
}

/** The place of a point in the unit cube. */
export function placesOf(space: readonly Dimension[], point: Point): number[] {
  return space.map((dimension) => placeOf(dimension, point[dimension.name]!));
}

/** A text that two points share only if they are equal. */
export function keyOf(space: readonly Dimension[], point: Point): string {
  return JSON.stringify(space.map(({ name }) => point[name]));
}

/** "fast 5..50:5 (10 values)". */
export function dimensionText(dimension: Dimension): string {
  if (dimension.kind === 'choice') return `${dimension.name} ${dimension.choices.join(',')} (${dimension.choices.length} values)`;
  const { name, low, high, isLog } = dimension;
  const log = isLog ? ':log' : '';
  if (dimension.kind === 'range') return `${name} ${low}..${high}${log}`;
  return `${name} ${low}..${high}${dimension.step === 1 ? '' : `:${dimension.step}`}${log} (${countOf(dimension)} values)`;
}

function rangeValue({ low, high, isLog }: RangeDimension, place: number): number {
  const value = isLog ? logValue(low, high, place) : low + (high - low) * place;
  // Twelve digits: a value that is printed and typed again is the same value.
  return Math.min(high, Math.max(low, Number(value.toPrecision(12))));
}

function rangePlace({ low, high, isLog }: Pick<RangeDimension, 'low' | 'high' | 'isLog'>, value: number): number {
  if (low === high) return 0.5;
  const place = isLog ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return Math.min(1, Math.max(0, place));
}

function logValue(low: number, high: number, place: number): number {
  return low * (high / low) ** place;
}

function decimalsOf(value: number): number {
  const [, fraction = '', exponent = '0'] = /^-?\d+(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  return Math.min(20, Math.max(0, fraction.length - Number(exponent)));
}
