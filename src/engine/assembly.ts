/**
 * Builds the parts of a kernel from its options: local state, order path, reads, strategies. Runs once, not on the hot path.
 * size: one line per part
 */
import { CROSS, ISOLATED } from '../domain/codes.ts';
import { EndedReads } from './orders/reads/ended-reads.ts';
import { External } from './positions/external.ts';
import { OrderReads } from './orders/reads/order-reads.ts';
import { PositionReads } from './positions/position-reads.ts';
import { ForeignChanges } from './positions/foreign-changes.ts';
import { AccountFigures } from './state/account/account-figures.ts';
import { Balance } from './state/account/balance.ts';
import { TotalValue } from './state/account/total-value.ts';
import type { InternalEvents } from './state/internal-events.ts';
import { KeyGate } from './state/key-gate.ts';
import type { Owner } from './state/records/owner.ts';
import { QuoteQueue } from './state/records/quote.ts';
import type { Sizing } from './intents/quantise.ts';
import { Allocation, countedBoth } from './state/account/allocation.ts';
import { KernelState } from './state/kernel-state.ts';
import { POLLED, PUSHED } from './state/fill-source.ts';
import { Delivery } from './strategy/delivery.ts';
import { Dispatch } from './strategy/dispatch.ts';
import { Bookings } from './orders/bookings.ts';
import { Executor } from './orders/executor.ts';
import { FiredBrackets } from './positions/fired-brackets.ts';
import { LeftPositions } from './positions/left-positions.ts';
import { LeftTrades } from './trades/left-trades.ts';
import { Flattener } from './operator/flat/flatten.ts';
import { FlatRuns } from './operator/flat/flat-runs.ts';
import { MarginModes } from './orders/margin/margin-modes.ts';
import { Margins } from './orders/margin/margins.ts';
import { Quotes } from './strategy/context/quotes.ts';
import { LimitActions } from './operator/limit-actions.ts';
import { Conditions } from './risk/conditions.ts';
import { Guards } from './risk/guards.ts';
import { Losses } from './risk/losses.ts';
import { needsOf, type RunningStrategy } from './strategy/definition/needs.ts';
import type { KernelOptions } from './options.ts';
import { namesOf } from './strategy/definition/setup.ts';
import { PendingQueries } from './polling/queries.ts';
import { IdWatch } from './polling/id-watch.ts';
import { KeyWatch } from './polling/key-watch.ts';
import { AccountSymbol } from './polling/account-symbol.ts';
import { Poller } from './polling/poller.ts';
import { TradeFeed, type TradeSink } from './polling/trade-feed.ts';
import { StrategyTexts } from './recovery/by-strategy/saved-states.ts';
import { RestoredVenue } from './orders/reads/restored-venue.ts';
import { InFlightWatch } from './orders/in-flight-watch.ts';
import { TriggerEvidence } from './orders/trigger-evidence.ts';
import { Triggered } from './orders/triggered.ts';
import { Resolver } from './orders/unknown/resolver.ts';
import { Risk } from './risk/risk.ts';
import { planPolls, type PollPlan } from './polling/schedule.ts';
import { UnmatchedOrders } from './orders/reads/unmatched.ts';
import { PriceNotes } from './strategy/price-notes.ts';
import { HistoryReads } from './strategy/bars/history-reads.ts';
import { StrategyChanger, type StrategyChangerDeps } from './operator/strategy-changer.ts';
import { StrategyReload } from './operator/strategy-reload.ts';
import { AddedStrategies } from './operator/added-strategies.ts';
import { OrderViews } from './strategy/context/order-views.ts';
import { LeverageWatch } from './positions/leverage/leverage-watch.ts';
import { Watch } from './positions/watch.ts';
import { makeStrategies } from './strategy/make-strategies.ts';
import { MarketView, TradeView } from './strategy/context/views.ts';
import { Universes } from './universe/universes.ts';

const DEFAULT_FAULTS = { count: 10, windowMs: 60_000 };

export interface Parts {
  readonly core: KernelState;
  /** Shares of the equity; null if each strategy sees the whole. */
  readonly allocation: Allocation | null;
  /** Compares own trades with the account balance; null if no order is read. */
  readonly balance: Balance | null;
  readonly quoteQueue: QuoteQueue;
  readonly bookings: Bookings;
  readonly leftTrades: LeftTrades;
  readonly leftPositions: LeftPositions;
  readonly losses: Losses;
  readonly guards: Guards;
  readonly conditions: Conditions;
  readonly risk: Risk;
  readonly executor: Executor;
  readonly quotes: Quotes;
  readonly queries: PendingQueries;
  readonly keyWatch: KeyWatch;
  readonly orderReads: OrderReads;
  readonly endedReads: EndedReads;
  readonly positionReads: PositionReads;
  readonly external: External;
  readonly firedBrackets: FiredBrackets;
  readonly foreignChanges: ForeignChanges;
  /** null if the venue pushes. */
  readonly watch: Watch | null;
  readonly leverage: LeverageWatch;
  readonly resolver: Resolver;
  readonly margins: Margins;
  readonly unmatched: UnmatchedOrders;
  readonly restoredVenue: RestoredVenue;
  readonly dispatch: Dispatch;
  readonly delivery: Delivery;
  readonly flattener: Flattener;
  readonly strategyChanger: StrategyChanger;
  readonly strategyReload: StrategyReload;
  readonly addedStrategies: AddedStrategies;
  readonly universes: Universes;
  readonly texts: StrategyTexts;
  readonly markets: readonly MarketView[];
  readonly names: readonly string[];
  readonly poller: Poller | null;
  /** null if the market is pushed. */
  readonly historyReads: HistoryReads | null;
  /** null if no other bot can trade on the account. */
  readonly idWatch: IdWatch | null;
  readonly account: AccountSymbol;
}

