import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlainDecimal, plainDecimal } from '../../../src/contract/decimal-text.ts';
import type { Endpoint } from '../../../src/contract/endpoints/endpoint.ts';
import { ENDPOINT_LIST, ENDPOINTS } from '../../../src/contract/endpoints/endpoints.ts';
import { failure, success } from '../../../src/contract/envelope.ts';
import { readAnswer, readEnvelope } from '../../../src/contract/read-answer.ts';
import { sampleReply, sampleRequest } from '../../../src/contract/docs/samples.ts';
import { problemOfReply } from '../../../src/contract/schema.ts';
import { Decimal } from '../../../src/domain/amounts/decimal.ts';

/** A sample reply of an endpoint, with some fields changed. */
function changed(endpoint: Endpoint, changes: object): unknown {
  return { ...(sampleReply(endpoint) as object), ...changes };
}

function value<E extends Endpoint>(endpoint: E, data: unknown) {
  const result = readAnswer(endpoint, data);
  if (!result.ok) throw new Error(result.problem);
  return result.value;
}

describe.each(ENDPOINT_LIST)('an answer of $id $name', (endpoint) => {
  const { response } = endpoint;
  const one = sampleReply(endpoint);

  it('in documented form is valid to send and reads unchanged', () => {
    expect(problemOfReply(endpoint, one, sampleRequest(endpoint))).toBeNull();
    expect(value(endpoint, one)).toEqual(response.kind === 'oneOrMany' ? [one] : one);
  });

  it('drops undocumented fields, which must not be sent either', () => {
    if (one === null || Array.isArray(one)) return;
    const more = changed(endpoint, { unheardOf: 1 });
    expect(value(endpoint, more)).toEqual(value(endpoint, one));
    expect(problemOfReply(endpoint, more, sampleRequest(endpoint))).toMatch(new RegExp(`^${endpoint.name}`));
  });

  it('is one record or a list, as the request says', () => {
    if (response.kind !== 'oneOrMany') return;
    expect(value(endpoint, [one, one])).toEqual([one, one]);
    expect(problemOfReply(endpoint, [one], {})).toBeNull();
    expect(problemOfReply(endpoint, [one], sampleRequest(endpoint))).not.toBeNull();
    expect(problemOfReply(endpoint, one, {})).not.toBeNull();
  });

  it('of another form is never accepted', () => {
    for (const data of ['text', 7, true, [7], { a: 1 }]) expect(readAnswer(endpoint, data).ok, JSON.stringify(data)).toBe(false);
    if (one !== null) for (const data of [null, undefined]) expect(readAnswer(endpoint, data).ok).toBe(false);
  });

  it('of any form is read or refused, and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (data) => {
        const result = readAnswer(endpoint, data);
        if (!result.ok) expect(result.problem).toContain(endpoint.name);
      }),
      { numRuns: 300 },
    );
  });
});

