/** An account on which another program places thousands of orders: the bot still becomes armed, and soon. */
import { Agent, request } from 'undici';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { ENDPOINTS } from '../../../src/contract/endpoints/endpoints.ts';
import { signedHeaders } from '../../support/exchange/exchange-client.ts';
import { addressOf, cleanUp, STOPPED } from '../process.ts';
import { Scene } from '../scene.ts';

/** Half of them rest, half were cancelled. */
const FOREIGN = Number(process.env['TICKWRIGHT_FOREIGN_ORDERS'] ?? 1_200);
const LANES = 24;
const ACCOUNT = { name: 'demo', key: 'demo-key', secret: 'demo-secret', passphrase: 'demo-pass' };

const agent = new Agent({ connections: LANES });
afterEach(cleanUp);

async function post(
  url: string,
  name: 'placeOrder' | 'cancelOrders',
  params: unknown,
): Promise<{ code: string; data: { orderId: string } }> {
  const { method, path } = ENDPOINTS[name];
  const body = JSON.stringify(params);
  const headers = { 'content-type': 'application/json', ...signedHeaders(ACCOUNT, String(Date.now()), method, path, body) };
  const reply = await request(url + path, { method, body, headers, dispatcher: agent });
  return (await reply.body.json()) as { code: string; data: { orderId: string } };
}

it(
  `${FOREIGN} foreign orders of the last hour: armed, own orders found, and polls continue`,
  { timeout: 300_000 + FOREIGN * 20 },
  async () => {
    const scene = new Scene(41);
    const url = await addressOf(scene.exchange('0', ['--ledger-reads', 'none']));
    const quote = await request(`${url}/api/v1/future/market/book-ticker?symbol=BTCUSDT`);
    const { data } = (await quote.body.json()) as { data: { bidPrice: string } };
    const far = (Math.round(Number(data.bidPrice) * 5) / 10).toFixed(1);
    const order = {
      symbol: 'BTCUSDT',
      marginMode: 'CROSS',
      size: '0.001',
      side: 'LONG',
      tradeSide: 'OPEN',
      orderType: 'LIMIT',
      price: far,
    };
    let placed = 0;
    const cancel: string[] = [];
    const lane = async (): Promise<void> => {
      while (placed < FOREIGN) {
        const n = placed++;
        const { code, data: made } = await post(url, 'placeOrder', { ...order, clientOid: `other-${n}` });
        if (code !== '00000') throw new Error(`order ${n} was refused with ${code}`);
        if (n % 2 === 0) cancel.push(made.orderId);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    for (let k = 0; k < cancel.length; k += 50) {
      await post(url, 'cancelOrders', { orderIdList: cancel.slice(k, k + 50).map((orderId) => ({ orderId })) });
    }

    const bot = scene.run(url);
    await bot.untilLogged('armed');
    const from = bot.log[0]?.time ?? 0;
    console.info(`armed ${(bot.logged('armed')[0]?.time ?? 0) - from} ms after the first log line, with ${FOREIGN} foreign orders`);
    await bot.untilLogged('fill');
    // Its own resting order is found again among them.
    await sleep(500);
    await bot.kill('SIGKILL');
    const again = scene.run(url);
    await again.untilLogged('fill', 2);
    expect(again.logged('journal-rollback')).toEqual([]);
    expect(again.logged('unexpected-order')).toEqual([]);
    // Polls of pending orders end once the last own order was listed, so they do not take a hundred requests each.
    const reads = again.logged('read-failed').filter((line) => line['kind'] === 'pending' || line['kind'] === 'history');
    expect(reads).toEqual([]);
    await scene.calmDown(again);
    await again.kill('SIGTERM');
    expect(STOPPED).toContain(again.code);
  },
);
