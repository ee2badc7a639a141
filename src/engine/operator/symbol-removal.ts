/**
 * Takes a symbol from a strategy while the bot runs. Its orders are cancelled. A position is closed or left with the orders that close it,
 * as the person says; without a word the command is refused while there is one, or an order may open one.
 */
import { assert } from '../../base/failure/assert.ts';
import { counted } from '../../base/text/figures.ts';
import { didYouMean } from '../../base/text/suggest.ts';
import { CLOSE, LONG, PLACE_SPOT, SHORT, SIDES } from '../../domain/codes.ts';
import { WORKING } from '../../domain/orders/order.ts';
import { formatLots, tradedName } from '../../domain/instrument.ts';
import type { Executor } from '../orders/executor.ts';
import type { Core } from '../state/core.ts';
import type { Halts } from '../state/halts.ts';
import type { InstrumentContext } from '../state/records/instrument-context.ts';
import type { Leg } from '../state/records/leg.ts';
import type { Order } from '../state/orders/orders.ts';
import type { Owner } from '../state/records/owner.ts';
import type { Running } from '../strategy/make-strategies.ts';
import type { OperatorCommand, OperatorResult } from './command.ts';
import type { Flattener } from './flat/flatten.ts';
import { refused } from './refusals.ts';
import { chosenAlone, type StrategyChanger } from './strategy-changer.ts';

/** The shared state that this file uses. */
interface RemovalCore extends Core {
  readonly contexts: readonly InstrumentContext[];
  readonly halts: Halts;
  readonly nobody: Owner;
}

export interface SymbolRemovalDeps {
  readonly core: RemovalCore;
  readonly executor: Executor;
  readonly flattener: Flattener;
  readonly strategyChanger: StrategyChanger;
  /** Reports positions that no strategy works on. */
  readonly leftPositions: { begin(leg: Leg): void };
}

type Remove = Extract<OperatorCommand, { readonly name: 'remove' }>;

export class SymbolRemoval {
  readonly #deps: SymbolRemovalDeps;

  constructor(deps: SymbolRemovalDeps) {
    this.#deps = deps;
  }

  run(command: Remove): OperatorResult {
    const { core, flattener, leftPositions, strategyChanger } = this.#deps;
    const one = strategyChanger.find(command.strategy);
    if ('ok' in one) return one;
    if (one.setup.universe !== undefined) return chosenAlone(one);
    const context = one.setup.instruments
      .map((index) => core.contexts[index]!)
      .find(({ instrument }) => tradedName(instrument) === command.symbol);
    if (context === undefined) {
      const known = one.setup.instruments.map((index) => tradedName(core.instruments[index]!));
      const hint = didYouMean(command.symbol, known) ?? `it trades ${known.join(', ')}`;
      return refused('no-such-scope', `${one.runner.name} does not trade "${command.symbol}"`, hint);
    }
    const refusal = this.#refusal(one, context, command.position);
    if (refusal !== null) return refusal;
    const removed = strategyChanger.remove(one, context.instrument);
    if (!removed.ok) return removed;
    const { cancelled: orders, kept } = this.#cancel(one, context, command);
    const said = [
      ...(orders.length === 0 ? [] : [`to cancel: ${ordersText(orders)}`]),
      ...(kept.length === 0 ? [] : [`stays until the bot starts again: ${ordersText(kept)}, which closes`]),
    ];
    // A cancel may come too late: what opens until then is closed as well.
    const legs = legsOf(context, mayHold);
    if (legs.length > 0 && command.position === 'flatten') {
      core.halts.raise({
        scope: { kind: 'symbol', instrument: context.index },
        code: 'flatten',
        detail: `${command.symbol} was removed`,
        by: command.by,
      });
      flattener.wake();
      const did = [...removed.did, ...said, `is being closed: ${legsText(context, legs, mayHold)}`];
      return { ...removed, did, orders, flattens: `symbol:${command.symbol}` };
    }
    if (!flattener.scope.isTraded(context.index)) for (const side of [LONG, SHORT]) leftPositions.begin(context.leg(side));
    const held = legsOf(context, holds);
    const left = held.length === 0 ? [] : [`stays open, and no strategy watches it: ${legsText(context, held, holds)}`];
    return { ...removed, did: [...removed.did, ...said, ...left], orders };
  }

