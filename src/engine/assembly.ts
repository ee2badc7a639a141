/** Builds the parts of a kernel from its options: local state, order path, reads, strategies. Runs once, not on the hot path. */
import { assert } from '../base/failure/assert.ts';
import { Random } from '../base/random.ts';
import { CROSS, ISOLATED } from '../domain/codes.ts';
import { EndedReads } from './orders/reads/ended-reads.ts';
import { External } from './positions/external.ts';
import { OrderReads } from './orders/reads/order-reads.ts';
import { PositionReads } from './positions/position-reads.ts';
import { Unexplained } from './positions/unexplained.ts';
import { AccountFigures } from './state/account/account-figures.ts';
import { Balance } from './state/account/balance.ts';
import { TotalValue } from './state/account/total-value.ts';
import { KeyGate } from './state/key-gate.ts';
import type { Owner } from './state/records/owner.ts';
import { QuoteQueue } from './state/records/quote.ts';
import type { Sizing } from './intents/quantise.ts';
import { Allocation, countedBoth } from './state/account/allocation.ts';
import { Core } from './state/core.ts';
import { POLLED, PUSHED } from './state/fill-source.ts';
import { Delivery } from './strategy/delivery.ts';
import { Dispatch } from './strategy/dispatch.ts';
import { Bookings } from './orders/bookings.ts';
import { Executor } from './orders/executor.ts';
import { FiredBrackets } from './positions/fired-brackets.ts';
import { LeftTrades } from './trades/left-trades.ts';
import { Flattener } from './operator/flatten.ts';
import { MarginModes } from './orders/margin/margin-modes.ts';
import { Margins } from './orders/margin/margins.ts';
import { Quotes } from './strategy/context/quotes.ts';
import { LimitActions } from './operator/limit-actions.ts';
import { Conditions } from './risk/conditions.ts';
import { Guards } from './risk/guards.ts';
import { Losses } from './risk/losses.ts';
import { needsOf } from './strategy/definition/needs.ts';
import type { KernelOptions } from './options.ts';
import { namesOf } from './strategy/definition/setup.ts';
import { PendingQueries } from './polling/queries.ts';
import { IdWatch } from './polling/id-watch.ts';
import { KeyWatch } from './polling/key-watch.ts';
import { AccountSymbol } from './polling/account-symbol.ts';
import { Poller } from './polling/poller.ts';
import { TradeFeed } from './polling/trade-feed.ts';
import { RestoredVenue } from './orders/reads/restored-venue.ts';
import { InFlightWatch } from './orders/in-flight-watch.ts';
import { Triggered } from './orders/triggered.ts';
import { Resolver } from './orders/unknown/resolver.ts';
import { Risk } from './risk/risk.ts';
import { planPolls, type PollPlan } from './polling/schedule.ts';
import { UnmatchedOrders } from './orders/reads/unmatched.ts';
import { Context } from './strategy/context/context.ts';
import { PriceNotes } from './strategy/price-notes.ts';
import { HistoryReads } from './strategy/bars/history-reads.ts';
import { Host } from './strategy/host/host.ts';
import { ParamChanger, type Running } from './operator/param-changer.ts';
import { executionBook, tradeBook } from './strategy/books.ts';
import { Schedules } from './strategy/durable/schedules.ts';
import { StateBook } from './strategy/durable/state-book.ts';
import { subscribe } from './strategy/subscribe.ts';
import { Timers } from './strategy/durable/timers.ts';
import { OrderViews } from './strategy/context/order-views.ts';
import { Watch } from './positions/watch.ts';
import { AccountView, MarketView, TradeView } from './strategy/context/views.ts';

const DEFAULT_FAULTS = { count: 10, windowMs: 60_000 };

export interface Parts {
  readonly core: Core;
  /** Shares of the equity; null if each strategy sees the whole. */
  readonly allocation: Allocation | null;
  /** Compares own trades with the account balance; null if no order is read. */
  readonly balance: Balance | null;
  readonly quoteQueue: QuoteQueue;
  readonly bookings: Bookings;
  readonly leftTrades: LeftTrades;
  readonly losses: Losses;
  readonly guards: Guards;
  readonly conditions: Conditions;
  readonly executor: Executor;
  readonly quotes: Quotes;
  readonly queries: PendingQueries;
  readonly keyWatch: KeyWatch;
  readonly orderReads: OrderReads;
  readonly endedReads: EndedReads;
  readonly positionReads: PositionReads;
  readonly external: External;
  readonly firedBrackets: FiredBrackets;
  readonly unexplained: Unexplained;
  /** null if the venue pushes. */
  readonly watch: Watch | null;
  readonly resolver: Resolver;
  readonly margins: Margins;
  readonly unmatched: UnmatchedOrders;
  readonly restoredVenue: RestoredVenue;
  readonly dispatch: Dispatch;
  readonly delivery: Delivery;
  readonly flattener: Flattener;
  readonly paramChanger: ParamChanger;
  readonly markets: readonly MarketView[];
  readonly names: readonly string[];
  readonly plan: PollPlan | null;
  readonly poller: Poller | null;
  readonly feeds: ReadonlyMap<number, TradeFeed>;
  /** null if no other bot can trade on the account. */
  readonly idWatch: IdWatch | null;
  readonly account: AccountSymbol;
}

