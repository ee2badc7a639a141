/** Grid search: every combination of values. */
import { countOf, placeOf, sizeOf, valueAt, type Dimension } from '../space.ts';
import type { Sampler } from './sampler.ts';

/** Values that a range is divided into, ends included. */
const RANGE_VALUES = 10;
const BATCH = 27;

/** A space in which each range has ten evenly spaced places. */
function placesOfDimension(dimension: Dimension): number[] {
  if (dimension.kind !== 'range') return Array.from({ length: countOf(dimension) }, (_, k) => placeOf(dimension, valueAt(dimension, k)));
  if (dimension.low === dimension.high) return [0.5];
  return Array.from({ length: RANGE_VALUES }, (_, k) => k / (RANGE_VALUES - 1));
}

/** Number of points of the grid. */
export function gridSize(space: readonly Dimension[]): number {
  return (
    sizeOf(space.filter(({ kind }) => kind !== 'range')) *
    space.reduce((n, d) => n * (d.kind === 'range' ? placesOfDimension(d).length : 1), 1)
  );
}

/** All points; the last dimension changes first. */
export function gridSampler(space: readonly Dimension[]): Sampler {
  const axes = space.map(placesOfDimension);
  const size = axes.reduce((product, axis) => product * axis.length, 1);
  let next = 0;
  const placeAt = (index: number): number[] => {
    const place = axes.map(() => 0);
    let rest = index;
    for (let i = axes.length - 1; i >= 0; i--) {
      const axis = axes[i]!;
      place[i] = axis[rest % axis.length]!;
      rest = Math.floor(rest / axis.length);
    }
    return place;
  };
  return {
    lead: Infinity,
    ask() {
      const places: number[][] = [];
      while (places.length < BATCH && next < size) places.push(placeAt(next++));
      return places;
    },
    tell: () => undefined,
  };
}