/** @throws StrategyError, ParamError, PollPlanError, ScaleError if the options are invalid */
export function assemble(options: KernelOptions): Parts {
  const names = namesOf(options.strategies);
  const core = new KernelState(options, names, options.polls === null ? PUSHED : POLLED);
  const figures = new AccountFigures(core.portfolio, options.pushed ?? null);
  const total = new TotalValue(core.contexts, options.risk, options.pushed?.equity ?? null);
  const balance = core.fills.readsOrders ? new Balance(core.timings.settleMs) : null;
  const keyGate = options.keyGate ?? new KeyGate();
  const quoteQueue = new QuoteQueue(core.pendingWork);
  const { contexts, tradingState, halts } = core;
  const events: InternalEvents = {
    noOutcome: (seq) => resolver.unknown(seq, 'no-outcome'),
    marginOutcome(seq, how) {
      margins.outcome(seq, how);
      modes.outcome(seq, how);
    },
    cancelLost: (order, kind, cause) => resolver.cancels.add(order, kind, cause),
    cancelWanted: (order) => resolver.cancels.hurry(order),
    triggerGone: (order) => resolver.triggerGone(order),
    probeRefused: (order) => resolver.probeRefused(order),
    limitExceeded: (action, scope, code) => limitActions?.act(action, scope, code),
    changeProven: (leg, lots, mustFit) => positionReads.confirmed(leg, lots, mustFit),
    historyRead: (leg, isRecorded) => positionReads.shown(leg, isRecorded),
    historyClean: (leg, sentAt, freshAt) => positionReads.clean(leg, sentAt, freshAt),
    recordMissing: (order) => bookings.settle(order),
    readSoon: (kind, instrument) => reads.poller?.pollNow(kind, instrument, core.now),
  };
  const losses = new Losses({ core, total, figures, events }, options);
  const guards = new Guards(core, events, options);
  const conditions = new Conditions(core, total, events, options);
  const allocation = options.allocation === undefined ? null : new Allocation(core, figures, names, options.allocation(names));
  const equityOf = ({ index }: Owner): number => (allocation === null ? figures.equity : allocation.equityOf(index));
  const sizing: Sizing = { equityOf, log: core.log };
  const counted = allocation === null ? losses : countedBoth(losses, allocation);
  const queries = new PendingQueries(options.reads);
  const endedReads = new EndedReads(core, queries, events);
  const leftTrades = new LeftTrades(core);
  const leftPositions = new LeftPositions(core);
  const flatRuns = new FlatRuns(core);
  const bookings = new Bookings(core, { losses: counted, guards, leftTrades, leftPositions, endedReads, quoteQueue, flatRuns });
  const inFlightWatch = new InFlightWatch(core, events);
  const risk = new Risk({ contexts, tradingState, halts, total }, options.risk);
  const executor = new Executor(core, risk, { ...options, bookings, guards, inFlightWatch, quoteQueue, events });
  const quotes = new Quotes(sizing, executor);
  const triggered = new Triggered(core, new TriggerEvidence(core, queries));
  const resolver = new Resolver({ core, executor, bookings, queries, triggered, keyGate, events });
  const margins = new Margins(core, executor, queries, resolver);
  const modes = new MarginModes(core, executor, queries);
  const unmatched = new UnmatchedOrders(core, executor, resolver, queries, options.unknownOwnOrders ?? 'cancel');
  const orderReads = new OrderReads({ core, executor, bookings, losses: counted, queries, triggered, unmatched, balance, flatRuns });
  const restoredVenue = new RestoredVenue(core, queries);
  const external = new External({ core, executor, losses: counted, restoredVenue, balance, policy: options.external });
  const firedBrackets = new FiredBrackets({ core, losses: counted, guards, external, leftTrades });
  const foreignChanges = new ForeignChanges({
    core,
    queries,
    external,
    triggered,
    firedBrackets,
    figures,
    events,
  });
  const positionReads = new PositionReads({ core, bookings, losses: counted, total, queries, foreignChanges, orderReads, events });
  const markets: MarketView[] = [];
  const views = new OrderViews(core, markets);
  markets.push(...options.instruments.map((instrument) => new MarketView(core, figures, instrument, views)));
  const trades = options.instruments.map((instrument) => new TradeView(core, instrument));
  const priceNotes = new PriceNotes(core, events);
  const dispatch = new Dispatch(core, markets, trades, priceNotes);
  const delivery = new Delivery(core, dispatch, views);
  const marginMode = options.marginMode === 'ISOLATED' ? ISOLATED : CROSS;
  const traded = new Map(options.strategies.map(({ instruments }, index) => [names[index]!, new Set(instruments)]));
  const flattener = new Flattener({ core, executor, queries, runs: flatRuns, traded, marginMode, resolver });
  external.onPosition.push((leg, text) => flattener.changedByOthers(leg, text));
  const onStop = { word: options.onStrategyStop ?? 'cancel', flatten: (name: string, why: string) => flattener.strategy(name, why) };
  const rules = { faults: options.faults ?? DEFAULT_FAULTS, onStop };
  const running = makeStrategies(
    {
      core,
      executor,
      quotes,
      margins,
      modes,
      views,
      figures,
      sizing,
      dispatch,
      markets,
      rules,
      marginMode,
      seed: options.seed,
      drawing: options.drawing ?? null,
    },
    options.strategies,
  );
  const { pushed } = figures;
  const leverage = new LeverageWatch({ core, queries, limits: options.risk, traded, pushed, isRead: options.polls !== null });
  const watch =
    options.polls === null || balance === null
      ? null
      : new Watch({ core, queries, external, foreignChanges, losses: counted, balance, figures, options, polls: options.polls, leverage });
  const { replan, ...reads } = pollers(options, core, queries, dispatch, () => orderReads.liveIds(), watch);
  const texts = new StrategyTexts(dispatch.runners, () => tradingState.phase !== 'new' && tradingState.phase !== 'reconciling');
  const keep = (strategy: string, state: string): void => texts.restore({ [strategy]: state });
  const { strategyOf = () => undefined } = options;
  const strategyChanger = new StrategyChanger({ core, running, markets, dispatch, traded, replan, leftPositions, keep });
  const strategyReload = new StrategyReload({ core, strategyChanger, strategyOf });
  const addedStrategies = new AddedStrategies({ core, flattener, strategyChanger });
  const { historyReads } = reads;
  const parts = { core, running, markets, dispatch, traded, replan, leftPositions, executor, flattener, historyReads };
  const universes = new Universes(parts);
  const limitActions = [losses, guards, conditions].some(({ isOn }) => isOn) ? new LimitActions(core, executor, flattener) : null;
  return {
    ...reads,
    idWatch: options.polls === null || options.idWatchMs === undefined ? null : new IdWatch(core, queries, options.idWatchMs),
    core,
    allocation,
    balance,
    quoteQueue,
    bookings,
    leftTrades,
    leftPositions,
    losses,
    guards,
    conditions,
    risk,
    executor,
    quotes,
    queries,
    keyWatch: new KeyWatch(core, keyGate),
    orderReads,
    endedReads,
    positionReads,
    external,
    firedBrackets,
    foreignChanges,
    watch,
    leverage,
    resolver,
    margins,
    unmatched,
    restoredVenue,
    dispatch,
    delivery,
    flattener,
    strategyChanger,
    strategyReload,
    addedStrategies,
    universes,
    texts,
    markets,
    names,
  };
}