/** @throws StrategyError, ParamError, PollPlanError, ScaleError if the options are invalid */
export function assemble(options: KernelOptions): Parts {
  const names = namesOf(options.strategies);
  const core = new Core(options, names, options.polls === null ? PUSHED : POLLED);
  const figures = new AccountFigures(core.portfolio, options.pushed ?? null);
  const total = new TotalValue(core.contexts, options.risk, options.pushed?.equity ?? null);
  const balance = core.fills.readsOrders ? new Balance(core.timings.settleMs) : null;
  const keyGate = options.keyGate ?? new KeyGate();
  const quoteQueue = new QuoteQueue(core.pendingWork);
  const { contexts, tradingState, halts } = core;
  const losses = new Losses(core, total, figures, options);
  const guards = new Guards(core, options);
  const conditions = new Conditions(core, total, options);
  const allocation = options.allocation === undefined ? null : new Allocation(core, figures, names, options.allocation(names));
  const equityOf = ({ index }: Owner): number => (allocation === null ? figures.equity : allocation.equityOf(index));
  const sizing: Sizing = { equityOf, log: core.log };
  const counted = allocation === null ? losses : countedBoth(losses, allocation);
  const queries = new PendingQueries(options.reads);
  const endedReads = new EndedReads(core, queries);
  const leftTrades = new LeftTrades(core);
  const bookings = new Bookings(core, { losses: counted, guards, leftTrades, endedReads, quoteQueue });
  const inFlightWatch = new InFlightWatch(core, (seq) => resolver.unknown(seq, 'no-outcome'));
  const risk = new Risk({ contexts, tradingState, halts, total }, options.risk);
  const executor = new Executor(core, risk, {
    ...options,
    bookings,
    guards,
    inFlightWatch,
    quoteQueue,
  });
  const quotes = new Quotes(sizing, executor);
  const triggered = new Triggered(core);
  const resolver: Resolver = new Resolver({ core, executor, bookings, queries, triggered, keyGate });
  const margins = new Margins(core, executor, queries, resolver);
  const modes = new MarginModes(core, executor, queries);
  executor.marginOutcomes = {
    outcome(seq, how) {
      margins.outcome(seq, how);
      modes.outcome(seq, how);
    },
  };
  const unmatched = new UnmatchedOrders(core, executor, resolver, queries, options.unknownOwnOrders ?? 'cancel');
  const orderReads = new OrderReads({ core, executor, bookings, losses: counted, queries, triggered, unmatched, balance });
  const restoredVenue = new RestoredVenue(core, queries);
  const external = new External({ core, executor, losses: counted, restoredVenue, balance, policy: options.external });
  const firedBrackets = new FiredBrackets({ core, losses: counted, guards, external, leftTrades });
  const unexplained = new Unexplained({
    core,
    queries,
    external,
    triggered,
    firedBrackets,
    figures,
    proof: {
      confirmed: (leg, lots, mustFit) => positionReads.confirmed(leg, lots, mustFit),
      shown: (leg, isRecorded) => positionReads.shown(leg, isRecorded),
      clean: (leg, sentAt, freshAt) => positionReads.clean(leg, sentAt, freshAt),
    },
  });
  const positionReads: PositionReads = new PositionReads(core, bookings, counted, total, {
    ordersWanted: (leg) => {
      reads.poller?.pollNow('pending', leg.index >> 1, core.now);
      orderReads.askUnlistable(leg);
    },
    positionWanted: (instrument) => queries.ask({ kind: 'positions', instrument }, null),
    suspected: (leg, lots) => unexplained.suspected(leg, lots),
    changed: (leg, lots) => unexplained.changed(leg, lots),
  });
  const views = new OrderViews(core);
  const markets = options.instruments.map((instrument) => new MarketView(core, figures, instrument, views));
  views.markets = markets;
  const trades = options.instruments.map((instrument) => new TradeView(core, instrument));
  const priceNotes = new PriceNotes(core, (instrument) => reads.poller?.pollNow('stats', instrument, core.now));
  const dispatch = new Dispatch(core, markets, trades, priceNotes);
  const delivery = new Delivery(core, dispatch, views);
  const marginMode = options.marginMode === 'ISOLATED' ? ISOLATED : CROSS;
  const running: Running[] = [];
  const traded = new Map(options.strategies.map(({ instruments }, index) => [names[index]!, new Set(instruments)]));
  const flattener = new Flattener({ core, executor, queries, traded, marginMode });
  const onStop = { word: options.onStrategyStop ?? 'cancel', flatten: (name: string, why: string) => flattener.strategy(name, why) };
  const rules = { faults: options.faults ?? DEFAULT_FAULTS, onStop };
  options.strategies.forEach((setup, index) => {
    const own = setup.instruments.map((i) => marketAt(markets, i, names[index]!));
    const handlers = setup.strategy.create({ ...setup.params, ...setup.set }, own);
    const timers = new Timers(core, names[index]!, (name) => {
      if (dispatch.isActive) host.timer(name);
    });
    const { journal, unwritten } = core;
    const state = new StateBook(setup.strategy.state ?? {}, { strategy: names[index]!, journal, unwritten, now: () => core.now });
    const context = new Context({
      core,
      executor,
      quotes,
      margins,
      modes,
      views,
      account: new AccountView(figures, () => equityOf(core.owners[index]!)),
      sizing,
      markets: own,
      owner: core.owners[index]!,
      random: new Random((options.seed + 0x9e37_79b9 * (index + 1)) | 0),
      marginMode,
      timers,
      schedules: () => schedules,
      trades: () => book,
      executions: () => executions,
      state: state.view,
    });
    const host: Host = new Host(names[index]!, handlers, context, core, rules);
    const owner = core.owners[index]!;
    const book = tradeBook({ core, sizing, executor, dispatch }, host, owner);
    host.trades = book;
    const executions = executionBook({ core, sizing, executor, dispatch }, host, owner);
    host.executions = executions;
    host.state = state;
    const schedules = new Schedules(core, {
      strategy: names[index]!,
      isReady: () => dispatch.isActive && !host.isWarming && !host.isDisabled,
      hasHandler: () => host.handlers.onSchedule !== undefined,
      call: (run) => host.schedule(run),
    });
    host.schedules = schedules;
    running.push({ host, setup, markets: own, timers });
  });
  subscribe(
    running.map(({ host, setup, markets: own }) => ({ host, instruments: setup.instruments, markets: own })),
    dispatch,
    core,
  );
  const watch =
    options.polls === null || balance === null
      ? null
      : new Watch({ core, queries, external, unexplained, losses: counted, balance, figures, options, polls: options.polls });
  const reads: Reads = pollers(options, core, queries, dispatch, () => orderReads.liveIds());
  const limits = [losses, guards, conditions].filter(({ isOn }) => isOn);
  if (limits.length > 0) {
    const actions = new LimitActions(core, executor, flattener);
    for (const one of limits) one.actions = actions;
  }
  return {
    ...reads,
    idWatch: options.polls === null || options.idWatchMs === undefined ? null : new IdWatch(core, queries, options.idWatchMs),
    core,
    allocation,
    balance,
    quoteQueue,
    bookings,
    leftTrades,
    losses,
    guards,
    conditions,
    executor,
    quotes,
    queries,
    keyWatch: new KeyWatch(core, keyGate),
    orderReads,
    endedReads,
    positionReads,
    external,
    firedBrackets,
    unexplained,
    watch,
    resolver,
    margins,
    unmatched,
    restoredVenue,
    dispatch,
    delivery,
    flattener,
    paramChanger: new ParamChanger(core, running, ({ host, setup }, handlers) => dispatch.track(host, handlers, setup.instruments)),
    markets,
    names,
  };
}

