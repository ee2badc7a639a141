/** The three readings of a result: as configured, with every assumption of the model against us, and with every assumption for us. */
import { someMetrics } from './backtest-report.ts';
import type { RunReport } from './run-report.ts';
import type { Bracket, Reading, ReadingName } from './reading.ts';

const POINTS_MAX = 500;

export function readingOf(name: ReadingName, terms: string, report: RunReport): Reading {
  const { pnl, equity, stats, series, failed } = report;
  const step = Math.max(1, Math.ceil(series.time.length / POINTS_MAX));
  const isKept = (_: number, k: number): boolean => k % step === 0 || k === series.time.length - 1;
  return {
    name,
    terms,
    failed: failed.map(({ strategy }) => strategy),
    net: pnl.net,
    fees: pnl.fees,
    maxDrawdownShare: equity.maxDrawdownShare,
    trades: stats.trades,
    wins: stats.wins,
    fills: stats.makerFills + stats.takerFills,
    sharpe: someMetrics(report, ['sharpe'])['sharpe'] ?? null,
    series: { time: series.time.filter(isKept), equity: series.equity.filter(isKept) },
  };
}

/** `readings` in the order of READINGS. */
export function bracketOf(readings: readonly Reading[], money: (amount: number) => string): Bracket {
  const nets = readings.map(({ net }) => Number(net));
  return { readings, sentence: sentenceOf(nets, money) + oddness(nets) };
}

function sentenceOf(nets: readonly number[], money: (amount: number) => string): string {
  const [, reported = 0] = nets;
  const low = Math.min(...nets);
  const high = Math.max(...nets);
  const apart = high - low;
  const range = `from ${money(low)} to ${money(high)}`;
  if (apart === 0) return 'The three readings agree to the last digit: the result does not depend on fills, latency or spread.';
  const parts = (apart / Math.abs(reported)) * 100;
  const share = reported === 0 ? '' : `, ${parts.toFixed(parts < 10 ? 1 : 0)} % of the reported result`;
  if (low > 0) return `The readings are ${money(apart)} apart (${range}${share}), and all of them make a profit.`;
  if (high < 0) return `The readings are ${money(apart)} apart (${range}${share}), and all of them lose.`;
  return `The readings are ${money(apart)} apart (${range}${share}): whether this makes a profit depends on fills, latency and spread.`;
}

/** Worse assumptions change which trades happen, so they may end better: then the readings are no bounds. */
function oddness([low = 0, reported = 0, high = 0]: readonly number[]): string {
  const odd = [
    low > reported ? 'the pessimistic one ended better than the reported one' : '',
    high < reported ? 'the optimistic one ended worse than the reported one' : '',
  ].filter((one) => one !== '');
  if (odd.length === 0) return '';
  const text = odd.join(', and ');
  return ` ${text.charAt(0).toUpperCase()}${text.slice(1)}: the assumptions changed the fills, so the true result may lie outside this range.`;
}
