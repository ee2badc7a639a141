/** A monitor that begins beside a bot that has stopped shows what the store says of it, as `status` does. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openEmbeddedStore } from '../../../../src/edge/embedded/embedded-store.ts';
import { SILENT_LOG } from '../../../../src/ports/log.ts';
import { NO_STATUS } from '../../../../src/run/bot/answers/views.ts';
import { askMonitor } from '../../../../src/run/monitor/ask-monitor.ts';
import { stoppedIn } from '../../../../src/run/monitor/followed/stopped-in.ts';
import { runMonitor } from '../../../../src/run/monitor/monitor.ts';
import { btc, pushedRig } from '../../../support/engine/engine-kit.ts';

let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'begins-stopped-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const LEG = { symbol: 'BTCUSDT', side: 'LONG', size: '0.010', exits: [{ by: 'venue', what: 'stop-loss', price: '990' }] };

/** A store of a bot that stopped at 900 with a position and a resting order. */
async function stop(): Promise<void> {
  const r = pushedRig();
  const seq = r.ctx().open(r.ctx().markets[0]!, 'LONG', { limit: 999, size: '0.01', stopLoss: 990 });
  const store = openEmbeddedStore({ folder });
  for (const record of r.records) store.append(record);
  const status = { ...NO_STATUS, bot: 'b', isRunning: true, phase: 'stopped', time: 900, positions: [LEG], readAt: { positions: 800 } };
  const shown = { status, bot: 'b', instruments: [btc(0)] };
  const saved = { after: r.records.length, kernel: r.kernel.snapshot(), fills: 3, startEquity: 0, reasons: { [seq]: 'rung' }, shown };
  store.put('snapshot', JSON.stringify(saved));
  store.put('epoch', '7');
  await store.commit();
  await store.close();
}

it('its status, positions with their exits, and orders', async () => {
  expect(stoppedIn(folder)).toBeNull();
  await stop();
  expect(stoppedIn(folder)!.now).toMatchObject({
    status: { phase: 'stopped', isRunning: false, time: 900, fills: 3, orders: 1, health: { turns: 0 } },
    positions: [{ ...LEG, provenAt: 800 }],
    orders: [{ number: 1, symbol: 'BTCUSDT', state: 'submitting', reason: 'rung', updatedAt: 900 }],
  });
  const ending = new AbortController();
  const options = { folder, env: {}, port: 0, log: SILENT_LOG, signal: ending.signal, onReady: () => undefined };
  const ended = runMonitor(options);
  await vi.waitUntil(async () => (await askMonitor(folder, 'last-status', {})) !== null, { timeout: 60_000 });
  expect(await askMonitor(folder, 'last-status', {})).toMatchObject({ phase: 'stopped', fills: 3, positions: [LEG] });
  ending.abort();
  await ended;
});
