/** Makes the managed trades and the executions of a strategy. */
import { CLOSE, LIMIT, LONG, MARKET, OPEN, PLACE, SHORT, type SideName } from '../../domain/codes.ts';
import { ScaleError } from '../../domain/amounts/scale.ts';
import { ONE } from '../../domain/amounts/units.ts';
import type { Executor } from '../orders/executor.ts';
import type { Core } from '../state/core.ts';
import type { Orders } from '../state/orders/orders.ts';
import type { InstrumentContext } from '../state/records/instrument-context.ts';
import type { FillSource } from '../state/fill-source.ts';
import type { Halts } from '../state/halts.ts';
import type { InsideBar } from '../state/inside-bar.ts';
import type { Leg } from '../state/records/leg.ts';
import type { Owner } from '../state/records/owner.ts';
import type { Dispatch } from './dispatch.ts';
import { StrategyExecutions } from '../trades/executions/strategy-executions.ts';
import { ExecutionFault } from '../trades/executions/execution-fields.ts';
import type { StrategyRunner } from './runner/strategy-runner.ts';
import { sizeFor, type Sizing } from '../intents/quantise.ts';
import { StrategyTrades } from '../trades/strategy-trades.ts';
import type { StrategyContext } from './definition/types.ts';
import type { Market } from '../intents/market-types.ts';

/** The shared state that this file uses. */
interface BooksCore extends Core {
  readonly orders: Orders;
  readonly contexts: readonly InstrumentContext[];
  readonly fills: FillSource;
  readonly halts: Halts;
  readonly nobody: Owner;
  /** Number of the next order or execution. */
  nextSeq: number;
  readonly inside: InsideBar;
}

export interface ManagedDeps {
  readonly core: BooksCore;
  readonly sizing: Sizing;
  readonly executor: Executor;
  readonly dispatch: Dispatch;
  /** The strategy as an owner of orders. */
  readonly owner: Owner;
  readonly context: StrategyContext;
  /** The strategy, which is made after its books. */
  readonly runner: () => StrategyRunner;
}

export function tradesOf({ core, sizing, executor, dispatch, owner, context, runner }: ManagedDeps): StrategyTrades {
  return new StrategyTrades({
    strategy: owner.name,
    context,
    instruments: core.instruments,
    equity: () => sizing.equityOf(owner) / ONE,
    journal: core.journal,
    timerQueue: core.timerQueue,
    isReady: () => dispatch.isActive && !runner().isDisabled,
    canClose: () => !isJournalAway(core),
    isInsideBar: () => core.inside.isOpen,
    all: () => dispatch.runners.map(({ trades }) => trades),
    told: (market, side) => legOf(core, market, side).delivered,
    ahead: (market, side) => legOf(core, market, side).closedAhead,
    aheadChanged(market, side) {
      if (core.fills.readsPositions) core.journal.leg(legOf(core, market, side), core.now);
    },
    undelivered(number) {
      const order = core.orders.find(number);
      if (order === null) return 0;
      return (order.isSettled ? order.filled : order.size) - order.delivered;
    },
    free(market, side) {
      const { minLots, closing } = legOf(core, market, side);
      return minLots - closing;
    },
    watch: (market) => watchMarket(core, dispatch, runner(), owner, market),
    ended: (trade) => runner().exit(trade),
    refuse(market, { rule, detail }) {
      executor.begin(PLACE, market.index);
      executor.refuse(owner, rule, detail);
    },
  });
}

export function executionsOf({ core, sizing, executor, dispatch, owner, context, runner }: ManagedDeps): StrategyExecutions {
  return new StrategyExecutions({
    strategy: owner.name,
    context,
    instruments: core.instruments,
    journal: core.journal,
    timerQueue: core.timerQueue,
    isReady: () => dispatch.isActive && !runner().isDisabled,
    canReplace: () => !isJournalAway(core),
    lots(market, size, side, effect, price) {
      const c = executor.begin(PLACE, market.index);
      c.side = side === 'SHORT' ? SHORT : LONG;
      c.effect = effect === 'CLOSE' ? CLOSE : OPEN;
      c.type = price > 0 ? LIMIT : MARKET;
      c.price = price;
      return sizeFor(size, c, core.contexts[market.index]!, sizing, owner);
    },
    number: () => core.nextSeq++,
    watch: (market) => watchMarket(core, dispatch, runner(), owner, market),
    ended: (execution) => runner().executed(execution),
    refuse(market, error) {
      if (!(error instanceof ExecutionFault) && !(error instanceof ScaleError)) throw error;
      executor.begin(PLACE, market.index);
      executor.refuse(owner, error instanceof ExecutionFault ? error.rule : 'bad-amount', error.message);
    },
  });
}

/** True while no command but cancels can leave, because the journal cannot be written. */
function isJournalAway({ halts }: BooksCore): boolean {
  return halts.count > 0 && halts.find({ kind: 'bot' }, 'journal-away') !== null;
}

/** The strategy needs quotes, order and position events of this market from now on. */
function watchMarket(core: BooksCore, dispatch: Dispatch, runner: StrategyRunner, owner: Owner, market: Market): void {
  // The books also have to know what the operator closes.
  owner.hasOrderHandler = core.nobody.hasOrderHandler = true;
  const context = core.contexts[market.index]!;
  context.long.hasPositionHandler = context.short.hasPositionHandler = true;
  const { quoteRunners } = dispatch.allSubscribers[market.index]!;
  if (!quoteRunners.includes(runner)) quoteRunners.push(runner);
}

function legOf({ contexts }: BooksCore, { index }: Market, side: SideName): Leg {
  const { long, short } = contexts[index]!;
  return side === 'LONG' ? long : short;
}
