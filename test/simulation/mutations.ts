/**
 * Known ways to lose, double or misread an order, written into the bot one at a time. The simulation, or the named test file, must find each;
 * `npm run simulate -- --mutants` tries them.
 */
import { mutant, ofTrades, testedBy, type Mutant } from './mutations/mutant.ts';
import { POSITION_MUTANTS } from './mutations/positions.ts';
import { WATCHDOG_MUTANTS } from './mutations/watchdog.ts';

const CHANGES = 'test/unit/engine/strategy/engine-trade-changes.test.ts';
/** Found by a test: faults of a world rarely last longer than the horizon and the lag of the lists after it. */
const ROWS = 'test/unit/engine/recovery/engine-resolve-rows.test.ts';
const RESOLVE = 'test/unit/engine/recovery/engine-resolve.test.ts';
const BUGS = 'test/unit/engine/recovery/engine-bugs.test.ts';
const LEFT = 'test/unit/engine/positions/engine-left.test.ts';
const OPERATIONS = 'test/unit/edge/operations.test.ts';
const SUB_LEDGERS = 'test/property/sub-ledgers.test.ts';
const CLOCK = 'test/unit/engine/polling/engine-venue-clock.test.ts';
const REGRESSIONS = 'test/simulation/regressions.test.ts';
const FAULTS = 'test/property/engine/engine-faults.test.ts';
const GAP = 'test/unit/run/backup/history-gap.test.ts';
const OFFSET = 'test/unit/engine/polling/venue-offset.test.ts';