  /** Why the symbol cannot be removed now; null if it can. */
  #refusal({ runner, setup }: Running, context: InstrumentContext, position: Remove['position']): OperatorResult | null {
    const { flattener, strategyChanger } = this.#deps;
    const symbol = tradedName(context.instrument);
    if (setup.instruments.length === 1)
      return refused('refused', `${symbol} is the only symbol of ${runner.name}`, `tickwright halt ${runner.name} stops its opens`);
    const market = runner.context.markets.find(({ index }) => index === context.index)!;
    if (runner.trades.of(market).length + runner.executions.of(market).length > 0) {
      const what = `${runner.name} manages a trade or an execution in ${symbol}`;
      return refused('position-open', what, `tickwright flatten ${symbol} ends it; then remove the symbol`);
    }
    const legs = legsOf(context, mayHold);
    if (legs.length > 0 && position === '') {
      const what = `${legsText(context, legs, mayHold)} is open, or may be`;
      return refused('position-open', what, 'add --position flatten to close it, or --position keep to leave it to you');
    }
    const others = strategyChanger.setups.filter((other) => other !== setup && other.instruments.includes(context.index));
    if (legs.length > 0 && position === 'flatten' && others.length > 0) {
      const what = `another strategy trades ${symbol}: closing its position would close that of both`;
      return refused('shared-position', what, `tickwright remove ${symbol} ${runner.name} --position keep leaves it to the other strategy`);
    }
    return flattener.underWay().some(({ halt }) => halt.scope === `symbol:${symbol}`)
      ? refused('refused', `${symbol} is being flattened`, 'try again when it is flat')
      : null;
  }

  /** Cancels the live orders of the strategy in the symbol; of a position that is kept, those that close it stay. Returns their numbers. */
  #cancel({ runner }: Running, { index }: InstrumentContext, { by, position }: Remove): { cancelled: number[]; kept: number[] } {
    const { core, executor, flattener } = this.#deps;
    const orders = flattener.orders({ kind: 'symbol', instrument: index }).filter(({ owner }) => owner.name === runner.name);
    const stays = ({ effect, kind }: Order): boolean => position === 'keep' && effect === CLOSE && kind !== PLACE_SPOT;
    const cancelled = orders.filter((order) => !stays(order));
    for (const order of cancelled) executor.cancel(order, core.nobody, `the symbol was removed by ${by}`);
    const isLeft = cancelled.every((order) => !order.isAlive || order.isCancelWanted || order.state !== WORKING);
    assert(isLeft, 'no order of a removed symbol rests, or its cancel waits', index, 'strategy', runner.name);
    return { cancelled: cancelled.map(({ seq }) => seq), kept: orders.filter(stays).map(({ seq }) => seq) };
  }
}

/** Lots of a leg that own orders opened, or may have. */
function holds({ own, mayOpen }: Leg): number {
  return own + mayOpen;
}

/** The same with what live orders may still open. */
function mayHold(leg: Leg): number {
  return holds(leg) + leg.opening;
}

/** Legs of a future with such lots. */
function legsOf({ instrument, long, short }: InstrumentContext, lots: (leg: Leg) => number): Leg[] {
  return instrument.product === 'futures' ? [long, short].filter((leg) => lots(leg) > 0) : [];
}

function legsText({ instrument }: InstrumentContext, legs: readonly Leg[], lots: (leg: Leg) => number): string {
  return legs.map((leg) => `${tradedName(instrument)} ${SIDES[leg.index & 1]!} ${formatLots(lots(leg), instrument)}`).join(', ');
}

function ordersText(numbers: readonly number[]): string {
  return `${counted(numbers.length, 'order')}, ${numbers.join(', ')}`;
}
