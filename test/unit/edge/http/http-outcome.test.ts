import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENDPOINT_LIST, ENDPOINTS } from '../../../../src/contract/endpoints/endpoints.ts';
import { decide } from '../../../../src/edge/http/outcome.ts';
import type { Called } from '../../../../src/venue/called.ts';
import { parseStrict } from '../../../../src/edge/strict-json.ts';
import type { WireFailure, WireReply } from '../../../../src/edge/http/transport.ts';

const place = ENDPOINTS.placeOrder;
const params = {
  symbol: 'BTCUSDT',
  marginMode: 'CROSS',
  size: '1',
  side: 'LONG',
  tradeSide: 'OPEN',
  orderType: 'MARKET',
  clientOid: 'tw-1-a',
} as never;
const good = '{"code":"00000","msg":"success","requestTime":1700000000000,"data":{"orderId":"fu-1","clientOid":"tw-1-a"}}';

function reply(body: string, status = 200): WireReply {
  return { ok: true, status, headers: {}, body, sentAt: 1, receivedAt: 2 };
}

function failure(phase: WireFailure['phase'], cause: string): WireFailure {
  return { ok: false, phase, cause, detail: '', sentAt: 1 };
}

function envelope(code: string, msg: string, data: unknown = null): string {
  return JSON.stringify({ code, msg, requestTime: 1_700_000_000_000, data });
}

describe('an attempt to place an order is', () => {
  const rows: readonly (readonly [row: string, status: string, name: string, result: WireReply | WireFailure])[] = [
    ['C2', 'unsent', 'a refused connection', failure('before-send', 'connection-refused')],
    ['C2', 'unsent', 'a time-out before the head was written', failure('before-send', 'timeout')],
    ['C3', 'unknown', 'a time-out after', failure('after-send', 'timeout')],
    ['C3', 'unknown', 'a reset after', failure('after-send', 'reset')],
    ['C4', 'unknown', 'a reply that is too large', failure('after-send', 'too-large')],
    ['C4', 'unknown', 'a redirect', failure('after-send', 'redirect')],
    ['C4', 'unknown', 'an empty body', reply('')],
    ['C4', 'unknown', 'a page of HTML', reply('<html><body>Welcome</body></html>')],
    ['C4', 'unknown', 'half an envelope', reply(good.slice(0, -12))],
    ['C4', 'unknown', 'two envelopes', reply(good + good)],
    ['C4', 'unknown', 'a duplicate code', reply(good.replace('"msg"', '"code":"40011","msg"'))],
    ['C4', 'unknown', 'a duplicate code in another spelling', reply(good.replace('"msg"', '"c\\u006fde":"40011","msg"'))],
    ['C4', 'unknown', 'endless nesting', reply('['.repeat(200_000))],
    ['C5', 'unknown', 'a list as the envelope', reply(`[${good}]`)],
    ['C5', 'unknown', 'an envelope without a code', reply('{"msg":"success","data":{}}')],
    ['C5', 'unknown', 'success without data', reply('{"code":"00000","msg":"success","requestTime":1}')],
    ['C5', 'unknown', 'success without an order id', reply(envelope('00000', 'success', { clientOid: 'tw-1-a' }))],
    ['C5', 'unknown', 'success with an empty order id', reply(envelope('00000', 'success', { orderId: '', clientOid: 'tw-1-a' }))],
    ['C6', 'unknown', "success of another's order", reply(envelope('00000', 'success', { orderId: 'fu-1', clientOid: 'tw-1-b' }))],
    ['C6', 'unknown', 'success without a client id', reply(envelope('00000', 'success', { orderId: 'fu-1', clientOid: '' }))],
    ['C7', 'accepted', 'success', reply(good)],
    ['C7', 'accepted', 'success with blanks and a line end', reply(`${JSON.stringify(JSON.parse(good), null, 2)}\n`)],
    ['C7', 'accepted', 'success whose data has a code of its own', reply(good.replace('"clientOid"', '"code":"40011","clientOid"'))],
    ['C7', 'accepted', 'success with a string for a time', reply(good.replace('1700000000000', '"1700000000000"'))],
    ['C7', 'accepted', 'success with status 201', reply(good, 201)],
    ['C8', 'unknown', 'a gateway page with status 502', reply('<html>Bad Gateway</html>', 502)],
    ['C8', 'unknown', 'status 500 with a clear refusal', reply(envelope('40019', 'Insufficient balance'), 500)],
    ['C8', 'unknown', 'status 503 with success', reply(good, 503)],
    ['C8', 'unknown', 'System error', reply(envelope('50000', 'System error'))],
    ['C8', 'unknown', 'Upstream response invalid', reply(envelope('50010', 'Upstream response invalid'))],
    ['C9', 'unknown', 'status 429 without a body', reply('', 429)],
    ['C9', 'unknown', 'status 429 with an envelope', reply(envelope('429', 'Too many requests'), 429)],
    ['C9', 'unknown', 'a rate message with status 200', reply(envelope('49999', 'Too Many Requests, slow down'))],
    ['C10', 'rejected', 'Unauthorized, in an envelope', reply(envelope('40002', 'Unauthorized'), 401)],
    ['C10', 'unknown', 'status 403 with a page', reply('<html>Forbidden</html>', 403)],
    ['C10', 'unknown', 'status 401 with an unknown code', reply(envelope('49998', 'who are you'), 401)],
    ['C11', 'rejected', 'Insufficient balance', reply(envelope('40019', 'Insufficient balance'))],
    ['C11', 'rejected', 'Insufficient balance with status 400', reply(envelope('40019', 'Insufficient balance'), 400)],
    ['C12', 'unknown', 'a code of one meaning with another message', reply(envelope('40015', 'size below minimum'))],
    ['C12', 'unknown', 'a refusal code for an unknown state', reply(envelope('40019', 'engine time-out, state unknown'))],
    ['C10', 'unknown', '40002 with another message', reply(envelope('40002', 'request expired'))],
    ['C11', 'rejected', 'an envelope without data', reply('{"code":"40011","msg":"Custom ID already exists","requestTime":1}')],
    ['C12', 'unknown', 'an unknown code', reply(envelope('48888', 'no idea'))],
    ['C12', 'unknown', '40001 with an unknown message', reply(envelope('40001', 'something else'))],
    ['C12', 'unknown', 'a code of another endpoint', reply(envelope('43003', 'Coin not found'))],
  ];

  it.each(rows)('%s %s: %s', (row, status, _name, result) => {
    expect(decide(place, params, result)).toMatchObject({ row, status });
  });

  it(`shows every row that a reply can decide: [outcomes C2] [outcomes C3] [outcomes C4] [outcomes C5] [outcomes C6] [outcomes C7]
    [outcomes C8] [outcomes C9] [outcomes C10] [outcomes C11] [outcomes C12]`, () => {
    expect([...new Set(rows.map(([row]) => row))]).toEqual(['C2', 'C3', 'C4', 'C5', 'C6', 'C7', 'C8', 'C9', 'C10', 'C11', 'C12']);
  });
});

