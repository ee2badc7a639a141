/**
 * Takes a symbol from a strategy while the bot runs. Its orders are cancelled. A position is closed or left, as the person says; without a
 * word the command is refused while there is one.
 */
import { counted } from '../../base/text/figures.ts';
import { didYouMean } from '../../base/text/suggest.ts';
import { LONG, SHORT, SIDES } from '../../domain/codes.ts';
import { formatLots, tradedName } from '../../domain/instrument.ts';
import type { Executor } from '../orders/executor.ts';
import type { Core } from '../state/core.ts';
import type { Halts } from '../state/halts.ts';
import type { InstrumentContext } from '../state/records/instrument-context.ts';
import type { Leg } from '../state/records/leg.ts';
import type { Owner } from '../state/records/owner.ts';
import type { Running } from '../strategy/make-strategies.ts';
import type { OperatorCode, OperatorCommand, OperatorResult } from './command.ts';
import type { Flattener } from './flatten.ts';
import type { StrategyChanger } from './strategy-changer.ts';

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
    const orders = this.#cancel(one, context, command.by);
    const said = orders.length === 0 ? [] : [`to cancel: ${counted(orders.length, 'order')}, ${orders.join(', ')}`];
    const legs = heldOf(context);
    const names = legs.map((leg) => legText(context, leg)).join(', ');
    if (legs.length > 0 && command.position === 'flatten') {
      core.halts.raise({
        scope: { kind: 'symbol', instrument: context.index },
        code: 'flatten',
        detail: `${command.symbol} was removed`,
        by: command.by,
      });
      flattener.wake();
      return { ...removed, did: [...removed.did, ...said, `is being closed: ${names}`], orders, flattens: `symbol:${command.symbol}` };
    }
    if (!flattener.scope.isTraded(context.index)) for (const side of [LONG, SHORT]) leftPositions.begin(context.leg(side));
    const left = legs.length === 0 ? [] : [`stays open, and no strategy watches it: ${names}`];
    return { ...removed, did: [...removed.did, ...said, ...left], orders };
  }

  /** Why the symbol cannot be removed now; null if it can. */
  #refusal({ runner, setup }: Running, context: InstrumentContext, position: Remove['position']): OperatorResult | null {
    const { flattener, strategyChanger } = this.#deps;
    const symbol = tradedName(context.instrument);
    if (runner.isWarming)
      return refused('refused', `${runner.name} waits for bars: it gives up a symbol when it has started`, 'try again then');
    if (setup.instruments.length === 1)
      return refused('refused', `${symbol} is the only symbol of ${runner.name}`, `tickwright halt ${runner.name} stops its opens`);
    const market = runner.context.markets.find(({ index }) => index === context.index)!;
    if (runner.trades.of(market).length + runner.executions.of(market).length > 0) {
      const what = `${runner.name} manages a trade or an execution in ${symbol}`;
      return refused('position-open', what, `tickwright flatten ${symbol} ends it; then remove the symbol`);
    }
    const legs = heldOf(context);
    if (legs.length > 0 && position === '') {
      const what = `${legs.map((leg) => legText(context, leg)).join(', ')} is open, or may be`;
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

  /** Cancels the live orders of the strategy in the symbol. Returns their numbers. */
  #cancel({ runner }: Running, { index }: InstrumentContext, by: string): number[] {
    const { core, executor, flattener } = this.#deps;
    const orders = flattener.orders({ kind: 'symbol', instrument: index }).filter(({ owner }) => owner.name === runner.name);
    for (const order of orders) executor.cancel(order, core.nobody, `the symbol was removed by ${by}`);
    return orders.map(({ seq }) => seq);
  }
}

/** Legs of which own orders opened lots, or may have. */
function heldOf(context: InstrumentContext): Leg[] {
  if (context.instrument.product !== 'futures') return [];
  return [context.leg(LONG), context.leg(SHORT)].filter((leg) => leg.own > 0 || leg.mayOpen > 0);
}

function legText({ instrument }: InstrumentContext, leg: Leg): string {
  return `${tradedName(instrument)} ${SIDES[leg.index & 1]!} ${formatLots(leg.own + leg.mayOpen, instrument)}`;
}

function refused(code: OperatorCode, message: string, hint: string): OperatorResult {
  return { ok: false, code, message, hint };
}
