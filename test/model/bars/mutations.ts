/**
 * Small changes after which a bar is passed over though something can happen in it. The comparison of runs with and without skipping must
 * find each of them; `npm run mutants` checks that.
 */
import type { MarkedEdit } from '../../mutation/marked.ts';

/** As in test/model/mutations.ts. */
export const BAR_MUTANTS: readonly MarkedEdit[] = [
  ['a bar that orders wait for is passed over', 'if ($port.$isAwaited($instrument, $bar.start)) return false;', ''],
  ['exits that the bot watches are passed over', '$kernel.$tradesOnBars.$isAny($instrument) ||', ''],
  ['excursions miss bars that are passed over', 'this.$watched($bar);', ''],
  ['timers wait for a bar that is played', 'if (this.$isTimerDue($core.now)) this.$timers($core.now);', ''],
  ['a resting sell is passed over', '|| $high >= $sells.$top', ''],
  ['a trigger that the low touches is passed over', '$low <= $market.$triggerLow ||', '$low < $market.$triggerLow ||'],
  ['funding is passed over', 'this.$fundingAt($bar, $fundedUntil) >= $bar.end &&', ''],
  ['a liquidation at the high is passed over', '&& !this.$isShortAt(this.$safeHigh, $bar)', ''],
  ['a known safe range is wider than it is', '$high <= this.$safeHigh)', '$high <= 2 * this.$safeHigh)'],
  ['a look for liquidations moves the market', '$market.bid = $bid; $market.ask = $ask; $market.last = $last;', ''],
];
