/** Says in words what is being flattened, and what is left of it. */
import { EFFECTS, PLACE_SPOT, SIDES } from '../../../domain/codes.ts';
import type { Flattening } from '../../../domain/messages/forecast.ts';
import { formatLots, tradedName } from '../../../domain/instrument.ts';
import { ORDER_STATES } from '../../../domain/orders/order.ts';
import type { Order } from '../../state/orders/orders.ts';
import { legText } from './end-text.ts';
import type { FlatScope } from './flat-scope.ts';
import type { Flattener, Remains } from './flatten.ts';
import { stayText } from './parts-text.ts';

export function flatteningsOf(flattener: Flattener, now: number): Flattening[] {
  return flattener.underWay().map(({ halt: { scope, by, since }, remains }) => {
    const lost = `nothing is closed: ${scope} is not configured any more; \`tickwright flatten\` closes all that is of this bot`;
    return { scope, by, since, open: remains === null ? [lost] : openText(remains, flattener.scope, now) };
  });
}

function openText({ orders, legs, unproven }: Remains, scope: FlatScope, now: number): string[] {
  const waiting = unproven.filter((one) => !legs.some(({ leg }) => leg === one.leg));
  const lots = legs.map((one) => `position ${legText(one, scope.lots(one.leg))}${stayText(one, now)}`);
  const open = [...orders.map(orderText), ...lots, ...(waiting.length === 0 ? [] : [proofText(waiting)])];
  return open.length === 0 ? ['nothing is left: it ends with the next check'] : open;
}

function proofText(waiting: Remains['unproven']): string {
  const from = Math.max(...waiting.map((one) => one.from));
  const names = waiting.map(({ context, leg }) => `${tradedName(context.instrument)} ${SIDES[leg.index & 1]!}`);
  const time = Number.isFinite(from) ? ` that begin at ${timeText(from)} UTC or later` : '';
  return `the proof that it is flat: a list (E19) and a single read (E20)${time}: ${names.join(', ')}`;
}

/** "12:30:05". */
function timeText(time: number): string {
  const two = (number: number): string => String(Math.floor(number)).padStart(2, '0');
  const seconds = Math.ceil(time / 1_000) % 86_400;
  return `${two(seconds / 3_600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
}

function orderText({ context, effect, kind, seq, side, size, state }: Order): string {
  const what = kind === PLACE_SPOT ? (side === 0 ? 'BUY' : 'SELL') : `${SIDES[side]!} ${EFFECTS[effect]!}`;
  const { instrument } = context;
  return `order ${seq} ${tradedName(instrument)} ${what} ${formatLots(size, instrument)}: ${ORDER_STATES[state]!}`;
}
