/** Figures of an EMA cross on one-minute bars with the whole venue and engine, many trials over one loaded tape. */
import { here, isQuick, judgedBelow, judgedLoop, node, tell } from './table.ts';

interface BarPass {
  readonly barsPerSecond: number;
  readonly trialMs: number;
  readonly overheadMs: number;
  readonly peakMb: number;
}

/** `mode`: every tick, the same with each row taken alone, or by polls. */
function pass(count: number, trials: number, mode: 'tick' | 'plain' | 'poll'): BarPass {
  return JSON.parse(node([here('bars.ts'), String(count), String(trials), mode])) as BarPass;
}

export function bars(): void {
  const count = isQuick ? 20_000 : 100_000;
  const fast = pass(count, 5, 'tick');
  const plain = pass(count, 5, 'plain');
  const perSecond = (speed: number): string => `${(speed / 1e6).toFixed(2)} M/s`;
  tell(
    `EMA cross on ${count} bars from memory, bars a second`,
    perSecond(fast.barsPerSecond),
    '≥ 2.5 M/s',
    judgedLoop(fast.barsPerSecond, 2.5e6),
  );
  tell('the same: peers on 2026-11-22', 'vectorbt 1.2 2.4 M/s, grademark 0.97 M/s, NautilusTrader 1.231 0.01 M/s', '', null);
  tell('the same: against each row taken alone', `${(fast.barsPerSecond / plain.barsPerSecond).toFixed(1)} ×`, '', null);
  const month = pass(isQuick ? 5_000 : 44_640, 5, 'tick');
  const share = `${month.overheadMs.toFixed(1)} of ${month.trialMs.toFixed(1)} ms`;
  tell('a trial on a month of bars: time beside its rows', share, '≤ 2 ms', judgedBelow(month.overheadMs, 2, month.overheadMs));
  const ratio = pass(2_000, 1, 'poll').trialMs / pass(2_000, 5, 'plain').trialMs;
  tell('2,000 bars by polls, against each row of every tick', `${ratio.toFixed(1)} ×`, '≤ 2 ×', judgedBelow(ratio, 2, 0));
}
