/** The table of indicators: every row, by family. Exports, pages and tests come from it. */
import * as averages from './table/averages-rows.ts';
import * as charts from './table/charts-rows.ts';
import * as flow from './table/flow-rows.ts';
import * as math from './table/math-rows.ts';
import * as momentum from './table/momentum-rows.ts';
import * as oscillators from './table/oscillators-rows.ts';
import * as patterns from './table/patterns-rows.ts';
import * as price from './table/price-rows.ts';
import * as realised from './table/realised-rows.ts';
import * as series from './table/series-rows.ts';
import * as statistics from './table/statistics-rows.ts';
import * as trend from './table/trend-rows.ts';
import * as volatility from './table/volatility-rows.ts';
import * as volume from './table/volume-rows.ts';
import type { IndicatorObject } from './core/indicator.ts';
import type { Row } from './core/define-indicator.ts';

/** A function of the table, as code sees it that goes through all of them. */
export interface AnyIndicatorFunction {
  (...args: readonly unknown[]): IndicatorObject;
  readonly row: Row;
}

/** All functions: family by family, within each by name. */
export const INDICATORS = [
  averages,
  momentum,
  oscillators,
  trend,
  volatility,
  realised,
  volume,
  price,
  statistics,
  series,
  flow,
  charts,
  math,
  patterns,
].flatMap((rows) => {
  const made = Object.values(rows) as unknown as AnyIndicatorFunction[];
  return made.toSorted((a, b) => (a.row.name < b.row.name ? -1 : 1));
});
