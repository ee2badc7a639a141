/** A program that meets a bot of another version, or one that answers as none does. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Failure } from '../../../../src/base/failure/failure.ts';
import { startControl, type ControlReply, type RunningControl } from '../../../../src/edge/control/control-server.ts';
import { connect, isCompatible, Refused } from '../../../../src/run/bot/client/connect-bot.ts';
import { programVersion } from '../../../../src/run/setup/version.ts';

let folder = '';
let control: RunningControl | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'client-'));
});
afterEach(async () => {
  await control?.close();
  control = null;
  rmSync(folder, { recursive: true, force: true });
});

async function answering(status: object, other: ControlReply): Promise<void> {
  // What a bot leaves in its folder.
  writeFileSync(join(folder, 'store.sqlite'), '');
  control = await startControl({
    folder,
    port: null,
    handler: (_method, name) => Promise.resolve(name === 'status' ? { status: 200, body: status } : other),
    now: () => performance.now(),
    onError: (error) => expect.fail(String(error)),
  });
}

const failureOf = async (work: Promise<unknown>): Promise<Failure> =>
  (await work.then(
    () => null,
    (error: unknown) => error,
  )) as Failure;
const NO: ControlReply = { status: 500, body: {} };

test.each([
  ['0.1.0', '0.1.7', true],
  ['0.1.0', '0.2.0', false],
  ['1.4.0', '1.0.2', true],
  ['1.4.0', '2.0.0', false],
  ['', '0.1.0', false],
  ['odd', 'odd', false],
])('versions %j and %j go together: %s', (one, other, is) => {
  expect(isCompatible(one, other)).toBe(is);
});

test.each([{ version: '7.0.0' }, {}])('a bot with the status %j is refused with both versions', async (status) => {
  await answering(status, NO);
  const { failure, message } = await failureOf(connect({ state: folder }));
  expect([failure, message]).toEqual(['bot-version', expect.stringContaining(`expected a bot of version ${programVersion()}`)]);
});

test('a command that the bot does not know names the version as the cause; a refusal keeps its code', async () => {
  const refusal = { ok: false, code: 'no-such-command', message: 'there is no command', hint: '' };
  await answering({ version: programVersion() }, { status: 404, body: refusal });
  const bot = await connect({ state: folder });
  expect((await failureOf(bot.limits())).failure).toBe('bot-version');
  refusal.code = 'no-such-scope';
  const refused = (await failureOf(bot.limits('X'))) as Refused;
  expect([refused instanceof Refused, refused.code]).toEqual([true, 'no-such-scope']);
});

test('a folder without a bot is named', async () => {
  const { failure, message } = await failureOf(connect({ state: folder }));
  expect([failure, message]).toEqual(['bot-missing', expect.stringContaining(folder)]);
});