type Reads = Pick<Parts, 'poller' | 'historyReads' | 'account'> & Pick<StrategyChangerDeps, 'replan'>;

function pollers(
  options: KernelOptions,
  core: KernelState,
  queries: PendingQueries,
  dispatch: Dispatch,
  liveIds: () => ReadonlySet<string> | null,
  watch: Watch | null,
): Reads {
  const account = new AccountSymbol(core);
  const settings = options.polls;
  if (settings === null) return { poller: null, historyReads: null, account, replan: () => () => undefined };
  const symbols = options.instruments.map((instrument) => instrument.symbol);
  const planOf = (strategies: readonly RunningStrategy[]): PollPlan =>
    planPolls(needsOf(strategies, options.instruments, settings), settings.budget, symbols);
  const historyReads = new HistoryReads(core, queries, dispatch, settings.historyPages ?? 0);
  const sink: TradeSink = {
    first: (instrument, trades) => historyReads.begin(instrument, trades),
    gap: (instrument) => dispatch.gap(instrument),
    trade: (report) => dispatch.trade(report),
    caughtUp: (instrument) => dispatch.caughtUp(instrument),
  };
  const feedOptions = { pageSize: settings.tradePageSize ?? 1000, maxPages: settings.tradeMaxPages ?? 8 };
  const feedOf = (instrument: number): TradeFeed => new TradeFeed(instrument, queries, sink, feedOptions);
  const running = options.strategies.map(({ instruments, universe }, index) => {
    const { name, handlers } = dispatch.runners[index]!;
    return { name, handlers, instruments, universe };
  });
  const poller = new Poller(planOf(running), { timerQueue: core.timerQueue, queries, feedOf, liveIds, account });
  const replan = (strategies: readonly RunningStrategy[]) => {
    const plan = planOf(strategies);
    return () => {
      const had = account.first >= 0;
      core.log.info('poll-plan', { plan: plan.text });
      poller.follow(plan, core.now);
      const has = account.first >= 0;
      if (has !== had) watch?.armed(has);
    };
  };
  return { poller, historyReads, account, replan };
}
