/** A series as a line of small bars. */

const CELLS = 24;
const BARS = '▁▂▃▄▅▆▇█';

/** The values as 24 small bars; "" for fewer than two values. */
export function sparkline(values: readonly number[]): string {
  if (values.length < 2) return '';
  let low = Infinity;
  let high = -Infinity;
  for (const v of values) {
    low = Math.min(low, v);
    high = Math.max(high, v);
  }
  let text = '';
  for (let c = 0; c < CELLS; c++) {
    const v = values[Math.floor((c * (values.length - 1)) / (CELLS - 1))] ?? low;
    text += BARS[high === low ? 0 : Math.min(7, Math.floor(((v - low) / (high - low)) * 8))];
  }
  return text;
}
