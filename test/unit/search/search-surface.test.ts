/** A figure over two parameters: cells, the smooth surface and its contour lines, against values worked out by hand. */
import { describe, expect, it } from 'vitest';
import { cellsOf, contourOf, surfaceOf } from '../../../src/search/surface.ts';
import { plainTick, scaleOf, timeScale } from '../../../src/report/html/plot/scale.ts';

describe('cells', () => {
  it('have the mean of the trials in them; a place of 1 belongs to the last cell', () => {
    const sample = { x: [0, 0.49, 0.5, 1], y: [0, 0, 0.9, 1], values: [1, 3, 10, 20] };
    expect(cellsOf(sample, 2, 2)).toEqual([
      { column: 0, row: 0, mean: 2, trials: 2 },
      { column: 1, row: 1, mean: 15, trials: 2 },
    ]);
  });
});

describe('a surface', () => {
  it('is the mean weighted by a normal kernel of bandwidth √(1/12) · n^(-1/6)', () => {
    const sample = { x: [0, 0.5], y: [0, 0], values: [1, 3] };
    const bandwidth = Math.sqrt(1 / 12) * 2 ** (-1 / 6);
    const weight = (distance: number): number => Math.exp(-((distance / bandwidth) ** 2) / 2);
    const { values } = surfaceOf(sample, 5);
    expect(values[1]).toBeCloseTo((weight(0.25) * 1 + weight(0.25) * 3) / (2 * weight(0.25)), 12);
    expect(values[0]).toBeCloseTo((weight(0) * 1 + weight(0.5) * 3) / (weight(0) + weight(0.5)), 12);
  });
  it('has no value further than two bandwidths from every trial', () => {
    const { values } = surfaceOf({ x: [0], y: [0], values: [7] }, 3);
    expect([...values]).toEqual([7, 7, Number.NaN, 7, Number.NaN, Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
  });
});

describe('contour lines', () => {
  const square = (...values: number[]): { size: number; values: Float64Array } => ({ size: 2, values: Float64Array.from(values) });
  it('cross the sides of a square where the value lies between its corners', () => {
    // Rises from 0 at the left to 4 at the right: the line of 1 stands upright at a quarter.
    expect(contourOf(square(0, 4, 0, 4), 1)).toEqual([[0.25, 0, 0.25, 1]]);
  });
  it('cut off one corner, and two where high and low corners alternate', () => {
    expect(contourOf(square(4, 0, 0, 0), 2)).toEqual([[0.5, 0, 0, 0.5]]);
    // The mean of 1.6 is below 2: the two high corners are apart.
    expect(contourOf(square(4, 0, 0, 2.4), 2)).toHaveLength(2);
    expect(contourOf(square(4, 0, 0, 4), 2)).toEqual([
      [0, 0.5, 0.5, 0],
      [1, 0.5, 0.5, 1],
    ]);
    // The mean of 2.5 is above 2: the two low corners are.
    expect(contourOf(square(4, 1, 1, 4), 2)[0]?.slice(0, 2)).toEqual([2 / 3, 0]);
  });
  it('stop where there is no surface', () => {
    expect(contourOf(square(0, 4, 0, Number.NaN), 1)).toEqual([]);
  });
});

describe('scales', () => {
  it('have round ticks within them', () => {
    const { ticks, at } = scaleOf([-2, 8], plainTick);
    expect(ticks.map(({ text }) => text)).toEqual(['−2', '0', '2', '4', '6', '8']);
    expect(at(3)).toBeCloseTo(0.5, 12);
    expect(at(100)).toBe(1);
  });
  it('of one value alone are around it', () => {
    const { low, high } = scaleOf([5], plainTick);
    expect(low).toBeLessThan(5);
    expect(high).toBeGreaterThan(5);
  });
  it('of time stand at whole days or hours', () => {
    const day = 86_400_000;
    expect(timeScale(0, 4 * day).ticks.map(({ text }) => text)).toEqual(['1 Jan', '2 Jan', '3 Jan', '4 Jan', '5 Jan']);
    expect(timeScale(0, day / 4).ticks.map(({ text }) => text)).toEqual(['1 Jan', '01:00', '02:00', '03:00', '04:00', '05:00', '06:00']);
  });
});
