/** The file of alerts: what was told and what became of it survives, old rows are dropped, and another process may look. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { AlertStore } from '../../../../src/edge/alerts/alert-store.ts';
import type { AlertMessage } from '../../../../src/ports/alert-channel.ts';

const folder = mkdtempSync(join(tmpdir(), 'alert-store-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const DAY = 86_400_000;
const message = (time: number): AlertMessage => ({ alert: 1, severity: 'critical', title: 't', text: 'x', time, isResolved: false });

test('a message that was on its way is found after a restart, one with a fate is not', () => {
  const file = join(folder, 'waiting.sqlite');
  const store = new AlertStore(file);
  const first = store.tell(message(1), ['phone', 'room']);
  store.deliver(first, 'phone', { fate: 'delivered', time: 2, cause: '', tries: 1 });
  store.keep('alerts', '{"a":1}');
  store.close();
  const again = new AlertStore(file);
  expect(again.waiting()).toEqual([{ number: first, channel: 'room', message: message(1) }]);
  expect(again.kept('alerts')).toBe('{"a":1}');
  const reader = new AlertStore(file, true);
  expect(reader.told(10)).toMatchObject([
    {
      number: first,
      deliveries: [
        { channel: 'phone', fate: 'delivered' },
        { channel: 'room', fate: 'waiting' },
      ],
    },
  ]);
  reader.close();
  again.close();
});

test('rows are kept for 90 days', () => {
  const store = new AlertStore(join(folder, 'prune.sqlite'));
  const now = 200 * DAY;
  const row = { kind: 'event', name: 'fill', cause: 'BTCUSDT', ms: 0, count: 3 } as const;
  store.note([
    { ...row, minute: now - 91 * DAY, at: now - 91 * DAY },
    { ...row, minute: now - 89 * DAY, at: now - 89 * DAY },
  ]);
  for (const days of [91, 89]) store.tell(message(now - days * DAY), ['phone']);
  store.prune(now);
  expect(store.past(0).map(({ minute }) => (now - minute) / DAY)).toEqual([89]);
  expect(store.told(10).map(({ time }) => (now - time) / DAY)).toEqual([89]);
  store.close();
});
