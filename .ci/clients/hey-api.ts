/** Uses the client that @hey-api/openapi-ts generates: a public read, a signed order, errors. Prints what came back. */
import { bookTickers, cancelSpotOrders, pendingOrders, placeOrder } from './generated/hey-api/index.js';
import { client } from './generated/hey-api/client.gen.js';
import { sign } from './sign.ts';

client.setConfig({ baseUrl: process.argv[2]! });
client.interceptors.request.use(sign);

const quote = await bookTickers({ query: { symbol: 'BTCUSDT' } });
const order = { symbol: 'BTCUSDT', marginMode: 'CROSS', side: 'LONG', tradeSide: 'OPEN', orderType: 'LIMIT' } as const;
const placed = await placeOrder({ body: { ...order, size: '0.01', price: '30000.0', clientOid: 'hey-api' } });
const tooSmall = await placeOrder({ body: { ...order, size: '0.00001', price: '30000.0' } });
const pending = await pendingOrders({ query: { limit: 10, symbol: 'BTCUSDT' } });
const batch = await cancelSpotOrders({ body: { symbol: 'BTCUSDT', orderList: [{ orderId: 'sp-0' }] } });
// @ts-expect-error A word that the interface does not have is found by the compiler.
void ((): unknown => placeOrder({ body: { ...order, size: '1', orderType: 'ICEBERG' } }));

const record = quote.data?.data;
const failed = batch.data?.data.failureList[0];
process.stdout.write(
  JSON.stringify({
    bid: Array.isArray(record) ? record[0]?.bidPrice : record?.bidPrice,
    placed: placed.data?.data.clientOid,
    pending: pending.data?.data.entrustedList.map(({ clientOid, price, status }) => `${clientOid} ${price} ${status}`),
    refused: [tooSmall.response?.status, tooSmall.error?.code, tooSmall.error?.msg],
    failed: [failed?.orderId, failed?.errorCode, failed?.errorMsg],
  }),
);
