/**
 * Small changes after which a bar is passed over though something can happen in it. The comparison of runs with and without skipping must
 * find each of them; `npm run mutants` checks that.
 */
import type { NamedEdit } from '../../mutation/edits.ts';

/** As in test/model/mutations.ts. */
export const BAR_MUTANTS: readonly NamedEdit[] = [
  ['a bar that orders wait for is passed over', 'played-market.ts', 'if ($port.$isAwaited($instrument, $bar.start)) return false;', ''],
  [
    'exits that the bot watches are passed over',
    'played-market.ts passes',
    'if ($hasTrades && !$kernel.$tradesOnBars.$areQuiet($instrument, $bar.low, $bar.high, $bar)) return false;',
    '',
  ],
  ['excursions miss bars that are passed over', 'played-market.ts passes', 'this.$widen($bar);', ''],
  ['what was passed over is shown after fills', 'bar-drive.ts #happen', 'this.$showPassed();', ''],
  ['timers wait for a bar that is played', 'kernel.ts', 'if ($dueTimers.isDue($core.now)) $dueTimers.run($core.now);', ''],
  ['quotes are not told after a bar that comes alone', 'bar-ends.ts alone', 'if ($quoteRunners.length > 0) {', 'if (false) {'],
  ['a trade is calm where it has seen less or more', 'calm-range.ts', 'priceOf($most, $instrument) < $calm.$below', 'true'],
  ['a trade is calm beyond its own stop', 'calm-range.ts', 'of [$trade.$stopNow, $venueStop]', 'of [$venueStop]'],
  ['a trade that a strategy changed stays calm', 'strategy-trades.ts changed', '$trade.$calm.$above = Number.NaN;', ''],
  ['a resting sell is passed over', 'quiet-bars.ts', '|| $high >= $most', ''],
  ['a trigger that the low touches is passed over', 'quiet-bars.ts', '|| $low <= $least ||', '|| $low < $least ||'],
  ['funding is passed over', 'quiet-bars.ts', 'if ($until < $bar.end) return false;', ''],
  [
    'a liquidation at the high is passed over',
    'quiet-bars.ts',
    'if (this.$isShortAt($safeLow, $bar) || this.$isShortAt($safeHigh, $bar)) continue;',
    'if (this.$isShortAt($safeLow, $bar)) continue;',
  ],
  ['a known safe range is wider than it is', 'quiet-bars.ts', 'this.$high = Math.min($most, $safeHigh + 1);', 'this.$high = $most;'],
  ['a known safe range has no end', 'quiet-bars.ts', '&& $bar.end <= this.$until) ||', ') ||'],
  ['a look for liquidations moves the market', 'quiet-bars.ts', '$market.bid = $bid; $market.ask = $ask; $market.last = $last;', ''],
];