/** How the place and the pattern of an edit are read: test/mutation/edits.ts. */
export const MUTANTS: readonly Mutant[] = [
  mutant('L2b', 'an order without an answer is placed again under a new id', [
    'resolver.ts',
    'const { $kind, $instrument, $order } = $entry;',
    "const { $kind, $instrument, $order } = $entry; if ($kind === PLACE && $order !== null && $order.isAlive) { const again = this.#executor.begin(PLACE, $instrument); Object.assign(again, { side: $order.side, effect: $order.effect, type: $order.type, price: $order.price, size: $order.size }); this.#executor.submit($order.context, null, $order.owner, 'again', null); }",
  ]),
  mutant('L2b', 'no answer counts as a refusal', [
    'resolver.ts unknown',
    'const $entry = $core.$inFlight.$take($seq);',
    'if (cause !== "") return this.#executor.rejected($seq, cause, cause); const $entry = $core.$inFlight.$take($seq);',
  ]),
  mutant('L2b', 'one look that does not show an order proves that it is not there', [
    'absence.ts',
    '$absences >= $ABSENCES && $now - $since >= $timings.$horizonMs + $timings.$settleMs',
    'true',
  ]),
  mutant('L2b', 'the refusal of a probe is the final answer', [
    'orders/executor.ts',
    "if ($order.$state === $UNKNOWN && $why === 'order-not-found') this.$events.$probeRefused($order);",
    "if ($order.$state === $UNKNOWN && $why === 'order-not-found') return this.bookings.end($order, REFUSED, $why, detail);",
  ]),
  mutant('L2b', 'an order is sent again where the venue forgets ids of ended orders', [
    'resolver.ts',
    'const { $kind, $instrument, $order } = $entry;',
    'const { $kind, $instrument, $order } = $entry; if ($kind === PLACE && $order !== null && $order.isAlive) { const again = this.#executor.begin(PLACE, $instrument); Object.assign(again, { seq, side: $order.side, effect: $order.effect, type: $order.type, price: $order.price, size: $order.size }); this.#executor.orderPort.execute(again as never); }',
  ]),
  mutant('L2b', 'a command leaves before its record', [
    'durable-gate.ts',
    'else if (this.$isDirty || this.$failure !== null) this.$waiting.push({ ...$command });',
    'else if (this.$isDirty || this.$failure !== null) this.#send($command);',
  ]),
  mutant('L2b', 'a commit is not waited for', [
    'durable-gate.ts',
    'if ($written !== null) return (this.$commit',
    'if ($written === undefined) return (this.$commit',
  ]),
  mutant('L2b', 'an order in neither list is cancelled: E17 is not read after E18', [
    'order-reads.ts #unlisted',
    'this.#mayAsk($order, $sentAt)) this.ask($order);',
    "this.#mayAsk($order, $sentAt)) { this.#bookings.end($order, CANCELLED, '', ''); this.#bookings.settle($order); }",
  ]),
  testedBy(ROWS, 'L2b', 'a read that failed shows that the order is not there', [
    'resolver.ts',
    'this.$warnIfBlind($one); this.$wait($one);',
    'if (order !== null) this.#absent($one, order);',
  ]),
  testedBy(
    RESOLVE,
    'L2b',
    'an order that was presumed gone is not watched for',
    ['resolver.ts', 'this.$tombstones.set($one.$key, $core.$now + $core.$timings.$watchMs);', ''],
    ['unmatched.ts', 'if (!this.$isAlive($seq, $report, $sentAt)) return false;', 'return false;'],
  ),
  mutant('own', 'an order leaves without a look at the halts that were asked for', [
    'asked-halts.ts',
    'if (!makesOrder($kind)) return null;',
    'return null;',
  ]),
  mutant('own', 'a resume ends a halt that was asked for after it', [
    'control/operations.ts',
    '$askedAt <= $begunAt || [...this.$haltedAt].some($isLater)',
    'false',
  ]),
  mutant('own', 'triggers: the time of a record is read by the present clock of the venue', [
    'state/orders/lost-triggers.ts',
    '$offsets.some($isOfItsLife)',
    '$isOfItsLife($offsets[0]!)',
  ]),
  mutant('L2b', 'the lease is looked at after the write', [
    'durable-gate.ts',
    "if (this.$store.$maySend === false || this.$isMoved) this.$unsent($command.$seq, 'lease-over');",
    "if (this.$isMoved) this.$unsent($command.$seq, 'lease-over');",
  ]),
  mutant('L2b', 'the first entry of an answer is taken for ours', [
    'settle.ts',
    'const $done = $successList.$find($isOurs);',
    'const $done = $successList[0];',
  ]),
  mutant('L2b', 'a margin step without an answer is sent again', [
    'margins.ts',
    "if ($how === 'accepted') return this.$landed($job);",
    "if ($how === 'accepted') return this.$landed($job); if ($how === 'unknown') return this.#send($job, $job.facts!);",
  ]),
  mutant('L2b', 'what a leg gained is shared among its orders by their sizes', [
    'fill-inference.ts',
    '$gap - ($up - $one.$most), $mayBeClosed ?',
    'Math.round(($gap * $one.$most) / $up), $mayBeClosed ?',
  ]),
  mutant(
    'own',
    'positions: an older answer is taken for a new one',
    [
      'venue-events.ts',
      'if ($isPrivate && !$isCurrent) return this.$dropped($query, $asker);',
      'if ($isPrivate && $isCurrent === null) return this.$dropped($query, $asker);',
    ],
    [
      'position-reads.ts',
      'if ($venueTime < this.$answeredAt || ($venueTime === this.$answeredAt && $sentAt > this.$takenAt)) return true;',
      'if ($venueTime < 0) return true;',
    ],
  ),
  mutant('own', 'clock: opens go on while reads are dropped', [
    'dropped-reads.ts #hold',
    'this.$core.$tradingState.$hold(`',
    'this.$core.$tradingState.$hold(``); void (`',
  ]),
  testedBy(OFFSET, 'own', 'clock: answers that fall behind more and more take the venue’s clock with them', [
    'venue-offset.ts',
    'this.$set(this.$least - $drift, this.$most + $drift);',
    'this.$set(this.$least - 1_000 * $drift, this.$most + 1_000 * $drift);',
  ]),
  testedBy(OFFSET, 'own', 'clock: answers that fall behind take another clock with them, and hide the one that comes after', [
    'other-clocks.ts',
    'if ($low > $high) return true; this.#least = $low; this.#most = $high;',
    'this.#least = Math.min($low, $high); this.#most = Math.max($low, $high);',
  ]),
  testedBy(OFFSET, 'own', 'clock: slow answers that fall behind seem to run', [
    'other-clocks.ts',
    'if (this.#time === 0 || $venueTime - this.#time < $now - this.#at - $LAG_MS) {',
    'if (this.#time === 0) {',
  ]),
  mutant('own', 'positions: one read that nothing explains is a change by another party', [
    'agreeing-reads.ts',
    'if (this.$reads < $AGREEING_UNPROVEN || this.$lastSentAt < $quietSince + $settleMs) return false;',
    'if ($quietSince === Infinity) return false;',
  ]),
  mutant('own', 'clock: requests are signed by the wall clock, right or wrong', [
    'venue-clock.ts',
    'if (Math.abs($venue - $wall) <= $NEAR_MS) return $wall;',
    'if ($venue !== 0) return $wall;',
  ]),
  mutant('own', '429: the pause that the venue asks for is not kept', [
    'order-throttle.ts',
    'this.$pausedUntil[$priority] = Math.max(this.$pausedUntil[$priority]!, $until);',
    '',
  ]),
  mutant('own', '429: a refusal for the rate is final', [
    'resolver.ts unknown',
    'const $entry = $core.$inFlight.$take($seq);',
    "if (cause === 'rate-limited') return this.#executor.rejected($seq, cause, cause); const $entry = $core.$inFlight.$take($seq);",
  ]),
  mutant('own', 'rollback: orders that the journal does not know are ignored', [
    'order-reads.ts report',
    'this.$unmatched.$unknown($report); return 0;',
    'return 0;',
  ]),
  mutant('own', 'rollback: a start does not begin new ids', [
    'client-ids.ts',
    'const $epoch = Math.max(this.$epoch + 1, Math.floor($nowMs / 1000));',
    'const $epoch = $nowMs > 0 ? this.$epoch : 0;',
  ]),
  mutant('own', 'settle: an ended order is final before its fills are known', [
    'fill-inference.ts',
    'if ($left < $order.$unsure) $core.$orders.$doubt($order, Math.max(0, $left));',
    'if ($left < $order.$unsure) $core.$orders.$doubt($order, 0);',
  ]),
  mutant('own', 'restart: what was under way counts as never sent', ['lifecycle.ts start', 'this.$reopen();', '']),
  mutant('own', 'restart: halts of a person are forgotten', [
    'durable/halts.ts',
    '$halts.set($key, $savedHalt({ ...$data, $seq, $since: $halts.get($key)?.$since ?? $record.$time }));',
    '$halts.delete($key);',
  ]),
  mutant('own', 'restart: fills that were told are told again', [
    'durable/orders/orders.ts',
    "if ($order !== undefined) $order.$filled += $number($data['lots']);",
    '',
  ]),
  mutant('own', 'restart: orders of the journal are younger than the clock', [
    'lifecycle.ts',
    '$order.$createdAt = Math.min($order.$createdAt, $core.$now); $order.$sentAt = Math.min($order.$sentAt, $core.$now); $order.$endedAt = Math.min($order.$endedAt, $core.$now);',
    '',
  ]),
  mutant('own', 'reads: the history is read again whenever it was answered', [
    'position-reads.ts',
    'if ($claim.$readsSuspected === $claim.$reads) return;',
    '',
  ]),
  mutant('own', 'flat: a kill closes only what strategies trade now', [
    'flat-scope.ts',
    'return $leg.$own > 0 || $leg.$mayOpen > 0 || $leg.$endedAt > -Infinity || this.$isTraded($index) || this.$mayBeForgotten($leg);',
    'return this.$isTraded($index);',
  ]),
  testedBy(
    'test/unit/engine/operator/engine-flat.test.ts',
    'own',
    'flat: a kill leaves what an order that the journal forgot may have opened',
    ['flat-scope.ts', '= $leg.$own > 0 || $leg.$mayOpen > 0 || this.$mayBeForgotten($leg);', '= $leg.$own > 0 || $leg.$mayOpen > 0;'],
  ),
  testedBy('test/unit/engine/operator/flat-forecast.test.ts', 'own', 'flat: a rehearsed kill is planned as a flatten', [
    'flat-scope.ts',
    'if (this.#isWhole($leg, $isKill)) return left;',
    'if (this.#isWhole($leg, this.$isKill)) return left;',
  ]),
  testedBy(
    'test/unit/engine/operator/engine-flat.test.ts',
    'own',
    'flat: a kill that has ended does not see what a forgotten order opens',
    ['operator/flat/flatten.ts', 'if (this.scope.$mayBeForgotten($leg)) this.$opened(', 'if (false) this.$opened('],
  ),
  mutant('own', 'configuration: handlers hear of symbols that were removed', [
    'delivery.ts #order',
    '.$traders.$includes($host);',
    '.$traders !== undefined;',
  ]),
  mutant('own', 'limits: an order without an outcome is not in the exposure', [
    'resolver.ts',
    'if ($order.$state !== $UNKNOWN) $core.$orders.$apply($order, $OUTCOME_UNKNOWN);',
    'if ($order.$state !== $UNKNOWN) $core.$orders.$apply($order, $OUTCOME_UNKNOWN); if ($order.venueId === "") $core.$orders.reserve($order, 0);',
  ]),
  ofTrades('trades', 'an addition is not written down with its trade', ['strategy-trades.ts add', 'this.changed(trade);', '']),
  ofTrades('trades', 'a close leaves the orders of reductions', [
    'strategy-trades.ts',
    'this.$orders.$withdraw($trade, $trade.$saved.$why, true);',
    'this.$orders.$withdraw($trade, $trade.$saved.$why, false);',
  ]),
  ofTrades('test/unit/engine/positions/engine-left.test.ts', 'a trade that nobody works on loses the fills of a reduction', [
    'left-trades.ts',
    'return $exited({ ...$trade, $reduces, $reducedLots: $trade.$reducedLots + $fill.$lots }, $fill, $reduce.$why);',
    'return $trade;',
  ]),
  ofTrades(CHANGES, 'a reduction that rests is forgotten in the shares of the targets', [
    'engine/trades/trade.ts',
    '- this.$reducing;',
    '- this.$toReduce;',
  ]),
  ofTrades(CHANGES, 'a target is placed again while its cancelled order may fill', [
    'trade-orders.ts',
    '|| this.$mayFill([$target.$order])',
    '|| this.$hasLive([$target.$order])',
  ]),
  ofTrades(CHANGES, 'a reduction does not wait for the lots of targets', [
    'trade-orders.ts',
    'Math.min(this.$freeOf($trade) + $trade.$toReduce, $free($market, $side))',
    '$trade.$left',
  ]),
  ofTrades(CHANGES, 'a part that was closed still counts in the average', [
    'saved-trade.ts',
    '$trade.$exitedLots > 0 && $at > 0',
    '$at < 0',
  ]),
  ofTrades(CHANGES, 'what is relative to the average lies on its other side', [
    'engine/trades/trade.ts',
    '$average + $sign *',
    '$average - $sign *',
  ]),
  ofTrades(CHANGES, 'resting targets do not follow the average and the size', [
    'trade-orders.ts',
    'if ($isElsewhere || $waiting < $trade.$lotsFor($k, $waiting + Math.max(0, $free))) this.$cancel($order,',
    'if ($isElsewhere && $waiting < 0) this.$cancel($order,',
  ]),
  ofTrades(CHANGES, 'resting targets are moved for each part of a fill', ['strategy-trades.ts', 'context.now + SETTLE_MS', 'context.now']),
  testedBy(OPERATIONS, 'own', 'operator: a resume ends a halt within its scope that began after it was asked for', [
    'control/operations.ts',
    '$at >= $askedAt && $scope !== null && isWithin($of, $scope)',
    "$at >= $askedAt && ($of === $scope || $scope === 'bot')",
  ]),
  testedBy(OPERATIONS, 'own', 'operator: a resume is refused for a halt that it does not end', [
    'control/operations.ts',
    '$at >= $askedAt && $scope !== null && isWithin($of, $scope)',
    '$at >= $askedAt',
  ]),
  testedBy(LEFT, 'own', 'a position that an order opens on a symbol which no strategy trades is not named', [
    'bookings.ts',
    'if (this.$leftPositions.flat.size > 0) this.$leftPositions.filled($leg);',
    '',
  ]),
  testedBy(BUGS, 'own', 'bugs: what failed of a timer is lost', ['limit-actions.ts due', 'this.$wanted.add($one);', '']),
  testedBy(BUGS, 'own', 'bugs: one item that fails keeps the others from their turn', [
    'timer-queue.ts',
    '$again($item); this.$survive($error);',
    '$again($item); this.$survive($error); return;',
  ]),
  testedBy(BUGS, 'own', 'bugs: a bot that is not halted for one goes on amid a timer', [
    'kernel.ts',
    'if (!this.$survivesBugs) throw $error;',
    'if (this.$isBusy === null) throw $error;',
  ]),
  testedBy(BUGS, 'own', 'bugs: a command that a check ended has no answer', [
    'kernel.ts',
    'if ($event.kind === $OPERATE) $event.result = $failedCommand($error);',
    '',
  ]),
  testedBy(OFFSET, 'own', 'venue clock: an answer that may have either of two near clocks contradicts the new one', [
    'other-clocks.ts',
    'if ($clock.$isLike($least, $most)) $isEither = true; else $clock',
    '$clock',
  ]),
  testedBy(
    'test/unit/engine/positions/engine-others-trades.test.ts',
    'own',
    'fills: the fee of an order that rested may be that of a taker',
    ['orders/reads/proof.ts', 'order.hasRested = true;', 'order.hasRested = false;'],
  ),
  testedBy(
    'test/unit/engine/positions/engine-others-trades.test.ts',
    'own',
    'fills: an order that a list shows before it is matched counts as one that rested',
    ['orders/reads/proof.ts', ' && read.sentAt >= order.sentAt + core.timings.settleMs', ''],
  ),
  testedBy(
    'test/unit/engine/positions/engine-others-trades.test.ts',
    'own',
    'fills: an order that rested makes also at a better price than its own',
    ['state/records/fee-rates.ts', '(order.hasRested && mayMake(order, average))', 'order.hasRested'],
  ),
  testedBy(OFFSET, 'own', 'clock: the offset of the venue does not follow our clock while that approaches the wall clock', [
    'market/venue-offset.ts',
    '$CLOCK_SLEW * ($now',
    '0.002 * (now',
  ]),
  testedBy(SUB_LEDGERS, 'own', 'profit: a strategy on a shared leg closes at the average of the leg', [
    'leg-book.ts #take',
    'const $own = $held.$take($change, $price);',
    '$held.$take($change, $price); const $own = new Held(this.#all.size.toFixed(), this.#all.cost.toFixed()).$take($change, $price);',
  ]),
  testedBy(SUB_LEDGERS, 'own', 'profit: what strategies have against each other stays when the leg is flat', [
    'leg-book.ts #settle',
    'if (!this.#all.$size.isZero()) return [];',
    'if (!$price.isNaN()) return [];',
  ]),
  testedBy(SUB_LEDGERS, 'own', 'profit: what a person closes is taken from strategies first', [
    'leg-book.ts',
    "'others-first': [$others, $own]",
    "'others-first': [$own, $others]",
  ]),
  testedBy(SUB_LEDGERS, 'own', 'profit: funding of a shared leg is shared alike', [
    'leg-book.ts',
    'return $isHeld ? [...this.#held].map(([$holder, { $size }]) => ({ $holder, $size })) : this.#before;',
    'return $isHeld ? [...this.#held].map(([$holder]) => ({ $holder, $size: new Decimal(1) })) : this.#before;',
  ]),
  testedBy(CLOCK, 'own', 'reads: a copy of a list is as new as the question', [
    'venue-events.ts #taken',
    'Math.min($sentAt, this.$core.$venueOffset.$madeBy($venueTime))',
    '$sentAt',
  ]),
  testedBy(REGRESSIONS, 'own', 'start: a halt about an order that has ended stays', [
    'lifecycle.ts',
    "if (!$isOpen) $resolver.lift($seq, 'the outcome of the command is known');",
    '',
  ]),
  testedBy(FAULTS, 'own', 'fills: profit and fees of fills that only positions have proven are not read', [
    'fill-inference.ts',
    'if ($order.$kind === PLACE && !$order.$isEndRead) $order.$isRecordDue = true;',
    '',
  ]),
  testedBy(GAP, 'own', 'start: what a restore writes counts as knowledge of the venue', [
    'recovered.ts endOf',
    '$records.findLast(($record) => !$isFromOutside($record))',
    '$records.at(-1)',
  ]),
  testedBy(GAP, 'own', 'start: the last record counts as the last read of the venue', [
    'startup.ts begin',
    'Math.min($now, $knownUntil)',
    'Math.min($now, this.#core.$journalEnd)',
  ]),
  ...POSITION_MUTANTS,
  ...WATCHDOG_MUTANTS,
];
