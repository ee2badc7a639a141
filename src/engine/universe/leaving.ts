/** Symbols that left the universe of a strategy and are not flat: closes them, or waits until the strategy has. */
import { assert } from '../../base/failure/assert.ts';
import { OPEN } from '../../domain/codes.ts';
import type { LeavePolicy } from '../../domain/universe.ts';
import type { Executor } from '../orders/executor.ts';
import type { Core } from '../state/core.ts';
import type { Halts } from '../state/halts.ts';
import type { Order } from '../state/orders/orders.ts';
import type { InstrumentContext } from '../state/records/instrument-context.ts';
import type { Leg } from '../state/records/leg.ts';
import type { Owner } from '../state/records/owner.ts';
import type { TradingState } from '../state/trading-state.ts';
import type { Running } from '../strategy/make-strategies.ts';

/** The shared state that this file uses. */
interface LeavingCore extends Core {
  readonly contexts: readonly InstrumentContext[];
  readonly halts: Halts;
  readonly nobody: Owner;
  readonly tradingState: TradingState;
}

export interface LeavingDeps {
  readonly core: LeavingCore;
  readonly executor: Executor;
  readonly flattener: { wake(): void };
}

const WHY = 'it left the universe';

export class Leaving {
  readonly #deps: LeavingDeps;

  constructor(deps: LeavingDeps) {
    this.#deps = deps;
  }

  /** True if nothing of the strategy is left in the symbol. Else what is due is done: call it again. */
  isOver({ runner, context: strategy }: Running, i: number, policy: LeavePolicy): boolean {
    const { core, executor, flattener } = this.#deps;
    const context = core.contexts[i]!;
    const market = strategy.markets.find(({ index }) => index === i);
    assert(market !== undefined, 'a strategy trades a symbol until it has left it', i, 'strategy', runner.name);
    const scope = { kind: 'symbol', instrument: i } as const;
    const isFlattening = core.halts.find(scope, 'flatten') !== null;
    const orders = context.orders.live === 0 ? [] : context.orders.alive().filter(({ owner }) => owner.name === runner.name);
    const executions = runner.executions.of(market);
    const isFlat = orders.length === 0 && mayHold(context.long) + mayHold(context.short) === 0;
    if (isFlat && !isFlattening && executions.length + runner.trades.of(market).length === 0) return true;
    for (const execution of executions) {
      if (policy === 'close' || execution.saved.lines.some(({ effect }) => effect === 'OPEN')) execution.cancel(WHY);
    }
    const cancelled = policy === 'close' ? orders : orders.filter(opens);
    for (const order of cancelled) executor.cancel(order, core.nobody, WHY);
    if (policy === 'close' && !isFlattening && !isFlat) {
      core.halts.raise({ scope, code: 'flatten', detail: `${WHY} of ${runner.name}`, by: 'bot' });
      flattener.wake();
    }
    return false;
  }
}

function opens({ effect }: Order): boolean {
  return effect === OPEN;
}

/** Lots that own orders opened, or may open yet. */
function mayHold({ own, mayOpen, opening }: Leg): number {
  return own + mayOpen + opening;
}
