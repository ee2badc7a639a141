/** Connects strategies with the market data that they declared. */
import { assert } from '../../base/failure/assert.ts';
import type { Core } from '../state/core.ts';
import type { InstrumentContext } from '../state/records/instrument-context.ts';
import type { FillSource } from '../state/fill-source.ts';
import type { Owner } from '../state/records/owner.ts';
import type { StrategyEvents } from '../state/events/strategy-events.ts';
import type { VenueOffset } from '../market/venue-offset.ts';
import { BarFeed, type BarDeps } from './bars/bar-feed.ts';
import { BarSlices } from './bars/bar-slices.ts';
import { barsReadBy } from '../../domain/universe.ts';
import type { Dispatch } from './dispatch.ts';
import type { SetupUniverse } from './definition/universe.ts';
import type { StrategyRunner } from './runner/strategy-runner.ts';
import { barNeedsOf } from './definition/needs-bars.ts';
import { atSpeed, parseTimeframe, type Timeframe, timeframeOf } from '../../domain/time/timeframe.ts';
import type { Market } from '../intents/market-types.ts';
import type { Wanted } from './bars/warm-up.ts';

/** The shared state that this file uses. */
export interface SubscribeCore extends Core {
  readonly contexts: readonly InstrumentContext[];
  readonly fills: FillSource;
  readonly owners: readonly Owner[];
  readonly strategyEvents: StrategyEvents;
  readonly venueOffset: VenueOffset;
}

/** A runner and the indexes of the instruments that its strategy trades. */
export interface Subscription {
  readonly runner: StrategyRunner;
  readonly instruments: readonly number[];
  readonly markets: readonly Market[];
  /** Set if the instruments are chosen while it runs: bars of all candidates are built, for their ranks and for when they are chosen. */
  readonly universe?: SetupUniverse | undefined;
}

/** Bars that a strategy or several want of one instrument. */
interface WantedFeed {
  readonly instrument: number;
  readonly timeframe: Timeframe;
  readonly isFilling: boolean;
  count: number;
  history: number;
  isKept: boolean;
}

/** Bars that are kept beyond those that a universe reads at a start. */
const LATE_BARS = 8;

/** @throws RangeError if an instrument has no such bars */
export function subscribe(subscriptions: readonly Subscription[], dispatch: Dispatch, core: SubscribeCore): void {
  makeFeeds(subscriptions, dispatch, core);
  for (const subscription of subscriptions) {
    const { handlers } = subscription.runner;
    dispatch.runners.push(subscription.runner);
    const owner = core.owners[dispatch.runners.length - 1]!;
    assert(
      owner.name === subscription.runner.name,
      'strategies and owners have one order',
      owner.name,
      'strategy',
      subscription.runner.name,
    );
    owner.hasOrderHandler = handlers.onOrder !== undefined || handlers.onFill !== undefined;
    if (handlers.onHalt !== undefined) core.strategyEvents.hasHaltHandler = true;
    connect(subscription, subscription.instruments, dispatch, core);
    for (const i of subscription.universe?.candidates ?? []) dispatch.allSubscribers[i]!.wantsTrades = true;
    dispatch.track(subscription.runner, handlers, subscription.instruments);
  }
}

/** A running strategy trades one more market, which is among those of `subscription`. It waits until that has enough bars. */
export function joinMarket(subscription: Subscription, index: number, dispatch: Dispatch, core: SubscribeCore): void {
  makeFeeds([{ ...subscription, instruments: [index] }], dispatch, core);
  connect(subscription, [index], dispatch, core);
}

/** A running strategy does not trade the market any more. Bars that no other strategy wants are not built any more. */
export function leaveMarket(runner: StrategyRunner, markets: readonly Market[], index: number, dispatch: Dispatch): void {
  const subscribers = dispatch.allSubscribers[index]!;
  const { bars, market, quoteRunners, traders, tradeRunners } = subscribers;
  assert(traders.includes(runner), 'a strategy leaves a market that it trades', index, 'strategy', runner.name);
  for (const list of [quoteRunners, traders, tradeRunners]) without(list, runner);
  for (const feed of dispatch.feeds.filter(({ instrument }) => instrument.index === index)) {
    without(feed.runners, runner);
    feed.untrack(runner);
    if (feed.runners.length > 0 || feed.isKept) continue;
    feed.builder.end?.();
    without(dispatch.feeds, feed);
    without(bars, feed.builder);
    const { name } = feed.timeframe;
    if (market.series.get(name) !== feed.series) continue;
    // Those of another strategy, with empty bars or without.
    const other = dispatch.feeds.find(({ instrument, timeframe }) => instrument.index === index && timeframe.name === name);
    if (other === undefined) market.series.delete(name);
    else market.series.set(name, other.series);
  }
  dispatch.warmUp.leave(runner, index);
  subscribers.wantsTrades = tradeRunners.length > 0 || bars.length > 0;
  collectBars(runner, markets, dispatch);
}

