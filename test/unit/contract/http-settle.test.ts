/** The entries of an accepted batch: each has its own result, and an entry in neither list has none. */
import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../../src/contract/endpoints/endpoints.ts';
import { settleCancel, settleSpotCancel, settleSpotPlace } from '../../../src/venue/interface/settle.ts';

const { cancelOrders, cancelPlanOrders } = ENDPOINTS;
const NOT_FOUND = { errorCode: '40001', errorMsg: 'Order not found' };

describe('a batch of one', () => {
  it('is accepted, refused or unknown by its own entry, in all 2^10 patterns [X4] [outcomes E15] [outcomes E16]', () => {
    for (let pattern = 0; pattern < 1 << 10; pattern++) {
      for (let k = 0; k < 10; k++) {
        const isDone = ((pattern >> k) & 1) === 1;
        const isMissing = !isDone && ((pattern >> ((k + 3) % 10)) & 1) === 1;
        const item = { clientOid: `tw-1-${k}` };
        const entry = { orderId: isDone ? `fu-${k}` : '', ...item };
        const successList = isDone ? [entry] : [];
        const failureList = isDone || isMissing ? [] : [{ ...entry, ...NOT_FOUND }];
        const verdict = settleCancel(k % 2 === 0 ? cancelOrders : cancelPlanOrders, { successList, failureList }, item);
        expect(verdict.status).toBe(isDone ? 'accepted' : isMissing ? 'unknown' : 'rejected');
      }
    }
  });

  it('with other or several entries in the answer has no outcome', () => {
    const item = { clientOid: 'tw-1-1' };
    const ours = { orderId: 'fu-1', clientOid: 'tw-1-1' };
    const other = { orderId: 'fu-2', clientOid: 'tw-1-2' };
    for (const successList of [[other], [ours, other]]) {
      expect(settleCancel(cancelOrders, { successList, failureList: [] }, item)).toEqual({ status: 'unknown', cause: 'response-mixup' });
    }
    const failureList = [{ ...other, ...NOT_FOUND }];
    expect(settleCancel(cancelOrders, { successList: [ours], failureList }, item).status).toBe('unknown');
  });
});

describe('a failed entry', () => {
  const unclear = ['engine time-out, state unknown', 'System error', 'Too many requests', 'please try again later', 'order is in progress'];

  it('of a cancel proves only by "Order not found" that the order is not open [outcomes E15] [outcomes E2]', () => {
    const cancelled = (errorMsg: string, errorCode: string): string =>
      settleCancel(
        cancelOrders,
        { successList: [], failureList: [{ orderId: '', clientOid: 'a', errorMsg, errorCode }] },
        { clientOid: 'a' },
      ).status;
    const spot = (errorMsg: string, errorCode: string): string =>
      settleSpotCancel({ successList: [], failureList: [{ orderId: '7', errorMsg, errorCode }] }, '7').status;
    for (const settled of [cancelled, spot]) {
      expect(settled('Order not found', '40001')).toBe('rejected');
      expect(settled(' order  NOT found. ', '40001')).toBe('rejected');
      for (const message of [...unclear, '', 'no']) expect(settled(message, '40001'), message).toBe('unknown');
    }
  });

  it('of a trigger cancel may lack all error fields [outcomes E16] [outcomes 2.9]', () => {
    const settled = (fields: { errorMsg?: string; errorCode?: string }): string =>
      settleCancel(cancelPlanOrders, { successList: [], failureList: [{ orderId: '', clientOid: 'a', ...fields }] }, { clientOid: 'a' })
        .status;
    expect(settled({})).toBe('rejected');
    expect(settled(NOT_FOUND)).toBe('rejected');
    for (const errorMsg of unclear) expect(settled({ errorMsg, errorCode: '40001' }), errorMsg).toBe('unknown');
  });

  it('of a spot order was refused, unless its message leaves the result open [outcomes E1]', () => {
    const settled = (errorMsg: string, errorCode = '43012'): string =>
      settleSpotPlace({ successList: [], failureList: [{ errorMsg, errorCode }] }).status;
    for (const message of ['Insufficient balance', 'less than the minimum amount', 'symbol is offline']) {
      expect(settled(message), message).toBe('rejected');
    }
    for (const message of unclear) expect(settled(message), message).toBe('unknown');
    expect(settled('Insufficient balance', '50000')).toBe('unknown');
  });
});
