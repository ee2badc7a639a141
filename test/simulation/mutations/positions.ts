/** Mistakes in what is concluded of fills, brackets and closes by others. How an edit is read: test/mutation/edits.ts. */
import { testedBy, type Mutant } from './mutant.ts';

const DELISTED = 'test/unit/engine/positions/engine-delisted.test.ts';
const BRACKETS = 'test/unit/engine/orders/engine-brackets.test.ts';
const FAULTS = 'test/property/engine/engine-faults.test.ts';
const LEDGER = 'test/unit/engine/orders/foreign-fill-ledger.test.ts';
const LEG = 'test/unit/engine/positions/leg.test.ts';
const MIRRORED = 'test/unit/engine/positions/engine-mirrored.test.ts';
const OTHERS_TRADES = 'test/unit/engine/positions/engine-others-trades.test.ts';
const REGRESSIONS = 'test/simulation/regressions.test.ts';
const SHARED_LEG = 'test/unit/engine/positions/engine-shared-leg.test.ts';
const RESTARTS = 'test/unit/engine/kernel/engine-restarts.test.ts';
const UNDECIDED = 'test/unit/engine/positions/engine-undecided.test.ts';

export const POSITION_MUTANTS: readonly Mutant[] = [
  testedBy(REGRESSIONS, 'own', 'brackets: an order is given up while what its bracket closed is being explained', [
    'position-reads.ts',
    '$spent.length > 0 && $leg.$unexplained === 0 &&',
    '$spent.length > 0 &&',
  ]),
  testedBy(BRACKETS, 'own', 'brackets: records take their turn by what they closed exactly before the first of them', [
    'positions/foreign-changes.ts',
    'const $exact = $left.findIndex(($report) =>',
    'const exact = left.length < reports.length ? 0 : $left.findIndex(($report) =>',
  ]),
  testedBy(BRACKETS, 'own', 'reads: a record that a list holds twice explains a change twice', [
    'orders/reads/proof.ts',
    'return $newest.size === $reports.length ? $reports : [...$newest.values()];',
    'return $reports;',
  ]),
  testedBy(BRACKETS, 'own', 'brackets: one that fires while its order fills has all lots of the order already', [
    'state/records/brackets.ts',
    '|| filledAt > $report.createdAt',
    '',
  ]),
  testedBy(BRACKETS, 'own', 'brackets: a farther one of the exact size goes before a larger one whose trigger the price is at', [
    'records/brackets.ts firedOf',
    '$larger.filter($isEmptied)',
    '[]',
  ]),
  testedBy(BRACKETS, 'own', 'brackets: a position that others opened ends those of the position before it', [
    'foreign-changes.ts',
    '$leg.own > 0 && $leg.provenAt + $BEGIN_SLACK_MS < $report.createdAt',
    'false',
  ]),
  testedBy(BRACKETS, 'own', 'brackets: one of the exact size goes before a larger one, though the price did not come to its trigger', [
    'records/brackets.ts firedOf',
    '($isFarther ? $emptying : $byPrice) ??',
    '$byPrice ??',
  ]),
  testedBy(SHARED_LEG, 'own', 'trades: what a trade closes itself after others closed it is said to be closed by others', [
    'strategy-trades.ts',
    "$BY_OTHERS.has($why) ? 'leftover' : $why",
    '$why',
  ]),
  testedBy(BRACKETS, 'own', 'brackets: a restart forgets that their position has ended', [
    'durable/orders/brackets.ts',
    "if ($bracket !== undefined) $bracket.$endedAt = $number($data['at']);",
    '',
  ]),
  testedBy(BRACKETS, 'own', 'brackets: those with one trigger share a record of more lots than any of them had', [
    'records/brackets.ts sharedOf',
    '$size > $had || $size > $sum',
    '$size > $sum',
  ]),
  testedBy(LEG, 'own', 'legs: times of the venue stay when its clock is set back', [
    'records/leg.ts',
    'return $time > $venueTime ? Math.min($venueTime, $time + $byMs) : $time;',
    'return $time;',
  ]),
  testedBy(SHARED_LEG, 'own', 'trades: what was closed before a trade was placed is taken from it', [
    'strategy-trades.ts',
    '$saved.$placedAt > $at ? 1 : 0',
    '$saved.$placedAt > Infinity ? 1 : 0',
  ]),
  testedBy(UNDECIDED, 'own', 'fills: an ended order filled what the leg shows, whatever its bracket closed', [
    'fill-inference.ts',
    'const $mayBeClosed = $isInferable && !$claim.$isOwn && $mayBeClosedAgain($core, $opens, $gap);',
    'const $mayBeClosed = false;',
  ]),
  testedBy(UNDECIDED, 'own', 'fills: an ended order is given up after the horizon before the history was read', [
    'position-reads.ts',
    '($claim.$isHistoryRead || !$isHeld)',
    '!$claim.$isShown',
  ]),
  testedBy(UNDECIDED, 'own', 'fills: reads that agree hide that others closed more than is proven', [
    'position-reads.ts',
    '$leg.$proven && !$isForced && (',
    '$leg.$proven && (',
  ]),
  testedBy(FAULTS, 'own', 'fills: an order that a read does not show yet is settled with older ones of its leg', [
    'position-reads.ts #assignToLeg',
    'for (const $order of $spent) {',
    'for (const $order of $core.orders.of[$leg.$index >> 1]!.known()) { if ($order.leg !== $leg || $order.$isAlive || $order.$isSettled) continue;',
  ]),
  testedBy(UNDECIDED, 'own', 'fills: those of an earlier position that no read shows are lots of another party in the next one', [
    'fill-inference.ts',
    '$earlier += $order.$maybeFilled;',
    '',
  ]),
  testedBy(
    UNDECIDED,
    'own',
    'fills: what another party opened may be that of an order of an earlier position, whatever the history shows',
    ['fill-inference.ts', '|| $mayBeClosed || $gap > $up', '|| $mayBeClosed'],
  ),
  testedBy(UNDECIDED, 'own', 'fills: a record of another party explains nothing while an order of an earlier position may have filled', [
    'position-reads.ts confirmed',
    '$mustFit || $lots < 0 ? $up : $up + $earlier',
    '$up',
  ]),
  testedBy(OTHERS_TRADES, 'own', 'fills: a fee may be that of more lots than the order has', [
    'fill-inference.ts',
    '$order.$filled + Math.min($most, $order.$remaining)',
    '$order.$filled + $most',
  ]),
  testedBy(DELISTED, 'own', 'delisted: the first reads after a restart take a symbol for online that a halt says is offline', [
    'positions/offline.ts',
    'this.#$core.contexts[$instrument]!.isOffline = true; }',
    'void $instrument; }',
  ]),
  testedBy(DELISTED, 'own', 'delisted: an order is looked for in the history of the symbol alone', [
    'orders/unknown/search.ts',
    '$context.isOffline ? -1 : own',
    'own',
  ]),
  testedBy(DELISTED, 'own', 'delisted: an order that rested is looked for nowhere', [
    'orders/reads/order-reads.ts',
    'if ($offline.length > 0) this.#offline($offline);',
    '',
  ]),
  testedBy(MIRRORED, 'own', 'triggers: an order of others is what a trigger order became, wherever the market was', [
    'trigger-evidence.ts',
    'return $low <= $trigger.$trigger && $trigger.$trigger <= $high;',
    'return true;',
  ]),
  testedBy(MIRRORED, 'own', 'triggers: a kill forgets which orders are of others', [
    'orders/triggered.ts orderOf',
    'if ($isExcluded) $foreignFills.ofOthers($report.$venueId);',
    '',
  ]),
  testedBy(MIRRORED, 'own', 'triggers: a kill forgets that the venue names what they become', [
    'orders/triggered.ts',
    'if (this.#areNamed) return $EXCLUDED;',
    'if (this.#areNamed) return $NONE;',
  ]),
  testedBy(LEDGER, 'own', 'orders of others: those that explained nothing share the snapshot with those that explained lots', [
    'foreign-fill-ledger.ts',
    'if ($lots > 0) this.#$lots.set($venueId, $lots); else this.#$others.set($venueId, 0);',
    'this.#$lots.set($venueId, $lots);',
  ]),
  testedBy(MIRRORED, 'own', 'triggers: an order that was created seconds before may be what a trigger order became', [
    'state/orders/lost-triggers.ts',
    '$trigger.$createdAt - $SKEW_MS && $madeAt',
    '$trigger.$createdAt - 5 * $SKEW_MS && $madeAt',
  ]),
  testedBy(MIRRORED, 'own', 'triggers: a history is without others before trades say whose a record is', [
    'positions/foreign-changes.ts',
    'if ($found.length === 0 && !this.#$records.isOpen($leg, $orders))',
    'if ($found.length === 0)',
  ]),
  testedBy(MIRRORED, 'own', 'triggers: a position alone shows that a trigger order filled', [
    'fill-inference.ts',
    'if ($waitsForTrigger($order.$kind)) return $least <= 0;',
    '',
  ]),
  testedBy(REGRESSIONS, 'own', 'trades: a restart forgets what was told before the fill that it closed', [
    'durable/orders/legs.ts',
    '$leg.$closedAhead.push(...$closedAhead.map(($one) => ({ ...$one, $at: $one.$at ?? Infinity })));',
    '',
  ]),
  testedBy(RESTARTS, 'own', 'legs: the clock of the first answer is that of the venue, whatever it repeats', [
    'market/venue-offset.ts',
    'this.$newest - this.#$firstTime >= $RUNS_MS',
    'this.$newest >= this.#$firstTime',
  ]),
  testedBy(LEG, 'own', 'legs: a clock that comes to their times again leaves old lists new', [
    'state/records/leg.ts',
    'if ($byMs > 0) this.$provenAt = Math.max(this.$provenAt, Math.min(this.#$recordedAt, $venueTime));',
    '',
  ]),
];
