/** The queries of the page: fields of those that the bot answers reach it as they are, and what charts are told of halts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startControl } from '../../../../src/edge/control/control-server.ts';
import type { WebReply } from '../../../../src/edge/web/web-server.ts';
import { ReadModel } from '../../../../src/monitor/model/read-model.ts';
import type { StatusRow } from '../../../../src/control/changes.ts';
import { routesOf, type RouteDeps } from '../../../../src/run/monitor/route-handlers.ts';

it('a query of a time reaches the bot with its time; one that names no session is one of now', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'queries-'));
  const heard: object[] = [];
  const server = await startControl({
    folder,
    port: null,
    handler: (_method, _name, given) => {
      heard.push(given);
      return Promise.resolve({ status: 200, body: {} });
    },
    now: () => performance.now(),
    onError: (error) => {
      throw error;
    },
  });
  try {
    const { query } = routesOf({ folder } as RouteDeps);
    await query({ words: { name: 'why' }, given: { what: 'BTCUSDT', at: '10:32' }, session: null });
    await query({ words: { name: 'why' }, given: { what: 'BTCUSDT', session: '', at: '0', fork: '' }, session: null });
    expect(heard).toEqual([{ what: 'BTCUSDT', at: '10:32' }, { what: 'BTCUSDT' }]);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

it('bars have the halts of the symbol, of its position sides, of the whole bot and of the strategies that trade it', async () => {
  const model = new ReadModel(0);
  model.status = { strategies: [{ name: 'grid', symbols: ['ETHUSDT'] }] } as unknown as StatusRow;
  const scopes = ['bot', 'symbol:ETHUSDT', 'leg:ETHUSDT:LONG', 'strategy:grid', 'strategy:other', 'symbol:ETHUSDTX'];
  model.haltSpans.take(
    scopes.map((scope) => ({ scope, code: 'operator', detail: '', since: 1, by: 'ann', ends: '' })),
    2,
  );
  const haltsOf = async (symbol: string): Promise<string[]> => {
    const reply = await routesOf({ model } as RouteDeps).bars({ words: {}, given: { symbol }, session: null });
    return (JSON.parse(String((reply as WebReply).body)) as { halts: { scope: string }[] }).halts.map(({ scope }) => scope);
  };
  expect(await haltsOf('ETHUSDT')).toEqual(scopes.slice(0, 4));
  expect(await haltsOf('BTCUSDT')).toEqual(['bot']);
});
