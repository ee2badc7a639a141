/** Uses the client that openapi-typescript generates, with openapi-fetch: a public read, a signed order, errors. Prints what came back. */
import createClient from 'openapi-fetch';
import { sign } from './sign.ts';
import type { paths } from './generated/openapi-typescript.ts';

const client = createClient<paths>({ baseUrl: process.argv[2]! });
client.use({ onRequest: ({ request }) => sign(request) });

const quote = await client.GET('/api/v1/future/market/book-ticker', { params: { query: { symbol: 'BTCUSDT' } } });
const order = { symbol: 'BTCUSDT', marginMode: 'CROSS', side: 'LONG', tradeSide: 'OPEN', orderType: 'LIMIT' } as const;
const placed = await client.POST('/api/v1/future/order/place-order', {
  body: { ...order, size: '0.01', price: '30000.0', clientOid: 'openapi-fetch' },
});
const tooSmall = await client.POST('/api/v1/future/order/place-order', { body: { ...order, size: '0.00001', price: '30000.0' } });
const pending = await client.GET('/api/v1/future/order/orders-pending', { params: { query: { limit: 10, symbol: 'BTCUSDT' } } });
const batch = await client.POST('/api/v1/spot/trade/batch-cancel-orders', {
  body: { symbol: 'BTCUSDT', orderList: [{ orderId: 'sp-0' }] },
});
// @ts-expect-error A word that the interface does not have is found by the compiler.
void ((): unknown => client.POST('/api/v1/future/order/place-order', { body: { ...order, size: '1', orderType: 'ICEBERG' } }));

const record = quote.data?.data;
const failed = batch.data?.data.failureList[0];
process.stdout.write(
  JSON.stringify({
    bid: Array.isArray(record) ? record[0]?.bidPrice : record?.bidPrice,
    placed: placed.data?.data.clientOid,
    pending: pending.data?.data.entrustedList.map(({ clientOid, price, status }) => `${clientOid} ${price} ${status}`),
    refused: [tooSmall.response.status, tooSmall.error?.code, tooSmall.error?.msg],
    failed: [failed?.orderId, failed?.errorCode, failed?.errorMsg],
  }),
);
