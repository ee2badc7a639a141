/** The queries of the page that the bot answers: their fields reach it as they are. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startControl } from '../../../../src/edge/control/control-server.ts';
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
