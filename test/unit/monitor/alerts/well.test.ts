/** The ping outward: only while the bot is heard, armed, turning and reading. */
import { afterEach, expect, test } from 'vitest';
import { Secret } from '../../../../src/base/secret.ts';
import type { StatusRow } from '../../../../src/control/changes.ts';
import { faultOf } from '../../../../src/monitor/alerts/well.ts';
import { ReadModel } from '../../../../src/monitor/model/read-model.ts';
import { Ping } from '../../../../src/run/monitor/alerts/ping.ts';
import { MemoryLog } from '../../../support/engine/engine-kit.ts';
import { startRawServer, type RawServer } from '../../../support/exchange/raw-server.ts';

const NOW = 1_000_000;
let server: RawServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

function well(changes: Partial<StatusRow> = {}, turns = 11): ReadModel {
  const model = new ReadModel(0);
  const readAt = { equity: NOW, orders: NOW, positions: NOW, prices: NOW };
  model.status = { phase: 'armed', time: NOW, readAt, health: { turns }, ...changes } as unknown as StatusRow;
  model.connection = { state: 'connected', since: 0, heardAt: NOW, cause: '' };
  return model;
}
const SEEN = { heardAt: NOW, turns: 10, now: NOW };

test('a bot that is well has no fault, and each thing that is wrong is one', () => {
  expect(faultOf(well(), SEEN)).toBe('');
  const lost = well();
  lost.connection = { state: 'lost', since: 0, heardAt: 0, cause: 'x' };
  expect(faultOf(lost, SEEN)).toBe('the bot is not heard');
  expect(faultOf(well(), { ...SEEN, heardAt: NOW - 3_500 })).toBe('the bot is not heard');
  expect(faultOf(well({ phase: 'arming' }), SEEN)).toBe('the bot is not armed: arming');
  expect(faultOf(well({}, 10), SEEN)).toBe('the event loop of the bot has not turned');
  const readAt = { equity: NOW, orders: NOW, positions: NOW, prices: NOW };
  expect(faultOf(well({ readAt: { ...readAt, prices: NOW - 60_001 } }), SEEN)).toBe('prices are old');
  expect(faultOf(well({ readAt: { ...readAt, positions: 0 } }), SEEN), 'spot alone').toBe('');
  expect(faultOf(well({ readAt: { ...readAt, positions: 0, equity: 0 } }), SEEN)).toBe('the account was not read');
});

test('the address is told once a minute, not while the loop stands still, and a failure is logged without it', async () => {
  server = await startRawServer(({ socket }) => void socket.write('HTTP/1.1 500 no\r\ncontent-length: 0\r\n\r\n'));
  const log = new MemoryLog();
  const ping = new Ping(new Secret(`${server.url}/CANARY`), log);
  const hear = (time: number): void => ping.changed({ id: 'a-1', kind: 'end', time, end: {} });
  hear(NOW);
  ping.tick(NOW, well());
  await expect.poll(() => log.events()).toEqual(['ping-failed']);
  const later = (ms: number, turns: number): void => {
    const readAt = { equity: NOW + ms, orders: NOW + ms, positions: NOW + ms, prices: NOW + ms };
    hear(NOW + ms);
    ping.tick(NOW + ms, well({ readAt }, turns));
  };
  later(59_000, 12);
  later(60_000, 11);
  expect(log.events()).toEqual(['ping-failed', 'ping-withheld']);
  expect(server.requests).toHaveLength(1);
  later(61_000, 12);
  await expect.poll(() => server!.requests.length).toBe(2);
  expect(JSON.stringify(log)).not.toContain('CANARY');
});
