/** Answers cancel orders (E15) and cancel plan orders (E16), entry by entry. A failed entry does not stop the others. */
import { row } from '../../contract/endpoints/endpoints.ts';
import { FUTURES, TRIGGER } from '../state/kinds.ts';
import { orderIdOf } from '../state/ids/wire-ids.ts';
import type { Call } from '../../venue/operations.ts';
import type { Answer, EndpointContext } from './endpoint-context.ts';
import { findOrder } from './order-endpoints.ts';

interface Entry {
  readonly orderId?: string | undefined;
  readonly clientOid?: string | undefined;
}

interface Done {
  readonly orderId: string;
  readonly clientOid: string;
}

export const cancelOrders: Answer<'cancelOrders'> = (context, given, call) => {
  const { errorCode, errorMsg } = notFound();
  const { successList, failed } = cancelAll(context, given.orderIdList, call, FUTURES, -1);
  // A failed entry is returned with an empty orderId; only its clientOid identifies it.
  const failureList = failed.map((entry) => ({ orderId: '', clientOid: entry.clientOid ?? '', errorMsg, errorCode }));
  return { successList, failureList };
};

export const cancelPlanOrders: Answer<'cancelPlanOrders'> = (context, given, call) => {
  // Orders of an offline symbol can be cancelled.
  const instrument = context.instruments.find((one) => one.product === 'futures' && one.symbol === given.symbol)?.index ?? -2;
  const { successList, failed } = cancelAll(context, given.orderIdList, call, TRIGGER, instrument);
  const reason = context.switches.planFailures === 'explained' ? notFound() : {};
  const failureList = failed.map((entry) => ({ orderId: entry.orderId ?? '', clientOid: entry.clientOid ?? '', ...reason }));
  return { successList, failureList };
};

/** `instrument` −1 means any. */
function cancelAll(
  context: EndpointContext,
  entries: readonly Entry[],
  { account, time }: Call,
  kind: number,
  instrument: number,
): { successList: Done[]; failed: Entry[] } {
  const successList: Done[] = [];
  const failed: Entry[] = [];
  for (const entry of entries) {
    const orderId = entry.orderId ?? '';
    const clientOid = entry.clientOid ?? '';
    const orderNo = findOrder(context, { account, kind, orderId, clientOid });
    const isOfSymbol = orderNo > 0 && (instrument === -1 || context.sim.order(orderNo)?.instrument === instrument);
    if (!isOfSymbol || !context.sim.cancel(account, orderNo, time)) failed.push(entry);
    // An entry named by orderId comes back without a clientOid.
    else successList.push({ orderId: orderIdOf(kind, orderNo), clientOid });
  }
  return { successList, failed };
}

function notFound(): { errorCode: string; errorMsg: string } {
  const { code, msg } = row('cancelOrders', 'order-not-found');
  return { errorCode: code, errorMsg: msg };
}