describe('every row of the error table', () => {
  const cases = ENDPOINT_LIST.flatMap((endpoint) =>
    endpoint.errors.filter((row) => row.entry !== true).map((row) => ({ endpoint, row, name: `${endpoint.id} ${row.code} ${row.msg}` })),
  );
  it.each(cases)('$name', ({ endpoint, row }) => {
    const called = decide(endpoint, {}, reply(envelope(row.code, row.msg), 400));
    if (row.class === 'ambiguous') expect(called).toMatchObject({ status: 'unknown', row: 'C8' });
    else
      expect(called).toMatchObject({
        status: 'rejected',
        proves: row.class,
        rejection: { reason: row.reason, code: row.code, message: row.msg },
      });
  });
});

/** True if an object of this JSON text has a duplicate key in any spelling. Each brace starts or ends the keys of one object. */
function saysKeyTwice(body: string): boolean {
  const open: Set<string>[] = [];
  for (const [token, name] of body.matchAll(/"((?:[^"\\]|\\.)*)"\s*:|"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (name !== undefined) {
      const key = JSON.parse(`"${name}"`) as string;
      if (open.at(-1)!.has(key)) return true;
      open.at(-1)!.add(key);
    }
  }
  return false;
}

/** Removes the differences that two spellings of one message may have. */
function plainly(msg: string): string {
  return msg
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ')
    .replace(/ ?[.!;:,]+$/, '');
}

