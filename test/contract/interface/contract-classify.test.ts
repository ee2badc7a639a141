import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classify, type AnswerClass } from '../../../src/contract/classify.ts';
import { ENDPOINT_LIST, ENDPOINTS, endpointById } from '../../../src/contract/endpoints/endpoints.ts';
import { errorCases } from '../../../src/contract/docs/samples.ts';

/** The class of each error row: static unless listed here. */
const NOT_STATIC: Readonly<Record<string, Exclude<AnswerClass, 'ok' | 'rate' | 'static'>>> = {
  'E1 Unauthorized': 'auth',
  'E2 Unauthorized': 'auth',
  'E3 symbol does not exist': 'stateful',
  'E3 No symbols found': 'ambiguous',
  'E4 coin does not exist': 'stateful',
  'E4 No coins found': 'ambiguous',
  'E5 Unauthorized': 'auth',
  'E5 Coin not found': 'stateful',
  'E5 System error': 'ambiguous',
  'E6 symbol does not exist': 'stateful',
  'E6 Upstream response invalid': 'ambiguous',
  'E7 symbol does not exist': 'stateful',
  'E7 Upstream response invalid': 'ambiguous',
  'E8 symbol does not exist': 'stateful',
  'E8 Upstream response invalid': 'ambiguous',
  'E9 symbol does not exist': 'stateful',
  'E10 symbol does not exist': 'stateful',
  'E10 A different margin mode is not available than the position currently opened': 'stateful',
  'E11 symbol does not exist': 'stateful',
  'E11 Position not found': 'stateful',
  'E11 Insufficient balance': 'stateful',
  'E11 Insufficient position margin': 'stateful',
  'E12 symbol does not exist': 'stateful',
  'E12 No position to close': 'stateful',
  'E12 Custom ID already exists': 'duplicate',
  'E12 Already ordering': 'busy',
  'E12 A different margin mode is not available than the position currently opened': 'stateful',
  'E12 Open Size is too large': 'stateful',
  'E12 Insufficient balance': 'stateful',
  'E12 Price is not the last price': 'stateful',
  'E12 Quantity is greater than the position quantity': 'stateful',
  'E13 symbol does not exist': 'stateful',
  'E13 Custom ID already exists': 'duplicate',
  'E13 Already ordering': 'busy',
  'E13 A different margin mode is not available than the position currently opened': 'stateful',
  'E13 Open Size is too large': 'stateful',
  'E13 Insufficient balance': 'stateful',
  'E14 symbol does not exist': 'stateful',
  'E14 Order not found': 'not-found',
  'E14 Invalid new Order price': 'stateful',
  'E14 New Size is too large': 'stateful',
  'E14 Insufficient balance': 'stateful',
  'E15 Order not found': 'not-found',
  'E16 Order not found': 'not-found',
  'E20 symbol does not exist': 'stateful',
  'E20 Upstream response invalid': 'ambiguous',
};

describe('every error row', () => {
  it.each(errorCases())('$name', ({ endpoint, row }) => {
    const expected = NOT_STATIC[`${endpoint.id} ${row.msg}`] ?? 'static';
    expect(classify(endpoint, row.code, row.msg)).toEqual({ class: expected, reason: row.reason });
  });

  it('lists no row that does not exist', () => {
    const names = new Set(errorCases().map(({ endpoint, row }) => `${endpoint.id} ${row.msg}`));
    expect(Object.keys(NOT_STATIC).filter((name) => !names.has(name))).toEqual([]);
  });
});

