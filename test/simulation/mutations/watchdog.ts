/** Known mistakes of the watchdog, and of a bot that lives again beside it. Each is found by the named test file. */
import { testedBy, type Mutant } from './mutant.ts';

const CLEARING = 'test/unit/run/watchdog/clearing.test.ts';
const CLOSES = 'test/unit/run/watchdog/flattening.test.ts';
const TAKEN = 'test/unit/run/bot/taken-closes.test.ts';
const OPENS = 'test/contract/server/watchdog-opens.test.ts';
const STARTS = 'test/unit/config/watchdog-start.test.ts';
const WATCHING = 'test/unit/run/watchdog/watching.test.ts';

export const WATCHDOG_MUTANTS: readonly Mutant[] = [
  testedBy(CLEARING, 'own', 'one list is enough to say that no opening order is left', [
    'clearing.ts',
    'if ($clear === $LISTS) return true;',
    'if ($clear > 0) return true;',
  ]),
  testedBy(CLEARING, 'own', 'a list before the end of the horizon counts', [
    'clearing.ts',
    'now() >= $fencedAt() + $horizonMs',
    'now() >= $fencedAt()',
  ]),
  testedBy(CLEARING, 'own', 'a list that failed counts as one that shows no order', [
    'clearing.ts',
    "$clear = $failure === '' && $isLate",
    '$clear = $isLate',
  ]),
  testedBy(CLEARING, 'own', 'a cancel without an answer counts as one', ['clearing.ts', "if ($cancelled !== 'ended') return;", '']),
  testedBy(CLEARING, 'own', 'a trigger order that the venue does not know yet is not asked for again', [
    'clearing.ts',
    "$cancelled === 'ended' || ($cancelled === 'gone' && $isLate)",
    "$cancelled === 'ended' || $cancelled === 'gone'",
  ]),
  testedBy(CLEARING, 'own', 'what the bot says while a list is on its way counts after it', ['clearing.ts', 'await $pause(0);', '']),
  testedBy(CLEARING, 'own', 'an order that looks like a trigger order which still waits is cancelled', [
    'clearing.ts',
    '$gone.has($trigger.$clientId) &&',
    '',
  ]),
  testedBy(CLEARING, 'own', 'one of two orders of another party is taken for what a trigger order became', [
    'clearing.ts',
    '.$length <= $triggers.$length',
    '.$length > 0',
  ]),
  testedBy(CLOSES, 'own', 'the watchdog closes although a bot that lives again has taken its closes', [
    'flattening.ts',
    "(isOver() ? 'bot-back' : $file.$isThere ? null : 'taken-over')",
    "(isOver() ? 'bot-back' : null)",
  ]),
  testedBy(CLOSES, 'own', 'the watchdog closes a leg again before it knows what became of the close before', [
    'flattening.ts',
    'if ($open !== undefined) return',
    'if ($open?.fate === 1) return',
  ]),
  testedBy(CLOSES, 'own', 'a close that one look does not show counts as not landed', [
    'flattening.ts',
    'if ($close.$absences >= $ABSENCES && $begunAt >= $close.$sentAt + $horizonMs + $lagMs) this',
    'this',
  ]),
  testedBy(CLOSES, 'own', 'the watchdog closes what others hold of a leg', [
    'domain/messages/watchdog.ts',
    'Math.max(0, Math.min($own + $opened - $closed - $missing, $shown))',
    '$shown',
  ]),
  testedBy(CLOSES, 'own', 'a watchdog that follows another begins the closing again', [
    'flattening.ts',
    '$noted.act?.$epoch === $epoch && $file.$isThere',
    'false',
  ]),
  testedBy(TAKEN, 'own', 'a bot that lives again closes while its watchdog may', [
    'asked-halts.ts',
    '$isClose ? this.$deps.$closes?.$isHeld !== true : this.$deps.$requests.$isEmpty',
    '$isClose || this.$deps.$requests.$isEmpty',
  ]),
  testedBy(TAKEN, 'own', 'a bot that lives again closes before its journal has the closes of its watchdog', [
    'taken-closes.ts',
    'if (!(await $durable())) throw',
    'if (false) throw',
  ]),
  testedBy(OPENS, 'own', 'the watchdog cancels closing orders too', ['opens-at-venue.ts', '$effect === OPEN && epochOf', 'epochOf']),
  testedBy(OPENS, 'own', 'the watchdog cancels orders of a later process', [
    'opens-at-venue.ts',
    'epochOf($clientId, $bot) <= $epoch',
    'epochOf($clientId, $bot) >= 0',
  ]),
  testedBy(OPENS, 'own', 'a refused request means that the order is gone', [
    'opens-at-venue.ts',
    "$verdict.$rejection.$reason === 'order-not-found' ? 'gone' : { unknown: $verdict.$rejection.$reason }",
    "'gone'",
  ]),
  testedBy(OPENS, 'own', 'the watchdog does not learn the time of the venue', [
    'venue-access.ts',
    "if ($called.$row === 'C10' && $venueClock.$offset === null) await $readClock();",
    '',
  ]),
  testedBy(STARTS, 'own', 'a live bot starts no watchdog by itself', ['watchdog-start.ts', "isRemote($config) ? 'bot' : 'off'", "'off'"]),
  testedBy(WATCHING, 'own', 'a process that lives counts as a kernel that advances', ['silence.ts', 'if ($isNew) this', 'this']),
  testedBy(WATCHING, 'own', 'a trigger order is named with the next beat, not before it leaves', [
    'heartbeat.ts record',
    'this.$name(this.$unlisted.$open(',
    'void (this.$unlisted.$open(',
  ]),
  testedBy(WATCHING, 'own', 'the mark does not name what no list shows', ['heartbeat.ts', '$mark.add($line);', '']),
  testedBy(WATCHING, 'own', 'the end of a halt is told with the next beat', [
    'heartbeat.ts record',
    "$isNew || $kind === 'halt' || $kind === 'lift'",
    '$isNew',
  ]),
  testedBy(WATCHING, 'own', 'a bot that starts says that nothing is left of the one before', [
    'heartbeat.ts',
    'this.$bot === null ? [this.$last] : [...this.$standing, this.$last]',
    '[...this.$standing, this.$last]',
  ]),
  testedBy(WATCHING, 'own', 'the next process does not learn what the watchdog has cancelled', [
    'asked-halts.ts',
    'if ($cancelsOpens !== true) return $NOTHING;',
    'if ($cancelsOpens === true) return $NOTHING;',
  ]),
  testedBy(WATCHING, 'own', 'a process that was fenced goes on', ['asked-halts.ts', 'if (!$isPast) return $fenced($why);', '']),
];