/** An independent, slow implementation of the rule: only a complete envelope with one meaning proves anything. */
function mayProve(called: Called<unknown>, body: string): boolean {
  if (called.status !== 'accepted' && called.status !== 'rejected') return true;
  let value: { code?: string | number; data?: { orderId?: string | number; clientOid?: unknown } };
  try {
    value = JSON.parse(body) as typeof value;
  } catch {
    return false;
  }
  if (value.code === undefined || saysKeyTwice(body)) return false;
  if (called.status === 'accepted')
    return String(value.code) === '00000' && value.data?.clientOid === 'tw-1-a' && String(value.data.orderId) !== '';
  const same = (msg: string): boolean => plainly(msg) === plainly((value as { msg?: string }).msg ?? '');
  const isRow = place.errors.some((row) => row.code === String(value.code) && same(row.msg));
  return isRow || (String(value.code) === '40002' && same('Unauthorized'));
}

describe('damaged replies', () => {
  const refusalBody = envelope('40001', 'symbol does not exist');

  it('prove nothing if cut off anywhere [N5]', () => {
    for (const body of [good, refusalBody]) {
      for (let end = 0; end < body.length; end++) {
        expect(decide(place, params, reply(body.slice(0, end))).status).toBe('unknown');
      }
    }
  });

  it('prove nothing beyond the slow implementation, for any mutation [N5] [N6]', () => {
    const edit = fc.record({
      at: fc.nat(1_000),
      kind: fc.constantFrom('drop', 'flip', 'insert', 'repeat', 'splice'),
      char: fc.constantFrom(...'"{}[]:,0145\\ue \u0000codnul'),
      length: fc.nat(40),
    });
    const statuses = fc.constantFrom(200, 200, 200, 201, 400, 401, 404, 429, 500);
    let proved = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(good, refusalBody, envelope('40019', 'Insufficient balance')),
        fc.array(edit, { minLength: 1, maxLength: 4 }),
        statuses,
        (start, edits, status) => {
          let body = start;
          for (const { at, kind, char, length } of edits) {
            const i = at % (body.length + 1);
            const [left, right] = [body.slice(0, i), body.slice(i)];
            if (kind === 'drop') body = left + right.slice(length);
            else if (kind === 'flip') body = left + char + right.slice(1);
            else if (kind === 'insert') body = left + char + right;
            else if (kind === 'repeat') body = left + left.slice(-length) + right;
            else body = left + good.slice(at % good.length, (at % good.length) + length) + right;
          }
          const called = decide(place, params, reply(body, status));
          if (called.status !== 'unknown') proved++;
          expect(mayProve(called, body), body).toBe(true);
        },
      ),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 50_000) },
    );
    expect(proved).toBeGreaterThan(100);
  });

  it('of any JSON are never accepted as an answer of any endpoint, and never throw [N6]', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ENDPOINT_LIST), fc.jsonValue(), fc.constantFrom(200, 400, 500), (endpoint, value, status) => {
        const called = decide(endpoint, {}, reply(JSON.stringify(value), status));
        expect(called.status).toBe('unknown');
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('public market data', () => {
  const quote = (symbol: string, bidPrice: unknown): object => ({ symbol, bidPrice, bidQty: '1', askPrice: '2', askQty: '1', ts: 5 });

  it('is read in part if one record is damaged', () => {
    const body = envelope('00000', 'success', [quote('A', '1'), quote('B', null), quote('C', '1.5')]);
    const called = decide(ENDPOINTS.bookTickers, {}, reply(body));
    expect(called).toMatchObject({ status: 'accepted', malformed: 1 });
    expect(called.status === 'accepted' && called.value.map((record) => record.symbol)).toEqual(['A', 'C']);
  });

  it('is not an answer if no record is readable', () => {
    expect(decide(ENDPOINTS.bookTickers, {}, reply(envelope('00000', 'success', [quote('A', null)])))).toMatchObject({ row: 'C5' });
    expect(decide(ENDPOINTS.bookTickers, {}, reply(envelope('00000', 'success', null)))).toMatchObject({ row: 'C5' });
  });

  it('unlike positions, which are read completely or not at all', () => {
    expect(decide(ENDPOINTS.positions, {}, reply(envelope('00000', 'success', [{ symbol: 'A' }])))).toMatchObject({ row: 'C5' });
    expect(decide(ENDPOINTS.positions, {}, reply(envelope('00000', 'success', [])))).toMatchObject({ row: 'C7' });
  });

  it('survives endless nesting', () => {
    const deep = `{"code":"00000","msg":"","data":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    expect(decide(ENDPOINTS.bookTickers, {}, reply(deep)).status).toBe('unknown');
  });
});

describe('strict JSON', () => {
  it('accepts what JSON.parse accepts, except duplicate keys and deep nesting', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        expect(parseStrict(text)).toEqual({ value: JSON.parse(text) as unknown });
      }),
      { numRuns: 5_000 },
    );
    expect(parseStrict(`${'['.repeat(64)}${']'.repeat(64)}`)).toHaveProperty('value');
    expect(parseStrict(`${'['.repeat(65)}${']'.repeat(65)}`)).toEqual({ error: 'too-deep' });
    expect(parseStrict('{"a":1,"b":{"a":1},"c":[{"a":1},{"a":2}]}')).toHaveProperty('value');
    expect(parseStrict('{"a":{"b":1},"c":"x","a":2}')).toEqual({ error: 'duplicate-key' });
    expect(parseStrict('{"a" \n\t:1,"\\u0061":2}')).toEqual({ error: 'duplicate-key' });
    expect(parseStrict('{"a":"b\\":","b":1}')).toHaveProperty('value');
    expect(parseStrict('{"a')).toEqual({ error: 'not-json' });
  });
});

describe('what stands between is told apart, by status and words', () => {
  const page = (title: string, text: string): string =>
    `<!DOCTYPE html><html><head><title>${title}</title><style>b{}</style></head><body><script>x()</script><h1>${text}</h1></body></html>`;
  const rows: readonly (readonly [cause: string, row: string, says: string, result: WireReply])[] = [
    ['unauthorized', 'C10', 'status 401: API key expired', reply('API key expired', 401)],
    ['unauthorized', 'C10', 'status 401 code 40099 Key is revoked', reply(envelope('40099', 'Key is revoked'), 401)],
    ['forbidden', 'C10', 'status 403: Forbidden Your IP is not on the list', reply(page('Forbidden', 'Your IP is not on the list'), 403)],
    ['forbidden', 'C10', 'status 403 code 40099 no trading right', reply(envelope('40099', 'no trading right'), 403)],
    ['rate-limited', 'C9', 'status 429: slow down', reply('slow down', 429)],
    ['unavailable', 'C8', 'status 503: an empty body', reply('', 503)],
    ['unavailable', 'C8', 'status 503: 503 try later', reply(page('503', 'try later'), 503)],
    ['maintenance', 'C8', 'status 503: Down We are under maintenance', reply(page('Down', 'We are under maintenance'), 503)],
    ['maintenance', 'C8', 'status 503 code 50000 System maintenance', reply(envelope('50000', 'System maintenance'), 503)],
    ['maintenance', 'C4', 'status 200: Scheduled maintenance', reply('<p>Scheduled maintenance</p>')],
    ['gateway-page', 'C8', 'status 502: Bad Gateway nginx', reply(page('Bad Gateway', 'nginx'), 502)],
    ['gateway-page', 'C4', 'status 200: Welcome', reply('<html>Welcome</html>')],
    ['not-json', 'C4', 'status 200: half {"code"', reply('half {"code"')],
    ['venue-fault', 'C8', 'status 500: oops', reply('oops', 500)],
  ];
  it.each(rows)('%s %s: %s', (cause, row, says, result) => {
    expect(decide(place, params, result)).toMatchObject({ status: 'unknown', row, cause, detail: says });
  });

  it('without secrets, markup and hidden characters, and never a whole body', () => {
    const secret = 'SECRET-of-the-key-0123456789';
    const scrub = (text: string): string => text.replaceAll(secret, '[secret]');
    for (let at = 0; at < 160; at += 7) {
      const body = `<p>${'x'.repeat(at)}${secret}\u202e\u0007 ${'y'.repeat(10_000)}</p>`;
      const { detail } = decide(place, params, reply(body, 403), scrub) as { detail: string };
      for (let n = 8; n <= secret.length; n++) expect(detail).not.toContain(secret.slice(0, n));
      expect(detail).not.toMatch(/[<>]|\p{Cc}|\p{Cf}/u);
      expect(detail.length).toBeLessThan(160);
    }
  });
});