describe('deviations that are normalised when reading', () => {
  const { positions, pendingOrders, bookTickers, account, withdrawals, cancelPlanOrders, placeOrder, setMarginMode } = ENDPOINTS;
  const order = (changes: object): unknown => {
    const [first] = (sampleReply(pendingOrders) as { entrustedList: readonly object[] }).entrustedList;
    return { entrustedList: [{ ...first, ...changes }], endId: '1' };
  };
  const firstOrder = (changes: object) => value(pendingOrders, order(changes)).entrustedList[0];

  it('of case [outcomes 2.9]', () => {
    const [leg] = sampleReply(positions) as readonly object[];
    expect(value(positions, [{ ...leg, holdSide: 'SHORT', marginMode: 'Isolated' }])).toMatchObject([
      { holdSide: 'short', marginMode: 'isolated' },
    ]);
    expect(firstOrder({ side: 'buy', posSide: 'long', tradeSide: 'Open', marginMode: 'cross' })).toMatchObject({
      side: 'BUY',
      posSide: 'LONG',
      tradeSide: 'OPEN',
      marginMode: 'CROSS',
    });
  });

  it('of the word for cross margin [outcomes 2.9]', () => {
    expect(firstOrder({ marginMode: 'CROSSED' })?.marginMode).toBe('CROSS');
    expect(value(account, changed(account, { marginMode: 'crossed' })).marginMode).toBe('cross');
    expect(value(setMarginMode, changed(setMarginMode, { marginMode: 'crossed' })).marginMode).toBe('CROSS');
  });

  it('of type: numbers as text, text as numbers [outcomes 2.9]', () => {
    const ticker = changed(bookTickers, { bidPrice: 0.0000001, askPrice: '1E-7', ts: '1700000000000' });
    expect(value(bookTickers, ticker)).toMatchObject([{ bidPrice: '0.0000001', askPrice: '0.0000001', ts: 1_700_000_000_000 }]);
    expect(value(placeOrder, { orderId: 12345, clientOid: 'a' }).orderId).toBe('12345');
    const [record] = sampleReply(withdrawals) as readonly object[];
    expect(value(withdrawals, [{ ...record, cTime: 1_700_000_000_000 }])[0]?.cTime).toBe('1700000000000');
  });

  it('of missing values: null, absent and empty', () => {
    expect(value(pendingOrders, { entrustedList: null, endId: null })).toEqual({ entrustedList: [], endId: '' });
    expect(value(pendingOrders, { entrustedList: [] })).toEqual({ entrustedList: [], endId: '' });
    expect(firstOrder({ priceAvg: null, presetStopLossType: undefined, clientOid: null })).toMatchObject({
      priceAvg: '',
      presetStopLossType: '',
      clientOid: '',
    });
  });

  it('of failed trigger cancels (E16) with and without error fields [outcomes 2.9]', () => {
    const failed = { orderId: '', clientOid: 'a' };
    const withError = { ...failed, errorCode: '40001', errorMsg: 'Order not found' };
    expect(value(cancelPlanOrders, { successList: [], failureList: [failed, withError] }).failureList).toEqual([failed, withError]);
    expect(problemOfReply(cancelPlanOrders, { successList: [], failureList: [withError] }, {})).not.toBeNull();
  });

  it('but an open word stays unchanged, and an unknown closed word makes the answer invalid [X8]', () => {
    expect(firstOrder({ status: 'PARTIALLY_FILLED' })?.status).toBe('PARTIALLY_FILLED');
    expect(readAnswer(pendingOrders, order({ posSide: 'BOTH' }))).toEqual({
      ok: false,
      problem: 'pendingOrders.entrustedList[0].posSide: expected a documented word, found "BOTH"',
    });
  });

  it('but a missing number is not 0, and missing positions are not flat [outcomes 2.9] [outcomes E19]', () => {
    expect(readAnswer(bookTickers, changed(bookTickers, { bidPrice: '' })).ok).toBe(false);
    expect(readAnswer(bookTickers, changed(bookTickers, { bidPrice: null })).ok).toBe(false);
    expect(readAnswer(positions, null).ok).toBe(false);
    expect(readAnswer(pendingOrders, { endId: '' }).ok).toBe(false);
    expect(readAnswer(placeOrder, { clientOid: 'a' }).ok).toBe(false);
    expect(readAnswer(placeOrder, { orderId: 2 ** 53, clientOid: 'a' }).ok).toBe(false);
  });
});

describe('the envelope', () => {
  const row = { code: '40015', msg: 'Open Size is too small' };

  it('is read as it was written', () => {
    expect(readEnvelope(success([1], 5))).toEqual({ ok: true, value: { code: '00000', msg: 'success', requestTime: 5, data: [1] } });
    expect(readEnvelope(failure(row, 5))).toEqual({ ok: true, value: { ...row, requestTime: 5, data: null } });
  });

  it('may lack data and have its time as text', () => {
    const expected = { ok: true, value: { ...row, requestTime: 1_700_000_000_000, data: null } };
    expect(readEnvelope({ ...row, requestTime: '1700000000000' })).toEqual(expected);
    expect(readEnvelope({ ...row })).toMatchObject({ ok: true, value: { requestTime: 0 } });
    expect(readEnvelope({ code: 0, msg: null })).toMatchObject({ ok: true, value: { code: '0', msg: '' } });
  });

  it.each([null, [], 'text', {}, { code: '' }, { code: {} }, { code: '1', msg: 1.5 }, { code: '1', requestTime: 'now' }])(
    'is not %j',
    (candidate) => expect(readEnvelope(candidate).ok).toBe(false),
  );
});

describe('plain decimals', () => {
  it.each([
    ['1e-7', '0.0000001'],
    ['1.5E+3', '1500'],
    ['-2.50e1', '-25'],
    ['12.3456e2', '1234.56'],
    ['0e5', '0'],
    ['007', '007'],
  ])('%s → %s', (text, plain) => expect(plainDecimal(text)).toBe(plain));

  it.each(['', '.5', '5.', '+1', '1e', '1e999', 'NaN', 'Infinity', '0x10', '1_000', ' 1'])('%j is not one', (text) => {
    expect(plainDecimal(text)).toBeNull();
  });

  it('keep the value of any double written by JavaScript', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e40, max: 1e40 }), (x) => {
        const plain = plainDecimal(String(x));
        fc.pre(x === 0 || Math.abs(x) > 1e-60);
        expect(plain !== null && isPlainDecimal(plain)).toBe(true);
        expect(new Decimal(plain ?? 'NaN').equals(new Decimal(String(x)))).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });
});
