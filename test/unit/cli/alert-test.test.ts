/** `alert test`: every channel gets a message, failures are named, and neither output nor errors show an address or a secret. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runToEnd } from '../../e2e/process.ts';
import { discordService, ntfyService } from '../../support/monitor/alert-services.ts';

const folder = mkdtempSync(join(tmpdir(), 'alert-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('alerts.file: one channel takes the message, one refuses it: exit code 1, and nothing secret is printed', async () => {
  const [ntfy, discord] = [await ntfyService('tk_CANARY'), await discordService()];
  discord.always = { status: 404, body: '{"message":"Unknown Webhook"}' };
  const file = join(folder, 'alerts.yaml');
  writeFileSync(
    file,
    `channels:
  - { name: push, kind: ntfy, url: "${ntfy.url}", topic: CANARY-topic, token: tk_CANARY }
  - { name: room, kind: discord, url: "${discord.url}/CANARY" }
`,
    { mode: 0o600 },
  );
  const state = join(folder, 'state');
  mkdirSync(state);
  const ran = await runToEnd(['alert', 'test', '--set', `alerts.file=${file}`, '--set', `store.folder=${state}`]);
  expect(ran.out).toMatch(/^push \(ntfy\): delivered in \d+ ms\nroom \(discord\): not delivered: status 404\n$/);
  expect(ran.code).toBe(1);
  expect(ran.out + ran.err).not.toContain('CANARY');
  expect(ntfy.taken).toMatchObject([{ title: 'TEST tick' }]);
  await Promise.all([ntfy.close(), discord.close()]);
  const listed = await runToEnd(['alert', 'list', '--state', state]);
  expect(listed.out.replace(/\s+/g, ' ')).toMatch(/Z TEST tick push delivered, room refused \(status 404\)/);
});

test('without a channel it says so', async () => {
  const ran = await runToEnd(['alert', 'test']);
  expect(ran.err).toContain('alerts.file names no file');
  expect(ran.code).toBe(78);
});
