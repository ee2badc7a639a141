/** The part of a status that the kernel knows by itself, live or in a replay. */
import type { StatusAnswer } from '../../../control/answers.ts';
import type { Instrument } from '../../../domain/instrument.ts';
import type { Kernel } from '../../../engine/kernel.ts';
import { shownEquity } from './shown-equity.ts';
import { haltAnswer, positionsOf, strategiesOf, unruledOf } from './views.ts';

type Known =
  | 'phase'
  | 'readAt'
  | 'equity'
  | 'orders'
  | 'unknownOutcomes'
  | 'halts'
  | 'onHold'
  | 'flattening'
  | 'flattened'
  | 'strategies'
  | 'positions'
  | 'counts';

export function kernelStatus(kernel: Kernel, instruments: readonly Instrument[]): Required<Pick<StatusAnswer, Known>> {
  const { setups } = kernel;
  const {
    phase,
    liveOrders,
    unknownOutcomes,
    halts,
    onHold,
    strategies,
    tradeReads,
    counts,
    flattening,
    flattened,
    unruled,
    readAt,
    equity,
  } = kernel.status();
  return {
    phase,
    readAt: { equity: readAt.account, orders: readAt.pending, positions: readAt.positions, prices: readAt.quotes },
    equity: Number.isFinite(equity) ? shownEquity(equity).toFixed(2) : '',
    orders: liveOrders,
    unknownOutcomes,
    halts: halts.map(haltAnswer),
    onHold,
    flattening,
    flattened,
    strategies: strategiesOf({ setups, instruments, figures: strategies, tradeReads }),
    positions: [...positionsOf(kernel, instruments, setups), ...unruled.map(unruledOf)],
    counts,
  };
}
