/** A caller of a server of this machine gets an answer also if the answer that was meant for it cannot be sent. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startControl } from '../../../../src/edge/control/control-server.ts';
import { startAdmin } from '../../../../src/edge/serve/admin.ts';

const WAIT_MS = 5_000;

async function answered(url: string, token: string): Promise<[number, string]> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` }, signal: AbortSignal.timeout(WAIT_MS) });
  return [response.status, await response.text()];
}

test('the admin port answers 500 if an answer cannot be sent', async () => {
  const errors: unknown[] = [];
  const token = 'x'.repeat(32);
  const routes = new Map([['GET /admin/status', () => ({ status: 9_999, text: '{}' })]]);
  const admin = await startAdmin({ port: 0, token, now: Date.now, routes, onError: (error) => errors.push(error) });
  try {
    expect(await answered(`${admin.url}/status`, token)).toEqual([500, expect.stringContaining('its log has the error')]);
    expect(errors).toEqual([expect.objectContaining({ code: 'ERR_HTTP_INVALID_STATUS_CODE' })]);
  } finally {
    await admin.close();
  }
});

test('the control port answers 500 if an answer is no JSON', async () => {
  const errors: unknown[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'failed-answers-'));
  const control = await startControl({
    folder,
    port: 0,
    handler: () => Promise.resolve({ status: 200, body: { lots: 1n } }),
    now: Date.now,
    onError: (error) => errors.push(error),
  });
  try {
    expect(await answered(`${control.url}/v1/status`, readFileSync(join(folder, 'control.token'), 'utf8').trim())).toEqual([
      500,
      expect.stringContaining('log has the error'),
    ]);
    expect(errors).toEqual([expect.any(TypeError)]);
  } finally {
    await control.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