type Reads = Pick<Parts, 'plan' | 'poller' | 'feeds' | 'account'>;

function pollers(
  options: KernelOptions,
  core: Core,
  queries: PendingQueries,
  dispatch: Dispatch,
  liveIds: () => ReadonlySet<string> | null,
): Reads {
  const feeds = new Map<number, TradeFeed>();
  const settings = options.polls;
  if (settings === null) return { plan: null, poller: null, feeds, account: new AccountSymbol(core, []) };
  const running = options.strategies.map(({ instruments }, index) => {
    const { name, handlers } = dispatch.hosts[index]!;
    return { name, handlers, instruments };
  });
  const symbols = options.instruments.map((instrument) => instrument.symbol);
  const plan = planPolls(needsOf(running, options.instruments, settings), settings.budget, symbols);
  dispatch.historyReads = new HistoryReads(core, queries, dispatch, settings.historyPages ?? 0);
  const feedOptions = { pageSize: settings.tradePageSize ?? 1000, maxPages: settings.tradeMaxPages ?? 8 };
  for (const poll of plan.polls) {
    if (poll.kind === 'trades') feeds.set(poll.instrument, new TradeFeed(poll.instrument, queries, dispatch, feedOptions));
  }
  const accounts = plan.polls
    .filter((poll) => poll.kind === 'account')
    .sort((a, b) => a.periodMs - b.periodMs || a.instrument - b.instrument);
  const account = new AccountSymbol(
    core,
    accounts.map(({ instrument }) => instrument),
  );
  return { plan, poller: new Poller(plan, core.timerQueue, queries, feeds, liveIds, account), feeds, account };
}

function marketAt(markets: readonly MarketView[], i: number, name: string): MarketView {
  const market = markets[i];
  assert(market !== undefined, `${name} trades a known instrument`);
  return market;
}
