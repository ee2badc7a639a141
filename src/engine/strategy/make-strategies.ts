/** Makes the strategies: the handlers of each, its context, trades, timers and calendar, and who hears of which market. */
import { assert, AssertionError } from '../../base/failure/assert.ts';
import { Random } from '../../base/random.ts';
import type { Log } from '../../ports/log.ts';
import type { Market } from '../intents/market-types.ts';
import type { Sizing } from '../intents/quantise.ts';
import type { Executor } from '../orders/executor.ts';
import type { MarginModes } from '../orders/margin/margin-modes.ts';
import type { Margins } from '../orders/margin/margins.ts';
import type { AccountFigures } from '../state/account/account-figures.ts';
import type { KernelState } from '../state/kernel-state.ts';
import { executionsOf, tradesOf } from './make-trades.ts';
import { AccountView } from './context/account-view.ts';
import { Context } from './context/context.ts';
import { Drawing, type DrawingSink } from './context/drawing.ts';
import type { OrderViews } from './context/order-views.ts';
import type { Quotes } from './context/quotes.ts';
import type { MarketView } from './context/views.ts';
import type { StrategySetup } from './definition/setup.ts';
import { openIn } from './definition/universe.ts';
import type { Dispatch } from './dispatch.ts';
import { Schedules } from './durable/schedules.ts';
import { StoredState } from './durable/stored-state.ts';
import { Timers } from './durable/timers.ts';
import { StrategyRunner, type RunnerRules } from './runner/strategy-runner.ts';
import { subscribe } from './subscribe.ts';

export interface StrategyDeps {
  readonly core: KernelState;
  readonly executor: Executor;
  readonly quotes: Quotes;
  readonly margins: Margins;
  readonly modes: MarginModes;
  readonly views: OrderViews;
  readonly figures: AccountFigures;
  readonly sizing: Sizing;
  readonly dispatch: Dispatch;
  /** By instrument. */
  readonly markets: readonly MarketView[];
  readonly rules: RunnerRules;
  /** CROSS or ISOLATED: the mode of orders that set none. */
  readonly marginMode: number;
  /** Seed of `ctx.random()`; each strategy has a sequence of its own. */
  readonly seed: number;
  /** Receives what strategies say and draw; null for nobody. */
  readonly drawing: DrawingSink | null;
}

/** A running strategy, and what is needed to create it again. */
export interface Running {
  readonly runner: StrategyRunner;
  readonly context: Context;
  /** As it runs: without set parameters that it did not accept. */
  setup: StrategySetup;
  readonly timers: Timers;
}

/** The strategies in the order of their setups, subscribed to their markets. @throws StrategyError, ParamError */
export function makeStrategies(deps: StrategyDeps, setups: readonly StrategySetup[]): Running[] {
  const { core, dispatch } = deps;
  const running = setups.map((setup, index) => makeStrategy(deps, setup, index));
  subscribe(
    running.map(({ runner, setup, context }) => ({
      runner,
      instruments: setup.instruments,
      markets: context.markets,
      universe: setup.universe,
    })),
    dispatch,
    core,
  );
  return running;
}

const UNIVERSE_HINT = 'it has onUniverse, which nothing calls: name its file and a universe under strategies in a file for --config';

function makeStrategy(deps: StrategyDeps, wanted: StrategySetup, index: number): Running {
  const { core, executor, dispatch, figures, sizing } = deps;
  const owner = core.owners[index]!;
  const { name } = owner;
  const markets = wanted.instruments.map((i) => marketAt(deps.markets, i, name));
  const universe = wanted.universe === undefined ? markets : openIn(wanted).map((i) => marketAt(deps.markets, i, name));
  if (wanted.universe !== undefined) owner.openIn = new Set(openIn(wanted));
  const { handlers, setup } = created(wanted, name, universe, core.log);
  const timers = new Timers(core, name, (timer) => {
    if (dispatch.isActive) runner.timer(timer);
  });
  const { journal, unwritten } = core;
  const state = new StoredState(setup.strategy.state ?? {}, { strategy: name, journal, unwritten, now: () => core.now });
  const drawing = new Drawing(core, name, deps.drawing);
  const context = new Context({
    ...deps,
    drawing,
    account: new AccountView(figures, () => sizing.equityOf(owner)),
    markets,
    universe,
    owner,
    random: new Random((deps.seed + 0x9e37_79b9 * (index + 1)) | 0),
    timers,
    schedules: () => schedules,
    trades: () => trades,
    executions: () => executions,
    state: state.view,
  });
  const managedDeps = { core, sizing, executor, dispatch, owner, context, runner: () => runner };
  const trades = tradesOf(managedDeps);
  const executions = executionsOf(managedDeps);
  const schedules = new Schedules(core, {
    strategy: name,
    isReady: () => dispatch.isActive && !runner.isWarming && !runner.isDisabled,
    hasHandler: () => runner.handlers.onSchedule !== undefined,
    call: (run) => runner.schedule(run),
  });
  const parts = { name, handlers, context, trades, executions, state, schedules, owner, drawing };
  const runner: StrategyRunner = new StrategyRunner(core, parts, deps.rules);
  if (handlers.onUniverse !== undefined && wanted.universe === undefined) {
    const symbols = markets.map(({ symbol }) => symbol);
    core.log.warn('universe-missing', { strategy: name, symbols, hint: UNIVERSE_HINT });
  }
  const { unread = [] } = setup;
  if (unread.length > 0) core.log.warn('exports-unread', { strategy: name, exports: unread });
  return { runner, context, setup, timers };
}

/** A strategy that does not accept the parameters that an operator set, because its file or its configuration changed, is created without. */
function created(
  setup: StrategySetup,
  name: string,
  markets: readonly Market[],
  log: Log,
): Pick<StrategyRunner, 'handlers'> & Pick<Running, 'setup'> {
  const { strategy, params, set = {} } = setup;
  if (Object.keys(set).length > 0) {
    try {
      return { handlers: strategy.create({ ...params, ...set }, markets), setup };
    } catch (error) {
      if (error instanceof AssertionError) throw error;
      log.error('parameters-dropped', { strategy: name, params: set, error, hint: `set them again: tickwright set ${name} NAME=VALUE` });
    }
  }
  return { handlers: strategy.create({ ...params }, markets), setup: { ...setup, set: {} } };
}

function marketAt(markets: readonly MarketView[], i: number, name: string): MarketView {
  const market = markets[i];
  assert(market !== undefined, `${name} trades a known instrument`);
  return market;
}
