/** A line over time is drawn where there was something to draw: not straight over a gap. */
import { expect, test } from 'vitest';

interface Point {
  readonly time: number;
  readonly color?: string;
}
type Row = readonly [time: number, value: string];
// A path that the compiler does not follow: pages have no types.
const LINES = '../../../src/monitor/page/live/chart-lines.js';
const { linesOn, withGaps } = (await import(LINES)) as {
  linesOn(
    library: object,
    chart: object,
    options: object,
  ): { set(lines: readonly object[], bars: readonly object[], blind: readonly object[]): void };
  withGaps(rows: readonly Row[]): (Row | [number, null])[];
};

const MINUTE = 60_000;
const minutes = (from: number, to: number): Row[] => Array.from({ length: to - from }, (_, k) => [(from + k) * MINUTE, '60000.5']);

/** Minutes from which the chart of the dashboard leads no line on. */
function breaksOf(rows: readonly Row[], blind: readonly object[] = []): number[] {
  let drawn: readonly Point[] = [];
  const chart = { panes: () => [], addSeries: () => ({ setData: (points: readonly Point[]) => (drawn = points) }) };
  const bars = [{ time: 0, low: 60_000, high: 60_001, close: 60_000 }];
  linesOn({}, chart, { colors: {}, isNarrow: false }).set([{ strategy: 's', name: 'slow', rows }], bars, blind);
  return drawn.flatMap(({ time, color }) => (color === 'transparent' ? [time / 60] : []));
}

test('a line of a strategy breaks at a gap, and where no prices were read', () => {
  expect(breaksOf([...minutes(0, 30), ...minutes(34, 60)])).toEqual([29]);
  // Steps of up to four times the usual one are none.
  expect(breaksOf([...minutes(0, 30), ...minutes(33, 60)])).toEqual([]);
  expect(breaksOf(minutes(0, 60), [{ from: 20.5 * MINUTE, until: 20.8 * MINUTE }])).toEqual([20]);
});

test('the line of the equity breaks while the monitor did not run', () => {
  const [before, after] = [minutes(0, 30), minutes(90, 120)];
  expect(withGaps([...before, ...after])).toEqual([...before, [33 * MINUTE, null], ...after]);
  expect(withGaps(before)).toEqual(before);
  expect(withGaps([])).toEqual([]);
});
