/** The line of `doctor` about alerts. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { examineAlerts } from '../../../src/cli/bot/start/doctor-alerts.ts';
import type { Finding } from '../../../src/cli/outputs/outputs.ts';
import { defaultConfig } from '../../../src/config/defaults.ts';
import type { BotConfig, MonitorConfig } from '../../../src/config/model.ts';
import { AlertStore } from '../../../src/edge/alerts/alert-store.ts';
import { ALERTS_FILE } from '../../../src/run/monitor/alerts/alert-watcher.ts';

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tickwright-doctor-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const PHONE = '{ name: phone, kind: ntfy, topic: canary-topic }';

function look(
  yaml: string | null,
  {
    baseUrl = 'https://api.example.com',
    enabled = 'start',
  }: { readonly baseUrl?: string; readonly enabled?: MonitorConfig['enabled'] } = {},
): Promise<Finding> {
  const file = yaml === null ? '' : join(folder, 'alerts.yaml');
  if (yaml !== null) writeFileSync(file, yaml, { mode: 0o600 });
  const all = defaultConfig();
  const config: BotConfig = {
    ...all,
    alerts: { ...all.alerts, file },
    venue: { ...all.venue, baseUrl },
    monitor: { ...all.monitor, enabled },
    store: { ...all.store, kind: 'embedded', folder: join(folder, 'bot') },
  };
  return examineAlerts(config);
}

it('says that there is no channel, which is a warning at a remote venue', async () => {
  expect(await look(null)).toMatchObject({ status: 'warning', finding: expect.stringContaining('alerts.file') });
  expect(await look(null, { baseUrl: 'http://127.0.0.1:1' })).toMatchObject({ subject: 'alerts', status: 'ok' });
});

it('names the channels and what proves them, without what is secret', async () => {
  const { status, finding } = await look(
    `channels: [${PHONE}, { name: pager, kind: ntfy, topic: canary-two, from: critical, escalation: true }]\n`,
  );
  expect(status).toBe('ok');
  expect(finding).toContain('phone (ntfy), pager (ntfy, from critical, only escalated); no ping');
  expect(finding).toContain('`tickwright alert test`');
  expect(finding).not.toContain('canary');
});

it('says what is wrong with the file', async () => {
  expect(await look('channels: [{ name: phone, kind: pigeon }]\n')).toMatchObject({
    status: 'bad',
    finding: expect.stringContaining('kind'),
  });
  expect(await look('ping: https://example.com/canary\n')).toMatchObject({
    status: 'warning',
    finding: expect.stringMatching(/has no channel; a ping each minute; nobody is told/),
  });
});

it('warns where nobody would be told', async () => {
  expect(await look(`channels: [${PHONE}]\n`, { enabled: 'never' })).toMatchObject({
    status: 'warning',
    finding: expect.stringContaining('tickwright monitor'),
  });
  expect(await look(`channels: [${PHONE.replace('}', ', escalation: true }')}]\n`)).toMatchObject({
    status: 'warning',
    finding: expect.stringContaining('give one without escalation'),
  });
});

it('warns of a channel to which the last message did not get', async () => {
  mkdirSync(join(folder, 'bot'));
  const store = new AlertStore(join(folder, 'bot', ALERTS_FILE));
  const message = { alert: 1, severity: 'warning', title: 'a title', text: 'a text', time: 5, isResolved: false } as const;
  const number = store.tell(message, ['phone']);
  expect(await look(`channels: [${PHONE}]\n`)).toMatchObject({ status: 'ok' });
  store.deliver(number, 'phone', { fate: 'refused', time: 6, cause: 'HTTP 403', tries: 1 });
  expect(await look(`channels: [${PHONE}]\n`)).toMatchObject({
    status: 'warning',
    finding: expect.stringContaining('the last message to phone was refused (HTTP 403)'),
  });
  store.close();
});
