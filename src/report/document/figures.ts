/** Figures as a reader of any report sees them: "−1,234.50", "0.04 %", "5m 45s", "too few (7 of 30 trades)". */
import { grouped, shareDecimals, span } from '../../base/text/figures.ts';
import type { Figure, Tone } from './document.ts';
import type { MetricResult, MetricUnit, SampleUnit } from '../metrics/results.ts';

/** A no-break space. */
const HARD = '\u00a0';

/** A text that is not broken into lines. */
export const unbroken = (text: string): string => text.replaceAll(' ', HARD);

/** An amount with two decimals; one below a cent with two significant digits. */
export function money(amount: string | number): string {
  const value = Number(amount);
  const size = Math.abs(value);
  const text = size > 0 && size < 0.01 ? plain(size, 2) : size.toFixed(2);
  return withSign(value, grouped(text));
}

/** An amount with its sign, except zero. */
export function signedMoney(amount: string | number): string {
  return Number(amount) > 0 ? `+${money(amount)}` : money(amount);
}

/** An amount that is coloured as a profit or a loss. */
export function profit(amount: string | number): Figure {
  return { text: money(amount), value: amount, tone: toneOf(amount) };
}

/** Two decimals, or as many as show two digits. */
export function percent(share: number, digits = shareDecimals(share)): string {
  return `${fixed(share * 100, digits)}${HARD}%`;
}

export function signedPercent(share: number, digits = shareDecimals(share)): string {
  return share > 0 ? `+${percent(share, digits)}` : percent(share, digits);
}

/** A number with two decimals; one below 10 with three. */
export function ratio(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  return fixed(value, Math.abs(value) < 10 ? 3 : 2);
}

/** A number with this many decimals. Zero has no sign. */
export function fixed(value: number, decimals: number): string {
  return withSign(value, grouped(Math.abs(value).toFixed(decimals)));
}

/** A number with at most four significant digits, and all digits before the point. */
export function short(value: number): string {
  const size = Math.abs(value);
  return withSign(value, size >= 1000 ? grouped(size.toFixed(0)) : plain(size, 4));
}

export function whole(value: number): string {
  return withSign(value, grouped(String(Math.round(Math.abs(value)))));
}

/** A price with at least two decimals and six significant digits. */
export function price(value: number): string {
  const decimals = value >= 1000 || value <= 0 ? 2 : Math.min(12, 5 - Math.floor(Math.log10(value)));
  return grouped(value.toFixed(Math.max(2, decimals)));
}

/** A UTC time to the minute: for the ends of long spans. */
export function minute(time: number): string {
  return moment(time).slice(0, -3);
}

/** A UTC time to the second. */
export function moment(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}

/** A length of time: "250 ms", "4.5s", "1h 02m 03s". */
export function duration(ms: number): string {
  return ms < 1000 ? `${fixed(ms, 0)} ms` : span(ms);
}

const PERIODS: Readonly<Record<number, string>> = { 1000: 'second', 60_000: 'minute', 3_600_000: 'hour', 86_400_000: 'day' };

/** The name of a length of equal periods: "day". */
export function periodName(ms: number): string {
  return PERIODS[ms] ?? duration(ms);
}

const TEXTS: Readonly<Record<MetricUnit, (value: number) => string>> = {
  money,
  share: (value) => percent(value),
  ratio,
  count: (value) => (Number.isInteger(value) ? whole(value) : ratio(value)),
  ms: duration,
};

/** A value in a unit; "–" for none. */
export function unitText(unit: MetricUnit, value: number | null | undefined): string {
  return value === null || value === undefined || Number.isNaN(value) ? '–' : TEXTS[unit](value);
}

/** What the rows of a tape are called. */
export function rowsWord({ isBars }: { readonly isBars?: boolean | undefined }): string {
  return isBars === true ? 'bars' : 'rows';
}

/** "30 trades", "1 day", "1 loss". */
export function samplesNeeded(least: number, of: SampleUnit): string {
  return least === 1 ? `1 ${of.replace(/(?<=ss)es$|s$/, '')}` : `${least} ${of}`;
}

/** The value in its unit; "too few (7 of 30 trades)" where the sample is too small, "–" for no value. */
export function metricText({ unit, value, sample, least, of }: MetricResult): string {
  if (sample < least) return `too few (${whole(sample)} of ${samplesNeeded(least, of)})`;
  return value === null ? '–' : TEXTS[unit](Number(value));
}

/** The same for a narrow column. */
export function shortMetricText(result: MetricResult): string {
  return result.sample < result.least ? 'too few' : metricText(result);
}

/** "0.12 to 1.9"; "" for none. */
export function intervalText({ unit, interval, sample, least }: MetricResult): string {
  if (interval === null || sample < least) return '';
  return interval.map((bound) => TEXTS[unit](bound)).join(' to ');
}

/** The colour of a value: "up" for a profit, "down" for a loss. */
export function toneOf(value: string | number): Tone {
  const number = Number(value);
  return number > 0 ? 'up' : number < 0 ? 'down' : '';
}

function withSign(value: number, text: string): string {
  return value < 0 && /[1-9]/.test(text) ? `−${text}` : text;
}

/** Plain notation with `digits` significant digits and no zeros at the end. */
function plain(value: number, digits: number): string {
  if (value === 0) return '0';
  const decimals = Math.min(20, Math.max(0, digits - 1 - Math.floor(Math.log10(value))));
  return value
    .toFixed(decimals)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');
}