function without<T>(list: T[], one: T): void {
  const at = list.indexOf(one);
  if (at >= 0) list.splice(at, 1);
}

/** The strategy hears of these markets once there are enough bars of them. */
function connect(
  { runner, markets, universe }: Subscription,
  instruments: readonly number[],
  dispatch: Dispatch,
  core: SubscribeCore,
): void {
  const { handlers } = runner;
  const { bars, isFilling } = barNeedsOf(handlers);
  const wanted: Wanted[] = [];
  for (const i of instruments) {
    const subscribers = dispatch.allSubscribers[i]!;
    subscribers.traders.push(runner);
    if (handlers.onPosition !== undefined || handlers.onFill !== undefined)
      core.contexts[i]!.long.hasPositionHandler = core.contexts[i]!.short.hasPositionHandler = true;
    if (handlers.onTrade !== undefined || bars.length > 0) subscribers.wantsTrades = true;
    for (const { timeframe, count } of bars) {
      const feed = feedOf(dispatch, i, timeframe.name, isFilling)!;
      feed.runners.push(runner);
      // What leaves is not waited for: it may have no bars any more.
      if (universe?.leaving.includes(i) !== true) wanted.push({ feed, count });
    }
  }
  collectBars(runner, markets, dispatch);
  const isTraded = (i: number): boolean => runner.context.markets.some(({ index }) => index === i);
  dispatch.warmUp.want(runner, wanted, () => dispatch.attach(runner, instruments.filter(isTraded)));
}

/** Begins to collect the bars of these markets for `onBars`. */
function collectBars(runner: StrategyRunner, markets: readonly Market[], dispatch: Dispatch): void {
  if (runner.handlers.onBars === undefined) return;
  const { bars } = barNeedsOf(runner.handlers);
  dispatch.slices.set(runner, new Map(bars.map(({ timeframe }) => [timeframe.name, new BarSlices(markets)])));
}

/** The bars of an instrument in this timeframe, if a strategy wants them. */
export function feedOf({ feeds }: Dispatch, instrument: number, timeframe: string, isFilling: boolean): BarFeed | undefined {
  return feeds.find((one) => one.instrument.index === instrument && one.timeframe.name === timeframe && one.isFilling === isFilling);
}

/** Adds the bars that a subscription wants, unless there is a feed of them. */
function want({ runner, instruments, universe }: Subscription, dispatch: Dispatch, wanted: WantedFeed[]): void {
  const { bars, isFilling } = barNeedsOf(runner.handlers);
  const candidates: readonly number[] = universe?.candidates ?? [];
  const terms = universe?.terms ?? null;
  const own = bars.map((one) => ({ ...one, isFilling }));
  // A few more than are ranked, because a choice may be made late.
  const count = terms === null ? 0 : barsReadBy(terms) + LATE_BARS;
  const ranked = terms === null ? [] : [{ timeframe: parseTimeframe(timeframeOf(terms.bars)), count, history: count, isFilling: true }];
  for (const instrument of new Set([...instruments, ...candidates])) {
    const isKept = candidates.includes(instrument);
    for (const one of isKept ? [...own, ...ranked] : own) {
      const { timeframe } = one;
      if (feedOf(dispatch, instrument, timeframe.name, one.isFilling) !== undefined) continue;
      const same = wanted.find((w) => w.instrument === instrument && w.timeframe.name === timeframe.name && w.isFilling === one.isFilling);
      if (same === undefined) wanted.push({ ...one, instrument, isKept });
      else {
        same.count = Math.max(same.count, one.count);
        same.history = Math.max(same.history, one.history);
        same.isKept ||= isKept;
      }
    }
  }
}

/** Makes the feeds that there are not yet. The longest period comes first, so that a handler of the short one sees the long one's newest bar. */
function makeFeeds(subscriptions: readonly Subscription[], dispatch: Dispatch, core: SubscribeCore): void {
  const wanted: WantedFeed[] = [];
  for (const subscription of subscriptions) want(subscription, dispatch, wanted);
  const length = ({ timeframe }: WantedFeed): number => (timeframe.rule === 'time' ? timeframe.size : 0);
  const { timerQueue, timings } = core;
  const { isRealTime } = core.fills;
  // What arrives at its own time is neither early nor late.
  const deps: BarDeps = { graceMs: timings.barGraceMs, timerQueue, offset: isRealTime ? undefined : core.venueOffset, isRealTime };
  for (const one of wanted.toSorted((a, b) => length(b) - length(a))) {
    const { instrument, isFilling, history, isKept } = one;
    const timeframe = atSpeed(one.timeframe, timings.barSpeed);
    const feed = new BarFeed(core.instruments[instrument]!, timeframe, isFilling, history, { ...deps, isPatient: isKept }, dispatch);
    feed.isKept = isKept;
    const { bars, market } = dispatch.allSubscribers[instrument]!;
    bars.push(feed.builder);
    if (!market.series.has(timeframe.name) || isFilling) market.series.set(timeframe.name, feed.series);
    dispatch.feeds.push(feed);
  }
}
