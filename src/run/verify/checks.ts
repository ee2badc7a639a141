/** The checks of `verify`, in the order in which they are shown. To add one, add a row. */
import { failed, momentText, notTried, passed, warned, type Check, type Finding } from './check.ts';
import { withHigherPrices, withOtherFuture } from './changed-market.ts';
import { atHigherPrices, CALENDARS_MS, PRICE_FACTOR, withHigherLimits, withMoreMoney } from './other-place.ts';
import { differenceOf, differenceText, sameFrom, type Decision } from './decision-lines.ts';
import { otherProcess } from './other-process.ts';
import type { Run, Subject } from './verified-strategy.ts';

const NOTHING = notTried('the strategy decided nothing on this tape, so there is nothing to compare');

export const CHECKS: readonly Check[] = [
  { name: 'errors', doc: 'No handler threw, and nothing forbidden was used: clock, chance, timers, network, files.', of: errors },
  {
    name: 'look-ahead',
    doc: 'With another future, and when the tape ends there, everything decided and filled before is the same.',
    of: lookAhead,
  },
  {
    name: 'determinism',
    doc: 'A second run, and a run in another process with other time zone and language, decide the same.',
    of: determinism,
  },
  {
    name: 'restart',
    doc: 'Created again from what `save` gave, at several moments, the strategy goes on as if nothing had happened.',
    of: restart,
  },
  { name: 'warm-up', doc: 'With two and four times the history before its start the strategy decides the same.', of: warmUp },
  { name: 'dates', doc: 'On the same tape 800 years later, when the calendar is the same, the strategy decides the same.', of: dates },
  {
    name: 'prices',
    doc: 'With all prices and money doubled the strategy decides the same, and with moves the other way it does not.',
    of: prices,
  },
  { name: 'numbers', doc: 'No price or size that a strategy gave was infinite or not a number.', of: numbers },
  { name: '1 ms', doc: 'One millisecond more of latency changes the result a little, not altogether.', of: oneMillisecond },
  { name: '1 tick', doc: 'A market one tick higher changes the result a little, not altogether.', of: oneTick },
  { name: 'refusals', doc: 'No order would be refused by a limit, by the rules of the venue, or for its rate.', of: refusals },
];

function errors(subject: Subject): Finding {
  const { report } = subject.whole();
  const note = report.notes.find((one) => / threw /.test(one));
  const [stopped] = report.failed;
  if (stopped !== undefined) return failed(`${stopped.strategy} was stopped ${stopped.why}`, 1);
  return note === undefined ? passed('no handler threw', 1) : failed(note, 1);
}

async function lookAhead(subject: Subject): Promise<Finding> {
  if (subject.isDrawn) {
    return failed(
      'prices inside bars are drawn towards how each bar ends (--inside-bars, or bars that the finer tape does not have): drawn inside bars, no evidence',
      1,
    );
  }
  const whole = subject.whole();
  if (whole.decisions.length === 0) return NOTHING;
  const moments = subject.moments(subject.options.moments);
  for (const time of moments) {
    const other = await subject.changed({}, withOtherFuture(subject.market, time));
    // The last row before `time` is where such a run ends. What it decides then is its end, not its past.
    for (const [kind, run] of [
      ['a run whose tape ends there', (): Before => cutAt(subject, time)],
      ['a run with another future', (): Before => ({ ...other.run(), end: time })],
    ] as const) {
      const found = run();
      for (const [did, of] of [
        ['decided', 'decisions'],
        ['filled', 'fills'],
      ] as const) {
        const difference = differenceOf(before(whole[of], found.end), before(found[of], found.end));
        if (difference === null) continue;
        const text = differenceText(difference, 'the whole run', kind, did);
        return failed(`what was ${did} before ${momentText(time)} depends on what comes after it: ${text}`, moments.length);
      }
    }
  }
  return passed(`the same decisions before each of ${moments.length} moments, whatever comes after`, moments.length);
}

/** Decisions and fills of a run, of which those before `end` are compared. */
interface Before extends Pick<Run, 'decisions' | 'fills'> {
  readonly end: number;
}

function cutAt(subject: Subject, time: number): Before {
  if (time <= subject.from) return { decisions: [], fills: [], end: subject.from };
  const run = subject.run({ to: time });
  return { ...run, end: run.report.tape.to };
}

const before = (lines: readonly Decision[], time: number): readonly Decision[] => lines.filter((one) => one.time < time);

async function determinism(subject: Subject): Promise<Finding> {
  const whole = subject.whole().decisions;
  const again = differenceOf(whole, subject.run().decisions);
  if (again !== null) {
    return failed(
      `a second run in the same process differs: ${differenceText(again, 'the first', 'the second')}; something outlives a run, such as a variable outside of create`,
      2,
    );
  }
  if (subject.options.isAlone === true) return passed(`${whole.length} decisions were the same twice; no other process was tried`, 2);
  const elsewhere = differenceOf(whole, await otherProcess(subject.options));
  if (elsewhere !== null) {
    return failed(`a process with another time zone and language differs: ${differenceText(elsewhere, 'this one', 'the other')}`, 3);
  }
  return passed(`${whole.length} decisions were the same three times`, 3);
}

