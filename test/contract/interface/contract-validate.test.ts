import { describe, expect, it } from 'vitest';
import type { Endpoint, ErrorRow } from '../../../src/contract/endpoints/endpoint.ts';
import { ENDPOINT_LIST, ENDPOINTS } from '../../../src/contract/endpoints/endpoints.ts';
import { errorCases, sampleRequest, violations } from '../../../src/contract/docs/samples.ts';
import { validate } from '../../../src/contract/validate.ts';

function refusal(endpoint: Endpoint, raw: unknown): ErrorRow {
  const result = validate(endpoint, raw);
  if (result.ok) throw new Error(`${endpoint.id} took ${JSON.stringify(raw)}`);
  return result.row;
}

describe.each(ENDPOINT_LIST)('$id $name', (endpoint) => {
  it('accepts its sample, also with additional unknown parameters', () => {
    expect(validate(endpoint, sampleRequest(endpoint))).toMatchObject({ ok: true });
    expect(validate(endpoint, { ...sampleRequest(endpoint), unheardOf: {} })).toMatchObject({ ok: true });
  });

  it.each([null, undefined, 'text', 7, []])('refuses %j, which is not an object', (raw) => {
    expect(refusal(endpoint, raw)).toMatchObject({ code: '40001', reason: 'invalid-request' });
  });

  it('refuses every violation with the matching row', () => {
    for (const { name, raw, refusedWith } of violations(endpoint)) {
      const row = refusal(endpoint, raw);
      if (refusedWith !== null) expect(row, name).toBe(endpoint.errors.find((listed) => listed.msg === refusedWith));
    }
  });
});

describe('rows that follow from a request alone', () => {
  it('are all reached by some violation, except those that need an instrument, an account or a signature', () => {
    const reached = new Set(
      ENDPOINT_LIST.flatMap((endpoint) => violations(endpoint).map(({ raw }) => `${endpoint.id} ${refusal(endpoint, raw).msg}`)),
    );
    const rest = errorCases()
      .filter(({ endpoint, row }) => row.class === 'static' && !reached.has(`${endpoint.id} ${row.msg}`))
      .map(({ endpoint, row }) => `${endpoint.id} ${row.msg}`);
    expect(rest.filter((name) => !name.endsWith('precision is too high'))).toEqual(['E11 Cross margin is not supported']);
  });
});

describe('the order of the table', () => {
  const order = { side: 'buy', orderType: 'limit', price: '1', size: '1' };

  it('decides if several rows apply', () => {
    const { placeSpotOrders, modifyOrder, placeOrder, trades } = ENDPOINTS;
    expect(refusal(placeSpotOrders, {}).msg).toBe('Parameter cannot be empty');
    expect(refusal(placeSpotOrders, { orderList: Array.from({ length: 51 }, () => ({})) }).msg).toBe('Maximum 50 orders allowed');
    expect(refusal(placeSpotOrders, { orderList: [{ side: 'buy' }] }).msg).toBe('Symbol is required in single mode');
    expect(refusal(modifyOrder, {}).msg).toBe('symbol does not exist');
    expect(refusal(modifyOrder, { symbol: 'BTCUSDT' }).msg).toBe('Order ID or client order ID is required');
    expect(refusal(placeOrder, { ...sampleRequest(placeOrder), size: '0', price: '' }).code).toBe('40015');
    expect(refusal(trades, { symbol: 'X', idLessThan: '9', startTime: '0', endTime: '9999999' }).msg).toMatch(/^idLessThan/);
  });

  it('puts rows of the table before general refusals', () => {
    const raw = { ...sampleRequest(ENDPOINTS.placeOrder), side: 'UP', size: '0' };
    expect(refusal(ENDPOINTS.placeOrder, raw).code).toBe('40015');
  });

  it('accepts 50 orders and refuses 51', () => {
    const list = (length: number): unknown => ({ symbol: 'BTCUSDT', orderList: Array.from({ length }, () => order) });
    expect(validate(ENDPOINTS.placeSpotOrders, list(50)).ok).toBe(true);
    expect(refusal(ENDPOINTS.placeSpotOrders, list(51)).msg).toBe('Maximum 50 orders allowed');
  });

  it('accepts a window of one hour less a millisecond and refuses one hour', () => {
    const window = (to: number): unknown => ({ symbol: 'BTCUSDT', startTime: '1700000000000', endTime: String(to) });
    expect(validate(ENDPOINTS.trades, window(1_700_003_599_999)).ok).toBe(true);
    expect(refusal(ENDPOINTS.trades, window(1_700_003_600_000)).msg).toBe('startTime and endTime must be less than 1 hour');
    expect(refusal(ENDPOINTS.trades, window(1_699_999_999_999)).msg).toBe('startTime and endTime must be less than 1 hour');
  });
});

describe('the validated parameters', () => {
  const read = <E extends Endpoint>(endpoint: E, raw: unknown) => {
    const result = validate(endpoint, raw);
    if (!result.ok) throw new Error(result.row.msg);
    return result.value;
  };

  it('have numbers for the numbers of a query, but text for ids', () => {
    expect(read(ENDPOINTS.trades, { symbol: 'BTCUSDT', limit: '20', idLessThan: '90071992547409931234' })).toEqual({
      symbol: 'BTCUSDT',
      limit: 20,
      idLessThan: '90071992547409931234',
    });
    expect(read(ENDPOINTS.pendingOrders, { limit: '100', idLessThan: 'fu-9' })).toEqual({ limit: 100, idLessThan: 'fu-9' });
  });

  it('have defaults filled in and a limit reduced to its maximum', () => {
    expect(read(ENDPOINTS.trades, { symbol: 'BTCUSDT' })).toEqual({ symbol: 'BTCUSDT', limit: 500 });
    expect(read(ENDPOINTS.trades, { symbol: 'BTCUSDT', limit: '5000' }).limit).toBe(1000);
    expect(read(ENDPOINTS.cancelSpotOrders, { symbol: 'BTCUSDT', orderList: [{ orderId: '1' }] }).batchMode).toBe('single');
  });

  it('accept both words for cross margin', () => {
    const mode = (marginMode: string): string => read(ENDPOINTS.setMarginMode, { symbol: 'BTCUSDT', marginMode }).marginMode;
    expect([mode('CROSS'), mode('CROSSED'), mode('ISOLATED')]).toEqual(['CROSS', 'CROSS', 'ISOLATED']);
  });

  it('lack empty values', () => {
    expect(read(ENDPOINTS.tickers, { symbol: '' })).toEqual({});
    expect(read(ENDPOINTS.placeOrder, { ...sampleRequest(ENDPOINTS.placeOrder), clientOid: null }).clientOid).toBeUndefined();
  });

  it.each([
    [10, '10'],
    [-0.5, '-0.5'],
    [1e-7, '0.0000001'],
    [0.1, '0.1'],
    [1e21, '1000000000000000000000'],
  ])('have the amount %d as the decimal %s', (amount, text) => {
    expect(read(ENDPOINTS.setMargin, { symbol: 'BTCUSDT', holdSide: 'LONG', amount }).amount).toBe(text);
  });

  it('are not read from the prototype', () => {
    const raw = Object.create({ symbol: 'BTCUSDT' }) as object;
    expect(refusal(ENDPOINTS.account, raw).msg).toBe('symbol does not exist');
  });
});