describe('an error that is not in the table', () => {
  const { placeOrder, placePlanOrder, positions, tickers } = ENDPOINTS;

  it.each([
    ['an unknown code', '49999', 'symbol does not exist'],
    ['an unknown message under 40001', '40001', 'The moon is too high'],
    ['a message of another endpoint under 40001', '40001', 'New Size is too small'],
    ['40034, which this endpoint does not have', '40034', 'symbol does not exist'],
    ['an upstream error', '50010', 'Upstream response invalid'],
    ['an empty code', '', ''],
  ])('is ambiguous: %s', (_name, code, msg) => {
    expect(classify(placeOrder, code, msg)).toEqual({ class: 'ambiguous' });
  });

  it('with another message is ambiguous, even if the code has one meaning on its endpoint [outcomes C11]', () => {
    expect(classify(placeOrder, '40019', 'engine time-out, state unknown')).toEqual({ class: 'ambiguous' });
    expect(classify(placeOrder, '40015', 'Size is below the minimum')).toEqual({ class: 'ambiguous' });
    expect(classify(placePlanOrder, '40015', 'Open Size is too small')).toEqual({ class: 'ambiguous' });
  });

  it.each([' Symbol  does not exist. ', 'SYMBOL DOES NOT EXIST', 'symbol does not exist !'])(
    'is tolerated if it differs in case, white space or final punctuation: "%s"',
    (message) => {
      expect(classify(placeOrder, '40001', message).class).toBe('stateful');
    },
  );

  it('is ambiguous for every row with the same code and another message [outcomes C12]', () => {
    for (const { endpoint, row } of errorCases()) {
      for (const message of [`${row.msg} or not`, `not ${row.msg}`, '', 'engine time-out, state unknown']) {
        expect(classify(endpoint, row.code, message), `${endpoint.id} ${row.code} ${message}`).toEqual({ class: 'ambiguous' });
      }
    }
  });

  it('40002 is an authentication failure on endpoints with a signature', () => {
    expect(classify(positions, '40002', 'Unauthorized').class).toBe('auth');
    expect(classify(positions, '40002', 'something else').class).toBe('ambiguous');
    expect(classify(tickers, '40002', 'Unauthorized').class).toBe('ambiguous');
  });

  it('the HTTP status may contradict a code, but never confirms one', () => {
    expect(classify(placeOrder, '00000', 'success', 200).class).toBe('ok');
    expect(classify(placeOrder, '00000', 'success', 500).class).toBe('ambiguous');
    expect(classify(placeOrder, '40015', 'Open Size is too small', 400).class).toBe('static');
    expect(classify(placeOrder, '40015', 'Open Size is too small', 502).class).toBe('ambiguous');
    expect(classify(placeOrder, '40015', 'Open Size is too small', 429).class).toBe('rate');
    expect(classify(placeOrder, '429', 'Too many requests', 400).class).toBe('rate');
  });
});

describe('under fuzz', () => {
  const REFUSALS: readonly AnswerClass[] = ['static', 'stateful', 'duplicate', 'busy', 'not-found', 'auth'];
  const endpoint = fc.constantFrom(...ENDPOINT_LIST);
  const codes = [...new Set(errorCases().map(({ row }) => row.code))];
  const messages = [...new Set(errorCases().map(({ row }) => row.msg))];
  const code = fc.oneof(fc.constantFrom(...codes), fc.string(), fc.integer({ min: 0, max: 99_999 }).map(String));
  const mutated = fc
    .tuple(fc.constantFrom(...messages), fc.nat(), fc.string({ minLength: 1, maxLength: 3 }))
    .map(([msg, at, put]) => msg.slice(0, at % msg.length) + put + msg.slice((at % msg.length) + 1));
  const message = fc.oneof(fc.constantFrom(...messages), mutated, fc.string());
  const same = (a: string, b: string): boolean => {
    const plain = (text: string): string =>
      text
        .trim()
        .replace(/\s+/g, ' ')
        .replace(/ ?[.!;:,]+$/, '')
        .toLowerCase();
    return plain(a) === plain(b);
  };

  it('no code and message count as a refusal unless the endpoint’s table has them', () => {
    fc.assert(
      fc.property(endpoint, code, message, (e, c, m) => {
        const { class: found } = classify(e, c, m);
        if (!REFUSALS.includes(found)) return;
        const rows = e.errors.filter((row) => row.code === c);
        const isWorded = rows.some((row) => same(row.msg, m)) || (e.auth && c === '40002' && same(m, 'Unauthorized'));
        expect(isWorded).toBe(true);
      }),
      { numRuns: 20_000 },
    );
  });

  it('changed messages under 40001 never count as a refusal', () => {
    const shared = fc.constantFrom('E1', 'E2', 'E5', 'E10', 'E11', 'E12', 'E13', 'E14', 'E15', 'E16');
    fc.assert(
      fc.property(shared, mutated, (id, m) => {
        fc.pre(!messages.some((known) => same(known, m)));
        expect(classify(endpointById(id as 'E1'), '40001', m)).toEqual({ class: 'ambiguous' });
      }),
      { numRuns: 20_000 },
    );
  });
});