function restart(subject: Subject): Finding {
  const { decisions: whole, keepsState } = subject.whole();
  if (whole.length === 0) return NOTHING;
  const moments = subject.moments(Math.max(2, Math.ceil(subject.options.moments / 2)));
  for (const time of moments) {
    const { decisions } = subject.run({ restartAt: time });
    const difference = differenceOf(whole, decisions);
    if (difference === null) continue;
    const text = `after a restart at ${momentText(time)} it goes on otherwise: ${differenceText(difference, 'without restart it', 'after it it')}`;
    const again = sameFrom(whole, decisions);
    if (again !== null) {
      const why = `from ${momentText(again)} on it decides the same again, so what differs is history that starts over, such as that of an indicator`;
      const verdict = keepsState ? failed : warned;
      return verdict(`${text}; ${why}: list it in needs.indicators, or ask for more bars in needs.bars`, moments.length);
    }
    return keepsState
      ? failed(`${text}; what it keeps by ctx.state or by save is not all that it needs`, moments.length)
      : warned(`${text}; it keeps nothing: if that is not meant, write what it remembers into ctx.state`, moments.length);
  }
  return passed(`the same decisions after a restart at each of ${moments.length} moments`, moments.length);
}

function warmUp(subject: Subject): Finding {
  const from = subject.from + Math.round((subject.to - subject.from) / 2);
  const [one, two, four] = [1, 2, 4].map((historyFactor) => subject.run({ from, historyFactor }).decisions);
  if (one === undefined || two === undefined || four === undefined || one.length + two.length + four.length === 0) return NOTHING;
  const difference = differenceOf(one, two) ?? differenceOf(two, four);
  if (difference === null) return passed(`from ${momentText(from)}: the same decisions with one, two and four times the history`, 3);
  return failed(
    `from ${momentText(from)} on, decisions depend on how much history there is: ${differenceText(difference, 'less history', 'more')}; ` +
      'ask for more bars in needs.bars',
    3,
  );
}

async function dates(subject: Subject): Promise<Finding> {
  const whole = subject.whole().decisions;
  if (whole.length === 0) return NOTHING;
  const later = (await subject.later(CALENDARS_MS)).map((one) => ({ ...one, time: one.time - CALENDARS_MS }));
  const difference = differenceOf(whole, later, 'order');
  if (difference === null) return passed('the same decisions on the tape 800 years later', 2);
  const text = differenceText(difference, 'today it', '800 years later, by the times of today, it');
  return failed(`${text}; it goes by dates of this tape, such as a table of its prices`, 2);
}

/** Decisions at fewer times than this may be the same on two markets by chance. */
const LEAST_TIMES = 8;

async function prices(subject: Subject): Promise<Finding> {
  const whole = subject.whole().decisions;
  if (whole.length === 0) return NOTHING;
  const { market, options } = subject;
  const coins = new Set(market.instruments.instruments.map(({ quoteCoin }) => quoteCoin));
  const money = { config: withMoreMoney(options.config, coins), strategies: withHigherLimits(options.strategies, coins) };
  const higher = (await subject.changed(money, atHigherPrices(market))).whole().decisions;
  const difference = differenceOf(whole, higher, 'what');
  if (difference !== null) {
    const text = differenceText(difference, 'it', `with prices ${PRICE_FACTOR} times as high it`);
    return warned(`${text}; it goes by prices as such: a level or an amount among its parameters, or a table of prices of this tape`, 3);
  }
  const isLong = new Set(whole.map(({ time }) => time)).size >= LEAST_TIMES;
  if (isLong) {
    const mirrored = (await subject.changed({}, withOtherFuture(market, subject.from))).whole().decisions;
    if (differenceOf(whole, mirrored, 'what') === null) {
      return warned('it decides the same where each price moves the other way: it goes by time or by a table, not by the market', 3);
    }
  }
  return passed(
    `the same decisions with prices ${PRICE_FACTOR} times as high, ${isLong ? 'and others' : 'too few to compare'} where prices move the other way`,
    3,
  );
}

function numbers(subject: Subject): Finding {
  const { report } = subject.whole();
  const wrong = report.notes.find((note) => /\bNaN\b|\bInfinity\b|not a (finite )?number/.test(note));
  return wrong === undefined ? passed('every price and size was a number', 1) : failed(wrong, 1);
}

/** A change of the result by more than this share is reported. */
const MUCH = 0.5;

function compared(whole: string, other: string, what: string): Finding {
  const [a, b] = [Number(whole), Number(other)];
  const text = `net ${whole}, with ${what} ${other}`;
  const isOther = Math.sign(a) !== Math.sign(b) || Math.abs(b - a) > MUCH * Math.abs(a);
  return isOther && a !== b ? warned(`${text}: the result hangs on less than a bot can rely on`, 2) : passed(text, 2);
}

async function oneMillisecond(subject: Subject): Promise<Finding> {
  if (subject.isOnBars) return notTried('on bars orders meet the open of the next bar, whatever the latency');
  const { config } = subject.options;
  const other = await subject.changed({
    config: { ...config, simulation: { ...config.simulation, upMs: config.simulation.upMs + 1 } },
  });
  if (subject.whole().decisions.length === 0) return NOTHING;
  return compared(subject.whole().report.pnl.net, other.whole().report.pnl.net, '1 ms more latency');
}

async function oneTick(subject: Subject): Promise<Finding> {
  if (subject.whole().decisions.length === 0) return NOTHING;
  const other = await subject.changed({}, withHigherPrices(subject.market, 1));
  return compared(subject.whole().report.pnl.net, other.whole().report.pnl.net, 'prices 1 tick higher');
}

function refusals(subject: Subject): Finding {
  const { orders } = subject.whole().report;
  const refused = Object.entries(orders.refused).map(([rule, count]) => `${count} by ${rule}`);
  if (orders.rejected > 0) refused.push(`${orders.rejected} by the venue`);
  if (orders.unsent > 0) refused.push(`${orders.unsent} never left, for the venue's rate`);
  return refused.length === 0
    ? passed(`none of ${orders.placed} orders was refused`, 1)
    : warned(`orders that live would refuse: ${refused.join(', ')}`, 1);
}
